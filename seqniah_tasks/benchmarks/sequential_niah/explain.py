"""A verdict as a person reads it.

What is written here is markdown that reads as well where it is shown as plain text, as inspect's
viewer does. All words of an answer, a reference or a judge stand as code in it,
in which nothing is markup.
"""

from __future__ import annotations

from seqniah_scorers.model_judge import MOST_REASON
from seqniah_scorers.rules import Aligned
from seqniah_scorers.text import fold
from seqniah_scorers.verdict import FailureMode, ItemPair, Verdict
from seqniah_tasks.quoting import listed, quoted

MOST_ROWS = 30
"""Items of the reference that are shown, and redundant ones of the answer."""


def explain(aligned: Aligned) -> str:
    """What the rules say, then each reference item with what became of it, then what is redundant.

    Bounded, however many items an answer has and however long they are.
    """
    pairs = aligned.verdict.pairs
    rows = [_row(aligned, pair, pair.reference) for pair in pairs if pair.reference is not None]
    extra = [
        f"- item {pair.answer + 1}: {quoted(aligned.answers[pair.answer])}"
        for pair in pairs
        if pair.reference is None and pair.answer is not None
    ]
    parts = [f"The rules say {_said(aligned.verdict)}\n{_order(aligned.verdict)}"]
    if aligned.verdict.doubts:
        doubts = ", ".join(doubt.replace("_", " ") for doubt in aligned.verdict.doubts)
        parts = [f"{parts[0]}\nThe rules are not certain: {doubts}."]
    if rows:
        parts += ["Items of the reference, in true order:", listed(rows, MOST_ROWS)]
    if extra:
        parts += ["Redundant items of the answer:", listed(extra, MOST_ROWS)]
    return "\n\n".join(parts)


def explain_both(verdict: Verdict, model: str, aligned: Aligned) -> str:
    """A model's verdict, then what the rules say of the same answer."""
    said = quoted(verdict.reason, MOST_REASON)
    label = "right" if verdict.correct else "wrong"
    head = f"Judged {label} by {quoted(model)}, with these words: {said}"
    return f"{head}\n\n{explain(aligned)}"


def summarize(verdict: Verdict) -> str:
    """The counts behind item recall, item precision and order agreement, as one sentence."""
    wanted = sum(pair.reference is not None for pair in verdict.pairs)
    given = len({pair.answer for pair in verdict.pairs} - {None})
    right = sum(pair.same for pair in verdict.pairs)
    demand = "demanded" if verdict.order_required else "free"
    return f"{right} of {wanted} needles stated rightly by {given} items; order {demand}."


def _said(verdict: Verdict) -> str:
    """The verdict with its counts, as the end of a sentence; it has no words of the answer."""
    pairs = verdict.pairs
    total = sum(pair.reference is not None for pair in pairs)
    if verdict.correct:
        return f"right: all {total} reference items are stated, and nothing else."
    if all(pair.answer is None and not pair.same for pair in pairs):
        # Then the reason tells why no item was read, and there is none that it could quote.
        return f"wrong: {verdict.reason[:1].lower()}{verdict.reason[1:]}"
    right = sum(pair.same for pair in pairs)
    missing = sum(pair.answer is None and not pair.same for pair in pairs)
    redundant = sum(pair.reference is None for pair in pairs)
    counts = {"changed": total - right - missing, "missing": missing, "redundant": redundant}
    told = [f"{count} {what}" for what, count in counts.items() if count]
    if FailureMode.WRONG_ORDER in verdict.failure_modes:
        told.append("the order is not the true one")
    if FailureMode.CUT_OFF in verdict.failure_modes:
        told.append("the output limit ended the answer")
    found = f"{right} of {total} reference items are stated rightly"
    return f"wrong: {'; '.join([found, *told])}."


def _order(verdict: Verdict) -> str:
    """Whether order counts, and the order in which the answer has the items, if not the true."""
    demand = "Order is demanded" if verdict.order_required else "Order is not demanded"
    if verdict.order_agreement is None:
        return f"{demand}."
    if verdict.order_agreement == 1.0:
        return f"{demand}, and kept."
    placed = [(p.answer, p.reference) for p in verdict.pairs if p.same and p.answer is not None]
    numbers = [str(item + 1) for _, item in sorted(placed) if item is not None]
    shown = [*numbers[:MOST_ROWS], "..."] if len(numbers) > MOST_ROWS else numbers
    return f"{demand}; the answer has the items in the order {', '.join(shown)}."


def _row(aligned: Aligned, pair: ItemPair, number: int) -> str:
    """An item of the reference, and the answer's words where they are others."""
    item = aligned.references[number]
    if pair.answer is None and pair.same:
        return f"{number + 1}. \u2713 within the answer: {quoted(item)}"
    if pair.answer is None:
        return f"{number + 1}. \u2717 missing: {quoted(item)}"
    told = aligned.answers[pair.answer]
    sign, link = ("\u2713", "in its words") if pair.same else ("\u2260", "changed to")
    row = f"{number + 1}. {sign} item {pair.answer + 1}: {quoted(item)}"
    return row if pair.same and fold(item) == fold(told) else f"{row}\n   {link}: {quoted(told)}"
