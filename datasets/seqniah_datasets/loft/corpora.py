"""Corpora of any length from one source, each within longer ones (arXiv 2406.13121, section 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, islice

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.schema import Kind, Passage, Query, Source, Split
from seqniah_datasets.tokens import Tokenizer

SHARE = 0.9
"""Of a length, what candidates may fill."""

MOST_SOUGHT = 100_000
"""Examples among which those of each class are sought."""

Formatted = Callable[[Passage, str], str]
"""A candidate as prompts have it, with its line break, from its passage and its id."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What prompts of one length hold, and what is asked over it."""

    source: Source
    passages: Mapping[str, Passage]
    """In their order; a prompt's id is the rank, from 0."""
    queries: Mapping[Split, tuple[Query, ...]]
    """Of the splits that there are at this length."""
    tokens: int | None = None
    """Of all formatted candidates; None where they were not counted (SQL's stand by database)."""
    remarks: tuple[str, ...] = ()
    """What a user should know of it, a sentence each."""


class Counts:
    """Tokens of candidates that stand in a row: those of each, whatever its id, are added up.

    Exact for tokenizers that part text at line breaks and numbers.
    """

    def __init__(self, formatted: Formatted, tokenizer: Tokenizer) -> None:
        self._formatted, self._count = formatted, tokenizer.count
        self.more = lru_cache(maxsize=None)(self._more)

    def of(self, one: Passage) -> int:
        """Of a candidate with an id of one digit."""
        return self._count(self._formatted(one, "0"))

    def _more(self, digits: int) -> int:
        """What an id of so many digits has beyond one of a single digit."""
        one = Passage("", "a", "a")
        long = self._count(self._formatted(one, "1" * digits))
        return long - self._count(self._formatted(one, "0"))


def build(source: Source, length: int, formatted: Formatted, tokenizer: Tokenizer) -> Corpus:
    """The corpus of a length in tokens. Raises `SeqniahError` where golds alone are too long."""
    if source.kind == "sql":
        return _databases(source, length, formatted, tokenizer)
    counts, budget = Counts(formatted, tokenizer), int(SHARE * length)
    if source.kind == "icl":
        base, rest = _examples(source)
        queries = source.queries
    else:
        base, queries = _base(source, counts, budget)
        rest = source.filler()
    spent = _spent(base, counts)
    if spent > budget:
        raise SeqniahError(
            f"The golds of {source.name} are {spent:,} tokens, more than {budget:,}, nine tenths "
            f"of the length {length:,}; give a longer one."
        )
    filled, ran_out, spent = _filled(base, rest, counts, spent, budget)
    if not tokenizer.exact_cuts:
        spent = _trimmed(filled, len(base), formatted, tokenizer, budget)
    order = rng.stream("loft", "order", source.digest, length).shuffled(filled)
    return Corpus(
        source,
        {one.pid: one for one in order},
        queries,
        spent,
        tuple(_remarks(source, queries, order, length, budget, ran_out, spent)),
    )


def _spent(base: Sequence[Passage], counts: Counts) -> int:
    return sum(counts.of(one) + counts.more(len(str(rank))) for rank, one in enumerate(base))


def _base(
    source: Source, counts: Counts, budget: int
) -> tuple[list[Passage], Mapping[Split, tuple[Query, ...]]]:
    """The golds that are in the corpus in any case, and the splits whose golds are."""
    queries: dict[Split, tuple[Query, ...]] = {
        name: found for name, found in source.queries.items() if name != "test"
    }
    least = golds(source.kind, chain(*queries.values()))
    if test := source.queries.get("test", ()):
        whole = least | golds(source.kind, test)
        if _spent(_passages(source, whole), counts) <= budget:
            return _passages(source, whole), source.queries
    return _passages(source, least), queries


def golds(kind: Kind, queries: Iterable[Query]) -> dict[str, None]:
    """Ids of what queries are answered from, in order; of retrieval the answers too."""
    found: dict[str, None] = {}
    for query in queries:
        for turn in (*query.golds, *(query.answers if kind == "retrieval" else ())):
            found |= dict.fromkeys(turn)
    return found


def _passages(source: Source, pids: Mapping[str, None]) -> list[Passage]:
    if lost := [pid for pid in pids if pid not in source.passages]:
        raise SeqniahError(f"{source.name} lacks the passage {lost[0]!r}, a gold of its queries.")
    return [source.passages[pid] for pid in pids]


def _examples(source: Source) -> tuple[list[Passage], Iterator[Passage]]:
    """One example of each class that is asked for, and all others in their order."""
    asked = (query.answers[0] for split in source.queries.values() for query in split)
    wanted = {" ".join(map(str, answer)) for answer in asked}
    pool = chain(source.passages.values(), source.filler())
    first: dict[str, Passage] = {}
    others: list[Passage] = []
    for one in islice(pool, MOST_SOUGHT):
        if one.title in wanted and one.title not in first:
            first[one.title] = one
        else:
            others.append(one)
        if len(first) == len(wanted):
            break
    return list(first.values()), chain(others, pool)


def _filled(
    base: Sequence[Passage], rest: Iterator[Passage], counts: Counts, spent: int, budget: int
) -> tuple[list[Passage], bool, int]:
    """Base and fill, up to the first passage for which there is no room; whether there was none."""
    found = {one.pid: one for one in base}
    for one in rest:
        if one.pid in found:
            raise SeqniahError(f"The passage {one.pid!r} is filler and gold, or comes twice.")
        tokens = counts.of(one) + counts.more(len(str(len(found))))
        if spent + tokens > budget:
            return list(found.values()), False, spent
        found[one.pid] = one
        spent += tokens
    return list(found.values()), True, spent


def _trimmed(
    filled: list[Passage], least: int, formatted: Formatted, tokenizer: Tokenizer, budget: int
) -> int:
    """Drop the last of the fill until all of it fits, where single counts do not add up."""
    while True:
        whole = "".join(formatted(one, str(rank)) for rank, one in enumerate(filled))
        spent = tokenizer.count(whole)
        if spent <= budget or len(filled) == least:
            return spent
        over = max(1, (spent - budget) * len(filled) // spent)
        del filled[max(least, len(filled) - over) :]


def _remarks(
    source: Source,
    queries: Mapping[Split, tuple[Query, ...]],
    order: Sequence[Passage],
    length: int,
    budget: int,
    ran_out: bool,
    spent: int,
) -> Iterator[str]:
    if "test" in source.queries and "test" not in queries:
        yield (
            f"{source.name} has no test split at {length:,} tokens: the golds of all queries are "
            f"more than {budget:,}, nine tenths of it."
        )
    if ran_out:
        yield (
            f"{source.name} has no more passages: the corpus has {spent:,} of {budget:,} tokens."
        )
    every = Counter(
        gold for split in queries.values() for query in split for gold in {*chain(*query.golds)}
    )
    if shared := sum(count > 1 for count in every.values()):
        yield f"{shared:,} golds of {source.name} are golds of several queries."
    texts = Counter((one.title, one.text) for one in order)
    if twice := sum(count - 1 for count in texts.values()):
        yield f"{twice:,} candidates of {source.name} have the very words of another one."


def _databases(source: Source, length: int, formatted: Formatted, tokenizer: Tokenizer) -> Corpus:
    """The largest databases that are within the budget as a whole, and the queries over them."""
    every = [query for split in source.queries.values() for query in split]
    tables: dict[str, dict[str, None]] = {}
    for query in every:
        tables.setdefault(query.database, {}).update(golds("sql", [query]))
    budget, sizes = int(SHARE * length), {}
    for name, pids in tables.items():
        # Tables are parted by an empty line.
        text = "\n".join(formatted(one, "0") for one in _passages(source, pids))
        sizes[name] = tokenizer.count(text)
    fitting = {name: size for name, size in sizes.items() if size <= budget}
    if not fitting:
        raise SeqniahError(
            f"No database of {source.name} is within {budget:,} tokens, nine tenths of the length "
            f"{length:,}; the smallest has {min(sizes.values(), default=0):,}."
        )
    most = max(fitting.values())
    chosen = {name for name, size in fitting.items() if 2 * size >= most}

    def whole(query: Query) -> Query:
        return replace(query, golds=(tuple(tables[query.database]),) * len(query.turns))

    queries = {
        split: tuple(whole(one) for one in found if one.database in chosen)
        for split, found in source.queries.items()
    }
    used = dict.fromkeys(pid for name in chosen for pid in tables[name])
    return Corpus(
        source,
        {pid: one for pid, one in source.passages.items() if pid in used},
        {split: found for split, found in queries.items() if found},
    )
