"""Words that mean the same, words that exclude each other, and words that carry no fact."""

from __future__ import annotations

import re

# In every table a bar divides groups; the first word of a group stands for all of it.
_IRREGULAR = """
go went gone goes | mak made | tak took taken | buy bought | meet met meeting | hold held | giv
gave given | find found | see saw seen | writ wrote written | run ran running | eat ate eaten |
drink drank drunk | teach taught | learn learnt | spend spent | feel felt | tell told | say said |
begin began begun | bring brought | catch caught | choos chose chosen | do did done does | fight
fought | get got gotten | grow grew grown | know knew known | leav left | lend lent | los lost |
pay paid | rid rode ridden | sell sold | send sent | sing sang sung | sit sat | sleep slept |
speak spoke spoken | swim swam | think thought | win won | wear wore worn | build built | draw
drew drawn | driv drove driven | fly flew flown | hear heard | keep kept | lead led | child
children | man men | woman women | person people | foot feet | lif lives | wif wives | ris rose
risen | us used | try tried trying tries | evening evenings | morning mornings | break broke
broken | thing things | train training | lightning | wedding | feed fed | bind bound | bend bent |
dig dug | freez froze frozen | forget forgot forgotten | hang hung | hid hidden | lay laid | light
lit | mean meant | shak shook shaken | shin shone | show shown | sink sank sunk | slid sliding |
spin spun | stand stood | steal stole stolen | stick stuck | strik struck | sweep swept | swing
swung | tear tore torn | throw threw thrown | wak woke woken | weav wove woven | blow blew blown |
bit bitten | deal dealt | sew sewn | sow sown | becom became | wash | hit | fall fell fallen |
hurt | shut | lean leant | burn burnt | dream dreamt | spill spilt | spoil spoilt | smell smelt |
undo undid undone | creep crept | building | nothing | something | anything | everything | during
| ceiling
"""
_SAME_EN = """
buy purchase acquire acquisition | film movie | attend join participate | evening tonight night
nighttime | start begin commence launch initiate | finish complete conclude completion | help
assist | picture photo photograph | watch view see | intent intention willingness willing desire
wish hope aim readiness plan | comment remark | talk discuss discussion consult confer
consultation conversation | accuse accusation blame | criticize criticise denounce condemn
criticism | praise endorse commend laud | request appeal urge plea | visit travel trip journey |
host welcome receive | aid assistance | deny refuse reject decline denial | reduce cut decrease
reduction lower | break sever end stop cease cessation halt | threaten warn threat warning |
impose implement enforce | cooperate collaborate cooperation collaboration partner | yield
accommodate concede concession | arrest detain detention | investigate probe investigation |
incident matter situation issue case | city town urban | shop store | cafe coffeehouse | exhibit
exhibition | lecture seminar | cook prepare | try attempt | learn study | enjoy relish | novel
book | friend buddy | car automobile | bike bicycle cycling | jog run | large big huge | small
little tiny | assess evaluate appraise evaluation assessment | identify recognize determine |
check inspect examine verify review inspection | report communicate | staff employee personnel |
understand know | select choose pick | click press tap | remove delete | demand insist |
administration government | representative official envoy | agreement deal accord treaty pact |
negotiate negotiation bargain | empathetic sympathetic empathy | optimistic positive hopeful |
pessimistic negative | us usa america | uk britain british | statement declaration announce
announcement state declare | protest demonstrate rally demonstration | queue lineup | trade swap
exchange barter | search seek | cemetery graveyard churchyard | tunnel underpass | reach arrive |
pickup find discover | repair fix mend | sofa couch | rock stone | grandmother grandma granny |
grandfather grandpa granddad | mother mom mum | father dad | phone telephone
| satisfy satisfaction satisfied
"""
_CLASHES_EN = """
morning noon afternoon evening midnight dawn dusk
| monday tuesday wednesday thursday friday saturday sunday | spring summer autumn fall winter
| north south east west | red blue green yellow black white orange purple pink brown gray
| mother father sister brother son daughter husband wife grandmother grandfather uncle aunt cousin
  friend colleague neighbor parents
| breakfast lunch dinner brunch supper | optimistic pessimistic | increase reduce
| start finish cancel | buy sell | accept deny | provide deny withdraw
| praise criticize accuse threaten apologize | impose ease lift | arrest release | win lose
| arrive leave | open close | borrow lend | teach learn | indoor outdoor
| first second third fourth fifth last | live virtual online | import export | early late
| local international national | public private
| talk accuse threaten criticize praise arrest investigate apologize expel abduct occupy veto
  impose yield negotiate release demand
| visit host | support oppose | ally enemy | male female | beginner advanced | attack defend
| rise drop | profit loss | before after | classical jazz rock pop | coffee tea
| dog cat bird fish | sushi curry stew pasta pizza soup salad | guitar piano violin drums
| military economic humanitarian
| january february march april june july august september october november december
"""
_SAME_ZH = """
晚上 今晚 晚间 夜晚 夜里 当晚 夜间 夜幕降临 | 早上 早晨 清晨 今早 今晨 上午 一早 | 下午 午后
| 中午 正午 | 购买 购入 买了 购置 采购 | 观看 看了 观赏 | 参观 游览 探访 走访 参访 访问 拜访
| 参加 参与 出席 | 学习 研习 | 阅读 读了 | 表示 宣布 表达 声称 表明
| 希望 愿意 愿望 意愿 意向 意图 打算 计划 | 谈判 磋商 协商 | 开始 启动 着手 | 完成 结束
| 明确 确定 | 查看 查阅 检查 审查 | 联系 沟通 | 录用 雇佣 聘用 | 渠道 途径 | 合同 协议
| 咨询 征询 | 提交 递交 | 申请 请求 | 尝试 试着 试了 | 制作 做了 烹饪 | 朋友 好友 | 电影 影片
| 有趣 有意思 | 书籍 图书 | 餐厅 餐馆 饭店 | 批评 谴责 指责 | 赞扬 称赞 表扬 赞赏 | 支持 赞同
| 提供 给予 | 会面 会见 会晤 | 威胁 警告 | 收购 并购 | 投诉 举报 | 诉讼 起诉
| 捡到 拾到 拾得 捡起 | 翻出 找出 找到 | 祖父 爷爷 | 祖母 奶奶 | 外祖父 外公 姥爷 | 外祖母 外婆 姥姥
| 父亲 爸爸 老爸 | 母亲 妈妈 老妈 | 第一 头一 | 交换 互换 调换 | 墓地 墓园 坟场 | 抵达 到达
| 排队 排着队 | 寻找 寻觅 查找 | 自行车 单车 脚踏车 | 西红柿 番茄 | 土豆 马铃薯 | 修好 修理好 修复
"""
_CLASHES_ZH = """
凌晨 早上 中午 下午 傍晚 晚上 | 开始 完成 终止 取消 失败 | 增加 减少 | 购买 出售 | 乐观 悲观
| 支持 反对 | 接受 拒绝 | 赞扬 批评 威胁 道歉 | 提供 拒绝 | 春天 夏天 秋天 冬天 | 上升 下降
| 父亲 母亲 妹妹 姐姐 弟弟 哥哥 朋友 同事 | 早餐 午餐 晚餐 | 周一 周二 周三 周四 周五 周六 周日
| 逮捕 释放 | 实施 解除 | 成功 失败 | 小狗 小猫 | 收购 出售 | 批准 否决
"""
_STOP_EN = """
a an the i he she it we they you me him her his its my our their them himself herself themselves
myself this that these those there here who which what when where while as of to in on at by for
from with into onto upon about over through and or but so then also is am are was were be been
being has have had having do does did will would shall should can could may might must some any
very more most quite just too both each all s t re today day date daily author narrator event
held hold made make making mak regarding concerning related relation relating respect toward
towards against involving involve connection specific certain various including include such
between during after before per via up out mr mrs ms dr went go got took take
"""
_DIGITS = "zero one two three four five six seven eight nine ten eleven twelve"
STOP_ZH = frozenset(
    "的了在我他她它们您你与和及并且于是有这那其之地得着过去也都还又就从将把对为以而个位所到来趟次些项个"
)
_FILLER_ZH = re.compile(
    # Each branch opens with one character, so that most of a text costs one look-up each.
    "今[天日](?!气)|当[天日](?!气)|这[天日](?!气)|非常|十分(?<![一二两三四五六七八九几]十分)(?![钟之])|特别|很"
    "|一(?<![第头]一)(?=[项个些次场种件位名])|采取|进行|作出|做出|举行|展开|开展|全[部都]|统统|通通"
    "|全(?<![安完健齐周俱]全)(?![家面体国世市天球程校身文新力景长年省套局班村镇])"
)
NUMBER_WORDS = {word: str(n) for n, word in enumerate(_DIGITS.split()) if n != 1}
"""Without "one", which is more often a pronoun."""


def _groups(table: str) -> list[list[str]]:
    return [group.split() for group in table.split("|")]


_BASES = {form: group[0] for group in _groups(_IRREGULAR) for form in group}


def is_form(word: str) -> bool:
    """Whether the table of irregular forms has the word."""
    return word in _BASES


_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """A crude base form: equal for the usual forms of one English verb or noun."""
    base = _BASES.get(word)
    if base is not None:
        return base
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    if len(word) > 3 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-1]
    if len(word) > 4:
        if word.endswith("ing") and not _VOWELS.isdisjoint(word[:-3]):
            word = _undouble(word[:-3])
        elif word.endswith("ed"):
            word = _undouble(word[:-2])
        elif len(word) > 8 and word.endswith("ation"):
            word = word[:-5]
    return word[:-1] if len(word) > 3 and word[-1] == "e" else word


def _undouble(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word if len(word) > 2 else word + "e"


def _synonyms(groups: list[list[str]]) -> dict[str, str]:
    out: dict[str, str] = {}
    for group in groups:
        for word in group:
            out.setdefault(word, group[0])
    return out


def _clashes(groups: list[list[str]], same: dict[str, str]) -> dict[str, frozenset[str]]:
    """For each word the words that cannot be true of the same event in its stead."""
    out: dict[str, frozenset[str]] = {}
    for group in groups:
        members = frozenset(same.get(w, w) for w in group)
        for word in members:
            out[word] = out.get(word, frozenset()) | (members - {word})
    return out


def _stemmed(table: str) -> list[list[str]]:
    return [[stem(w) for w in group] for group in _groups(table)]


_PHRASE_EN = re.compile(
    r"\b(?:(?P<queue>(?:wait|stand|stood)(?:ed|ing|s)? (?:in|on) (?:a |the )?(?:line|queue)"
    r"|lin(?:ed|ing) up)"
    r"|(?P<search>(?:look|hunt)(?:ed|ing|s)? for)"
    r"|(?P<reach>g[eo]t(?:s|ting)? to(?= (?:the|an?|my|his|her|our|their)\b)"
    r"|arriv(?:e|ed|es|ing) (?:at|in))"
    r"|(?P<fail>br(?:oke|eaks?|oken) down|stop(?:ped|s)? working|conked out|gave out)"
    r"|(?P<join>t(?:ake|akes|aking|ook) part in)|(?P<find>pick(?:ed|ing|s)? up|came across))\b"
)
_PHRASE_ROOTS = ("wait", "stand", "stood", "line", "lining", "look", "hunt", "get to", "got to",
                 "gets to", "getting to", "arriv", "pick", "came a", " part in",
                 " down", " working", " out")  # fmt: skip
"""Cheap to look for, and one of them is part of every phrase of `_PHRASE_EN`."""
STOP_EN = frozenset(_STOP_EN.split()) | {stem(w) for w in _STOP_EN.split() if len(w) > 4}
SAME_EN = _synonyms(_stemmed(_SAME_EN))
CLASHES_EN = _clashes(_stemmed(_CLASHES_EN), SAME_EN)
SAME_ZH = _synonyms(_groups(_SAME_ZH))
CLASHES_ZH = _clashes(_groups(_CLASHES_ZH), SAME_ZH)
CLASH_WORD_ZH = re.compile("|".join(sorted(CLASHES_ZH, key=len, reverse=True)))
_WHETHER_ZH = re.compile("有没有|是不是")
_CAN_ZH = re.compile("[能可]不[能可]以?|可否")
_ASKING_ZH = re.compile("[不没否]")
_SYNONYM_ZH = re.compile("|".join(sorted(SAME_ZH, key=len, reverse=True)))


def canonical_en(text: str) -> str:
    """The text, in lower case, with phrases that have a one-word synonym replaced by it."""
    if not any(root in text for root in _PHRASE_ROOTS):
        return text
    return _PHRASE_EN.sub(lambda m: str(m.lastgroup), text)


def canonical_zh(text: str) -> str:
    """The text with every Chinese word that has a synonym here replaced by one of them."""
    if _ASKING_ZH.search(text):
        text = _CAN_ZH.sub("能否", _WHETHER_ZH.sub("是否", text))
    return _SYNONYM_ZH.sub(lambda m: SAME_ZH[m.group()], _FILLER_ZH.sub("", text))
