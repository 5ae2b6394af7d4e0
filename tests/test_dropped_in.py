"""One folder dropped into `benchmarks/`, and nothing else changed, is a whole benchmark."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import command_line
import pytest

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "data" / "picture_turns"
PACKAGES = ("seqniah.py", "seqniah_tasks", "datasets/seqniah_datasets", "scorers/seqniah_scorers")
OURS = tuple(Path(name).stem for name in PACKAGES)


@pytest.fixture(scope="module")
def dropped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with the folder in it, so that other tests do not see it."""
    here = tmp_path_factory.mktemp("dropped")
    for name in PACKAGES:
        source, copy = ROOT / name, here / Path(name).name
        if source.is_file():
            shutil.copy(source, copy)
        else:
            shutil.copytree(source, copy)  # with its times, so that nothing is compiled anew
    shutil.copytree(FOLDER, here / "seqniah_tasks" / "benchmarks" / "picture_turns")
    return here


def run(dropped: Path, *words: str, code: int = 0) -> str:
    """What a command prints, run beside the copy."""
    env = {**os.environ, "PYTHONPATH": str(dropped), "COLUMNS": "100"}
    # The harness keeps what it once found registered, so it starts from scratch.
    anew = OURS if words[0] == "seqniah" else ()
    done = command_line.run(words, cwd=dropped, env=env, anew=anew)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


ASKED = """
import json
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from seqniah_datasets.tokens import tokenizer

seen = []

def answer(messages, *_):
    seen.append([one.role for one in messages])
    parts = [part.type for one in messages if isinstance(one.content, list) for part in one.content]
    assert parts == ["text", "image"], parts
    read = tokenizer().count("".join(one.text for one in messages))
    output = ModelOutput.from_content("mock", "rot")
    output.usage = ModelUsage(input_tokens=read, output_tokens=1, total_tokens=read + 1)
    return output

(log,) = eval(
    "seqniah/picture_turns",
    model=get_model("mockllm/model", custom_outputs=answer),
    task_args={"samples": 2}, max_samples=1, log_dir="logs", display="none",
)
print(json.dumps([log.status, seen, log.location]))
"""
"""A run whose model names one of two colours, so that its scores are halves and ones."""


@pytest.fixture(scope="module")
def log(dropped: Path) -> Path:
    """Of that run."""
    said = run(dropped, "python", "-c", ASKED).strip().splitlines()[-1]
    status, seen, location = json.loads(said)
    assert status == "success"
    # Two turns: the second is asked beside the picture and the first answer.
    assert seen == [["user"], ["user", "assistant", "user"]] * 4
    return Path(location.removeprefix("file://"))


def test_the_folder_is_small() -> None:
    assert [path.name for path in FOLDER.iterdir() if path.suffix] == ["__init__.py"]
    assert len((FOLDER / "__init__.py").read_text("utf-8").splitlines()) <= 150


def test_inspect_scores_it_and_the_summary_tells(dropped: Path, log: Path) -> None:
    said = " ".join(run(dropped, "seqniah", "summary", str(log)).split())
    # Of samples 0 and 1 at two lengths: "rot, rot" is answered whole, "blau, rot" by half.
    assert "Score 75.0% (mean of 4, 2 of them perfect" in said
    assert "length 1k 75.0%" in said
    assert "language de 75.0%" in said


def test_inspect_refuses_a_misspelt_option(dropped: Path) -> None:
    said = run(
        dropped,
        *("inspect", "eval", "seqniah/picture_turns", "--model", "seqniah/lexical"),
        *("-T", "sample=3", "--display", "plain"),
        code=1,
    )
    assert "did you mean samples?" in " ".join(said.split())


def test_the_commands_know_its_task(dropped: Path) -> None:
    assert "samples" in run(dropped, "seqniah", "options", "picture_turns")
    words = ("-T", "samples=1", "--out", "built", "--materialize", "jsonl")
    said = run(dropped, "seqniah", "build", "picture_turns", *words)
    assert said.startswith("2 samples")
    card = (dropped / "built" / "README.md").read_text("utf-8")
    assert "test-00000-of-00001.jsonl" in card and "license: " not in card
    rows = (dropped / "built" / "recipes.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(row)["id"] for row in rows] == ["picture-de-1k-0", "picture-de-2k-0"]
    shown = run(dropped, "seqniah", "show", "picture_turns", "picture-de-1k-0")
    assert "rot, rot" in shown and "image/png" in shown
    assert "8" in run(dropped, "seqniah", "estimate", "picture_turns")


def test_records_and_report_show_it(dropped: Path, log: Path) -> None:
    run(dropped, "seqniah", "records", str(log), "--out", "rows.jsonl")
    rows = [json.loads(row) for row in (dropped / "rows.jsonl").read_text("utf-8").splitlines()]
    scores = {row["id"]: row["score"] for row in rows}
    assert scores == {f"picture-de-{size}k-{n}": 1 - n / 2 for size in (1, 2) for n in (0, 1)}
    assert {row["spared"] for row in rows} == {0.75}
    assert {row["benchmark"] for row in rows} == {"picture-turns"}
    assert "mean score 75.0 %" in run(dropped, "seqniah", "report", str(log), "--out", "report")
    page = (dropped / "report" / "index.html").read_text("utf-8")
    assert "Picture turns" in page and "picture-de-1k-1" in page


def test_load_knows_it(dropped: Path) -> None:
    script = (
        "import seqniah\n"
        "bench = seqniah.load('picture_turns', samples=2)\n"
        "sample = bench[2]\n"
        "print(len(bench), sample.reference, bench.judge(sample, 'rot').score)\n"
        "print([type(part).__name__ for turn in sample.shown.turns for part in turn.parts])\n"
        "print(bench.to_dataset().filter(lambda row: '1k' in row['id'])['reference'][:])\n"
    )
    lines = run(dropped, "python", "-c", script).splitlines()
    assert "4 blau, rot 0.5" in lines
    assert "['Text', 'Image', 'Text']" in lines
    assert "['rot, rot', 'blau, rot']" in lines


def test_lm_eval_runs_its_text_and_refuses_its_pictures(dropped: Path) -> None:
    ran = ("--model", "dummy", "--log_samples", "--output_path", "out", "--tasks")
    said = run(dropped, "seqniah", "lm-eval", "run", *ran, "plain_turns")
    assert "Plain turns" in said
    (samples,) = (dropped / "out").rglob("samples_plain_turns_*.jsonl")
    rows = [json.loads(row) for row in samples.read_text("utf-8").splitlines()]
    assert len(rows) == 8 and {row["score"] for row in rows} == {0.0}
    refused = run(dropped, "seqniah", "lm-eval", "run", *ran, "picture_turns", code=1)
    assert "run it with inspect eval seqniah/picture_turns" in " ".join(refused.split())
