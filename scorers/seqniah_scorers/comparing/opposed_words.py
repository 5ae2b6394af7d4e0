"""Words of steps that exclude each other, for `opposed`."""

# A line is a set of groups of which none is another; a line that opens with a blank goes on.
# "_" stands for a blank, "*" for any ending, "~" for an ending and up to four words between.
LINES_EN = """
deep deeply deeper | shallow shallowly
cold ice-cold icy chilled cool cool_down ice | heat hot hot-water boiling scalding warm lukewarm
 tepid heated
lukewarm tepid hand-warm | boiling ice-cold icy cold scalding
shade shady shaded out_of_the_sun indirect_light indirect_sun | direct_sun direct_sunlight
 full_sun
 blazing_sun sunny scorching_sun
wet damp moist moisten* moistened dampen* | dry
thin thinly | thick thickly
increas* rais* extend* add_to step_up build_up | reduc* decreas* lower* cut_your cut_back cut_down
 lessen*
turn~down lower* reduc* | turn~up rais* increas*
tight tightly firmly snug* | loose loosely slack*
slow slowly gradual* | quick quickly rapid* swift* all_at_once
gentle gently soft softly careful carefully | vigorous* rough* forceful* hard
same identical match* equal unchanged | latest newest different newer other
oldest earliest | newest latest most_recent
new newest | used second-hand
along_the_grain with_the_grain in_the_direction_of_the_grain | across_the_grain against_the_grain
dark darkness night nightfall evening after_dark dusk | noon midday daylight morning
 broad_daylight
with_a_partner with_a_friend with_a_companion partner companion | alone on_your_own by_yourself
light small modest | heavy large rich copious
clockwise | anticlockwise counterclockwise counter-clockwise
turn~on switch~on enabl* activat* | turn~off switch~off disabl* deactivat*
disconnect* off_the_network isolat* unplug* cut_off | connected connect
clos* shut* seal* | open opened opening uncovered
open opened opening uncovered | closed shut sealed
cover covered covering lid | uncovered open without_a_lid
indoors indoor inside | outdoors outdoor outside open_air open_sky
left | right-hand right_side on_the_right to_the_right
left-hand left_side on_the_left to_the_left | right-hand right_side on_the_right to_the_right
top upper | bottom lower lowest
vertical* upright | horizontal* flat sideways lying
in_writing written letter writing | oral orally verbal* by_phone telephone
public publicly published | secret secretly confidential* private
cash | card cheque check
by_hand hands manually | by_machine machine rolling_pin mixer automatically
online internet website portal | telephone by_phone by_post by_mail at_the_counter offline
in_person yourself personally | by_mail by_post sent_to_you someone_else by_courier
every each all both | one~only only_one one_only just_one a_single
black_and_white monochrome | in_colour in_color full_colour full_color
notice_board publicly inform* tell* notif* announc* | secret
stop* quit halt* cease* | keep_on continu* carry_on go_on
with_a_cable cable wired | wireless wirelessly wi-fi
stairs staircase stairway | lift elevator
front | rear
plain | flavoured flavored
fresh | dried frozen canned tinned
liquid | powdered solid
temporary temporarily | permanent permanently
anonymous anonymously | signed by_name
unsalted | salted
raw uncooked | cooked boiled
high_heat | low_heat gentle_heat medium_heat
low_heat gentle_heat low_flame | high_heat full_heat high_flame
at_most no_more_than not_more_than up_to maximum below less_than colder_than lower_than
 cooler_than
 within or_less | at_least no_less_than minimum above warmer_than hotter_than higher_than or_more
at_least no_less_than minimum above warmer_than hotter_than higher_than more_than or_more
 | at_most no_more_than below colder_than lower_than cooler_than
completely entirely fully wholly all | partly partially half-way halfway slightly
monday | tuesday | wednesday | thursday | friday | saturday | sunday
red | blue | green | yellow | black | white | purple | orange
north northern | south southern | east eastern | west western | south-east southeast | south-west
 southwest | north-east northeast | north-west northwest
fire_department fire_brigade fire_service firefighters | police police_department | hospital |
 health_department health_office | tax_office | bank | court | post_office | embassy consulate
director head manager chief boss | secretary clerk assistant | apprentice trainee intern |
 master | treasurer accountant | applicant | tenant | landlord | customer* client* |
 administrator* admin* | supervisor | doctor physician | nurse | teacher | student pupil |
 parents parent | principal | captain | librarian | volunteer* | inspector | engineer* |
 technician* | lawyer | notary | mayor | guard security_guard | nanny | cook chef | waiter
 waitress
"""
LINES_ZH = """
冷水 凉水 冰水 凉开水 常温水 冷却后的水 | 开水 沸水 沸腾 滚水 滚烫 煮沸 水开 热水 烧开
开水 沸水 滚水 热水 | 冷水 凉水 冰水 凉开水
温水 温热水 微温 | 沸水 滚水 滚烫 沸腾 冷水 凉水 冰水
散射光 散射 阴凉 遮阴 遮阳 遮光 避光 树荫 背阴 阴处 阴暗 弱光 光线柔和 明亮散光 | 直射 暴晒 烈日
 强光 太阳底下
 太阳下 曝晒 阳光充足 全日照 大太阳 向阳
阳光充足 向阳 全日照 日照充足 | 背阴 阴暗 阴凉 遮阴 避光
深埋 深栽 深植 深播 挖深 深耕 深一些 深一点 较深 深挖 深翻 | 浅埋 浅栽 浅植 浅播 浅一些 浅一点
 较浅 浅挖 浅耕 浅浅
浅埋 浅栽 浅植 浅播 浅一些 浅一点 较浅 浅挖 浅耕 浅浅 | 深埋 深栽 深植 深播 深耕 深一些 深一点
 较深 深挖 深深
薄薄 薄片 薄层 薄 | 厚厚 厚片 厚层 厚一些 厚一点 较厚 加厚
厚厚 厚片 厚层 厚 | 薄薄 薄片 薄层 薄一些 薄一点 较薄
稀薄 稀释 稀一些 清淡 淡 稀 | 浓一些 浓一点 浓肥 浓稠 高浓度 较浓
干燥 干布 晾干 擦干 干的 干爽 | 湿布 潮湿 浸湿 打湿
湿布 湿润 潮湿 浸湿 打湿 湿毛巾 | 干燥 干布 干毛巾 晾干
松松 宽松 松一些 松散 略松 | 紧紧 缠紧 绑紧 系紧 扎紧 勒紧 紧一些 牢牢
紧紧 缠紧 绑紧 系紧 扎紧 拧紧 压紧 压实 | 松松 宽松 松一些 松散 略松 拧松
轻轻 轻柔 轻缓 轻敲 轻拍 轻压 轻 | 用力 使劲 大力 猛力 狠狠 重重
缓慢 慢慢 徐徐 缓缓 | 快速 迅速 猛地 一下子 一次性
快速 迅速 尽快 | 缓慢 慢慢 徐徐 缓缓
立即 立刻 马上 即刻 第一时间 当即 尽快 及时 迅速 | 过一会 稍后 第二天 隔天 几天后 不必着急 次日
增加 加大 增大 提高 提升 加量 增量 增多 调高 升高 加强 多吃 补充 | 减少 减量 降低 减小 缩减 削减
 调低 减弱 少吃 控制
减少 减量 降低 减小 缩减 削减 调低 减轻 少 降下来 | 增加 加大 增大 提高 提升 加量 增量 增多 调高
 升高
抬高 举高 垫高 抬起 高举 | 放低 垂下 下垂 低于
关机 断电 断开电源 拔掉 拔下 | 开机 通电 接上 插上 接通
软毛 柔软 软布 软刷 软 | 坚硬 钢丝 硬毛 硬质 粗糙
楼梯 步梯 | 电梯
公告 告知 通知 公示 告诉 | 保密 隐瞒
装回 装上 装好 安装 | 不装 裸露
手工 手动 人工 | 机器 机械 自动
现金 | 刷卡 转账 扫码
新鲜 鲜 | 冷冻 干制 罐装
一号线 | 二号线
南门 | 北门 | 东门 | 西门 | 正门 | 侧门 后门
密封 封闭 盖紧 封口 封好 封住 | 敞开 敞口 开口 敞着 不盖
关闭 关掉 关好 断开 切断 | 保持开启 打开 开启 接通
打开 开启 敞开 | 关闭 关掉 关上 关好
盖上 盖好 加盖 盖盖 | 敞开 敞着 开盖 揭盖
室内 屋内 屋里 家里 | 室外 户外 露天 院子 屋外
室外 户外 露天 屋外 | 室内 屋内 屋里
口服 内服 服用 | 外用 涂抹 外敷 注射
小火 文火 微火 慢火 | 大火 旺火 猛火 武火
大火 旺火 猛火 武火 | 小火 文火 微火 慢火
中火 | 大火 旺火 猛火 小火 文火
书面 纸质 | 口头 电话
线上 网上 网站 官网 网络 平台 在线 | 线下 现场 窗口 当面
线下 现场 窗口 当面 | 线上 网上 网站 官网 网络 平台 在线 远程
顺时针 | 逆时针
左侧 左边 左手 向左 | 右侧 右边 右手 向右
右侧 右边 右手 向右 | 左侧 左边 左手 向左
向上 朝上 | 向下 朝下
正面 | 背面 反面
顺着 顺纹 顺向 | 逆着 逆纹 横着 垂直于
两人 两个人 二人 双人 两名 2人 共同 一起 一同 会同 | 一个人 一人 单人 独自 单独 自行
共同 一起 一同 会同 同时 | 单独 独自 自己
最新 | 原来 旧版 相同 一样 同样
相同 同样 一致 一样 匹配 原有 | 最新 不同 另外
旧 原 | 全新 崭新
当天 当日 当晚 | 次日 第二天 隔天 一周内 一个月内 几天内
全部 所有 全体 全数 | 一部分 部分 少量 个别
公开 公示 公布 | 保密 秘密
匿名 | 实名 署名
空腹 饭前 餐前 吃饭之前 吃饭前 | 饭后 餐后 饱腹
饭后 餐后 吃完饭 吃饭之后 吃饭后 | 空腹 饭前 餐前 吃饭之前 吃饭前
睡前 | 起床后 早起
红色 红 | 蓝色 | 绿色 | 黄色 | 黑色 | 白色 | 紫色
消防 | 派出所 公安 警察 警方 交警 | 居委会 | 街道办 街道办事处 | 法院 | 银行 | 税务 | 工商
 市场监管 | 物业 | 医院
 | 养老院 敬老院 | 孤儿院 福利院 | 学校 小学 中学 | 邮局 | 民政 | 环保 生态环境 | 卫生 疾控
组长 课题组长 | 院长 所长 | 保管员 库管 管理员 | 会计 | 出纳 | 研究生 学生 | 导师 老师 教师 |
 经办人 | 申请人 |
 部门负责人 | 分管领导 | 主任 | 消防员 | 保安 门卫 | 志愿者 | 清洁工 保洁 | 经理 | 秘书 |
 居民代表 | 家长 | 校长 | 班长 | 队长 | 护士 | 医生 大夫 |
 律师 | 财务 | 人事 | 厂长 | 学徒 徒弟 | 师傅
"""
