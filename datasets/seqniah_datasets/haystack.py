"""Needles into a document window (paper, Algorithm 1), with exact token counts and offsets.

Only the seams are tokenised: everything between two anchors of the corpus index is counted by
a subtraction. See docs/token-counts.md for why that is exact.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from seqniah_datasets import rng
from seqniah_datasets.corpora.arrays import Offsets
from seqniah_datasets.corpora.base import Corpus, DocumentRef
from seqniah_datasets.corpora.index import ShardIndex
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import (
    Insertion,
    LengthBin,
    NeedleOrder,
    Origin,
    QAItem,
    Recipe,
    Sample,
    Span,
    Window,
)

_LINE_FEED = ord("\n")

ATTEMPTS = 40
"""Windows tried for one sample before the corpus is called unfit for it."""

STRICT = 20
"""Attempts in which a window that names all parties of the question is refused as well."""

_BYTES_PER_TOKEN = {"en": 4, "zh": 3}
"""Of needles and frame, about; a first guess that a sample which misses its bin corrects."""

MARGIN = 256
"""Tokens that a target length stays below the end of its bin."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The fixed words of a prompt."""

    before: str
    """Stands before the document."""
    after: str
    """Stands after it, question included."""


@dataclass(frozen=True, slots=True)
class Order:
    """What is wanted of one sample's prompt."""

    id: str
    origin: Origin
    key: tuple[rng.Key, ...]
    """Names the sample's random streams; shared with no other sample."""
    length: LengthBin
    needle_order: NeedleOrder


def target_tokens(order: Order) -> int:
    """The length aimed at: in [low, high - 256), with mean about 1.45 low.

    That mean gives the published 97 million tokens of the test split (paper, appendix F.1).
    Built from products and minima of uniform draws, whose bits are the same everywhere.
    """
    draws = rng.stream(*order.key, "length")
    share = draws.random()
    if draws.random() >= 0.7:
        share = min(share, draws.random())
    return order.length.low + int(share * (order.length.high - order.length.low - MARGIN))


def build(qa: QAItem, order: Order, frame: Frame, corpus: Corpus) -> Recipe:
    """Choose a window and places for the needles so that the finished prompt lies in its bin.

    Raises `CorpusError` when no document is long enough or none of 40 windows serves.
    """
    target = target_tokens(order)
    documents = corpus.candidates(qa.lang, target)
    words = [frame.before, *(needle.text for needle in qa.needles), frame.after]
    overhead = sum(len(text.encode()) for text in words) // _BYTES_PER_TOKEN[qa.lang]
    refusals: Counter[str] = Counter()
    for attempt in range(ATTEMPTS):
        draws = rng.stream(*order.key, "haystack", attempt)
        drawn = _draw(draws, corpus, draws.choice(documents), target - overhead, len(qa.needles))
        if isinstance(drawn, str):
            refusals[drawn] += 1
            continue
        index, window, places = drawn
        if _holds_answer(index, window, qa):
            refusals["speak of the question's subject or events"] += 1
            continue
        if attempt < STRICT and _names_all(index, window, qa.parties):
            refusals["name all parties of the question"] += 1
            continue
        text = index.text[window.start : window.end]
        numbers = list(range(len(places)))
        if order.needle_order == "shuffled":
            numbers = draws.shuffled(numbers)
        insertions = tuple(
            Insertion(number, place, separator(text, place))
            for number, place in zip(numbers, places, strict=True)
        )
        recipe = Recipe(
            id=order.id,
            origin=order.origin,
            qa=qa,
            window=window,
            insertions=insertions,
            before=frame.before,
            after=frame.after,
            tokenizer=corpus.tokenizer.name,
        )
        tokens = counted(recipe, corpus)
        if order.length.low <= tokens < order.length.high:
            return replace(recipe, tokens=tokens, sha256=_sha256(recipe, corpus))
        refusals["miss the length"] += 1
        overhead = min(max(0, overhead + tokens - target), target // 2)
    why = ", ".join(f"{count} {reason}" for reason, count in refusals.items())
    raise CorpusError(
        f"The corpus {corpus.spec} cannot serve {order.id}: of {ATTEMPTS} windows, {why}; "
        "use another corpus, or leave this length out with -T length=."
    )


def _draw(
    draws: Stream, corpus: Corpus, ref: DocumentRef, body: int, needles: int
) -> tuple[ShardIndex, Window, list[int]] | str:
    """A window of about `body` tokens with a place for each needle, or why there is none."""
    index = corpus.open(ref.shard)
    start, end = int(index.documents[ref.number]), int(index.documents[ref.number + 1])
    low, high = np.searchsorted(index.anchors, (start, end))
    anchors, counts = index.anchors[low:high], index.counts[low:high]
    first, last = np.searchsorted(index.ends, (start, end), side="right")
    ends = index.ends[first:last]
    before = int(index.document_tokens[: ref.number].sum())
    spare = int(index.document_tokens[ref.number]) - body
    if spare < 0 or not len(anchors) or not len(ends):
        return "lie in a document that is too short or has no sentence ends"
    starts = int(np.searchsorted(counts, before + spare, side="right"))
    chosen = draws.below(starts + 1) - 1
    if chosen >= 0:
        start = _next_end(ends, int(anchors[chosen]), end)
        start += _blanks(index, start, end, " \t\n\u3000")
        before = int(counts[chosen])
    stop = int(np.searchsorted(counts, before + body))
    if stop < len(anchors):
        end = _next_end(ends, int(anchors[stop]), end)
    inner = _inner(ends, start, end)
    if len(inner) < needles:
        return "have too few sentence ends"
    picks = sorted(draws.sample(needles, len(inner)))
    window = Window(ref.shard, start, end)
    return index, window, [_place(index, window, int(inner[pick])) for pick in picks]


def _inner(ends: Offsets, start: int, end: int) -> Offsets:
    """The sentence ends strictly within a window."""
    return ends[np.searchsorted(ends, start, "right") : np.searchsorted(ends, end, "left")]


def _place(index: ShardIndex, window: Window, sentence_end: int) -> int:
    """Where a passage stands that follows a sentence end, counted in the window."""
    blanks = _blanks(index, sentence_end, window.end - 1, " \t")
    return sentence_end + blanks - window.start


def places(recipe: Recipe, corpus: Corpus) -> list[int]:
    """All places of the window where passages may stand, in rising order."""
    index, window = corpus.open(recipe.window.shard), recipe.window
    inner = _inner(index.ends, window.start, window.end)
    return [_place(index, window, end) for end in inner.tolist()]


def changed(recipe: Recipe, corpus: Corpus) -> Recipe:
    """A recipe whose passages were changed, with its tokens and digest made anew."""
    return replace(recipe, tokens=counted(recipe, corpus), sha256=_sha256(recipe, corpus))


def counted(recipe: Recipe, corpus: Corpus, count: Callable[[str], int] | None = None) -> int:
    """Exact tokens of a recipe's prompt; `count` counts its seams, as the tokenizer would."""
    index, tokenizer = corpus.open(recipe.window.shard), corpus.tokenizer
    low = int(np.searchsorted(index.anchors, recipe.window.start, side="right"))
    high = int(np.searchsorted(index.anchors, recipe.window.end))
    if low == high or not tokenizer.exact_cuts:
        return tokenizer.count(prompt_bytes(recipe, corpus).decode("utf-8"))
    count = count or tokenizer.count
    text = window_text(recipe, corpus)
    counts = index.counts[low:high]
    cuts = (index.anchors[low:high] - recipe.window.start).tolist()
    # Region r lies between cuts r-1 and r; only those that hold a needle or touch the frame are
    # tokenised, the rest is the difference of the counts at their borders.
    touched: dict[int, list[_Passage]] = {0: [], len(cuts): []}
    for passage in _passages(recipe):
        touched.setdefault(bisect_left(cuts, passage.at), []).append(passage)
    total = int(counts[-1] - counts[0])
    for region, inside in touched.items():
        if 0 < region < len(cuts):
            total -= int(counts[region] - counts[region - 1])
        left = cuts[region - 1] if region else 0
        right = cuts[region] if region < len(cuts) else len(text)
        seam = b"".join(_stretch(text, inside, left, right)).decode("utf-8")
        before = recipe.before if region == 0 else ""
        after = recipe.after if region == len(cuts) else ""
        total += count(f"{before}{seam}{after}")
    return total


def separator(text: memoryview, place: int) -> str:
    """What stands after a passage in a window: a line break, unless it ends or goes on with one."""
    return "" if place >= len(text) or text[place] == _LINE_FEED else "\n"


def _next_end(ends: Offsets, offset: int, default: int) -> int:
    position = int(np.searchsorted(ends, offset, side="right"))
    return int(ends[position]) if position < len(ends) else default


def _blanks(index: ShardIndex, start: int, end: int, blanks: str) -> int:
    """How many bytes from `start` are blanks."""
    ahead = bytes(index.text[start : min(start + 64, end)]).decode("utf-8", "ignore")
    return len(ahead[: len(ahead) - len(ahead.lstrip(blanks))].encode())


def _holds_answer(index: ShardIndex, window: Window, qa: QAItem) -> bool:
    """Whether a window speaks of what the needles say, so that the answer would be unclear."""
    phrases = (qa.subject, *(needle.event for needle in qa.needles))
    return any(index.holds(phrase.encode(), window.start, window.end) for phrase in phrases)


def _names_all(index: ShardIndex, window: Window, parties: tuple[str, ...]) -> bool:
    """Whether a window may tell of the parties' real dealings, which would blur the answer."""
    names = [name.encode() for name in parties]
    return bool(names) and all(index.holds(name, window.start, window.end) for name in names)


class _Passage(NamedTuple):
    """What is put into a window at one place."""

    at: int
    text: str
    after: str
    needle: int | None


def _passages(recipe: Recipe) -> list[_Passage]:
    """Needles and strays, in order of position."""
    needles = recipe.qa.needles
    found = [
        _Passage(place.at, needles[place.needle].text, place.after, place.needle)
        for place in recipe.insertions
    ]
    if recipe.strays:
        found += [_Passage(stray.at, stray.text, stray.after, None) for stray in recipe.strays]
        found.sort(key=lambda passage: passage.at)
    return found


def _stretch(
    text: memoryview, passages: Sequence[_Passage], start: int, end: int
) -> Iterator[bytes | memoryview]:
    """The window from `start` to `end`, with the passages that belong there."""
    for passage in passages:
        yield text[start : passage.at]
        yield f"\n{passage.text}{passage.after}".encode()
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


def _sha256(recipe: Recipe, corpus: Corpus) -> str:
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
        start = shift + passage.at + 1
        if passage.needle is not None:
            found.append(Span(passage.needle, start, start + length, passage.at / size))
        shift += length + 1 + len(passage.after)
    return tuple(sorted(found, key=lambda span: span.needle))


def render(recipe: Recipe, corpus: Corpus) -> Sample:
    """The prompt of a recipe, and where its needles are."""
    text = prompt_bytes(recipe, corpus).decode("utf-8")
    return Sample(recipe.id, text, spans(recipe), recipe.qa, recipe.tokens)
