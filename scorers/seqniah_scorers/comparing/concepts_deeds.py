"""Verbs and qualities: words of one meaning, in English and Chinese."""

DEEDS = """
buy purchase acquire shop 购买 购入 买 购置 采购 选购 | sell sold 卖 出售 售出 卖掉 转让 | borrow
check_out take_out loan 借 借阅 借来 | return bring_back take_back give_back hand_back 还 归还
还掉 退还 | lend 借给 出借 | rent hire 租 租用 | pay settle 付 支付 缴 交纳 缴纳 | win beat won 赢
获胜 取胜 战胜 夺冠 | lose lost beaten defeated 输 输掉 落败 失利 | borrow_money | cook prepare
make_dinner 做饭 烹饪 做菜 烧 煮 炖 炒 煎 下厨 烹制 学做 | bake 烤 烘焙 烘烤 | eat have_dinner
have_lunch have_breakfast dine taste lunch dinner 吃 用餐 就餐 品尝 吃饭 享用 | drink sip 喝 饮 品
| visit tour travel go_sightseeing trip stop_by drop_by go_to pay_visit call_on explore 参观 游览
探访 走访 访问 拜访 到访 造访 出访 往访 前往 回访 来访 走访 参访 旅行 旅游 出游 游 | attend join
participate take_part sit_in listen_to go_to enrol_in present_at guest_at 参加 参与 出席 加入 听
旁听 | preside chair lead moderate conduct_meeting 主持 | host receive welcome entertain play_host
hospitality 接待 招待 迎接 欢迎 迎来 款待 | give_talk speech deliver present speak
speak_at give_lecture 演讲 发言 演说 作报告 讲课 | listen hear 听 听取 收听 聆听 | teach instruct
tutor coach show_how 教 教授 讲授 教导 辅导 | learn study pick_up_skill 学习 学 研习 自学 钻研
研究 | practice practise train exercise rehearse drill work_out 练习 练 训练 锻炼 排练 健身 | read
reading 阅读 读 读了 看书 | write compose pen 写 撰写 写作 书写 编写 | watch view see look_at
catch_film 观看 看 观赏 看了 看到 见到 看见 | meet encounter run_into bump_into come_across 遇到
遇见 碰见 碰到 偶遇 邂逅 见面 会面 会见 会晤 | find discover come_upon 发现 找到 捡到 拾到 拾得
捡起 | search look_for seek hunt_for 寻找 寻觅 查找 找 | repair fix mend restore 修理 修好 修 维修
修复 修补 | clean tidy scrub wash wipe sweep organise organize sort arrange straighten 打扫 清洁
清扫 清理 整理 收拾 擦 洗 清洗 整顿 刷 | plant sow grow_from_seed 种 种下 栽 栽种 种植 播种 |
repot new_pot 换盆 | water 浇水 | prune trim cut shorten snip clip 修剪 剪 裁剪 割 剪短 | paint 画
绘 绘画 涂 粉刷 油漆 作画 | draw sketch 画 素描 描绘 勾画 勾勒 | sing choir perform 唱 唱歌 演唱
歌唱 | dance 跳舞 舞 | play 玩 弹 弹奏 演奏 打 | run jog 跑步 慢跑 跑 晨跑 跑了 | walk stroll hike
wander 散步 步行 漫步 走路 徒步 走 远足 遛 | swim swum bathe 游泳 游 | cycle bicycle bike ride
pedal 骑车 骑 骑行 骑自行车 | climb ascend hike_up 爬 登 攀登 登山 爬山 | drive 开车 驾车 驾驶 |
fly 飞 乘机 | sail 航行 | move relocate 搬 搬家 迁 搬迁 搬入 | help assist aid_in lend_hand 帮
帮助 帮忙 协助 | volunteer 志愿 做志愿者 当志愿者 义工 志愿者 | donate give_away 捐 捐赠 捐献 捐款
| give gift hand_over present_with pass submit hand 送 赠送 给 交给 移交 递交 提交 转交 | receive
get obtain 收到 得到 获得 获 取得 领取 拿到 | send post mail dispatch ship forward 寄 寄出 发送
邮寄 发出 派 派遣 | phone call telephone ring 打电话 通电话 通话 致电 电话 | chat talk discuss
converse speak_with 聊天 谈 讨论 商量 交谈 聊 商讨 谈论 | start begin commence launch initiate
kick_off set_out open_talk 开始 启动 着手 开展 起步 展开 | finish complete conclude close wrap_up
end accomplish completion 完成 结束 完毕 完结 做完 | stop halt cease end 停止 中止 终止 停 |
cancel call_off terminate abandon 终止 放弃 取消 撤销 | continue go_on keep_on 继续 | try attempt
experiment taste 尝试 试 试着 试了 体验 | enjoy relish love 享受 喜欢 欣赏 | relax rest unwind
放松 休息 歇 | sleep nap 睡 睡觉 午睡 | wait queue 等 等待 等候 排队 | wake get_up 起床 醒 |
celebrate 庆祝 庆贺 | decorate adorn 装饰 布置 装点 | build construct assemble set_up put_together
建 搭 建造 组装 搭建 制作 | make craft create 制作 做 做了 创作 | knit crochet 织 编织 | sew
stitch 缝 缝制 | photograph take_picture take_photo 拍照 拍摄 摄影 拍 | photo snapshot picture
照片 相片 | record film tape 录 录制 | sign sign_off signature 签署 签订 签 签约 缔结 订立 | apply
application 申请 | enrol enroll register sign_up sign 报名 注册 登记 | book reserve 预订 预约 预定
| choose select pick decide 选 选择 挑选 选定 | check inspect examine verify review test look_over
检查 核对 核查 审查 查看 查阅 复查 检验 核实 | tell inform notify report 告诉 通知 告知 报告 汇报
| ask inquire 问 询问 请教 | answer reply respond 回答 答复 回复 | explain describe 解释 说明 讲解
描述 | show display demonstrate 展示 展出 演示 显示 | invite 邀请 请 | arrive reach get_to turn_up
抵达 到达 到 | leave depart set_off go_away 离开 出发 动身 启程 | return_home come_home 回家 返回
回到 回国 | forget 忘 忘记 忘了 | remember recall_fact 记得 想起 | miss fail_to_catch 错过 没赶上
| catch 赶上 抓 抓住 捕 | drop fall spill 掉 摔 掉落 洒 | break smash shatter snap 打破 打碎 弄坏
摔坏 断 | burn scorch 烧 烧焦 糊 | open unlock turn_on switch_on 打开 开 开启 | close shut lock
turn_off switch_off shut_off 关 关闭 关上 合上 | raise lift jack jack_up hoist 抬 举 抬起 升起
举起 | lower let_down bring_down set_down 放下 降下 降低 | increase raise_amount grow_in rise
climb_in 增加 提高 上升 上涨 增长 | reduce decrease cut_back lower_amount curtail scale_back 减少
削减 降低 下降 下跌 缩减 降级 | ride take_bus take_train board 乘 坐 乘坐 搭乘 搭 | vaccinate
vaccination shot inoculate 打 接种 注射 | inflate pump_up pump blow_up 打气 充气 |
remove_duplicate | leave_to_stand stand stay rest sit 静置 放置 停留 | pour_away tip_out tip
discard throw_away drain 倒掉 倒去 | look_in_on call_on visit_relative 探望 看望 探视 | elect
appoint 被选为 当选 选为 被任命 | circle round 环 绕 | insert put_in push_in fit attach fix_to
stick glue mount install fasten 装 安装 插 贴 固定 粘 安上 | remove take_off take_away pull_off
detach undo unscrew strip withdraw 取下 拆 拆下 卸 卸下 去掉 移除 取出 | add mix stir blend 加
加入 搅拌 混合 拌 | pour 倒 浇 注入 | heat warm melt 加热 烧热 融化 熔化 | cool chill 冷却 晾凉 |
dry 晾 晒 晾干 晒干 | soak steep 浸 泡 浸泡 | boil simmer 煮沸 烧开 | cut chop slice 切 砍 锯 裁 |
press squeeze push 按 压 挤 推 | pull drag draw_out 拉 拖 拔 | tighten do_up screw 拧紧 拧 上紧 |
loosen slacken release_nut 松 松开 拧松 | turn rotate twist 转 旋转 转动 | fill fill_in
complete_form fill_out 填 填写 装满 | empty drain run_out 倒空 排空 排干 | cover wrap 盖 包 裹
覆盖 | carry bring take_along fetch 带 搬 拿 带来 携带 拎 | hang 挂 | fold 折 叠 | count number 数
清点 | measure weigh 量 测量 称 | calculate compute 计算 | save store keep put_away 保存 存 储存
存放 保留 | delete erase drop_user 删除 抹去 | copy duplicate 复制 抄 | print 打印 印 | switch
move_over roll_over 切换 | watch_over monitor observe 观察 监控 | gather collect get_together
put_together 收集 搜集 采集 采摘 摘 | pick harvest 采 摘 采摘 收割 | feed 喂 喂养 | walk_dog 遛狗
| accompany escort take_along 陪 陪同 带着 伴 | care look_after nurse tend 照顾 照料 看护 |
volunteer_at | adopt 领养 收养 | invest fund finance backing 投资 注资 融资 | acquire_company
takeover purchase acquisition buy 收购 并购 购并 | list go_public 上市 | merge 合并 | win_prize
award 获奖 | lose_weight | pass_exam 通过 | fail 失败 不及格 未能 没能
"""
RELATIONS = """
consult consultation confer hold_consultations 磋商 商谈 会商 协商 咨询 | negotiate negotiation
bargain come_to_table negotiating talks 谈判 会谈 洽谈 | meet met meeting 会面 会见 会晤 见面 |
telephone phone call 通电话 通话 致电 | visit trip travel 访问 到访 出访 来访 造访 回访 走访 往访
| host receive welcome guest 接待 招待 迎接 款待 东道主 迎来 | state statement declare announce
remark comment speak 声明 发表 表态 评论 宣布 讲话 | optimistic optimism upbeat hopeful positive
乐观 | pessimistic pessimism gloomy negative 悲观 | praise endorse commend laud approval
compliment support 赞扬 称赞 表扬 赞赏 赞许 肯定 支持 | criticize criticise denounce condemn
criticism rebuke critical critically 批评 谴责 抨击 斥责 指责 | accuse accusation allege blame
charge allegation 指控 指责 控告 控诉 指摘 | threaten threat warn warning ultimatum 威胁 警告 恐吓
扬言 | demand insist 要求 勒令 | request appeal urge plea call_on ask petition 请求 呼吁 恳求 吁请
请 | intend intent intention willing willingness ready readiness wish hope prepared want aim offer
plan open_to interested signal 愿意 愿 希望 打算 意向 有意 意愿 意图 拟 准备 | cooperate
cooperation collaborate collaboration work_together 合作 协作 | aid assistance help relief 援助
救济 资助 支援 | sign agreement accord treaty pact deal contract 签署 签订 协议 条约 协定 | reject
refuse turn_down spurn decline rejection 拒绝 回绝 驳回 婉拒 否决 | accept agree consent approve
接受 同意 答应 应允 | deny denial disclaim 否认 不承认 | admit acknowledge concede_fault 承认 认错
| apologize apology sorry 道歉 致歉 赔罪 | forgive pardon 原谅 赦免 | protest demonstrate rally
march 抗议 示威 游行 集会 | riot 骚乱 暴动 | sanction embargo boycott 制裁 禁运 抵制 | ease lift
relax 放宽 解除 放松 | reduce cut curtail decrease 减少 削减 缩减 降低 | break sever cut_off
rupture 断绝 中断 断交 | expel deport 驱逐 遣返 | arrest detain imprison detention charge 逮捕
拘留 扣押 拘捕 | release free hand_over return_person 释放 放还 | fight clash battle attack combat
force 战斗 交战 袭击 攻击 开火 武力 打击 | bomb explode bombing 爆炸 轰炸 | kill assassinate
murder 杀 杀害 暗杀 刺杀 | abduct kidnap hijack hostage 绑架 劫持 扣为人质 | occupy
seize_territory 占领 侵占 | confiscate seize 没收 查封 | investigate probe inquiry 调查 侦查 |
mediate mediation 调解 斡旋 调停 | yield concede give_in back_down 让步 屈服 妥协 退让 | retreat
surrender withdraw_troops 撤退 投降 撤军 | mobilize mobilise 动员 调动 集结 | recall call_back
召回 | veto 否决 | sue lawsuit court 起诉 诉讼 | recognize recognition 承认 | share
exchange_information 分享 共享 | empathy empathetic sympathy condolence sympathetic 同情 慰问 |
coerce 胁迫 强制 | torture 酷刑 折磨 | veto 否决 | spy espionage 间谍 | calm restraint 克制
"""
QUALITIES = """
early | late | first initial 首先 第一 最先 | last final 最后 末 | next second 其次 | new
brand-new 新 崭新 | old used second-hand worn 旧 老 二手 陈旧 | big large huge 大 巨大 | small
little tiny 小 微小 | long 长 | short brief 短 简短 | tall high 高 | low 低 | hot warm muggy 热
炎热 闷热 温暖 | cold chilly cool 冷 寒冷 凉 | fast quick quickly 快 迅速 | slow slowly
without_haste 慢 缓慢 | easy simple 容易 简单 | difficult hard complex complicated 难 困难 复杂 |
happy glad delighted cheerful joyful pleasant 高兴 开心 快乐 愉快 愉悦 心情好 | sad unhappy 难过
伤心 悲伤 | tired exhausted weary 累 疲惫 疲倦 劳累 | refreshed energetic great spirited 神清气爽
精神 精力充沛 精神好 精神饱满 | busy hectic 忙 忙碌 | interesting fascinating intriguing fun 有趣
有意思 | boring dull 无聊 乏味 | beautiful pretty lovely scenic gorgeous 美 漂亮 美丽 优美 |
delicious tasty 好吃 美味 可口 | salty 咸 偏咸 | sweet 甜 | spicy 辣 | sour 酸 | bitter 苦 | level
flat even 平 平坦 | firm solid hard 坚实 牢固 结实 | upright straight vertical 直 笔直 竖直 |
written in_writing writing paper 书面 | online web internet 网上 在线 线上 | crosswise criss-cross
diagonal diagonally 交叉 对角 | one_by_one one_at_a_time one_after_another instance_by_instance
逐个 一个个 逐一 | simultaneous simultaneously at_once all_together 同时 一起 | alone 独自 一个人
| together along_with jointly 一起 一同 共同 | back home | again once_more another 再次 又 再 |
deep-sea deep_sea deep 深海 | famous well-known 著名 有名 | free 免费 | cheap 便宜 | expensive 贵
昂贵
"""
