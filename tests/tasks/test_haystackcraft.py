"""HaystackCraft's static task: plan, piles as prompts, options, scores, a user's own folder."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import in_process
import pytest

import seqniah
from seqniah_datasets import rng
from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_scorers.origin import Origin, trace
from seqniah_tasks.benchmarks.haystackcraft.bench import HaystackCraft
from seqniah_tasks.benchmarks.shown import sha256_of

TOWNS = [f"Town{chr(97 + n)}burg" for n in range(26)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Persons born in towns, and towns with rivers, in the published layout; questions of one and
    of two hops."""
    path = tmp_path_factory.mktemp("corpus")
    draws = rng.stream("haystackcraft test")
    with (path / "docs.jsonl").open("w", encoding="utf-8") as out:
        for n, town in enumerate(TOWNS):
            filler = " ".join(draws.choice(TOWNS) for _ in range(120))
            rows = [
                {
                    "id": n,
                    "title": f"Person {n}",
                    "text": f"Person {n} was born in {town}.\n{filler}",
                },
                {
                    "id": 100 + n,
                    "title": town,
                    "text": f"{town} lies on the river Flow{n}.\n{filler}",
                },
            ]
            out.write("".join(json.dumps(row) + "\n" for row in rows))
    with (path / "edge_list.csv").open("w", encoding="utf-8") as out:
        out.write("source_node,target_node\n" + "".join(f"{n},{100 + n}\n" for n in range(26)))
    with (path / "questions.jsonl").open("w", encoding="utf-8") as out:
        for n, town in enumerate(TOWNS[:12]):
            two = n % 3 == 0
            asked = "On which river lies the birthplace of" if two else "Where was born"
            row = {
                "id": f"q{n}",
                "question": f"{asked} Person {n}?",
                "answer": f"Flow{n}" if two else town,
                "answer_aliases": [],
                "p2d_id": {"1": n, "2": 100 + n} if two else {"1": n},
            }
            out.write(json.dumps(row) + "\n")
    return path


def loaded(folder: Path, **given: Any) -> Any:
    return seqniah.load("haystackcraft", **{"corpus": str(folder), "length": "2k,4k", **given})


def test_prompts_are_as_long_as_asked_for_and_counted_exactly(folder: Path) -> None:
    for profile in ("strict", "official"):
        samples = loaded(folder, profile=profile, tokenizer="cl100k_base")
        for sample in samples:
            counted = samples.bench.tokenizer.count(sample.prompt)
            assert sample.shown.tokens == counted
            aimed = sample.planned.tokens
            # The official budget does not count what stands around the articles.
            assert aimed - 40 <= counted <= aimed + (300 if profile == "official" else 0)


def test_a_prompt_is_named_by_its_bytes(folder: Path) -> None:
    bench = loaded(folder, length="4k").bench
    prompt = bench.prompt(bench.plan[0])
    assert prompt.sha256 == hashlib.sha256(prompt.text.encode()).hexdigest()
    for words in ("", "é" * 65_535 + "鹭x", "𝄞" * 140_000):
        assert sha256_of(words) == hashlib.sha256(words.encode()).hexdigest()


def test_golds_are_whole_and_where_they_are_said_to_be(folder: Path) -> None:
    for sample in loaded(folder, order="ranked,permuted"):
        golds = [sample.bench.collection.library.articles[n] for n in sample.planned.asked.golds]
        for gold, depth in zip(golds, sample.shown.depths, strict=True):
            place = sample.prompt.find(f"Article Title: {gold.title}\n{gold.text}\n\n")
            assert place >= 0
            assert depth == pytest.approx(place / len(sample.prompt), abs=1e-3)


def test_any_first_part_has_all_hops_and_sizes(folder: Path) -> None:
    plan = loaded(folder, length="1k,2k,3k").bench.plan
    assert len(plan) == len({one.id for one in plan}) == 12 * 3
    first = plan[:12]
    assert Counter(one.asked.hops for one in first) == {1: 8, 2: 4}
    assert Counter(one.length for one in first) == {"1k": 4, "2k": 4, "3k": 4}
    assert Counter(one.asked.hops for one in plan[:3]) == {1: 2, 2: 1}


def test_ranked_piles_follow_the_ranking_and_permuted_ones_hold_the_same(folder: Path) -> None:
    samples = loaded(folder, order="ranked,permuted", length="2k", questions=3)
    titles: dict[tuple[str, int], list[str]] = {}
    for sample in samples:
        lines = sample.prompt.splitlines()
        found = [line for line in lines if line.startswith("Article Title: ")]
        titles[sample.planned.asked.id, sample.planned.permutation] = found
    for question in ("q0", "q1", "q2"):
        orders = [titles[question, n] for n in range(4)]
        assert len({tuple(one) for one in orders}) == 4
        assert len({tuple(sorted(one)) for one in orders}) == 1


def test_length_0_is_of_the_golds_alone(folder: Path) -> None:
    for sample in loaded(folder, length="0"):
        assert sample.prompt.count("Article Title: ") == sample.planned.asked.hops


def test_what_is_not_found_is_not_there_where_golds_are_retrieved(folder: Path) -> None:
    run = folder.parent / "empty.trec"
    run.write_text("".join(f"q{n} Q0 125 1 1.0 other\n" for n in range(12)), "utf-8")
    samples = loaded(folder, run=str(run), gold="retrieved", length="300")
    assert all(one.item.facts["gold_ranks"][0] is None for one in samples)
    assert all(one.shown.depths == () for one in samples)
    inserted = loaded(folder, run=str(run), length="4k")
    for sample in inserted:
        found = sample.prompt.index(f"Article Title: {TOWNS[25]}\n")
        gold = sample.planned.asked.golds[0] // 2
        assert found < sample.prompt.index(f"Article Title: Person {gold}\n")


def test_ids_name_what_rebuilds_the_samples(folder: Path) -> None:
    def ids(**given: Any) -> set[str]:
        return {one.id for one in loaded(folder, **given).bench.plan}

    usual = ids()
    assert ids(hops="2") < usual and ids(length="4k") < usual and ids(questions=5) < usual
    for other in ({"seed": 1}, {"profile": "official"}, {"tokenizer": "cl100k_base"}):
        assert not ids(**other) & usual, other


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"strategy": "bm52"}, "did you mean bm25"),
        ({"strategy": "dense"}, "needs vectors"),
        ({"length": "1m"}, "fewer than the length 1,000,000"),
        ({"run": "nowhere.trec"}, "nowhere.trec"),
        ({"run": "a.trec", "strategy": "bm25"}, "leave strategy out"),
        ({"length": "0", "gold": "retrieved"}, "give a length"),
        ({"corpus": "nowhere"}, "There is no folder nowhere"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    folder: Path, given: dict[str, Any], told: str
) -> None:
    with pytest.raises((SeqniahError, UnknownName)) as error:
        loaded(folder, **given)[0].prompt  # noqa: B018
    assert told in str(error.value)
    assert "\n" not in str(error.value)


ANSWERS = [
    # response, F1, failure modes
    ("The correct answer is (Townbburg).", 1.0, []),
    ("The correct answer is (Towncburg).", 0.0, ["bridge", "distractor"]),
    ("The correct answer is (Atlantis).", 0.0, ["nowhere"]),
    ("I do not know.", 0.0, ["no_answer"]),
]


@pytest.mark.parametrize(("response", "f1", "modes"), ANSWERS)
def test_an_answer_is_scored_and_a_wrong_one_traced(
    folder: Path, response: str, f1: float, modes: list[str]
) -> None:
    samples = loaded(folder)
    sample = next(one for one in samples if one.planned.asked.id == "q1")
    scored = samples.judge(sample, response)
    assert scored.score == f1
    found = scored.told["failure_modes"]
    assert found == [] if not modes else len(found) == 1 and found[0] in modes


PILE = (
    "<text>\nArticle Title: Anna Berg\nAnna Berg wrote Dawn.\n\nArticle Title: Anna Borg\n"
    "Anna Borg wrote Dusk.\n\nArticle 3\n: Article Title: Dawn\nDawn is set in Oslo.\n\n"
    "</text>\n\nWhere is the book of Anna Berg set, not in Rome?"
)


@pytest.mark.parametrize(
    ("answer", "origin", "place"),
    [
        ("Dusk", Origin.NAMESAKE, 2),
        ("dawn", Origin.BRIDGE, 1),
        ("Anna Borg", Origin.NAMESAKE, 2),
        ("Oslo", Origin.DISTRACTOR, 3),
        ("Rome", Origin.NOWHERE, None),
        ("Osl", Origin.NOWHERE, None),
        ("...", Origin.NOWHERE, None),
    ],
)
def test_a_wrong_answer_is_traced_to_its_article(
    answer: str, origin: Origin, place: int | None
) -> None:
    found = trace(answer, PILE, ["Anna Berg"])
    assert (found.origin, found.place) == (origin, place)


def test_a_bridge_is_known_by_name_where_no_article_has_it() -> None:
    assert trace("Lima", PILE, ["Anna Berg"], ["Lima"]).origin is Origin.BRIDGE


ROUNDS = ["Summary: y", "The correct answer is (Bonn)"]
ROWS = [
    {"id": "a", "answer": "Bonn", "response": "The correct answer is St. Louis."},
    {"id": "b", "answer": "x", "answer_aliases": ["Bonn"], "response_list": ROUNDS},
    {"id": "c", "answer": "Bonn", "response": "No idea."},
    {"id": "d", "answer": "Bonn", "response": None},
]


def test_answers_made_anywhere_are_scored(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    done = in_process.done(["score", "haystackcraft", "--in", str(path), "--json"])
    assert done.returncode == 3
    told = json.loads(done.stdout)
    assert [row["pred"] for row in told["rows"]] == ["St. Louis", "Bonn", None, None]
    assert [row["f1"] for row in told["rows"]] == [0.0, 1.0, 0.0, None]
    assert (told["f1"], told["em"]) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert (told["unanswered"], told["unscored"]) == (1, 1)
    as_released = in_process.done(
        ["score", "haystackcraft", "--in", str(path), "--json", "--profile", "official"]
    )
    assert json.loads(as_released.stdout)["rows"][0]["pred"] == "St"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"id": "a", "answer": "Bonn"}', "line 1: response is missing"),
        ('{"id": "a", "response": "x"}', "line 1: answer is a text"),
        ('{"id": "a", "answer": "B", "response": 3}', "line 1: response is a text"),
        ("[]", "line 1 is no JSON object"),
        ("", "holds no answer"),
    ],
)
def test_a_bad_file_is_refused_with_its_place(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(line, "utf-8")
    done = in_process.done(["score", "haystackcraft", "--in", str(path)])
    assert done.returncode == 1
    assert told in done.stderr


def test_the_bench_is_what_the_task_opens(folder: Path) -> None:
    assert isinstance(loaded(folder).bench, HaystackCraft)
