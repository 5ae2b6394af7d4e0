"""The verdict that follows from weighed evidence, and its reason in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

from seqniah_scorers.evidence.index import Index
from seqniah_scorers.evidence.weigh import Point, Weighed, weights
from seqniah_scorers.evidence.witnesses import Kind
from seqniah_scorers.reading.items import Item
from seqniah_scorers.text import MAX_CHARS, unread
from seqniah_scorers.verdict import DOUBT, Case, FailureMode, ItemPair, Verdict

_MODES = {
    Kind.MISSING: FailureMode.MISSING,
    Kind.EXTRA: FailureMode.REDUNDANT,
    Kind.PAIR: FailureMode.INCORRECT,
    Kind.ORDER: FailureMode.WRONG_ORDER,
    Kind.WITHDRAWN: FailureMode.INCORRECT,
    Kind.MEANT: FailureMode.INCORRECT,
}
SCORE = attrgetter("score")
_SHOWN = 60
"""Characters of an item in a reason."""


def report(
    case: Case, refs: Index, found: Weighed, required: bool
) -> tuple[Verdict, tuple[Item, ...]]:
    """The verdict, and the answer's items that its pairs number.

    Remarks, which are no items, are left out.
    """
    probability = found.probability
    correct = probability > 0.5 and bool(refs.items)
    faults = [] if correct else _faults(found.points)
    shown = [p for p in found.points if p.reference is not None or p in faults]
    shown.sort(key=lambda p: len(refs.items) if p.reference is None else p.reference)
    kept = sorted({p.answer for p in shown if p.answer is not None})
    number: dict[int | None, int] = {j: n for n, j in enumerate(kept)}
    pairs = [
        ItemPair(p.reference, number.get(p.answer), p not in faults)
        for p in shown
        if p.reference is not None or p.answer is not None
    ]
    places = [pair.answer for pair in pairs if pair.same and pair.answer is not None]
    right = sum(pair.same for pair in pairs)
    modes = {_MODES[point.kind] for point in faults}
    if case.cut_off and not correct:
        modes.add(FailureMode.CUT_OFF)
    verdict = Verdict(
        correct=correct,
        failure_modes=tuple(mode for mode in FailureMode if mode in modes),
        item_recall=right / len(refs.items) if refs.items else 0.0,
        item_precision=len(set(places)) / len(kept) if kept else 0.0,
        order_agreement=_tau(places),
        order_required=required,
        reason=_reason(refs, found, faults, right),
        pairs=tuple(pairs),
        probability=probability,
        doubts=_doubts(refs, found, probability),
    )
    return verdict, tuple(found.answers[j].item for j in kept)


def _faults(points: Sequence[Point]) -> list[Point]:
    """What is not well; at least what is least likely to be."""
    return [point for point in points if point.score <= 0] or [min(points, key=SCORE)]


def _doubts(refs: Index, found: Weighed, probability: float) -> tuple[str, ...]:
    """The strongest evidence against the two weakest points, if the verdict is in doubt."""
    if abs(probability - 0.5) > DOUBT:
        return ()
    weakest = sorted(found.points, key=SCORE)[:2]
    return tuple(dict.fromkeys(str(_strongest(point, refs)) for point in weakest))


def _strongest(point: Point, refs: Index) -> Kind:
    """The evidence that speaks most against a point."""
    worth = weights(refs.steps)
    return min(point.evidence, key=lambda kind: worth[kind] * point.evidence[kind])


_WITHOUT = {
    FailureMode.NO_ANSWER: "no answer is given",
    FailureMode.REFUSED: "the answer is a refusal",
    FailureMode.UNREADABLE: "no item could be read from the answer",
}


def without_items(case: Case, total: int, required: bool, mode: FailureMode) -> Verdict:
    """The verdict on an answer from which no item was read; `mode` is why, one of `_WITHOUT`."""
    reason = f"0 of {total} reference items are stated: {_WITHOUT[mode]}."
    if unread(case.response):
        reason = f"The answer is longer than the {MAX_CHARS:,} characters that are read of it."
    unsure = mode is FailureMode.UNREADABLE and not unread(case.response)
    return Verdict(
        correct=False,
        failure_modes=(mode, FailureMode.CUT_OFF) if case.cut_off else (mode,),
        item_recall=0.0,
        item_precision=0.0,
        order_agreement=None,
        order_required=required,
        reason=reason,
        pairs=tuple(ItemPair(i, None, False) for i in range(total)),
        probability=0.5 - DOUBT if unsure else 0.0,
        doubts=(_WITHOUT[mode],) if unsure else (),
    )


def _tau(positions: list[int]) -> float | None:
    """Kendall's tau of the answer's positions, listed in true order; equal ones are in order."""
    n = len(positions)
    if n < 2:
        return None
    later = sum(a <= b for k, a in enumerate(positions) for b in positions[k + 1 :])
    return 4 * later / (n * (n - 1)) - 1


def _reason(refs: Index, found: Weighed, faults: list[Point], right: int) -> str:
    total = len(refs.items)
    if not total:
        return "The reference holds no readable item."
    if not faults:
        return f"All {total} reference items are stated and nothing else."
    parts = [f"{right} of {total} reference items are stated rightly"]
    for kind, word in (
        (Kind.MISSING, "missing"),
        (Kind.EXTRA, "redundant"),
        (Kind.PAIR, "changed"),
    ):
        of_kind = [point for point in faults if point.kind is kind]
        if of_kind:
            parts.append(f"{len(of_kind)} {word} (first: {_first(refs, found, of_kind[0])})")
    if any(point.kind is Kind.ORDER for point in faults):
        parts.append("the order is not the true one")
    if any(point.kind is Kind.WITHDRAWN for point in faults):
        parts.append("the answer is taken back")
    return "; ".join(parts) + "."


def _first(refs: Index, found: Weighed, point: Point) -> str:
    if point.reference is None:
        return written(found.answers[point.answer or 0].item, _SHOWN)
    words = written(refs.items[point.reference], _SHOWN)
    return f"{words}, {_strongest(point, refs)}" if point.kind is Kind.PAIR else words


def written(item: Item, most: int = MAX_CHARS) -> str:
    """An item for a person: its date, if it has one, and its content, cut to `most` characters.

    The date is year-month-day, with question marks for what is open.
    """
    text = item.text if len(item.text) <= most else item.text[: most - 3] + "..."
    if item.date is None:
        return text
    parts = item.date.key()
    day = "-".join("?" if part is None else f"{part:02}" for part in parts)
    return f"{day} {text}".rstrip()
