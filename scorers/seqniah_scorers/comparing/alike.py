"""Words that stand in one place of a sentence for each other, and words that turn it round there.

The tables of meanings work on whole texts; these are for words so short or so common that only
their place tells what they mean.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from seqniah_scorers.comparing.lexicon import SAME_EN, STOP_ZH, stem
from seqniah_scorers.text import is_cjk

_SAME_EN = """
until till | because since as | stairs steps staircase | beside next | beneath under underneath
below | noon midday | around about roughly approximately | near close nearby by | big large huge
sizeable | small little tiny | fast quick rapid | begin start commence | end finish stop complete
conclude close | buy purchase get acquire pick | get receive obtain | obtain acquire gain secure |
give hand pass present | send mail post ship dispatch | fetch collect pick pickup find retrieve |
mend repair fix patch restore | clean tidy scrub wash | sweep brush | wipe dry clean | cook
prepare make | bake make prepare | chat talk converse speak | call phone telephone ring | tell
inform notify | ask inquire | answer reply respond | look watch see view observe | spot notice see
sight | meet encounter | find discover locate | lose mislay misplace | throw toss pelt hurl | trip
stumble | fall tumble | run jog | walk stroll hike wander | climb ascend hike scale | drive motor
| ride cycle pedal bike | journey trip travel tour | town city | shop store | flat apartment | lift
elevator | film movie | picture photo photograph | painting picture | kid child children | mum mom
mother | dad father | grandma grandmother granny | grandpa grandfather | friend pal buddy mate |
colleague coworker workmate | flatmate roommate housemate | neighbour neighbor | boss manager
supervisor | doctor physician | teacher instructor tutor | policeman officer | shopkeeper
shop-owner | meal dish food | supper dinner | sweets candy | cookies biscuits | garden yard
backyard | trousers pants | jumper sweater pullover | coat jacket | bag sack | box case crate |
bin trash | rubbish litter trash garbage | parcel package packet | letter mail | present gift |
bike bicycle | car automobile | lorry truck | tram streetcar | underground subway metro | motorway
highway | road street lane | path trail track | wood forest woods | seaside beach shore coast |
sea ocean | brook stream creek | hill mountain | autumn fall | holiday vacation | exam test
examination | lesson class course | lecture talk | homework assignment | notebook exercise-book |
essay paper | novel book | quiz test | meeting conference | party celebration | wedding marriage |
concert gig show performance | show exhibition display exhibit | match game | contest competition
race tournament | prize award | win earn | practise practice train rehearse exercise | learn study
| teach show instruct | try attempt taste test | sample taste try | enjoy relish like love |
finish read | help assist aid support | support back | volunteer help | join attend participate
visit | go travel head come | leave depart | arrive reach come get | return come go back | stay
remain | wait queue | rest relax | sleep nap doze | wake rise | repair restore | build make
construct assemble | put place set lay | hang fix mount | plant sow | grow raise | dig excavate |
cut trim prune slice chop | leak drip | pass succeeded | change replace swap | say state | stitch
sew | knit crochet | draw sketch | paint colour color | glue stick paste | fold bend | count
number tally | measure gauge | weigh | check inspect examine test verify review | sort order
arrange organise organize | pack bundle | load fill stack | empty drain | pour tip | mix stir
blend | burn scorch | freeze | melt thaw | break smash shatter snap crack | tear rip | drop fall
let | catch trap | chase follow pursue | scare frighten startle | tired exhausted weary worn |
happy glad cheerful pleased delighted joyful good | sad unhappy upset | angry cross furious |
afraid scared frightened | funny amusing | interesting fascinating exciting | boring dull |
delicious tasty yummy | lovely beautiful pretty gorgeous | ugly | cheap inexpensive | expensive
costly dear | hard difficult tough | easy simple | careful cautious | whole entire full complete |
last final | main chief principal | famous renowned well-known | modern contemporary | ancient old
| broken faulty defective damaged | ill sick unwell | rainy wet | sunny bright clear | foggy misty
| spin turn rotate | turn invert flip | shut close | switch turn | use apply employ | need require
| want wish | plan intend | decide resolve choose | book reserve | pick choose select
| sign enrol enroll register | apply request | submit hand file deliver turn | pay settle | spend
| save keep | borrow loan | own possess | hire employ | quit resign leave | job position post work
| firm company business | shift duty | project task assignment | report account
| error mistake | fault defect | trick tip |
secret | quiet silent calm | loud noisy | soft gentle | almost nearly | also too | very really
quite extremely | often frequently | once | again | first initially | together jointly | alone
solo | outside outdoors | inside indoors | upstairs above | away off | towards toward to |
announce declare state publish disclose reveal | accquire acquire buy purchase takeover | raise
secure obtain receive close | financing funding investment | stake share equity holding interest |
investor backer | subsidiary unit | list float | merge combine | sell divest dispose | terminate
cancel abandon scrap drop call | further additional another more extra | amount sum total | value
worth | lose leave forget | win come_first winner | meet pickup fetch collect
| replacement new_one new | location venue site spot | join become_member
"""
_SAME_ZH = """
寄 邮 | 买 购 买下 购得 买到 购入 入手 | 捡 拾 | 断 折 | 完 罢 毕 好 | 等 待 候 | 进 入 | 收 接 领
| 放 搁 摆 置 | 差点 险些 差一点 几乎 | 清早 一大早 大早 一大 大清早 清晨 早 清 | 小心 留神 当心
慎 | 傍晚 天快黑时 天快黑 黄昏 | 晚 夜 夜里 | 中午 晌午 正午 | 早上 早晨 清晨 | 上午 午前 | 下午
午后 | 看 瞧 观 望 | 说 讲 谈 聊 | 告诉 告知 | 问 询问 | 回 返 返回 | 带 领 携 拿 | 送 赠 给 | 拿
取 提 | 丢 掉 落 失 遗失 | 找 寻 觅 | 找 请 叫 喊 | 修 补 修补 缮 | 洗 刷 清洗 | 擦 抹 拭 | 扫
清扫 打扫 | 剪 裁 修剪 | 种 栽 植 播 | 浇 淋 | 摘 采 | 钓 垂钓 | 煮 烧 炖 熬 煲 | 炒 爆 | 蒸 | 烤
烘 | 吃 尝 品尝 享用 食 | 喝 饮 品 | 做 烹 烧 弄 | 穿 套 | 戴 佩 | 搬 挪 移 迁 | 抬 扛 | 推 | 爬
攀 登 | 跑 奔 慢跑 | 走 步行 徒步 行 | 骑 踩 蹬 | 坐 乘 搭 | 开 驾 驶 | 逛 游 游览 转 | 玩 耍 | 唱
哼 | 跳 | 画 绘 描 | 写 撰 书 | 读 阅 念 | 学 习 练 学习 了解 | 教 授 辅导 | 考 测 | 赢 胜 | 输 败
| 听 欣赏 聆听 闻 | 认识 结识 | 遇 碰 撞 遇见 碰见 碰到 碰上 偶遇 | 邀 请 约 | 聚 会 | 陪 伴 | 帮
助 协助 替 | 感谢 道谢 致谢 谢 | 道歉 致歉 | 吵 争吵 | 哭 泣 | 笑 乐 | 高兴 开心 快乐 愉快 欢喜
欣喜 | 难过 伤心 悲伤 | 累 疲惫 疲倦 劳累 | 忙 忙碌 | 紧张 忐忑 | 漂亮 美丽 好看 美 | 好吃 美味
可口 香 | 便宜 廉价 | 贵 昂贵 | 坏 烂 破 | 破 裂 碎 | 湿 潮 | 旧 老 二手 | 大 巨 | 小 迷你 | 很多
许多 不少 大量 | 一点 些许 | 整 全 整个 全部 | 全家 家人 一家 | 父母 爸妈 双亲 | 妻子 太太 老婆 |
丈夫 先生 老公 | 孩子 小孩 娃 | 同事 同僚 | 朋友 好友 友人 | 老师 教师 | 医生 大夫 医师 | 邻居
邻里 街坊 | 房东 业主 | 客户 顾客 客人 | 师傅 师父 | 店 铺 商店 店铺 | 超市 卖场 | 餐厅 餐馆 饭店
饭馆 馆子 料理店 店 | 医院 诊所 | 家 家里 家中 屋里 | 房间 屋子 | 公寓 住所 住处 寓所 | 车站 站 |
单车 自行车 脚踏车 | 汽车 轿车 车子 车 | 地铁 轨道 | 电影 影片 片子 | 照片 相片 | 书 书籍 图书 |
信 信件 书信 | 包裹 快递 | 手机 电话 | 电脑 计算机 | 东西 物品 物件 | 垃圾 废物 | 雨 | 雪 | 风 |
展 展览 展会 | 讲座 讲演 演讲 报告会 | 课 课程 | 比赛 赛事 竞赛 | 会 会议 | 活动 | 聚会 聚餐 派对
| 演出 表演 演 | 音乐会 演奏会 演唱会 | 春晚 春节晚会 春节联欢晚会 | 除夕 除夕夜 大年三十 年三十 |
生日 诞辰 | 团建 团队建设 | 体检 健康检查 | 健身 锻炼 | 考试 测验 | 作业 功课 | 论文 文章 | 报告
汇报 | 材料 资料 文件 | 表 表格 | 方法 方式 办法 | 原理 道理 | 知识 学问 | 技巧 技能 窍门 | 经验
心得 | 问题 毛病 | 计划 规划 方案 | 结果 | 原因 缘由 | 步 步骤 | 环 绕 围 | 沿 顺 | 靠 近 | 附近
旁边 旁 周边 周围 | 途中 路上 | 因为 由于 因 | 所以 因此 | 但 不过 可 | 如果 假如 若 | 开始 着手
起 | 结束 完毕 | 准备 预备 筹备 备 | 组织 安排 | 参加 参与 出席 加入 | 观看 看 观赏 欣赏 | 参观
游览 探访 走访 访 | 购买 采购 选购 购 | 办理 办 处理 | 整理 收拾 清理 归置 | 修理 维修 修 修复 |
打扫 清扫 清洁 | 学会 掌握 | 尝试 试 试着 | 制作 做 创作 | 完成 做完 搞定 | 获得 得 获 取得 赢得 |
提交 递交 交 上交 | 领取 领 取 | 更换 换 替换 | 安装 装 | 搬进 搬入 迁入 入住 | 借 借阅 | 还 归还
| 送给 赠送 赠 | 收到 接到 收 | 带领 率领 | 担任 当 任 | 面试 | 录取 录用 | 辞职 离职 | 出差 公干
| 旅行 旅游 出游 | 拍 摄 拍摄 照 | 录 录制 | 预订 预定 订 | 付 支付 缴 交 | 花费 花 用 耗 耗时
用时 历时 | 投资方 投资者 投资人 投资机构 | 融资 募资 | 获 获得 完成 拿下 | 并购 收购 购并 | 完成
办结 | 涉及 牵涉 关涉 | 股权 股份 | 出售 转让 卖 卖出 | 公告 宣布 公布 披露 | 终止 中止 取消 放弃
| 增持 | 减持 | 上市 挂牌 | 成立 创立 设立 创办 组建 | 任命 委任 聘任
| 坏 故障 出故障 出现故障 发生故障 坏掉 失灵 罢工 | 胜 获胜 赢 取胜 胜出 战胜
| 落败 输 败 失利 输给 负 负于 不敌 败给 | 忘 落 遗忘 忘记
"""
_OPPOSED_EN = """
new old | new used | new second-hand | attend give | attend teach | attend lead | attend host |
attend hold | attend organise | attend organize | attend run | hear give | watch play | watch
direct | find lose | hot cold | warm cool | big small | large small | long short | tall short |
high low | early late | first last | open close | open shut | up down | left right | in out |
inside outside | before after | above below | over under | front back | top bottom | upstairs
downstairs | indoor outdoor | on off | push pull | buy sell | win lose | lend borrow | give
receive | give take | arrive leave | arrive depart | come go | begin finish | start finish | start
end | begin end | start stop | begin stop | start cancel | finish cancel | attend cancel | attend
miss | attend skip | catch miss | find lose | accept reject | accept refuse | accept decline |
pass fail | remember forget | light dark | light heavy | heavy light | wet dry | hard soft | hard
easy | easy difficult | full empty | rich poor | clean dirty | fast slow | quick slow | quiet loud
| quiet noisy | happy sad | good bad | better worse | best worst | more less | more fewer | most
least | cheap expensive | strong weak | thick thin | wide narrow | deep shallow | sweet sour |
sweet bitter | sweet salty | young old | male female | man woman | boy girl | brother sister | son
daughter | mother father | uncle aunt | husband wife | king queen | north south | east west |
morning evening | morning afternoon | afternoon evening | noon midnight | sunrise sunset | summer
winter | spring autumn | always never | everyone nobody | increase decrease | rise fall | raise
lower | expand shrink | add remove | lock unlock | tie untie | pack unpack | load unload | plug
unplug | cover uncover | wrap unwrap | fold unfold | fill empty | freeze melt | heat cool | import
export | teach learn | ask answer | send receive | lead follow | follow lead | agree disagree |
like dislike | praise criticize | friend enemy | guest host | buyer seller | teacher student |
teacher pupil | doctor patient | employer employee | success failure | profit loss | optimistic
pessimistic | public private | local foreign | domestic foreign | urban rural | real fake | right
wrong | true false | alive dead | asleep awake | single double | half whole | majority minority |
minimum maximum | join quit | join leave | enter leave | hire fire | borrow return | plant harvest
| sow harvest | save delete | save spend | offer refuse | offer deny | offer turn_down | accept
turn_down | hire turn_down | invite turn_down | invite refuse | damp dry | moist dry | crooked
straight | upper lower | inner outer | forward backward | forwards backwards | clockwise
anticlockwise | vertical horizontal | yellow blue | black white | red green | shade sun
"""
_OPPOSED_ZH = """
新旧 旧新 新老 冷热 凉热 冷暖 冰热 大小 长短 高低 高矮 输赢 胜负 胜败 赢败 买卖 购售 借还 来去
开关 前后 上下 左右 里外 内外 早晚 多少 快慢 轻重 深浅 粗细 干湿 软硬 生熟 甜苦 甜咸 甜酸 甜辣
公母 男女 南北 东西 东南 东北 西南 西北 进出 升降 增减 推拉 出入 老少 哭笑 好坏 真假 强弱 胖瘦
明暗 黑白 红绿 红蓝 蓝绿 黄绿 红黄 黑红 白红 白蓝 白绿 黑蓝 黑黄 白黄 紫红 紫蓝 粉蓝 春秋 春夏
夏秋 秋冬 冬春 夏冬 弟妹 姐妹 哥弟 哥姐 姐弟 兄妹 爸妈 父母 爷奶 舅姨 叔姑 叔舅 姑姨 儿女 夫妻
起落 涨跌 盈亏 收发 收寄 送收 存取 装拆 穿脱 关开 始终 首末 头尾 顶底 正反 单双 宽窄 厚薄 远近
稀稠 满空 咸淡 浓淡 晴雨 晴阴 雨雪 日夜 昼夜 猫狗 鸡鸭 牛羊 马牛 鸡鱼 茶酒 米面 桃梨 兰菊 梅兰
竹松 山海 江湖 河海 湖海 河湖 北京 师生 主客 甲乙 攻守 攻防 加减 乘除 学教 教学 问答 睡醒
"""
_OPPOSED_WORDS_ZH = """
码头 机场 | 车站 机场 | 车站 码头 | 天台 地下室 | 阳台 厨房 | 前面 后面 | 阴凉处 太阳下 | 阴凉处
烈日 | 第一 最后 | 首次 最后 | 成功 失败 | 增加 减少 | 提前 推迟 | 提前 延后 | 支持 反对 | 接受
拒绝 | 加入 退出 | 室内 室外 | 楼上 楼下 | 上游 下游 | 城里 乡下 | 国内 国外 | 线上 线下 | 公开
秘密 | 乐观 悲观 | 开始 结束 | 开始 完成 | 开始 取消 | 完成 取消 | 完成 终止 | 开始 终止
"""

MOST_SPLIT = 10
"""Words of two runs together up to which they are compared in parts."""


def _groups(table: str) -> Iterable[list[str]]:
    return (group.split() for group in table.split("|"))


def _bare(word: str) -> str:
    return "".join(c for c in word if c not in STOP_ZH)


@cache
def _same() -> dict[str, frozenset[int]]:
    out: dict[str, set[int]] = {}
    for number, group in enumerate((*_groups(_SAME_EN), *_groups(_SAME_ZH))):
        for word in group:
            out.setdefault(_bare(word) if is_cjk(word[0]) else _phrase(word), set()).add(number)
    return {word: frozenset(found) for word, found in out.items()}


@cache
def _turned() -> frozenset[frozenset[str]]:
    pairs = [frozenset(_phrase(w) for w in pair) for pair in _groups(_OPPOSED_EN)]
    pairs += [frozenset(pair) for pair in _OPPOSED_ZH.split()]
    pairs += [frozenset(_bare(w) for w in pair) for pair in _groups(_OPPOSED_WORDS_ZH)]
    return frozenset(pairs)


def _form(word: str) -> str:
    base = stem(word)
    return SAME_EN.get(base, base)


def _phrase(words: str) -> str:
    return " ".join(_form(w) for w in words.split("_"))


def _text(words: list[str]) -> str:
    return ("" if is_cjk(words[0][0]) else " ").join(words)


def alike(one: list[str], other: list[str]) -> bool:
    """Whether the two runs, each in the other's place, mean the same, whole or in two parts."""
    if _alike(one, other):
        return True
    if len(one) + len(other) > MOST_SPLIT:
        return False
    cuts = ((i, j) for i in range(1, len(one)) for j in range(1, len(other)))
    return any(_alike(one[:i], other[:j]) and _alike(one[i:], other[j:]) for i, j in cuts)


def _alike(one: list[str], other: list[str]) -> bool:
    if one == other:
        return True
    table = _same()
    return not table.get(_text(one), frozenset()).isdisjoint(table.get(_text(other), ()))


def turned_round(one: list[str], other: list[str]) -> bool:
    """Whether the two runs are opposites, or two of a kind, in one place."""
    return frozenset((_text(one), _text(other))) in _turned()
