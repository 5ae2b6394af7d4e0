"""A finite pool of chronicles: which split each belongs to, and which run each sample gets."""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, LureKind, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import actors, chronicles, feg, icews, lures, tables
from seqniah_datasets.sources.base import Allotted, Demand, Ticket
from seqniah_datasets.sources.chronicles import FEWEST, MOST, Chronicle, Fact, tell, tell_lure
from seqniah_datasets.sources.divide import divide
from seqniah_datasets.sources.event_questions import EVENT_QUESTIONS
from seqniah_datasets.sources.files import digest_of

VERSION = 1
"""Of this source; any change of its bytes raises it."""

_READERS = {".tsv": icews.read, ".jsonl": feg.read}
"""File suffix to reader of chronicles."""

_AMPLE = 1.1
"""Chronicles that test and dev get for each sample, so that every needle group can be met."""

_FAR = 365
"""Days from the time asked about beyond which a lure comes last."""

Run = tuple[int, int, int]
"""Some neighbouring facts: number of the chronicle, first fact, how many."""

_Rival = tuple[bool, Sequence[Fact]]
"""Facts to make lures of, and whether they are harder to tell apart from what is asked for."""


class EventPool:
    """`tkg=PATHS`: ICEWS as tab-separated lines and FEG as JSON lines."""

    pipeline = Pipeline.REAL_TEMPORAL

    def __init__(self, paths: Sequence[Path]) -> None:
        """Raises `SeqniahError` when a file is not there or of another kind; reads none yet."""
        for path in paths:
            if path.suffix.lower() not in _READERS:
                raise SeqniahError(
                    f"{path} is no temporal knowledge graph; give ICEWS as .tsv (subject, "
                    "relation, object, ISO date) and FEG as .jsonl."
                )
            if not path.is_file():
                raise SeqniahError(f"The temporal knowledge graph {path} is not there.")
        self._paths = tuple(paths)
        self.name = "+".join(path.name for path in paths)

    @cached_property
    def digest(self) -> str:
        banks = [f"relations/{lang}.toml" for lang in LANGS]
        banks += ["names/roles_en.toml", "names/places_en.toml"]
        banks += ["names/roles_zh.toml", "names/actors_zh.toml", "names/nations.toml"]
        files = [digest_of(path) for path in self._paths]
        words = (chronicles.VERSION, repr(EVENT_QUESTIONS), *feg.PHRASINGS)
        return rng.digest(VERSION, *words, *files, *map(tables.text, banks)).hex()

    @cached_property
    def chronicles(self) -> tuple[Chronicle, ...]:
        """All with three dates or more; raises `SeqniahError`, naming file and line."""
        found: list[Chronicle] = []
        for suffix, read in _READERS.items():
            # Together, as a graph may come in several files.
            found += read([path for path in self._paths if path.suffix.lower() == suffix])
        return tuple(chronicle for chronicle in found if len(chronicle.facts) >= FEWEST)

    @cached_property
    def split_of(self) -> dict[str, Split]:
        """The split of each chronicle's key, whatever the seed."""
        served = ((one.key, one.lang, min(len(one.facts), MOST)) for one in self.chronicles)
        return divide(served, self.pipeline, _AMPLE)

    def supply(self, demand: Demand) -> Allotted[Run]:
        """See `Source.supply`; where the pool is used up there is nothing for a sample."""
        mine = [
            number
            for number, one in enumerate(self.chronicles)
            if one.lang == demand.lang and self.split_of[one.key] == demand.split
        ]
        draws = rng.stream("event-pool", VERSION, demand.lang, demand.split, demand.seed)
        pool = {number: len(self.chronicles[number].facts) for number in draws.shuffled(mine)}
        runs, reused = allot(pool, demand.wishes, reuse=demand.reuse)
        tickets = [None if run is None else Ticket(run, run[2]) for run in runs]
        return Allotted(
            tickets,
            lambda run, serial: self._item(demand, run, serial),
            reused,
            lambda run, serial: self._lures(demand, run, serial),
        )

    def _item(self, demand: Demand, run: Run, serial: int) -> QAItem:
        number, first, count = run
        chronicle = self.chronicles[number]
        key = ("real-temporal", VERSION, demand.lang, demand.split, serial, count, demand.seed)
        return tell(chronicle, chronicle.facts[first : first + count], rng.stream(*key))

    def _lures(self, demand: Demand, run: Run, serial: int) -> tuple[Lure, ...]:
        """Of a pair what one side dealt with a third; of a company what its period leaves out."""
        number, first, count = run
        chronicle = self.chronicles[number]
        asked = chronicle.facts[first : first + count]
        if chronicle.kind == "pair":
            kind, others = LureKind.OTHER_PARTY, self._beside(chronicle)
        else:
            rest = chronicle.facts[:first] + chronicle.facts[first + count :]
            kind, others = LureKind.OUT_OF_RANGE, [(False, (fact,)) for fact in rest]
        draws = lures.stream("event-pool", demand, serial)
        events = [needle.event for needle in self._item(demand, run, serial).needles]
        made: dict[str, Lure] = {}
        for fact in _nearest(others, asked, draws):
            lure = tell_lure(fact, chronicle.lang, kind, draws)
            if not any(event in lure.text for event in events):
                made[lure.text] = lure
            if len(made) == lures.MOST:
                break
        return tuple(draws.shuffled(list(made.values())))

    @cached_property
    def _by_side(self) -> dict[tuple[Lang, str, str], list[Chronicle]]:
        """Chronicles of pairs by language, side ("a" or "b") and name."""
        found: defaultdict[tuple[Lang, str, str], list[Chronicle]] = defaultdict(list)
        for one in self.chronicles:
            if one.kind == "pair":
                for side, name in one.names.items():
                    found[one.lang, side, name].append(one)
        return dict(found)

    def _beside(self, chronicle: Chronicle) -> list[_Rival]:
        """Those in which one party plays the same part, and a third that of the other."""
        found: list[_Rival] = []
        for side, other in (("a", "b"), ("b", "a")):
            for one in self._by_side[chronicle.lang, side, chronicle.names[side]]:
                names = one.names[other], *chronicle.names.values()
                # The two who change places; more where two actors go by one name, none where it
                # is the same pair. Sorted, as a set has no order.
                apart = sorted(set(one.key.split("\t")) ^ set(chronicle.key.split("\t")))
                if len(apart) != 2 or _alike(*names) or actors.belongs(*apart):
                    continue
                found.append((_compatriots(*apart), one.facts))
        return found


def _alike(third: str, *parties: str) -> bool:
    """Whether a text that names the third party could be taken to name one of the two."""
    name = third.casefold()
    return any(name in one.casefold() or one.casefold() in name for one in parties)


def _compatriots(one: str, other: str) -> bool:
    """Whether two actors are of one nation, so that "farmers" may be among "citizens"."""
    nations: dict[str, str] = tables.table("names/nations.toml")
    places = [nations.get(actor) or actor.rpartition(" (")[2] for actor in (one, other)]
    return places[0] == places[1]


def _nearest(others: Sequence[_Rival], asked: Sequence[Fact], draws: Stream) -> Iterator[Fact]:
    """The clearest first: no compatriots, of the same time, one of each before any second."""
    first, last = asked[0].date, asked[-1].date
    ranked: list[tuple[bool, bool, int, int, float, Fact]] = []
    for kin, facts in others:
        away = sorted(
            (max(0, (first - fact.date).days, (fact.date - last).days), draws.random(), place)
            for place, fact in enumerate(facts)
        )
        for turn, (days, tie, place) in enumerate(away):
            ranked.append((kin, days > _FAR, turn, days, tie, facts[place]))
    return (fact for *_, fact in sorted(ranked, key=lambda one: one[:5]))


def allot(
    pool: dict[int, int], wishes: Sequence[Wish], *, reuse: bool
) -> tuple[list[Run | None], int]:
    """A run for each wish, disjoint from all others, and how many had to be given twice.

    The most demanding wish chooses first and takes the shortest chronicle that serves it, an
    untouched one if there is any; what it leaves over can serve another.
    """
    fresh: defaultdict[int, deque[Run]] = defaultdict(deque)
    rests: defaultdict[int, deque[Run]] = defaultdict(deque)
    for number, facts in pool.items():
        fresh[facts].append((number, 0, facts))
    longest = max(pool.values(), default=0)
    given: list[Run | None] = [None] * len(wishes)
    for serial in sorted(range(len(wishes)), key=lambda serial: -wishes[serial].needles):
        wish = wishes[serial]
        run = _take(fresh, rests, wish, longest)
        if run is None:
            continue
        number, first, facts = run
        count = min(wish.needles, facts)
        given[serial] = (number, first, count)
        if facts - count >= FEWEST:
            rests[facts - count].append((number, first + count, facts - count))
    return given, _give_again(given, pool, wishes) if reuse else 0


def _take(
    fresh: dict[int, deque[Run]], rests: dict[int, deque[Run]], wish: Wish, longest: int
) -> Run | None:
    """The shortest run of the wished length or more; else the longest of its needle group."""
    for sizes in (
        range(wish.needles, longest + 1),
        range(wish.needles - 1, wish.group.low - 1, -1),
    ):
        for runs in (fresh, rests):
            for size in sizes:
                if runs.get(size):
                    return runs[size].popleft()
    return None


def _give_again(given: list[Run | None], pool: dict[int, int], wishes: Sequence[Wish]) -> int:
    """Fill the gaps from the pool once more, each chronicle as rarely as can be."""
    used: Counter[int] = Counter()
    for serial, wish in enumerate(wishes):
        if given[serial] is not None:
            continue
        fit = [number for number, facts in pool.items() if facts >= wish.group.low]
        if fit:
            number = min(fit, key=lambda number: used[number])
            used[number] += 1
            given[serial] = (number, 0, min(wish.needles, pool[number]))
    return used.total()
