"""A finite pool of chronicles: which split each belongs to, and which run each sample gets."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import LANGS, Lang, Lure, LureKind, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import actors, chronicles, feg, icews, lures, tables
from seqniah_datasets.sources.base import Demand, Source, Ticket, divide, give_again
from seqniah_datasets.sources.chronicles import FEWEST, MOST, Chronicle, Fact, tell, tell_lure
from seqniah_datasets.sources.files import digest_of
from seqniah_datasets.sources.wording import EVENT_QUESTIONS

VERSION = 2
"""Of this source; any change of its bytes raises it."""

_READERS = {".tsv": icews.read, ".jsonl": feg.read}
"""File suffix to reader of chronicles."""

_AMPLE = 1.1
"""Chronicles that test and dev get for each sample, so that every needle group can be met."""

_FAR = 365
"""Days from the time asked about beyond which a lure comes last."""

_Rival = tuple[bool, Sequence[Fact]]
"""Facts to make lures of, and whether they are harder to tell apart from what is asked for."""


class EventPool(Source):
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

    def basis(self) -> list[rng.Key]:
        banks = [f"relations/{lang}.toml" for lang in LANGS]
        banks += ["names/roles_en.toml", "names/places_en.toml"]
        banks += ["names/roles_zh.toml", "names/actors_zh.toml", "names/nations.toml"]
        files = [digest_of(path) for path in self._paths]
        words = (chronicles.VERSION, repr(EVENT_QUESTIONS), *feg.PHRASINGS)
        return [VERSION, *words, *files, *map(tables.text, banks)]

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

    def allot(self, demand: Demand) -> tuple[Sequence[Ticket | None], int]:
        mine = [
            (number, len(one.facts))
            for number, one in enumerate(self.chronicles)
            if one.lang == demand.lang and self.split_of[one.key] == demand.split
        ]
        draws = rng.stream("event-pool", VERSION, demand.lang, demand.split, demand.seed)
        return allot(dict(draws.shuffled(mine)), demand.wishes, reuse=demand.reuse)

    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        number, first, count = ticket
        chronicle = self.chronicles[number]
        key = ("real-temporal", VERSION, demand.lang, demand.split, serial, count, demand.seed)
        facts = chronicle.facts[first : first + count]
        return tell(chronicle, facts, demand.split, rng.stream(*key))

    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        """Of a pair what one side dealt with a third; of a company what its period leaves out."""
        number, first, count = ticket
        chronicle = self.chronicles[number]
        asked = chronicle.facts[first : first + count]
        if chronicle.kind == "pair":
            kind, others = LureKind.OTHER_PARTY, self._beside(chronicle)
        else:
            rest = chronicle.facts[:first] + chronicle.facts[first + count :]
            kind, others = LureKind.OUT_OF_RANGE, [(False, (fact,)) for fact in rest]
        draws = lures.stream("event-pool", demand, serial)
        events = [needle.event for needle in self.item(demand, serial, ticket).needles]
        made: dict[str, Lure] = {}
        for fact in _nearest(others, asked, draws):
            lure = tell_lure(fact, chronicle.lang, demand.split, kind, draws)
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
) -> tuple[list[Ticket | None], int]:
    """A run of facts for each wish, disjoint from all others, and how many had to be given twice.

    A run is a chronicle's number, its first fact, and how many. The most demanding wish chooses
    first and takes the shortest chronicle that serves it, an untouched one if there is any; what it
    leaves over can serve another.
    """
    fresh: defaultdict[int, deque[Ticket]] = defaultdict(deque)
    rests: defaultdict[int, deque[Ticket]] = defaultdict(deque)
    for number, facts in pool.items():
        fresh[facts].append((number, 0, facts))
    longest = max(pool.values(), default=0)
    given: list[Ticket | None] = [None] * len(wishes)
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
    return given, give_again(given, wishes, pool, _served) if reuse else 0


def _served(wish: Wish, facts: int) -> int:
    return min(wish.needles, facts) if facts >= wish.group.low else 0


def _take(
    fresh: dict[int, deque[Ticket]], rests: dict[int, deque[Ticket]], wish: Wish, longest: int
) -> Ticket | None:
    """The shortest run of the wished length or more; else the longest of its needle group."""
    low = wish.group.low
    for sizes in (range(wish.needles, longest + 1), range(low, wish.needles)[::-1]):
        for runs in (fresh, rests):
            for size in sizes:
                if runs.get(size):
                    return runs[size].popleft()
    return None
