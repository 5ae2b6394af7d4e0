"""The articles of the embedded encyclopaedia, their links and the plan of its questions."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from functools import cache
from itertools import pairwise

import pytest

from seqniah_datasets import encyclopaedia
from seqniah_datasets.encyclopaedia import ArticleKind, decoys, proof, questions, wording
from seqniah_datasets.encyclopaedia.entities import RELATIONS
from seqniah_datasets.encyclopaedia.names import Kind
from seqniah_datasets.search.words import Words


@cache
def built() -> encyclopaedia.Encyclopaedia:
    return encyclopaedia.build(0)


@cache
def texts() -> dict[str, str]:
    return {article.id: article.text for article in built().articles}


@cache
def titles() -> dict[str, str]:
    return {article.id: article.title for article in built().articles}


def of_kind(*kinds: ArticleKind) -> list[str]:
    return [id for id, kind in built().kinds.items() if kind in kinds]


def test_sizes_are_those_asked_for() -> None:
    counts = Counter(built().kinds.values())
    assert counts[ArticleKind.PLAIN] == 60 + 300 + 1_000 + 260 + 1_500 + 400 + 480
    assert 1_400 <= counts[ArticleKind.WORDING_DECOY] <= 1_800
    assert 1_350 <= counts[ArticleKind.NAMESAKE_DECOY] <= 1_600
    assert Counter(one.hops for one in built().questions) == {1: 100, 2: 290, 3: 78, 4: 32}
    assert len(set(titles().values())) == len(set(texts().values())) == len(built().articles)


@pytest.mark.parametrize("first", [10, 24, 50, 100, 250, 499])
def test_any_first_part_has_all_shares(first: int) -> None:
    met = Counter(one.hops for one in built().questions[:first])
    for hops, share in {1: 100, 2: 290, 3: 78, 4: 32}.items():
        assert abs(met[hops] - share * first / 500) <= 1


def test_forty_of_a_hundred_questions_have_wording_decoys() -> None:
    chain = questions.Chain((), ("author",))
    assert [n for n, one in enumerate(decoys.by_wording([chain] * 10)) if one] == [2, 4, 7, 9]


def test_seeds_share_no_question_and_no_article() -> None:
    other = encyclopaedia.build(1)
    assert not {one.text for one in built().questions} & {one.text for one in other.questions}
    assert not set(texts().values()) & {article.text for article in other.articles}


def test_links_are_the_names_in_the_text() -> None:
    linked = defaultdict(set)
    for start, end in built().links:
        assert titles()[end] in texts()[start]
        linked[start].add(end)
    by_title = {titles()[id]: id for id in of_kind(ArticleKind.PLAIN)}
    named = re.compile(r"[A-Z]\w+(?: (?:of )?[A-Z]\w+)*")
    for id in of_kind(*ArticleKind):
        found = {by_title[name] for name in named.findall(texts()[id]) if name in by_title}
        assert found - {id} <= linked[id]
    assert not {start for start, _ in built().links} & set(of_kind(ArticleKind.WORDING_DECOY))
    plain = set(of_kind(ArticleKind.PLAIN))
    assert {end for _, end in built().links} <= plain and linked.keys() >= plain


def test_no_article_uses_the_words_of_questions() -> None:
    words = Words()
    asked = {
        word for kind in Kind for ask in wording.style(kind).asks.values() for word in words.of(ask)
    }
    asked |= set(words.of("who what identify"))
    for id in of_kind(ArticleKind.PLAIN, ArticleKind.NAMESAKE_DECOY):
        assert not asked & set(words.of(f"{titles()[id]} {texts()[id]}"))


def test_relations_have_four_wordings_and_a_name_of_their_own_in_questions() -> None:
    asks = [wording.style(one.subject).asks[one.name] for one in RELATIONS]
    assert len(set(asks)) == len({one.name for one in RELATIONS}) == len(RELATIONS)
    for kind in Kind:
        style = wording.style(kind)
        told = [name for part in style.parts for name in part.facts]
        assert sorted(told) == sorted(style.facts)
        assert sorted(told) == sorted(one.name for one in RELATIONS if one.subject == kind)
        assert min(map(len, style.facts.values())) >= 4 <= len(style.openings)


def test_wording_decoys_repeat_the_question_and_tell_nothing() -> None:
    words = Words()
    pages = defaultdict(set)
    for id in of_kind(ArticleKind.WORDING_DECOY):
        for word in words.of(texts()[id]):
            pages[word].add(id)
    framing = set(words.of("who what identify"))
    asked = [set(words.of(one.text)) - framing for one in built().questions]
    repeated = [one for one in asked if set.intersection(*(pages[word] for word in one))]
    assert len(repeated) == 40 + 116 + 31 + 12  # two fifths by hops
    assert not any(proof.facts(texts()[id]) for id in of_kind(ArticleKind.WORDING_DECOY))


def test_namesakes_are_one_letter_off_and_tell_other_facts_of_the_same_kinds() -> None:
    holes = defaultdict(set)
    for gold in {gold for one in built().questions for gold in one.golds}:
        for spot in range(len(titles()[gold])):
            holes[f"{titles()[gold][:spot]}_{titles()[gold][spot + 1 :]}"].add(gold)
    for id in of_kind(ArticleKind.NAMESAKE_DECOY):
        title, told = titles()[id], proof.facts(texts()[id])
        near = set().union(*(holes[f"{title[:n]}_{title[n + 1 :]}"] for n in range(len(title))))
        assert any(
            told.keys() >= own.keys() and all(told[one] != own[one] for one in own)
            for own in (proof.facts(texts()[gold]) for gold in near)
        )


_BROKEN = re.compile(
    r"\b[Aa] [aeio]\w+|\b[Aa]n [^aeiouh\W]\w+|  |[.,]{2}| [.,]|[][{}|]|\b(\w+) \1\b|[^.]\Z|\w+'s's"
)


def test_sentences_are_whole() -> None:
    for text in texts().values():
        assert text.isascii() and 100 <= len(text.split()) <= 400
        assert not _BROKEN.search(text), _BROKEN.search(text)
        for sentence in re.split(r"\.(?: |\n|\Z)", text)[:-1]:
            assert re.match(r'"?[A-Z][ \w]', sentence), sentence


def test_years_run_forwards_within_a_life() -> None:
    lives = 0
    for text in (texts()[id] for id in of_kind(ArticleKind.PLAIN, ArticleKind.NAMESAKE_DECOY)):
        for first, last in re.findall(r"(\d{4}) (?:and|to) (\d{4})", text):
            assert first < last
        if life := re.match(r"[A-Z]\w+ [A-Z]\w+ \((\d{4})-(\d{4})\)", text):
            years = [int(year) for year in re.findall(r"\b1[5-8]\d\d\b", text)]
            worked = text.split("\n")[1]
            assert int(life[1]) == min(years) and int(life[2]) == max(years)
            assert all(a < b for a, b in pairwise(re.findall(r"\b1[5-8]\d\d\b", worked)))
            lives += 1
    assert lives > 500


def test_patterns_become_all_that_they_say() -> None:
    assert wording.pattern("a [b|c [d|e]] {x}, [f|]") == (
        ("a b ", "x", ", f"),
        ("a b ", "x", ", "),
        ("a c d ", "x", ", f"),
        ("a c d ", "x", ", "),
        ("a c e ", "x", ", f"),
        ("a c e ", "x", ", "),
    )


_DIGEST = """
import hashlib
from seqniah_datasets import encyclopaedia
from seqniah_datasets.encyclopaedia import concepts
built = encyclopaedia.build(0)
raw = repr((built.articles, built.links, built.questions)).encode()
raw += concepts.encode([one.content for one in built.articles[:300]]).tobytes()
print(hashlib.sha256(raw).hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["1", "2"])
def test_bytes_do_not_depend_on_the_hash_seed(hash_seed: str) -> None:
    from seqniah_datasets.encyclopaedia import concepts

    raw = repr((built().articles, built().links, built().questions)).encode()
    raw += concepts.encode([one.content for one in built().articles[:300]]).tobytes()
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)}
    made = subprocess.run(
        [sys.executable, "-c", _DIGEST], env=environment, capture_output=True, text=True, check=True
    )
    assert made.stdout.strip() == hashlib.sha256(raw).hexdigest()
