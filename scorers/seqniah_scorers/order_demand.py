"""Whether a question demands the items in their true order."""

from __future__ import annotations

from seqniah_scorers import authored
from seqniah_scorers.text import plain
from seqniah_scorers.verdict import NeedleType

_wording = authored.patterns("order_demand.toml")
_EN, _EN_FREE, _ZH, _ZH_FREE = map(_wording, ("en", "en_free", "zh", "zh_free"))


def demands_order(question: str, needle_type: NeedleType = "temporal") -> bool:
    """True for every logical question, else where the wording asks for an order or a sorting."""
    if needle_type == "logical":
        return True
    text = plain(question[:5000])
    if not (_EN.search(text) or _ZH.search(text)):
        return False
    return not (_EN_FREE.search(text) or _ZH_FREE.search(text))
