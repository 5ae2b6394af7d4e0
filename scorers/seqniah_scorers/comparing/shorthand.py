"""Short forms written out: initials of a name of the reference, "again" for the item before."""

from __future__ import annotations

import re
from dataclasses import replace

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.names import parties
from seqniah_scorers.comparing.shared_days import told_apart
from seqniah_scorers.reading.items import Item

_AGAIN = re.compile(
    r"(?:and\s+|it\s+|he\s+|she\s+|they\s+|i\s+)*(?:did\s+(?:so|the\s+same)|again|once\s+(?:more|again)|the\s+same"
    r"|likewise|ditto|another\s+(?:one|time))(?:\s+(?:again|once\s+(?:more|again)))?\W*|(?:再次|又一次|同样|同上|再次如此)\W*",
    re.IGNORECASE,
)
_COMPLETED = re.compile(
    r"(?:(?P<former>the former|前者)|the latter|后者|it|this|that"
    r"|[该此这](?:项|次|笔|起|宗)?(?:并购|收购|交易)?|并购|收购|交易"
    r"|the (?:deal|acquisition|takeover|purchase|merger|transaction))?\s*"
    r"(?:was|were|has been|had been|正式|最终|也|即)?\s*(?:then\s+|finally\s+)?"
    r"(?:completed|finali[sz]ed|concluded|closed|完成)(?:了|(?:并购|收购|交易))*\W*",
    re.IGNORECASE,
)
_BEGUN_ZH = re.compile("(?:开始|启动|着手)(?:了)?(?:对)?")
_BEGUN_EN = re.compile(
    r"(?:began|started|begins|starts|begun|initiated|launched)\s+(?:to\s+)?", re.IGNORECASE
)
_INITIALS = re.compile(r"\b[A-Z]{2,6}\b")


def written_out(items: list[Item], refs: Index) -> list[Item]:
    """The items with their short forms replaced by what they stand for."""
    if not refs.logical:
        items = told_apart(items, refs)
    out: list[Item] = []
    names: dict[str, str] | None = None
    for item in items:
        text = item.text
        if out and len(text) < 40 and _AGAIN.fullmatch(text):
            text = out[-1].text
        elif out and len(text) < 60 and (done := _done(out, text)):
            text = done
        elif not refs.chinese and _INITIALS.search(text):
            names = _names(refs) if names is None else names
            for short in set(_INITIALS.findall(text)) & names.keys():
                text = re.sub(rf"\b{short}\b", names[short], text)
        out.append(item if text is item.text else replace(item, text=text))
    return out


def _done(before: list[Item], text: str) -> str:
    """What "it was completed" says, where the item before tells of the beginning."""
    match = _COMPLETED.fullmatch(text)
    if match is None:
        return ""
    former = match["former"] and len(before) > 1
    begun = before[-2 if former else -1].text
    done, count = _BEGUN_ZH.subn("完成了", begun, count=1)
    if not count:
        done, count = _BEGUN_EN.subn("completed ", begun, count=1)
    return done if count else ""


def _names(refs: Index) -> dict[str, str]:
    """Initials -> the name of the reference that has them."""
    out: dict[str, str] = {}
    for item in refs.items:
        for name in parties(item.text):
            initials = "".join(w[0] for w in name.split() if w[0].isupper())
            if len(initials) > 1 and initials not in item.text:
                out.setdefault(initials, name)
    return out
