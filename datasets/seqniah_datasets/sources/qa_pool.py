"""A user's own questions: JSON lines in the layout of the released QA files.

Fields: `question`, `answer` (an intro line, then one bulleted or numbered line an item) and
`needles` (one passage an item, in the same order); `lang`, `pipeline`, `order_required`, `subject`
and `split` may be given, the first two also as `meta.lang` and `meta.ppl`. Rows of the released
built examples, with the QA under `meta_QA`, are read too.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Lure, Needle, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import lures
from seqniah_datasets.sources.base import Allotted, Demand, Ticket
from seqniah_datasets.sources.divide import divide
from seqniah_datasets.sources.files import digest_of, json_lines

VERSION = 1
"""Of this source; any change of its bytes raises it."""

FEWEST, MOST = 3, 15

PIPELINES: dict[str, Pipeline] = {
    **{str(pipeline): pipeline for pipeline in Pipeline},
    "syn": Pipeline.SYNTHETIC_TEMPORAL,
    "tkg": Pipeline.REAL_TEMPORAL,
    "qa": Pipeline.REAL_LOGICAL,
}
"""Names of pipelines in a file: ours, and those of the released files."""

_ITEM = re.compile(r"\s*(?:[-*•]|\d+\s*[.)、．])\s*(?P<text>.+?)\s*")

DemandsOrder = Callable[[str, Lang], bool]
"""Whether a question, in a language, asks for the order of time."""


@dataclass(frozen=True, slots=True)
class _Entry:
    item: QAItem
    split: Split | None
    """As the file says; None where it leaves that to us."""


class QAPool:
    """`qa=PATHS`: the questions of one pipeline, each used once."""

    def __init__(
        self, pipeline: Pipeline, paths: Sequence[Path], entries: Sequence[_Entry]
    ) -> None:
        self.pipeline = pipeline
        self.name = "+".join(path.name for path in paths)
        self.digest = rng.digest(VERSION, *map(digest_of, paths)).hex()
        self._items = [entry.item for entry in entries]
        dealt = divide(
            ((item.subject, item.lang, len(item.needles)) for item in self._items), pipeline
        )
        self._splits = [entry.split or dealt[entry.item.subject] for entry in entries]

    def supply(self, demand: Demand) -> Allotted[int]:
        """See `Source.supply`; where the pool is used up there is nothing for a sample."""
        mine = [
            number
            for number, item in enumerate(self._items)
            if item.lang == demand.lang and self._splits[number] == demand.split
        ]
        draws = rng.stream("qa-pool", VERSION, demand.lang, demand.split, demand.seed)
        sizes = {number: len(self._items[number].needles) for number in draws.shuffled(mine)}
        tickets, reused = _allot(sizes, demand.wishes, reuse=demand.reuse)
        return Allotted(
            tickets,
            lambda number, serial: self._items[number],
            reused,
            lambda number, serial: self._lures(demand, number, serial),
        )

    def _lures(self, demand: Demand, number: int, serial: int) -> tuple[Lure, ...]:
        """Of a procedure only: what resembles a user's own dated events nobody can know."""
        if self.pipeline is not Pipeline.REAL_LOGICAL:
            return ()
        draws = lures.stream("qa-pool", demand, serial)
        return lures.headings(demand.lang, self._items[number].subject, draws)


def _allot(
    sizes: dict[int, int], wishes: Sequence[Wish], *, reuse: bool
) -> tuple[list[Ticket[int] | None], int]:
    """An item of its needle group for each wish, of the wished size if there is one."""
    waiting: defaultdict[int, deque[int]] = defaultdict(deque)
    for number, size in sizes.items():
        waiting[size].append(number)
    tickets: list[Ticket[int] | None] = [None] * len(wishes)
    for exact in (True, False):
        for serial, wish in enumerate(wishes):
            low, high = wish.group.low, wish.group.high
            counts = [wish.needles] if exact else range(low, high + 1)
            found = next((count for count in counts if waiting[count]), None)
            if tickets[serial] is None and found is not None:
                tickets[serial] = Ticket(waiting[found].popleft(), found)
    used: Counter[int] = Counter()
    for serial, wish in enumerate(wishes if reuse else ()):
        fit = [n for n, size in sizes.items() if wish.group.low <= size <= wish.group.high]
        if tickets[serial] is None and fit:
            number = min(fit, key=lambda number: used[number])
            used[number] += 1
            tickets[serial] = Ticket(number, sizes[number])
    return tickets, used.total()


def read(paths: Sequence[Path], demands_order: DemandsOrder) -> dict[Pipeline, QAPool]:
    """The pools of some files, one a pipeline.

    Raises `SeqniahError`, naming the line, for a QA that is incomplete, has fewer than three or
    more than fifteen items, other items than needles, or an item twice, and for a question that
    comes twice.
    """
    found: defaultdict[Pipeline, list[_Entry]] = defaultdict(list)
    seen: dict[str, str] = {}
    for path in paths:
        before = len(seen)
        for where, row in json_lines(path):
            fields = row.get("meta_QA", row)
            if not isinstance(fields, dict):
                raise SeqniahError(f"{where}: meta_QA is no JSON object.")
            entry = _entry(fields, where, demands_order)
            question = entry.item.question
            if question in seen:
                raise SeqniahError(f"{where}, asks the same as {seen[question]}; drop one of them.")
            seen[question] = where
            found[Pipeline(entry.item.pipeline)].append(entry)
        if len(seen) == before:
            raise SeqniahError(f"{path} holds no question.")
    return {pipeline: QAPool(pipeline, paths, entries) for pipeline, entries in found.items()}


def _entry(fields: dict[str, Any], where: str, demands_order: DemandsOrder) -> _Entry:
    question, answer = (_text(fields, name, where) for name in ("question", "answer"))
    lang = _lang(fields, question, where)
    pipeline = _pipeline(fields, where)
    intro, items = _reference(answer, where)
    given_needles = fields.get("needles")
    if not isinstance(given_needles, list) or not all(isinstance(n, str) for n in given_needles):
        raise SeqniahError(f"{where}: needles is no list of texts.")
    passages = [passage.strip() for passage in given_needles]
    if not FEWEST <= len(items) <= MOST:
        raise SeqniahError(
            f"{where}, has {len(items)} items in its answer; it needs {FEWEST} to {MOST}, one a "
            "line after an intro, each behind a bullet or a number."
        )
    if len(items) != len(passages):
        raise SeqniahError(f"{where}, has {len(items)} items but {len(passages)} needles.")
    for what, given in (("item", items), ("needle", passages)):
        twice = next((one for n, one in enumerate(given) if one in given[:n]), None)
        if twice is not None:
            raise SeqniahError(f"{where}, has an {what} twice: {twice[:60]!r}.")
    if not all(passages):
        raise SeqniahError(f"{where}, has an empty needle.")
    ordered = fields.get("order_required")
    if not isinstance(ordered, bool):
        ordered = pipeline is Pipeline.REAL_LOGICAL or demands_order(question, lang)
    item = QAItem(
        lang=lang,
        pipeline=pipeline,
        subject=str(fields.get("subject") or question),
        question=question,
        intro=intro,
        needles=tuple(
            Needle(passage, item, passage, None)
            for passage, item in zip(passages, items, strict=True)
        ),
        order_required=ordered,
    )
    return _Entry(item, _split(fields, where))


def _text(fields: dict[str, Any], name: str, where: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise SeqniahError(f"{where}, has no {name}.")
    return value.strip()


def _reference(answer: str, where: str) -> tuple[str, tuple[str, ...]]:
    """The intro and the items of a reference answer."""
    intro: list[str] = []
    items: list[str] = []
    for line in answer.splitlines():
        found = _ITEM.fullmatch(line)
        if found:
            items.append(found["text"])
        elif line.strip() and not items:
            intro.append(line.strip())
        elif line.strip():
            raise SeqniahError(
                f"{where}: the answer goes on after its items with {line.strip()[:60]!r}; put a "
                "bullet before it, or leave it out."
            )
    return " ".join(intro), tuple(items)


def _meta(fields: dict[str, Any], name: str) -> object:
    meta = fields.get("meta")
    return meta.get(name) if isinstance(meta, dict) else None


def _lang(fields: dict[str, Any], question: str, where: str) -> Lang:
    given = fields.get("lang") or _meta(fields, "lang")
    if given is None:
        return "zh" if re.search(r"[\u4e00-\u9fff]", question) else "en"
    for lang in LANGS:
        if given == lang:
            return lang
    raise SeqniahError(f"{where}: lang is {given!r}; it is {' or '.join(LANGS)}.")


def _pipeline(fields: dict[str, Any], where: str) -> Pipeline:
    names = (fields.get("pipeline"), fields.get("ppl"), _meta(fields, "ppl"))
    given = next((name for name in names if name), str(Pipeline.REAL_LOGICAL))
    if not isinstance(given, str) or given not in PIPELINES:
        raise SeqniahError(
            f"{where}: the pipeline is {given!r}; known are {', '.join(map(str, Pipeline))}."
        )
    return PIPELINES[given]


def _split(fields: dict[str, Any], where: str) -> Split | None:
    given = fields.get("split")
    for split in SPLITS:
        if given == split:
            return split
    if given is None:
        return None
    raise SeqniahError(f"{where}: split is {given!r}; it is one of {', '.join(SPLITS)}.")
