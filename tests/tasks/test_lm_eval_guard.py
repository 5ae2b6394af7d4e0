"""Prompts in lm-eval reach the model whole or not at all: windows, answers, stops, caches."""

from __future__ import annotations

import json
import logging
import re
from collections import Counter as Count
from collections.abc import Callable
from hashlib import sha1
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from http_parts import chat_reply, served
from lm_eval.caching import cache as request_cache
from lm_eval_parts import (
    SHORT,
    TASK,
    Bytes,
    Json,
    Listener,
    Samples,
    Windowed,
    digest,
    metric,
    nothing,
    run,
    samples,
)
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from seqniah_datasets import tokens
from seqniah_tasks.adapters.lm_eval.solve import Refusal
from seqniah_tasks.benchmarks.sequential_niah.prompts import answer_start
from seqniah_tasks.budget import LEAST_ANSWER, OVERHEAD
from seqniah_tasks.serve import Counter, Faults, running
from seqniah_tasks.served import served_window

WISHED = 4_096
"""Tokens of answer that the tasks ask for."""

LONGER = {"length": "8k-16k,16k-32k"}


@pytest.fixture(autouse=True)
def apart() -> None:
    """The servers of one test are unknown to the others."""
    served_window.cache_clear()


@pytest.fixture(scope="module")
def first() -> Samples:
    return Samples(**SHORT)


class Served(Listener):
    """A listener whose window has the name that servers of models give it."""

    def __init__(self, max_model_len: int) -> None:
        super().__init__()
        self.max_length = max_model_len


class Both(Listener):
    """A listener that takes both names, as that of vLLM does."""

    def __init__(self, max_length: int | None = None, max_model_len: int | None = None) -> None:
        super().__init__()
        self.max_length = max_length or max_model_len


def refused(model: Any, *args: Any, **given: Any) -> str:
    """The sentence with which a run is refused, before the model was asked."""
    with pytest.raises(Refusal) as caught:
        run(model, *args, **given)
    said = str(caught.value)
    assert "\n" not in said
    if isinstance(model, Listener):
        assert model.prompts == []
    return said


# A window that is too small.


def _border(lengths: list[tuple[str, int]], bin_name: str) -> int:
    """A window amid the widest gap of a bin's prompts, which a small error does not cross."""
    inside = sorted(tokens for name, tokens in lengths if name == bin_name)
    low, high = max(pairwise(inside), key=lambda pair: pair[1] - pair[0])
    return (low + high) // 2 + OVERHEAD + LEAST_ANSWER


def test_a_window_that_is_too_small_is_refused_with_the_sample_the_counts_and_the_ways_out() -> (
    None
):
    known = Samples(**LONGER)
    lengths = [(one.slot.length.name, known.bench.recipe(one).tokens) for one in known.plan]
    window = _border(lengths, "16k-32k")
    over = [taken + OVERHEAD + LEAST_ANSWER > window for _, taken in lengths]
    said = refused(Windowed(window), LONGER, limit=None)
    met = over.index(True)
    assert known.ids[met] in said and f"{lengths[met][1]:,} tokens" in said
    assert f"{window:,} of Windowed" in said
    total = Count(name for name, _ in lengths)
    cut = Count(name for (name, _), too in zip(lengths, over, strict=True) if too)
    assert 0 < cut["16k-32k"] < total["16k-32k"]
    for name in ("8k-16k", "16k-32k"):
        assert f"{cut[name]} of {total[name]} samples in {name}" in said
    assert "--model_args max_length=N" in said
    assert """--metadata '{"length": "8k-16k"}'""" in said
    assert """--metadata '{"on_overflow": "skip"}'""" in said
    model = Windowed(window)
    run(model, json.loads('{"length": "8k-16k"}'), limit=None)  # as the message says
    assert len(model.prompts) == total["8k-16k"]


@pytest.mark.parametrize(
    ("model", "argument"),
    [
        (Windowed(9_000), "max_length"),
        (Served(9_000), "max_model_len"),
        (Both(9_000), "max_model_len"),
    ],
    ids=lambda given: given if isinstance(given, str) else type(given).__name__,
)
def test_the_argument_is_the_one_that_the_model_takes(model: Listener, argument: str) -> None:
    said = refused(model)
    assert f"--model_args {argument}=N" in said
    assert '"length"' not in said  # no length fits


def test_a_model_of_unknown_window_is_asked_unless_the_user_gives_one() -> None:
    model = Listener()
    run(model)
    assert len(model.prompts) == 2
    said = refused(Listener(), {**SHORT, "context": 9_000})
    assert "9,000 of Listener" in said and "max_length" not in said


@pytest.mark.parametrize("context", [9_000, "9000"])
def test_a_context_of_the_users_bounds_the_models_own_and_never_widens_it(
    context: int | str,
) -> None:
    assert "9,000 of Windowed" in refused(Windowed(40_000), {**SHORT, "context": context})
    assert "9,000 of Windowed" in refused(Windowed(9_000), {**SHORT, "context": 40_000})


def test_prompts_of_all_tasks_are_built_before_the_first_is_sent() -> None:
    model = Windowed(20_000)
    said = refused(model, LONGER, tasks=f"{TASK},seqniah_real_logical_zh", limit=20)
    assert '{"length": "8k-16k"}' in said


# Exactly what fits.


def test_without_a_tokenizer_the_runs_count_and_a_templates_tokens_must_fit(
    first: Samples,
) -> None:
    taken = first.tokens(0) + OVERHEAD
    for window, asked in [
        (taken + WISHED, WISHED),
        (taken + WISHED - 1, LEAST_ANSWER),
        (taken + LEAST_ANSWER, LEAST_ANSWER),
    ]:
        model = Windowed(window)
        found = run(model, limit=1)
        assert [one["max_gen_toks"] for one in model.wishes] == [asked]
        judged = samples(found)[0]["judged"]
        assert judged["prompt_tokens"] == first.tokens(0)
        assert (judged["reported_tokens"], judged["prompt_fate"]) == (0, "unverified")
    refused(Windowed(taken + LEAST_ANSWER - 1), limit=1)


@pytest.mark.parametrize("chat", [True, False])
def test_a_models_own_tokenizer_counts_what_it_is_sent(first: Samples, chat: bool) -> None:
    prompt = first.prompt(0) + ("" if chat else answer_start("en"))
    taken = len(prompt.encode()) + 1  # for a token that begins every prompt
    assert taken > 3 * first.tokens(0)  # more than the run's encoding needs
    for window, asked in [
        (taken + WISHED, WISHED),
        (taken + WISHED - 1, LEAST_ANSWER),
        (taken + LEAST_ANSWER, LEAST_ANSWER),
    ]:
        model = Bytes(window)
        found = run(model, limit=1, chat=chat)
        assert model.prompts == [prompt]
        assert [one["max_gen_toks"] for one in model.wishes] == [asked]
        judged = samples(found)[0]["judged"]
        assert judged["prompt_tokens"] == first.tokens(0)
        assert (judged["reported_tokens"], judged["prompt_fate"]) == (taken - 1, "whole")
    said = refused(Bytes(taken + LEAST_ANSWER - 1), limit=1, chat=chat)
    assert f"{taken - 1:,} tokens" in said


def test_what_others_take_is_told_in_the_models_tokens() -> None:
    known = Samples(**LONGER)
    ratio = len(known.prompt(0).encode()) / known.tokens(0)
    grown = [
        (one.slot.length.name, int(ratio * known.bench.recipe(one).tokens)) for one in known.plan
    ]
    window = _border(grown, "16k-32k")
    said = refused(Bytes(window), LONGER, limit=None)
    named = re.search(r"The prompt of (\S+) has ([\d,]+) tokens", said)
    assert named
    one = next(one for one in known.plan if one.id == named[1])
    # The ratio of the prompt that is named stands for all.
    share = int(named[2].replace(",", "")) / known.bench.recipe(one).tokens / ratio
    over = sum(taken * share + LEAST_ANSWER > window for name, taken in grown if name == "16k-32k")
    told = re.search(r"(\d+) of (\d+) samples in 16k-32k", said)
    assert told and int(told[2]) == sum(name == "16k-32k" for name, _ in grown)
    assert abs(int(told[1]) - over) <= 3
    assert """{"length": "8k-16k"}""" in said


def test_a_tokenizer_that_cuts_by_itself_bounds_the_window() -> None:
    class Cutting(Bytes):
        truncation = True

        class tokenizer:
            model_max_length = 9_000

    assert "9,000 of Cutting" in refused(Cutting(400_000))


def test_what_a_system_instruction_takes_must_fit_as_well(first: Samples) -> None:
    class System(Windowed):
        def apply_chat_template(
            self, chat_history: list[dict[str, str]], add_generation_prompt: bool = True
        ) -> str:
            return "".join(message["content"] for message in chat_history)

    told = "Read with care, and leave out nothing. " * 100
    taken = first.tokens(0) + OVERHEAD + LEAST_ANSWER
    for chat in (True, False):
        refused(System(taken + 100), limit=1, chat=chat, system_instruction=told)
        model = System(taken + len(told))
        run(model, limit=1, chat=chat, system_instruction=told)
        assert model.prompts[0].startswith(told + first.prompt(0))


@pytest.mark.parametrize(
    "name", ["max_gen_toks", "max_tokens", "max_new_tokens", "max_completion_tokens"]
)
def test_an_answers_length_is_taken_under_every_name_from_the_least_on(name: str) -> None:
    model = Windowed(40_000)
    run(model, limit=1, gen_kwargs=f"{name}=6000")
    (wishes,) = model.wishes
    assert wishes["max_gen_toks"] == 6_000
    assert [key for key in wishes if "max" in key] == ["max_gen_toks"]
    said = refused(Windowed(40_000), limit=1, gen_kwargs=f"{name}={LEAST_ANSWER - 1}")
    assert "2,047" in said and "--gen_kwargs max_gen_toks=2048" in said


def test_an_answers_length_that_is_no_number_is_refused() -> None:
    assert "'lots'" in refused(Listener(), limit=1, gen_kwargs="max_gen_toks=lots")


def test_the_least_answer_may_be_asked_for() -> None:
    model = Listener()
    run(model, limit=1, gen_kwargs={"max_gen_toks": LEAST_ANSWER})
    assert [one["max_gen_toks"] for one in model.wishes] == [LEAST_ANSWER]


# What is sent.


@pytest.mark.parametrize("multiturn", [True, False])
def test_in_chat_form_prompts_are_sent_byte_for_byte(first: Samples, multiturn: bool) -> None:
    model = Listener()
    rows = samples(run(model, limit=3, fewshot_as_multiturn=multiturn, num_fewshot=2))
    assert model.prompts == [first.prompt(number) for number in range(3)]
    assert [row["judged"]["prompt_sha256"] for row in rows] == list(map(digest, model.prompts))
    assert [row["doc"]["id"] for row in rows] == first.ids[:3]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_in_completion_form_a_list_is_begun_after_the_prompt(lang: str) -> None:
    task = f"seqniah_synthetic_temporal_{lang}"
    model = Listener(lambda context: " first\n2. second")
    rows = samples(run(model, tasks=task, chat=False, limit=3), task)
    begun = answer_start("en" if lang == "en" else "zh")
    assert begun.endswith("\n1.")
    for prompt, row in zip(model.prompts, rows, strict=True):
        assert prompt.endswith(begun)
        assert digest(prompt.removesuffix(begun)) == row["judged"]["prompt_sha256"]
        assert row["filtered_resps"] == ["1. first\n2. second"]
        assert row["resps"] == [[" first\n2. second"]]


def _stops(**given: Any) -> list[str]:
    model = Listener()
    run(model, limit=1, **given)
    stops: list[str] = model.wishes[0]["until"]
    return stops


def test_there_is_always_a_stop_and_an_empty_line_is_one_of_completions_only() -> None:
    chat, completion = _stops(chat=True), _stops(chat=False)
    assert chat and "\n\n" not in chat
    assert "\n\n" in completion and set(completion) - {"\n\n"} == set(chat)
    assert len(completion) <= 4  # as many as common servers take
    for empty in ([], "", None):
        assert _stops(gen_kwargs={"until": empty}) == chat
        assert _stops(chat=False, gen_kwargs={"until": empty}) == completion


def test_stops_of_the_users_own_are_kept() -> None:
    for chat in (True, False):
        assert _stops(chat=chat, gen_kwargs={"until": ["###", "END"]}) == ["###", "END"]


def test_other_wishes_go_through() -> None:
    model = Listener()
    run(model, limit=1, gen_kwargs="temperature=0.7,do_sample=True,top_p=0.9")
    (wishes,) = model.wishes
    assert (wishes["temperature"], wishes["do_sample"], wishes["top_p"]) == (0.7, True, 0.9)


# Leaving out.


def _fits(known: Samples, count: int) -> tuple[int, list[bool]]:
    """A window in which some of the first prompts fit, and which."""
    sizes = [known.tokens(number) for number in range(count)]
    window = _border([("", size) for size in sizes], "")
    return window, [size + OVERHEAD + LEAST_ANSWER <= window for size in sizes]


def test_samples_that_do_not_fit_can_be_left_out_and_are_counted(
    first: Samples, caplog: pytest.LogCaptureFixture
) -> None:
    window, fit = _fits(first, 8)
    model = Windowed(window, first.right(8))
    with caplog.at_level(logging.WARNING, "seqniah"):
        found = run(model, {**SHORT, "on_overflow": "skip"}, limit=8)
    kept = [number for number in range(8) if fit[number]]
    left_out = 8 - len(kept)
    assert 0 < left_out < 8
    assert model.prompts == [first.prompt(number) for number in kept]
    assert metric(found, "left_out") == left_out
    assert metric(found, "unscored") == 0
    assert metric(found, "acc") == 1.0
    assert metric(found, "judged") == len(kept)
    scored = [row for row in samples(found) if row["judged"]["correct"] is not None]
    assert [row["doc"]["id"] for row in scored] == [first.ids[number] for number in kept]
    assert [row["doc_id"] for row in scored] == kept
    assert found["configs"][TASK]["metadata"]["left_out"] == left_out
    told = next(text for text in caplog.messages if "left out" in text)
    assert f"{left_out} prompts" in told
    assert any(first.ids[number] in told for number in range(8) if not fit[number])
    assert not any(first.ids[number] in told for number in kept)


def test_samples_may_be_chosen_by_number_and_left_out_as_well(first: Samples) -> None:
    window, fit = _fits(first, 8)
    chosen = [fit.index(True), fit.index(False)]
    model = Windowed(window)
    found = run(model, {**SHORT, "on_overflow": "skip"}, limit=None, samples={TASK: sorted(chosen)})
    assert model.prompts == [first.prompt(chosen[0])]
    assert metric(found, "left_out") == 1


def _is_chinese(prompt: str) -> bool:
    return "。" in prompt


def test_a_groups_accuracy_weighs_tasks_by_what_was_sent(first: Samples) -> None:
    other = Samples("seqniah_real_logical_zh", **SHORT)
    window, fit = _fits(first, 8)
    also = [other.tokens(n) + OVERHEAD + LEAST_ANSWER <= window for n in range(8)]
    knows_english = first.right(8)
    model = Windowed(window, lambda prompt: "" if _is_chinese(prompt) else knows_english(prompt))
    found = run(model, {**SHORT, "on_overflow": "skip"}, tasks="seqniah_real_logical", limit=8)
    assert len(model.prompts) == sum(fit) + sum(also)
    share = sum(fit) / (sum(fit) + sum(also))
    assert metric(found, "acc", "seqniah_real_logical") == pytest.approx(share)


def test_a_task_without_any_prompt_that_fits_is_refused() -> None:
    said = refused(Windowed(9_000), {**SHORT, "on_overflow": "skip"})
    assert TASK in said and "9,000 tokens" in said


# Caches of the harness.


def test_a_model_behind_a_cache_of_responses_is_seen(tmp_path: Path, first: Samples) -> None:
    kept = str(tmp_path / "responses")
    said = refused(Windowed(9_000), use_cache=kept)
    assert "9,000 of Windowed" in said and "max_length" in said
    before, after = Windowed(40_000, first.right(2)), Windowed(40_000)
    once = run(before, use_cache=kept)
    again = run(after, use_cache=kept)
    assert len(before.prompts) == 2 and after.prompts == []
    assert metric(once, "acc") == metric(again, "acc") == 1.0
    assert [row["judged"] for row in samples(again)] == [row["judged"] for row in samples(once)]


def test_a_cache_of_requests_never_serves_the_prompts_of_other_options(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(request_cache, "PATH", str(tmp_path))
    for seed in (0, 1):
        known = Samples(seed=seed, **SHORT)
        for _ in range(2):
            model = Listener()
            rows = samples(run(model, {**SHORT, "seed": seed}, cache_requests=True))
            assert model.prompts == [known.prompt(0), known.prompt(1)]
            assert [row["judged"]["prompt_sha256"] for row in rows] == [
                digest(prompt) for prompt in model.prompts
            ]


# Clients of servers.


def client(url: str, path: str, **more: Any) -> Json:
    return {"model": "lexical", "base_url": url + path, "max_retries": 1, **more}


def test_a_chat_client_without_a_chat_template_is_refused() -> None:
    counter = Counter()
    with running(counter=counter) as url:
        args = client(url, "/chat/completions")
        said = refused("local-chat-completions", model_args=args, chat=False)
        assert "--apply_chat_template" in said
        assert counter.requests == 0
        run("local-chat-completions", model_args=args)
    assert counter.answered == 2


@pytest.mark.parametrize(
    ("model", "path", "more"),
    [
        ("local-chat-completions", "/chat/completions", {}),
        ("local-completions", "/completions", {"tokenizer_backend": "none"}),
    ],
)
def test_without_a_tokenizer_the_window_is_the_servers(
    first: Samples, model: str, path: str, more: Json
) -> None:
    chat, counter = model == "local-chat-completions", Counter()
    given = {"chat": chat, "limit": 1}
    least = first.tokens(0) + OVERHEAD + LEAST_ANSWER
    with running(Faults(context=least - 1), counter=counter) as url:
        args = client(url, path, **more)
        said = refused(model, model_args=args, **given)
        assert f"{least - 1:,} of lexical" in said and first.ids[0] in said
        assert counter.requests == 0
    with running(Faults(context=least), counter=counter) as url:
        run(model, model_args=client(url, path, **more), **given)
    assert counter.answered == 1  # the server refuses what does not fit
    begun = "" if chat else answer_start("en")
    assert counter.prompt_tokens == tokens.tokenizer().count(first.prompt(0) + begun)
    with running(counter=counter) as url:  # which lists no window
        args = client(url, path, **more)
        said = refused(model, {**SHORT, "context": least - 1}, model_args=args, **given)
        assert f"{least - 1:,} of lexical" in said
    assert counter.requests == 1


def test_what_goes_over_the_wire_is_the_prompt_with_a_stop_and_a_length(first: Samples) -> None:
    bodies: list[Json] = []

    def reply(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        if method == "GET":
            return 404, {}
        bodies.append(asked)
        return 200, chat_reply(nothing(""))

    with served(reply) as url:
        args = client(f"{url}/v1", "/chat/completions")
        run("local-chat-completions", model_args=args, gen_kwargs="max_tokens=6000")
    messages = [message for body in bodies for message in body["messages"]]
    assert {message["role"] for message in messages} == {"user"}
    assert {message["content"] for message in messages} == {first.prompt(0), first.prompt(1)}
    for body in bodies:
        assert body["max_tokens"] == 6_000
        assert 1 <= len(body["stop"]) <= 4 and "\n\n" not in body["stop"]
        assert not [name for name in body if name.startswith("max") and name != "max_tokens"]
    assert len(bodies) == 2


def _byte_server(bodies: list[Json]) -> Callable[..., tuple[int, Any]]:
    """A server of completions that tokenises, too: each byte is a token."""

    def prompts(asked: Json) -> int:
        return 1 if isinstance(asked["prompt"], str) else len(asked["prompt"])

    def reply(method: str, path: str, asked: Any, headers: dict[str, str]) -> tuple[int, Any]:
        if path == "/tokenizer_info":
            return 200, {"eos_token": "<|endoftext|>", "bos_token": None}
        if path == "/v1/models":
            return 404, {}
        if path == "/tokenize":
            return 200, {"tokens": list(asked["prompt"].encode())}
        bodies.append(asked)
        answers = [{"index": number, "text": " x"} for number in range(prompts(asked))]
        return 200, {"choices": answers}

    return reply


def test_a_client_that_sends_tokens_sends_all_of_them(first: Samples) -> None:
    bodies: list[Json] = []
    begun = answer_start("en")
    sizes = [len((first.prompt(n) + begun).encode()) for n in range(2)]
    # It keeps one token of its length for itself, and we one for a beginning.
    least = max(sizes) + LEAST_ANSWER + 2
    with served(_byte_server(bodies)) as url:
        args = {"model": "bytes", "base_url": f"{url}/v1/completions", "max_retries": 1}
        said = refused(
            "local-completions", model_args={**args, "max_length": least - 1}, chat=False
        )
        assert f"{max(sizes):,} tokens" in said
        assert bodies == []
        args["max_length"] = least
        rows = samples(run("local-completions", model_args=args, chat=False))
    sent = [bytes(body["prompt"][0]) for body in bodies]
    assert {(digest(one.decode().removesuffix(begun)), len(one), "whole") for one in sent} == {
        (told["prompt_sha256"], told["reported_tokens"], told["prompt_fate"])
        for told in (row["judged"] for row in rows)
    }
    for body in bodies:
        assert len(body["prompt"][0]) + body["max_tokens"] < least
        assert body["max_tokens"] in (LEAST_ANSWER, WISHED)
        assert "\n\n" in body["stop"]


@pytest.fixture
def offline_ranks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An encoding where the library for it looks before it goes to the network."""
    url = b"https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"
    ranks = tokens._rank_file("cl100k_base", tokens.ENCODINGS["cl100k_base"].sha256)
    (tmp_path / sha1(url).hexdigest()).write_bytes(ranks)
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))


@pytest.mark.parametrize("backend", ["tiktoken", "remote"])
def test_the_short_window_that_completions_have_unless_told_is_refused_by_its_name(
    backend: str, offline_ranks: None
) -> None:
    bodies: list[Json] = []
    with served(_byte_server(bodies)) as url:
        args = client(f"{url}/v1", "/completions", model="gpt-4", tokenizer_backend=backend)
        said = refused("local-completions", model_args=args, chat=False)
    assert bodies == []
    assert "2,047 of LocalCompletionsAPI" in said  # 2,048, of which it keeps one for itself
    assert "--model_args max_length=N" in said


def test_a_tokenizer_that_is_not_used_for_sending_bounds_nothing(
    first: Samples, offline_ranks: None
) -> None:
    bodies: list[Json] = []
    with served(_byte_server(bodies)) as url:
        args = client(f"{url}/v1", "/completions", model="gpt-4", tokenizer_backend="tiktoken")
        run("local-completions", model_args={**args, "tokenized_requests": False}, chat=False)
    prompts = {first.prompt(number) + answer_start("en") for number in range(2)}
    assert {body["prompt"] for body in bodies} == prompts


@pytest.mark.slow
@pytest.mark.parametrize("chat", [True, False])
def test_a_client_with_a_tokenizer_of_transformers_sends_what_was_counted(
    chat: bool, first: Samples, tmp_path: Path
) -> None:
    transformers = pytest.importorskip("transformers")
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=600,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )
    made.train_from_iterator([first.prompt(2)], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>"
    )
    tokenizer.chat_template = "<s>{% for m in messages %}{{ m['content'] }}{% endfor %} Say:"
    tokenizer.save_pretrained(tmp_path)
    sent = f"<s>{first.prompt(0)} Say:" if chat else first.prompt(0) + answer_start("en")
    ids = made.encode(sent, add_special_tokens=False).ids
    bodies: list[Json] = []
    with served(_byte_server(bodies)) as url:
        args = {"model": str(tmp_path), "base_url": f"{url}/v1/completions"}
        args |= {"tokenizer_backend": "huggingface", "max_length": len(ids) + LEAST_ANSWER + 2}
        rows = samples(run("local-completions", model_args=args, chat=chat, limit=1))
        args["max_length"] -= 1
        said = refused("local-completions", model_args=args, chat=chat, limit=1)
    assert f"{len(ids):,} tokens" in said
    assert [body["prompt"] for body in bodies] == [[ids]]
    told = rows[0]["judged"]
    assert (told["reported_tokens"], told["prompt_fate"]) == (len(ids), "whole")
    assert told["prompt_tokens"] == first.tokens(0) != len(ids)
