"""Things, people and places: words of one meaning, in English and Chinese.

In `KINDS` all groups between two semicolons are of one kind, so that none is another: who drank
coffee did not drink tea. In `OPPOSITES` the same holds for what is done and how. In `THINGS` the
groups stand for themselves.
"""

KINDS = """
dawn daybreak sunrise early_morning 凌晨 黎明 拂晓 | morning early_morning 早上 早晨 清晨 上午
今早 今晨 一早 早 | noon midday noontime 中午 正午 | afternoon 下午 午后 | dusk twilight
early_evening 傍晚 黄昏 | evening night nighttime tonight 晚上 晚间 夜晚 夜里 晚 当晚 今晚 夜间
入夜 深夜 傍晚 夜 | midnight 午夜 半夜 深夜; monday 周一 星期一 | tuesday 周二 星期二 | wednesday
周三 星期三 | thursday 周四 星期四 | friday 周五 星期五 | saturday 周六 星期六 | sunday 周日
星期日 星期天 周天; spring 春天 春季 | summer 夏天 夏季 | autumn fall 秋天 秋季 | winter 冬天
冬季; north northern 北 北部 | south southern 南 南部 | east eastern 东 东部 | west western 西
西部; red crimson scarlet 红色 红 | blue navy 蓝色 蓝 | green 绿色 绿 | yellow 黄色 黄 | black
黑色 黑 | white 白色 白 | orange_colour 橙色 | purple violet 紫色 紫 | pink 粉色 粉红 | brown 棕色
褐色 | gray grey 灰色 灰; mother mom mum mama 母亲 妈妈 老妈 妈 | father dad papa 父亲 爸爸 老爸
父子 父女 爸 | elder_sister sister 姐姐 姐妹 | younger_sister sister 妹妹 姐妹 | elder_brother
brother 哥哥 兄弟 | younger_brother brother 弟弟 兄弟 | son 儿子 父子 母子 | daughter 女儿 父女
母女 | husband 丈夫 老公 | wife 妻子 老婆 | grandmother grandma granny 祖母 奶奶 | grandfather
grandpa granddad 祖父 爷爷 | grandmother grandma granny 外祖母 外婆 姥姥 | grandfather grandpa
granddad 外祖父 外公 姥爷 | uncle 叔叔 舅舅 伯父 伯伯 姑父 姨父 | aunt auntie 阿姨 姑姑 姨妈 舅妈
婶婶 | cousin 表哥 表弟 表姐 表妹 堂哥 堂弟 堂姐 堂妹 | nephew 侄子 外甥 | niece 侄女 外甥女 |
friend buddy pal 朋友 好友 友人 | colleague coworker co-worker workmate 同事 | neighbor neighbour
邻居 街坊 | roommate flatmate housemate 室友 舍友 | classmate schoolmate 同学 | boss manager
supervisor 老板 经理 上司 | stranger 陌生人 | grandparents grandparent 祖父母 外祖父母 | parents
parent 父母 爸妈 双亲 | child children kid 孩子 小孩 | teacher tutor instructor 老师 教师 |
student pupil 学生 | doctor physician 医生 大夫 | nurse 护士 | dentist 牙医 | lawyer attorney 律师
| judge 法官 | plumber 水管工 | electrician 电工 | barber hairdresser 理发师 | vet veterinarian
兽医 | optician 眼镜店 | tailor 裁缝; breakfast 早餐 早饭 | lunch 午餐 午饭 中饭 | dinner supper
晚餐 晚饭 | brunch 早午餐; football soccer 足球 | basketball 篮球 | volleyball 排球 | badminton
羽毛球 | tennis 网球 | table_tennis ping-pong 乒乓球 | golf 高尔夫 | baseball 棒球 | cricket 板球
| rugby 橄榄球 | hockey 冰球 曲棍球 | chess 国际象棋 象棋 | go_game 围棋 | bowling 保龄球 |
billiards pool_game 台球 | yoga 瑜伽 | tai_chi 太极拳 太极 | boxing 拳击 | ski skiing 滑雪 | skate
skating 滑冰 溜冰 | surf surfing 冲浪 | poker cards 扑克 | mahjong 麻将; breaststroke 蛙泳 |
freestyle crawl 自由泳 | backstroke 仰泳 | butterfly_stroke 蝶泳; guitar 吉他 | piano 钢琴 |
violin 小提琴 | cello 大提琴 | flute 长笛 | drum drums 鼓 架子鼓 | saxophone 萨克斯 | trumpet 小号
| harp 竖琴 | erhu 二胡 | guzheng 古筝 | ukulele 尤克里里 | harmonica 口琴 | pipa 琵琶; jazz 爵士
| rock_music 摇滚 | classical 古典 | pop 流行 | folk 民谣 | opera 歌剧 | hip-hop rap 嘻哈 说唱;
coffee espresso latte 咖啡 | tea 茶 | beer 啤酒 | wine 葡萄酒 红酒 | milk 牛奶 | juice 果汁 |
cocoa 可可; pizza 披萨 比萨 | pasta spaghetti 意面 意大利面 | sushi 寿司 | curry 咖喱 | burger
hamburger 汉堡 | noodle noodles 面条 拉面 面馆 | dumpling dumplings 饺子 | hotpot 火锅 | barbecue
bbq 烧烤 烤肉 | steak 牛排 | salad 沙拉 | soup 汤 | sandwich 三明治 | taco 玉米卷 | congee
porridge 粥 | risotto 烩饭 | stew 炖菜 | paella 海鲜饭 | pancake pancakes 煎饼 薄饼 | omelette
omelet 蛋卷 | spare_ribs ribs 排骨 | fried_rice 炒饭; cake 蛋糕 | bread loaf 面包 | cookie cookies
biscuit 饼干 曲奇 | pie 馅饼 派 | muffin muffins 松饼 | chocolate 巧克力 | ice_cream 冰淇淋 冰激凌
| jam 果酱 | honey 蜂蜜 | cheese 奶酪; apple 苹果 | pear 梨 | banana 香蕉 | orange 橙子 橘子 |
grape grapes 葡萄 | strawberry 草莓 | cherry 樱桃 | lemon 柠檬 | peach 桃子 | mango 芒果 |
watermelon 西瓜 | plum 李子 | blueberry 蓝莓; tomato 西红柿 番茄 | potato 土豆 马铃薯 | carrot
胡萝卜 | onion 洋葱 | cucumber 黄瓜 | pepper 辣椒 | cabbage 白菜 卷心菜 | pumpkin 南瓜 | bean
beans 豆 豆子 | mushroom 蘑菇 | garlic 大蒜 | lettuce 生菜 | eggplant aubergine 茄子; rose 玫瑰 |
tulip 郁金香 | lily 百合 百合花 | orchid 兰花 | sunflower 向日葵 | daisy 雏菊 | lavender 薰衣草 |
peony 牡丹 | cactus 仙人掌 | chrysanthemum 菊花 | ficus 榕树 | ivy 常春藤 | fern 蕨 | basil 罗勒 |
mint 薄荷 | rosemary 迷迭香; dog puppy 狗 小狗 | cat kitten 猫 小猫 | rabbit bunny 兔子 | hamster
仓鼠 | horse pony 马 | cow 奶牛 | sheep lamb 绵羊 羊 | pig 猪 | duck 鸭 鸭子 | goose 鹅 | chicken
hen 鸡 | parrot 鹦鹉 | turtle tortoise 乌龟 | goldfish 金鱼 | bee bees beekeeping 蜜蜂 | butterfly
蝴蝶 | ant ants 蚂蚁 | spider 蜘蛛 | whale whales 鲸 鲸鱼 | dolphin 海豚 | shark 鲨鱼 | panda 熊猫
大熊猫 | tiger 老虎 | lion 狮子 | elephant 大象 | monkey 猴子 | penguin penguins 企鹅 | owl 猫头鹰
| wolf 狼 | fox 狐狸 | bear 熊 | dinosaur 恐龙 | snake 蛇 | frog 青蛙 | squirrel 松鼠 | hedgehog
刺猬 | deer 鹿 | swan 天鹅 | pigeon 鸽子; mathematics math maths 数学 | physics 物理 | chemistry
化学 | biology 生物学 生物 | history historical 历史 | geography 地理 | philosophy 哲学 |
psychology 心理学 | economics 经济学 | astronomy 天文学 天文 | geology 地质学 | botany 植物学 |
zoology 动物学 | archaeology 考古学 考古 | literature 文学 | law 法律 法学 | medicine 医学 |
programming coding software 编程 软件 | poetry 诗歌 诗 | sociology 社会学 | linguistics 语言学;
english 英语 | french 法语 | german 德语 | spanish 西班牙语 | italian 意大利语 | japanese 日语 |
korean 韩语 | russian 俄语 | portuguese 葡萄牙语 | chinese mandarin 汉语 中文 | arabic 阿拉伯语 |
latin 拉丁语 | greek 希腊语 | dutch 荷兰语 | swedish 瑞典语; museum 博物馆 | library 图书馆 | gym
fitness_center fitness_centre 健身房 | park 公园 | cinema movie_theater movie_theatre 电影院 影院
| theater theatre 剧院 剧场 | church chapel 教堂 | temple 寺庙 庙 | hospital clinic 医院 诊所 |
school 学校 | university college campus 大学 | office 办公室 | supermarket grocery_store 超市 |
market bazaar fair 市场 集市 | bookstore bookshop 书店 | restaurant bistro eatery 餐厅 餐馆 饭店 |
cafe coffeehouse coffee_shop 咖啡馆 咖啡厅 | bakery 面包店 | bank 银行 | zoo 动物园 | aquarium
水族馆 | botanical_garden 植物园 | beach seaside seashore 海滩 海边 沙滩 | lake 湖 | river 河 江 |
mountain hill 山 | forest woods 森林 树林 | island 岛 | desert 沙漠 | airport 机场 | harbor
harbour port 港口 | post_office 邮局 | hotel 酒店 宾馆 旅馆 | pharmacy drugstore 药店 | town_hall
city_hall 市政厅 | stadium 体育场 | gallery art_gallery 美术馆 画廊 | pool swimming_pool 游泳馆
游泳池 泳池 | playground 操场 游乐场 | farm 农场 | factory 工厂 | canal 运河 | castle 城堡 | pub
酒吧 | department_store mall 商场 百货 百货公司 购物中心 | flower_shop florist 花店 | planetarium
天文馆 | community_center community_centre 社区中心 | science_museum 科技馆; kitchen 厨房 |
bedroom 卧室 | bathroom 浴室 卫生间 | living_room lounge 客厅 | garage 车库 | balcony 阳台 | attic
loft 阁楼 | basement cellar 地下室 | study_room 书房 | garden yard backyard 花园 院子 庭院 |
hallway corridor 走廊; car automobile 汽车 轿车 | bicycle bike cycle cycling 自行车 单车 脚踏车 |
bus coach 公交 公共汽车 巴士 | train railway 火车 | subway metro underground 地铁 | plane airplane
飞机 | boat ship ferry 船 轮船 | taxi cab 出租车 | motorcycle motorbike 摩托车 | tram 电车 | truck
lorry 卡车 货车 | scooter 滑板车 | kayak canoe 皮划艇 独木舟; novel fiction 小说 | poem 诗 |
magazine 杂志 | newspaper 报纸 | comic manga 漫画 | biography memoir 传记 | textbook 教材 课本 |
diary journal 日记 | letter 信 书信 | postcard 明信片 | essay 散文 | article 文章; film movie 电影
影片 | documentary 纪录片 | concert gig 音乐会 演唱会 | play_drama drama stage_play 话剧 戏剧 |
musical 音乐剧 | exhibition exhibit 展览 展 | match game_match 比赛 | opera_show | podcast 播客 |
series tv_series 电视剧 连续剧 | circus 马戏 | ballet 芭蕾; lecture talk seminar 讲座 | workshop
工作坊 研讨班 研习班 | conference summit 大会 峰会 | rehearsal 排练 | exam examination test_exam
考试 | wedding 婚礼 | funeral 葬礼 | birthday 生日 | graduation 毕业 | drill 演练 | interview 面试
采访 | picnic 野餐; science_fiction sci-fi 科幻 | horror 恐怖 | comedy 喜剧 | romance romantic
爱情 | thriller suspense 惊悚 悬疑 | fantasy 奇幻 | detective crime 侦探 推理 | animated animation
动画; rain rainy 雨 下雨 | snow snowy 雪 下雪 | sun sunny 晴 | wind windy 风 | fog foggy 雾 |
storm thunderstorm 暴风雨 雷雨; coat jacket 外套 大衣 夹克 | shirt blouse 衬衫 | dress gown 连衣裙
裙子 | skirt 短裙 | trousers pants jeans 裤子 牛仔裤 | shoe shoes boots sneakers 鞋 鞋子 靴子 |
hat cap 帽子 | scarf shawl 围巾 | glove gloves mittens 手套 | sock socks 袜子 | sweater jumper
pullover 毛衣 | suit 西装 | belt 腰带 | umbrella 雨伞 伞 | backpack rucksack 背包 | watch_clock
wristwatch 手表 | ring_jewel 戒指 | necklace 项链 | glasses spectacles 眼镜 | wallet purse 钱包 |
suitcase luggage 行李箱; table desk 桌子 书桌 | chair armchair 椅子 | sofa couch 沙发 | bed 床 |
shelf bookshelf bookcase 书架 架子 | wardrobe closet 衣柜 | lamp lantern 灯 台灯 | mirror 镜子 |
clock 钟 | curtain curtains 窗帘 | carpet rug 地毯 | stove oven 炉子 烤箱 | fridge refrigerator
冰箱 | washing_machine 洗衣机 | tap faucet 水龙头 | radio 收音机 | television tv 电视 | computer
laptop 电脑 计算机 | camera 相机 照相机 | printer 打印机 | vase 花瓶 | toaster 烤面包机 | kettle
水壶 | fence 篱笆 栅栏 | window 窗户 窗 | roof 屋顶 | door 门 | wall 墙; military armed 军事 武装
| economic financial 经济 | humanitarian 人道主义 人道 | diplomatic 外交 | judicial legal 司法 |
cultural 文化 | political 政治; dollar usd dollars 美元 | euro eur euros 欧元 | yuan rmb renminbi
cny 人民币 元 | yen jpy 日元 | pound gbp pounds 英镑 | hkd 港元 港币; angel_round angel 天使轮
天使 | seed_round seed 种子轮 | pre-a 前a | strategic_round 战略投资轮; kilometre kilometer km
kilometers kilometres 公里 千米 | mile miles 英里 | metre meter 米 | centimetre centimeter cm 厘米
| millimetre millimeter mm millimeters millimetres 毫米
"""
OPPOSITES = """
optimistic optimism upbeat 乐观 | pessimistic pessimism gloomy 悲观; win won 赢 获胜 取胜 | lose
lost beaten 输 输掉 落败; buy purchase acquire 买 购买 收购 并购 | sell sold 卖 出售 卖掉; borrow
check_out 借 借阅 | return take_back bring_back 归还 还掉 还; top upper 顶部 上面 | bottom lower
base 底部 下面; clockwise 顺时针 | anticlockwise counterclockwise 逆时针; inside inner 里面 |
outside outer 外面; seller vendor 卖方 卖家 | buyer purchaser 买方 买家; indoor inside 室内 |
outdoor outdoors outside 室外 户外; increase 增加 提高 | reduce decrease 减少 降低; upstairs 楼上
| downstairs 楼下; open turn_on switch_on unlock 打开 开启 | close shut turn_off switch_off 关闭
关上; accept agree 接受 同意 答应 | reject refuse turn_down deny decline 拒绝 回绝 否认; start
begin commence launch initiate set_out kick_off 开始 启动 着手 | finish complete conclude
completion 完成 结束 | cancel call_off 取消 终止; praise endorse 赞扬 称赞 表扬 | criticize
criticise denounce condemn 批评 谴责 | apologize 道歉 致歉; arrest detain 逮捕 拘留 | release free
释放; impose 实施 施加 | lift ease 解除 放宽; deny 否认 | admit acknowledge 承认; teach instruct
教 教授 | learn study 学习 学; tighten 拧紧 | loosen slacken 松开 拧松; one_by_one one_at_a_time
one_after_another 逐个 逐一 | simultaneously at_once all_together 同时; preside chair 主持 |
attend join participate 参加 出席; give_talk give_speech give_lecture give_a_talk deliver | listen
hear listen_to; day_before 前一天 | day_after next_day 后一天 第二天 次日; raise lift 升起 抬起
举起 | lower let_down 放下 降下; crosswise criss-cross diagonally 交叉 | circle clockwise; success
succeed 成功 | fail failure 失败 未能; catch 赶上 | miss 错过; profit 盈利 | loss 亏损; male 男 |
female 女; give present gift hand_over 送 赠送 送给 赠 | receive get obtain got given 收到 收 获赠
接到; sell sold 出售 卖 减持 转让 | buy purchase acquire 买 购买 增持 收购; enter join 加入 |
leave quit withdraw 退出 撤回; submit file 提交 递交 | withdraw retract 撤回 收回; plant 种 栽 |
harvest pick 采摘 收割; find found 找到 | lose lost 丢 丢失 弄丢; start begin begun began 开始读 |
finish finished 读完 看完 写完; add 加入 添加 | remove take_out 取出 去掉; empty 空 | full 满; wet
damp moist 湿 | dry dull 干; once 一次 | twice 两次; increase 增加 | decrease 减少; arrive 到达
抵达 | depart leave 离开 出发; land 降落 | take_off 起飞; borrow 借 借入 | lend 借给; upgrade 升级
| downgrade 降级; hire employ 录用 聘用 | fire dismiss 解雇 辞退; ally 盟友 | enemy 敌人; before
之前 以前 | after 之后 以后; lend 借出 | borrow 借入; strengthen 加强 | weaken 削弱; expand 扩大 |
shrink 缩小; terminate cancel call_off abandon 终止 取消 放弃 | complete finish conclude close
completion 完成 读完 看完 写完 听完 学完 做完 织完 画完 结束 | start begin commence launch 开始 启动
"""
THINGS = """
wi-fi wifi wireless 无线网络 无线网 无线 | internet web network 网络 互联网 | computer laptop
machine 电脑 | book books 书 书籍 图书 | picture image 图片 | photo photograph snapshot 照片 相片
| painting 油画 | recipe 食谱 菜谱 | meal food dish cuisine 饭菜 食物 菜 料理 | flower flowers
bouquet 花 鲜花 花束 | tree trees 树 | plant plants 植物 | herb herbs 香草 | vegetable vegetables
蔬菜 | fruit 水果 | animal animals 动物 | bird birds birdwatching 鸟 | fish 鱼 | insect 昆虫 | pet
宠物 | shelter 收容所 救助站 | center centre 中心 | club society 俱乐部 社团 会 | course class
classes lesson lessons 课程 课 | meeting 会议 | party gathering 聚会 派对 | festival 节日 节 |
event activity 活动 | trip journey outing excursion 旅行 出游 旅途 | vehicle car automobile 车辆
车 | apartment flat 公寓 | house home 家 房子 家里 | room 房间 | street road 街道 路 街 | town
village 镇 村 | city urban 城市 | station 站 车站 | bridge 桥 | square plaza 广场 | tower 塔 |
store shop 商店 店 | company firm corporation enterprise 公司 企业 单位 | staff employee personnel
worker 员工 职工 | management 管理层 | government authorities administration 政府 | army military
troops 军队 | police 警察 警方 | minister 部长 | president 总统 主席 | parliament 议会 | money
cash sum amount 钱 金额 款 | fee cost costs charge 费用 费 | price 价格 | budget 预算 | tax 税 |
contract agreement lease tenancy 合同 协议 | document documents paper papers paperwork 文件 材料 |
form 表格 表 | copy copies 复印件 副本 | evidence proof 证据 | deadline 期限 | letter mail post 信
邮件 | parcel package 包裹 | gift present 礼物 | ticket 票 | key keys 钥匙 | phone mobile
smartphone 手机 | password 密码 | user account 用户 账户 | right rights privilege privileges
grants 权限 权利 | music song songs 音乐 歌曲 歌 | choir chorus 合唱团 合唱 | band orchestra 乐队
乐团 | stage 舞台 | story tale 故事 | knowledge 知识 | skill skills technique 技巧 技能 | language
语言 | theory 理论 | experiment 实验 | science scientific 科学 | game 游戏 | puzzle jigsaw 拼图 |
toy 玩具 | doll 娃娃 | kite 风筝 | balloon 气球 | fire_safety fire firefighting 消防 | marathon
马拉松 | race 赛跑 | prize award 奖 | ball 球 | water 水 | ice 冰 | fire 火 | air 空气 | sky 天空
| star stars 星星 星空 | moon 月亮 | sea ocean 海 | egg eggs 鸡蛋 | meat 肉 | pork 猪肉 | beef
牛肉 | rice 米饭 米 | oil 油 | salt 盐 | sugar 糖 | butter 黄油 | flour 面粉 | spice 香料 | sauce
酱 | snack 零食 小吃 | dessert 甜点 甜品 | seafood 海鲜 | eye eyes 眼睛 | tooth teeth 牙 牙齿 |
hair haircut 头发 理发 | hand 手 | foot 脚 | back 背 | body 身体 | health 健康 | weight 体重 |
cold_illness flu 感冒 | medicine_drug pills 药 | child kids 孩子 | baby infant 婴儿 | elderly
senior seniors old_people 老人 长者 老年人 | tourist visitor 游客 | guest 客人 | customer 顾客
客户 | landlord 房东 | tenant 租客 | ambassador envoy 大使 | spy espionage 间谍 | representative
official 代表 官员 | equity share shares stake shareholding 股权 股份 | round 轮 轮融资 | investor
investors 投资方 投资人 | financing funding 融资 | industry sector 行业 | product 产品 | project
项目 | plan 计划 | result outcome 结果 | problem issue 问题 | question 问题 | risk 风险 | report
报告 | wheel tyre tire 轮 轮胎 车轮 | nut nuts 螺母 | screw 螺丝 | handbrake parking_brake brake
手刹 | jack 千斤顶 | spanner wrench 扳手 | valve stop_valve isolating_valve 阀门 | plug 塞子 |
washer 垫圈 | wick 灯芯 烛芯 | wax 蜡 | candle 蜡烛 | jar glass pot 罐 杯 | clip 夹子 | drain
drains sink 下水口 水槽 | surface ground spot road 地面 | fragrance scent 香精 | sample 样本 |
blood 血 | vaccine vaccination vaccinate jab shot rabies 疫苗 | permit licence license 许可 许可证
| insurance insurer 保险 | referral 转诊单 转诊 | stamp seal 盖章 章 | date appointment 日期 预约
| secretary 秘书 | specialist expert 专家 专科医生 | patient 患者 病人 | applicant candidate
申请人 候选人 | department 部门 | director head 主任 | order 订单 | supplier vendor 供应商 |
quotation quote offer 报价 | salary pay wage 薪资 工资 | contract_signing | visit_home hometown
家乡 老家 回乡 | qingming 清明 清明节 | new_year 新年 | christmas 圣诞节 圣诞 | spring_festival
春节 | teahouse 茶馆 | zoo_animal | fossil fossils 化石 | mountain_path trail 小路 步道 |
sunset_view | countryside 乡下 乡村 | scenery landscape view 风景 景色 | colleague_lunch |
meditation meditate 冥想 | painting_class | pottery ceramics 陶艺 | calligraphy 书法 | origami
折纸 | embroidery 刺绣 | carpentry woodwork 木工 | gardening 园艺 | photography 摄影 | fishing
fish_trip 钓鱼 | camping camp 露营 | hiking 徒步
"""
