"""The gazetteer as tables: databases of several sizes, and questions whose SQL is known.

A database is a small world that is whole: nearly all that its tables name has a row.
"""

from __future__ import annotations

import csv
import io
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from itertools import product
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from seqniah_datasets import rng
from seqniah_datasets.atlas.made import ALL, Made, splits
from seqniah_datasets.atlas.wording import table
from seqniah_datasets.encyclopaedia import names
from seqniah_datasets.encyclopaedia.entities import SIZES, Entity, Ref, World
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.loft import sandbox
from seqniah_datasets.loft.schema import Passage, Query, Split

UNITS: Mapping[str, int] = MappingProxyType(
    {"8k": 9, "16k": 19, "32k": 38, "64k": 77, "128k": 155, "256k": 310, "512k": 620, "1m": 1_240}
)
"""Of the entities of the databases made for a length: their tables fill most of it."""

_TOKENS: Mapping[str, int] = MappingProxyType(
    {name: int(name[:-1]) * {"k": 1_000, "m": 1_000_000}[name[-1]] for name in UNITS}
)
"""Of the lengths."""

USUAL = (8_000, 32_000, 128_000)
"""Lengths whose databases are made unless others are asked for: the five shortest."""

MOST_ROWS = 12
"""Of an answer."""

_SPARE = 3
"""So many times more questions are tried than are kept: some have no answer, or too long a one."""


class Drafted(NamedTuple):
    """A question or conversation before its SQL is run."""

    turns: tuple[str, ...]
    sql: tuple[str, ...]


def fitting(lengths: Sequence[int]) -> tuple[str, ...]:
    """The lengths of `UNITS` whose databases corpora of these lengths may hold.

    A tokenizer that counts many tokens may have room for no more than the second longest.
    """
    wanted: set[str] = set()
    for length in lengths:
        within = [name for name, tokens in _TOKENS.items() if tokens <= length]
        wanted.update(within[-2:] or ["8k"])
    return tuple(name for name in UNITS if name in wanted)


def made(seed: int, names: Sequence[str]) -> Made:
    """For each length two databases, and over them as many queries as data sets have."""
    queries: dict[Split, tuple[Query, ...]] = {}
    passages: dict[str, Passage] = {}
    pending: dict[str, list[Future[list[Query]]]] = {length: [] for length in names}
    # The queries on one database run in a child while the next database is written.
    with tempfile.TemporaryDirectory(prefix="seqniah-") as folder, ThreadPoolExecutor(1) as other:
        for length, schema in product(names, ("land", "letters")):
            name = f"{schema}_{length}"
            path = Path(folder, f"{name}.sqlite")
            texts = _written(path, schema, length, seed)
            golds = tuple(f"{name}/{title}" for title in texts)
            passages |= {
                pid: Passage(pid, *text) for pid, text in zip(golds, texts.items(), strict=True)
            }
            tried = drafted(path, schema, rng.stream("atlas_sql", "questions", seed, name))
            pending[length].append(other.submit(_queries, path, name, tried, golds))
        for found in pending.values():
            pairs = zip(*(one.result() for one in found), strict=True)
            for split, part in splits([one for pair in pairs for one in pair]).items():
                queries[split] = (*queries.get(split, ()), *part)
    return Made(queries, passages, lambda: iter(()))


def _written(path: Path, schema: str, length: str, seed: int) -> dict[str, str]:
    """Write a database; its tables as CSV, by name."""
    told = table("sql.toml")[schema]
    sizes = {Kind(kind): share * UNITS[length] for kind, share in told["shares"].items()}
    sizes = {kind: max(sizes.get(kind, SIZES[kind]), _LEAST.get(kind, 1)) for kind in SIZES}
    own = int.from_bytes(rng.digest("atlas_sql", seed, schema, length)[:6], "big")
    world = World(own, sizes)
    texts = {}
    with sqlite3.connect(path) as base:
        base.execute("PRAGMA synchronous = OFF")  # the file is for this process alone
        for name, (kind, columns) in told["tables"].items():
            # In an order of names, as numbers tell generations.
            every = [world.entity(Ref(Kind(kind), number)) for number in range(sizes[Kind(kind)])]
            rows = sorted([_cell(world, one, what) for _, what in columns] for one in every)
            heads = [head for head, _ in columns]
            types = ["TEXT" if isinstance(cell, str) else "INTEGER" for cell in rows[-1]]
            told_columns = ", ".join(map(" ".join, zip(heads, types, strict=True)))
            base.execute(f"CREATE TABLE {name} ({told_columns})")
            base.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(heads))})", rows)
            texts[name] = _csv([heads, *rows])
    base.close()
    return texts


_LEAST = {Kind.INSTITUTION: 40, Kind.PERSON: 8}
"""Each generation and sort is to be there."""


def _cell(world: World, entity: Entity, what: str) -> str | int | None:
    if what == "name":
        return entity.name.title
    if what in entity.figures:
        return entity.figures[what]
    ref = entity.facts.get(what)
    return _title(world.seed, ref) if ref else None


@lru_cache(maxsize=4_096)
def _title(seed: int, ref: Ref) -> str:
    """What an entity is called, which need not be known otherwise."""
    return names.named(ref.kind, names.words(seed, *ref)).title


def _csv(rows: Sequence[Sequence[Any]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue().rstrip("\n")


def _queries(
    path: Path, name: str, tried: Sequence[Drafted], golds: tuple[str, ...]
) -> list[Query]:
    """As many as half a data set has, over one database."""
    answers = iter(sandbox.all_rows(path, [sql for one in tried for sql in one.sql]))
    found: list[Query] = []
    for one in tried:
        turns = [next(answers) for _ in one.sql]
        if len(found) <= ALL // 2 and all(map(_fits, turns)):
            rows = tuple([list(row) for row in turn] for turn in turns)
            qid = f"{name}-{len(found):02d}"
            found.append(Query(qid, one.turns, rows, (golds,) * len(turns), name))
    return found


def _fits(rows: Sequence[Sequence[Any]]) -> bool:
    return 1 <= len(rows) <= MOST_ROWS and all(cell is not None for row in rows for cell in row)


def drafted(path: Path, schema: str, draws: rng.Stream) -> list[Drafted]:
    """More questions than are kept, each pattern in turn."""
    return list(dict.fromkeys(_drafted(path, schema, draws)))


def _drafted(path: Path, schema: str, draws: rng.Stream) -> Iterator[Drafted]:
    base = sqlite3.connect(path)
    base.row_factory = sqlite3.Row
    patterns = [
        (one, [dict(row) for row in base.execute(one["draw"])] if "draw" in one else [{}])
        for one in table("sql.toml")[schema]["questions"]
    ]
    base.close()
    for number in range(ALL * _SPARE // 2):
        if number % len(patterns) == 0:
            patterns = draws.shuffled(patterns)
        pattern, values = patterns[number % len(patterns)]
        if values:
            drawn = draws.choice(values)
            yield Drafted(
                tuple(turn.format(**drawn) for turn in pattern["turns"]),
                tuple(sql.format(**drawn) for sql in pattern["sql"]),
            )
