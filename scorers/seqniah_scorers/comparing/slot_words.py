"""Kinds of words of which, in one place of a sentence, the one is never the other.

A line is a kind; groups between bars exclude each other, words of a group mean the same.
"""

KINDS_ZH = """
北京 | 上海 | 天津 | 重庆 | 深圳 | 广州 | 杭州 | 南京 | 苏州 | 成都 | 武汉 | 西安 | 青岛 | 厦门
 | 长沙 | 香港 | 澳门 | 台北 | 大连 | 沈阳 | 哈尔滨 | 长春 | 济南 | 郑州 | 合肥 | 南昌 | 福州
 | 昆明 | 贵阳 | 南宁 | 海口 | 三亚 | 兰州 | 西宁 | 银川 | 太原 | 石家庄 | 呼和浩特 | 乌鲁木齐
 | 拉萨 | 宁波 | 无锡 | 常州 | 扬州 | 温州 | 绍兴 | 嘉兴 | 金华 | 珠海 | 东莞 | 佛山 | 中山
 | 惠州 | 桂林 | 大理 | 丽江 | 洛阳 | 开封 | 烟台 | 威海 | 泉州 | 徐州 | 南通 | 唐山 | 保定
 | 宜昌 | 黄山 | 景德镇 | 东京 | 大阪 | 京都 | 首尔 | 曼谷 | 新加坡 | 纽约 | 伦敦 | 巴黎 | 柏林
 | 罗马 | 纳斯达克 | 岳阳 | 荆州 | 沧州
日本 | 泰国 | 法国 | 德国 | 越南 | 韩国 南韩 | 朝鲜 北朝鲜 | 俄罗斯 俄国 | 印度 | 巴西
 | 哈萨克斯坦 | 柬埔寨 | 菲律宾 | 印度尼西亚 印尼 | 马来西亚 | 缅甸 | 老挝 | 中国 | 美国 | 英国
 | 意大利 | 西班牙 | 葡萄牙 | 荷兰 | 比利时 | 瑞士 | 瑞典 | 挪威 | 丹麦 | 芬兰 | 波兰 | 捷克
 | 匈牙利 | 奥地利 | 希腊 | 土耳其 | 伊朗 | 伊拉克 | 以色列 | 巴勒斯坦 | 埃及 | 叙利亚 | 黎巴嫩
 | 约旦 | 沙特阿拉伯 沙特 | 也门 | 阿富汗 | 巴基斯坦 | 孟加拉国 | 斯里兰卡 | 尼泊尔 | 蒙古
 | 乌克兰 | 白俄罗斯 | 格鲁吉亚 | 亚美尼亚 | 阿塞拜疆 | 乌兹别克斯坦 | 吉尔吉斯斯坦 | 塔吉克斯坦
 | 土库曼斯坦 | 肯尼亚 | 尼日利亚 | 南非 | 埃塞俄比亚 | 苏丹 | 利比亚 | 突尼斯 | 阿尔及利亚
 | 摩洛哥 | 加纳 | 赞比亚 | 津巴布韦 | 坦桑尼亚 | 乌干达 | 卢旺达 | 安哥拉 | 加拿大 | 墨西哥
 | 古巴 | 哥伦比亚 | 委内瑞拉 | 秘鲁 | 智利 | 阿根廷 | 玻利维亚 | 厄瓜多尔 | 巴拉圭 | 乌拉圭
 | 澳大利亚 澳洲 | 新西兰 | 塞尔维亚 | 克罗地亚 | 罗马尼亚 | 保加利亚
法语 法文 | 英语 英文 | 日语 日文 | 韩语 | 德语 | 俄语 | 西班牙语 | 意大利语 | 葡萄牙语
 | 阿拉伯语 | 粤语
油画 | 水彩 | 国画 | 书法 | 陶艺 | 剪纸 | 素描 | 版画 | 水墨 | 刺绣 | 漆器 | 木雕 | 摄影 | 篆刻
篮球 | 足球 | 羽毛球 | 乒乓球 | 网球 | 排球 | 台球 桌球 | 保龄球 | 高尔夫 | 棒球 | 游泳 | 瑜伽
 | 滑雪 | 滑冰 溜冰 | 太极拳 太极 | 攀岩 | 击剑 | 拳击 | 射箭 | 跳绳 | 普拉提 | 围棋 | 象棋
钢琴 | 吉他 | 小提琴 | 大提琴 | 古筝 | 古琴 | 二胡 | 琵琶 | 笛子 | 架子鼓 | 口琴 | 尤克里里
 | 萨克斯 | 葫芦丝
手机 | 电脑 | 平板 | 相机 | 自行车 单车 | 电动车 | 摩托车 | 手表 | 冰箱 | 空调 | 洗衣机
 | 电视机 电视 | 打印机 | 书架 | 衣柜 | 沙发 | 台灯 | 烤箱 | 微波炉 | 电饭煲 | 吸尘器 | 耳机
 | 音箱 | 雨伞 | 钱包 | 钥匙 | 眼镜
同事 | 邻居 | 同学 | 老师 | 客户 | 室友 | 房东 | 闺蜜 | 师傅 | 教练 | 医生
总经理 | 副总经理 | 董事长 | 财务总监 | 首席执行官 | 首席技术官 | 首席财务官 | 监事 | 秘书长
参加 参与 出席 | 举办 主办 承办 筹办 | 取消 | 错过 缺席 | 主持
办理 申办 | 注销 | 挂失
母亲节 | 父亲节 | 教师节 | 儿童节 | 妇女节 | 劳动节 | 国庆节 国庆 | 中秋节 中秋 | 端午节 端午
 | 元宵节 元宵 | 重阳节 | 清明节 清明 | 春节 | 七夕 | 元旦 | 圣诞节 | 情人节 | 万圣节 | 冬至
 | 腊八节
早餐 早饭 | 午餐 午饭 中饭 | 晚餐 晚饭 | 夜宵 宵夜 | 下午茶
春天 春季 | 夏天 夏季 | 秋天 秋季 | 冬天 冬季
红色 | 蓝色 | 绿色 | 黄色 | 白色 | 黑色 | 紫色 | 粉色 | 灰色 | 棕色 | 橙色
父亲 爸爸 | 母亲 妈妈 | 姐姐 | 弟弟 | 妹妹 | 哥哥 | 妻子 | 丈夫 | 奶奶 | 爷爷 | 外婆 姥姥
 | 外公 姥爷 | 表弟 | 表妹 | 表哥 | 表姐 | 堂弟 | 堂妹 | 舅舅 | 姑姑 | 叔叔 | 阿姨 | 女儿 | 儿子
 | 侄子 | 侄女
牛肉面 | 饺子 | 馄饨 | 火锅 | 粽子 | 月饼 | 蛋糕 | 饼干 | 面包 | 汤圆 | 红烧肉 | 包子 | 烤鸭
 | 寿司 | 披萨 | 米线 | 拉面 | 麻辣烫 | 春卷 | 馒头
苹果 | 葡萄 | 草莓 | 樱桃 | 橘子 | 西瓜 | 桃子 | 荔枝 | 蓝莓 | 蔓越莓 | 香蕉 | 柠檬 | 芒果
 | 菠萝 | 梨子 | 杨梅
小猫 | 小狗 | 兔子 | 仓鼠 | 鹦鹉 | 金鱼 | 乌龟
绿萝 | 月季 | 玫瑰 | 多肉 | 茉莉 | 兰花 | 菊花 | 仙人掌 | 牡丹 | 向日葵 | 百合 | 郁金香 | 栀子花
 | 吊兰
图书馆 | 博物馆 | 美术馆 | 电影院 | 体育馆 | 超市 | 医院 | 银行 | 公园 | 邮局 | 书店 | 花店
 | 动物园 | 植物园 | 游泳馆 | 健身房 | 咖啡馆 | 菜市场 | 理发店 | 派出所
"""
KINDS_EN = """
thailand | cambodia | brazil | bolivia | japan | france | germany | vietnam | kenya | iran
 | iraq | china | india | russia | ukraine | poland | italy | spain | portugal | greece | turkey
 | egypt | israel | syria | lebanon | jordan | yemen | pakistan | afghanistan | nepal | mongolia
 | nigeria | ghana | zambia | zimbabwe | uganda | rwanda | ethiopia | sudan | libya | morocco
 | tunisia | algeria | canada | mexico | cuba | colombia | venezuela | peru | chile | argentina
 | ecuador | paraguay | uruguay | australia | indonesia | malaysia | singapore | philippines
 | laos | myanmar | sweden | norway | denmark | finland | hungary | austria | belgium
 | netherlands | switzerland | serbia | croatia | romania | bulgaria | georgia | armenia
 | azerbaijan | kazakhstan | uzbekistan | kyrgyzstan | tajikistan | turkmenistan
london | paris | berlin | madrid | rome | vienna | prague | lisbon | boston | chicago | dublin
 | oslo | tokyo | seoul | beijing | shanghai | sydney | toronto | munich | hamburg | milan
 | naples | barcelona | amsterdam | brussels | copenhagen | stockholm | helsinki | athens
 | budapest | warsaw | edinburgh | glasgow | manchester | liverpool | leeds | bristol | oxford
 | cambridge | york
attended went_to | organised organized hosted | cancelled canceled | skipped missed
 | taught gave led | sang_at performed_at spoke_at sang_in
january | february | april | june | july | august | september | october | november | december
"""
"""Other English words of a kind are in the tables of `concepts` and `alike`."""
