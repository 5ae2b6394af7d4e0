"""Windows of documents, and places in them for needles and lures (paper, Algorithm 1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from seqniah_datasets import rendering, rng
from seqniah_datasets.corpora.arrays import Offsets
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.corpora.haystacks import Stretch
from seqniah_datasets.corpora.index import ShardIndex
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.places import is_plain
from seqniah_datasets.rng import Stream
from seqniah_datasets.schema import (
    Insertion,
    LengthBin,
    NeedleOrder,
    Origin,
    Placement,
    QAItem,
    Recipe,
    Stray,
    Window,
)

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
    placement: Placement = "lines"


def target_tokens(key: Sequence[rng.Key], length: LengthBin) -> int:
    """The length aimed at: in [low, high - 256), with mean about 1.45 low.

    That mean gives the published 97 million tokens of the test split (paper, appendix F.1).
    Built from products and minima of uniform draws, whose bits are the same everywhere.
    """
    draws = rng.stream(*key, "length")
    share = draws.random()
    if draws.random() >= 0.7:
        share = min(share, draws.random())
    return length.low + int(share * (length.high - length.low - MARGIN))


def build(
    qa: QAItem,
    order: Order,
    frame: Frame,
    corpus: Corpus,
    stretches: Callable[[int, int], Stretch],
    lures: Sequence[str] = (),
) -> Recipe:
    """Choose a window and places for needles and lures so that the finished prompt lies in its bin.

    `stretches` gives the stretch of so many tokens that windows are drawn from, and others where
    that does not serve, counted from 1. Raises `CorpusError` when no document is long enough or
    none of 40 windows serves.
    """
    target = target_tokens(order.key, order.length)
    if order.placement == "inline":
        lures = [rendering.in_line(lure, qa.lang) for lure in lures]
        needles = (replace(one, text=rendering.in_line(one.text, qa.lang)) for one in qa.needles)
        qa = replace(qa, needles=tuple(needles))
    words = [frame.before, *(needle.text for needle in qa.needles), *lures, frame.after]
    passages = len(qa.needles) + len(lures)
    overhead = sum(len(text.encode()) for text in words) // _BYTES_PER_TOKEN[qa.lang]
    # A window that tells what the needles say makes the answer unclear, and one that names all
    # parties may tell of their real dealings.
    answer = [one.encode() for one in (qa.subject, *(needle.event for needle in qa.needles))]
    parties = [one.encode() for one in qa.parties]
    refusals: Counter[str] = Counter()
    for attempt in range(ATTEMPTS):
        draws = rng.stream(*order.key, "haystack", attempt)
        # A window that misses its length is drawn from the same stretch again.
        stretch = stretches(target, attempt - refusals[_MISSED])
        drawn = _draw(draws, corpus, stretch, target - overhead, passages, order.placement)
        if isinstance(drawn, str):
            refusals[drawn] += 1
            continue
        index, window, places = drawn
        holds = partial(index.holds, start=window.start, end=window.end)
        if any(map(holds, answer)):
            refusals["speak of the question's subject or events"] += 1
            continue
        if attempt < STRICT and parties and all(map(holds, parties)):
            refusals["name all parties of the question"] += 1
            continue
        text = index.text[window.start : window.end]
        numbers = list(range(len(qa.needles)))
        if order.needle_order == "shuffled":
            numbers = draws.shuffled(numbers)
        astray = set(draws.sample(len(lures), passages)) if lures else set()
        ends = [rendering.joined(text, place, qa.lang, order.placement) for place in places]
        of_needles = [one for place, one in enumerate(ends) if place not in astray]
        of_lures = [one for place, one in enumerate(ends) if place in astray]
        recipe = Recipe(
            id=order.id,
            origin=order.origin,
            qa=qa,
            window=window,
            insertions=tuple(map(Insertion, numbers, *zip(*of_needles, strict=True))),
            before=frame.before,
            after=frame.after,
            tokenizer=corpus.tokenizer.name,
            strays=tuple(Stray(lure, *one) for lure, one in zip(lures, of_lures, strict=True)),
        )
        tokens = rendering.counted(recipe, corpus)
        if order.length.low <= tokens < order.length.high:
            return replace(recipe, tokens=tokens, sha256=rendering.sha256_of(recipe, corpus))
        refusals[_MISSED] += 1
        overhead = min(max(0, overhead + tokens - target), target // 2)
    why = ", ".join(f"{count} {reason}" for reason, count in refusals.items())
    raise CorpusError(
        f"The corpus {corpus.spec} cannot serve {order.id}: of {ATTEMPTS} windows, {why}; "
        "use another corpus, or leave this length out with -T length=."
    )


_MISSED = "miss the length"

_AMPLE = 3
"""Places drawn for each passage."""


def _draw(
    draws: Stream,
    corpus: Corpus,
    stretch: Stretch,
    body: int,
    passages: int,
    placement: Placement,
) -> tuple[ShardIndex, Window, list[int]] | str:
    """A window of about `body` tokens with a place for each passage, or why there is none."""
    ref = stretch.document
    index = corpus.open(ref.shard)
    start, end = int(index.documents[ref.number]), int(index.documents[ref.number + 1])
    low, high = index.anchors.searchsorted((start, end))
    anchors, counts = index.anchors[low:high], index.counts[low:high]
    first, last = index.ends.searchsorted((start, end), side="right")
    ends = index.ends[first:last]
    before = int(index.document_tokens[: ref.number].sum()) + stretch.first
    last = int(index.document_tokens[ref.number]) if stretch.last is None else stretch.last
    spare = last - stretch.first - body
    if spare < 0 or not len(anchors) or not len(ends):
        return "lie in a document that is too short or has no sentence ends"
    lowest = int(counts.searchsorted(before))
    starts = int(counts.searchsorted(before + spare, side="right"))
    # One before the first cut stands for the document's beginning.
    chosen = lowest - 1 + draws.below(max(starts - lowest, 0) + 1)
    if stretch.first:
        chosen = min(max(chosen, lowest), len(anchors) - 1)
    if chosen >= 0:
        start = _next_end(ends, int(anchors[chosen]), end)
        start += rendering.blanks(index.text, start, end, " \t\n\u3000")
        before = int(counts[chosen])
    stop = int(counts.searchsorted(before + body))
    if stop < len(anchors):
        end = _next_end(ends, int(anchors[stop]), end)
    inner = _inner(ends, start, end)
    where = "sentence ends"
    if placement == "inline":
        where += " within paragraphs"
        inner = inner[np.frombuffer(index.text, np.uint8)[inner] != rendering.LINE_FEED]
    else:
        inner = _between_paragraphs(index, start, end, passages)
    if len(inner) < passages:
        return f"have too few {where}"
    window = Window(ref.shard, start, end)
    # Some at the end of the draw are there in place of those within quotations or verse.
    drawn = draws.sample(min(len(inner), _AMPLE * passages), len(inner))
    plain: list[int] = []
    for pick in drawn:
        if is_plain(index.text, start, int(inner[pick]), end):
            plain.append(pick)
            if len(plain) == passages:
                break
    picks = sorted([*plain, *(pick for pick in drawn if pick not in plain)][:passages])
    return index, window, [_place(index, window, int(inner[pick])) for pick in picks]


def _inner(ends: Offsets, start: int, end: int) -> Offsets:
    """The sentence ends strictly within a window."""
    return ends[ends.searchsorted(start, "right") : ends.searchsorted(end, "left")]


def _between_paragraphs(index: ShardIndex, start: int, end: int, least: int) -> Offsets:
    """The sentence ends in a window after which no sentence goes on with what a passage says.

    All of them where those are fewer than `least`.
    """
    found = _inner(index.breaks, start, end)
    return found if len(found) >= least else _inner(index.ends, start, end)


def _place(index: ShardIndex, window: Window, sentence_end: int) -> int:
    """Where a passage stands that follows a sentence end, counted in the window."""
    blanks = rendering.blanks(index.text, sentence_end, window.end - 1, " \t")
    return sentence_end + blanks - window.start


def places(recipe: Recipe, corpus: Corpus, between: int | None = None) -> list[int]:
    """All places of the window where passages may stand, in rising order.

    Those between paragraphs alone, where the window has at least `between` of them.
    """
    index, window = corpus.open(recipe.window.shard), recipe.window
    inner = _inner(index.ends, window.start, window.end)
    if between is not None:
        inner = _between_paragraphs(index, window.start, window.end, between)
    return [_place(index, window, end) for end in inner.tolist()]


def _next_end(ends: Offsets, offset: int, default: int) -> int:
    position = int(ends.searchsorted(offset, side="right"))
    return int(ends[position]) if position < len(ends) else default
