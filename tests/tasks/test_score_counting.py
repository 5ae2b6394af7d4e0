"""`seqniah score counting-stars`: Counting-Stars answers made anywhere, scored from a file."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import command_line
import in_process
import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.counting_stars.scoring import read_rows

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
SKY = [3, 5, 9, 15]


def _row(response: str | None, **more: Any) -> dict[str, Any]:
    return {"reference": SKY, "response": response, **more}


def _score(
    folder: Path, rows: list[dict[str, Any]] | str, *words: str, code: int = 0
) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    source, out = folder / "responses.jsonl", folder / "scores.jsonl"
    text = rows if isinstance(rows, str) else "".join(json.dumps(row) + "\n" for row in rows)
    source.write_text(text, encoding="utf-8")
    given = ["score", "counting-stars", "--in", str(source), "--out", str(out), *words]
    done = in_process.done(given, COLUMNS="80")
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
    return [json.loads(line) for line in lines], done


def test_each_row_is_scored_star_by_star(tmp_path: Path) -> None:
    rows = [
        _row('{"little_penguin": [3, 5, 9, 15]}', id="whole", length=4000, model="a"),
        _row("```json\n{'小企鹅': ['３', '九', '15',]}\n```"),
        _row("[3, 3, 5, 9, 15, 99]"),
        _row("[15, 7]", id=7),
        _row(""),
        _row("Lovely weather."),
    ]
    found, done = _score(tmp_path, rows)
    assert [(row["id"], row["line"]) for row in found if row["line"] in (1, 4)] == [
        ("whole", 1),
        ("7", 4),
    ]
    assert [row["membership"] for row in found] == [
        [1, 1, 1, 1], [1, 0, 1, 1], [1, 1, 1, 0], [0, 0, 0, 1], [0] * 4, [0] * 4,
    ]  # fmt: skip
    assert [row["position"] for row in found] == [
        [1, 1, 1, 1], [1, 0, 0, 0], [1, 1, 1, 0], [0] * 4, [0] * 4, [0] * 4,
    ]  # fmt: skip
    assert [row["failure_modes"] for row in found] == [
        [],
        ["missing_items"],
        ["missing_items", "repeated_items"],
        ["missing_items", "redundant_items"],
        ["no_answer"],
        ["unreadable"],
    ]
    assert found[1]["numbers"] == [3, 9, 15]
    assert (found[2]["cut"], found[2]["duplicates"], found[3]["added"]) == (2, 1, [7])
    assert (found[0]["length"], found[0]["model"]) == (4000, "a")
    # (4 + 3 + 3 + 1) and (4 + 1 + 3) of 24 stars.
    assert "0.458" in done.stdout
    assert "0.333" in done.stdout
    assert "1 no answer, 1 unreadable" in " ".join(done.stdout.split())


def test_json_has_means_by_model_and_by_star(tmp_path: Path) -> None:
    rows = [
        _row("[3, 5]", model="a"),
        _row("[3, 5, 9, 15]", model="b"),
        _row("[4, 5, 6]", model="b", wrong=[4, 6, 8, 16]),
    ]
    found, done = _score(tmp_path, rows, "--json")
    figures = json.loads(done.stdout)
    assert figures["membership"] == pytest.approx((0.5 + 1 + 0.25) / 3, abs=1e-6)
    assert figures["by_model"]["a"]["membership"] == 0.5
    assert figures["by_model"]["b"]["position"] == 0.625
    # Wrong only, both, neither, neither.
    assert found[2]["reasoning"] == [0.25, 0.5, 0, 0]
    assert figures["reasoning"] == 0.1875
    assert figures["by_model"]["a"]["reasoning"] is None
    assert [star[0] for star in figures["by_star"]] == pytest.approx(
        [2 / 3, 1, 1 / 3, 1 / 3], abs=1e-6
    )
    assert figures["failure_modes"]["missing_items"] == 2


def test_mistaken_counts_are_called_so_and_are_not_redundant(tmp_path: Path) -> None:
    wrong = [4, 6, 8, 16]
    rows = [_row("[3, 6, 9, 15]", wrong=wrong), _row("[3, 6, 7]", wrong=wrong), _row("[3, 6]")]
    found, done = _score(tmp_path, rows, "--json")
    assert [row["failure_modes"] for row in found] == [
        ["missing_items", "mistaken_counts"],
        ["missing_items", "redundant_items", "mistaken_counts"],
        ["missing_items", "redundant_items"],
    ]
    assert [row["added"] for row in found] == [[6], [6, 7], [6]]
    modes = json.loads(done.stdout)["failure_modes"]
    assert (modes["mistaken_counts"], modes["redundant_items"]) == (2, 2)


def test_two_models_may_answer_the_same_sample(tmp_path: Path) -> None:
    rows = [_row("[3]", id="a", model="one"), _row("[5]", id="a", model="two"), _row("[9]", id="a")]
    found, _ = _score(tmp_path, rows)
    assert [row["id"] for row in found] == ["a", "a", "a"]
    _, done = _score(tmp_path, [*rows, _row("[15]", id="a", model="two")], code=1)
    assert "line 4: the id 'a' was given in line 2" in done.stderr


def test_skies_of_different_sizes_share_a_file(tmp_path: Path) -> None:
    rows = [_row("[3]"), {"reference": [7, 8], "response": "[7, 8]"}]
    _, done = _score(tmp_path, rows, "--json")
    figures = json.loads(done.stdout)
    assert figures["membership"] == 0.625
    assert [star[0] for star in figures["by_star"]] == [1, 0.5, 0, 0]


def test_a_sky_of_1024_stars_at_many_lengths_fits_a_screen(tmp_path: Path) -> None:
    sky = list(range(1, 4 * 1024, 4))
    rows = [
        {"reference": sky, "length": 1000 * n, "model": f"m{n}", "response": json.dumps(sky[n:])}
        for n in range(1, 101)
    ]
    found, done = _score(tmp_path, rows)
    assert len(found[0]["membership"]) == 1024
    lines = [line for line in done.stdout.splitlines() if not line.startswith("Scores: ")]
    assert len(lines) < 60
    assert max(map(len, lines)) <= 80
    assert "and 80 more" in done.stdout
    # At the longest lengths the first 64 stars are missing, at the shortest few of them.
    first = next(line for line in lines if line.startswith("1-64 "))
    shares = [float(share) for share in first.split()[1:-1]]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0] > 0.85, shares[-1]) == (True, 0.0)


def test_a_response_that_never_came_is_unscored_not_wrong(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_row(None), _row("[3]")], "--json", code=3)
    assert [row["membership_mean"] for row in found] == [None, 0.25]
    figures = json.loads(done.stdout)
    assert (figures["answers"], figures["scored"], figures["unscored"]) == (2, 1, 1)
    assert figures["membership"] == 0.25
    assert "1 unscored" in done.stderr


def test_nothing_scored_has_no_means(tmp_path: Path) -> None:
    _, done = _score(tmp_path, [_row(None)], code=3)
    assert "0.000" not in done.stdout


def test_scores_need_no_file(tmp_path: Path) -> None:
    source = tmp_path / "responses.jsonl"
    source.write_text(json.dumps(_row("[3, 5, 9, 15]")) + "\n", encoding="utf-8")
    done = command_line.run([SEQNIAH, "score", "counting-stars", "--in", str(source)])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("1.000") >= 2
    assert list(tmp_path.iterdir()) == [source]


def test_answers_without_an_id_share_one_where_they_are_of_the_same_sky(tmp_path: Path) -> None:
    rows = [
        *(_row("[3]", model="a"), _row("[3]", model="b"), _row("[5]", model="a")),
        *(_row("[3]", model="b", length=4000), _row("[3]", model="b", wrong=[4, 6, 8, 14])),
        {"reference": [5, 3, 9, 15], "response": "[3]", "model": "b"},
    ]
    first, other, again, *different = [row["id"] for row in _score(tmp_path, rows)[0]]
    assert first == other
    assert again == f"{first}-2"
    assert len({first, *different}) == 4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no answer"),
        ("not json\n", "line 1 is not JSON"),
        ("[1]\n", "line 1 is no JSON object"),
        ('{"response": "x"}\n', "line 1: reference is a list of whole numbers"),
        ('{"reference": [], "response": "x"}\n', "line 1: reference is a list of whole numbers"),
        ('{"reference": ["3"], "response": "x"}\n', "reference is a list of whole numbers"),
        ('{"reference": [true], "response": "x"}\n', "reference is a list of whole numbers"),
        ('{"reference": [3]}\n', "line 1: response is a text, or null"),
        ('{"reference": [3], "response": [3]}\n', "line 1: response is a text, or null"),
        (json.dumps(_row("x", wrong=[4])) + "\n", "wrong has 1 numbers, reference has 4"),
        (json.dumps(_row("x", wrong=[4, 5, 8, 14])) + "\n", "line 1: a star's number in wrong is"),
        (json.dumps(_row("x", length="4k")) + "\n", "length is a whole number"),
        (json.dumps(_row("x", length=0)) + "\n", "length is a whole number from 1"),
        (json.dumps(_row("x", length=10**12)) + "\n", "length is a whole number"),
        (json.dumps({**_row("x"), "reference": [1] * 10_001}) + "\n", "more than 10,000"),
        (json.dumps(_row("x", model=" ")) + "\n", "model is a text"),
        (json.dumps(_row("x", model="a\tb")) + "\n", "model is a name of at most 4,096"),
        (json.dumps(_row("x", id="a" * 4_097)) + "\n", "id is a name of at most 4,096"),
        (
            "\n" + (json.dumps(_row("x", id="a")) + "\n") * 2,
            "line 3: the id 'a' was given in line 2",
        ),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    source = tmp_path / "responses.jsonl"
    source.write_text(text, encoding="utf-8")
    with pytest.raises(SeqniahError) as raised:
        read_rows(source)
    assert told in str(raised.value)
    assert str(source) in str(raised.value)


def test_a_broken_file_ends_the_command_with_one_sentence(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_row("[3]"), {"reference": SKY}], code=1)
    assert not found
    assert "line 2: response is a text, or null" in done.stderr
    assert done.stderr.count("\n") == 1


def test_text_that_is_no_utf8_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    source = tmp_path / "responses.jsonl"
    with pytest.raises(SeqniahError, match="cannot be read"):
        read_rows(source)
    source.write_bytes('{"reference": [3], "response": "é"}'.encode("latin-1"))
    with pytest.raises(SeqniahError, match="not UTF-8"):
        read_rows(source)


def test_the_answers_are_never_overwritten(tmp_path: Path) -> None:
    source = tmp_path / "responses.jsonl"
    source.write_text(json.dumps(_row("[3]")) + "\n", encoding="utf-8")
    done = command_line.run(
        [SEQNIAH, "score", "counting-stars", "--in", str(source), "--out", str(source)]
    )
    assert done.returncode == 1
    assert "would overwrite the answers" in done.stderr
    assert json.loads(source.read_text(encoding="utf-8"))["response"] == "[3]"


def test_fields_that_nothing_reads_are_named_and_near_misses_refused(tmp_path: Path) -> None:
    found, done = _score(tmp_path, [_row("[3, 5]", id="a", note="x", style=3)])
    assert len(found) == 1
    assert done.stderr == (
        f"seqniah: nothing reads these fields of {tmp_path / 'responses.jsonl'}: note, style.\n"
    )
    _, done = _score(tmp_path, [_row("[3, 5]", id="a", lenght=True)], code=1)
    assert "line 1: nothing reads 'lenght'; did you mean length?" in done.stderr
