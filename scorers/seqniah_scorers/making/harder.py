"""The harder set: right answers in layouts of every kind, and the same with one subtle fault."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_datasets.schema import LANGS, Lang, Pipeline, QAItem
from seqniah_scorers.labelled import Labelled
from seqniah_scorers.making import faults, layouts
from seqniah_scorers.making.item_faults import Fault, Maker
from seqniah_scorers.making.perturb import Altered, reason
from seqniah_scorers.making.telling import Draws, Retold, Telling, telling
from seqniah_scorers.making.training import MIX, Part, apportion, labelled
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
        return list(_FAULTS[pipeline])
    if pipeline is Pipeline.REAL_LOGICAL:
        plain = list(layouts.STEP_LAYOUTS)
    else:
        # A diary is of one month; events between two parties lie years apart.
        diary = pipeline is Pipeline.SYNTHETIC_TEMPORAL
        unfit = ("year headings",) if diary else ("month heading", "no year")
        plain = [name for name in layouts.LAYOUTS if name not in unfit]
    wrapped = [name for name, one in WRAPPINGS.items() if pipeline in one.pipelines]
    split = ["split"] if pipeline is Pipeline.REAL_LOGICAL and lang == "zh" else []
    again = [name for name in wrapped if name in _THRICE]
    return [*plain, *wrapped, *split, *again, *again]


_FAULTS: dict[Pipeline, dict[str, Maker]] = {
    Pipeline.SYNTHETIC_TEMPORAL: faults.DIARY_FAULTS,
    Pipeline.REAL_TEMPORAL: faults.EVENT_FAULTS,
    Pipeline.REAL_LOGICAL: faults.STEP_FAULTS,
}


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
    kind, answer = ("layout", _right) if place.correct else ("fault", _wrong)
    for _ in range(_TRIES):
        qa, retold, others = lend()
        made = answer(place, telling(qa, retold), others, draws)
        if made is not None:
            return labelled(id, qa, f"{kind}: {place.group}", *made, draws)
    raise ValueError(f"no question allows {place}")


_Answer = tuple[str, tuple[FailureMode, ...], str, bool]
"""What it says, what is wrong with it, why, and whether it is out of order."""


def _right(
    place: HarderPlace, told: Telling, others: Sequence[QAItem], draws: Draws
) -> _Answer | None:
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
    lines = told.lines
    if wrapping is not None and wrapping.sorts:
        lines = telling(told.qa, ()).lines
    altered = Altered(lines, ())
    return body, (), reason(told.qa, altered, draws), altered.inversion is not None


_HEADED = ("month heading", "year headings")


def _laid_out(name: str, told: Telling, draws: Draws) -> str | None:
    if name == "split":
        body = layouts.split(told, draws)
        return body if "，" in "".join(line.text for line in told.lines) else None
    if told.logical:
        return layouts.STEP_LAYOUTS[name](told, draws)
    return layouts.LAYOUTS[name](told, draws) if layouts.fits(name, told) else None


def _wrong(
    place: HarderPlace, told: Telling, others: Sequence[QAItem], draws: Draws
) -> _Answer | None:
    fault = _FAULTS[place.pipeline][place.group](told, others, draws)
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
    shuffled = FailureMode.WRONG_ORDER in fault.modes
    if not told.qa.order_required and name not in _HEADED and not draws.below(3):
        faulty = faulty.with_lines(draws.shuffled(faulty.lines))
        body, shuffled = _laid_out(name, faulty, draws) or body, True
    end = " The answer is incorrect." if place.lang == "en" else "因此回答错误。"
    return _around(body, told, fault, draws), fault.modes, fault.what + end, shuffled


def _around(body: str, told: Telling, fault: Fault, draws: Draws) -> str:
    """What stands before and behind a faulty answer: at times a right draft, or a remark."""
    if fault.closing:
        return f"{body}\n{fault.closing}"
    which = draws.below(10)
    if which == 0:
        return after_draft(body, told.lines, told, draws)
    return with_remarks(body, told, draws) if which < 3 else body
