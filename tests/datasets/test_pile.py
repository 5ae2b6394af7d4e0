"""Piles: exact sums of tokens, golds whole, nested lengths."""

from __future__ import annotations

import pytest

from seqniah_datasets import rng
from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.articles.pile import Laid, Piles, shown
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


@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_tokens_of_articles_add_up(encoding: str) -> None:
    piles = Piles(library(), tokenizer(encoding))
    count = piles.tokenizer.count
    for number in range(20):
        draws = rng.stream("pile order", number)
        order = draws.shuffled(range(60))
        pile = piles.lay(order[:2], order[2:], draws.between(700, 9_000))
        text = BEFORE + "".join(map(piles.text, draws.shuffled(pile.laid))) + AFTER
        assert count(text) == count(BEFORE) + pile.tokens + count(AFTER)


@pytest.mark.parametrize("room", [900, 2_000, 5_000])
def test_a_pile_is_filled_to_within_a_few_tokens_and_never_beyond(room: int) -> None:
    piles = Piles(library(), tokenizer("qwen"))
    below = []
    for number in range(20):
        order = rng.stream("pile order", number).shuffled(range(60))
        below.append(room - piles.lay(order[:1], order[1:], room).tokens)
    assert min(below) >= 0
    # Too little room for a readable piece of an article is left empty.
    assert max(below) <= 32


def test_golds_are_whole_and_first_and_a_pile_that_they_overfill_holds_nothing_else() -> None:
    piles = Piles(library(), tokenizer("qwen"))
    pile = piles.lay([4, 7], range(60), 3_000)
    assert pile.laid[:2] == (Laid(4), Laid(7)) and not pile.overfull
    assert [laid.number for laid in pile.laid].count(4) == 1
    tight = piles.lay([4, 7], range(60), 20)
    assert tight.laid == (Laid(4), Laid(7)) and tight.overfull
    assert tight.tokens == piles.tokens(4) + piles.tokens(7) > 20


def test_golds_alone_are_no_overfull_pile() -> None:
    pile = Piles(library(), tokenizer("qwen")).lay([4], range(60), 0)
    assert pile.laid == (Laid(4),) and not pile.overfull


def test_piles_are_nested_but_for_the_article_that_was_cut() -> None:
    piles = Piles(library(), tokenizer("cl100k_base"))
    small, large = (piles.lay([3], range(60), room).laid for room in (2_000, 6_000))
    whole = [laid for laid in small if laid.kept is None]
    assert list(large[: len(whole)]) == whole
    assert sum(laid.kept is not None for laid in large) <= 1


def test_a_cut_article_keeps_its_title_and_some_text() -> None:
    piles = Piles(library(), tokenizer("qwen"))
    for room in range(400, 1_200, 37):
        for laid in piles.lay([0], range(1, 60), room).laid:
            if laid.kept is not None:
                article = piles.library.articles[laid.number]
                text = piles.text(laid)
                assert shown(article).startswith(text.rstrip())
                assert len(text) > len(f"Article Title: {article.title}\n")
