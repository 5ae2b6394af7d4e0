"""LOFT in reports and in lm-eval."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft.table import data_sets
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.lm_eval import judge, tasks
from seqniah_tasks.benchmarks.loft.lm_eval import EMBEDDED, LM_EVAL
from seqniah_tasks.benchmarks.loft.report import sets
from seqniah_tasks.means import mean_figure
from seqniah_tasks.records import Record, record
from seqniah_tasks.report.parts import Dots, Section
from seqniah_tasks.report.runs import study


def answer(score: float | None, qid: int, **columns: Any) -> Record:
    usual = {
        "benchmark": "loft",
        "harness": "inspect",
        "source": "loft.eval",
        "model": "org/model",
        "task": "seqniah/loft_rag",
        "version": "1",
        "id": f"loft-{columns}-{qid}",
        "epoch": 1,
        "lang": "en",
        "length_bin": "128k",
        "prompt_fate": "whole",
        "input_tokens": 1_000 * (qid + 1),
        "dataset": "musique",
        "kind": "rag",
        "metric": "subspan_em",
        "via": "context",
    }
    told = {**usual, **columns}
    if score is not None:
        told |= {"score": score, "judged_by": "rules", "reason": ".", "failure_modes": []}
        told |= {"strict": score, "official": 1.0, "cost": 0.5}
    return record("here", told)


def section_of(found: list[Record]) -> Section:
    section = sets.section(study({Path("loft.eval"): found}))
    assert section
    return section


def lines(section: Section, name: str) -> list[dict[str, Any]]:
    table = next(one for one in section.tables if one.name == name)
    names = [column.name for column in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows]


def test_each_way_stands_beside_the_paper() -> None:
    found = [answer(score, qid) for qid, score in enumerate((1.0, 0.0, 1.0, 1.0, None))]
    found += [answer(0.0, qid, via="bm25") for qid in range(2)]
    found += [answer(1.0, 0, via="bm25", dataset="atlas")]
    section = section_of(found)
    rows = lines(section, "loft-by-data-set")
    told = [(one["data_set"], one["via"], one["strict"], one["official"]) for one in rows]
    assert told == [
        ("atlas", "bm25", 1.0, 1.0),
        ("musique", "bm25", 0.0, 1.0),
        ("musique", "context", 0.75, 1.0),
    ]
    last = rows[-1]
    assert (last["queries"], last["unscored"], last["cost"]) == (4, 1, 0.5)
    assert last["input_tokens"] == 3_000 and "cached_share" not in last
    (published,) = lines(section, "loft-published")
    # Table 2: RAG, MuSiQue.
    systems = ("gemini_1_5_pro", "gpt_4o", "claude_3_opus", "specialised")
    assert [published[name] for name in systems] == [0.55, 0.47, 0.45, 0.45]
    chart = section.figures[1].chart
    assert isinstance(chart, Dots)
    assert [row.published for row in chart.rows] == [False, False, True, True, True, True]


def test_the_official_figure_counts_a_conversation_as_often_as_it_has_turns() -> None:
    found = [answer(1.0, 0, turns=3), answer(0.0, 1, turns=1), answer(0.0, 2, turns=0)]
    for row, official in zip(found, (0.5, 1.0, 0.0), strict=True):
        row.figures["official"] = official
    (line,) = lines(section_of(found), "loft-by-data-set")
    assert line["strict"] == pytest.approx(1 / 3)
    assert line["official"] == pytest.approx((3 * 0.5 + 1.0) / 5)
    told = mean_figure(found, "official")
    assert (told.value, told.of, told.draws) == (pytest.approx(0.5), 5, 3)
    assert mean_figure(found, "strict").of == 3
    # A file may say anything.
    assert mean_figure([answer(1.0, 0, turns=10**12)], "official").of == 1_000


def test_the_share_that_a_provider_kept_is_of_the_tokens_of_answers_that_tell_it() -> None:
    # Of 1,000 tokens nothing, of 2,000 half; the third does not tell.
    found = [answer(1.0, 0, cached_tokens=0), answer(1.0, 1, cached_tokens=1_000), answer(1.0, 2)]
    found.append(answer(1.0, 0, via="bm25"))
    section = section_of(found)
    shares = [one["cached_share"] for one in lines(section, "loft-by-data-set")]
    assert shares == [None, pytest.approx(1_000 / 3_000)]


def test_averages_count_each_data_set_once_and_are_beside_those_of_the_same_ones() -> None:
    scores = {("musique", "rag"): (1.0, 0.0, 0.0, 0.0), ("quest", "multi_value_rag"): (1.0,)}
    found = [
        answer(score, qid, dataset=dataset, kind=kind)
        for (dataset, kind), each in scores.items()
        for qid, score in enumerate(each)
    ]
    found += [answer(1.0, 0, via="closed"), answer(1.0, 0, kind="retrieval")]
    # A data set is a run of its own; another model's are no part of the average.
    files = {Path(f"{n}.eval"): rows for n, rows in enumerate((found[:4], found[4:]))}
    files[Path("other.eval")] = [answer(0.0, 0, dataset="nq", model="org/other")]
    section = sets.section(study(files))
    assert section
    (line,) = lines(section, "loft-averages")
    assert [line[name] for name in ("model", "setup", "task", "via", "length")] == [
        *("org/model", "", "rag", "context", "128k")
    ]
    assert line["data_sets"] == "MuSiQue and QUEST"
    assert (line["strict"], line["official"]) == ((0.25 + 1) / 2, 1.0)
    # Table 2 has .55 and .28, .47 and .20, .45 and .15, .45 and .35.
    theirs = [line[name] for name in ("gemini_1_5_pro", "gpt_4o", "claude_3_opus", "specialised")]
    assert theirs == pytest.approx([0.415, 0.335, 0.3, 0.4])
    assert not any(one.name == "loft-averages" for one in section_of(found[:4]).tables)
    mixed = [*found[:4], answer(1.0, 0, dataset="atlas")]
    (line,) = lines(section_of(mixed), "loft-averages")
    assert line["strict"] == (0.25 + 1) / 2 and "gemini_1_5_pro" not in line


def test_what_the_table_lacks_is_shown_by_nothing() -> None:
    found = [answer(1.0, 0, dataset="web_of_lies", kind="icl")]
    section = section_of(found)
    (published,) = lines(section, "loft-published")
    assert published["specialised"] is None and published["length"] == "32k"
    chart = section.figures[0].chart
    assert isinstance(chart, Dots) and len(chart.rows) == 1 + 3


def test_lm_eval_has_a_task_a_data_set_of_single_turns() -> None:
    found = {one.name for one in LM_EVAL.tasks}
    turns = {"retrieval/topiocqa", "rag/topiocqa", "sql/sparc"}
    wanted = {one.folder for one in data_sets().values() if one.released} - turns
    embedded = {f"loft_{task}_{name}" for task, names in EMBEDDED.items() for name in names}
    assert found == embedded | {f"loft_{folder.replace('/', '_', 1)}" for folder in wanted}
    groups = {one.name: set(one.tasks) for one in LM_EVAL.groups}
    assert set().union(*(groups[name] for name in groups["loft"])) == found
    assert groups["loft_atlas"] == embedded


@pytest.mark.parametrize("written", ["", "[", "{}", "[" * 100_000])
def test_documents_that_are_no_json_are_refused(written: str) -> None:
    good = {"answers": "[1]", "gold_ids": "[]"}
    assert LM_EVAL.fault(good) is None
    assert LM_EVAL.fault({**good, "answers": written}) == ("answers", "a list as JSON")


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("dataset", "nq", ", and name loft_retrieval_nq or loft_rag_nq with --tasks."),
        ("decoding", "official", "."),
    ],
)
def test_what_a_task_itself_says_is_refused_with_the_tasks_that_say_it(
    option: str, value: str, told: str
) -> None:
    with pytest.raises(SeqniahError) as error:
        judge.read("loft_icl_atlas_kinds", {option: value}, {})
    assert str(error.value) == (
        f"The task itself says what {option} is; leave {option} out of --metadata{told}"
    )


def test_tasks_that_ask_in_rounds_only_sometimes_are_not_refused() -> None:
    tasks.refuse_rounds(["loft_retrieval", "loft_retrieval_nq"])
    assert benchmarks.task("loft_retrieval").spec.sometimes
