"""Ready contexts in the layout of the published benchmark: a question's pile, in four orders.

A file holds those of one strategy and one size, one JSON object a line: `id` (the question's),
`docs_added` (texts by id of the document), and lists of all these ids under the names of `ORDERS`.
Files have up to hundreds of megabytes: one pass notes where lines begin, and a line is read when
it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.strategies import WALKS
from seqniah_datasets.sources import files
from seqniah_datasets.sources.files import Line

ORDERS = ("descending_order", "permutation_1", "permutation_2", "permutation_3")
"""By the engine's score, best first; then at random."""

_ENGINES = {"bm25": "bm25", "dense": "qwen3_0.6", "hybrid": "hybrid_bm25_qwen3_0.6"}
"""How the layout names base engines."""

_ID_FIRST = re.compile(rb'\s*\{\s*"id"\s*:\s*"([^"\\]{1,200})"\s*,')
_TITLE = "Article Title: "


def place(strategy: str, tokens: int) -> str:
    """Where the contexts of a strategy and a size stand, with slashes. Folders of PageRank name the
    number of its seeds and its restart probability, which is 1 less the damping."""
    base, _, ppr = strategy.partition("+")
    walk = WALKS[base]
    told = f"_ppr/seed_{walk.seeds}_alpha_{1 - walk.damping:g}" if ppr else ""
    return f"{_ENGINES[base]}{told}/{tokens}.jsonl"


@dataclass(frozen=True, slots=True)
class Context:
    """What a prompt shows of documents for a question."""

    texts: Mapping[str, str]
    """Of documents by id, as they are shown: with their titles, and cut where they were cut."""
    orders: tuple[tuple[str, ...], ...]
    """Ids in each of the `ORDERS`."""

    def only(self, ids: Sequence[str]) -> Context:
        """The same of these documents alone."""
        orders = (tuple(id for id in order if id in ids) for order in self.orders)
        return Context({id: self.texts[id] for id in ids}, tuple(orders))

    def title(self, id: str) -> str:
        """A document's title, which is its first line."""
        return self.texts[id].lstrip().partition("\n")[0].removeprefix(_TITLE).strip()

    def ranks(self, golds: Sequence[str]) -> list[int | None]:
        """The rank of each gold, from 1; None of those that stand behind all other documents, since
        they were put in, and found farther down if at all."""
        order = self.orders[0]
        others = [at for at, id in enumerate(order) if id not in golds]
        reach = others[-1] if others else -1
        return [at + 1 if (at := order.index(gold)) < reach else None for gold in golds]

    def overfull(self, golds: Sequence[str]) -> bool:
        """Whether there was room for the golds alone, or not even for them."""
        return set(self.texts) == set(golds)


class Contexts:
    """The contexts of a file by the ids of their questions."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the file. Raises `SeqniahError` when it cannot be read."""
        return files.digest_of(self.path)

    @cached_property
    def _lines(self) -> dict[str, tuple[str, int, int]]:
        """Where each context stands: in words, the bytes before it, and its own bytes."""
        found: dict[str, tuple[str, int, int]] = {}
        for line in files.lines(self.path):
            id = _id_of(line)
            if id in found:
                raise SeqniahError(
                    f"{line.where}, has the id {id!r} of {found[id][0]}; drop one of the two."
                )
            found[id] = line.where, line.offset, len(line.raw)
        return found

    def check(self, asked: Iterable[str]) -> None:
        """Raises `SeqniahError` where one of these questions has no context."""
        for id in asked:
            if id not in self._lines:
                raise SeqniahError(
                    f"{self.path} has no context of the question {id!r}; was the file cut, or is "
                    "it of other questions? Copy it anew."
                )

    def of(self, id: str, golds: Sequence[str]) -> Context:
        """The context of a question that has these golds, read anew.

        Raises `SeqniahError` where there is none, where it is not of the layout or lacks a gold,
        and where the file has changed since its lines were noted.
        """
        self.check([id])
        where, offset, size = self._lines[id]
        line = files.line_at(self.path, offset, size, where)
        if not line.raw.strip() or _id_of(line) != id:
            raise SeqniahError(f"{where}, is not what it was; start the run again.")
        return _context(where, line.fields, golds)


def _id_of(line: Line) -> str:
    """The id of a line, without reading all of it where the id comes first."""
    if found := _ID_FIRST.match(line.raw):
        return found[1].decode("utf-8", "replace")
    id = line.fields.get("id")
    if isinstance(id, bool) or not isinstance(id, int | str):
        raise SeqniahError(f"{line.where}, has no id; it is that of its question.")
    return str(id)


def _context(where: str, fields: Mapping[str, Any], golds: Sequence[str]) -> Context:
    texts = fields.get("docs_added")
    if not isinstance(texts, dict) or not all(isinstance(one, str) for one in texts.values()):
        raise SeqniahError(f"{where}: docs_added is an object of texts by id.")
    for gold in golds:
        if gold not in texts:
            raise SeqniahError(
                f"{where}: docs_added lacks the gold document {gold!r}; contexts hold all golds "
                "of their question."
            )
    return Context(texts, tuple(_order(where, fields, name, texts) for name in ORDERS))


def _order(
    where: str, fields: Mapping[str, Any], name: str, texts: Mapping[str, str]
) -> tuple[str, ...]:
    given = fields.get(name)
    order = tuple(map(str, given)) if isinstance(given, list) else ()
    if len(order) != len(texts) or set(order) != texts.keys():
        raise SeqniahError(f"{where}: {name} is a list of all the ids of docs_added, each once.")
    return order


def line_of(id: str, context: Context) -> dict[str, Any]:
    """The fields of a line, as `Contexts` reads them."""
    orders = dict(zip(ORDERS, map(list, context.orders), strict=True))
    return {"id": id, "docs_added": dict(context.texts), **orders}
