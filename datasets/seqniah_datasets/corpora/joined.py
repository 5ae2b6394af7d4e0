"""Documents of a corpus joined to one that is long enough, in the order of the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from seqniah_datasets import rng
from seqniah_datasets.corpora.base import Corpus, Wanted, unknown_shard
from seqniah_datasets.corpora.haystacks import DocumentRef, Haystacks
from seqniah_datasets.corpora.index import Shard, SourceDocument
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import LANGS, Lang, Split

_BETWEEN = "\n\n"


def _joined(corpus: Corpus, lang: Lang, wanted: int) -> Iterator[SourceDocument]:
    """One document that is made of as many as it takes for so many tokens, if there are so many."""
    found: list[str] = []
    tokens = 0
    for ref in sorted(corpus.candidates(lang, 1), key=lambda ref: (ref.shard, ref.number)):
        index = corpus.open(ref.shard)
        start, end = index.documents[ref.number : ref.number + 2].tolist()
        found.append(bytes(index.text[start:end]).decode("utf-8").strip("\n"))
        tokens += int(index.document_tokens[ref.number])
        # A token may be lost where two documents meet.
        if tokens >= wanted + len(found):
            break
    yield SourceDocument(_BETWEEN.join(found) + "\n", f"{corpus.spec}, joined")


class JoinedCorpus(Corpus):
    """A corpus whose documents are too short one by one."""

    eager = False

    def __init__(self, corpus: Corpus) -> None:
        # How many documents are joined is counted in the run's encoding.
        name = rng.digest(corpus.digest, corpus.tokenizer.digest).hex()
        super().__init__(corpus.root, f"joined-{name[:12]}", corpus.tokenizer)
        self._corpus = corpus
        self.spec = corpus.spec

    @property
    def digest(self) -> str:
        return self._corpus.digest

    def shards(self) -> Sequence[Shard]:
        """None beforehand: how long they are is known when a length asks for them."""
        return []

    def shard(self, key: str) -> Shard:
        own, (name, _, tokens) = self._corpus, key.partition("-")
        for lang in LANGS:
            if lang == name and tokens.isdecimal():
                fingerprint = rng.digest(own.digest, own.tokenizer.digest, key).hex()
                size = 4 * int(tokens)
                return Shard(key, fingerprint, size, partial(_joined, own, lang, int(tokens)))
        raise unknown_shard(self.spec, key)

    def candidates(self, lang: Lang, tokens: int) -> Sequence[DocumentRef]:
        """One, which is shorter where the whole corpus is."""
        return [DocumentRef(f"{lang}-{tokens}", 0)]

    def haystacks(self, lang: Lang, split: Split, series: str, wanted: Wanted) -> Haystacks:
        """Those of the documents one by one."""
        return self._corpus.haystacks(lang, split, series, wanted)


def shared(corpus: Corpus, lang: Lang, tokens: int) -> tuple[Corpus, DocumentRef]:
    """One document of about `tokens` tokens that all samples share, and the corpus that has it.

    The first of those that are long enough, else as many as it takes, joined; the whole corpus
    where even that is too short. Raises `CorpusError` when it has nothing in this language.
    """
    try:
        return corpus, corpus.candidates(lang, tokens)[0]
    except CorpusError:
        corpus.candidates(lang, 1)
        joined = JoinedCorpus(corpus)
        return joined, joined.candidates(lang, tokens)[0]
