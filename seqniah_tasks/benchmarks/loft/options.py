"""Options of LOFT as a user writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.haystacks import DECODING, SEED, TOKENIZER, Decoder
from seqniah_tasks.benchmarks.options import option

Via = Literal["context", "closed", "bm25"]

Answers = Literal["any", "all"]
"""Which of a question's answers are to be given."""

_DATASET = (
    reading.text,
    "An embedded data set, a released one such as musique (with data), or a folder of one's own in "
    "LOFT's or BEIR's layout.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LoftOptions:
    """What is asked, over which corpus, and how the model comes to it."""

    dataset: str = option("atlas", *_DATASET)
    length: tuple[int, ...] = option(
        (32_000,),
        reading.lengths(1),
        "Tokens, of which the corpus fills nine tenths: 32k, 128k, 1m, any.",
        shown="32k",
    )
    split: Literal["", "dev", "test"] = option(
        "",
        reading.one_of("dev", "test"),
        "dev or test; test, or dev at lengths that have no test split.",
    )
    data: str = option(
        "", reading.text, "The folder of released data: it holds retrieval/, rag/, sql/ or icl/."
    )
    via: Via = option(
        "context",
        reading.one_of("context", "closed", "bm25"),
        "A prompt holds: the corpus (context), nothing of it (closed), what BM25 finds (bm25).",
    )
    top: int = option(40, reading.whole_from(1), "Passages that via=bm25 shows.")
    queries: int = option(100, reading.whole_from(0), "At most so many of each length; 0: all.")
    words: str = option("", reading.text, "A TOML file with other words for the prompts.")
    history: Literal["turns", "official"] = option(
        "turns",
        reading.one_of("turns", "official"),
        "Of conversations: real turns, or one growing prompt with the lists that were read, as "
        "released (official).",
    )
    decoding: Decoder = option(*DECODING)
    answers: Answers = "any"
    seed: int = option(*SEED)
    tokenizer: str = option(*TOKENIZER)


@dataclass(frozen=True, slots=True, kw_only=True)
class RagOptions(LoftOptions):
    """The same of questions with answers in words."""

    dataset: str = option("atlas_hops", *_DATASET)
    answers: Answers = option(
        "any",
        reading.one_of("any", "all"),
        "Of a folder of one's own: each of a question's answers is right (any), or they are its "
        "values and all are asked for (all), as of QAMPARI and QUEST.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SqlOptions(LoftOptions):
    """The same of questions about tables."""

    dataset: str = option("atlas_sql", *_DATASET)


@dataclass(frozen=True, slots=True, kw_only=True)
class IclOptions(LoftOptions):
    """The same of examples in context."""

    dataset: str = option("atlas_kinds", *_DATASET)
