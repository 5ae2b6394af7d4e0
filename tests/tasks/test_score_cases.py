"""`seqniah score cases`: responses made anywhere, judged from a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import command_line
import in_process
import pytest

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
REFERENCE = """The journal says:
- March 3, 2012：I planted tomatoes in the garden.
- March 9, 2012：I attended a pottery class.
- March 14, 2012：I repaired the fence."""
RIGHT = "1. March 3, 2012: planted tomatoes in the garden\n2. March 9: attended a pottery class\n"
RIGHT += "3. March 14: repaired the fence"


def _case(row_id: str, response: str | None, **more: Any) -> dict[str, Any]:
    return {
        "id": row_id,
        "lang": "en",
        "needle_type": "temporal",
        "question": "What does the journal say?",
        "reference": REFERENCE,
        "response": response,
        **more,
    }


def _score(
    folder: Path, rows: list[dict[str, Any]] | str, *words: str, code: int = 0
) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    source, out = folder / "cases.jsonl", folder / "verdicts.jsonl"
    text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
    source.write_text(text, encoding="utf-8")
    given = ["score", "cases", "--in", str(source), "--out", str(out), *words]
    done = in_process.done(given, COLUMNS="100")
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return [json.loads(line) for line in lines], done


def test_each_row_gets_its_verdict_in_order(tmp_path: Path) -> None:
    swapped = "\n".join(reversed(RIGHT.splitlines()))
    short = RIGHT.partition("\n3.")[0]
    rows = [
        _case("right", RIGHT),
        _case("swapped, no order asked", swapped),
        _case("swapped, order asked", swapped, order_required=True),
        _case("swapped, asked in words", swapped, question="What does it say, by date?"),
        _case("short", short),
        _case("empty", ""),
    ]
    found, done = _score(tmp_path, rows)
    assert [(row["id"], row["correct"]) for row in found] == [
        ("right", True),
        ("swapped, no order asked", True),
        ("swapped, order asked", False),
        ("swapped, asked in words", False),
        ("short", False),
        ("empty", False),
    ]
    assert found[2]["failure_modes"] == ["wrong_order"]
    assert found[2]["order_agreement"] == -1.0
    assert [row["order_required"] for row in found[:4]] == [False, False, True, True]
    assert found[4]["failure_modes"] == ["missing_items"]
    assert found[4]["item_recall"] == pytest.approx(2 / 3, abs=1e-4)
    assert found[4]["item_precision"] == 1.0
    assert {"reference": 2, "answer": None, "same": False} in found[4]["pairs"]
    assert found[5]["failure_modes"] == ["no_answer"]
    assert list(found[0]) == [
        "id", "correct", "failure_modes", "item_recall", "item_precision", "order_agreement",
        "order_required", "reason", "probability", "doubts", "pairs",
    ]  # fmt: skip
    assert "6 cases judged by rules 7: 2 correct, 4 incorrect, 0 unscored" in done.stdout


def test_a_response_that_never_came_is_unscored_not_wrong(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_case("a", None), _case("b", RIGHT)], "--json", code=3)
    assert [row["correct"] for row in found] == [None, True]
    assert found[0]["failure_modes"] == []
    figures = json.loads(done.stdout)
    assert (figures["correct"], figures["incorrect"], figures["unscored"]) == (1, 0, 1)
    assert "1 unscored" in done.stderr


def test_half_a_surrogate_pair_is_judged_and_written(tmp_path: Path) -> None:
    found, _ = _score(tmp_path, [_case("a", RIGHT + "\n4. May 1, 2012: \ud800 odd")])
    assert found[0]["failure_modes"] == ["redundant_items"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no case"),
        ("not json\n", "line 1 is not JSON"),
        ("[1]\n", "line 1 is no JSON object"),
        (json.dumps(_case("a", "x")) * 2 + "\n", "line 1 is not JSON"),
        (json.dumps({"id": "a"}) + "\n", "line 1: needle_type is temporal or logical"),
        (
            json.dumps({**_case("a", "x"), "lang": "fr"}) + "\n",
            "line 1: lang is en or zh, not 'fr'",
        ),
        (json.dumps({**_case("a", "x"), "question": " "}) + "\n", "line 1: question is missing"),
        (
            json.dumps({**_case("a", "x"), "response": 3}) + "\n",
            "line 1: response is a text, or null",
        ),
        (json.dumps(_case("a", "x", order_required="no")) + "\n", "order_required is true, false"),
        ((json.dumps(_case("a", "x")) + "\n\n") * 2, "line 3: the id 'a' was given in line 1"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    found, done = _score(tmp_path, text, code=1)
    assert not found
    assert told in done.stderr
    assert done.stderr.count("\n") <= 2


def test_the_cases_are_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "cases.jsonl"
    source.write_text(json.dumps(_case("a", RIGHT)) + "\n", encoding="utf-8")
    done = command_line.run([SEQNIAH, "score", "cases", "--in", str(source), "--out", str(source)])
    assert done.returncode == 1
    assert "would overwrite the cases" in done.stderr
    assert json.loads(source.read_text(encoding="utf-8"))["id"] == "a"


def test_a_cascade_without_a_model_says_what_to_pass(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_case("a", RIGHT)], "--judge", "cascade", code=1)
    assert not found
    assert "--grader" in done.stderr


def test_fields_that_nothing_reads_are_named_and_near_misses_refused(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_case("a", RIGHT, note="x", style=3)])
    assert len(found) == 1
    assert done.stderr == (
        f"seqniah: nothing reads these fields of {tmp_path / 'cases.jsonl'}: note, style.\n"
    )
    _, done = _score(tmp_path, [_case("a", RIGHT, order_requird=True)], code=1)
    assert "case 'a': nothing reads 'order_requird'; did you mean order_required?" in done.stderr
