"""The harder set: right answers in layouts of every kind, and the same with one subtle fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from seqniah_datasets.schema import LANGS, Lang, Pipeline, QAItem
from seqniah_scorers.labelled import Labelled
from seqniah_scorers.making import faults, layouts, step_layouts
from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.fault import Fault, Maker
from seqniah_scorers.making.perturb import Altered, Entry
from seqniah_scorers.making.reasons import order_reason, reason
from seqniah_scorers.making.retelling import Retold
from seqniah_scorers.making.telling import Telling, telling
from seqniah_scorers.making.training import MIX, Part, apportion, case_of
from seqniah_scorers.making.wrappings import WRAPPINGS, after_draft, retell, with_remarks
from seqniah_scorers.verdict import FailureMode

SIZES: dict[Part, int] = {"train": 6_000, "test": 2_400}
"""Cases of both languages, half of them right."""

_LOGICAL = {"en": 1_497, "zh": 1_489}
"""Questions about steps in the benchmark (Table 2); the temporal ones are in `training.MIX`."""


@dataclass(frozen=True, slots=True)
class HarderPlace:
    """One case to make."""

    lang: Lang
    pipeline: Pipeline
    correct: bool
    group: str
    """Name of the layout of a right answer, or of the fault of a wrong one."""


_THRICE = ("other wording", "paraphrase", "needle wording")
"""Groups that have three times the cases of others: the words change, not only their layout."""


def groups(pipeline: Pipeline, lang: Lang, correct: bool) -> list[str]:
    """What is made of a pipeline's questions."""
    if not correct:
        return list(_faults(pipeline))
    if pipeline is Pipeline.REAL_LOGICAL:
        plain = list(step_layouts.STEP_LAYOUTS)
    else:
        # A diary is of one month; events between two parties lie years apart.
        diary = pipeline is Pipeline.SYNTHETIC_TEMPORAL
        unfit = ("year headings",) if diary else ("month heading", "no year")
        plain = [name for name in layouts.LAYOUTS if name not in unfit]
    wrapped = [name for name, one in WRAPPINGS.items() if pipeline in one.pipelines]
    split = ["split"] if pipeline is Pipeline.REAL_LOGICAL and lang == "zh" else []
    again = [name for name in wrapped if name in _THRICE]
    return [*plain, *wrapped, *split, *again, *again]


def _faults(pipeline: Pipeline) -> dict[str, Maker]:
    if pipeline is Pipeline.REAL_LOGICAL:
        return faults.STEP_FAULTS
    diary = pipeline is Pipeline.SYNTHETIC_TEMPORAL
    return faults.DIARY_FAULTS if diary else faults.EVENT_FAULTS


def places(part: Part) -> list[HarderPlace]:
    """Every case of a part: by language and pipeline as the benchmark has them, groups in turn."""
    found: list[HarderPlace] = []
    for lang, size in zip(LANGS, apportion((1, 1), SIZES[part]), strict=True):
        for correct, half in zip((True, False), apportion((1, 1), size), strict=True):
            shares = apportion((*MIX[lang], _LOGICAL[lang]), half)
            for pipeline, share in zip(Pipeline, shares, strict=True):
                names = groups(pipeline, lang, correct)
                found += [
                    HarderPlace(lang, pipeline, correct, names[number % len(names)])
                    for number in range(share)
                ]
    return found


Lend = Callable[[], tuple[QAItem, tuple[Retold, ...], Sequence[QAItem]]]
"""Gives a question, what is known of its words, and other questions that lend items."""

_TRIES = 200


def make(place: HarderPlace, lend: Lend, id: str, draws: Draws) -> Labelled:
    """The case of a place, from the first question lent that allows it."""
    for _ in range(_TRIES):
        qa, retold, others = lend()
        told = telling(qa, retold)
        made = (_right if place.correct else _wrong)(place, told, others, draws)
        if made is not None:
            return replace(made, id=id)
    raise ValueError(f"no question allows {place}")


def _right(
    place: HarderPlace, told: Telling, others: Sequence[QAItem], draws: Draws
) -> Labelled | None:
    wrapping = WRAPPINGS.get(place.group)
    shuffle = not told.qa.order_required and place.group not in _HEADED and not draws.below(3)
    if shuffle or (wrapping is not None and wrapping.reorders):
        told = told.with_lines(draws.shuffled(told.lines))
    if wrapping is not None:
        body = wrapping.make(told, others, draws)
    else:
        body = _laid_out(place.group, told, draws)
    if body is None:
        return None
    entries = tuple(Entry(line.text, line.number, line.date) for line in told.lines)
    reordered = wrapping is not None and wrapping.sorts
    altered = Altered(tuple(sorted(entries, key=_number)) if reordered else entries, ())
    what = reason(told.qa, altered, told.qa.order_required, True, draws)
    return _labelled(place, told, body, (), what, altered.inversion is not None, draws)


def _number(entry: Entry) -> int:
    return -1 if entry.number is None else entry.number


_HEADED = ("month heading", "year headings")


def _laid_out(name: str, told: Telling, draws: Draws) -> str | None:
    if told.logical:
        if name == "split":
            body = step_layouts.split(told, draws)
            return body if "，" in "".join(line.text for line in told.lines) else None
        return step_layouts.STEP_LAYOUTS[name](told, draws)
    return layouts.LAYOUTS[name](told, draws) if layouts.fits(name, told) else None


def _wrong(
    place: HarderPlace, told: Telling, others: Sequence[QAItem], draws: Draws
) -> Labelled | None:
    fault = _faults(place.pipeline)[place.group](told, others, draws)
    if fault is None:
        return None
    faulty = told.with_lines(fault.lines)
    if not draws.below(6):
        faulty = retell(faulty, fault.touched, draws)
    names = groups(place.pipeline, place.lang, True)
    name = draws.choice([one for one in names if one not in WRAPPINGS and one != "split"])
    body = _laid_out(name, faulty, draws)
    if body is None:
        return None
    shuffled = False
    if not told.qa.order_required and name not in _HEADED and not draws.below(3):
        faulty = faulty.with_lines(draws.shuffled(faulty.lines))
        body, shuffled = _laid_out(name, faulty, draws) or body, True
    body = _around(body, told, fault, draws)
    end = "The answer is incorrect." if place.lang == "en" else "因此回答错误。"
    what = f"{fault.what} {end}" if place.lang == "en" else fault.what + end
    return _labelled(place, told, body, fault.modes, what, shuffled, draws)


def _around(body: str, told: Telling, fault: Fault, draws: Draws) -> str:
    """What stands before and behind a faulty answer: at times a right draft, or a remark."""
    if fault.closing:
        return f"{body}\n{fault.closing}"
    which = draws.below(10)
    if which == 0:
        return after_draft(body, told.lines, told, draws)
    if which in (1, 2):
        return with_remarks(body, told, draws)
    return body


def _labelled(
    place: HarderPlace,
    told: Telling,
    body: str,
    modes: tuple[FailureMode, ...],
    what: str,
    shuffled: bool,
    draws: Draws,
) -> Labelled:
    qa = told.qa
    kind = "layout" if place.correct else "fault"
    return Labelled(
        id="",
        case=case_of(qa, "logical" if told.logical else "temporal", body),
        correct=place.correct,
        failure_modes=modes,
        order_required=qa.order_required,
        group=f"{kind}: {place.group}",
        shuffled=shuffled or FailureMode.WRONG_ORDER in modes,
        reason=what,
        order_reason=""
        if told.logical
        else order_reason(qa.question, qa.lang, qa.order_required, draws),
    )
