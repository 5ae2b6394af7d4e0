"""The verdict that follows from an answer's reading, and its reason in one sentence."""

from __future__ import annotations

from seqniah_scorers.comparing.align import Index
from seqniah_scorers.comparing.compare import day
from seqniah_scorers.comparing.doubts import doubts
from seqniah_scorers.comparing.matching import Reading
from seqniah_scorers.reading.items import Item
from seqniah_scorers.text import MAX_CHARS
from seqniah_scorers.verdict import Case, Doubt, FailureMode, ItemPair, Verdict


def report(case: Case, refs: Index, reading: Reading, required: bool) -> Verdict:
    right = [i for i in sorted(reading.pairs) if i not in reading.faults]
    missing = [i for i in range(len(refs.items)) if i not in reading.pairs]
    used = set(reading.pairs.values())
    count = len(reading.answers) + len(reading.extra)
    unused = [j for j in range(count) if j not in used]
    tau = _tau([reading.pairs[i] for i in right])
    modes: list[FailureMode] = []
    if missing:
        modes.append(FailureMode.MISSING)
    if unused:
        modes.append(FailureMode.REDUNDANT)
    if reading.faults:
        modes.append(FailureMode.INCORRECT)
    if required and tau is not None and tau < 1.0:
        modes.append(FailureMode.WRONG_ORDER)
    correct = not modes and bool(refs.items)
    if case.cut_off and not correct:
        modes.append(FailureMode.CUT_OFF)
    pairs = [
        ItemPair(i, reading.pairs.get(i), i in reading.pairs and i not in reading.faults)
        for i in range(len(refs.items))
    ]
    pairs += [ItemPair(None, j, False) for j in unused]
    return Verdict(
        correct=correct,
        failure_modes=tuple(modes),
        item_recall=len(right) / len(refs.items) if refs.items else 0.0,
        item_precision=len(right) / count if count else 0.0,
        order_agreement=tau,
        order_required=required,
        reason=_reason(refs, reading, missing, unused, modes),
        pairs=tuple(pairs),
        doubts=doubts(refs, reading, missing, unused, correct),
    )


_WITHOUT = {
    FailureMode.NO_ANSWER: "no answer is given",
    FailureMode.REFUSED: "the answer is a refusal",
    FailureMode.UNREADABLE: "no item could be read from the answer",
}


def without_items(case: Case, refs: Index, required: bool, mode: FailureMode) -> Verdict:
    """The verdict on an answer from which no item was read; `mode` is why, one of `_WITHOUT`."""
    modes = (mode, FailureMode.CUT_OFF) if case.cut_off else (mode,)
    return Verdict(
        correct=False,
        failure_modes=modes,
        item_recall=0.0,
        item_precision=0.0,
        order_agreement=None,
        order_required=required,
        reason=f"0 of {len(refs.items)} reference items are stated: {_WITHOUT[mode]}.",
        pairs=tuple(ItemPair(i, None, False) for i in range(len(refs.items))),
        doubts=(Doubt.NO_ITEMS,) if mode is FailureMode.UNREADABLE else (),
    )


def beyond_limit(refs: Index, required: bool) -> Verdict:
    """The verdict on an answer whose end is not read: what stands there could be anything."""
    return Verdict(
        correct=False,
        failure_modes=(FailureMode.UNREADABLE,),
        item_recall=0.0,
        item_precision=0.0,
        order_agreement=None,
        order_required=required,
        reason=f"The answer is longer than the {MAX_CHARS:,} characters that are read of it.",
        pairs=tuple(ItemPair(i, None, False) for i in range(len(refs.items))),
    )


def _tau(positions: list[int]) -> float | None:
    """Kendall's tau of the answer's positions, listed in true order."""
    n = len(positions)
    if n < 2:
        return None
    later = sum(a < b for k, a in enumerate(positions) for b in positions[k + 1 :])
    return 4 * later / (n * (n - 1)) - 1


def _reason(
    refs: Index,
    reading: Reading,
    missing: list[int],
    unused: list[int],
    modes: list[FailureMode],
) -> str:
    total = len(refs.items)
    if not total:
        return "The reference holds no readable item."
    right = len(reading.pairs) - len(reading.faults)
    if not modes:
        return f"All {total} reference items are stated and nothing else."
    parts = [f"{right} of {total} reference items are stated rightly"]
    if missing:
        parts.append(f"{len(missing)} missing (first: {_short(refs.items[missing[0]])})")
    if unused:
        first = unused[0]
        here = first < len(reading.answers)
        item = reading.answers[first].item if here else reading.extra[first - len(reading.answers)]
        parts.append(f"{len(unused)} redundant (first: {_short(item)})")
    if reading.faults:
        number, fault = next(iter(sorted(reading.faults.items())))
        what = _short(refs.items[number])
        parts.append(f"{len(reading.faults)} changed (first: {what}, {fault})")
    if FailureMode.WRONG_ORDER in modes:
        parts.append("the order is not the true one")
    return "; ".join(parts) + "."


def words(item: Item) -> str:
    """An item for a person: its date, if it has one, and its content."""
    return f"{day(item)} {item.text}".rstrip() if item.date else item.text


def _short(item: Item) -> str:
    text = item.text if len(item.text) <= 60 else item.text[:57] + "..."
    return f"{day(item)} {text}" if item.date else text
