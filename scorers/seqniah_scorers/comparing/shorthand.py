"""Short forms written out: initials of a name of the reference, "again" for the item before."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.details import parties
from seqniah_scorers.reading.items import Item

_AGAIN = re.compile(
    r"(?:and\s+|it\s+|he\s+|she\s+|they\s+|i\s+)*(?:did\s+(?:so|the\s+same)|again|once\s+(?:more|again)|the\s+same"
    r"|likewise|ditto|another\s+(?:one|time))(?:\s+(?:again|once\s+(?:more|again)))?\W*|(?:再次|又一次|同样|同上|再次如此)\W*",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"\b[A-Z]{2,6}\b")


def written_out(items: list[Item], refs: Index) -> list[Item]:
    """The items with their short forms replaced by what they stand for."""
    out: list[Item] = []
    names: dict[str, str] | None = None
    for item in items:
        text = item.text
        if out and len(text) < 40 and _AGAIN.fullmatch(text):
            text = out[-1].text
        elif not refs.chinese and _INITIALS.search(text):
            names = _names(refs) if names is None else names
            for short in set(_INITIALS.findall(text)) & names.keys():
                text = re.sub(rf"\b{short}\b", names[short], text)
        out.append(item if text is item.text else replace(item, text=text))
    return out


def _names(refs: Index) -> dict[str, str]:
    """Initials -> the name of the reference that has them."""
    out: dict[str, str] = {}
    for item in refs.items:
        for name in parties(item.text):
            initials = "".join(w[0] for w in name.split() if w[0].isupper())
            if len(initials) > 1 and initials not in item.text:
                out.setdefault(initials, name)
    return out
