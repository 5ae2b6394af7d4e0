"""Every command that the README shows, run as it stands but for the model and the number."""

from __future__ import annotations

import html
import json
import re
import shlex
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import command_line
import pytest

from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
FENCES = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.M | re.S)
BLOCKS = [block for language, block in FENCES if not language]
LINES = [line.partition("  #")[0].strip() for block in BLOCKS for line in block.splitlines()]
INSPECT = [line for line in LINES if line.startswith("inspect eval")]
ENDLESS = ("seqniah summary", "seqniah serve")
SEQNIAH = [
    line
    for line in LINES
    if line.startswith("seqniah") and line not in ENDLESS and "lm-eval" not in line
    if not line.startswith(("seqniah report", "seqniah records"))
]


def test_the_picture_is_of_a_sample_that_there_is() -> None:
    drawn = html.unescape((ROOT / "docs" / "sample.svg").read_text("utf-8")).replace("\xa0", " ")
    (name,) = set(re.findall(r"test-en-[\w-]+", drawn))
    bench = SequentialNiah(read_options(lang="en", length="8k-16k", needles="5"))
    planned = bench.find(name)
    assert f"{bench.prompt(planned).tokens:,} tokens" in drawn
    assert bench.qa(planned).question[:40] in drawn


GRADER = "grader=openai-api/judge/stand-in"
CASE = {
    "id": "1",
    "lang": "en",
    "needle_type": "temporal",
    "question": "What is in the diary?",
    "reference": "The diary:\n- May 1, 2010: I ran.\n- May 4, 2010: I swam.",
    "response": "1. May 1, 2010: I ran.\n2. May 4, 2010: I swam.",
}


class StandIn(BaseHTTPRequestHandler):
    """A grader that finds everything right."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        verdict = {"order_analysis": "", "eval_analysis": "as it is", "eval_label": "correct"}
        message = {"role": "assistant", "content": json.dumps(verdict)}
        body = json.dumps(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "stand-in",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def grader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The stand-in, where the variables of the service `judge` say."""
    server = HTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("JUDGE_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("JUDGE_API_KEY", "none")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "inspect-cache"))
    yield
    server.shutdown()
    server.server_close()


def _run(words: list[str], folder: Path) -> str:
    command = [str(Path(sys.executable).with_name(words[0])), *words[1:]]
    done = command_line.run(command, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_readme_shows_commands() -> None:
    assert len(INSPECT) >= 5
    assert len(SEQNIAH) >= 2


@pytest.mark.parametrize("line", INSPECT)
@pytest.mark.usefixtures("grader")
def test_an_inspect_line_runs(line: str, tmp_path: Path, texts: Path) -> None:
    line = re.sub(r"--model \S+", "--model seqniah/lexical", line)
    line = re.sub(r"grader=\S+", GRADER, line)
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
    headline = "position" if "counting_stars" in line else "accuracy"
    assert headline in _run([*shlex.split(line), "--limit", "1"], tmp_path)


@pytest.mark.usefixtures("grader")
def test_a_log_is_judged_again(tmp_path: Path) -> None:
    (line,) = (line for line in LINES if line.startswith("inspect score"))
    first = "inspect eval seqniah/test --model seqniah/lexical -T length=8k-16k --limit 2"
    _run([*shlex.split(first), "--log-dir", "logs"], tmp_path)
    (log,) = (tmp_path / "logs").iterdir()
    line = re.sub(r"grader=\S+", GRADER, line).replace("LOG", str(log))
    _run(shlex.split(line), tmp_path)
    summary = " ".join(_run(["seqniah", "summary", str(log)], tmp_path).split())
    assert "scorer judge: openai-api/judge/stand-in" in summary


@pytest.mark.parametrize("line", SEQNIAH)
def test_a_seqniah_line_runs(line: str, tmp_path: Path) -> None:
    (tmp_path / "cases.jsonl").write_text(json.dumps(CASE) + "\n", "utf-8")
    stars = {"reference": [3, 5], "response": "[3, 5]"}
    (tmp_path / "stars.jsonl").write_text(json.dumps(stars) + "\n", "utf-8")
    words = shlex.split(line)
    small = ["-T", "length=8k-16k", "-T", "limit_per_stratum=1"] if "build" in words else []
    assert _run([*words, *small], tmp_path)


def test_the_lm_eval_lines_run(tmp_path: Path) -> None:
    (block,) = (block for block in BLOCKS if "seqniah score lm-eval" in block)
    run, score = block.replace("\\\n", " ").strip().splitlines()
    assert "Sequential-NIAH" in _run(_with_a_dummy(run), tmp_path)
    assert "0 of 6 right" in _run(shlex.split(score), tmp_path)


def test_the_lm_eval_line_of_counting_stars_runs(tmp_path: Path) -> None:
    (line,) = (line for line in LINES if line.startswith("lm_eval run --tasks counting_stars"))
    assert "Counting-Stars" in _run(_with_a_dummy(line), tmp_path)
    assert len(list((tmp_path / "out").rglob("samples_counting_stars_*.jsonl"))) == 2


def _with_a_dummy(line: str) -> list[str]:
    """The words of a line, with a model that takes no GPU."""
    model = r"--model vllm --apply_chat_template --model_args \S+"
    assert re.search(model, line)
    return shlex.split(re.sub(model, "--model dummy --limit 1", line))


def test_the_lines_that_read_logs_of_both_harnesses_run(tmp_path: Path) -> None:
    lines = [line for line in LINES if line.startswith(("seqniah report", "seqniah records"))]
    assert [line.split()[2:4] for line in lines] == [["logs", "out"]] * 2
    first = "inspect eval seqniah/test --model seqniah/lexical -T length=8k-16k --limit 2"
    _run([*shlex.split(first), "--log-dir", "logs"], tmp_path)
    second = "lm_eval run --model dummy --limit 1 --tasks seqniah --log_samples --output_path out"
    _run(shlex.split(second), tmp_path)
    for line in lines:
        assert _run(shlex.split(line), tmp_path)
    page = (tmp_path / "report" / "index.html").read_text("utf-8")
    assert "seqniah/lexical" in page and "by 2 models in 2 runs" in page
    assert (tmp_path / "table.parquet").stat().st_size
