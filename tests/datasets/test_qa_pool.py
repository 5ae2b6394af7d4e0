"""A user's own questions: what is read, what is refused and how, and what a small pool gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Pipeline, QAItem, Wish
from seqniah_datasets.sources import paper_sources, qa_pool
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.splits import GROUPS
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

SOME, MORE, MANY = GROUPS


def _never(question: str, lang: Lang) -> bool:
    return False


def _row(number: int = 0, count: int = 4, **more: object) -> dict[str, Any]:
    items = [f"Thing {n} of case {number} came to pass" for n in range(count)]
    return {
        "question": f"What came to pass in case {number}?",
        "answer": "\n".join([f"In case {number}:", *(f"- {item}." for item in items)]),
        "needles": [f"{item}, as the clerk wrote." for item in items],
        **more,
    }


def _write(folder: Path, *rows: object, name: str = "qa.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def _given(pool: qa_pool.QAPool, lang: Lang, *wishes: Wish, seed: int = 0) -> list[QAItem]:
    """What all splits together give, each asked for the same."""
    found: list[QAItem] = []
    for split in SPLITS:
        supply = pool.supply(Demand(lang, split, seed, wishes))
        found += [supply.item(n) for n in range(len(wishes)) if supply.needles(n) is not None]
    return found


def _only(folder: Path, row: dict[str, Any]) -> QAItem:
    """The one question of a file."""
    (pool,) = qa_pool.read([_write(folder, row)], _never).values()
    wishes = [Wish(group, group.low) for group in GROUPS]
    (item,) = [item for lang in LANGS for item in _given(pool, lang, *wishes)]
    return item


# What is read.


@pytest.mark.parametrize("mark", ["-", "*", "•", "1.", "2)", "3、", "  -"])
def test_bullets_and_numbers_are_no_part_of_an_item(tmp_path: Path, mark: str) -> None:
    row = _row(answer=f"Here:\nall of it\n\n{mark} one\n{mark} two\n\n{mark}  three ", count=3)
    item = _only(tmp_path, row)
    assert item.intro == "Here: all of it"
    assert [needle.item for needle in item.needles] == ["one", "two", "three"]
    assert [needle.text for needle in item.needles] == row["needles"]
    assert item.question == row["question"]


def test_language_and_pipeline_are_read_from_the_row_its_meta_or_the_question(
    tmp_path: Path,
) -> None:
    said = _only(tmp_path, _row(lang="zh", pipeline="real-temporal"))
    assert (said.lang, said.pipeline) == ("zh", Pipeline.REAL_TEMPORAL)
    meta = _only(tmp_path, _row(meta={"lang": "zh", "ppl": "syn"}))
    assert (meta.lang, meta.pipeline) == ("zh", Pipeline.SYNTHETIC_TEMPORAL)
    bare = _only(tmp_path, _row(question="案卷里有什么？"))
    assert (bare.lang, bare.pipeline) == ("zh", Pipeline.REAL_LOGICAL)
    assert _only(tmp_path, _row()).lang == "en"


def test_order_is_as_said_or_as_the_question_demands(tmp_path: Path) -> None:
    asked = "List what happened, in chronological order."
    assert _only(tmp_path, _row()).order_required  # a procedure always has one
    for said in (True, False):
        assert _only(tmp_path, _row(order_required=said)).order_required is said
    for question, demanded in ((asked, True), ("What happened?", False)):
        path = _write(tmp_path, _row(question=question, pipeline="tkg"))
        (pool,) = qa_pool.read([path], lambda words, lang: demands_order(words)).values()
        (item,) = _given(pool, "en", Wish(SOME, 4))
        assert item.order_required is demanded


def test_built_examples_are_read_too(tmp_path: Path) -> None:
    row = _row(7)
    built = {"input": "a long document", "output": row["answer"], "meta_QA": row}
    assert _only(tmp_path, built) == _only(tmp_path, row)


def test_a_split_that_a_row_names_is_kept(tmp_path: Path) -> None:
    rows = [_row(n, split=SPLITS[n % 3]) for n in range(12)]
    (pool,) = qa_pool.read([_write(tmp_path, *rows)], _never).values()
    for number, split in enumerate(SPLITS):
        supply = pool.supply(Demand("en", split, 0, (Wish(SOME, 4),) * 5))
        asked = {supply.item(n).question for n in range(5) if supply.needles(n)}
        assert asked == {rows[n]["question"] for n in range(number, 12, 3)}


# What is refused.


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (_row(answer="There is nothing to tell."), "0 items"),
        (_row(count=1), "1 items"),
        (_row(count=2), "2 items"),
        (_row(count=16), "16 items"),
        (_row(answer=""), "has no answer"),
        ({**_row(), "question": "  "}, "has no question"),
        ({**_row(), "question": 7}, "has no question"),
        ({key: value for key, value in _row().items() if key != "needles"}, "needles"),
        (_row(needles="one text"), "needles is no list"),
        (_row(needles=["a", "b", "c", 4]), "needles is no list"),
        (_row(needles=["a", "b", "c"]), "4 items but 3 needles"),
        (_row(needles=["a", "b", "c", " "]), "empty needle"),
        (_row(needles=["a", "b", "c", "a"]), "needle twice: 'a'"),
        (_row(answer="So:\n- a\n- b\n- c\n- a"), "item twice: 'a'"),
        (_row(lang="fr"), "lang is 'fr'"),
        (_row(pipeline="riddles"), "pipeline is 'riddles'"),
        (_row(split="validation"), "split is 'validation'"),
        (_row(), "asks the same as"),
        ({"meta_QA": "lost"}, "meta_QA is no JSON object"),
        ([1, 2], "is no JSON object"),
    ],
)
def test_a_bad_row_is_named_in_one_sentence(tmp_path: Path, row: object, what: str) -> None:
    path = _write(tmp_path, _row(), row, _row(2))
    with pytest.raises(SeqniahError) as caught:
        qa_pool.read([path], _never)
    told = str(caught.value)
    assert f"{path}, line 2" in told and what in told
    assert told.endswith(".") and "\n" not in told


@pytest.mark.parametrize("blanks", [("a", " a "), ("a", "a\n")])
def test_needles_that_differ_in_blanks_alone_are_the_same(
    tmp_path: Path, blanks: tuple[str, str]
) -> None:
    path = _write(tmp_path, _row(needles=[*blanks, "b", "c"]))
    with pytest.raises(SeqniahError, match="needle twice"):
        qa_pool.read([path], _never)


@pytest.mark.parametrize(
    ("text", "what"),
    [(b'{"question": \n', "line 1, is not JSON"), (b"\xff\xfe{}\n", "line 1, is not UTF-8")],
)
def test_a_file_that_is_no_json_lines_is_named(tmp_path: Path, text: bytes, what: str) -> None:
    (tmp_path / "qa.jsonl").write_bytes(text)
    with pytest.raises(SeqniahError, match=what) as caught:
        qa_pool.read([tmp_path / "qa.jsonl"], _never)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(_row(pipeline=["tkg"])),
        json.dumps(_row(meta={"ppl": {"name": "tkg"}})),
        json.dumps(_row())[:-1] + ', "number": ' + "7" * 5_000 + "}",
        json.dumps(_row(question="What about \ud800?")),
    ],
    ids=["pipeline-list", "ppl-object", "long-number", "half-a-character"],
)
def test_odd_values_are_refused_like_others(tmp_path: Path, line: str) -> None:
    (tmp_path / "qa.jsonl").write_text(f"{json.dumps(_row(5))}\n{line}\n", "utf-8")
    with pytest.raises(SeqniahError, match="line 2") as caught:
        qa_pool.read([tmp_path / "qa.jsonl"], _never)
    assert "\n" not in str(caught.value)


def test_a_byte_order_mark_and_line_ends_of_windows_are_no_part_of_a_row(tmp_path: Path) -> None:
    text = "\r\n".join([json.dumps(_row(0)), "", json.dumps(_row(1)), ""])
    (tmp_path / "qa.jsonl").write_bytes(b"\xef\xbb\xbf" + text.encode())
    (pool,) = qa_pool.read([tmp_path / "qa.jsonl"], _never).values()
    asked = {item.question for item in _given(pool, "en", *[Wish(SOME, 4)] * 2)}
    assert asked == {_row(n)["question"] for n in range(2)}


def test_an_empty_file_and_a_missing_one_are_named(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match=r"qa\.jsonl holds no question"):
        qa_pool.read([_write(tmp_path)], _never)
    with pytest.raises(SeqniahError, match=r"gone\.jsonl cannot be read"):
        qa_pool.read([tmp_path / "gone.jsonl"], _never)


def test_a_line_of_the_answer_is_never_lost_in_silence(tmp_path: Path) -> None:
    # An item that goes on in a second line: kept, or refused, but not cut off.
    path = _write(tmp_path, _row(answer="So:\n- a\n- b came,\n  and stayed\n- c\n- d"))
    try:
        (pool,) = qa_pool.read([path], _never).values()
    except SeqniahError:
        return
    (item,) = _given(pool, "en", Wish(SOME, 4))
    assert "and stayed" in item.reference


# What a pool gives.


@st.composite
def _pools(draw: st.DrawFn) -> tuple[dict[int, int], list[Wish]]:
    sizes = draw(st.dictionaries(st.integers(0, 60), st.integers(3, 15), max_size=20))
    groups = draw(st.lists(st.sampled_from(GROUPS), max_size=30))
    return sizes, [Wish(group, draw(st.integers(group.low, group.high))) for group in groups]


@settings(deadline=None)
@given(_pools(), st.booleans())
def test_each_question_is_given_once_until_none_of_its_group_is_left(
    asked: tuple[dict[int, int], list[Wish]], reuse: bool
) -> None:
    sizes, wishes = asked
    tickets, reused = qa_pool._allot(sizes, wishes, reuse=reuse)
    used: Counter[int] = Counter()
    for wish, ticket in zip(wishes, tickets, strict=True):
        if ticket is not None:
            number, _, needles = ticket
            used[number] += 1
            assert needles == sizes[number]
            assert wish.group.low <= needles <= wish.group.high
    assert reused == sum(count - 1 for count in used.values())
    for group in GROUPS:
        fit = {number for number, size in sizes.items() if group.low <= size <= group.high}
        wanted = sum(wish.group == group for wish in wishes)
        got = sum(
            ticket is not None
            for wish, ticket in zip(wishes, tickets, strict=True)
            if wish.group == group
        )
        assert got == (wanted if reuse and fit else min(wanted, len(fit)))
        assert sum(used[number] > 0 for number in fit) == min(wanted, len(fit))


def test_questions_are_asked_again_about_equally_often() -> None:
    wishes = [Wish(SOME, 4), Wish(MORE, 7)] * 20
    tickets, reused = qa_pool._allot({0: 4, 1: 4, 2: 7, 3: 7}, wishes, reuse=True)
    assert reused == 36
    assert Counter(ticket[0] for ticket in tickets if ticket) == dict.fromkeys(range(4), 10)


def test_a_pool_is_dealt_to_test_then_to_dev_then_to_train(tmp_path: Path) -> None:
    path = _write(tmp_path, *(_row(n, 4) for n in range(200)))
    (pool,) = qa_pool.read([path], _never).values()
    supplies = [pool.supply(Demand("en", split, 0, (Wish(SOME, 4),) * 200)) for split in SPLITS]
    given_out = [
        sum(supply.needles(serial) is not None for serial in range(200)) for supply in supplies
    ]
    # English, real-logical, 3-5 needles: the quotas of test and dev, and what is left.
    test, dev = 13 + 31 + 31 + 26, 14 + 25 + 25 + 30
    assert given_out == [200 - test - dev, dev, test]


def test_no_question_is_in_two_splits_whatever_the_seed(tmp_path: Path) -> None:
    path = _write(tmp_path, *(_row(n, 3 + n % 13) for n in range(900)))
    (pool,) = qa_pool.read([path], _never).values()
    homes: dict[str, set[str]] = {}
    wishes = tuple(Wish(group, group.low) for group in GROUPS for _ in range(400))
    for split in SPLITS:
        for seed in (0, 1):
            supply = pool.supply(Demand("en", split, seed, wishes))
            for serial in range(len(wishes)):
                if supply.needles(serial) is not None:
                    homes.setdefault(supply.item(serial).question, set()).add(split)
    assert len(homes) == 900
    assert all(len(splits) == 1 for splits in homes.values())


def test_the_hash_seed_of_the_process_plays_no_part(tmp_path: Path) -> None:
    path = _write(tmp_path, *(_row(n, 3 + n % 6) for n in range(80)))
    script = (
        "import sys; from pathlib import Path\n"
        "from seqniah_datasets.schema import NeedleGroup, Wish\n"
        "from seqniah_datasets.sources import qa_pool\n"
        "from seqniah_datasets.sources.base import Demand\n"
        "(pool,) = qa_pool.read([Path(sys.argv[1])], lambda words, lang: False).values()\n"
        "supply = pool.supply(Demand('en', 'test', 5, (Wish(NeedleGroup('3-5', 3, 5), 4),) * 9))\n"
        "print(pool.digest, [supply.item(n).question for n in range(9)])\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "9")
    }
    assert len(told) == 1


# In the benchmark.


def test_a_pool_takes_the_place_of_the_embedded_questions_of_its_pipeline(tmp_path: Path) -> None:
    rows = [_row(0, pipeline="qa"), _row(1, pipeline="tkg")]
    sources = paper_sources([], [_write(tmp_path, *rows)], _never)
    assert [sources[one].name for one in Pipeline][1:] == ["qa.jsonl", "qa.jsonl"]
    assert sources[Pipeline.SYNTHETIC_TEMPORAL].name == "invented-records"


def test_the_paper_edition_asks_for_real_events(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match=r"tkg=.*qa="):
        paper_sources([], [_write(tmp_path, _row(pipeline="qa"))], _never)
    with pytest.raises(SeqniahError, match="edition=paper"):
        read_options(qa="qa.jsonl")


def test_two_files_of_one_pipeline_are_one_pool(tmp_path: Path) -> None:
    files = [_write(tmp_path, _row(n, pipeline="tkg"), name=f"{n}.jsonl") for n in range(2)]
    source = paper_sources([], files, _never)[Pipeline.REAL_TEMPORAL]
    questions: set[str] = set()
    for split in SPLITS:
        supply = source.supply(Demand("en", split, 0, (Wish(SOME, 4),) * 3))
        questions |= {supply.item(n).question for n in range(3) if supply.needles(n)}
    assert questions == {_row(n)["question"] for n in range(2)}


def _bench(cache: Path, path: Path, **more: object) -> SequentialNiah:
    options = read_options(edition="paper", qa=str(path), corpus="procedural", **more)  # type: ignore[arg-type]
    return SequentialNiah(options, cache)


def test_a_pool_too_small_is_refused_with_by_how_much(tmp_path: Path, cache: Path) -> None:
    path = _write(tmp_path, *(_row(n, 4, pipeline="tkg") for n in range(10)))
    bench = _bench(cache, path)
    with pytest.raises(SeqniahError) as caught:
        _ = bench.plan
    told = str(caught.value)
    # The English test split wants 20 + 47 + 46 + 37 of 3-5 needles, 31 + 85 + 85 + 82 of 6-10.
    assert "real-temporal en with 3-5 needles lacks 140 of 150" in told
    assert "real-temporal en with 6-10 needles lacks 283 of 283" in told
    assert "real-temporal zh with 3-5 needles lacks 97 of 97" in told
    assert "shortfall=smaller" in told and "shortfall=reuse" in told and "test split" in told
    assert {one.pipeline for one in bench.shortfalls} == {Pipeline.REAL_TEMPORAL}


def test_what_is_not_asked_for_may_be_lacking(tmp_path: Path, cache: Path) -> None:
    path = _write(tmp_path, _row(0, 4, pipeline="tkg"))
    assert len(_bench(cache, path, pipeline="real-logical").plan) == 427


def test_a_smaller_plan_leaves_out_and_reuse_repeats(tmp_path: Path, cache: Path) -> None:
    path = _write(tmp_path, *(_row(n, 4, pipeline="tkg") for n in range(10)))
    given = {"pipeline": "real-temporal", "lang": "en"}
    smaller = _bench(cache, path, shortfall="smaller", **given)
    assert len(smaller.plan) == 10
    asked = [smaller.qa(planned).question for planned in smaller.plan]
    assert len(set(asked)) == 10
    with pytest.raises(SeqniahError, match="en with 6-10 needles lacks 283 of 283") as error:
        assert _bench(cache, path, shortfall="reuse", **given).plan
    assert "shortfall=reuse" not in str(error.value)  # none has 6-10 needles, none can be reused
    again = _bench(cache, path, shortfall="reuse", needles="3-5", **given)
    assert len(again.plan) == 150
    times = Counter(again.qa(planned).question for planned in again.plan)
    assert set(times) == set(asked) and set(times.values()) == {15}
    assert again.facts()["reused"] == 140
    assert again.facts()["missing"] == 283 + 97 + 186  # English 6-10; Chinese 3-5 and 6-10
    shared = {planned.id: smaller.qa(planned) for planned in smaller.plan}
    repeated = {planned.id: again.qa(planned) for planned in again.plan}
    assert shared.items() <= repeated.items()
