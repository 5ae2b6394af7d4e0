"""Piles: exact sums of tokens, golds whole, nested lengths."""

from __future__ import annotations

import numpy as np
import pytest

from seqniah_datasets import rng
from seqniah_datasets.articles import pile as pile_module
from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.articles.pile import GAP, Piles, shown
from seqniah_datasets.search.base import Numbers
from seqniah_datasets.tokens import ENCODINGS, tokenizer

ENDS = [
    "end.",
    "end",
    "(end)",
    "“end”",
    "3.14",
    "結束。",
    "end...",
    "a b\n\n",
    " - ",
    "é",
    "'s",
    "…",
]
BEFORE, AFTER = "Read this.\n\n<text>\n", "</text>\n\nWho?"


def library(count: int = 60) -> Library:
    """Articles of 10 to 300 words with awkward ends."""
    draws = rng.stream("pile test")
    words = ["river", "Bonn", "1,024", "state's", "of", "the", "鹭", "co-op", "U.S.", "so;"]
    return Library.of(
        Article(
            str(number),
            f"Title {number}{draws.choice(ENDS)}",
            " ".join(draws.choice(words) for _ in range(draws.between(10, 300)))
            + f" {draws.choice(ENDS)}",
        )
        for number in range(count)
    )


def others(first: int = 0) -> list[Numbers]:
    """All articles from that one on, in two parts."""
    return np.array_split(np.arange(first, 60), 2)


def parts(*order: int) -> list[Numbers]:
    """Two parts of these."""
    return np.array_split(np.array(order), 2)


@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_tokens_of_articles_add_up(encoding: str) -> None:
    piles = Piles(library(), tokenizer(encoding))
    count = piles.tokenizer.count
    for number in range(20):
        draws = rng.stream("pile order", number)
        order = draws.shuffled(range(60))
        pile = piles.lay(order[:2], parts(*order[2:]), draws.between(700, 9_000))
        text = BEFORE + "".join(piles.texts(pile, draws.shuffled(pile.numbers))) + AFTER
        assert count(text) == count(BEFORE) + pile.tokens + count(AFTER)


@pytest.mark.parametrize("room", [900, 2_000, 5_000])
def test_a_pile_is_filled_to_within_a_few_tokens_and_never_beyond(room: int) -> None:
    piles = Piles(library(), tokenizer("qwen"))
    below = []
    for number in range(20):
        order = rng.stream("pile order", number).shuffled(range(60))
        below.append(room - piles.lay(order[:1], parts(*order[1:]), room).tokens)
    assert min(below) >= 0
    # Too little room for a readable piece of an article is left empty.
    assert max(below) <= 32


def test_golds_are_whole_and_first_and_a_pile_that_they_overfill_holds_nothing_else() -> None:
    piles = Piles(library(), tokenizer("qwen"))
    pile = piles.lay([4, 7], others(), 3_000)
    assert pile.numbers[:2] == (4, 7) and not pile.overfull
    assert pile.numbers.count(4) == pile.numbers.count(7) == 1
    tight = piles.lay([4, 7], others(), 20)
    assert (tight.numbers, tight.kept) == ((4, 7), None) and tight.overfull
    assert tight.tokens == piles.tokens(4) + piles.tokens(7) > 20


def test_golds_alone_are_no_overfull_pile() -> None:
    pile = Piles(library(), tokenizer("qwen")).lay([4], others(), 0)
    assert (pile.numbers, pile.kept) == ((4,), None) and not pile.overfull


def test_piles_are_nested_but_for_the_article_that_was_cut() -> None:
    piles = Piles(library(), tokenizer("cl100k_base"))
    small, large = (piles.lay([3], others(), room) for room in (2_000, 6_000))
    whole = small.numbers if small.kept is None else small.numbers[:-1]
    assert large.numbers[: len(whole)] == whole and len(large.numbers) > len(small.numbers)


def test_a_cut_article_keeps_its_title_and_some_text() -> None:
    piles = Piles(library(), tokenizer("qwen"))
    for room in range(400, 1_200, 37):
        pile = piles.lay([0], others(1), room)
        *whole, last = piles.texts(pile, pile.numbers)
        articles = [piles.library.articles[number] for number in pile.numbers]
        assert whole == list(map(shown, articles[:-1]))
        if pile.kept is not None:
            assert shown(articles[-1]).startswith(last.removesuffix(GAP))
            assert len(last) > len(f"Article Title: {articles[-1].title}\n")


def one_by_one(piles: Piles, golds: list[int], order: list[int], room: int) -> list[int]:
    """The whole articles of a pile."""
    tokens = [piles.tokenizer.count(shown(article)) for article in piles.library.articles]
    numbers, left = list(golds), room - sum(tokens[gold] for gold in golds)
    for number in order:
        if number not in golds:
            left -= tokens[number]
            if left < 0:
                break
            numbers.append(number)
    return numbers


@pytest.mark.parametrize("few", [1, 8, 1_000])
def test_parts_and_what_is_counted_together_change_nothing(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pile_module, "_AT_ONCE", few)
    piles = Piles(library(), tokenizer("qwen"))
    for number in range(30):
        draws = rng.stream("parts", number)
        order, room = draws.shuffled(range(60)), draws.between(2_500, 9_000)
        ranked = np.array_split(np.array(order), draws.between(1, 5))
        found = piles.lay(order[5:7], ranked, room)
        whole = found.numbers if found.kept is None else found.numbers[:-1]
        assert list(whole) == one_by_one(piles, order[5:7], order, room)


def test_no_article_is_counted_far_behind_the_last_one() -> None:
    piles, asked = Piles(library(), tokenizer("qwen")), []
    counts = piles.tokenizer.counts

    class Counting:
        name = "qwen"

        def __getattr__(self, name: str) -> object:
            return getattr(piles.tokenizer, name)

        def counts(self, texts: list[str]) -> list[int]:
            asked.extend(texts)
            return counts(texts)

    pile = Piles(piles.library, Counting()).lay([], others(), 1_200)  # type: ignore[arg-type]
    assert len(asked) <= len(pile.numbers) + 9
