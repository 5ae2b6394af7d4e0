"""LOFT on real texts, offline and in both harnesses: what answers score by either profile.

MuSiQue, Chinook and BIG-Bench Hard, where SEQNIAH_REAL_DATA is set. A model says the right answer,
or what one profile takes and the other does not; so each answer's scores are known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import loft_folders
import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval_parts import Listener
from test_lm_eval_stars import _write

from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import logs as of_inspect
from seqniah_tasks.adapters.lm_eval import logs as of_lm_eval
from seqniah_tasks.adapters.lm_eval import samples
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.loft.reader import bm25
from seqniah_tasks.benchmarks.protocol import Answered
from seqniah_tasks.records import Record

DATA_SETS = {
    "retrieval/musique": 10,
    "rag/musique": 10,
    "sql/spider": 27,
    "sql/sparc": 5,
    "icl/date_understanding": 10,
    "icl/web_of_lies": 10,
}
"""How many are asked; Chinook's 40 questions are 27 and five conversations."""

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """A reply, and its score by each profile."""

    text: str
    strict: float
    official: float


def _listed(values: object) -> str:
    return f"Final Answer: {values}"


NOTHING = Said("I do not know.", 0, 0)


def _rankings(row: Row, ids: Mapping[str, str]) -> list[Said]:
    """By mrecall@5: questions have two to four golds."""
    golds = [ids[pid] for pid, _ in row["answers"]]
    return [
        Said(_listed(golds), 1, 1),
        Said(f"TITLE: one [sic] | ID: {golds[0]}\n{_listed(golds)}", 1, 0),
        Said(_listed(golds[:1] * 5 + golds), 1, 0),
        Said(_listed(["no such id", *golds]), 1, 0),
        Said(_listed(golds[:1]), 0, 0),
        NOTHING,
    ]


def _texts(row: Row, ids: Mapping[str, str]) -> list[Said]:
    """By subspan_em."""
    gold = row["answers"][-1]
    return [
        Said(_listed([gold]), 1, 1),
        Said(f"<think>Perhaps ['Atlantis']</think>\n{_listed([gold])}", 1, 0),
        Said(_listed([f"{'as the passage says ' * 20}{gold}"]), 0, 1),
        Said(_listed([gold, "Atlantis"]), 0, 1),
        NOTHING,
    ]


def _tables(gold: list[list[Any]]) -> list[Said]:
    """By exec_acc."""
    return [
        Said(_listed(gold[::-1]), 1, 1),
        Said(f"Rows of the table [sic] are counted.\n{_listed(gold)}", 1, 0),
        Said(_listed([[*row, row[0]] for row in gold]), 0, 1),
        Said(_listed([["Atlantis"]]), 0, 0),
    ]


def _labels(gold: str) -> list[Said]:
    """By em; officially a bracketed A is an article, and any other one is it."""
    return [
        Said(f"Output: {[gold]}", 1, 1),
        Said(_listed(["the"]), 0, float(gold == "(A)")),
        Said(f"Step 1: [sic]\nOutput: {[gold]}", 1, 0),
    ]


def _said(name: str, folder: Path) -> Iterator[tuple[Row, list[Said]]]:
    """Each row of a data set with a reply to each of its turns; the kinds of replies take turns."""
    pids = (one["pid"] for one in loft_folders.corpus(folder, "retrieval/musique"))
    ids = {pid: str(rank) for rank, pid in enumerate(pids)}
    made: dict[str, Callable[[Row], list[list[Said]]]] = {
        "retrieval": lambda row: [_rankings(row, ids)],
        "rag": lambda row: [_texts(row, ids)],
        "sql": lambda row: [
            _tables(one)
            for one in (row["answers"] if isinstance(row["query_text"], list) else [row["answers"]])
        ],
        "icl": lambda row: [_labels(row["target"])],
    }
    for number, row in enumerate(loft_folders.asked(folder, name)):
        kinds = made[name.partition("/")[0]](row)
        # Every other conversation is right throughout.
        first = 0 if len(kinds) > 1 and number % 2 == 0 else number
        yield row, [one[(first + turn * (first > 0)) % len(one)] for turn, one in enumerate(kinds)]


def _questions(row: Row) -> list[str]:
    asked = row.get("query_text", row.get("input"))
    return asked if isinstance(asked, list) else [str(asked)]


def _answering(name: str, folder: Path) -> Callable[[str], str]:
    """Says what is planned to the question that a prompt ends with."""
    known = {
        asked: reply.text
        for row, replies in _said(name, folder)
        for asked, reply in zip(_questions(row), replies, strict=True)
    }

    def answer(prompt: str) -> str:
        end = prompt[-3_000:]
        return known[
            max(filter(end.__contains__, known), key=lambda one: (end.rfind(one), len(one)))
        ]

    return answer


def _wanted(name: str, folder: Path) -> dict[str, tuple[float, float]]:
    """Both scores of each query: of SParC strictly all turns or none."""
    return {
        row["qid"]: (min(one.strict for one in said), fmean(one.official for one in said))
        for row, said in _said(name, folder)
    }


def _found(records: list[Record], name: str) -> dict[str, tuple[float, float]]:
    assert {one.traits["dataset"] for one in records} == {name.partition("/")[2]}
    return {
        re.sub(r".*-dev-(.*)-[0-9a-f]{6}", r"\1", one.id): (
            one.figures["strict"],
            one.figures["official"],
        )
        for one in records
    }


@pytest.fixture(scope="module")
def folder(real_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return loft_folders.in_lofts_layout(real_data, tmp_path_factory.mktemp("loft"))


@pytest.mark.parametrize("name", DATA_SETS)
def test_inspect_gives_both_scores_of_every_answer(name: str, folder: Path, tmp_path: Path) -> None:
    answer = _answering(name, folder)

    def outputs(messages: Any, *_: Any) -> ModelOutput:
        said = ModelOutput.from_content("mock", answer(messages[-1].text))
        said.usage = ModelUsage()
        return said

    task, _, dataset = name.partition("/")
    (log,) = inspect_eval(
        f"seqniah/loft_{task}",
        task_args={"dataset": dataset, "data": str(folder)},
        model=get_model("mockllm/model", custom_outputs=outputs),
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.status == "success", log.error
    found = _found(of_inspect.read(Path(log.location)), name)
    assert found == _wanted(name, folder) and len(found) == DATA_SETS[name]
    assert log.results
    scores = {one.name: one.metrics for one in log.results.scores}
    strict = fmean(one for one, _ in found.values())
    # As the released evaluator counts: a conversation as often as it has turns.
    official = fmean(one.official for _, said in _said(name, folder) for one in said)
    assert 0 < strict < 1 and 0 < official < 1
    for score, value in (("loft", strict), ("strict", strict), ("official", official)):
        assert scores[score]["mean"].value == pytest.approx(value)


@pytest.mark.parametrize("name", [name for name in DATA_SETS if name != "sql/sparc"])
def test_lm_eval_gives_the_same_scores(name: str, folder: Path, tmp_path: Path) -> None:
    task = f"loft_{name.replace('/', '_')}"
    given = {"data": str(folder), "length": "32k"}
    _write(tmp_path, Listener(_answering(name, folder)), given, task)
    (file,) = samples.find([tmp_path])[0]
    assert _found(of_lm_eval.read(file), name) == _wanted(name, folder)


def test_the_floor_finds_all_golds_of_a_third_of_musiques_questions(folder: Path) -> None:
    spec = benchmarks.task("loft_retrieval").spec
    given = {"dataset": str(folder / "beir"), "length": "128k"}
    bench = spec.open(options.read(spec.options, given, spec.fixed))
    score = bench.declared.scoring.by.score
    found = []
    for planned in bench.plan:
        item = bench.item(planned)
        assert item.facts["metric"] == "mrecall@5"
        said = bm25(bench.prompt(planned).text, 5)
        found.append(score(Answered(item.question, item.reference, item.facts, said)).score)
    assert len(found) == 85 and 0.30 < fmean(found) < 0.45
