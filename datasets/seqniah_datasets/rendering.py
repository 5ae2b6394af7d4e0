"""From recipes to prompts: passages joined to their window, exact token counts, offsets.

Only the seams are tokenised: everything between two anchors of the corpus index is counted by
a subtraction. See docs/token-counts.md for why that is exact.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.schema import Lang, Placement, Recipe, Sample, Span

LINE_FEED = ord("\n")

_SET_OFF = ":：,，.。;；-"
"""Signs after which nothing more sets a passage's title or date off."""


class _Passage(NamedTuple):
    """What is put into a window at one place."""

    at: int
    before: str
    text: str
    after: str
    needle: int | None


def separator(text: memoryview, place: int) -> str:
    """What stands after a passage in a window: a line break, unless it ends or goes on with one."""
    return "" if place >= len(text) or text[place] == LINE_FEED else "\n"


def joined(text: memoryview, place: int, lang: Lang, placement: Placement) -> tuple[int, str, str]:
    """Where a passage stands in a window, and what stands behind and before it."""
    after = separator(text, place)
    if placement == "lines":
        return place, after, "\n"
    blank = " " if lang == "en" else ""
    return place, after and blank, "" if place and text[place - 1] in b" \t" else blank


def in_line(text: str, lang: Lang) -> str:
    """A passage on one line, as it runs on in a paragraph: its title and date are set off."""
    colon, blank = (": ", " ") if lang == "en" else ("：", "")
    parts = [part.strip() for part in text.split("\n") if part.strip()]
    *first, last = parts
    return "".join(part + (blank if part[-1] in _SET_OFF else colon) for part in first) + last


def _passages(recipe: Recipe) -> list[_Passage]:
    """Needles and strays, in order of position."""
    needles = recipe.qa.needles
    found = [
        _Passage(place.at, place.before, needles[place.needle].text, place.after, place.needle)
        for place in recipe.insertions
    ]
    if recipe.strays:
        found += [
            _Passage(stray.at, stray.before, stray.text, stray.after, None)
            for stray in recipe.strays
        ]
        found.sort(key=lambda passage: passage.at)
    return found


def _stretch(
    text: memoryview, passages: Sequence[_Passage], start: int, end: int
) -> Iterator[bytes | memoryview]:
    """The window from `start` to `end`, with the passages that belong there."""
    for passage in passages:
        yield text[start : passage.at]
        yield f"{passage.before}{passage.text}{passage.after}".encode()
        start = passage.at
    yield text[start:end]


def window_text(recipe: Recipe, corpus: Corpus) -> memoryview:
    """The window. Raises `CorpusError` when the corpus is not the recipe's."""
    text = corpus.open(recipe.window.shard).text
    if recipe.window.end > len(text):
        raise CorpusError(f"The corpus {corpus.spec} is not the one that {recipe.id} was made of.")
    return text[recipe.window.start : recipe.window.end]


def _pieces(recipe: Recipe, corpus: Corpus) -> Iterator[bytes | memoryview]:
    text = window_text(recipe, corpus)
    yield recipe.before.encode()
    yield from _stretch(text, _passages(recipe), 0, len(text))
    yield recipe.after.encode()


def sha256_of(recipe: Recipe, corpus: Corpus) -> str:
    hasher = hashlib.sha256()
    for piece in _pieces(recipe, corpus):
        hasher.update(piece)
    return hasher.hexdigest()


def prompt_bytes(recipe: Recipe, corpus: Corpus) -> bytes:
    """The rendered prompt. Raises `CorpusError` when the corpus is not the recipe's."""
    return b"".join(_pieces(recipe, corpus))


def spans(recipe: Recipe) -> tuple[Span, ...]:
    """Where each needle stands in the rendered prompt, in true order."""
    size = max(1, recipe.window.end - recipe.window.start)
    found: list[Span] = []
    shift = len(recipe.before.encode())
    for passage in _passages(recipe):
        length = len(passage.text.encode())
        start = shift + passage.at + len(passage.before)
        if passage.needle is not None:
            found.append(Span(passage.needle, start, start + length, passage.at / size))
        shift += len(passage.before) + length + len(passage.after)
    return tuple(sorted(found, key=lambda span: span.needle))


def render(recipe: Recipe, corpus: Corpus) -> Sample:
    """The prompt of a recipe, and where its needles are."""
    text = prompt_bytes(recipe, corpus).decode("utf-8")
    return Sample(recipe.id, text, spans(recipe), recipe.qa, recipe.tokens)


def counted(recipe: Recipe, corpus: Corpus, count: Callable[[str], int] | None = None) -> int:
    """Exact tokens of a recipe's prompt; `count` counts its seams, as the tokenizer would."""
    index, tokenizer = corpus.open(recipe.window.shard), corpus.tokenizer
    low = int(index.anchors.searchsorted(recipe.window.start, side="right"))
    high = int(index.anchors.searchsorted(recipe.window.end))
    if low == high or not tokenizer.exact_cuts:
        return tokenizer.count(prompt_bytes(recipe, corpus).decode("utf-8"))
    count = count or tokenizer.count
    text = window_text(recipe, corpus)
    counts, cuts = index.counts[low:high], index.anchors[low:high] - recipe.window.start
    # Region r lies between cuts r-1 and r; only those that hold a needle or touch the frame are
    # tokenised, the rest is the difference of the counts at their borders.
    touched: dict[int, list[_Passage]] = {0: [], len(cuts): []}
    for passage in _passages(recipe):
        touched.setdefault(int(cuts.searchsorted(passage.at)), []).append(passage)
    total = int(counts[-1] - counts[0])
    for region, inside in touched.items():
        left = int(cuts[region - 1]) if region else 0
        right = int(cuts[region]) if region < len(cuts) else len(text)
        if 0 < region < len(cuts):
            line = _next_line(text, inside[-1].at) if tokenizer.line_cuts else right
            if line < right:  # the rest of the region stays as it is counted
                right = line
                total -= count(bytes(text[left:right]).decode("utf-8"))
            else:
                total -= int(counts[region] - counts[region - 1])
        seam = b"".join(_stretch(text, inside, left, right)).decode("utf-8")
        before = recipe.before if region == 0 else ""
        after = recipe.after if region == len(cuts) else ""
        total += count(f"{before}{seam}{after}")
    return total


def _next_line(text: memoryview, at: int) -> int:
    """Where a line begins with a letter or digit, if nothing but line breaks stands between `at`
    and it; else the end of the text."""
    line = at + blanks(text, at, len(text), "\n")
    first = bytes(text[line : line + 4]).decode("utf-8", "ignore")[:1]
    return line if line > at and first.isalnum() else len(text)


def blanks(text: memoryview, start: int, end: int, signs: str) -> int:
    """How many bytes from `start` are such signs."""
    if start < end and text[start] not in signs.encode():
        return 0
    ahead = bytes(text[start : min(start + 64, end)]).decode("utf-8", "ignore")
    return len(ahead[: len(ahead) - len(ahead.lstrip(signs))].encode())


def changed(recipe: Recipe, corpus: Corpus) -> Recipe:
    """A recipe whose passages were changed, with its tokens and digest made anew."""
    return replace(recipe, tokens=counted(recipe, corpus), sha256=sha256_of(recipe, corpus))
