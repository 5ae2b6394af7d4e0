"""LOFT's embedded data sets: answers are in the golds, and need all of them."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import chain, islice
from pathlib import Path

import pytest

from seqniah_datasets import atlas, tokens
from seqniah_datasets.atlas import proof, tables, wording
from seqniah_datasets.atlas.proof import Proof
from seqniah_datasets.atlas.wording import relation
from seqniah_datasets.encyclopaedia.entities import RELATIONS
from seqniah_datasets.encyclopaedia.wording import style
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.schema import Query, Source
from seqniah_datasets.search.sparse import SparseIndex

_ARTICLES = ("atlas", "atlas_hops", "atlas_sets", "atlas_turns")


def _every(source: Source) -> list[Query]:
    return [query for split in source.queries.values() for query in split]


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", _ARTICLES)
def test_answers_are_read_from_the_golds_alone_and_need_all(name: str, seed: int) -> None:
    source = atlas.source(name, seed, "rag")
    for query in _every(source):
        golds = list(dict.fromkeys(chain(*query.golds)))
        found = Proof(source.passages[pid] for pid in golds).answers(query.turns)
        assert len(found) == len(query.turns)
        for told, accepted in zip(found, query.answers, strict=True):
            if source.kind == "multi_value_rag":
                assert told == set(accepted) and 2 <= len(told) <= 5
            else:
                assert told == {accepted[0]}
        for lost in golds:
            kept = Proof(source.passages[pid] for pid in golds if pid != lost)
            assert kept.answers(query.turns) != found


@pytest.mark.parametrize("name", _ARTICLES)
def test_no_filler_answers_or_contradicts(name: str) -> None:
    source = atlas.source(name, 0, "rag")
    others = list(islice(source.filler(), 10_000))
    assert not {one.pid for one in others} & {
        pid for q in _every(source) for pid in chain(*q.golds)
    }
    assert len({one.pid for one in others}) == 10_000
    # With all passages at hand nothing is found that was not, and nothing less.
    whole = Proof(chain(source.passages.values(), others))
    for query in _every(source):
        golds = dict.fromkeys(chain(*query.golds))
        alone = Proof(source.passages[pid] for pid in golds).answers(query.turns)
        assert whole.answers(query.turns) == alone, query.turns


def test_retrieval_answers_are_golds_and_rag_answers_are_titles() -> None:
    for name in _ARTICLES:
        found, rag = atlas.source(name, 0), atlas.source(name, 0, "rag")
        assert found.kind == "retrieval" and found.digest != rag.digest
        assert rag.kind == ("multi_value_rag" if name == "atlas_sets" else "rag")
        for one, other in zip(_every(found), _every(rag), strict=True):
            assert one.turns == other.turns
            assert one.answers == tuple(map(list, one.golds)) and one.golds == other.golds
    turns = Counter(len(one.turns) for one in _every(atlas.source("atlas_turns", 0)))
    hops = Counter(len(one.golds[0]) for one in _every(atlas.source("atlas_hops", 0)))
    assert set(turns) == {2, 3, 4, 5} and set(hops) == {2, 3, 4}


@pytest.mark.parametrize("name", atlas.NAMES)
def test_splits_and_texts(name: str) -> None:
    source = atlas.source(name, 0)
    lengths = 5 if name == "atlas_sql" else 1
    sizes = {split: len(found) for split, found in source.queries.items()}
    assert sizes == {"few_shot": 5 * lengths, "dev": 10 * lengths, "test": 100 * lengths}
    every = _every(source)
    assert len({one.qid for one in every}) == len(every)
    assert len({(one.database, one.turns) for one in every}) == len(every)
    for one in every:
        assert len(one.turns) == len(one.answers) == len(one.golds)
        assert set(chain(*one.golds)) <= source.passages.keys()
    json.dumps([asdict(one) for one in every])
    if name in _ARTICLES:
        count = tokens.tokenizer("cl100k_base").count
        sample = [*source.passages.values(), *islice(source.filler(), 500)]
        counts = sorted(count(one.text) for one in sample)
        assert 90 <= sum(counts) / len(counts) <= 110 and counts[len(counts) // 20] >= 75
        assert counts[-1] <= 150
        golds = [count(one.text) + 24 for one in source.passages.values()]
        assert sum(golds) <= 0.9 * 32_000  # all are asked at the default length


@pytest.mark.parametrize("name", ["atlas", "atlas_turns", "atlas_hops", "atlas_sets"])
def test_one_guess_answers_next_to_nothing(name: str) -> None:
    queries = atlas.source(name, 0, "rag").queries["test"]
    guesses = Counter(value for one in queries for turn in one.answers for value in turn)
    asked = sum(len(one.turns) for one in queries)
    if name == "atlas_sets":  # right where the whole set is
        guesses = Counter(str(sorted(one.answers[0])) for one in queries)
    assert max(guesses.values()) / asked <= 0.02


def test_questions_do_not_use_the_words_of_articles() -> None:
    for one in RELATIONS:
        told = relation(one.name)
        asked = " ".join(
            [*told["asks"], *(told.get(name, "") for name in ("phrase", "own", "yes", "no"))]
        )
        wordings = style(one.subject).facts[one.name]
        written = " ".join(text for told in wordings for pieces in told for text in pieces[::2])
        common = _words(asked) & _words(written)
        assert common <= {"first", "most", "town"}, (one.name, common)


class First:
    """Draws the first of anything."""

    def choice(self, items: Sequence[str]) -> str:
        return items[0]


@pytest.mark.parametrize(
    ("start", "relations", "question"),
    [
        ("Ann Bel", ["school"], "What was the alma mater of Ann Bel?"),
        ("Ann Bel", ["teacher", "school"], "What was the alma mater of Ann Bel's mentor?"),
        # Ann Bel's own mentor may have a benefactor, too.
        ("Ann Bel", ["patron", "teacher"], "Who was the mentor of the benefactor of Ann Bel?"),
        (
            "Ann Bel",
            ["employer", "seat", "waterway"],
            "Which river flows past the town that is home to Ann Bel's employer?",
        ),
        (
            "Ann Bel",
            ["teacher", "patron", "employer"],
            "Think of Ann Bel's mentor. Which institution employed that person's benefactor?",
        ),
        (
            '"The Day"',
            ["backdrop", "hall"],
            'Who was the architect of the council house in the town in which "The Day" is set?',
        ),
        (
            '"The Day"',
            ["author", "birthplace", "province", "governor"],
            'Think of the birthplace of the author of "The Day". Who was the first viceroy of that '
            "town's province?",
        ),
    ],
)
def test_chains_are_put_in_phrases_that_can_be_read_in_one_way(
    start: str, relations: list[str], question: str
) -> None:
    asked = wording.chain(start, relations, First())  # type: ignore[arg-type]
    assert asked == question
    assert proof.asked(asked) == (start, relations)


def test_a_question_that_can_be_read_in_two_ways_is_none() -> None:
    with pytest.raises(ValueError, match="read in 2 ways"):
        proof.asked("What was the alma mater of the mentor of Ann Bel's benefactor?")


_COMMON = """
a an and are as at be by did do does for had has have he her his how in into is it its not of on one
or s so than that the their them then there to was were what which who whom whose with we
"""


def _words(text: str) -> set[str]:
    return set(re.findall("[a-z]+", text.lower())) - set(_COMMON.split())


def test_words_find_one_passage_and_lose_chains_and_sets() -> None:
    found = {}
    for name in _ARTICLES:
        source = atlas.source(name, 0)
        filler = islice(source.filler(), 877 - len(source.passages))
        passages = [*source.passages.values(), *filler]
        index = SparseIndex.build(f"{one.title}\n{one.text}" for one in passages)
        whole = []
        for query in source.queries["test"]:
            for turn, golds in zip(query.turns, query.golds, strict=True):
                best = {passages[spot].pid for spot in index.search(turn, 5).numbers}
                whole.append(len(best & set(golds)) == len(set(golds)))
        found[name] = sum(whole) / len(whole)
    assert found["atlas"] > 0.8
    assert max(found["atlas_hops"], found["atlas_sets"], found["atlas_turns"]) < 0.45


def test_kinds_follow_from_what_examples_tell() -> None:
    source = atlas.source("atlas_kinds", 0)
    marks = {one.title for one in source.passages.values()}
    assert len(marks) == len(source.passages) == 24
    seen = list(islice(source.filler(), 3_000))
    asked = {one.turns[0] for one in _every(source)}
    assert not asked & {one.text for one in seen}
    assert max(Counter(one.title for one in seen).values()) < 3_000 / 24 * 1.4
    # A nearest neighbour by words learns from examples, and from too few learns little.
    right = {}
    for number in (200, 3_000):
        index = SparseIndex.build(one.text for one in seen[:number])
        right[number] = sum(
            seen[index.search(one.turns[0], 1).numbers[0]].title == one.answers[0][0]
            for one in source.queries["test"]
        )
    assert 8 < right[200] < right[3_000]
    assert max(Counter(one.answers[0][0] for one in _every(source)).values()) <= 5


def test_tables_hold_what_queries_tell() -> None:
    """Answers of questions that Python can count, from the CSV alone."""
    source = atlas.source("atlas_sql", 0)
    checked = 0
    for query in _every(source):
        if query.turns[0].startswith("How many towns have more than"):
            bound = int(query.turns[0].split()[6])
            _, *rows = source.passages[f"{query.database}/town"].text.split("\n")
            assert query.answers[0] == [[sum(int(row.split(",")[3]) > bound for row in rows)]]
            checked += 1
        assert query.golds[0] and query.database in query.qid
    assert checked >= 5
    sizes = {
        base: sum(
            tokens.tokenizer("cl100k_base").count(one.text)
            for pid, one in source.passages.items()
            if pid.startswith(f"{base}/")
        )
        for base in {one.database for one in _every(source)}
    }
    for base, size in sizes.items():
        length = int(base.rpartition("_")[2].removesuffix("k")) * 1_000
        assert 0.45 * length < size < 0.88 * length, (base, size)


@pytest.mark.parametrize(
    ("lengths", "names"),
    [
        ((4_000,), "8k"),
        ((32_000,), "16k 32k"),
        ((40_000, 256_000), "16k 32k 128k 256k"),
        ((999_999,), "256k 512k"),
        ((2_000_000,), "512k 1m"),
    ],
)
def test_tables_are_made_for_the_lengths_asked_for(lengths: tuple[int, ...], names: str) -> None:
    assert tables.fitting(lengths) == tuple(names.split())


def test_longer_tables_leave_the_shorter_ones_as_they_are() -> None:
    usual, longer = (atlas.source("atlas_sql", 0, None, one) for one in (tables.USUAL, (256_000,)))
    both = usual.passages.keys() & longer.passages.keys()
    assert {pid.split("/")[0] for pid in both} == {"land_128k", "letters_128k"}
    assert all(usual.passages[pid] == longer.passages[pid] for pid in both)
    asked = [{q.qid: q for q in _every(one) if "128k" in q.database} for one in (usual, longer)]
    assert asked[0] == asked[1] and len(asked[0]) == 115
    count = tokens.tokenizer("cl100k_base").count
    for base in ("land", "letters"):
        texts = [one.text for pid, one in longer.passages.items() if pid.startswith(f"{base}_256k")]
        assert 0.45 * 256_000 < sum(map(count, texts)) < 0.88 * 256_000


def test_names_and_kinds_that_do_not_go_together() -> None:
    with pytest.raises(SeqniahError, match="Unknown embedded data set 'map'"):
        atlas.source("map", 0)
    with pytest.raises(SeqniahError, match="atlas_sql is of sql, not of rag"):
        atlas.source("atlas_sql", 0, "rag")
    with pytest.raises(SeqniahError, match="atlas_hops is of retrieval, not of icl"):
        atlas.source("atlas_hops", 0, "icl")


def _digests() -> dict[str, str]:
    found = {}
    for name in atlas.NAMES:
        one = atlas.source(name, 0)
        told = [asdict(each) for each in _every(one)]
        told += [asdict(each) for each in (*one.passages.values(), *islice(one.filler(), 50))]
        raw = json.dumps(told)
        found[name] = hashlib.sha256(raw.encode()).hexdigest()
    return found


def test_bytes_do_not_hang_on_the_hash_seed() -> None:
    program = "import json, test_atlas; print(json.dumps(test_atlas._digests()))"
    path = os.pathsep.join([str(Path(__file__).parent), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "12345", "PYTHONPATH": path},
        capture_output=True,
        check=True,
    )
    assert json.loads(done.stdout) == _digests()
