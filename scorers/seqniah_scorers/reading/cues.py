"""Wordings that tell what a line is for: final list, remark, placeholder, refusal."""

from __future__ import annotations

import re

_FINAL = re.compile(
    r"\b(?:correct(?:ed)?|final|revised|updated|sorted|re-?arrang\w+|re-?order\w+"
    r"|chronological\w*|ordered)\b|in\s+(?:the\s+)?(?:right\s+|proper\s+)?order\b"
    r"|正确|最终|修正|更正|整理|重新排|排序|排列|按(?:照)?(?:时间|日期|顺序|先后)",
    re.IGNORECASE,
)
_REMARKS = re.compile(
    r"(?:notes?|summary|conclusions?|explanations?|remarks?|tips?|takeaways|commentary|analysis"
    r"|(?:key|main|general|other|important) (?:points|takeaways|observations?|insights?|themes?"
    r"|findings|highlights|notes?|considerations)|observations?|insights|themes|additional\w*"
    r"|context|in (?:summary|conclusion)|to summari[sz]e|overall|disclaimer|caveats?|references?"
    r"|sources?|注意?|注意事项|备注|说明|总结|要点|提示|小贴士|小提示|温馨提示|分析|评论|观察|关键点|小结|结论|补充说明|综上|总之|附注|解释|其他说明)\b\s*[:\s(]?",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:please note|notes?\b|these (?:\w+ ){0,4}(?:interactions|events|entries|steps|activities"
    r"|actions|records|are|were|show|suggest|reflect|describe|highlight|contents|summaries|items"
    r"|dates)|this (?:\w+ ){0,3}(?:list|order|sequence|information|timeline|summary|process|covers"
    r"|includes|is the)|the (?:above|entries|events|list|rest)\b|let me know|if you|i hope"
    r"|hope this|feel free|by following|in (?:summary|conclusion)|overall|following these"
    r"|it is important|remember|please|in this way|in short|in brief|to sum up|in other words"
    r"|as (?:shown|seen|listed) above|(?:this|that|which) is how\b|(?:this|that) completes\b"
    r"|all (?:of )?(?:these|the) (?:events|entries)|no other"
    r"|there are no (?:other|further|more)|that'?s all|end of)"
    r"|(?:这些|以上|上述|注[:意]|请注意|备注|综上|总之|总的来说|通过以上|至此[,，]?(?:整个|全部|所有|就?(?:完成|大功|结束))|整个(?:过程|流程)(?!中)|通过这些|希望|如果您|如需"
    r"|如有其他|这个流程|这一系列|在整个过程中|按照(?:以上|这些)|简单(?:来)?说|简而言之|总而言之|换句话说|也就是说|一句话|此外，?文(?:中|档)|需要注意)",
    re.IGNORECASE,
)
_ALSO_STEP = re.compile(
    r"(?:analysis|observations?|explanations?|references?|sources?|context|findings|commentary"
    r"|分析|观察|评论|解释|说明)\b",
    re.IGNORECASE,
)
_NO_ENTRY = (
    r"(?:there (?:is|are|was|were) )?(?:no|none|nothing|n/?a\b|unknown|unspecified)"
    r"(?:\s+(?:specific|explicit|direct|clear|further|other|additional|relevant))*\s*"
    r"(?:$|entry|entries|events?|mention|information|records?|details?|activit\w+|content|data"
    r"|interactions?|description|is|was|were|mentioned|specified|recorded|provided|available)\b"
)
_NOT_GIVEN = (
    r"(?:(?:the|this|specific|exact|event|activity|contents?|details?|entry|information|date"
    r"|description|it)\s+){0,4}(?:is|are|was|were)?\s*not\s+"
    r"(?:(?:explicitly|specifically|directly|clearly)\s+)?"
    r"(?:mentioned|specified|provided|stated|given|available|recorded|described|listed|found"
    r"|included|applicable|detailed|clear)\b"
)
_SAYS_NOTHING = (
    r"(?:the\s+)?(?:text|document|diary|journal|record|passage|entry|documentary|summary|context)"
    r"\s+(?:\w+\s){0,4}?(?:does|do|did)(?:\s+not|n't)\s+(?:\w+\s)?"
    r"(?:mention|specify|provide|contain|state|include|give|describe|record|say)"
)
_NOT_GIVEN_ZH = (
    r"(?:该日|当日|当天|文中|文档|原文|文本|日记|具体(?:内容|事件|活动|日期)?|内容"
    r"|相关(?:内容|信息)|此日期?|这一天){0,4}中?[并均都]?(?:未|没有?|无|暂无)被?有?"
    r"(?:明确|具体|详细|直接|相关|特别){0,2}地?"
    r"(?:提及|提到|记录|说明|记载|提供|描述|列出|指明|内容|信息|事件|活动|给出)"
)
_OTHERS = (
    r"(?:(?:(?:all\s+)?(?:other|remaining)\s+(?:dates|days|entries)\s*|(?:其他|其余|剩余)\S{0,6}?)"
    r"[:,-]?\s*)?"
)
_PLACEHOLDER = re.compile(
    rf"[\W_]*{_OTHERS}(?:{_NO_ENTRY}|{_NOT_GIVEN}|{_SAYS_NOTHING}|{_NOT_GIVEN_ZH})", re.IGNORECASE
)
_LABELLED_PLACEHOLDER = re.compile(
    r"(?P<label>[^.;!?:]{2,60}?)(?::|\s[\u2013\u2014-]+|\u2014+|,(?=\s(?:the\s(?:text|document)|this\s|which\s)|\S)"
    r"|(?=\s?[(\[]))\W*"
    rf"(?:{_NOT_GIVEN}|{_SAYS_NOTHING}|n/?a\b|unknown\b"
    r"|no\s(?:\w+\s)?(?:information|details?|mention|data)\b"
    rf"|{_NOT_GIVEN_ZH})(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_LABEL_WORDS = 4
"""Words of a label at most; more of them tell the step, of which then only a detail is missing."""
_EXCLUDED = re.compile(
    r"(?:[([.;,\u2014-]\s*|^\W*)(?:(?:so|but|and|therefore|however|thus|which|this|it|the|entry"
    r"|event|item|that|should|is|are|was|has|been|be|will|one|date|can|does|not|do)\s+){0,7}?"
    r"(?:not\s+(?:be\s+)?(?:included|counted|listed|part\s+of|relevant|belong|related)"
    r"|n't\s+(?:included|counted|belong)"
    r"|excluded|excluding|irrelevant|omitted|skipped|left\s+out|ignored|unrelated)\b"
    r"|(?:不属于|不计入|不包括在内|不包含在内|应排除|予以排除|已排除|故排除|不列入|无关[,，。)]"
    r"|不是\S{1,12}的(?:日记|记录|记事|内容)|不算在内)"
    r"|\b(?:entry|entries|event|item|record)\b[^.]{0,60}?\b(?:is|are|was|were|been|belongs?\sto|from)"
    r"\s(?:\w+\s){0,2}?(?:excluded|omitted|left\sout|(?:another|a\sdifferent|someone\selse's)\s"
    r"(?:diary|journal|record|documentary|person|author|summary))",
    re.IGNORECASE,
)
_EXCLUSION_ROOT = re.compile(
    "ot (?:be|in|co|li|pa|re)|n't|xclu|rrel|mitt|kipp|eft|gnor|nrel|nother|ifferent|else|不|无关"
    "|排除"
)
"""Cheap to look for, and part of every wording of `_EXCLUDED`."""
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)?|we)\s+(?:\w+\s+){0,2}?(?:sorry|unable|cannot|can\s?not|can't|could\s?n't"
    r"|could not|do\s?n't|do not|did\s?n't|did not|apologi[sz]e)\b"
    r"|\bno (?:such |specific |relevant |direct )?(?:information|mention|records?|content|details"
    r"|events|entries|diary)\b"
    r"|(?:text|document|passage|context|article|diary|information|it)\s+(?:\w+\s+){0,3}?"
    r"(?:does|do|did)(?:\s+not|n't)\s+(?:\w+\s+)?"
    r"(?:mention|contain|provide|include|specify|have|give|state|describe|discuss)"
    r"|\bnot\s+(?:\w+\s)?(?:mentioned|found|provided|available|possible|stated)\b"
    r"|there (?:is|are|was|were) no\b"
    r"|(?:无法|未能|不能|没有?|未)(?:从?\S{0,10})?"
    r"(?:找到|提及|提到|确定|回答|提供|获取|记录|得知|包含|查到|相关)|抱歉|对不起|很遗憾|不知道",
    re.IGNORECASE,
)
_REPORT = re.compile(
    r"(?:[^,.;:]{2,60}\b(?:notes|diary|journal|record|entries|summary|documentary)\b[^,.;:]{0,40}"
    r"\b(?:say|tell|mention|state|show|record|note)s?\s+that\s+)?"
    r"(?:(?:according to|based on|from|in|as per)\s+(?:the\s+)?[^,.;:]{2,80},\s*)?"
    r"(?:(?:the\s+)?(?:text|document|passage|diary|author|article)\s+(?:also\s+|further\s+)?"
    r"(?:mentions|states|says|notes|records|describes|shows|tells|reports|reads|reveals)"
    r"\s+(?:that\s+)?)?(?:(?:根据|依据|按照)[^,。;]{1,20}?(?:内容|记载|记录|信息|描述|文档|文章|原文|日记)[,\s]*)?",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:event|contents?|activity|activities|description|details?|entry|action|interaction"
    r"|what happened|事件|内容|活动|描述|详情|具体内容|记录|事项|行动)\s*(?:\d{1,2}\s*)?:\s*",
    re.IGNORECASE,
)
_NUMBERED_LABEL = re.compile(
    r"(?:event|entry|item|activity|record|interaction|事件|条目|日记|记录|活动)\s?"
    r"(?:#?\d{1,3}|[一二三四五六七八九十]{1,2})\s*:?",
    re.IGNORECASE,
)
_SECTION = re.compile(
    r"(?:the\s+|brief\s+|detailed\s+|step-by-step\s+)*(?:introduction|overview|background|goal"
    r"|steps?|procedure|process|instructions|guide|answer|final answer|response|list|timeline"
    r"|prerequisites?|materials|requirements)(?:\s+(?:of|for|to)\b.{0,60})?\s*:?"
    r"|(?:具体|操作|详细|主要)?(?:概述|简介|背景|前言|引言|步骤|流程|答案|回答|目的|前提|方法)(?:如下)?\s*:?",
    re.IGNORECASE,
)
_COUNT = (
    r"(?:(?:a\s+)?(?:few|number\s+of|series\s+of|couple\s+of)|several|the|these|those|some|various"
    r"|many|multiple|different|key|main|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven"
    r"|twelve)"
)
_INTRODUCES = re.compile(
    rf"\b(?:in|into|of|through|involves?|includes?|comprises|consists\sof|has|have|takes?|follows?"
    rf"|requires?|there\sare|are|by|with)\s+(?:{_COUNT}\s+){{1,3}}(?:\w+\s+)?"
    r"(?:steps|stages|phases|parts|procedures?|process|sequence)"
    r"(?:\s+(?:below|in\s+(?:the\s+)?(?:\w+\s+)?order|as\s+follows|one\s+after\s+another))?\s*[.!:]?$"
    r"|\bas\s+follows\s*[.:]?$|^(?:here|this)\s+is\s+(?:how|what)\b[^.]*[.:]?$"
    r"|(?:分为?|分成|包括|包含|经过|需要?|有|遵循|按照?|可分|通过)(?:以下|如下|下列|这|大致|大体|主要)*"
    r"(?:[一二两三四五六七八九十几多数\d]{1,3})?个?(?:大|主要|具体|基本|关键)?的?"
    r"(?:步骤?|阶段|环节|步走|流程|工序|道工序)(?:进行|完成|来(?:进行|完成))?[。.:]?$|(?:具体)?如下[。:.]?$",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:please note|notes?|n\.?b\.?|tips?|disclaimer|remarks?|summary|注意?|备注|说明|附注|提示"
    r"|小贴士|总结)\s*(?::|that\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?。!?](?:\s|$)|[。]")


def opens_final_list(line: str) -> bool:
    return bool(_FINAL.search(line))


def opens_remarks(line: str) -> bool:
    return bool(_REMARKS.match(line) or (_CLOSING.match(line) and not _FINAL.search(line)))


def heads_section(line: str) -> bool:
    """Whether a heading names a part of the answer rather than what it tells of."""
    return bool(_SECTION.fullmatch(line))


def heads_remarks(text: str, numbered: bool = False) -> bool:
    """Whether a line is nothing but the heading of remarks.

    `numbered`: its number follows that of the item above, so that it may head a step as well:
    "Step 7: Analysis".
    """
    match = _REMARKS.match(text) if len(text) < 40 else None
    if match is None or text[match.end() :].strip(" :.()*"):
        return False
    return not (numbered and _ALSO_STEP.match(text))


def introduces_steps(text: str) -> bool:
    """Whether a sentence only says that steps follow: "It is done in several stages."."""
    return len(text) < 250 and bool(_INTRODUCES.search(text))


def is_note(text: str) -> bool:
    """Whether a list item is labelled as a remark."""
    return bool(_NOTE.match(text))


def closes_answer(text: str) -> bool:
    """Whether the text comments on the list as a whole instead of adding to it."""
    return bool(_CLOSING.match(text))


def is_placeholder(text: str) -> bool:
    """Whether an item only says that there is nothing to say."""
    if len(text) > 400:
        return False
    if not _PLACEHOLDER.match(text):
        return _names_only(text)
    first = _SENTENCE_END.split(text, maxsplit=1)[0]
    return bool(_PLACEHOLDER.match(first))


def _names_only(text: str) -> bool:
    """Whether an item only names a thing of which the answer then says that nothing is said."""
    match = _LABELLED_PLACEHOLDER.match(text)
    if match is None:
        return False
    label, rest = match["label"], match["rest"]
    short = (
        len(label) <= 2 * _LABEL_WORDS if not label.isascii() else label.count(" ") < _LABEL_WORDS
    )
    told = text[match.end("label") : match.start("rest")]
    if "的" in rest[:6] and "文" not in told:  # "Review: those handed in without proof go back"
        return False
    return short and not re.search(r"[.;。]\s*\w", rest)


def is_excluded(text: str) -> bool:
    """Whether an item is named in order to leave it out."""
    if len(text) > 1000 or not _EXCLUSION_ROOT.search(text):
        return False
    return bool(_EXCLUDED.search(text))


def is_refusal(text: str) -> bool:
    return bool(_REFUSAL.search(text[:4000]))


def without_label(text: str) -> str:
    """The text without a field name such as "Event:" in front."""
    if ":" in text and (match := _LABEL.match(text)):
        return text[match.end() :]
    return "" if len(text) < 20 and _NUMBERED_LABEL.fullmatch(text) else text


def without_report_phrase(text: str) -> str:
    """The text without "According to the diary," or "The text mentions that" in front."""
    match = _REPORT.match(text)
    return text[match.end() :].strip() if match else text
