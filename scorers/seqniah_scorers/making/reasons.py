"""Why a made answer is right or wrong, in words that follow exactly from what was done to it."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_datasets.schema import Lang, QAItem
from seqniah_scorers import authored
from seqniah_scorers.making.perturb import Altered
from seqniah_scorers.making.telling import Draws, quoted

_MOST_NAMED = 5
"""Items that are quoted; of more, the rest is given by number."""

_WORDS: dict[Lang, dict[str, list[str]]] = authored.table("making/reasons.toml")
_DEMANDS = authored.patterns("making/demands.toml")("demands")


def order_reason(question: str, lang: Lang, required: bool, draws: Draws) -> str:
    """Whether the question demands an order, and by which words."""
    found = _DEMANDS.search(question)
    kind = "free" if not required else "demanded" if found else "demanded, plain"
    return draws.choice(_WORDS[lang][kind]).format(found[0] if found else "")


def reason(qa: QAItem, altered: Altered, draws: Draws) -> str:
    """What is right and wrong with an answer, item by item, and the conclusion."""
    required = qa.order_required

    def say(what: str, **slots: object) -> str:
        return draws.choice(_WORDS[qa.lang][what]).format(n=len(qa.needles), **slots)

    parts: list[str] = []
    if altered.missing:
        number = "is" if len(altered.missing) == 1 else "are"
        parts.append(say("missing", items=_numbered(qa, altered.missing), is_=number))
    else:
        parts.append(say("complete" if altered.added else "whole"))
    if altered.added:
        parts.append(say("added", items=_joined([quoted(e.text) for e in altered.added], qa.lang)))
    if altered.inversion:
        a, b = (number + 1 for number in altered.inversion)
        parts.append(say("disordered", a=a, b=b) if required else say("order free"))
    elif required:
        parts.append(say("kept order" if altered.missing else "ordered"))
    parts.append(say("wrong" if altered.modes(required) else "right"))
    return (" " if qa.lang == "en" else "").join(parts)


def _numbered(qa: QAItem, numbers: Sequence[int]) -> str:
    """Reference items by number and, as far as they are few, by their words."""
    named, rest = numbers[:_MOST_NAMED], numbers[_MOST_NAMED:]
    if qa.lang == "zh":
        parts = [f"第{n + 1}项{quoted(qa.needles[n].item)}" for n in named]
        more = f"以及第{'、'.join(str(n + 1) for n in rest)}项" if rest else ""
        return "、".join(parts) + more
    if len(numbers) == 1:
        return f"item {numbers[0] + 1} ({quoted(qa.needles[numbers[0]].item)})"
    parts = [f"{n + 1} ({quoted(qa.needles[n].item)})" for n in named]
    return "items " + _joined([*parts, *(str(n + 1) for n in rest)], "en")


def _joined(parts: Sequence[str], lang: Lang) -> str:
    if lang == "zh":
        return "、".join(parts)
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]
