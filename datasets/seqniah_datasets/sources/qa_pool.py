"""A user's own questions: JSON lines in the layout of the released QA files.

Fields: `question`, `answer` (an intro line, then one bulleted or numbered line an item) and
`needles` (one passage an item, in the same order); `lang`, `pipeline`, `order_required`, `subject`
and `split` may be given, the first two also as `meta.lang` and `meta.ppl`. Rows of the released
built examples, with the QA under `meta_QA`, are read too.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Lure, Needle, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import lures
from seqniah_datasets.sources.base import Demand, Source, Ticket, divide, give_again
from seqniah_datasets.sources.files import digest_of, json_lines

T = TypeVar("T")

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


class QAPool(Source):
    """`qa=PATHS`: the questions of one pipeline, each used once."""

    def __init__(
        self,
        pipeline: Pipeline,
        paths: Sequence[Path],
        entries: Sequence[tuple[QAItem, Split | None]],
    ) -> None:
        """`entries` are questions with the split that their file says, None where it says none."""
        self.pipeline = pipeline
        self.name = "+".join(path.name for path in paths)
        self._basis: list[rng.Key] = [VERSION, *map(digest_of, paths)]
        self._items = [item for item, _ in entries]
        dealt = divide(
            ((item.subject, item.lang, len(item.needles)) for item in self._items), pipeline
        )
        self._splits = [split or dealt[item.subject] for item, split in entries]

    def basis(self) -> list[rng.Key]:
        return self._basis

    def allot(self, demand: Demand) -> tuple[Sequence[Ticket | None], int]:
        mine = [
            (number, len(item.needles))
            for number, item in enumerate(self._items)
            if item.lang == demand.lang and self._splits[number] == demand.split
        ]
        draws = rng.stream("qa-pool", VERSION, demand.lang, demand.split, demand.seed)
        return _allot(dict(draws.shuffled(mine)), demand.wishes, reuse=demand.reuse)

    def item(self, demand: Demand, serial: int, ticket: Ticket) -> QAItem:
        return self._items[ticket[0]]

    def lures(self, demand: Demand, serial: int, ticket: Ticket) -> tuple[Lure, ...]:
        """Of a procedure only: what resembles a user's own dated events nobody can know."""
        if self.pipeline is not Pipeline.REAL_LOGICAL:
            return ()
        draws = lures.stream("qa-pool", demand, serial)
        return lures.authored("headings", demand.lang, self._items[ticket[0]].subject, draws)


def _allot(
    sizes: dict[int, int], wishes: Sequence[Wish], *, reuse: bool
) -> tuple[list[Ticket | None], int]:
    """An item of its needle group for each wish, of the wished size if there is one."""
    waiting: defaultdict[int, deque[int]] = defaultdict(deque)
    for number, size in sizes.items():
        waiting[size].append(number)
    given: list[Ticket | None] = [None] * len(wishes)
    for exact in (True, False):
        for serial, wish in enumerate(wishes):
            counts = [wish.needles] if exact else range(wish.group.low, wish.group.high + 1)
            found = next((count for count in counts if waiting[count]), None)
            if given[serial] is None and found is not None:
                given[serial] = (waiting[found].popleft(), 0, found)
    return given, give_again(given, wishes, sizes, _served) if reuse else 0


def _served(wish: Wish, size: int) -> int:
    return size if wish.group.low <= size <= wish.group.high else 0


def read(paths: Sequence[Path], demands_order: DemandsOrder) -> dict[Pipeline, QAPool]:
    """The pools of some files, one a pipeline.

    Raises `SeqniahError`, naming the line, for a QA that is incomplete, has fewer than three or
    more than fifteen items, other items than needles, or an item twice, and for a question that
    comes twice.
    """
    found: defaultdict[Pipeline, list[tuple[QAItem, Split | None]]] = defaultdict(list)
    seen: dict[str, str] = {}
    for path in paths:
        before = len(seen)
        for where, row in json_lines(path):
            fields = row.get("meta_QA", row)
            if not isinstance(fields, dict):
                raise SeqniahError(f"{where}: meta_QA is no JSON object.")
            item, split = _item(fields, where, demands_order), _split(fields, where)
            if item.question in seen:
                first = seen[item.question]
                raise SeqniahError(f"{where}, asks the same as {first}; drop one of them.")
            seen[item.question] = where
            found[Pipeline(item.pipeline)].append((item, split))
        if len(seen) == before:
            raise SeqniahError(f"{path} holds no question.")
    return {pipeline: QAPool(pipeline, paths, entries) for pipeline, entries in found.items()}


def _item(fields: dict[str, Any], where: str, demands_order: DemandsOrder) -> QAItem:
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
    return QAItem(
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
    return _one_of("lang", given, LANGS, f"it is {' or '.join(LANGS)}", where)


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
    if given is None:
        return None
    return _one_of("split", given, SPLITS, f"it is one of {', '.join(SPLITS)}", where)


def _one_of(what: str, given: object, known: Sequence[T], said: str, where: str) -> T:
    for one in known:
        if given == one:
            return one
    raise SeqniahError(f"{where}: {what} is {given!r}; {said}.")
