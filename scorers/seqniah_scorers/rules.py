"""The rule judge: a verdict from parsing and alignment alone, without a model."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from statistics import median

from seqniah_scorers.align import Entry, Index, align, entry, index, merge_siblings
from seqniah_scorers.answers import parse
from seqniah_scorers.cues import is_refusal
from seqniah_scorers.dates import compatible
from seqniah_scorers.details import changed_detail, parties
from seqniah_scorers.endings import breaks_off
from seqniah_scorers.exchange import changed_places
from seqniah_scorers.facts import FactReader, coverage
from seqniah_scorers.items import Item
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.repair import cut, join
from seqniah_scorers.text import fold
from seqniah_scorers.verdict import Case, FailureMode, ItemPair, Verdict
from seqniah_scorers.wording import appended_event

MAX_ALIGNED = 300
"""Distinct answer items that are aligned; all further ones count as redundant."""
COPIED = 0.8
"""Median share of kept words from which an answer copies its source rather than retells it."""
LEAST_KEPT = 0.5
"""Share of kept words below which a copied item is another one."""
LEAST_KEPT_FREE = 0.2
"""The same in an answer that retells."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """The answer after alignment."""

    answers: tuple[Entry, ...]
    """Its items, the aligned ones first in their order."""
    extra: tuple[Item, ...]
    """Items left out of the alignment: repeated ones and those above the bound."""
    pairs: dict[int, int]
    """Reference number -> answer number."""
    faults: dict[int, str]
    """Reference number -> the detail that its answer item changes."""


def judge(case: Case) -> Verdict:
    """Decide by fixed rules; the same case always gives the same verdict."""
    logical = case.needle_type == "logical"
    required = case.order_required
    if required is None:
        required = demands_order(case.question, case.needle_type)
    reader = FactReader()
    true_items = parse(case.reference, trusted=True)
    entries = tuple(entry(i, reader) for i in true_items)
    refs = index(entries, logical, case.question, case.parties)
    items = parse(case.response)
    if not items:
        return _without_items(case, refs, required)
    reading = _read(refs, items, reader, case.cut_off)
    if not reading.pairs and is_refusal(case.response) and all(i.loose for i in items):
        return _without_items(case, refs, required)
    return _verdict(case, refs, reading, required)


def _read(refs: Index, items: list[Item], reader: FactReader, cut_off: bool) -> _Reading:
    distinct: dict[tuple[object, ...], Item] = {}
    extra: list[Item] = []
    for item in merge_siblings(items, refs):
        key = (item.text.casefold().strip(" .。"), item.date.key() if item.date else None)
        if key in distinct or len(distinct) >= MAX_ALIGNED:
            extra.append(item)
        else:
            distinct[key] = item
    answers = tuple(entry(i, reader) for i in distinct.values())
    pairs = align(refs, answers)
    for mend in (cut, join):
        mended = mend(refs, answers, pairs, reader)
        if mended is not answers and len(mended) != len(answers):
            answers = mended
            pairs = align(refs, answers)
    faults = _faults(refs, answers, pairs)
    last = len(answers) - 1
    owner = next((i for i, j in pairs.items() if j == last), None)
    if owner is not None and owner not in faults and not extra:
        others = [a.item.text for a in answers[:-1]]
        if breaks_off(refs.entries[owner], answers[last], others, cut_off):
            faults[owner] = "it breaks off"
    return _Reading(answers, tuple(extra), pairs, faults)


def _faults(refs: Index, answers: tuple[Entry, ...], pairs: dict[int, int]) -> dict[int, str]:
    kept = {i: coverage(refs.entries[i].fact, answers[j].fact) for i, j in pairs.items()}
    copied = bool(kept) and median(kept.values()) >= COPIED
    free = [i for i, j in pairs.items() if not _is_literal(refs.entries[i], answers[j], kept[i])]
    if copied and not len(free) <= 1 < len(kept):
        # Steps, and facts about named parties, reach the model in other words than the
        # reference's: only where all the rest is literal does a replaced word prove a change.
        copied = not (refs.logical or _about_parties(refs))
    faults: dict[int, str] = {}
    for i, j in sorted(pairs.items()):
        fault = _fault(refs.entries[i], answers[j], kept[i], copied, refs.logical, refs.asked)
        if fault is None and len(refs.parties) == 2:
            one, other = refs.parties
            if changed_places(refs.entries[i].item.text, answers[j].item.text, (one, other)):
                fault = f"{one} and {other} changed places"
        if fault:
            faults[i] = fault
    return faults


def _is_literal(ref: Entry, ans: Entry, kept: float) -> bool:
    same = ref.fact is ans.fact
    return same or (kept == 1.0 and coverage(ans.fact, ref.fact) >= COPIED)


def _about_parties(refs: Index) -> bool:
    """Whether most reference items name the same party, as facts between two entities do."""
    counts = Counter(name for e in refs.entries for name in parties(e.fact.text))
    return any(n >= 0.6 * len(refs.entries) and n > 1 for n in counts.values())


def _fault(
    ref: Entry, ans: Entry, kept: float, copied: bool, logical: bool, asked: str
) -> str | None:
    a, b = ref.item.date, ans.item.date
    if a and b and not compatible(a, b):
        return f"dated {_date(ans.item)} instead of {_date(ref.item)}"
    if ref.fact is ans.fact:
        return None
    if not ans.fact.bag and ref.fact.bag:
        return "nothing is said of it"
    if logical:
        # Steps are reworded at length: only in a copied step is a different word a change.
        close = kept >= COPIED and len(ans.fact.bag) <= 1.5 * len(ref.fact.bag)
        return changed_detail(ref.fact, ans.fact, copied, asked) if close else None
    if kept < (LEAST_KEPT if copied else LEAST_KEPT_FREE) and not _terse(ref, ans):
        return "another event is told"
    fault = changed_detail(ref.fact, ans.fact, copied and kept >= LEAST_KEPT)
    if fault is None and copied and kept >= COPIED:
        return appended_event(ref.fact, ans.fact)
    return fault


def _terse(ref: Entry, ans: Entry) -> bool:
    """The answer says less than the reference, and nothing else."""
    return bool(ans.fact.bag) and ans.fact.bag <= ref.fact.bag


def _date(item: Item) -> str:
    if item.date is None:
        return "undated"
    return "-".join("?" if p is None else f"{p:02d}" for p in item.date.key())


def _verdict(case: Case, refs: Index, reading: _Reading, required: bool) -> Verdict:
    right = [i for i in sorted(reading.pairs) if i not in reading.faults]
    missing = [i for i in range(len(refs.entries)) if i not in reading.pairs]
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
    correct = not modes and bool(refs.entries)
    if case.cut_off and not correct:
        modes.append(FailureMode.CUT_OFF)
    pairs = [
        ItemPair(i, reading.pairs.get(i), i in reading.pairs and i not in reading.faults)
        for i in range(len(refs.entries))
    ]
    pairs += [ItemPair(None, j, False) for j in unused]
    return Verdict(
        correct=correct,
        failure_modes=tuple(modes),
        item_recall=len(right) / len(refs.entries) if refs.entries else 0.0,
        item_precision=len(right) / count if count else 0.0,
        order_agreement=tau,
        order_required=required,
        reason=_reason(refs, reading, missing, unused, modes),
        pairs=tuple(pairs),
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
    reading: _Reading,
    missing: list[int],
    unused: list[int],
    modes: list[FailureMode],
) -> str:
    total = len(refs.entries)
    if not total:
        return "The reference holds no readable item."
    right = len(reading.pairs) - len(reading.faults)
    if not modes:
        return f"All {total} reference items are stated and nothing else."
    parts = [f"{right} of {total} reference items are stated rightly"]
    if missing:
        parts.append(f"{len(missing)} missing (first: {_short(refs.entries[missing[0]].item)})")
    if unused:
        first = unused[0]
        here = first < len(reading.answers)
        item = reading.answers[first].item if here else reading.extra[first - len(reading.answers)]
        parts.append(f"{len(unused)} redundant (first: {_short(item)})")
    if reading.faults:
        number, fault = next(iter(reading.faults.items()))
        what = _short(refs.entries[number].item)
        parts.append(f"{len(reading.faults)} changed (first: {what}, {fault})")
    if FailureMode.WRONG_ORDER in modes:
        parts.append("the order is not the true one")
    return "; ".join(parts) + "."


def _short(item: Item) -> str:
    text = item.text if len(item.text) <= 60 else item.text[:57] + "..."
    return f"{_date(item)} {text}" if item.date else text


def _without_items(case: Case, refs: Index, required: bool) -> Verdict:
    refused = not fold(case.response) or is_refusal(case.response)
    mode = FailureMode.NO_ANSWER if refused else FailureMode.UNREADABLE
    modes = (mode, FailureMode.CUT_OFF) if case.cut_off else (mode,)
    why = "no answer is given" if refused else "no item could be read from the answer"
    return Verdict(
        correct=False,
        failure_modes=modes,
        item_recall=0.0,
        item_precision=0.0,
        order_agreement=None,
        order_required=required,
        reason=f"0 of {len(refs.entries)} reference items are stated: {why}.",
        pairs=tuple(ItemPair(i, None, False) for i in range(len(refs.entries))),
    )
