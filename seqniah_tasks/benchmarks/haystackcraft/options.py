"""Options of HaystackCraft as a user writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search import strategies
from seqniah_scorers.final_answer import Profile
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.haystackcraft import rounds
from seqniah_tasks.benchmarks.haystacks import DECODING, SEED, Decoder
from seqniah_tasks.benchmarks.options import option
from seqniah_tasks.benchmarks.reading import Given

SIZES = (8_000, 16_000, 32_000, 64_000, 128_000)
"""Tokens of prompts (paper, section 4.1); 0, the golds alone, is asked for by itself."""

PERMUTATIONS = 3
"""Random orders of each pile, as published."""

Order = Literal["ranked", "permuted"]

RUN, OWN = "run", "own"
"""What stands in the place of a strategy where a run file ranks, or an engine of one's own."""


def _strategies(what: str, given: Given) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(reading.parts(given)))
    for one in found:
        strategies.check(one)
    return found


def _hops(what: str, given: Given) -> tuple[int, ...]:
    return tuple(dict.fromkeys(reading.whole_from(1)(what, one) for one in reading.parts(given)))


_LAYING = {"corpus": "", "index": "", "run": "", "retriever": "", "gold": "inserted", "seed": 0}
"""Options by which piles are laid, where published ones are ready; and what is usual."""


def _check_edition(given: Mapping[str, Any]) -> None:
    if given.get("edition") != "paper":
        if given.get("data"):
            raise SeqniahError(
                "data= names files of the paper edition; add edition=paper, or leave it out."
            )
        return
    for name, usual in _LAYING.items():
        if given.get(name, usual) != usual:
            raise SeqniahError(
                f"edition=paper takes piles as they were published, and {name}= would lay others; "
                "leave one of the two out."
            )
    if not given.get("data"):
        raise SeqniahError(
            "edition=paper needs data=, a folder with the published files or "
            "hub:Graph-COM/HaystackCraft@COMMIT."
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PileOptions:
    """Which questions are asked, over what documents, and how a pile of them is laid."""

    strategy: tuple[str, ...] = option(
        ("bm25+ppr",),
        _strategies,
        "Who finds the distractors: bm25, dense, hybrid, each also with +ppr.",
        shown="bm25+ppr",
    )
    order: tuple[Order, ...] = option(
        ("ranked",),
        reading.list_of("ranked", "permuted"),
        "Of a pile: ranked (by score), or permuted (three random orders).",
        shown="ranked",
    )
    length: tuple[int, ...] = option(
        SIZES,
        reading.lengths(0),
        "Tokens of the prompt: 0 (golds alone), 8k ... 128k, any.",
        shown=None,
    )
    questions: int = option(
        100, reading.whole_from(0), "At most so many questions of each length; 0: all."
    )
    hops: tuple[int, ...] = option((), _hops, "Questions of so many golds only, such as 1,2.")
    profile: Profile = option(
        "strict",
        reading.one_of("strict", "official"),
        "Prompt, budget and reader of answers: strict, or official (as released, faults too).",
    )
    gold: Literal["inserted", "retrieved"] = option(
        "inserted",
        reading.one_of("inserted", "retrieved"),
        "Golds are always in the pile (inserted), or only where they were found (retrieved).",
    )
    decoding: Decoder = option(*DECODING)
    edition: Literal["open", "paper"] = option(
        "open",
        reading.one_of("open", "paper"),
        "open (embedded documents, or corpus) or paper (the published files, data).",
    )
    data: str = option(
        "", reading.text, "Published files: a folder, or hub:Graph-COM/HaystackCraft@COMMIT."
    )
    corpus: str = option(
        "", reading.text, "A folder of documents in the published layout; the embedded ones."
    )
    index: str = option(
        "", reading.text, "What seqniah haystackcraft index made; the folder index in corpus."
    )
    retriever: str = option(
        "", reading.text, "An engine of your own, module:function, in place of a strategy."
    )
    run: str = option(
        "", reading.text, "A TREC run file that ranks the documents, in place of a strategy."
    )
    seed: int = option(*SEED)
    tokenizer: str = option(
        "qwen", reading.text, "qwen (as published), cl100k_base, o200k_base, or a tokenizer file."
    )

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Raises `SeqniahError` for contradictions."""
        given = {name: value for name, value in given.items() if value != ()}
        _check_edition(given)
        if given.get("run") and given.get("retriever"):
            raise SeqniahError("run and retriever both rank the documents; give one of them.")
        if given.get("index") and not given.get("corpus"):
            raise SeqniahError("index is that of a folder of documents; give corpus=FOLDER too.")
        for name, strategy in (("run", RUN), ("retriever", OWN)):
            if given.get(name):
                if "strategy" in given:
                    raise SeqniahError(
                        f"{name}={given[name]} ranks the documents itself; leave strategy out, or "
                        f"{name}."
                    )
                given["strategy"] = (strategy,)
        if given.get("gold") == "retrieved" and given.get("length") == (0,):
            raise SeqniahError(
                "length=0 is of golds alone, and gold=retrieved inserts none; give a length."
            )
        return given


def _rounds(what: str, given: Given) -> str:
    return reading.one(what, str(given), rounds.OPTIONS)


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundOptions(PileOptions):
    """The same where the model refines the question that the next pile is found for."""

    rounds: str = option(
        "3", _rounds, "Rounds until the answer: 1, 2, 3, or max3 (it may answer before)."
    )
    show_question: Literal["refined", "both"] = option(
        "refined",
        reading.one_of("refined", "both"),
        "What later rounds show: the refined question alone (as published), or both.",
    )

    @classmethod
    def complete(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Raises `SeqniahError` for contradictions."""
        if given.get("run"):
            raise SeqniahError(
                "run=FILE ranks documents for questions that are known beforehand, and rounds ask "
                "others; leave run out, or take the task haystackcraft."
            )
        return PileOptions.complete(given)
