"""Every command that the README shows, run as it stands but for the model and the number."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text("utf-8")
FENCES = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
BLOCKS = [block for language, block in FENCES if not language]
LINES = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
INSPECT = [line for line in LINES if line.startswith("inspect eval")]
ENDLESS = ("seqniah summary", "seqniah serve")
SEQNIAH = [line for line in LINES if line.startswith("seqniah") and line not in ENDLESS]


def _run(words: list[str], folder: Path) -> str:
    command = [str(Path(sys.executable).with_name(words[0])), *words[1:]]
    done = subprocess.run(
        command, cwd=folder, env=os.environ, capture_output=True, encoding="utf-8", timeout=200
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_readme_shows_commands() -> None:
    assert len(INSPECT) >= 5
    assert len(SEQNIAH) >= 2


@pytest.mark.parametrize("line", INSPECT)
def test_an_inspect_line_runs(line: str, tmp_path: Path, texts: Path) -> None:
    line = re.sub(r"--model \S+", "--model seqniah/lexical", line)
    line = re.sub(r" --limit \d+", "", line)
    line = line.replace("path/to/texts", f"{texts} -T length=8k-16k")
    line = line.replace("path/to/tokenizer.json", "qwen")
    if "edition=paper" in line:
        graph = tmp_path / "graph.tsv"
        facts = [(("Demand", "Reject")[month % 2], month) for month in range(1, 10)]
        rows = [f"A\t{relation}\tB\t2010-{month:02d}-07\n" for relation, month in facts]
        graph.write_text("".join(rows), "utf-8")
        line = line.replace("path/to/icews05-15.tsv", str(graph))
        line += f" -T corpus={texts} -T length=8k-16k -T shortfall=smaller -T lang=en"
    assert "accuracy" in _run([*shlex.split(line), "--limit", "1"], tmp_path)


@pytest.mark.parametrize("line", SEQNIAH)
def test_a_seqniah_line_runs(line: str, tmp_path: Path) -> None:
    words = shlex.split(line)
    small = ["--length", "8k-16k", "--limit-per-stratum", "1"] if "build" in words else []
    assert _run([*words, *small], tmp_path)
