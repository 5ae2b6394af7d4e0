"""The judge's data as files, the bench's tables, and the bench as a task."""

from __future__ import annotations

import hashlib
import io
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.scorer import Score
from rich.console import Console
from typer.testing import CliRunner

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_scorers import rules
from seqniah_scorers.labelled import Labelled
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.adapters.inspect import judge_bench as inspect_bench
from seqniah_tasks.benchmarks.sequential_niah.judging import bench as judge_bench
from seqniah_tasks.benchmarks.sequential_niah.judging import command as judging
from seqniah_tasks.benchmarks.sequential_niah.judging import tables as judge_tables
from seqniah_tasks.benchmarks.sequential_niah.judging import view as views
from seqniah_tasks.benchmarks.sequential_niah.judging.tables import TABLE_4, TABLE_7, Outcome
from seqniah_tasks.judging.judges import Judged, RuleJudge

FIRST_PAPER = "6a73473305cd032e4e4044ac1b134467c3d5fc7036c1b243a2e39ed64b45ddcf"
FIRST_HARDER = "fb162b514543a71d0e2d3f3be0c5d7333f589a6f2a0c32ffacb88939eac045e7"


@pytest.fixture(scope="module")
def paper_part() -> list[Labelled]:
    return judge_bench.cases("test")


@pytest.fixture(scope="module")
def harder_part() -> list[Labelled]:
    return judge_bench.cases("test", "harder", limit=400)


def digest(cases: list[Labelled]) -> str:
    """Of everything but the prompt's words, which have a version of their own."""
    lines = [
        [
            *(one.id, one.case.question, one.case.reference, one.case.response, one.group),
            *(one.correct, one.shuffled, one.order_required, one.reason, one.order_reason),
        ]
        for one in cases
    ]
    text = json.dumps(lines, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def test_the_bytes_are_pinned() -> None:
    # A change of these bytes raises judge_questions.VERSION.
    assert digest(judge_bench.cases("test", limit=60)) == FIRST_PAPER
    assert digest(judge_bench.cases("test", "harder", limit=60)) == FIRST_HARDER


def test_the_first_part_is_the_first_part_of_all(paper_part: list[Labelled]) -> None:
    assert judge_bench.cases("test", limit=25) == paper_part[:25]


def test_other_seeds_make_other_cases() -> None:
    one, other = (judge_bench.cases("test", seed=seed, limit=10) for seed in (0, 1))
    assert [case.case for case in one] != [case.case for case in other]


def test_every_cell_has_its_cases(paper_part: list[Labelled]) -> None:
    counts = Counter(
        (one.case.needle_type, one.order_required, one.group, one.shuffled) for one in paper_part
    )
    for (needle_type, required), published in TABLE_7.items():
        for number, (incorrect, correct) in enumerate(published[0]):
            group = ("GT", "missing", "redundant", "incorrect")[number // 2]
            key = needle_type, required, group, bool(number % 2)
            assert counts[key] == incorrect + correct
    assert Counter(one.case.lang for one in paper_part) == {"en": 984, "zh": 976}
    assert len({one.id for one in paper_part}) == 1_960


def test_labels_follow_the_papers_rule(paper_part: list[Labelled]) -> None:
    for one in paper_part:
        assert one.correct == (one.group == "GT" and not (one.shuffled and one.order_required))
        assert one.correct == (not one.failure_modes)
        assert one.order_required == demands_order(one.case.question, one.case.needle_type)
        assert bool(one.order_reason) == (one.case.needle_type == "temporal")
        assert "{" not in one.reason + one.order_reason


def test_the_rule_judge_knows_the_published_set(paper_part: list[Labelled]) -> None:
    found = outcomes(paper_part[:500])
    assert sum(one.right for one in found) >= 495


def test_the_parts_share_no_question(paper_part: list[Labelled]) -> None:
    train = {one.case.reference for one in judge_bench.cases("train", limit=600)}
    assert not train & {one.case.reference for one in paper_part}


def test_order_reasons_quote_the_question(paper_part: list[Labelled]) -> None:
    for one in paper_part:
        if one.order_required and one.case.needle_type == "temporal":
            opening, closing = ('"', '"') if one.case.lang == "en" else ("“", "”")
            words = one.order_reason.split(opening)[1].split(closing)[0]
            assert words in one.case.question


def test_the_harder_set_is_half_right(harder_part: list[Labelled]) -> None:
    right = sum(one.correct for one in harder_part)
    assert 0.4 < right / len(harder_part) < 0.6
    for one in harder_part:
        assert one.group.startswith("layout: " if one.correct else "fault: ")
        assert one.correct == (not one.failure_modes)


def test_rows_are_chats_with_the_label(paper_part: list[Labelled]) -> None:
    one = paper_part[0]
    row = judge_bench.row(one)
    user, assistant = row["messages"]
    assert (user["role"], assistant["role"]) == ("user", "assistant")
    assert one.case.question in user["content"]
    owed = json.loads(assistant["content"])
    assert owed["eval_analysis"] == one.reason
    assert row["label"] == judge_bench.LABELS[one.correct]


def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files of 30 cases a part instead of thousands."""
    whole = judge_bench.made
    monkeypatch.setattr(judge_bench, "size", lambda part, kind: 30)
    monkeypatch.setattr(
        judge_bench, "made", lambda part, kind="paper", seed=0: whole(part, kind, seed, 30)
    )


def test_files_are_whole_deterministic_and_described(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    one, two = (judge_bench.write(tmp_path / name) for name in ("one", "two"))
    assert one == two
    assert one["counts"]["test"]["cases"] == 30
    for name, entry in one["files"].items():
        written = (tmp_path / "one" / name).read_bytes()
        assert hashlib.sha256(written).hexdigest() == entry["sha256"]
        assert b"\r" not in written
    assert sorted(path.name for path in (tmp_path / "one").iterdir()) == [
        "manifest.json",
        "test.jsonl",
        "train.jsonl",
    ]


def test_an_interrupted_writer_leaves_no_manifest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small(monkeypatch)
    judge_bench.write(tmp_path)

    def stop(what: str, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        judge_bench.write(tmp_path, progress=stop)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test.jsonl", "train.jsonl"]


def test_a_file_in_the_folders_place_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "data"
    place.write_text("x", "utf-8")
    with pytest.raises(SeqniahError, match="is a file"):
        judge_bench.write(place)


def test_exported_rows_come_back_as_cases(tmp_path: Path, harder_part: list[Labelled]) -> None:
    path = tmp_path / "cases.jsonl"
    rows = [judge_bench.row(one) for one in harder_part[:20]]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    for one, back in zip(harder_part, judge_bench.read_labelled(path), strict=False):
        assert (back.id, back.correct, back.group) == (one.id, one.correct, one.group)
        assert back.order_required == one.order_required
        assert back.case == replace(one.case, parties=())


def test_a_case_without_a_label_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    row = {"id": "a", "lang": "en", "needle_type": "temporal", "question": "What?"}
    path.write_text(json.dumps({**row, "reference": "So:\n- x", "response": "x"}), "utf-8")
    with pytest.raises(SeqniahError, match=r"cases\.jsonl, case a: label is"):
        judge_bench.read_labelled(path)


def outcomes(cases: list[Labelled]) -> list[Outcome]:
    judged = RuleJudge().verdicts([one.case for one in cases])
    return [Outcome(one, said) for one, said in zip(cases, judged, strict=True)]


def test_published_figures_agree_with_each_other() -> None:
    """Table 4 follows from Table 7, as printed."""
    for (needle_type, group), printed in TABLE_4.items():
        at = 2 * ("GT", "missing", "redundant", "incorrect").index(group)
        for judge, percent in enumerate(printed):
            right = total = 0
            for (kind, required), cells in TABLE_7.items():
                if kind != needle_type:
                    continue
                for shuffled in (0, 1):
                    incorrect, correct = cells[judge][at + shuffled]
                    total += incorrect + correct
                    right += correct if group == "GT" and not (shuffled and required) else incorrect
            assert abs(100 * right / total - percent) < 0.5, (needle_type, group, judge)


def test_tables_count_wrong_and_unscored_verdicts(paper_part: list[Labelled]) -> None:
    known = rules.judge(paper_part[0].case)
    found = [
        Outcome(one, Judged(replace(known, correct=one.correct), "rules", 0, 0))
        for one in paper_part[:200]
    ]
    right = found[0].judged.verdict
    turned = replace(right, correct=not right.correct)
    missing = replace(found[1].judged.verdict, correct=None, reason="No reply came.")
    found[0] = replace(found[0], judged=Judged(turned, "model", 10, 5))
    found[1] = replace(found[1], judged=Judged(missing, "model", 10, 0))
    assert judge_tables.accuracy(found).hits == 198
    assert judge_tables.accuracy(found).of == 199
    assert sum(line.cases for line in judge_tables.table_4(found)) == 200
    cells = judge_tables.table_7(found)
    assert sum(line.misjudged(line.incorrect_correct) for line in cells) == 1
    assert sum(line.unscored for line in cells) == 1
    who = judge_tables.deciders(found)
    assert (who.rules.of, who.model.of, who.unscored) == (198, 1, 1)
    assert who.agreement.hits == (known.correct is turned.correct)
    assert (who.input_tokens, who.output_tokens) == (20, 5)


def printed(show: object, *args: object) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=100, highlight=False)
    show(console, *args)  # type: ignore[operator]
    return stream.getvalue()


def test_the_views_fit_a_hundred_columns(
    paper_part: list[Labelled], harder_part: list[Labelled]
) -> None:
    paper = printed(views.print_paper, "rules", outcomes(paper_part[:120]))
    groups = printed(views.print_groups, "rules", "harder judge test", outcomes(harder_part[:200]))
    for text in (paper, groups):
        assert "…" not in text
        assert max(map(len, text.split("\n"))) <= 100
    assert "x27 /  25" in paper
    assert "99.49%" in paper
    assert "layout: " in groups and "fault: " in groups
    assert "-" in printed(views.print_paper, "rules", [])


def test_evaluate_prints_and_writes(tmp_path: Path) -> None:
    import typer

    app = typer.Typer()
    app.command("data")(judging.data)
    app.command("eval")(judging.evaluate)
    out = tmp_path / "verdicts.jsonl"
    run = CliRunner().invoke(
        app, ["eval", "--judge", "rules", "--limit", "12", "--json", "--out", str(out)]
    )
    assert run.exit_code == 0, run.output
    fields = json.loads(run.stdout)
    assert fields["cases"] == 12
    assert len(fields["table_7"]) == 24
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert len(rows) == 12
    assert {"id", "label", "correct", "group", "by", "reason"} <= set(rows[0])
    assert isinstance(
        CliRunner().invoke(app, ["eval", "--judge", "rules", "--set", "x"]).exception, UnknownName
    )


ANSWERS = sorted((Path(__file__).parent.parent / "scorers" / "answers").glob("*.jsonl"))


@pytest.mark.parametrize("path", ANSWERS, ids=lambda path: path.stem)
def test_authored_answers_are_read(path: Path) -> None:
    found = judge_bench.read_labelled(path)
    assert found
    assert {one.correct for one in found} == {True, False}
    assert not any(one.correct and one.failure_modes for one in found)


def test_the_task_asks_what_judges_are_asked() -> None:
    async def no_solver(state: object, generate: object) -> object:
        return state

    task = inspect_bench.make_task(
        lang="zh",
        limit=5,
        ask=no_solver,
        scorers=[],  # type: ignore[arg-type]
    )
    assert len(task.dataset) == 5
    for sample in task.dataset:
        assert sample.metadata is not None
        assert sample.metadata["lang"] == "zh"
        assert sample.target in ("correct", "incorrect")
        assert sample.metadata["question"] in sample.input
    with pytest.raises(UnknownName, match="language"):
        inspect_bench.make_task(lang="fr", ask=no_solver, scorers=[])  # type: ignore[arg-type]
    with pytest.raises(UnknownName, match="part"):
        inspect_bench.make_task("dev", ask=no_solver, scorers=[])  # type: ignore[arg-type]


def test_accuracy_by_group_leaves_out_the_unscored() -> None:
    from inspect_ai.scorer import SampleScore

    def one(value: str | float, group: str) -> SampleScore:
        score = Score(value=value) if isinstance(value, str) else Score.unscored(reason="x")
        keys = {"group": group, "needle_type": "logical", "lang": "en"}
        return SampleScore(score=score, sample_metadata=keys)

    scores = [one("C", "GT"), one("I", "missing"), one(float("nan"), "missing")]
    assert inspect_bench.accuracy(scores)["accuracy"] == 0.5
    by_group = inspect_bench.accuracy_by_group(scores)
    assert by_group == {"GT": 1.0, "missing": 0.0, "logical": 0.5, "en": 0.5}
