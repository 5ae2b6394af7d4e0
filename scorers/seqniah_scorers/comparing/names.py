"""The names that a text has: persons, countries and companies."""

from __future__ import annotations

import re

from seqniah_scorers.comparing.lexicon import STOP_EN

_NAME = re.compile(r"\b[A-Z][\w'-]*(?: (?:of |the )?[A-Z][\w'-]*)*")
_ORGANISATION = re.compile(
    r"[\u3400-\u9fff]{2,24}?(?:有限(?:责任)?公司|集团(?![\u3400-\u9fff]{0,4}公司)"
    "|公司|基金|银行|企业|中心|合伙)"
)
_BEFORE_NAME = re.compile("^.*(?:并购|收购|购买|出售|转让|所持|持有|[对向与和由被将把的为了])")


def parties(text: str) -> list[str]:
    """The names in the text, each once, in order: English by capitals, Chinese companies."""
    found = [_BEFORE_NAME.sub("", name) for name in _ORGANISATION.findall(text)]
    if not found:
        found = [f for f in _NAME.findall(text) if len(f) > 1 and f.lower() not in STOP_EN]
    return list(dict.fromkeys(found))
