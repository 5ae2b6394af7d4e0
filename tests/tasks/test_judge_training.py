"""`seqniah judge train`: settings and data anywhere; with `-m train` a tiny model is trained."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from seqniah_datasets import rendering
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge
from seqniah_scorers.verdict import Case
from seqniah_tasks.baselines import lexical
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.score import judge
from seqniah_tasks.commands.judges import train as command
from seqniah_tasks.training import accuracy, rehearsal, rows, trainer
from seqniah_tasks.training import settings as setting
from seqniah_tasks.training.settings import Settings

Fields = dict[str, Any]

app = typer.Typer()
app.command()(command)


def needs_training(test: Any) -> Any:
    """A test that trains: run by `make train-test`, skipped where the extra is not installed."""
    missing = [name for name in trainer.NEEDED if find_spec(name) is None]
    reason = f"{', '.join(missing)} not installed: make train-test installs and runs this"
    return pytest.mark.train(pytest.mark.skipif(bool(missing), reason=reason)(test))


def _fields(case: Case, correct: bool, analysis: str, number: object) -> Fields:
    verdict = model_judge.label_text(case.lang, case.needle_type, correct, analysis, "Asked for.")
    return {
        "messages": [
            {"role": "user", "content": model_judge.ask(case)},
            {"role": "assistant", "content": verdict},
        ],
        "id": f"case-{number}",
        "lang": case.lang,
        "needle_type": case.needle_type,
        "group": "GT" if correct else "missing",
        "shuffled": False,
        "order_required": True,
        "label": "correct" if correct else "incorrect",
        "question": case.question,
        "reference": case.reference,
        "response": case.response,
    }


def _diaries() -> list[Fields]:
    """Six cases: three diaries, each told in full and without its last entry."""
    diaries = [
        ("Anna", "planted tulips", "sold her boat", "met the mayor"),
        ("Boris", "lost a key", "painted a gate", "bought a clock"),
        ("Chen", "baked bread", "mended a roof", "wrote a letter"),
    ]
    found: list[Fields] = []
    for name, *deeds in diaries:
        question = f"What does the diary of {name} hold for November 2010, in order?"
        lines = [f"2010-11-0{day}: {name} {deed}" for day, deed in enumerate(deeds, 2)]
        reference = "\n".join(["It holds:", *(f"- {line}" for line in lines)])
        for told in (3, 2):
            case = Case("en", "temporal", question, reference, "\n".join(lines[:told]))
            why = "All is there." if told == 3 else f"That {name} {deeds[2]} is missing."
            found.append(_fields(case, told == 3, why, len(found)))
    return found


def _write(folder: Path, found: list[Fields], times: int = 1) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(fields, ensure_ascii=False) + "\n" for fields in found]
    (folder / "train.jsonl").write_text("".join(lines * times), "utf-8")
    (folder / "test.jsonl").write_text("".join(lines), "utf-8")
    return folder


def _settings(folder: Path, **given: Any) -> Settings:
    """For a tiny model and six cases: fast, and with a rate from which it learns."""
    usual = {"epochs": 2, "lr": 3e-3, "batch": 3, "grad_accum": 1, "eval_limit": 0}
    return Settings(str(folder / "base"), folder / "data", folder / "judge", **{**usual, **given})


# Settings and data


def test_the_papers_settings_are_the_defaults(tmp_path: Path) -> None:
    settings = Settings(setting.PAPERS_MODEL, tmp_path, tmp_path)
    assert (settings.rate, settings.epochs) == (8e-6, 4)
    assert (settings.warmup, settings.weight_decay) == (0.1, 0.1)
    assert not settings.lora
    # A step sees equally many rows on one GPU and on eight.
    assert settings.accumulation(1) == 8 * settings.accumulation(8) == setting.ROWS_A_STEP


@pytest.mark.parametrize("gpus", [1, 8])
def test_print_shows_the_accelerate_line(tmp_path: Path, gpus: int) -> None:
    arguments = [setting.PAPERS_MODEL, "--data", str(tmp_path), "--out", "a judge", "--epochs", "2"]
    done = CliRunner().invoke(app, [*arguments, "--lora", "--gpus", str(gpus), "--print"])
    words = shlex.split(done.stdout)
    config = Path(words[words.index("--config_file") + 1])
    assert config.is_file()
    text = config.read_text("utf-8")
    assert ("distributed_type: FSDP" in text) == (gpus > 1)
    assert ("--num_processes" in words) == (gpus > 1)
    start = words.index("seqniah_tasks.training")
    assert words[:2] == ["accelerate", "launch"]
    assert words[start - 1] == "--module"
    assert words[start + 1 :] == [*arguments[:5], "--lora", "--epochs", "2"]


def test_every_setting_comes_through_the_accelerate_line(tmp_path: Path) -> None:
    given = Settings(
        *("a/b", tmp_path, tmp_path / "out", True, 3, 1e-5, 0.2, 0.3, 2, 5, 4096, True, 9, 8, 7)
    )
    words = setting.launch(given, 2)
    rest = words[words.index("seqniah_tasks.training") + 1 :]
    again = CliRunner().invoke(app, [*rest, "--gpus", "2", "--print"])
    assert shlex.split(again.stdout) == words
    assert "--grad-accum 5" in again.stdout and "--save-steps 7" in again.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"epochs": 0}, "--epochs"),
        ({"lr": 0.0}, "--lr"),
        ({"lr": float("nan")}, "--lr"),
        ({"warmup": 1.5}, "--warmup"),
        ({"weight_decay": -0.1}, "--weight-decay"),
        ({"batch": 0}, "--batch"),
        ({"grad_accum": 0}, "--grad-accum"),
        ({"limit": 0}, "--limit"),
        ({"eval_limit": -1}, "--eval-limit"),
    ],
)
def test_a_wrong_setting_is_one_sentence(tmp_path: Path, given: Fields, said: str) -> None:
    usual: Fields = {"model": "a/b", "data": tmp_path, "out": tmp_path}
    with pytest.raises(SeqniahError, match=f"^{said} is .*[.]$"):
        setting.checked(Settings(**{**usual, **given}))


def test_rows_are_read_as_they_were_written(tmp_path: Path) -> None:
    _write(tmp_path, _diaries(), times=5)
    found = rows.read(tmp_path, "train")
    assert len(found) == 30
    assert [row.correct for row in found[:4]] == [True, False, True, False]
    assert found[0].prompt == model_judge.ask(found[0].case)
    assert len(rows.read(tmp_path, "train", 7)) == 7
    assert rows.evenly(range(10), 5) == [0, 2, 4, 6, 8]


@pytest.mark.parametrize(
    "change",
    [
        lambda fields: fields.pop("label"),
        lambda fields: fields.update(label="perhaps"),
        lambda fields: fields.update(lang="fr"),
        lambda fields: fields["messages"].reverse(),
        lambda fields: fields["messages"].pop(),
        lambda fields: fields["messages"][1].update(content=""),
        lambda fields: fields.update(response=None),
    ],
)
def test_a_row_of_another_form_is_named(tmp_path: Path, change: Any) -> None:
    found = _diaries()
    change(found[2])
    _write(tmp_path, found)
    with pytest.raises(SeqniahError, match=r"train\.jsonl:3 is no row of judge data"):
        rows.read(tmp_path, "train")


def test_missing_and_empty_data_say_how_to_write_it(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match="is missing; write it with seqniah judge data"):
        rows.read(tmp_path, "train")
    (tmp_path / "train.jsonl").write_text("\n", "utf-8")
    with pytest.raises(SeqniahError, match="has no rows"):
        rows.read(tmp_path, "train")


def test_a_checkpoint_counts_once_it_is_whole(tmp_path: Path) -> None:
    settings = _settings(tmp_path)
    for step in (9, 10, 100):
        folder = settings.checkpoints / f"checkpoint-{step}"
        folder.mkdir(parents=True)
        if step < 100:  # the last one was being written when the run was killed
            (folder / "trainer_state.json").write_text("{}", "utf-8")
    with pytest.raises(SeqniahError, match="pass --resume"):
        setting.see_place(settings)
    found = setting.see_place(_settings(tmp_path, resume=True))
    assert found is not None and found.name == "checkpoint-10"
    (settings.out / "config.json").write_text("{}", "utf-8")
    with pytest.raises(SeqniahError, match="holds a finished judge"):
        setting.see_place(_settings(tmp_path, resume=True))


def test_a_resumed_training_is_the_one_that_was_begun(tmp_path: Path) -> None:
    setting.keep(_settings(tmp_path), "abc", 1, going_on=False)
    setting.keep(_settings(tmp_path), "abc", 1, going_on=True)
    # As many rows a step, in other batches, is the same training.
    setting.keep(_settings(tmp_path, batch=1, grad_accum=3), "abc", 1, going_on=True)
    for given, digest, said in (
        ({"lr": 1e-3}, "abc", "lr 0.003, not 0.001"),
        ({"batch": 2}, "abc", "rows_a_step 3, not 2"),
        ({}, "def", "data_sha256"),
    ):
        with pytest.raises(SeqniahError, match=said):
            setting.keep(_settings(tmp_path, **given), digest, 1, going_on=True)


def test_replies_are_counted_as_right_wrong_or_unreadable(tmp_path: Path) -> None:
    cases = rows.read(_write(tmp_path, _diaries()), "test")
    written = [cases[0].verdict, cases[1].verdict, cases[3].verdict, "I think it is fine.", "", ""]
    assert accuracy.tally(cases, written) == (2, 3)


@pytest.mark.parametrize(("count", "processes"), [(7, 3), (6, 3), (1, 2), (5, 1)])
def test_processes_judge_equally_many_and_each_case_counts_once(count: int, processes: int) -> None:
    shares = [accuracy.share_of(range(count), rank, processes) for rank in range(processes)]  # type: ignore[arg-type]
    assert len({len(mine) for mine, _ in shares}) == 1
    assert sorted(case for mine, n in shares for case in mine[:n]) == list(range(count))


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "NEEDED", ("json", "no_such_library"))
    with pytest.raises(
        SeqniahError, match=r"needs no_such_library.*pip install 'seqniah\[train\]'"
    ):
        trainer.see_installed(lora=False)


# A tiny model, on the processor


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A random model beside the six cases."""
    folder = tmp_path_factory.mktemp("tiny")
    found = rows.read(_write(folder / "data", _diaries()), "train")
    rehearsal.write_model(folder / "base", found, terse=True)
    return folder


@pytest.fixture
def place(tiny: Path, tmp_path: Path) -> Path:
    for name in ("base", "data"):
        (tmp_path / name).symlink_to(tiny / name)
    return tmp_path


def _weights(folder: Path) -> Fields:
    from safetensors.torch import load_file

    return dict(load_file(folder / "model.safetensors"))


@needs_training
def test_the_loss_is_on_the_verdict_alone(place: Path) -> None:
    settings = _settings(place)
    found = rows.read(settings.data, "train")
    opened = trainer.open_trainer(settings, found)
    tokenizer = opened.processing_class
    prompts, verdicts = {row.prompt for row in found}, {row.verdict for row in found}
    seen = 0
    for batch in opened.get_train_dataloader():
        for ids, labels in zip(batch["input_ids"], batch["labels"], strict=True):
            counted = labels != -100
            assert bool((labels[counted] == ids[counted]).all())
            learnt = tokenizer.decode(ids[counted])
            verdict = learnt.removesuffix("<|im_end|>\n")
            assert verdict in verdicts and learnt != verdict  # it learns to stop as well
            # Before the first label that counts stands the whole prompt, and all of it is -100.
            first = int(counted.nonzero()[0])
            before = tokenizer.decode(ids[:first])
            assert bool((labels[:first] == -100).all())
            assert any(
                before.endswith(f"{text}<|im_end|>\n<|im_start|>assistant\n") for text in prompts
            )
            seen += 1
    assert seen == len(found)


@needs_training
def test_the_papers_optimizer_reaches_the_trainer(place: Path) -> None:
    settings = Settings(str(place / "base"), place / "data", place / "judge")
    args = trainer.open_trainer(settings, rows.read(settings.data, "train")).args
    assert "adamw" in str(args.optim).lower()
    assert (args.learning_rate, args.num_train_epochs, args.weight_decay) == (8e-6, 4, 0.1)
    assert args.get_warmup_steps(750) == 75
    assert args.train_batch_size * args.gradient_accumulation_steps == setting.ROWS_A_STEP
    assert not args.trust_remote_code


@needs_training
@pytest.mark.parametrize("name", ["one_gpu", "several_gpus"])
def test_accelerate_reads_the_configurations(name: str) -> None:
    from accelerate.commands.config.config_args import load_config_from_file

    config = load_config_from_file(str(setting.CONFIGS / f"{name}.yaml"))
    assert config.mixed_precision == "bf16"


@needs_training
def test_a_row_too_long_is_refused_and_not_cut(place: Path) -> None:
    with pytest.raises(SeqniahError, match=r"The row case-0 has .* tokens; give --max-length"):
        trainer.train(_settings(place, max_length=64), print)


@needs_training
@pytest.mark.parametrize("lora", [False, True])
def test_a_training_broken_off_ends_as_if_it_had_not_been(place: Path, lora: bool) -> None:
    from transformers import TrainerCallback

    class Break(TrainerCallback):  # type: ignore[misc, unused-ignore]
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step == 3:
                raise KeyboardInterrupt

    straight = _settings(place, save_steps=2, lora=lora)
    outcome = trainer.train(straight, print)
    assert outcome.steps == 4 and outcome.tokens > 0
    from dataclasses import replace

    broken = replace(straight, out=place / "broken")
    with pytest.raises(KeyboardInterrupt):
        trainer.train(broken, print, [Break()])
    assert not (broken.out / "config.json").exists()
    with pytest.raises(SeqniahError, match="pass --resume"):
        trainer.train(broken, print)
    said: list[str] = []
    trainer.train(replace(broken, resume=True), said.append)
    assert any("going on from" in line and "checkpoint-2" in line for line in said)

    one, other = _weights(straight.out), _weights(broken.out)
    assert one.keys() == other.keys()
    assert all(bool((one[name] == other[name]).all()) for name in one)
    before = _weights(place / "base")
    assert any(bool((one[name] != before[name]).any()) for name in before)
    assert one["model.norm.weight"].dtype == before["model.norm.weight"].dtype
    kept = json.loads((straight.out / "generation_config.json").read_text("utf-8"))
    assert kept["do_sample"] is False
    assert not list(straight.out.glob("*.bin"))
    assert (straight.out / "adapter" / "adapter_model.safetensors").exists() == lora


@needs_training
def test_two_processes_train_one_judge(place: Path) -> None:
    settings = _settings(place, eval_limit=5, batch=1)
    words = setting.launch(settings, 1)
    start = words.index("--module")
    launch = [sys.executable, "-m", "accelerate.commands.launch", "--cpu", "--num_processes", "2"]
    done = subprocess.run(
        [*launch, "--num_machines", "1", "--mixed_precision", "no", "--dynamo_backend", "no",
         "--num_cpu_threads_per_process", "1", *words[start:]],
        env=_quiet(), capture_output=True, encoding="utf-8", timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = (settings.out / accuracy.FILE).read_text("utf-8").splitlines()
    assert [json.loads(line)["asked"] for line in lines] == [5, 5]
    assert done.stdout.count("epoch 2:") == 1
    assert (settings.out / "model.safetensors").is_file()
    # Two rows a step over both processes, six rows, two epochs.
    state = settings.checkpoints / "checkpoint-6" / "trainer_state.json"
    assert json.loads(state.read_text("utf-8"))["global_step"] == 6


def _quiet() -> dict[str, str]:
    """An environment in which nothing reaches for the network."""
    return {**os.environ, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    """The model in a folder behind `transformers serve`; yields the base URL."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(sys.executable).with_name("transformers")
    # By a relative name, in its parent folder: clients have to ask for the very same one.
    process = subprocess.Popen(
        [str(program), "serve", folder.name, "--host", "127.0.0.1", "--port", str(port),
         "--device", "cpu"],
        cwd=folder.parent, env=_quiet(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        while True:
            assert process.poll() is None and time.monotonic() < deadline
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


OPTIONS = {"lang": "en", "pipeline": "real-temporal", "length": "8k-16k", "needles": "3-5"}
SAMPLES = 8


def _answers_of_the_lexical_reader() -> list[Fields]:
    """Samples of the benchmark with the answers it gives, and what the rule judge says of them."""
    bench = SequentialNiah(read_options("test", **OPTIONS))  # type: ignore[arg-type]
    bench.prepare()
    found: list[Fields] = []
    for planned in bench.plan[:SAMPLES]:
        item = bench.qa(planned)
        prompt = rendering.prompt_bytes(bench.recipe(planned), bench.corpus).decode()
        response = lexical(prompt)
        verdict = judge(item, response)
        case = Case(item.lang, "temporal", item.question, item.reference, response)
        found.append(_fields(case, bool(verdict.correct), f"Case {len(found)}.", len(found)))
    return found


@needs_training
def test_a_trained_judge_judges_a_run_over_http(tmp_path: Path) -> None:
    """The whole way: data, training killed and resumed, a server, `-T scorer=judge`."""
    found = _answers_of_the_lexical_reader()
    labels = [fields["label"] for fields in found]
    assert {"correct", "incorrect"} == set(labels)
    data = _write(tmp_path / "data", found, times=8)
    rehearsal.write_model(tmp_path / "base", rows.read(data, "test"), terse=True)
    settings = _settings(tmp_path, epochs=16, batch=4, eval_limit=SAMPLES)
    words = setting.launch(settings, 1)
    words = [sys.executable, "-m", *words[words.index("--module") + 1 :]]

    first = subprocess.Popen(words, env=_quiet(), stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 240
    while setting.last_checkpoint(settings.checkpoints) is None:
        assert first.poll() is None and time.monotonic() < deadline
        time.sleep(0.1)
    first.kill()
    first.wait()
    done = subprocess.run(
        [*words, "--resume"], env=_quiet(), capture_output=True, encoding="utf-8", timeout=400
    )
    assert done.returncode == 0, done.stderr
    assert "going on from" in done.stdout
    last = json.loads((settings.out / accuracy.FILE).read_text("utf-8").splitlines()[-1])
    assert (last["epoch"], last["accuracy"], last["unreadable"]) == (16, 1.0, 0), done.stdout

    options = [word for name, value in OPTIONS.items() for word in ("-T", f"{name}={value}")]
    with _served(settings.out) as url:
        done = subprocess.run(
            [str(Path(sys.executable).with_name("inspect")), "eval", "seqniah/test",
             "--model", "seqniah/lexical", "--limit", str(SAMPLES), *options,
             "-T", "scorer=judge", "--model-role", "grader=openai-api/judge/judge",
             "--log-dir", str(tmp_path / "logs"), "--log-format", "json", "--display", "plain"],
            env={**_quiet(), "JUDGE_BASE_URL": url, "JUDGE_API_KEY": "none",
                 "INSPECT_CACHE_DIR": str(tmp_path / "cache")},
            cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (log,) = (tmp_path / "logs").glob("*.json")
    samples = json.loads(log.read_text("utf-8"))["samples"]
    wanted = {f["response"]: "C" if f["label"] == "correct" else "I" for f in found}
    given = {
        sample["output"]["choices"][0]["message"]["content"]: sample["scores"]["judge"]["value"]
        for sample in samples
    }
    assert given == wanted
