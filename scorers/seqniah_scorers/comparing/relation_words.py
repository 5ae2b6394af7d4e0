"""What one side can do to another, in groups of meaning: the attitude, and what it is about.

Every line is a name with its English and its Chinese patterns. Names joined by a slash stand for
words that can mean either.
"""

ATTITUDES = (
    ("deny", r"den(?:y|ied|ies|ial) (?=.*\b(?:respons|involve|blame|any part))|not responsible|"
     r"no responsibility|not to blame|rejected any blame", "否认|拒不承认|不承认|撇清|推卸责任"),
    ("threaten", r"threat\w*|menac\w+|warn(?:ed|ing|s)?(?! status)",
     "威胁(?!论)|扬言|恐吓|要挟|警告|恫吓"),
    ("refuse",
     r"refus\w*|reject\w*|turn\w* (?:\w+ ){0,4}down|declin\w+|spurn\w*|rebuff\w*|would not|"
     r"denied (?!respons|any resp)(?=.*\b(?:aid|assistance|support|request|access))|said no|"
     r"unwilling",
     "拒绝|不同意|坚持不|不允许|不让|回绝|驳回|婉拒|谢绝|不愿|不肯|拒不|拒收|不接受|不予|遭拒|"
     "碰壁|否决了?.{0,6}(?:提议|请求|要求)"),
    ("protest",
     r"hunger[- ]strik\w*|demonstrat\w*(?! (?:military|police|of (?:force|power)))|riot\w*|"
     r"rall(?:y|ied) (?=against|zz|in)|protest\w* violently|violent protest|"
     r"strike or (?:a )?boycott|on strike|obstruct\w*|block\w* (?:the )?(?:way|passage|road)\w*",
     "绝食|罢工|罢市|示威(?!武力)|游行|集会|骚乱|暴动|暴力抗议|暴力方式抗议|施暴抗议|堵塞|"
     "堵路|拦路|以抵制|堵住"),
    ("accede", r"(?:g[ai]ve?\w* (?:in|way)|yield\w*|conced\w+|bow\w*|"
     r"submitt\w+) to (?=.*(?:demand|request))|acced\w+|won agreement|accommodat\w*|"
     r"met (?:the )?(?:demand|request)|agreed to (?=.*(?:demand|request))",
     "接受.{0,14}(?:要求|诉求)|答应|应.{1,14}(?:要求|请求)|同意.{0,14}(?:要求|诉求|请求)|"
     "满足.{0,10}要求"),
    ("intend", r"intent\w*|intend\w*|willing\w*|ready|readiness|prepared to|plan(?:s|ned|ning) to|"
     r"wish\w*|hop(?:e[sd]?|ing)|aim(?:ed|s) to|want(?:ed|s) to|offer(?:ed|s)?(?= to|"
     r"(?: \w+)* mediation)|open(?:ness)? to|interest(?:ed)? in|signal\w*|pledg\w+|promis\w+|"
     r"vow\w*|favoured|desir\w+|meant to|stance|position on|proposed to|prospect|would be|"
     r"would (?!not)",
     "意向|意图|意愿|立场|愿意|有意|打算|表示愿|愿(?!望)|拟(?!定)|计划|希望|承诺|准备|意欲|"
     "考虑(?=与)|将(?=[在与向对会])"),
    ("demand",
     r"demand\w*|insist\w*|press(?:ed|ing) (?:\w+ ){0,4}(?:for|to)|ordered (?!by|an? |the )",
     "要求|勒令|坚决要求|索要|责令|强烈要求|坚持让|诉求"),
    ("demand/appeal", r"call(?:ed|s|ing)? for", "(?!)"),
    ("appeal",
     r"appeal\w*|request\w*|urg(?:e[sd]?|ing)|ask(?:ed|s|ing)?|call(?:ed|"
     r"s|ing)? (?:up)?on (?=.*\b(?:to|for)\b)|plea(?:d\w*|s)?|petition\w*|implor\w+|begg?\w*|"
     r"sought (?!to win)|invit\w+|turned to (?=.*\bfor (?:help|aid))",
     "呼吁|请求|吁请|敦促|恳求|恳请|寻求|求助|促请|诉请|请(?![教示])|求援"),
    ("lessen", r"reduc\w*|halt\w*(?! to fighting)|stop\w*|cut (?:\w+ )?(?:back|off|down)|"
     r"cut (?:\w+ ){0,3}(?:ties|relations|links|aid|assistance)|broke (?:\w+ )*(?:off|"
     r"relations|ties)|break(?:ing)? (?:\w+ )*(?:off|relations|ties)|sever\w*|suspend\w*|"
     r"end(?:ed|ing) (?!up)|cool\w*|curtail\w*(?! (?:the )?(?:political )?freedoms)|"
     r"downgrad\w+|cessation|scal\w+ back|broken",
     "减少|削减|停止|中止|中断|断绝|降低|降级|缩减|暂停|切断|疏远|终止|平息|降温|冷却|断交|"
     "调低|裁撤"),
    ("lessen",
     r"eas(?:e[sd]?|ing)|relax\w*|lift\w*|loosen\w*|ton\w+ down|de-?escalat\w*|wound back|"
     r"scal\w+ down", "放宽|缓和|减轻|解除|放松|缓解|降低.{0,6}(?:强度|级别)"),
)  # fmt: skip
"""The first that a clause has is its attitude."""

TOPICS = (
    ("rally support",
     r"rall(?:y|ied) support|drumm\w+ up support|canvass\w*|win others over in support",
     "(?:动员|号召|发动).{0,8}支持|争取支持|拉票"),
    ("opposition", r"opposition|win others over for a stand",
     "(?:号召|鼓动|动员|发动).{0,8}反对|为反对|反对(?:力量|声浪|阵营)"),
    ("human rights", r"human[- ]rights?", "人权"),
    ("war crime", r"war crimes?", "战争罪行?|战争犯罪"),
    ("mass killing", r"mass (?:kill\w*|murder\w*|slaughter)|massacr\w+",
     r"大规模(?:杀|屠)\w?|屠杀"),
    ("mass expulsion", r"mass (?:expuls\w+|deport\w+)|en masse", "大规模驱逐|集体驱逐"),
    ("mass violence", r"(?:unconventional )?mass violence", "大规模暴力"),
    ("cleansing", r"ethnic(?:ally)? cleans\w+|cleansing", "种族清洗|族裔清洗"),
    ("mass destruction", r"weapons? of mass destruction|wmds?", "大规模杀伤性?武器"),
    ("chemical", r"(?:chemical|biological|radiological)\b.{0,40}\bweapons?",
     r"(?:化学|生物|放射|生化)\w{0,12}武器"),
    ("nuclear", r"nuclear (?:weapons?|device\w*)|detonat\w+", r"核武器|核爆\w*|核装置"),
    ("de-escalate", r"de-?escalat\w*|scal\w+ down .{0,12}milit\w+|military pressure",
     r"(?:降低|缓和|降级).{0,12}军事\w{0,4}|军事\w{0,4}(?:降级|缓和)|降低.{0,6}对抗"),
    ("attempt", r"attempt\w*", "企图|未遂|试图|图谋"),
    ("power",
     r"show of (?:\w+ or )?(?:military|police|force)\w*|(?:military|police) (?:strength|power)|"
     r"demonstrat\w+ (?:military|police)\w*", "炫耀|展示.{0,4}(?:军|警|武)|秀肌肉|耀武"),
    ("suicide bombing", r"suicide\b.{0,30}\bbomb\w*|suicide attack|non-military bomb\w*",
     r"自杀式?\w{0,4}(?:爆炸|袭击)|非军事\w{0,3}爆炸|自杀式爆炸"),
    ("car bombing", r"car bomb\w*", "汽车炸弹"),
    ("roadside bombing", r"roadside bomb\w*|bomb by the roadside", "路边炸弹|路边爆炸"),
    ("air",
     r"aerial\w*|air (?:strike|raid|attack|power)\w*|airstrike\w*|from the air|bomb(?:ed|ing)\b",
     "空袭|空中(?:武器|打击|力量)|空对地|轰炸"),
    ("artillery", r"artillery|tanks?\b|shell(?:ed|ing|fire)", "炮火|火炮|坦克|炮击|大炮"),
    ("small arms", r"small arms|light weapons|opened fire|gunfire",
     "轻武器|小型武器|枪械|轻型武器"),
    ("assassinate", r"assassinat\w+|attempt on the life", "暗杀|刺杀|行刺"),
    ("abduct", r"abduct\w*|hijack\w*|hostages?(?:-taking)?|kidnap\w*", "绑架|劫持|人质"),
    ("torture", r"tortur\w+", "酷刑|折磨|拷打"),
    ("sexual", r"sexual\w*|rap(?:e|ed)\b", r"性侵\w*|性攻击|性暴力"),
    ("shield", r"human shields?", "人盾|人肉盾牌|盾牌"),
    ("cyber", r"cyber\w*|electronic means|hack\w*", "网络(?:攻击|手段|袭击)|黑客"),
    ("repress", r"repress\w*|crack\w* down|crackdown", "镇压|压制|弹压"),
    ("unconventional", r"unconventional\w*", "非常规"),
    ("conventional",
     r"conventional\w*|military (?:force|action|means|strike)\w*|armed force(?!s)|fought|"
     r"combat|attack\w*",
     r"常规\w{0,2}(?:军事|武力|武装|兵力|部队)\w{0,2}|动武|军事(?:力量|打击|攻击)|武力|交战|"
     r"作战"),
    ("occupy", r"occup\w+", "占领|侵占|占据"),
    ("blockade", r"blockad\w+|restrict\w* (?:the )?movement", "封锁|限制.{0,4}(?:行动|通行|出入)"),
    ("obstruct", r"obstruct\w*|block(?:ed|ing)? (?:the )?(?:passage|way|road)\w*|passage",
     "阻碍.{0,3}通行|堵路|阻断|阻拦|阻塞|堵塞|拦路|通行"),
    ("arrest/lawsuit", r"legal action", "法律行动|起诉"),
    ("arrest",
     r"arrest\w*|detain\w*|detention|charg(?:ed|es) with|criminal charges|legal action|custody",
     "逮捕|拘留|扣押|拘捕|羁押|拘押|收押|抓捕|法律行动"),
    ("expel", r"expel\w*|expuls\w+|deport\w*|thr[eo]w\w* out|sent? (?:\w+ )?(?:home|away)",
     "驱逐|遣返"),
    ("investigate", r"investigat\w*|prob(?:e[sd]?|ing)\b|inquir\w+|look\w* into", "调查|侦查|侦办"),
    ("crime", r"crim(?:e|es|inal)\b|corrupt\w*", "犯罪|腐败|贪腐|贪污|罪行"),
    ("aggression", r"aggress\w+", "侵略"),
    ("spying", r"espionage|spy\w*|treason", "间谍|叛国|刺探"),
    ("lawsuit", r"lawsuit|sued|suit\b|to court", "诉讼|起诉|状告|告上法庭"),
    ("guilty", r"guilt\w*|liab\w+|convict\w*", "有罪|罪名成立|定罪|判.{0,4}(?:罪|责)|法律责任"),
    ("asylum", r"asylum", "庇护"),
    ("recognise", r"recogni[sz]\w+", "外交承认|承认.{0,6}(?:地位|政权|国家)|正式承认"),
    ("veto", r"veto\w*", "否决"),
    ("ceasefire violated",
     r"(?:violat\w+|broke|breach\w*).{0,25}(?:ceasefire|truce)|ceasefire violation\w*",
     "违反.{0,10}停火|破坏.{0,10}停火|违背.{0,10}停火"),
    ("ceasefire", r"cease-?fire|truce", "停火|停战|休战"),
    ("ultimatum", r"ultimatum", "最后通牒"),
    ("alert", r"alert", "戒备|警戒|战备"),
    ("demobilize", r"demobili[sz]\w+|disband\w*|stood down",
     "复员|遣散|裁减.{0,6}(?:军|武装)|解散"),
    ("mobilize",
     r"mobili[sz]\w+|increas\w+ (?:of )?(?:\w+ )?(?:forces|power|troops)|troop build-?up|"
     r"reinforc\w+", "动员|增兵|增派|集结|增强.{0,5}(?:军|警|武装)|增加.{0,6}(?:军|警|武装|兵)"),
    ("police", r"police", "警力|警察|警方|警务"),
    ("peacekeep", r"peace-?keep\w*|military protection|protect\w*", "维和|军事保护|保护"),
    ("inspect", r"inspect\w*|observers?", "视察|核查|检查员|观察员|督察"),
    ("curfew", r"curfew", "宵禁"),
    ("emergency", r"emergency|martial law", "紧急状态|戒严"),
    ("ban", r"\bbans?\b|bann\w+|outlaw\w*", "取缔|禁止.{0,8}(?:政党|政治人物|政治家|参政)|禁令"),
    ("freedoms", r"freedoms?", "政治自由|自由"),
    ("symbolic", r"symbol\w*|gestur\w+", "象征性?"),
    ("responsibility", r"responsib\w+", "责任|负责"),
    ("complain", r"(?:official|formal) (?:complaint|protest)|complain\w*|grievance",
     "投诉|申诉|正式.{0,10}(?:抗议|抱怨|交涉)|抱怨|抗议照会"),
    ("pessimistic", r"(?:not|less than|hardly|far from) (?:\w+ )?(?:optimis|hope)\w*|unoptimis\w*",
     "(?:不|并不|不太|难言)乐观|不看好"),
    ("optimistic", r"optimis\w+|upbeat|hopeful\w*|positive\w*|confidence|confident",
     "乐观|看好|积极评"),
    ("pessimistic", r"pessimis\w+|gloom\w+|bleak\w*|downbeat|negative\w*|little hope",
     "悲观|看淡|看衰|不看好"),
    ("empathetic", r"empath\w+|sympath\w+|condol\w+|compassion\w*|solidarity",
     "同情|慰问|共情|同理|哀悼|感同身受|体谅|体恤|关切之情"),
    ("praise",
     r"prais\w*|endors\w*|commend\w*|laud\w*|applaud\w*|hail\w*|approv(?:al|ed of)(?<!dis)|"
     r"complimen\w+|warm words|spoke (?:highly|well|favou?rably)|backed(?! down)|"
     r"support(?:ed)?(?! (?:\w+ ){0,4}(?:econom|milit|mater|financ|human))(?= for|\b(?! on|"
     r" of))", "赞扬|称许|称赞|赞赏|表扬|赞许|肯定|褒扬|赞誉|力挺|支持|认可|好评|赞同|赞美|夸赞"),
    ("criticise/accuse", r"blam\w+", "指责|责怪|指摘"),
    ("criticise",
     r"critici[sz]\w*|critic\w*|denounc\w*|condemn\w*|censur\w*|rebuk\w*|slam\w*|lambast\w*",
     "批评|谴责|抨击|斥责|非难|痛斥"),
    ("accuse", r"accus\w*|alleg\w*|charged in public", "指控|控告|控诉|归咎"),
    ("apologise", r"apolog\w*|sorry", "道歉|致歉|歉意|赔罪|赔礼"),
    ("forgive", r"forg[ia]v\w+|pardon\w*", "原谅|宽恕|谅解|赦免"),
    ("defend", r"defen[dc]\w*|stood up for|spoke up", "辩护|辩解|声援"),
    ("no comment", r"comment(?=.*\bdeclin)|(?<=to )comment|any comment|comment publicly",
     "不予?置评|置评|评论(?=.*拒)"),
    ("third", r"(?:'?third'?|neutral) (?:location|venue|site|spot|ground|place|country|party)",
     "第三(?:方|地|国)|中立地"),
    ("phone", r"telephon\w*|phon\w*", "电话|通话|致电"),
    ("mediate", r"mediat\w*", "调解|斡旋|调停"),
    ("negotiate/consult/meet", r"talks?\b|discuss\w*|sit down|sat down|held a dialogue|dialogue",
     "会谈|商谈|对话|讨论"),
    ("negotiate", r"negotiat\w*|bargain\w*", "谈判|协商"),
    ("consult", r"consult\w*|confer(?:red|ring|s)?\b|exchang\w+ (?:of )?views|views",
     "磋商|咨询|商讨|会商|交换意见|征询|商议"),
    ("meet", r"\bmet\b(?! with (?:\w+ )?(?:refus|reject))|meet\w*",
     "会面|会晤|会见|见面|碰面|会晤"),
    ("visit",
     r"visit\w*|host(?:ed|ing)|play\w* host|guests?|trip|travel\w*|came to|went to|welcom(?:ed|"
     r"ing)|hospitality", "访问|拜访|到访|来访|造访|出访|回访|接待|迎来|东道主|往访|访客|前往"),
    ("sign/agree", r"agreement|accord|deal", "协议|共识"),
    ("sign", r"sign(?:ed|ing|ature|s)|treaty|pact|conclud\w+|seal(?:ed|ing)",
     "签署|签订|签约|缔结|签下|协议|协定|条约|订立"),
    ("agree", r"agreed with|shared (?:the )?view\w*|of one mind|express\w* accord",
     "看法相同|意见一致|认同|一致意见|达成一致"),
    ("cooperate",
     r"co-?operat\w*|collaborat\w*|work\w* together|join\w* hands|partner\w*|worked with",
     "合作|协作|协同|携手|协助(?!者)|配合"),
    ("relations", r"relations|ties\b|links\b", "关系|往来|邦交|断交"),
    ("aid",
     r"\baid(?:s|ed)?\b|assist\w*|relief|\bhelp\w*|(?:economic|military|material|humanitarian|"
     r"financial)(?:ally)? (?:support|backing)|support\w* (?:\w+ ){0,4}(?:economically|"
     r"militarily|materially|financially)", "援助|救济|资助|支援|帮助|救援|援手|物资"),
    ("sanction", r"sanction\w*|embargo\w*|boycott\w*", "制裁|禁运|抵制"),
    ("administrative", r"administrativ\w*", "行政"),
    ("leadership", r"leader\w*", "领导"),
    ("policy", r"polic(?:y|ies)\b(?! (?:or|support))", "政策(?!支持|上?的?(?:配合|声援))"),
    ("institutions", r"institution\w*|regime", "体制|制度|政权|机构"),
    ("reform", r"reform\w*", "改革"),
    ("rights", r"(?<!human )rights?\b", "(?<!人)权利|权益"),
    ("dispute", r"disput\w*|settl\w+|conflict", "争端|争议|纠纷|分歧|冲突"),
    ("involvement", r"involvement(?! by)|international (?:party|role|presence)|involvement",
     "国际.{0,5}(?:介入|参与)|介入"),
    ("access", r"access", "通道|准入|进入"),
    ("release",
     r"releas\w*|freed|free(?:ing)?\b|let .{1,30}go|sent people back|(?<!in )return(?:ed|ing|"
     r"s)?(?! visit)|gave back|give back", "释放|放人|放还|归还|返还|送还|交还|获释|遣还"),
    ("property", r"propert\w+|assets|belongings", "财产|财物|物品|资产"),
    ("confiscate", r"confiscat\w*|impound\w*|seiz\w+|took .{0,10}property",
     "没收|收缴|查封|扣押.{0,6}财|夺取|强占"),
    ("destroy", r"destr\w+|wreck\w*|demolish\w*|damag\w+|harm(?:ed|ing)",
     "毁坏|摧毁|破坏(?!停火)|损坏|损毁"),
    ("kill", r"kill\w*|beat to death|murder\w*", "杀害|打死|致死|杀死"),
    ("assault", r"assault\w*|beat|manhandl\w+|bodily violence",
     "殴打|人身攻击|人身袭击|打伤|施暴|身体伤害"),
    ("hunger", r"hunger[- ]strik\w*|fast(?:ed|ing)\b", "绝食"),
    ("strike", r"\bstrik(?:e|es|ing)\b|walkout|walked out", "罢工|罢市|罢课"),
    ("riot", r"riot\w*|violent(?:ly)? protest\w*|protest\w* violently", "骚乱|暴动|暴力抗议|暴乱"),
    ("protest/dissent", r"protest\w*", "抗议"),
    ("protest", r"rall(?:y|ied|ies)\b(?! (?:support|opposition))|demonstrat\w*|march\w*",
     "示威|游行|集会"),
    ("dissent", r"dissent\w*", "异见|异议|不满|政治.{0,3}反对"),
    ("retreat", r"retreat\w*|surrender\w*|capitulat\w*|fell back", "撤退|投降|撤军|退却|败退"),
    ("yield", r"yield\w*|g[ai]ve?\w* (?:way|in)|back\w* down|conced\w+|concession\w*",
     "让步|屈服|妥协|退让|服软|示弱"),
    ("coerce", r"coerc\w+", "胁迫|强制|逼迫"),
    ("share", r"shar(?:ed|ing|e) (?=.*(?:intel|inform))|passed .{0,20}(?:intel|inform)|information",
     "分享|共享|互通|情报交换"),
    ("withdraw", r"withdr\w+|pull\w* (?:\w+ )?out", "撤出|撤离|撤走|退出|撤回"),
    ("consider", r"consider\w*|weigh\w*|thought over|ponder\w*", "考虑|斟酌|权衡|研究.{0,6}方案"),
    ("norms", r"norms|def(?:y|ied|iance)|flout\w*", "准则|规范|违法|藐视|蔑视|无视.{0,6}法"),
    ("intelligence", r"intelligence", "情报"),
    ("economic", r"econom\w+|financ\w+|trade\b", "经济|金融|经贸|财政"),
    ("humanitarian", r"humanitarian", "人道(?:主义)?"),
    ("judicial", r"judicial\w*|court\w*|legal (?:matters|cooperation)", "司法"),
    ("diplomatic", r"diploma\w+(?: (?:backing|support))?|policy (?:or diplomatic )?support",
     "外交(?:上?的?(?:支持|声援|配合))?|政策(?:支持|上?的?(?:配合|声援))"),
    ("material", r"materials?\b", "物质|实质|物资"),
    ("military", r"milit\w+|armed|troops|army", "军事|军队|武装|军方|部队"),
    ("say",
     r"statement\w*|comment\w*|remark\w*|spoke|said|declar\w+|announc\w+|stat(?:e|ed|es|ing)\b",
     "声明|谈话|谈及|论及|讲话|发言|评论|表态|宣布|言论|发表"),
)  # fmt: skip
"""What a clause is about; an earlier line wins where two patterns fit at one place."""

SOFT = frozenset(("say", "withdraw", "dispute", "protest", "dissent", "property",
                  "responsibility", "power"))  # fmt: skip
"""Topics that also turn up beside others without changing the fact."""
KINDS = frozenset(("economic", "humanitarian", "judicial", "diplomatic", "material", "military",
                   "intelligence", "police"))  # fmt: skip
"""Of what kind aid, cooperation or force is."""
FEELINGS = frozenset(("optimistic", "pessimistic", "empathetic"))
"""What a mere statement does not tell."""
TALKS = frozenset(("meet", "negotiate", "consult", "negotiate/consult/meet", "phone"))
"""Not told apart where they are only wished, asked for or refused."""
