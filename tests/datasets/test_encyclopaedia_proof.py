"""Every question has one answer, which its gold articles tell, and none can be spared."""

from __future__ import annotations

import re
from collections import defaultdict
from itertools import pairwise

import pytest

from seqniah_datasets import encyclopaedia
from seqniah_datasets.articles.library import Article
from seqniah_datasets.encyclopaedia import proof
from seqniah_datasets.encyclopaedia.entities import World

_TOWN = (
    "Nowick is a walled town of 900 people, in the records since 1200. It belongs to the region of "
    "Sagau, near its southern edge. The road to Faport is 12 miles long. Through its lower streets "
    "runs the River Miss, brown with tannin.\nAda Brenn planned the town hall and chose the slate."
)
_REGION = "Sagau is a land of moors. It is part of the state of Ulmareth."


def test_facts_are_read_from_sentences() -> None:
    assert proof.facts(_TOWN) == {
        "province": {"Sagau"},
        "waterway": {"River Miss"},
        "hall": {"Ada Brenn"},
    }
    assert proof.facts("The road to Faport is 12 miles long.") == {}


@pytest.mark.parametrize(
    ("question", "start", "relations"),
    [
        ("What is the province of Nowick?", "Nowick", ("province",)),
        ("Identify the country of Nowick's province.", "Nowick", ("province", "nation")),
        (
            "Who was the civic architect of the place of death of the author of "
            '"The Bell of Ruveil"?',
            "The Bell of Ruveil",
            ("author", "deathplace", "hall"),
        ),
        (
            "What is the parent waterway of the waterway of the host city of the Sa Press?",
            "Sa Press",
            ("seat", "waterway", "parent"),
        ),
        ("What is the originating province of the River Miss?", "River Miss", ("source",)),
    ],
)
def test_questions_are_taken_apart(question: str, start: str, relations: tuple[str, ...]) -> None:
    assert proof.asked(question) == (start, relations)


def test_a_question_can_be_put_from_any_place_of_a_chain() -> None:
    for one in encyclopaedia.build(0).questions[:40]:
        start, relations = proof.asked(one.text)
        for place in range(len(relations)):
            assert proof.asked(proof.worded(start, relations[place:])) == (start, relations[place:])


def test_other_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="no question of the encyclopaedia"):
        proof.asked("Where does the River Miss rise?")


def test_chains_are_followed_and_break_without_an_article() -> None:
    found = proof.Proof([Article("t", "Nowick", _TOWN), Article("r", "Sagau", _REGION)])
    question = "What is the country of the province of Nowick?"
    assert found.answers(question) == {"Ulmareth"}
    assert found.answers(question, without={"t"}) == found.answers(question, {"r"}) == set()
    other = Article("u", "Nowick", "The town lies in the region of Bagau.")
    twice = proof.Proof([Article("t", "Nowick", _TOWN), other])
    assert twice.answers("What is the province of Nowick?") == {"Sagau", "Bagau"}


@pytest.mark.parametrize("seed", range(2))
def test_answers_are_unique_and_need_every_gold_article(seed: int) -> None:
    built = encyclopaedia.build(seed)
    found = proof.Proof(built.articles)
    for one in built.questions:
        assert found.answers(one.text) == {one.answer}
        assert len(set(one.golds)) == one.hops == len(one.relations)
        for gold in one.golds:
            assert found.answers(one.text, without={gold}) == set()


def test_articles_tell_the_facts_of_the_world_and_no_others() -> None:
    built, world = encyclopaedia.build(0), World(0)
    texts = {article.title: article.text for article in built.articles}
    for ref in world.refs()[::13]:
        one = world.entity(ref)
        told = {name: {world.entity(to).name.title} for name, to in one.facts.items()}
        assert proof.facts(texts[one.name.title]) == told


def test_no_other_sentence_names_both_ends_of_a_fact_that_is_asked_for() -> None:
    built = encyclopaedia.build(0)
    titles = {article.id: article.title for article in built.articles}
    pairs = defaultdict(set)
    for one in built.questions:
        chain = [*(titles[gold] for gold in one.golds), one.answer]
        for start, end in pairwise(chain):
            pairs[start].add(end)
            pairs[end].add(start)
    ending = defaultdict(set)
    for name in pairs:
        ending[name.rpartition(" ")[2]].add(name)
    joined = 0
    for article in built.articles:
        for sentence in re.split(r"\.\s", article.text):
            ends = [ending[word] for word in re.findall(r"[A-Z]\w+", sentence) if word in ending]
            named = {name for several in ends for name in several if name in sentence}
            named.discard(article.title)  # its own article names it, and tells its facts
            assert not any(pairs[name] & named for name in named)
            if own := pairs.get(article.title, set()) & named:
                assert own <= set().union(*proof.facts(article.text).values())
                joined += 1
    assert joined >= 500
