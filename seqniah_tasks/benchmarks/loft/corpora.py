"""The data set of a run: embedded, released, or a folder of one's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from seqniah_datasets import atlas
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft import corpora, released
from seqniah_datasets.loft.corpora import Corpus, Formatted
from seqniah_datasets.loft.schema import Kind, Query, Source
from seqniah_datasets.loft.table import DataSet, data_set
from seqniah_datasets.tokens import Tokenizer
from seqniah_tasks.benchmarks.loft.options import LoftOptions
from seqniah_tasks.benchmarks.reading import length_name

_KINDS: Mapping[str, Kind] = {"retrieval": "retrieval", "rag": "rag", "sql": "sql", "icl": "icl"}
"""What data sets of a task are, unless they tell otherwise."""

_SHAPES: Mapping[str, str] = {"rag": "nq", "sql": "spider", "icl": "bbh"}

_CUTOFFS = (1, 2, 3, 5)


@dataclass(frozen=True, slots=True)
class Data:
    """A data set, of which corpora of several lengths are made or read."""

    task: str
    name: str
    """As logs have it."""
    row: DataSet | None
    """Of a released one."""
    folder: Path | None
    """Where the released files are."""
    source: Source | None
    """Of any other."""

    def corpus(self, length: int, formatted: Formatted, tokenizer: Tokenizer) -> Corpus:
        """The corpus of a length. Raises `SeqniahError` where it cannot be read or made."""
        if self.row is not None and self.folder is not None:
            found = released.released(self.row, self.folder, released_name(length))
            return Corpus(found, found.passages, found.queries)
        assert self.source is not None
        return corpora.build(self.source, length, formatted, tokenizer)

    @property
    def kind(self) -> Kind:
        """How answers are judged."""
        if self.row is not None:
            return self.row.kind
        return self.source.kind if self.source else _KINDS[self.task]

    @property
    def conversations(self) -> bool:
        """Whether queries have several turns."""
        if self.row is not None:
            return self.row.conversations
        return any(len(one.turns) > 1 for one in self._queries)

    @property
    def _queries(self) -> list[Query]:
        every = self.source.queries.values() if self.source else ()
        return [query for split in every for query in split]

    @property
    def _most(self) -> int:
        """Golds of a turn, at most."""
        return max((len(set(turn)) for one in self._queries for turn in one.answers), default=1)

    @property
    def may_want_all(self) -> bool:
        """Whether a folder's questions have as many answers as golds, as sets of values have."""
        if self.kind != "rag" or self.source is None or self.name in atlas.NAMES:
            return False
        turns = [pair for one in self._queries for pair in zip(one.answers, one.golds, strict=True)]
        most = max((len(golds) for _, golds in turns), default=0)
        return most > 1 and all(len(given) == len(golds) for given, golds in turns)

    @property
    def shape(self) -> str:
        """Whose words prompts have."""
        if self.row is not None:
            return self.row.shape
        return _SHAPES.get(self.task) or ("nq" if self._most == 1 else "hotpotqa")

    @property
    def metric(self) -> str:
        """The measure that is the score."""
        if self.row is not None:
            return self.row.metric
        if self.kind == "retrieval":
            most = next((k for k in _CUTOFFS if k >= self._most), _CUTOFFS[-1])
            return "recall@1" if most == 1 else f"mrecall@{most}"
        return {"sql": "exec_acc", "icl": "em"}.get(self.kind, "subspan_em")


def released_name(length: int) -> str:
    """As folders of released data name a length."""
    return f"{length // 1_000_000}m" if length % 1_000_000 == 0 else length_name(length)


def opened(task: str, options: LoftOptions) -> Data:
    """The data set of a run. Raises `SeqniahError` where there is none, or no data of it."""
    name, data, answers = options.dataset, options.data, options.answers
    path = Path(name).expanduser()
    own = not data and name not in atlas.NAMES and path.is_dir()
    if answers == "all" and (data or name in atlas.NAMES):
        raise SeqniahError(
            f"answers=all is for a folder of one's own; {name} itself says which are asked for."
        )
    if data:
        row = data_set(task, name)
        return Data(task, row.name, row, Path(data).expanduser(), None)
    if name in atlas.NAMES:
        source = atlas.source(name, options.seed, _KINDS[task], options.length)
        return Data(task, name, None, None, source)
    if own:
        kind = "multi_value_rag" if answers == "all" else _KINDS[task]
        source = released.own(path, kind, options.seed)
        return Data(task, source.name, None, None, source)
    if "/" in name or "." in name:
        raise SeqniahError(f"There is no folder {name}; give one with corpus.jsonl in it.")
    row = data_set(task, name, atlas.NAMES)
    raise SeqniahError(
        f"{row.title} is not embedded; give data=DIR, its folder ({row.fetch}, into "
        f"DIR/{row.task})."
    )
