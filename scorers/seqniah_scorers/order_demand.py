"""Whether a question demands the items in their true order."""

from __future__ import annotations

import re

from seqniah_scorers.text import plain
from seqniah_scorers.verdict import NeedleType

_EN = re.compile(
    r"""chronolog|sequential|\bsequence\b|\btimeline\b|step[- ]by[- ]step|one after another
    |\bin\s+(?:\w+\s+){0,3}order\b(?!\s+(?:to|that|for)\b)      # "in order", not "in order to"
    |\b(?:order|ordered|sort|sorted|arrange|arranged|organi[sz]ed?)\s+(?:them\s+)?(?:by|according)\b
    |\b(?:by|per)\s+(?:the\s+|their\s+)?(?:dates?|time|day)\b
    |\border\s+of\s+(?:occurrence|time|dates?|events)|\b(?:time|date|temporal)\s+order\b
    |earliest\s+to\s+(?:the\s+)?la|(?:first|beginning|oldest)\s+to\s+(?:the\s+)?(?:last|end|newest)
    |\baccording\s+to\s+(?:the\s+|their\s+)?(?:dates?|time|order)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_EN_FREE = re.compile(
    r"\bany\s+order\b|order\s+(?:does|is)\s*(?:not|n't)|regardless\s+of\s+(?:the\s+)?order"
    r"|no\s+particular\s+order|without\s+regard\s+to\s+order|need\s+not\s+be\s+in\s+order",
    re.IGNORECASE,
)
_ZH = re.compile(
    "[按依](?:照|据)?(?:其|着|了)?(?:发生|具体|记录|事件)?(?:的)?(?:时间|日期|顺序|先后|次序|时序|年月|年代|步骤)"
    "|根据(?:时间|日期|先后)|依次|先后|顺序|次序|时间线|时间轴|时序|从早到晚|由早到晚|由先到后|从先到后|逐日|排序"
)
_ZH_FREE = re.compile(
    "不(?:分|论|考虑|要求|需要?|必)(?:按)?(?:时间)?(?:先后|顺序|次序)|(?:任意|随意)(?:的)?(?:顺序|次序)"
    "|无(?:需|须)(?:按|考虑)?(?:时间)?顺序|顺序(?:不限|任意|随意)"
)


def demands_order(question: str, needle_type: NeedleType = "temporal") -> bool:
    """True for every logical question, else where the wording asks for an order or a sorting."""
    if needle_type == "logical":
        return True
    text = plain(question[:5000])
    if not (_EN.search(text) or _ZH.search(text)):
        return False
    return not (_EN_FREE.search(text) or _ZH_FREE.search(text))
