"""Corpora: where the text around the needles comes from, one file each."""

from __future__ import annotations

from pathlib import Path

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.folder import FolderCorpus
from seqniah_datasets.corpora.hub import HubCorpus
from seqniah_datasets.corpora.procedural import ProceduralCorpus

DEFAULT_CORPUS = ProceduralCorpus.spec

HUB_CORPUS = "hub:yuyijiong/LongData-Corpus"
"""The corpus of the paper (section 3.2)."""


def corpus(
    spec: str = DEFAULT_CORPUS,
    tokenizer: str = tokens.DEFAULT_TOKENIZER,
    root: Path | None = None,
) -> Corpus:
    """The corpus of a spec: "procedural", "hub:OWNER/NAME[@REVISION]", or the path of texts.

    `root` is the folder that indexes are kept under (default: `store.cache_root()`).
    Raises `CorpusError` when the path is not there or holds no text, or when a data set's revision
    is neither known yet nor to be learnt.
    """
    root = (root or store.cache_root()) / "corpora"
    if spec == ProceduralCorpus.spec:
        return ProceduralCorpus(root, tokens.tokenizer(tokenizer))
    if spec.startswith(HubCorpus.prefix):
        return HubCorpus(root, spec, tokens.tokenizer(tokenizer))
    return FolderCorpus(root, spec, tokens.tokenizer(tokenizer))
