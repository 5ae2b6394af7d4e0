"""A sample on the terminal: needles in place, and how deep they lie; or what each turn holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_datasets.schema import Sample, Span
from seqniah_tasks.benchmarks.haystacks import HaystackBench
from seqniah_tasks.benchmarks.protocol import Audio, Bench, Image, P, Part, Prompt

_AROUND = 150
"""Bytes of the document shown on each side of a needle."""

_WIDTH = 72
"""Columns of the depth strip."""


def as_json(bench: Bench[P], planned: P) -> dict[str, Any]:
    """A sample with its prompt, and the recipe that it was made from where there is one."""
    recipe = bench.recipe_fields(planned)
    row = bench.exported(recipe)
    return row if row == recipe else {**row, "recipe": recipe}


def print_sample(console: Console, bench: Bench[P], planned: P, *, full: bool) -> None:
    """Print question, reference, and the prompt: all of it if `full`, else what tells most."""
    if isinstance(bench, HaystackBench) and not bench.bare:
        _print_haystack(console, bench.sample(planned), full=full)
        return
    item, prompt = bench.item(planned), bench.prompt(planned)
    turns = len(prompt.turns)
    console.print(Text(planned.id, style="bold"))
    console.print(Text(f"{prompt.tokens:,} tokens" + (f", {turns} turns" if turns > 1 else "")))
    console.print(Text.assemble(("\nQuestion   ", "bold"), item.question))
    console.print(Text.assemble(("Reference  ", "bold"), item.reference))
    for line in _turns(prompt, full=full):
        console.print(line)


def _turns(prompt: Prompt, *, full: bool) -> Iterator[Text]:
    for number, turn in enumerate(prompt.turns, 1):
        if len(prompt.turns) > 1:
            yield Text(f"\nTurn {number}", style="bold")
        for part in turn.parts:
            yield Text("\n") + _part(part, full=full)


def _part(part: Part, *, full: bool) -> Text:
    if isinstance(part, Image):
        return Text(f"[picture, {part.media_type}, {len(part.data):,} bytes]", style="dim")
    if isinstance(part, Audio):
        return Text(f"[sound, {part.format}, {len(part.data):,} bytes]", style="dim")
    raw = part.text.encode()
    return Text(part.text) if full or len(raw) <= 4 * _AROUND else _excerpts(raw, [])


def _print_haystack(console: Console, sample: Sample, *, full: bool) -> None:
    qa = sample.qa
    order = "order demanded" if qa.order_required else "order free"
    console.print(Text(sample.id, style="bold"))
    console.print(Text(f"{sample.tokens:,} tokens, {len(qa.needles)} needles, {order}\n"))
    console.print(Text.assemble(("Question   ", "bold"), qa.question))
    console.print(Text.assemble(("Reference  ", "bold"), qa.intro))
    items = Table(box=None, show_header=False, padding=(0, 1, 0, 0))
    items.add_column(justify="right")
    items.add_column(overflow="fold")
    items.add_column(justify="right", style="dim")
    for number, (needle, span) in enumerate(zip(qa.needles, sample.spans, strict=True), 1):
        items.add_row(f"{number}.", Text(needle.item), f"depth {span.depth:.0%}")
    console.print(items)
    console.print()
    console.print(depth_strip(sample))
    console.print()
    raw = sample.input.encode()
    placed = sorted(sample.spans, key=lambda span: span.start)
    console.print(_whole(raw, placed) if full else _excerpts(raw, placed))


def depth_strip(sample: Sample) -> Text:
    """The haystack as one line, each needle's number (last digit) at its depth."""
    cells = ["·"] * _WIDTH
    for span in sample.spans:
        cells[min(_WIDTH - 1, int(span.depth * _WIDTH))] = str((span.needle + 1) % 10)
    strip = Text("start ")
    for cell in cells:
        strip.append(cell, style="dim" if cell == "·" else "bold reverse")
    return strip.append(" end")


def _needle(raw: bytes, span: Span) -> Text:
    text = Text(f"[{span.needle + 1}] ", style="bold")
    return text.append(raw[span.start : span.end].decode(), style="black on yellow")


def _whole(raw: bytes, placed: list[Span]) -> Text:
    out, before = Text(), 0
    for span in placed:
        out.append(raw[before : span.start].decode())
        out.append_text(_needle(raw, span))
        before = span.end
    return out.append(raw[before:].decode())


def _excerpts(raw: bytes, placed: list[Span]) -> Text:
    """The prompt's beginning and end, and what stands around each needle."""
    out = Text(_left_part(raw[:_AROUND]), style="")
    before = _AROUND
    for number, span in enumerate(placed):
        after = placed[number + 1].start if number + 1 < len(placed) else len(raw)
        out.append(" […]\n[…] ", style="dim")
        out.append(_right_part(raw[max(before, span.start - _AROUND) : span.start]))
        out.append_text(_needle(raw, span))
        out.append(_left_part(raw[span.end : min(after, span.end + _AROUND)]))
        before = span.end
    tail = raw[max(before, len(raw) - 2 * _AROUND) :]
    return out.append(" […]\n[…] ", style="dim").append(_right_part(tail))


def _left_part(raw: bytes) -> str:
    """Text cut after its last whole word, or as it is where words are not parted."""
    text = raw.decode(errors="ignore")
    return text.rpartition(" ")[0] or text


def _right_part(raw: bytes) -> str:
    """Text cut before its first whole word."""
    text = raw.decode(errors="ignore")
    return text.partition(" ")[2] or text
