"""A verdict as a person reads it."""

from __future__ import annotations

from collections.abc import Sequence

from seqniah_scorers.verdict import Verdict


def explain(verdict: Verdict, items: Sequence[str]) -> str:
    """The reason, then each reference item with what became of it, as markdown."""
    fate = {pair.reference: pair for pair in verdict.pairs if pair.reference is not None}
    lines = [verdict.reason, ""]
    for number, item in enumerate(items):
        pair = fate.get(number)
        if pair is None or pair.answer is None:
            mark, where = "missing", ""
        else:
            mark = "found" if pair.same else "changed"
            where = f", item {pair.answer + 1} of the answer"
        lines.append(f"{number + 1}. {item} ({mark}{where})")
    extra = [
        pair.answer + 1
        for pair in verdict.pairs
        if pair.reference is None and pair.answer is not None
    ]
    if extra:
        lines += ["", f"Items of the answer without counterpart: {', '.join(map(str, extra))}."]
    return "\n".join(lines)


def explain_both(verdict: Verdict, by_rules: Verdict, model: str, items: Sequence[str]) -> str:
    """A model's verdict, then what the rules say of the same answer."""
    label = "correct" if verdict.correct else "incorrect"
    other = "correct" if by_rules.correct else "incorrect"
    head = f"Judged {label} by {model}: {verdict.reason}"
    return f"{head}\n\nThe rules say {other}: {explain(by_rules, items)}"


def summarize(verdict: Verdict) -> str:
    """The counts behind item recall, item precision and order agreement, as one sentence."""
    wanted = sum(pair.reference is not None for pair in verdict.pairs)
    given = sum(pair.answer is not None for pair in verdict.pairs)
    right = sum(pair.same for pair in verdict.pairs)
    demand = "demanded" if verdict.order_required else "free"
    return f"{right} of {wanted} needles stated rightly by {given} items; order {demand}."
