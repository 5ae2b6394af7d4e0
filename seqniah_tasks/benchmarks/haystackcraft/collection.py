"""The documents and questions of a run: embedded, or a folder of one's own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from seqniah_datasets import encyclopaedia, memory, rng
from seqniah_datasets.articles import folder
from seqniah_datasets.articles.library import Library
from seqniah_datasets.encyclopaedia import concepts
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search import engines, strategies
from seqniah_datasets.search.base import Ranking, Retriever
from seqniah_datasets.search.dense import DenseIndex, DenseRetriever
from seqniah_datasets.search.index import Index, memory_needed
from seqniah_datasets.search.runs import read_run
from seqniah_datasets.search.sparse import SparseIndex

INDEX = "index"
"""Where a folder of documents has its index, unless it is told."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what is known of its answer."""

    id: str
    text: str
    answer: str
    aliases: tuple[str, ...]
    """Other wordings of the answer."""
    golds: tuple[int, ...]
    """Numbers of the articles that the answer follows from, in the order of the hops."""
    bridges: tuple[str, ...] = ()
    """What the hops before the last one lead to; empty where it is not known."""

    @property
    def hops(self) -> int:
        """How many articles the question leads through."""
        return len(self.golds)


def _asked(
    one: folder.Question | encyclopaedia.Question, library: Library, bridges: tuple[str, ...] = ()
) -> Asked:
    golds = tuple(map(library.number, one.golds))
    return Asked(one.id, one.text, one.answer, one.aliases, golds, bridges)


class Collection(ABC):
    """Documents, their links, and questions about them."""

    name: str
    """As logs have it."""
    lang: str
    """A language tag."""
    library: Library

    @property
    @abstractmethod
    def questions(self) -> Sequence[Asked]:
        """All of them, in the order of their source."""

    @property
    @abstractmethod
    def digest(self) -> str:
        """Names documents, links and questions."""

    @property
    def corpus_digest(self) -> str:
        """Names documents and links."""
        return self.library.digest

    @cached_property
    def sparse(self) -> Retriever:
        """The index of words."""
        return SparseIndex.build(article.content for article in self.library.articles)

    @property
    def dense(self) -> Retriever | None:
        """Search by vectors; None where there are none."""
        return None

    @property
    def vectors_digest(self) -> str:
        """Names vectors that do not follow from the documents, and their encoder."""
        return ""

    def retriever(self, strategy: str) -> Retriever:
        """The engine of a strategy. Raises `SeqniahError` where the collection lacks a part."""
        return strategies.retriever(strategy, self.library, lambda: self.sparse, lambda: self.dense)


class Embedded(Collection):
    """The encyclopaedia that travels with the package."""

    name, lang = "encyclopaedia", "en"

    def __init__(self, seed: int) -> None:
        self._made = encyclopaedia.build(seed)
        self.library = Library.of(self._made.articles, self._made.links)

    @cached_property
    def questions(self) -> Sequence[Asked]:
        """Each with its chain of golds."""
        titles = {article.id: article.title for article in self._made.articles}
        return [
            _asked(one, self.library, tuple(titles[gold] for gold in one.golds[1:]))
            for one in self._made.questions
        ]

    @cached_property
    def digest(self) -> str:
        """Of what was built."""
        asked = [f"{one.id}\n{one.text}\n{one.answer}" for one in self.questions]
        return rng.digest(self.library.digest, *asked).hex()

    @cached_property
    def dense(self) -> Retriever:
        """By concept vectors."""
        vectors = concepts.encode([article.content for article in self.library.articles])
        return DenseRetriever(DenseIndex(vectors), concepts.ConceptEncoder())


class Folder(Collection):
    """A user's documents in the published layout; see `articles.folder`."""

    def __init__(
        self, path: Path, index: str = "", questions: Sequence[Path] | None = None
    ) -> None:
        """`index`: the folder of their index; empty: `INDEX` in theirs. `questions`: files of them;
        None: all that are there. Raises `SeqniahError`."""
        if not path.is_dir():
            raise SeqniahError(f"There is no folder {path}; give one with docs.jsonl in it.")
        place = Path(index).expanduser() if index else path / INDEX
        if index and not place.is_dir():
            raise SeqniahError(
                f"There is no index {place}; make it with seqniah haystackcraft index {path} "
                f"--out {place}."
            )
        memory.refuse_lacking(f"The folder {path}", memory_needed(path, place))
        self.name, self.lang = f"folder {path.resolve().name}", "en"
        self.library = folder.read_library(path)
        self._asked = folder.read_questions(questions or folder.question_files(path), self.library)
        self.index = Index(place, self.library)

    @cached_property
    def questions(self) -> Sequence[Asked]:
        """Those of all files."""
        return [_asked(one, self.library) for one in self._asked]

    @cached_property
    def digest(self) -> str:
        """Of all that was read."""
        asked = [part for one in self._asked for part in (one.id, one.text, one.answer, *one.golds)]
        return rng.digest(self.library.digest, *asked).hex()

    @cached_property
    def sparse(self) -> Retriever:
        """The index of words, or that which is made now."""
        return self.index.words or super().sparse

    @property
    def dense(self) -> Retriever | None:
        """By the vectors of the index."""
        return self.index.dense

    @property
    def vectors_digest(self) -> str:
        """Names the vectors of the index."""
        return self.index.vectors_digest


@lru_cache(maxsize=2)
def collection(corpus: str, seed: int, index: str = "") -> Collection:
    """The collection of an option; an empty one is the embedded one. Raises `SeqniahError`."""
    return Folder(Path(corpus).expanduser(), index) if corpus else Embedded(seed)


class Rankings:
    """Rankings of a collection's documents for its questions."""

    def __init__(self, of: Collection, run: str = "", retriever: str = "") -> None:
        """`run`: path of a run file that ranks them; `retriever`: an engine of one's own, as
        module:function; both empty: strategies do."""
        self._of = of
        self._run = read_run(Path(run).expanduser(), of.library) if run else None
        self._own = engines.own(retriever, of.library) if retriever else None
        self._engine = lru_cache(maxsize=len(strategies.STRATEGIES))(of.retriever)
        self._search = lru_cache(maxsize=_KEPT)(self._searched)

    @property
    def digest(self) -> str:
        """Names the state of an engine of one's own; empty without one."""
        return self._own.digest if self._own else ""

    def of(self, asked: Asked, strategy: str) -> Ranking:
        """The best documents found, at most `DEEP`. Raises `SeqniahError` where none can be."""
        if self._run:
            return self._run.search_for(asked.id, DEEP)
        return self.of_query(asked.text, strategy)

    def of_query(self, query: str, strategy: str) -> Ranking:
        """The same by a strategy for any query. Raises `SeqniahError` as `of`."""
        return self._search(query, strategy)

    def _searched(self, query: str, strategy: str) -> Ranking:
        engine = self._own or self._engine(strategy)
        return engine.search(query, min(len(self._of.library), DEEP))


DEEP = 10_000
"""Documents that an engine is asked for: more than a prompt holds, as many as servers give."""

_KEPT = 256
"""Rankings that are kept in memory."""


def interleaved(asked: Sequence[Asked]) -> list[Asked]:
    """So ordered that any first part has all shares of hops, as near as can be."""
    sizes = Counter(one.hops for one in asked)
    seen: Counter[Hashable] = Counter()
    places: list[tuple[float, int]] = []
    for place, one in enumerate(asked):
        places.append(((seen[one.hops] + 0.5) / sizes[one.hops], place))
        seen[one.hops] += 1
    return [asked[place] for _, place in sorted(places)]
