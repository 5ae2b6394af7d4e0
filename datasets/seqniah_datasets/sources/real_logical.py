"""Real-logical questions: the steps of an authored procedure, in strict order (paper, 3.1.3).

A procedure belongs to one split; its slots make variants, of which test takes at most four. Each
step stands in a sentence that carries the subject and tells no number; order is always demanded.

A procedure says of each step what it needs and what it makes. Only such steps are told together
that each needs something which the one before it makes: then they have one order, and no other.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, Needle, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import lures, tables
from seqniah_datasets.sources.base import Demand, Source, Ticket
from seqniah_datasets.sources.wording import INTROS, LEADS, QUESTIONS, capital

VERSION = 2
"""Of this source; any change of its bytes raises it."""

MOST_IN_TEST = 4
"""Variants of one procedure among the test samples of a language."""

_SHARES: dict[Split, tuple[int, int]] = {"test": (0, 8), "dev": (8, 11), "train": (11, 20)}
"""Each split's part of all procedures, in twentieths; test takes only four of each."""

SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a procedure."""

    text: str
    """What is done, as a verb phrase with slots; fits behind every lead of its language."""
    needs: frozenset[str]
    """States that it visibly requires, each made by an earlier step; labels that nobody sees."""
    makes: frozenset[str]
    """States that it leaves behind."""
    optional: bool
    """Whether the procedure is whole without it."""


@dataclass(frozen=True, slots=True)
class Procedure:
    """Steps in their order."""

    id: str
    lang: Lang
    subject: str
    """The undertaking as a verb phrase with slots, e.g. "repot {plant}"."""
    gerund: str
    """The same as a gerund; in Chinese the same as `subject`."""
    steps: tuple[Step, ...]
    slots: dict[str, tuple[str, ...]]
    chains: tuple[tuple[int, ...], ...]
    """By step, and by how many are told from it on: the ways to go on to the end, each step
    linked to the one before it, none left out that is not optional."""

    def ways(self, count: int) -> list[tuple[int, int]]:
        """The steps with which `count` of them may begin, and in how many ways each."""
        return self._onward(-1, count)

    def told(self, count: int, draws: Stream) -> list[Step]:
        """`count` of the steps in their order, drawn from all such choices with one order alone."""
        chosen: list[int] = []
        while len(chosen) < count:
            last = chosen[-1] if chosen else -1
            onward = self._onward(last, count - len(chosen))
            pick = draws.below(sum(ways for _, ways in onward))
            for step, ways in onward:
                if pick < ways:
                    chosen.append(step)
                    break
                pick -= ways
        return [self.steps[number] for number in chosen]

    def _onward(self, last: int, count: int) -> list[tuple[int, int]]:
        """Steps that may follow the last one told, -1 for none, with `count` still to be told."""
        return [(step, self.chains[step][count]) for step in _followers(self.steps, last)]

    @property
    def fewest(self) -> int:
        """Steps that are told at least, 3 or more."""
        counts = range(3, len(self.steps) + 1)
        return next(n for n in counts if any(ways for _, ways in self.ways(n)))

    @property
    def variants(self) -> int:
        """Different subjects that its slots make."""
        return prod(len(self.slots[name]) for name in self.subject_slots)

    @property
    def subject_slots(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(SLOT.findall(self.subject)))


@lru_cache(maxsize=2)
def procedures(lang: Lang) -> tuple[Procedure, ...]:
    """The authored procedures of a language, in an order that never changes."""
    found = [
        _procedure(raw, lang)
        for name in tables.names(f"procedures/{lang}")
        for raw in tables.table(name)["procedure"]
    ]
    return tuple(sorted(found, key=lambda one: rng.digest("procedure", lang, one.id)))


def _procedure(raw: dict[str, Any], lang: Lang) -> Procedure:
    steps = tuple(
        Step(
            one["does"],
            frozenset(one.get("needs", ())),
            frozenset(one.get("makes", ())),
            one.get("optional", False),
        )
        for one in raw["steps"]
    )
    subject = raw["infinitive"] if lang == "en" else raw["subject"]
    slots = {name: tuple(values) for name, values in raw["slots"].items()}
    gerund = raw.get("gerund", subject)
    return Procedure(raw["id"], lang, subject, gerund, steps, slots, _chains(steps))


def _followers(steps: Sequence[Step], last: int) -> Iterator[int]:
    """Steps that may be told right after the last one, -1 for the beginning."""
    for step in range(last + 1, len(steps)):
        if last < 0 or steps[last].makes & steps[step].needs:
            yield step
        if not steps[step].optional:
            return


def _chains(steps: Sequence[Step]) -> tuple[tuple[int, ...], ...]:
    """See `Procedure.chains`."""
    found = [[0] * (len(steps) + 1) for _ in steps]
    for step in reversed(range(len(steps))):
        if all(one.optional for one in steps[step + 1 :]):
            found[step][1] = 1
        for after in _followers(steps, step):
            for count, ways in enumerate(found[after][:-1]):
                found[step][count + 1] += ways
    return tuple(map(tuple, found))


@lru_cache(maxsize=8)
def of_split(lang: Lang, split: Split) -> tuple[Procedure, ...]:
    """The procedures of a split, whatever the seed."""
    everything = procedures(lang)
    low, high = (len(everything) * share // 20 for share in _SHARES[split])
    return everything[low:high]


class AuthoredProcedures(Source):
    """The source; its bank serves the published quotas of all splits."""

    pipeline = Pipeline.REAL_LOGICAL
    name = "authored-procedures"

    def basis(self) -> list[rng.Key]:
        banks = [name for lang in LANGS for name in tables.names(f"procedures/{lang}")]
        return [VERSION, repr((LEADS, QUESTIONS, INTROS)), *map(tables.text, banks)]

    def allot(self, demand: Demand) -> tuple[Sequence[Ticket | None], int]:
        bank = of_split(demand.lang, demand.split)
        most = MOST_IN_TEST if demand.split == "test" and not demand.reuse else None
        draws = rng.stream("real-logical", VERSION, demand.lang, demand.split, demand.seed)
        return share_out(bank, demand.wishes, draws, most), 0

    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        number, which, count = ticket
        lang, split = demand.lang, demand.split
        procedure = of_split(lang, split)[number]
        key = (VERSION, lang, split, serial, count, demand.seed, procedure.id)
        draws = rng.stream("real-logical", *key)
        words = _words(procedure, which, demand, draws)
        subject, gerund = _fill(procedure.subject, words), _fill(procedure.gerund, words)
        slots = {"subject": subject, "gerund": gerund}
        question = draws.choice(QUESTIONS[lang]).format(**slots)
        intro = draws.choice(INTROS[lang]).format(**slots)
        needles: list[Needle] = []
        for step in procedure.told(count, draws):
            text = _fill(step.text, words)
            told = draws.choice(LEADS[lang]).pattern.format(step=text, **slots)
            needles.append(Needle(capital(told), capital(text), text, None))
        return QAItem(
            lang=lang,
            pipeline=self.pipeline,
            subject=subject,
            question=capital(question),
            intro=capital(intro),
            needles=tuple(needles),
            order_required=True,
        )

    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        number, which, _ = ticket
        procedure = of_split(demand.lang, demand.split)[number]
        draws = lures.stream("real-logical", demand, serial)
        # Which of the subject's variants it is hangs on no draw, so this is the item's subject.
        words = _words(procedure, which, demand, draws)
        subject, gerund = _fill(procedure.subject, words), _fill(procedure.gerund, words)
        return lures.authored("remarks", demand.lang, subject, draws, gerund=gerund)


def share_out(
    bank: Sequence[Procedure], wishes: Sequence[Wish], draws: Stream, most: int | None
) -> list[Ticket | None]:
    """A variant for each wish, none of them twice, all procedures used about equally often.

    It is the procedure's number in its split, the variant's, and how many steps are told. The
    wishes that fewest procedures can meet choose first; where none has the wished number of steps,
    another number of its needle group is told.
    """
    limits = [min(one.variants, most or one.variants) for one in bank]
    spans = [(one.fewest, len(one.steps)) for one in bank]
    widths = [high - low for low, high in spans]
    order = draws.shuffled(range(len(bank)))
    used = [0] * len(bank)
    given: list[Ticket | None] = [None] * len(wishes)
    able = Counter(n for low, high in spans for n in range(low, high + 1))
    for serial in sorted(range(len(wishes)), key=lambda serial: able[wishes[serial].needles]):
        wish = wishes[serial]
        counts = sorted(
            range(wish.group.low, wish.group.high + 1), key=lambda one: abs(one - wish.needles)
        )
        for needles in counts:
            fit = [
                number
                for number in order
                if spans[number][0] <= needles <= spans[number][1] and used[number] < limits[number]
            ]
            if fit:
                # The one used least; among equals the one that can serve the fewest others.
                number = min(fit, key=lambda number: (used[number], widths[number]))
                given[serial] = (number, used[number], needles)
                used[number] += 1
                break
    return given


def _words(procedure: Procedure, which: int, demand: Demand, draws: Stream) -> dict[str, str]:
    """What the slots stand for in variant `which`: a subject of its own, and drawn details."""
    walk = rng.walk(procedure.variants, "variants", procedure.id, demand.split, demand.seed)
    spot = walk(which)
    words: dict[str, str] = {}
    for name in procedure.subject_slots:
        spot, value = divmod(spot, len(procedure.slots[name]))
        words[name] = procedure.slots[name][value]
    for name, values in procedure.slots.items():
        if name not in words:
            words[name] = draws.choice(values)
    return words


def _fill(text: str, words: dict[str, str]) -> str:
    return SLOT.sub(lambda found: words[found[1]], text)
