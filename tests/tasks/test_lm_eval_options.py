"""The tasks that lm-eval finds, and what --metadata makes of them."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import command_line
import lm_eval_yaml
import pytest
import yaml
from lm_eval.api.registry import model_registry, register_model
from lm_eval.tasks import TaskManager
from lm_eval_parts import FOLDER, SHORT, TASK, Json, Listener, Samples, run, samples

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.lm_eval import tasks
from seqniah_tasks.adapters.lm_eval.judge import tell_once
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.benchmarks.sequential_niah.bench import (
    VERSION,
    SequentialNiah,
)
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start, closed_book
from seqniah_tasks.serve import running

PIPELINES = ("synthetic_temporal", "real_temporal", "real_logical")
SUBTASKS = [f"seqniah_{pipeline}_{lang}" for lang in ("en", "zh") for pipeline in PIPELINES]
GROUPS = ("seqniah", "seqniah_dev", *(f"seqniah_{pipeline}" for pipeline in PIPELINES))
DEV, HARD = (
    [name.replace("seqniah_", f"seqniah_{part}_") for name in SUBTASKS] for part in ("dev", "hard")
)


def loaded(tasks: str, metadata: Json | None = None) -> dict[str, Any]:
    """Tasks by name, made without a run."""
    manager = TaskManager(include_path=FOLDER, include_defaults=False, metadata=metadata)
    found: dict[str, Any] = manager.load(tasks.split(","))["tasks"]
    return found


def grouped(name: str) -> dict[str, Any]:
    """Tasks and groups of a group, by name; the harness loads none at once that overlap."""
    manager = TaskManager(include_path=FOLDER, include_defaults=False, metadata=SHORT)
    found: dict[str, Any] = dict(manager.load([name]))
    return found


def ids(task: Any) -> list[str]:
    return list(task.eval_docs["id"])


# What the harness finds.


@pytest.fixture(scope="module")
def manager() -> TaskManager:
    """All tasks of the harness as it is installed, ours among them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lm_eval.tasks._index.TaskIndex._iter_yaml_files", lm_eval_yaml.found)
        return TaskManager()


def test_the_harness_finds_the_group_and_not_the_tag_of_its_name(manager: TaskManager) -> None:
    for found in (manager, TaskManager(include_path=FOLDER, include_defaults=False)):
        ours = {name for name in found.all_tasks if name.startswith("seqniah")}
        assert "seqniah" in found.all_groups and "seqniah" not in found.all_tags
        whole = {"seqniah_noise", "seqniah_released"}
        assert {*SUBTASKS, *DEV, *HARD, *whole} == ours & set(found.all_subtasks)
        assert ours & set(found.all_groups) == {
            *("seqniah", "seqniah_en", "seqniah_zh", "seqniah_dev", "seqniah_hard"),
            *(f"seqniah_{pipeline}" for pipeline in PIPELINES),
        }


def test_subtasks_are_among_the_tasks_of_long_context(manager: TaskManager) -> None:
    tagged = manager.task_index["longcxt"].tags
    assert {name for name in tagged if name.startswith("seqniah")} == set(SUBTASKS)
    assert tagged - set(SUBTASKS)  # those of others are kept


def test_every_file_bears_the_benchmarks_version() -> None:
    files = [*FOLDER.glob("*.yaml"), *FOLDER.glob("*_yaml")]
    assert len(files) > 20
    known = benchmarks.known().values()
    others = {one.name.replace("-", "_"): one.version for one in known if not one.unnamed}
    for path in files:
        # The harness's own tag for a Python name, of no matter here.
        text = path.read_text("utf-8").replace("!function", "")
        metadata = (yaml.safe_load(text) or {}).get("metadata")
        version = next((of for name, of in others.items() if name in path.name), VERSION)
        assert metadata in (None, {"version": version}), path.name
    for group in GROUPS:
        found = grouped(group)
        assert {task.VERSION for task in found["tasks"].values()} == {VERSION}
        # As text: the harness makes that of a group's.
        assert {str(one.version) for one in found["groups"].values()} == {str(VERSION)}


def test_the_files_are_those_that_the_benchmarks_declare() -> None:
    files = [path for path in FOLDER.iterdir() if path.name.endswith("yaml")]
    assert {path.name: path.read_text("utf-8") for path in files} == tasks.texts()
    assert tasks.folder() == tasks.TASKS == FOLDER


def test_the_files_of_an_added_benchmark_stand_in_a_folder_that_has_all(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SEQNIAH_CACHE", str(tmp_path))
    known = benchmarks.known()
    # As it declares nothing of lm-eval, its tasks go by their own names.
    added = replace(known["counting-stars"], name="added", title='"Added": a, b', lm_eval=None)
    monkeypatch.setattr(benchmarks, "known", lambda: {**known, "added": added})
    folder = tasks.folder()
    assert folder.is_relative_to(tmp_path)
    assert {path.name for path in FOLDER.glob("*yaml")} < {path.name for path in folder.iterdir()}
    shared = (folder / "_added_yaml").read_text("utf-8").replace("!function", "")
    assert [one["metric"] for one in yaml.safe_load(shared)["metric_list"]] == ["score", "unscored"]
    task = yaml.safe_load((folder / "counting_stars.yaml").read_text("utf-8"))
    assert (task["include"], task["task_alias"]) == ("_added_yaml", added.title)
    assert tasks.folder() == folder


def test_groups_hold_the_tasks_that_their_names_say() -> None:
    members = {
        name: {task.task_name for task in group.get_all_tasks()}
        for top in GROUPS
        for name, group in grouped(top)["groups"].items()
    }
    assert members["seqniah"] == set(SUBTASKS)
    assert members["seqniah_dev"] == set(DEV)
    for lang in ("en", "zh"):
        assert members[f"seqniah_{lang}"] == {one for one in SUBTASKS if one.endswith(lang)}
    for pipeline in PIPELINES:
        assert members[f"seqniah_{pipeline}"] == {one for one in SUBTASKS if pipeline in one}


@pytest.mark.parametrize(("group", "split"), [("seqniah", "test"), ("seqniah_dev", "dev")])
def test_the_subtasks_are_the_whole_split_without_overlap(group: str, split: str) -> None:
    tasks = loaded(group)
    parts = [ids(task) for task in tasks.values()]
    assert len(parts) == 6
    whole = [one.id for one in SequentialNiah(read_options(split)).plan]
    assert len(whole) == 2_000
    assert sorted(one for part in parts for one in part) == sorted(whole)
    place = {one: number for number, one in enumerate(whole)}
    for part in parts:  # any first part is a fair miniature
        assert [place[one] for one in part] == sorted(place[one] for one in part)
    for name, task in tasks.items():
        assert set(task.eval_docs["split"]) == {split}
        (pipeline,), (lang,) = set(task.eval_docs["pipeline"]), set(task.eval_docs["lang"])
        assert name.endswith(f"_{pipeline.replace('-', '_')}_{lang}")


def test_documents_hold_no_prompt() -> None:
    for name, task in loaded("seqniah").items():
        for doc in task.eval_docs:
            assert len(json.dumps(doc)) < 10_000
        doc = task.eval_docs[0]
        prompt = task.doc_to_text(doc)
        assert len(prompt.encode()) > 20_000
        assert prompt[:200] not in json.dumps(doc, ensure_ascii=False), name
        assert doc["question"] in prompt
        assert all(type(value) is not str or len(value) < 5_000 for value in doc.values())


def test_the_facts_of_the_samples_stand_in_the_configuration_of_a_run() -> None:
    found = run(Listener(), {**SHORT, "seed": 3}, limit=1)
    told = found["configs"][TASK]["metadata"]
    bench = SequentialNiah(read_options(seed=3))
    for name in ("version", "edition", "digest", "corpus_digest", "tokenizer", "seed", "order"):
        assert told[name] == bench.facts()[name]
    assert told["length"] == "8k-16k"
    json.dumps(told)


# Options.


@pytest.mark.parametrize(
    "options",
    [
        {"length": "8k-16k"},
        {"length": ["8k-16k", "64k-128k"]},
        {"length": "8k-16k,16k-32k"},
        {"needles": 5},
        {"needles": "3-5,>10"},
        {"needles": [3, "14-15"]},
        {"lang": "en", "pipeline": "real-logical"},
        {"limit_per_stratum": 2},
        {"limit_per_stratum": "2"},
        {"seed": 7},
        {"order": "sorted"},
        {"tokenizer": "qwen", **SHORT},
        {"edition": "open"},
        {"length": "128k-256k", "limit_per_stratum": 1},
        {"shortfall": "smaller", "seed": "5", "needles": "6-10", "limit_per_stratum": 3},
    ],
    ids=str,
)
def test_metadata_means_what_it_means_everywhere(options: Json) -> None:
    task = loaded(TASK, options)[TASK]
    known = Samples(**options)
    assert ids(task) == known.ids != []
    assert task.doc_to_text(task.eval_docs[0]) == known.prompt(0)


def test_what_rebuilds_the_samples_changes_ids_and_what_filters_does_not() -> None:
    plain = ids(loaded(TASK)[TASK])
    for rebuilt in ({"seed": 1}, {"order": "sorted"}, {"tokenizer": "o200k_base"}):
        assert not set(plain) & set(ids(loaded(TASK, rebuilt)[TASK]))
    part = ids(loaded(TASK, {"length": "16k-32k", "needles": "6-10"})[TASK])
    assert part == [one for one in plain if one in set(part)]


def test_a_corpus_of_ones_own(texts: Path) -> None:
    options = {"corpus": str(texts), **SHORT}
    task = loaded(TASK, options)[TASK]
    known = Samples(**options)
    assert ids(task) == known.ids
    prompt = task.doc_to_text(task.eval_docs[0])
    assert prompt == known.prompt(0)
    text = (texts / "en.txt").read_text("utf-8")
    assert any(line in text for line in prompt.split("\n") if len(line) > 80)


def test_questions_of_ones_own(texts: Path, tmp_path: Path) -> None:
    rows = []
    for number in range(60):
        maker = f"guild {number}"
        steps = [f"{verb} the boards of {maker}" for verb in ("Saw", "Plane", "Oil", "Stack")]
        rows.append(
            {
                "question": f"How are the boards of {maker} made? List the steps in order.",
                "answer": "\n".join(["The steps:", *(f"- {step}" for step in steps)]),
                "needles": [f"{step}, the joiner says." for step in steps],
            }
        )
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = {
        **{"edition": "paper", "qa": str(path), "corpus": str(texts)},
        **{"shortfall": "smaller", "pipeline": "real-logical", **SHORT},
    }
    task = loaded(TASK, options)[TASK]
    known = Samples(**options)
    assert ids(task) == known.ids != []
    assert {doc["edition"] for doc in task.eval_docs} == {"paper"}
    assert {doc["question"] for doc in task.eval_docs} <= {row["question"] for row in rows}


@pytest.mark.parametrize("closed", [True, "true", 1])
def test_questions_can_be_asked_without_their_text(closed: Any) -> None:
    model = Listener()
    found = run(model, {**SHORT, "closed_book": closed})
    known = Samples(closed_book=True, **SHORT)
    assert [row["doc"]["id"] for row in samples(found)] == known.ids[:2]
    for prompt, planned in zip(model.prompts, known.plan, strict=False):
        assert prompt == closed_book(planned.lang, known.bench.item(planned).question)
        assert len(prompt) < 1_000


def test_what_the_model_is_told_changes_no_samples(caplog: pytest.LogCaptureFixture) -> None:
    known = Samples(**SHORT)
    with running() as url, caplog.at_level(logging.WARNING, "seqniah"):
        args = {"model": "lexical", "base_url": f"{url}/chat/completions", "seed": 4_711}
        rows = samples(run("local-chat-completions", model_args=args))
        more = {**args, "tokenizer": "no-such-tokenizer", "seed": 4_712, "length": "no length"}
        again = ids_under_a_run(more)
    assert [row["doc"]["id"] for row in rows] == known.ids[:2] == again
    for told in ("seed=4711", "seed=4712", "tokenizer=no-such-tokenizer"):
        assert any(f"{told} of --model_args is the model's" in text for text in caplog.messages)


def ids_under_a_run(model_args: Json) -> list[str]:
    """The ids of a run whose model takes any argument."""
    if "seqniah-patient" not in model_registry:
        register_model("seqniah-patient")(Patient)
    return [row["doc"]["id"] for row in samples(run("seqniah-patient", model_args=model_args))]


class Patient(Listener):
    """A listener that takes any argument and heeds none."""

    def __init__(self, **given: Any) -> None:
        super().__init__()


def test_metadata_counts_where_it_differs_from_what_the_model_is_told() -> None:
    with running() as url:
        args = {"model": "lexical", "base_url": f"{url}/chat/completions", "seed": 1_234}
        found = run("local-chat-completions", {**SHORT, "seed": 5}, model_args=args)
    assert [row["doc"]["id"] for row in samples(found)] == Samples(seed=5, **SHORT).ids[:2]


# Mistakes.


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("lenght", "length"),
        ("needle", "needles"),
        ("limit_per_strata", "limit_per_stratum"),
        ("closedbook", "closed_book"),
        ("on_overfow", "on_overflow"),
        ("max_unscore", "max_unscored"),
        ("judge_modell", "judge_model"),
        ("judge_base_urls", "judge_base_url"),
        ("pipelines", "pipeline"),
    ],
)
def test_a_name_that_is_nearly_one_of_ours_is_refused(name: str, meant: str) -> None:
    with pytest.raises(Refusal) as caught:
        loaded(TASK, {name: "x"})
    assert f"{name!r}" in str(caught.value) and f"did you mean {meant!r}" in str(caught.value)


def test_names_of_other_tasks_are_none_of_ours() -> None:
    others = {"max_seq_lengths": [4096, 8192], "pretrained": "gpt2", "subset": "x", "version": 2}
    assert ids(loaded(TASK, others)[TASK]) == Samples().ids


def test_names_that_nobody_knows_are_named_once(caplog: pytest.LogCaptureFixture) -> None:
    tell_once.cache_clear()
    with caplog.at_level(logging.WARNING, "seqniah"):
        for _ in range(2):
            loaded(TASK, {"temperatur": 1, "version": 2})
    assert [text for text in caplog.messages if "changes nothing" in text] == [
        "seqniah: --metadata has 'temperatur', which changes nothing in seqniah's tasks"
    ]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"length": "4k-8k"}, "known: 8k-16k"),
        ({"lang": "fr"}, "en, zh"),
        ({"seed": -1}, "seed is a whole number"),
        ({"needles": 2}, "from 3 to 15"),
        ({"tokenizer": "no-such-tokenizer"}, "no-such-tokenizer"),
        ({"corpus": "/no/such/folder"}, "/no/such/folder"),
        ({"on_overflow": "cut"}, "refuse, skip"),
        ({"context": "wide"}, "context is a whole number"),
        ({"scorer": "grader"}, "auto, rules, judge, cascade"),
        ({"scorer": "cascade"}, "SEQNIAH_JUDGE_MODEL"),
        ({"judge_base_url": "http://127.0.0.1:9/v1"}, "but not its model"),
        ({"judge_prompt": "mine.txt"}, "judge_prompt is for a model"),
        ({"max_unscored": 5}, "share from 0 to 1"),
        ({"max_unscored": "half"}, "share from 0 to 1"),
        ({"scorer": "rules", "judge_connections": 0}, "whole number from 1"),
        ({"tkg": "events.tsv"}, "edition=paper"),
        ({"edition": "paper"}, ""),
    ],
    ids=str,
)
def test_a_value_that_is_none_is_refused_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, options: Json, words: str
) -> None:
    for name in ("SEQNIAH_JUDGE_MODEL", "SEQNIAH_JUDGE_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(Refusal) as caught:
        task = loaded(TASK, options)[TASK]
        task.doc_to_text(task.eval_docs[0])
    said = str(caught.value)
    assert said.startswith("seqniah: ") and "\n" not in said
    assert words in said


def test_filters_that_leave_a_task_empty_are_refused_with_what_they_leave() -> None:
    with pytest.raises(Refusal) as caught:
        loaded("seqniah", {"lang": "zh", "pipeline": "real-logical,real-temporal"})
    said = str(caught.value)
    assert "seqniah_synthetic_temporal_en" in said
    assert "real-logical zh, real-temporal zh" in said
    with pytest.raises(Refusal, match="leave nothing"):
        loaded(TASK, {"pipeline": "real-temporal", "needles": 15})


def test_a_refusal_is_an_error_that_programs_can_catch() -> None:
    try:
        loaded(TASK, {"lang": "fr"})
    except Exception as error:
        assert isinstance(error, SeqniahError)
        assert isinstance(error, SystemExit)  # so that the command ends with it
        assert str(error).startswith("seqniah: Unknown lang 'fr'")
    else:
        pytest.fail("nothing was raised")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    """The harness's command, in a process of its own."""
    return command_line.run(
        [str(Path(sys.executable).with_name("lm_eval")), "run", *words],
        env={**os.environ, "HF_HUB_OFFLINE": "1"},
    )


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as base:
        yield base


def test_the_command_ends_with_the_sentence_and_without_a_traceback(url: str) -> None:
    model = ["--model", "local-chat-completions", "--apply_chat_template", "--model_args"]
    model.append(f"model=lexical,base_url={url}/chat/completions")
    done = command(*model, "--tasks", TASK, "--limit", "1", "--metadata", '{"lengths": "8k"}')
    assert done.returncode == 1
    assert "Traceback" not in done.stderr + done.stdout
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("seqniah: ") and "did you mean 'length'?" in last


def test_answer_starts_are_the_only_words_beside_the_prompt() -> None:
    for lang in ("en", "zh"):
        task = loaded(f"seqniah_real_temporal_{lang}", SHORT)[f"seqniah_real_temporal_{lang}"]
        doc = task.eval_docs[0]
        context = task.fewshot_context(doc, num_fewshot=0, gen_prefix=task.doc_to_prefix(doc))
        assert context == task.doc_to_text(doc) + answer_start(doc["lang"])
