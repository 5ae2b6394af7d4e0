"""Corpora: where the text around the needles comes from, one file each."""

from __future__ import annotations

from pathlib import Path

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.corpora.procedural import ProceduralCorpus

DEFAULT_CORPUS = ProceduralCorpus.spec


def corpus(
    spec: str = DEFAULT_CORPUS,
    tokenizer: str = tokens.DEFAULT_TOKENIZER,
    root: Path | None = None,
) -> Corpus:
    """The corpus of a spec: "procedural", or the path of a folder or file.

    `root` is the folder that indexes are kept under (default: `store.cache_root()`).
    Raises `CorpusError` when the path is not there or holds no text.
    """
    root = (root or store.cache_root()) / "corpora"
    if spec == ProceduralCorpus.spec:
        return ProceduralCorpus(root, tokens.tokenizer(tokenizer))
    return FolderCorpus(root, spec, tokens.tokenizer(tokenizer))
