"""`seqniah score lm-eval`: samples files of lm-eval, judged like the run that wrote them."""

from __future__ import annotations

import json
import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import command_line
import in_process
import pytest
from lm_eval.api.instance import Instance
from lm_eval.api.model import LM
from lm_eval.evaluator import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

import seqniah_tasks
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval import samples as lm_eval_samples
from seqniah_tasks.adapters.lm_eval import verdicts
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
FOLDER = Path(seqniah_tasks.__file__).with_name("lm_eval_tasks")
TASKS = ("seqniah_real_logical_zh", "seqniah_synthetic_temporal_en")
SHORT = {"length": "8k-16k"}
MODEL = "org/canned"
VERDICT = (
    *("correct", "failure_modes", "item_recall", "item_precision", "order_agreement"),
    *("order_required", "reason", "pairs", "doubts", "judge", "judged_by"),
)
DATE = "2025-03-01T10-00-00.000001"


def _right(items: list[str]) -> list[str]:
    return items


def _short(items: list[str]) -> list[str]:
    return items[:-1]


def _swapped(items: list[str]) -> list[str]:
    return [items[1], items[0], *items[2:]]


def _silent(items: list[str]) -> list[str]:
    return []


FAULTS = (_right, _short, _swapped, _silent)
"""What the first samples of each task get, in turn."""


class Canned(LM):  # type: ignore[misc]  # lm_eval is not typed
    """Answers with the reference, or with a part of it; goes on where a prompt has begun a list."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    @property
    def tokenizer_name(self) -> str:
        return "none"

    def apply_chat_template(
        self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
    ) -> str:
        return str(chat_history[-1]["content"])

    def generate_until(self, requests: list[Instance], disable_tqdm: bool = False) -> list[str]:
        return [self._answer(request.doc, request.args[0], request.doc_id) for request in requests]

    def _answer(self, doc: dict[str, Any], context: str, number: int) -> str:
        self.asked.append(doc["id"])
        items = [line.removeprefix("- ") for line in doc["reference"].split("\n")[1:]]
        given = FAULTS[number % len(FAULTS)](items)
        text = "\n".join(f"{place}. {item}" for place, item in enumerate(given, start=1))
        begun = context.endswith(answer_start(doc["lang"]))
        return text.removeprefix("1.") if begun else text

    def loglikelihood(self, requests: list[Instance]) -> list[tuple[float, bool]]:
        raise NotImplementedError

    def loglikelihood_rolling(self, requests: list[Instance]) -> list[float]:
        raise NotImplementedError


def _run(
    folder: Path, *, chat: bool = False, predict_only: bool = False, **metadata: Any
) -> dict[str, Any]:
    """A run that writes its samples below the folder, as the harness's command does."""
    given = {**SHORT, **metadata}
    tracker = EvaluationTracker(output_path=str(folder))
    results: dict[str, Any] = simple_evaluate(
        model=Canned(),
        model_args={"model": MODEL},
        tasks=list(TASKS),
        task_manager=TaskManager(include_path=FOLDER, include_defaults=False, metadata=given),
        limit=len(FAULTS),
        apply_chat_template=chat,
        predict_only=predict_only,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
        metadata=given,
    )
    samples = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=samples)
    for task in results["configs"]:
        tracker.save_results_samples(task_name=task, samples=samples[task])
    return results


@dataclass
class Ran:
    """A run that the tests look at and do not change."""

    folder: Path
    results: dict[str, Any]

    @property
    def lines(self) -> list[dict[str, Any]]:
        return _lines(self.folder)


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A run of a model that continues text, judged by the rules."""
    folder = tmp_path_factory.mktemp("judged")
    return Ran(folder, _run(folder))


def _lines(folder: Path) -> list[dict[str, Any]]:
    paths = sorted(folder.rglob("samples_*.jsonl"))
    assert len(paths) == len(TASKS)
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines()]


@dataclass
class Done:
    """What the command did."""

    code: int
    out: str
    err: str
    rows: list[dict[str, Any]]
    """Verdicts that it wrote."""

    @property
    def runs(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.out)["runs"]
        return found


def _score(folder: Path, *words: str | Path, code: int = 0, **env: str) -> Done:
    out = folder / "verdicts.jsonl"
    given = ["score", "lm-eval", *map(str, words), "--out", str(out)]
    base = {name: value for name, value in os.environ.items() if "SEQNIAH_JUDGE" not in name}
    if env or len(base) < len(os.environ):  # then judges are asked as by a process of its own
        kept = {"COLUMNS": "100", "INSPECT_CACHE_DIR": str(folder / "kept")}
        done = command_line.run([SEQNIAH, *given], env={**base, **kept, **env})
    else:
        done = in_process.done(given, COLUMNS="100")
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    lines = out.read_text("utf-8").splitlines() if out.exists() else []
    return Done(done.returncode, done.stdout, done.stderr, [json.loads(line) for line in lines])


def _told(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {row["id"]: {name: row[name] for name in VERDICT} for row in rows}


@pytest.mark.parametrize("chat", [False, True], ids=["continued", "chat"])
def test_the_verdicts_are_those_of_the_run(judged: Ran, tmp_path: Path, chat: bool) -> None:
    run = judged if not chat else Ran(tmp_path / "out", _run(tmp_path / "out", chat=True))
    done = _score(tmp_path, run.folder, "--json")
    inside = [line["judged"] for line in run.lines]
    assert _told(done.rows) == _told(inside)
    assert [row["needle_fates"] for row in done.rows] == [one["needles"] for one in inside]
    # The faults make verdicts of each kind, so the comparison is one of different things.
    modes = {mode for row in done.rows for mode in row["failure_modes"]}
    assert modes >= {"missing_items", "wrong_order", "no_answer" if chat else "missing_items"}
    assert {(row["lang"], row["correct"]) for row in done.rows} == {
        (lang, correct) for lang in ("en", "zh") for correct in (True, False)
    }


def test_the_figures_are_those_of_the_run(judged: Ran, tmp_path: Path) -> None:
    done = _score(tmp_path, judged.folder, "--json")
    (run,) = done.runs
    by_task = [judged.results["results"][task]["acc,rules"] for task in TASKS]
    assert run["accuracy"][0] == pytest.approx(sum(by_task) / len(by_task))
    assert run["strata"]["language: zh"][0] == pytest.approx(by_task[0])
    assert run["strata"]["pipeline: synthetic-temporal"][0] == pytest.approx(by_task[1])
    assert run["strata"]["length: 8k-16k"][3] == len(TASKS) * len(FAULTS)
    assert (run["model"], run["task"]) == (MODEL, ", ".join(TASKS))
    assert (run["status"], run["scorer"], run["remarks"]) == ("success", "rules 7", [])
    assert run["sources"] == ["invented-records", "invented-world", "authored-procedures"]
    assert (run["unscored"], run["by_model"]) == (0, 0)
    assert {row["model"] for row in done.rows} == {MODEL}
    assert {row["task"] for row in done.rows} == set(TASKS)
    stratum = ("lang", "pipeline", "length_bin", "needle_group", "needles")
    asked = {line["doc"]["id"]: [line["doc"][name] for name in stratum] for line in judged.lines}
    assert {row["id"]: [row[name] for name in stratum] for row in done.rows} == asked


def test_the_summary_is_printed_as_for_a_log_of_inspect(judged: Ran, tmp_path: Path) -> None:
    out = _score(tmp_path, judged.folder).out
    assert f"{', '.join(TASKS)}, {MODEL}" in out
    assert "version 3, open edition, tokenizer cl100k_base, scorer rules 7" in out
    right = sum(line["judged"]["correct"] for line in judged.lines)
    assert f"({right} of 8 right; 95 % interval" in out
    assert [line for line in out.splitlines() if " 8k-16k  " in line] != []
    assert "Effective length  none  (all scored answers are of one length, 8k-16k)" in out
    assert "inspect" not in out
    assert str(tmp_path / "verdicts.jsonl") in out


def test_answers_that_nobody_judged_get_the_verdicts_of_a_run(judged: Ran, tmp_path: Path) -> None:
    _run(tmp_path / "out", predict_only=True)
    predicted = _lines(tmp_path / "out")
    assert not any("judged" in line for line in predicted)
    assert all(line["filtered_resps"][0].startswith("1.") for line in predicted)
    done = _score(tmp_path, tmp_path / "out")
    assert _told(done.rows) == _told([line["judged"] for line in judged.lines])
    fates = [line["judged"]["needles"] for line in judged.lines]
    assert [row["needle_fates"] for row in done.rows] == fates
    assert f"{', '.join(TASKS)}, {MODEL}" in done.out


Reply = Callable[[str], tuple[int, str]]
"""Status and label of a judge, by what it is asked."""


def _strict(prompt: str) -> tuple[int, str]:
    # Neither always the same nor what the rules say.
    return 200, "correct" if len(prompt) % 2 else "incorrect"


@pytest.fixture
def server() -> Iterator[Callable[[Reply], str]]:
    """Starts judges that answer so; gives their address."""
    running: list[ThreadingHTTPServer] = []

    def start(reply: Reply) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._send(200, {"object": "list", "data": [{"id": "stub"}]})

            def do_POST(self) -> None:
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status, label = reply(asked["messages"][-1]["content"])
                told = {"order_analysis": "", "eval_analysis": "so it is", "eval_label": label}
                message = {"role": "assistant", "content": json.dumps(told)}
                usage = {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940}
                body = {
                    **{"id": "1", "object": "chat.completion", "created": 1, "model": "stub"},
                    "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                    "usage": usage,
                }
                self._send(status, body if status == 200 else {"error": {"message": label}})

            def _send(self, status: int, body: dict[str, Any]) -> None:
                raw = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

            def log_message(self, format: str, *args: object) -> None:
                pass

        found = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        found.daemon_threads = True
        threading.Thread(target=found.serve_forever, daemon=True).start()
        running.append(found)
        return f"http://127.0.0.1:{found.server_port}/v1"

    yield start
    for one in running:
        one.shutdown()
        one.server_close()


def _named(url: str) -> dict[str, str]:
    return {"SEQNIAH_JUDGE_MODEL": "stub", "SEQNIAH_JUDGE_BASE_URL": url}


@pytest.mark.parametrize("scorer", ["auto", "judge", "cascade"])
def test_a_judge_named_by_the_environment_judges_as_in_the_run(
    server: Callable[[Reply], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scorer: str
) -> None:
    pytest.importorskip("openai")
    url = server(_strict)
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "kept in the run"))
    for name, value in _named(url).items():
        monkeypatch.setenv(name, value)
    _run(tmp_path / "out", scorer=scorer)
    inside = [line["judged"] for line in _lines(tmp_path / "out")]
    assert "model" in {one["judged_by"] for one in inside}
    done = _score(tmp_path, tmp_path / "out", "--judge", scorer, "--json", **_named(url))
    assert _told(done.rows) == _told(inside)
    (run,) = done.runs
    kind = "cascade: rules 7, " if scorer == "cascade" else "judge: "
    assert run["scorer"] == f"{kind}openai-api/judge/stub"
    asked = sum(one["judged_by"] == "model" and one["judge_input_tokens"] > 0 for one in inside)
    assert run["input_tokens"] == 900 * asked
    assert asked


def test_a_model_as_inspect_names_it_judges(
    judged: Ran, server: Callable[[Reply], str], tmp_path: Path
) -> None:
    pytest.importorskip("openai")
    env = {"LOCAL_BASE_URL": server(lambda _: (200, "incorrect")), "LOCAL_API_KEY": "none"}
    done = _score(tmp_path, judged.folder, "--judge", "openai-api/local/stub", **env)
    assert {row["judge"] for row in done.rows} == {"judge: openai-api/local/stub"}
    assert not any(row["correct"] for row in done.rows)
    both = _score(tmp_path, judged.folder, "--grader", "openai-api/local/stub", **env)
    assert {row["judge"] for row in both.rows} == {"cascade: rules 7, openai-api/local/stub"}


def test_the_answers_of_a_run_whose_judge_failed_are_judged(
    judged: Ran,
    server: Callable[[Reply], str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("openai")
    for name, value in _named(server(lambda _: (400, "I am no judge"))).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SeqniahError) as refused:
        _run(tmp_path / "out", scorer="judge")
    _, told, command = str(refused.value).partition("seqniah score lm-eval ")
    assert told
    done = _score(tmp_path, *shlex.split(command), "--json")
    assert _told(done.rows) == _told([line["judged"] for line in judged.lines])
    (run,) = done.runs
    assert run["status"] == "error"
    assert run["task"] == ", ".join(TASKS)


def test_what_a_judge_that_goes_down_leaves_unscored_is_written(
    judged: Ran, server: Callable[[Reply], str], tmp_path: Path
) -> None:
    pytest.importorskip("openai")
    asked: list[str] = []

    def reply(prompt: str) -> tuple[int, str]:
        asked.append(prompt)
        return (200, "correct") if len(asked) <= 3 else (404, "The model is gone")

    env = _named(server(reply))
    words = ("--judge", "judge", "--max-connections", "1", "--json")
    done = _score(tmp_path, judged.folder, *words, code=3, **env)
    assert [row["correct"] for row in done.rows] == [True] * 3 + [None] * 5
    assert all("The model is gone" in row["reason"] for row in done.rows[3:])
    (run,) = done.runs
    assert run["unscored"] == 5
    assert (run["accuracy"][0], run["accuracy"][3]) == (1.0, 3)
    assert "5 unscored, the first because: The judge openai-api/judge/stub did not" in done.err


def _edited(
    judged: Ran, folder: Path, edit: Callable[[dict[str, Any]], Any], date: str = DATE
) -> Path:
    """A file of the first task, all of whose lines are as the run wrote them but the second."""
    (source,) = judged.folder.rglob(f"samples_{TASKS[0]}_*.jsonl")
    rows = [json.loads(line) for line in source.read_text("utf-8").splitlines()]
    rows[1] = edit(rows[1])
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"samples_{TASKS[0]}_{date}.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return path


def _with(row: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """A row with one field set, or left out where the value is an ellipsis."""
    first, _, rest = path.partition(".")
    if rest:
        return {**row, first: _with(row[first], rest, value)}
    left = {name: one for name, one in row.items() if name != first}
    return left if value is ... else {**left, first: value}


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("judged.prompt_fate", "cut", "did not see the whole prompt"),
        ("judged.prompt_fate", "skipped", "was not sent"),
        ("filtered_resps", [], "no answer"),
    ],
)
def test_what_cannot_be_judged_is_unscored_not_wrong(
    judged: Ran, tmp_path: Path, field: str, value: Any, told: str
) -> None:
    def edit(row: dict[str, Any]) -> dict[str, Any]:
        emptied = row if value else _with(row, "resps", [[]])
        return _with(emptied, field, value)

    done = _score(tmp_path, _edited(judged, tmp_path / "in", edit), "--json", code=3)
    assert [row["correct"] is None for row in done.rows] == [False, True, False, False]
    assert told in done.rows[1]["reason"]
    assert (done.rows[1]["failure_modes"], done.rows[1]["judged_by"]) == ([], None)
    (run,) = done.runs
    assert (run["unscored"], run["accuracy"][3]) == (1, 3)
    assert "1 unscored, the first because" in done.err


def test_without_a_judged_answer_the_bare_one_counts(judged: Ran, tmp_path: Path) -> None:
    path = _edited(judged, tmp_path, lambda row: _with(row, "filtered_resps", ...))
    found = lm_eval_samples.read(lm_eval_samples.find([path])[0][0])
    lines = judged.lines
    assert [sample.response for sample in found] == [
        lines[0]["filtered_resps"][0],
        lines[1]["resps"][0][0],
        lines[2]["filtered_resps"][0],
        lines[3]["filtered_resps"][0],
    ]


def test_half_a_surrogate_pair_is_judged_and_written(judged: Ran, tmp_path: Path) -> None:
    path = _edited(judged, tmp_path, lambda row: _with(row, "filtered_resps", ["1. \ud800 odd"]))
    assert _score(tmp_path / "out", path).rows[1]["correct"] is False


BROKEN: list[tuple[str, Any, str]] = [
    ("doc.reference", ..., "doc.reference is missing; it is a text"),
    ("doc.reference", " ", "doc.reference is a text, not ' '"),
    ("doc.lang", "fr", "doc.lang is en or zh, not 'fr'"),
    ("doc.lang", ["en"], r"doc.lang is en or zh, not \['en'\]"),
    ("doc.pipeline", "other", "doc.pipeline is synthetic-temporal or real-temporal or"),
    ("doc.length_bin", "[bold]", r"doc.length_bin is 0k-8k or 8k-16k or .*, not '\[bold\]'"),
    ("doc.needle_group", 3, "doc.needle_group is empty or 3-5 or"),
    ("doc.needles", True, "doc.needles is a whole number from 1, not True"),
    ("doc.version", "2", "doc.version is a whole number from 1, not '2'"),
    ("doc.id", "a\nb", "doc.id is a name, not"),
    ("doc.tokenizer", "x" * 9_000, r"doc.tokenizer is a name, not 'x+\.\.\."),
    ("doc.order_required", "no", "doc.order_required is true or false, not 'no'"),
    ("doc.parties", None, "doc.parties is a list of texts, not None"),
    ("doc", {"id": "x"}, "is no sample of a seqniah task"),
    ("doc", "x", "is no sample of a seqniah task"),
    ("filtered_resps", "text", "filtered_resps is a list of texts, not 'text'"),
    ("filtered_resps", [None], r"filtered_resps is a list of texts, not \[None\]"),
    ("judged", [], r"judged is an object, not \[\]"),
    ("judged.prompt_fate", "eaten", "judged.prompt_fate is whole or cut or"),
    ("judged.prompt_fate", {}, "judged.prompt_fate is whole or cut or"),
    ("judged.needle_depths", 3, "judged.needle_depths is a list of numbers from 0 to 1, not 3"),
    ("judged.needle_depths", [0.5], "judged.needle_depths is a list of"),
    ("judged.needle_depths", [float("nan")] * 5, "judged.needle_depths is a list of numbers"),
]


@pytest.mark.parametrize(("field", "value", "told"), BROKEN)
def test_a_broken_field_is_named_with_file_and_line(
    judged: Ran, tmp_path: Path, field: str, value: Any, told: str
) -> None:
    path = _edited(judged, tmp_path, lambda row: _with(row, field, value))
    with pytest.raises(SeqniahError, match=rf"jsonl, line 2:? .*{told}") as error:
        verdicts.answers(lm_eval_samples.find([path])[0])
    assert len(str(error.value)) < len(str(path)) + 300


@pytest.mark.parametrize("given", [None, "text", [None], [["a", 3]], 7])
def test_an_answer_that_is_none_is_named(judged: Ran, tmp_path: Path, given: Any) -> None:
    path = _edited(
        judged, tmp_path, lambda row: _with(_with(row, "filtered_resps", ...), "resps", given)
    )
    with pytest.raises(SeqniahError, match="line 2: resps is a list of lists"):
        verdicts.answers(lm_eval_samples.find([path])[0])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (b"", "holds no sample"),
        (b"\n \n", "holds no sample"),
        (b'{"doc": {}', "line 1 is not JSON"),
        (b"\n[1]\n", "line 2 is no JSON object"),
        (b'{"doc": "\xff"}\n', "line 1 is not JSON"),
        (b"[" * 200_000, "line 1 is not JSON"),
    ],
)
def test_a_broken_file_is_named_with_its_line(tmp_path: Path, text: bytes, told: str) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_bytes(text)
    with pytest.raises(SeqniahError, match=told):
        verdicts.answers(lm_eval_samples.find([path])[0])


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    with path.open("wb") as file:
        file.truncate(lm_eval_samples.MOST_LINE + 1)
    with pytest.raises(SeqniahError, match="line 1 has more than 64,000,000 bytes"):
        verdicts.answers(lm_eval_samples.find([path])[0])


def test_a_file_of_another_task_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / f"samples_gsm8k_{DATE}.jsonl"
    path.write_text('{"doc": {"question": "How many?"}, "resps": [["3"]]}\n', "utf-8")
    done = _score(tmp_path, path, code=1)
    assert "line 1 is a sample of gsm8k, not of a seqniah task" in done.err
    assert not done.rows
    assert "No samples file of a seqniah task" in _score(tmp_path, tmp_path, code=1).err
    assert "There is no " in _score(tmp_path, tmp_path / "nowhere", code=1).err


def test_of_a_folder_the_last_run_of_each_model_and_task_counts(
    judged: Ran, tmp_path: Path
) -> None:
    first = _edited(judged, tmp_path / "a", lambda row: None, "2025-01-01T10-00-00.000009")
    last = _edited(judged, tmp_path / "a", dict, "2025-01-02T10-00-00")
    other = _edited(judged, tmp_path / "b", dict, "2024-01-01T10-00-00")
    done = _score(tmp_path, tmp_path, "--json")
    assert [(run["model"], run["files"]) for run in done.runs] == [
        ("a", [str(last)]),
        ("b", [str(other)]),
    ]
    assert {run["status"] for run in done.runs} == {"unknown"}
    assert f"1 left out, run again later or without a sample yet: {first}" in done.err
    files, older = lm_eval_samples.find([tmp_path, first])
    assert ({file.path for file in files}, older) == ({first, last, other}, [])


def test_each_process_of_a_failed_run_has_a_file_that_counts(judged: Ran, tmp_path: Path) -> None:
    stamps = [
        "2025-01-01T10-00-00_unjudged",
        "2025-01-01T10-00-01_unjudged1",
        "2024-01-01T10-00-00_unjudged",
        "2024-12-31T10-00-00.000001",
    ]
    made = [_edited(judged, tmp_path, dict, stamp) for stamp in stamps]
    files, older = lm_eval_samples.find([tmp_path])
    assert [file.path for file in files] == made[:2]
    assert set(older) == set(made[2:])
    whole = _edited(judged, tmp_path, dict, "2025-02-01T10-00-00.5")
    assert [file.path for file in lm_eval_samples.find([tmp_path])[0]] == [whole]


def test_a_sample_that_is_there_twice_is_named(judged: Ran, tmp_path: Path) -> None:
    first = _edited(judged, tmp_path, dict, "2025-01-01T10-00-00")
    second = _edited(judged, tmp_path, dict, "2025-01-02T10-00-00")
    done = _score(tmp_path, first, second, code=1)
    assert f"{second}, line 1: the sample test-zh-" in done.err
    assert f"was in {first}, line 1 already; give the files of one run" in done.err
    assert lm_eval_samples.find([first, first])[0] == lm_eval_samples.find([first])[0]


def test_samples_of_another_tokenizer_are_summed_up_apart(judged: Ran, tmp_path: Path) -> None:
    path = _edited(judged, tmp_path, lambda row: _with(row, "doc.tokenizer", "qwen"))
    found = verdicts.answers(lm_eval_samples.find([path])[0])
    assert [len(one.samples) for one in found] == [3, 1]


def test_the_summary_says_what_was_unusual(judged: Ran, tmp_path: Path) -> None:
    path = _edited(judged, tmp_path, dict)
    facts = {
        **{"benchmark": "sequential-niah", "closed_book": True, "order": "sorted"},
        "left_out": 2,
    }
    results = {"model_name": "x/y", "configs": {TASKS[0]: {"metadata": facts}}}
    beside = tmp_path / f"results_{DATE}.json"
    beside.write_text(json.dumps(results), "utf-8")
    (run,) = _score(tmp_path, path, "--json").runs
    assert run["model"] == "x/y"
    assert run["remarks"] == [
        "closed book",
        "needles in true order",
        f"2 prompts of {TASKS[0]} did not fit the window and were left out",
    ]
    for odd in ([], {"model_name": 3, "configs": {TASKS[0]: []}}):
        beside.write_text(json.dumps(odd), "utf-8")
        (file,) = lm_eval_samples.find([path])[0]
        assert (file.model, file.facts) == (tmp_path.name, {})
    beside.write_text("{", "utf-8")
    with pytest.raises(SeqniahError, match=r"results_.*which name the model, cannot be read"):
        lm_eval_samples.find([path])


def test_models_that_share_a_folder_are_told_apart_by_their_results(
    judged: Ran, tmp_path: Path
) -> None:
    # As with --output_path a.json, and again with b.json.
    for name, date in (("a", "2025-01-01T10-00-00.1"), ("b", "2025-01-02T10-00-00.1")):
        _edited(judged, tmp_path, dict, date)
        (tmp_path / f"{name}_{date}.json").write_text(json.dumps({"model_name": name}), "utf-8")
    files, older = lm_eval_samples.find([tmp_path])
    assert [one.model for one in verdicts.answers(files)] == ["a", "b"]
    assert not older


@pytest.mark.parametrize(
    ("split", "name"), [("test", "seqniah"), ("dev", "seqniah_dev"), ("test", "seqniah_hard")]
)
def test_all_tasks_of_a_split_go_by_the_name_of_their_group(
    judged: Ran, tmp_path: Path, split: str, name: str
) -> None:
    tasks = sorted(path.stem for path in FOLDER.glob(f"{name}_*_*_*.yaml"))
    parts = [f"_{part}_" for part in ("dev", "hard") if part not in name]
    tasks = [task for task in tasks if not any(part in task for part in parts)]
    assert len(tasks) == 6
    line = judged.lines[0]
    for task in tasks:
        doc = {**line["doc"], "id": task, "split": split}
        path = tmp_path / f"samples_{task}_{DATE}.jsonl"
        path.write_text(json.dumps({**line, "doc": doc}), "utf-8")
    assert [run["task"] for run in _score(tmp_path, tmp_path, "--json").runs] == [name]


def test_the_samples_are_never_overwritten(judged: Ran, tmp_path: Path) -> None:
    path = _edited(judged, tmp_path, dict)
    before = path.read_bytes()
    for out, told in ((path, "would overwrite the samples"), (tmp_path, "is a folder")):
        done = command_line.run([SEQNIAH, "score", "lm-eval", str(path), "--out", str(out)])
        assert done.returncode == 1
        assert told in done.stderr
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--judge", "cascade"], "--grader MODEL"),
        (["--judge", "judge"], "--judge MODEL"),
        (["--judge", "rules", "--grader", "mockllm/model"], "A grader is for the cascade"),
        (["--prompt", "words.txt"], "judge_prompt is for a model that judges"),
    ],
)
def test_a_judge_that_cannot_be_had_says_what_to_pass(
    judged: Ran, tmp_path: Path, words: list[str], told: str
) -> None:
    done = _score(tmp_path, judged.folder, *words, code=1)
    assert told in done.err
    assert not done.rows
