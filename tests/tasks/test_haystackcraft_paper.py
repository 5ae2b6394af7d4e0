"""HaystackCraft's paper edition: published contexts as they are, builds read back, decoding."""

from __future__ import annotations

import json
import shutil
from contextvars import copy_context
from itertools import count
from pathlib import Path
from typing import Any

import in_process
import pytest
from inspect_ai import eval as run_eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.model._model import init_active_model

import seqniah
from seqniah_datasets.articles import contexts
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval import tasks as lm_tasks
from seqniah_tasks.benchmarks.haystackcraft import BENCHMARK
from seqniah_tasks.benchmarks.haystackcraft.decoding import official
from seqniah_tasks.benchmarks.protocol import Decoding

PUBLISHED = Path(__file__).parent.parent / "data" / "haystackcraft"
PAPER = {"edition": "paper", "data": str(PUBLISHED)}
ROWS = {
    row["id"]: row
    for line in (PUBLISHED / "data/bm25_ppr/seed_10_alpha_0.5/8000.jsonl").open(encoding="utf-8")
    for row in [json.loads(line)]
}
TWO_HOPS, THREE_HOPS, ONE_HOP = "2hop__101_102", "3hop__101_102_103", "nq-7"


def loaded(task: str = "haystackcraft", **given: Any) -> Any:
    return seqniah.load(task, **{**PAPER, "length": "8k", **given})


def _of(samples: Any, asked: str, permutation: int = 0) -> Any:
    return next(
        one
        for one in samples
        if (one.planned.asked.id, one.planned.permutation) == (asked, permutation)
    )


# As they are


def test_prompts_hold_the_documents_as_they_are_in_the_order_asked_for() -> None:
    samples = loaded(order="ranked,permuted")
    assert len(samples) == 3 * 4
    orders = ["descending_order", "permutation_1", "permutation_2", "permutation_3"]
    for asked, row in ROWS.items():
        for permutation, order in enumerate(orders):
            sample = _of(samples, asked, permutation)
            texts = [row["docs_added"][id] for id in row[order]]
            assert "<text>\n" + "\n\n".join(texts) + "\n\n</text>" in sample.prompt
            assert sample.tokens == sample.bench.tokenizer.count(sample.prompt)
            depths = [sample.prompt.index(row["docs_added"][g]) for g in _golds(sample)]
            assert sample.shown.depths == pytest.approx(
                [depth / len(sample.prompt) for depth in depths], abs=1e-4
            )


def _golds(sample: Any) -> list[str]:
    return {TWO_HOPS: ["101", "102"], THREE_HOPS: ["101", "102", "103"], ONE_HOP: ["102"]}[
        sample.planned.asked.id
    ]


def test_the_official_prompt_numbers_the_documents_as_the_released_code_does() -> None:
    for sample in loaded(profile="official"):
        row = ROWS[sample.planned.asked.id]
        texts = [row["docs_added"][id] for id in row["descending_order"]]
        told = "\n\n".join(f"Article {n}\n: {text}" for n, text in enumerate(texts, 1))
        assert f"<text>\n{told}\n" in sample.prompt


def test_facts_follow_from_questions_and_contexts() -> None:
    samples = loaded()
    assert [one.planned.asked.hops for one in samples] == [2, 3, 1]
    two, three = _of(samples, TWO_HOPS), _of(samples, THREE_HOPS)
    assert (two.question, two.reference) == (
        "At the mouth of which river lies the town whose museum has Tessa Varn's logbook?",
        "Teel",
    )
    assert two.item.facts["aliases"] == ["the Teel", "River Teel"]
    assert two.item.facts["gold_titles"] == ["Tessa Varn", "Ormsby"]
    # Of its five documents the first gold is second, and the other stands behind all of them.
    assert two.item.facts["gold_ranks"] == [2, None]
    assert (two.item.facts["overfull"], three.item.facts["overfull"]) == (False, True)
    facts = samples.bench.facts()
    assert (facts["edition"], facts["corpus"], facts["setup"]) == (
        "paper",
        "paper",
        "published data",
    )


def test_length_0_is_of_the_golds_alone() -> None:
    for sample in loaded(length="0"):
        texts = [ROWS[sample.planned.asked.id]["docs_added"][gold] for gold in _golds(sample)]
        assert all(text in sample.prompt for text in texts)
        assert sample.prompt.count("Article Title: ") == len(texts)


def test_questions_and_strategies_are_chosen_as_elsewhere() -> None:
    assert {one.planned.asked.id for one in loaded(hops="2,3")} == {TWO_HOPS, THREE_HOPS}
    assert len(loaded(questions=1, length="8k,16k")) == 2
    both = loaded(strategy="bm25+ppr,hybrid+ppr")
    other = [one for one in both if one.planned.strategy == "hybrid+ppr"]
    found = {one.planned.asked.id: one.prompt.count("Article Title: ") for one in other}
    assert found == {TWO_HOPS: 3, THREE_HOPS: 4, ONE_HOP: 2}


def test_ids_follow_from_the_bytes_and_not_from_the_place(tmp_path: Path) -> None:
    def ids(**given: Any) -> set[str]:
        return {one.id for one in loaded(**given).bench.plan}

    copy = tmp_path / "elsewhere"
    shutil.copytree(PUBLISHED, copy)
    usual = ids(length="8k,16k")
    assert ids() < usual
    assert ids(data=str(copy / "data")) < usual
    for other in ({"profile": "official"}, {"tokenizer": "cl100k_base"}):
        assert not ids(**other) & usual, other
    changed = copy / "data/bm25_ppr/seed_10_alpha_0.5/8000.jsonl"
    changed.write_text(changed.read_text("utf-8").replace("chalk", "lime"), "utf-8")
    changed.write_text(changed.read_text("utf-8").replace("forty", "fifty"), "utf-8")
    again = ids(data=str(copy), length="8k,16k")
    assert {one for one in again if "-16k-" in one} == {one for one in usual if "-16k-" in one}
    assert not {one for one in again if "-8k-" in one} & usual


def test_tokens_are_counted_once_a_file_and_then_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEQNIAH_CACHE", str(tmp_path / "cache"))
    copies = (tmp_path / f"copy {number}" for number in count(1))

    def bench(change: str = "", **given: Any) -> Any:
        """Over a copy of its own, for one that was opened is opened no second time."""
        copy = next(copies)
        shutil.copytree(PUBLISHED, copy)
        file = copy / "data/bm25_ppr/seed_10_alpha_0.5/8000.jsonl"
        file.write_text(file.read_text("utf-8").replace(". ", f". {change}"), "utf-8")
        return loaded(data=str(copy), length="0,8k", **given).bench

    def counted(**given: Any) -> list[int]:
        opened = bench(**given)
        return list(map(opened.tokens, opened.plan))

    def exact(**given: Any) -> list[int]:
        opened = bench(**given)
        return [opened.prompt(planned).tokens for planned in opened.plan]

    def unread(*given: object) -> Any:
        raise AssertionError("counted again")

    settings: list[dict[str, Any]] = [
        {"profile": "official"},
        {"tokenizer": "cl100k_base"},
        {"questions": 1},
        {"change": "Now then, "},
        {},
    ]
    found = [counted(**setting) for setting in settings]
    assert found == [exact(**setting) for setting in settings]
    assert found[-1] != found[-2]
    with monkeypatch.context() as patch:
        patch.setattr(contexts.Contexts, "of", unread)
        assert [counted(**setting) for setting in settings] == found
        assert len(counted(order="permuted")) == 3 * len(found[-1])
    for file in (tmp_path / "cache" / "haystackcraft").iterdir():
        file.write_text(file.read_text("utf-8").replace("1", "2"), "utf-8")
    assert counted() == found[-1]
    (tmp_path / "no folder").touch()
    monkeypatch.setenv("SEQNIAH_CACHE", str(tmp_path / "no folder"))
    assert counted() == found[-1]


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("haystackcraft", {"corpus": "folder"}, "corpus= would lay others"),
    ("haystackcraft", {"run": "a.trec"}, "run= would lay others"),
    ("haystackcraft", {"gold": "retrieved"}, "gold= would lay others"),
    ("haystackcraft", {"seed": 1}, "seed= would lay others"),
    ("haystackcraft_dynamic", {"corpus": "folder"}, "corpus= would lay others"),
    ("haystackcraft", {"edition": "open"}, "add edition=paper"),
    ("haystackcraft", {"data": None}, "edition=paper needs data="),
    ("haystackcraft", {"length": "10k"}, "no contexts of 10,000 tokens by bm25+ppr"),
    ("haystackcraft", {"length": "32k"}, "32000.jsonl is not there; fetch it with hf download"),
    ("haystackcraft", {"strategy": "dense"}, "qwen3_0.6/8000.jsonl is not there; fetch it"),
]


@pytest.mark.parametrize(("task", "given", "told"), REFUSED)
def test_what_cannot_be_is_refused_in_one_sentence(
    task: str, given: dict[str, Any], told: str
) -> None:
    wanted = {name: value for name, value in {**PAPER, **given}.items() if value is not None}
    with pytest.raises(SeqniahError) as raised:
        seqniah.load(task, **{"length": "8k", **wanted})
    assert told in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_question_without_its_context_is_refused_beforehand(tmp_path: Path) -> None:
    shutil.copytree(PUBLISHED, tmp_path, dirs_exist_ok=True)
    path = tmp_path / "data/bm25_ppr/seed_10_alpha_0.5/16000.jsonl"
    path.write_text("".join(path.read_text("utf-8").splitlines(keepends=True)[:2]), "utf-8")
    assert len(loaded(data=str(tmp_path), length="16k", hops="1,2")) == 2
    with pytest.raises(SeqniahError, match=r"16000\.jsonl has no context of the question '3hop"):
        loaded(data=str(tmp_path), length="16k")


def test_rounds_search_the_published_documents() -> None:
    (sample,) = loaded("haystackcraft_dynamic", length="60", rounds="2")
    assert sample.planned.asked.id == TWO_HOPS
    facts = sample.bench.facts()
    assert (facts["edition"], facts["setup"]) == ("paper", "published data, 2 rounds")
    assert sample.item.facts["gold_titles"] == ["Tessa Varn", "Ormsby"]
    assert sample.item.facts["gold_ranks"][0] == 1


# Builds


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents of one's own with links, and questions of one and of two hops."""
    path = tmp_path_factory.mktemp("own")
    names = [f"{a}{b}ton" for a in "BDKM" for b in ("ar", "el", "or")]
    docs, edges, asked = [], ["source_node,target_node"], []
    for n, name in enumerate(names):
        told = " ".join(names[n:] + names[:n]) * 8
        docs.append({"id": n, "title": name, "text": f"{name} lies on the Run{n}.\n{told} "})
        docs.append({"id": f"r,{n}", "title": f"Run{n}", "text": f"Run{n} ends in lake {n}."})
        edges.append(f'{n},"r,{n}"')
        golds = [n, f"r,{n}"][: 1 + n % 2]
        row = {"id": f"q{n}", "question": f"Where is {name}?", "answer": f"Run{n}"}
        asked.append({**row, "p2d_id": dict(enumerate(golds)), "answer_aliases": ["x"]})
    for file, rows in (("docs.jsonl", docs), ("questions.jsonl", asked)):
        (path / file).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    (path / "edge_list.csv").write_text("\n".join(edges) + "\n", "utf-8")
    return path


def _build(task: str, out: Path, **given: Any) -> None:
    words = [word for name, value in given.items() for word in ("-T", f"{name}={value}")]
    in_process.run("build", task, "--out", str(out), *words)


def _prompts(samples: Any) -> dict[Any, tuple[str, int]]:
    return {
        (one.planned.asked.id, *one.id.split("-")[2:-1]): (one.prompt, one.tokens)
        for one in samples
    }


@pytest.mark.parametrize("profile", ["strict", "official"])
def test_a_build_is_read_back_with_equal_prompts(
    folder: Path, tmp_path: Path, profile: str
) -> None:
    asked = {
        "strategy": "bm25,bm25+ppr",
        "order": "ranked,permuted",
        "length": "0,700,2k",
        "questions": "9",
        "profile": profile,
    }
    _build("haystackcraft", tmp_path / "out", corpus=folder, **{**asked, "order": "ranked"})
    direct = seqniah.load("haystackcraft", corpus=str(folder), **asked)
    again = seqniah.load("haystackcraft", edition="paper", data=str(tmp_path / "out"), **asked)
    assert len(direct) == 9 * 2 * 4 * 3
    assert _prompts(again) == _prompts(direct)
    assert again.bench.facts()["edition"] == f"folder {folder.name}"
    assert again.bench.setup().startswith(f"as built from folder {folder.name}")
    facts = [
        {one.planned.asked.id: one.item.facts["overfull"] for one in it} for it in (direct, again)
    ]
    assert facts[0] == facts[1]


def test_the_released_code_can_read_a_build(folder: Path, tmp_path: Path) -> None:
    _build("haystackcraft", tmp_path / "out", corpus=folder, length="700")
    data = tmp_path / "out" / "data"
    asked = [
        json.loads(line)
        for name in ("musique_400_250616.jsonl", "nq_filtered.jsonl")
        for line in (data / name).open(encoding="utf-8")
    ]
    assert {one["id"] for one in asked} == {f"q{n}" for n in range(12)}
    assert all(one["answer_aliases"] == ["x"] for one in asked)
    path = data / "bm25_ppr" / "seed_10_alpha_0.5" / "700.jsonl"
    contexts = {row["id"]: row for row in map(json.loads, path.open(encoding="utf-8"))}
    for one in asked:
        row = contexts[one["id"]]
        for order in ("descending_order", "permutation_1", "permutation_2", "permutation_3"):
            assert sorted(row[order]) == sorted(row["docs_added"])
        assert set(one["p2d_id"].values()) <= row["docs_added"].keys()
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))
    assert f"data/{path.relative_to(data)}" in manifest["files"]


def test_documents_are_built_for_rounds(folder: Path, tmp_path: Path) -> None:
    asked = {"length": "700", "rounds": "2", "questions": 4}
    _build("haystackcraft_dynamic", tmp_path / "out", corpus=folder, **asked)
    direct = seqniah.load("haystackcraft_dynamic", corpus=str(folder), **asked)
    again = seqniah.load(
        "haystackcraft_dynamic", edition="paper", data=str(tmp_path / "out"), **asked
    )
    assert _prompts(again) == _prompts(direct)


def test_a_build_that_lacks_something_is_no_copy_to_complete(folder: Path, tmp_path: Path) -> None:
    _build("haystackcraft", tmp_path / "out", corpus=folder, length="700", questions=1)
    with pytest.raises(SeqniahError, match="holds a build of other samples"):
        loaded(data=str(tmp_path / "out"), length="8k")


def test_piles_without_their_golds_have_no_published_layout(folder: Path, tmp_path: Path) -> None:
    _build("haystackcraft", tmp_path / "out", corpus=folder, length="700", gold="retrieved")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "manifest.json",
        "recipes.jsonl",
    ]


# Decoding

THINKING = Decoding(max_tokens=32_768, temperature=0.6, top_p=0.95, top_k=20)


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        ("vllm/meta-llama/Llama-3.1-8B-Instruct", Decoding(max_tokens=512)),
        ("openai-api/local/Qwen2.5-7B-Instruct-1M", Decoding(max_tokens=512)),
        ("hf/google/gemma-3-12b-it", Decoding(max_tokens=512)),
        ("vllm/openai/gpt-oss-20b", Decoding(max_tokens=512)),
        ("vllm/Qwen/Qwen3-8B", THINKING),
        ("ollama/qwen3:32b", THINKING),
        ("openai/o4-mini-2025-04-16", Decoding(max_tokens=16_382)),
        ("openai/gpt-4.1-mini-2025-04-14", Decoding(max_tokens=16_382)),
        ("openai/azure/gpt-5-mini", Decoding(max_tokens=16_382, reasoning_effort="medium")),
        ("google/gemini-2.5-pro", Decoding()),
        ("anthropic/claude-opus-4", Decoding()),
    ],
)
def test_models_decode_as_the_papers_did(model: str, wanted: Decoding) -> None:
    assert official(model) == wanted


def test_an_estimate_knows_the_papers_limit_and_lm_eval_refuses_it() -> None:
    words = [f"-T{name}={value}" for name, value in {**PAPER, "length": "8k"}.items()]
    model = ("--model", "openai/gpt-5", "--json")
    most = {
        own: json.loads(
            in_process.run("estimate", "haystackcraft", *words, f"-Tdecoding={own}", *model)
        )["most_output_tokens"]
        for own in ("own", "official")
    }
    assert most["official"] == 3 * 16_382 < most["own"]
    assert lm_tasks.siblings(BENCHMARK, "decoding", "own") == ["haystackcraft"]
    assert not lm_tasks.siblings(BENCHMARK, "decoding", "official")


def _model(name: str = "model", **given: Any) -> Model:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content(name, "The correct answer is (Teel).")
        output.usage = ModelUsage()
        return output

    return get_model(f"mockllm/{name}", custom_outputs=outputs, **given)


def _run(tmp_path: Path, model: Model | None = None, **given: Any) -> EvalLog:
    asked = {**PAPER, "length": "8k", "questions": 1, **given.pop("task_args", {})}
    (log,) = run_eval(
        "seqniah/haystackcraft",
        model=model or _model(),
        task_args=asked,
        log_dir=str(tmp_path),
        display="none",
        **given,
    )
    assert log.status == "success", log.error
    return log


def _sent(log: EvalLog) -> GenerateConfig:
    (call,) = [one for one in (log.samples or [])[0].events if isinstance(one, ModelEvent)]
    return call.config


OFFICIAL = {"task_args": {"decoding": "official"}}


@pytest.mark.parametrize(
    ("given", "max_tokens", "temperature"),
    [
        ({}, 16_384, None),
        (OFFICIAL, 512, None),
        ({**OFFICIAL, "temperature": 0.3}, 512, 0.3),
        ({**OFFICIAL, "max_tokens": 1_000}, 1_000, None),
    ],
)
def test_the_papers_values_are_sent_and_logged_unless_the_user_has_others(
    tmp_path: Path, given: dict[str, Any], max_tokens: int, temperature: float | None
) -> None:
    log = _run(tmp_path, **given)
    sent = _sent(log)
    assert (sent.max_tokens, sent.temperature) == (max_tokens, temperature)
    if "task_args" in given:
        assert log.plan.config.max_tokens == max_tokens
        assert (log.eval.metadata or {})["setup"] == "published data, decoding official"


def test_what_a_model_was_made_with_stands_before_the_papers_values(tmp_path: Path) -> None:
    own = GenerateConfig(temperature=1.0, top_p=0.5)
    sent = _sent(_run(tmp_path, _model("qwen3-8b", config=own), **OFFICIAL))
    assert (sent.temperature, sent.top_p, sent.top_k) == (1.0, 0.5, 20)
    assert sent.max_tokens == 32_768


def test_a_task_made_outside_a_run_learns_its_model_later(tmp_path: Path) -> None:
    def sent() -> GenerateConfig:
        # What an earlier run may have left behind says nothing of the next one.
        init_active_model(_model("other"), GenerateConfig())
        task = seqniah.haystackcraft(**PAPER, length="8k", questions=1, decoding="official")
        (log,) = run_eval(task, model=_model("qwen3-8b"), log_dir=str(tmp_path), display="none")
        return _sent(log)

    found = copy_context().run(sent)
    assert (found.max_tokens, found.temperature, found.top_k) == (32_768, 0.6, 20)
