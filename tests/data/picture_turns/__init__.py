"""A small benchmark as a test drops it into `benchmarks/`: two turns, a picture, a mean score."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.options import option
from seqniah_tasks.benchmarks.protocol import (
    Answered,
    Bench,
    Benchmark,
    ByMeasure,
    Figure,
    Image,
    Item,
    LmEval,
    LmEvalTask,
    Prompt,
    Sample,
    Scored,
    Scoring,
    TaskSpec,
    Text,
    prompt_of,
)
from seqniah_tasks.kinds import TEXTS

NAME = "picture-turns"
COLOURS = ("rot", "blau", "grün", "gelb")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How many samples, and how long their texts are."""

    plain: bool = False
    samples: int = option(4, reading.whole_from(1, 100), "How many samples.")
    length: tuple[str, ...] = option(
        ("1k", "2k"), reading.list_of("1k", "2k"), "Words of the text: 1k, 2k; both.", shown=None
    )


class PictureTurns(Bench[Sample]):
    """A picture of a colour, then a question about a text that names colours."""

    benchmark = NAME
    options: Options

    def __init__(self, options: Options) -> None:
        self.options = options

    @cached_property
    def plan(self) -> Sequence[Sample]:
        """Samples of all lengths, mixed."""
        lengths, form = self.options.length, "plain" if self.options.plain else "picture"
        return [
            Sample(f"{form}-de-{length}-{number}", "de", length, number)
            for number in range(self.options.samples)
            for length in lengths
        ]

    def item(self, planned: Sample) -> Item:
        """Two colours, by number."""
        wanted = [COLOURS[planned.key % 4], COLOURS[planned.key // 4 % 4]]
        return Item("Welche Farben?", ", ".join(wanted), {"colours": wanted, "needles": 2})

    def prompt(self, planned: Sample) -> Prompt:
        """One turn of text, or a picture and then the text."""
        item = self.item(planned)
        words = "Wort " * (400 if planned.length == "1k" else 800)
        text = f"{words}{item.reference}. {words}\n\n{item.question}"
        if self.options.plain:
            return prompt_of(text, tokenizer=self.tokenizer)
        picture = (Text("Merke dir das Bild.", cache_breakpoint=True), Image(_png(planned.key)))
        return prompt_of(picture, text, tokenizer=self.tokenizer)


def _png(number: int) -> bytes:
    """One grey pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + check

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixel = zlib.compress(bytes([0, number % 256]))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixel) + chunk(b"IEND", b"")
    )


def score(answered: Answered) -> Scored:
    """The share of the colours that the answer names."""
    wanted = answered.facts["colours"]
    found = [colour in answered.response for colour in wanted]
    share = sum(found) / len(found)
    named = sum(colour in answered.response for colour in COLOURS)
    return Scored(share, f"{sum(found)} of {len(found)} colours.", {"spared": 1 - named / 4})


def _task(name: str, plain: bool) -> TaskSpec:
    return TaskSpec(
        name=name,
        summary="Name the colours of a text.",
        options=Options,
        open=PictureTurns,
        fixed={"plain": plain},
    )


BENCHMARK = Benchmark(
    name=NAME,
    title="Picture turns",
    version=1,
    tasks=(_task("picture_turns", False), _task("plain_turns", True)),
    scoring=Scoring(
        by=ByMeasure(score, "colours 1"),
        name="colours",
        beside="spared",
        figures={"spared": Figure("Spared")},
    ),
    lm_eval=LmEval(
        tasks=(
            LmEvalTask(name="plain_turns", alias="Plain turns", task="plain_turns"),
            LmEvalTask(name="picture_turns", alias="Picture turns", task="picture_turns"),
        ),
        fields={"colours": TEXTS},
    ),
)
