"""The rehearsal server: real HTTP on a real port, and the clients that people use."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as inspect_eval

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.tokens import tokenizer
from seqniah_tasks.baselines import BASELINES, lexical
from seqniah_tasks.serve import Counter, Faults, running, serve
from seqniah_tasks.serve.asking import Api, Refused, parse
from seqniah_tasks.serve.cutting import Prompt, cut_prompt, cut_text
from seqniah_tasks.serve.prefixes import BLOCK, PrefixCache

FILLER = "The mill stood by the river. It was old and loud. Nobody knew its age. " * 30
PROMPT = (
    f"Read this.\n\n{FILLER}\nLog of Ada Quill-2001-05-09, I sold the boat.\n{FILLER}"
    f"\nLog of Ada Quill\n\n2 May 2001\nI bought the boat.\n{FILLER}"
    "\n\nQuestion: What did Ada Quill do in May 2001?"
)
ANSWER = lexical(PROMPT)
SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
count = tokenizer().count

Json = dict[str, Any]

WEB = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))
"""One for all: each client reads the certificates of this machine anew."""


def post(url: str, path: str = "/chat/completions", **fields: Any) -> httpx.Response:
    return WEB.post(url + path, json={"model": "lexical", **fields})


def chat(url: str, prompt: Any = PROMPT, **fields: Any) -> httpx.Response:
    return post(url, messages=[{"role": "user", "content": prompt}], **fields)


def said(response: httpx.Response) -> str:
    assert response.status_code == 200, response.text
    content = response.json()["choices"][0]["message"]["content"]
    assert isinstance(content, str)
    return content


def error(response: httpx.Response, status: int) -> Json:
    """The error of a response, whose shape is checked."""
    assert response.status_code == status, response.text
    body = response.json()
    assert set(body) == {"error"}
    assert set(body["error"]) == {"message", "type", "param", "code"}
    fields: Json = body["error"]
    return fields


def events(response: httpx.Response) -> list[Json]:
    assert response.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in response.text.split("\n") if line]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as base:
        yield base


# Answers


@pytest.mark.parametrize("model", ["lexical", "seqniah/lexical"])
def test_chat_answers_as_the_baseline_does(url: str, model: str) -> None:
    body = chat(url, model=model).json()
    assert body["object"] == "chat.completion" and body["model"] == model
    choice = body["choices"][0]
    assert choice["message"] == {"role": "assistant", "content": ANSWER}
    assert choice["finish_reason"] == "stop"
    usage = body["usage"]
    assert usage["prompt_tokens"] == count(PROMPT)
    assert usage["completion_tokens"] == count(ANSWER)
    assert usage["total_tokens"] == count(PROMPT) + count(ANSWER)


def test_parts_of_text_are_joined_and_the_users_last_message_is_read(url: str) -> None:
    half = len(PROMPT) // 2
    parts = [{"type": "text", "text": PROMPT[:half]}, {"type": "text", "text": PROMPT[half:]}]
    assert said(chat(url, parts)) == ANSWER
    system = {"role": "system", "content": "You are careful."}
    user = {"role": "user", "content": PROMPT}
    begun = {"role": "assistant", "content": None}
    response = post(url, messages=[system, user, begun])
    assert said(response) == ANSWER
    assert response.json()["usage"]["prompt_tokens"] == count("You are careful.") + count(PROMPT)


def test_completions_take_a_string_or_several(url: str) -> None:
    one = post(url, "/completions", prompt=PROMPT).json()
    assert one["object"] == "text_completion" and one["choices"][0]["text"] == ANSWER
    both = post(url, "/completions", prompt=[PROMPT, "A.\n\nWho is Ada?"]).json()
    assert [choice["text"] for choice in both["choices"]] == [ANSWER, "Not found."]
    assert [choice["index"] for choice in both["choices"]] == [0, 1]
    assert both["usage"]["prompt_tokens"] == count(PROMPT) + count("A.\n\nWho is Ada?")


@pytest.mark.parametrize("reader", ["lexical", "skimming"])
@pytest.mark.parametrize("most", [1, 20])
def test_answers_have_as_many_sentences_as_the_server_was_told(reader: str, most: int) -> None:
    question = PROMPT.rpartition("\n\n")[2]
    diary = "".join(f"Log of Ada Quill-2001-05-{day:02}, I sold a boat. " for day in range(1, 29))
    prompt = f"Read this.\n\n{diary}\n\n{question}"
    with running(top_k=most) as url:
        answer = said(chat(url, prompt, model=reader))
        assert answer == BASELINES[reader](prompt, most)
        assert len(answer.splitlines()) == most
        plain = post(url, "/completions", model=reader, prompt=prompt).json()
        assert plain["choices"][0]["text"] == answer


@pytest.mark.parametrize("name", ["max_tokens", "max_completion_tokens"])
@pytest.mark.parametrize("limit", [1, 7, 20])
def test_max_tokens_cut_the_answer(url: str, name: str, limit: int) -> None:
    response = chat(url, **{name: limit})
    text, body = said(response), response.json()
    assert ANSWER.startswith(text) and count(text) == limit
    assert body["choices"][0]["finish_reason"] == "length"
    assert body["usage"]["completion_tokens"] == limit


def test_an_answer_that_just_fits_is_whole(url: str) -> None:
    response = chat(url, max_tokens=count(ANSWER))
    assert said(response) == ANSWER
    assert response.json()["choices"][0]["finish_reason"] == "stop"


def test_stop_ends_the_answer_before_it(url: str) -> None:
    for stop in ("sold", ["nowhere", "sold", "Log of Ada Quill-"], [None, "", "sold"]):
        first = "Log of Ada Quill-" if isinstance(stop, list) and stop[0] else "sold"
        response = chat(url, stop=stop)
        assert said(response) == ANSWER[: ANSWER.index(first)]
        assert response.json()["choices"][0]["finish_reason"] == "stop"


def test_halves_of_characters_do_no_harm(url: str) -> None:
    body = '{"model": "lexical", "messages": [{"role": "user", "content": "A \\ud800.\\n\\nB?"}]}'
    assert said(WEB.post(f"{url}/chat/completions", content=body)) == "Not found."


def test_a_chinese_answer_is_cut_between_characters(url: str) -> None:
    document = "龚若澜的日记，2001年5月2日，她买了一条船。磨坊很旧。" * 2
    response = chat(url, f"读。\n\n{document}\n\n龚若澜做了什么？", max_tokens=12)
    usage = response.json()["usage"]
    assert "�" not in said(response)
    assert usage["completion_tokens"] == count(said(response)) <= 12


# Streams


def test_a_stream_holds_the_same_answer(url: str) -> None:
    whole = chat(url).json()
    chunks = events(chat(url, stream=True, stream_options={"include_usage": True}))
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    deltas = [chunk["choices"][0]["delta"].get("content", "") for chunk in chunks[:-1]]
    assert "".join(deltas) == ANSWER and len(deltas) > 3
    assert chunks[-2]["choices"][0]["finish_reason"] == "stop"
    assert all(chunk["usage"] is None for chunk in chunks[:-1])
    assert chunks[-1]["choices"] == []
    assert chunks[-1]["usage"]["total_tokens"] == whole["usage"]["total_tokens"]


def test_a_stream_tells_usage_only_if_asked(url: str) -> None:
    assert all("usage" not in chunk for chunk in events(chat(url, stream=True)))


def test_completions_stream_too(url: str) -> None:
    response = post(url, "/completions", prompt=[PROMPT, "A.\n\nB?"], stream=True, max_tokens=5)
    texts, finishes = ["", ""], {}
    for chunk in events(response):
        choice = chunk["choices"][0]
        texts[choice["index"]] += choice["text"]
        finishes[choice["index"]] = choice["finish_reason"]
    assert count(texts[0]) == 5 and texts[1] == "Not found."
    assert finishes == {0: "length", 1: "stop"}


# Requests that are refused


@pytest.mark.parametrize(
    "fields",
    [
        {"n": 2},
        {"tools": [{"type": "function", "function": {"name": "f"}}]},
        {"logprobs": True},
        {"logprobs": 0},
        {"response_format": {"type": "json_object"}},
        {"max_tokens": 0},
        {"max_tokens": "5"},
        {"max_tokens": True},
        {"stop": [3]},
        {"stream": "yes"},
        {"messages": []},
        {"messages": "hello"},
        {"messages": [{"content": "no role"}]},
        {"messages": [{"role": "user", "content": 7}]},
        {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {}}]}]},
    ],
    ids=str,
)
def test_what_a_baseline_cannot_do_is_refused(url: str, fields: Json) -> None:
    asked = {"messages": [{"role": "user", "content": PROMPT}], **fields}
    assert error(post(url, **asked), 400)["param"] == next(iter(fields))


def test_what_makes_no_difference_is_let_pass(url: str) -> None:
    harmless: Json = {"temperature": 0.7, "top_p": 0.9, "seed": 3, "n": 1, "tools": None}
    assert said(chat(url, **harmless, logprobs=False, user="me", stop=None)) == ANSWER


@pytest.mark.parametrize("prompt", [[1, 2, 3], [[1, 2], [3]], ["a", 1], [], None, 5], ids=str)
def test_completions_take_no_token_ids(url: str, prompt: object) -> None:
    told = error(post(url, "/completions", prompt=prompt), 400)
    assert told["param"] == "prompt"
    if prompt == [1, 2, 3]:
        assert "token ids" in told["message"]


def test_an_unknown_model_is_not_found(url: str) -> None:
    told = error(chat(url, model="gpt-9"), 404)
    assert told["code"] == "model_not_found" and "lexical" in told["message"]
    assert error(WEB.get(f"{url}/models/gpt-9"), 404)["code"] == "model_not_found"
    error(chat(url, model=None), 400)


@pytest.mark.parametrize("body", [b"", b"{", b"[1]", b"\xff\xfe\xfd", b"[" * 200_000, b"null"])
def test_a_body_that_is_no_json_is_refused(url: str, body: bytes) -> None:
    error(WEB.post(f"{url}/chat/completions", content=body), 400)


def test_a_reader_that_fails_is_told_of(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(error: Exception) -> Callable[[str, int], str]:
        def read(prompt: str, top_k: int) -> str:
            raise error

        return read

    monkeypatch.setitem(BASELINES, "lexical", failing(ValueError("a mistake of ours")))
    assert "ValueError: a mistake of ours" in error(chat(url), 500)["message"]
    monkeypatch.setitem(BASELINES, "lexical", failing(SeqniahError("Your text is odd.")))
    assert error(chat(url), 400)["message"] == "Your text is odd."


def test_other_paths_have_no_pages(url: str) -> None:
    for path in ("/docs", "/openapi.json", "/redoc", "/embeddings", "/"):
        error(WEB.get(url + path), 404)
        error(WEB.get(url.removesuffix("/v1") + path), 404)
    assert error(WEB.get(f"{url}/chat/completions"), 405)
    answer = WEB.get(f"{url}/models", headers={"Origin": "http://example.org"})
    assert not [name for name in answer.headers if name.startswith("access-control")]


def test_bodies_are_bounded() -> None:
    with running(max_body=20_000) as url:
        assert said(chat(url)) == ANSWER
        error(chat(url, "x " * 20_000), 413)
        error(chat(url, "x " * 1_000_000), 413)
        assert said(chat(url)) == ANSWER

        def without_length() -> Iterator[bytes]:
            yield from [b" " * 10_000] * 5

        error(WEB.post(f"{url}/completions", content=without_length()), 413)


def test_the_server_tells_its_models_and_its_health() -> None:
    with running(Faults(context=4096)) as url:
        models = WEB.get(f"{url}/models").json()
        assert models["object"] == "list"
        assert models["data"][0]["id"] == "lexical"
        assert models["data"][0]["max_model_len"] == 4096
        assert WEB.get(f"{url}/models/seqniah/lexical").json() == models["data"][0]
        assert WEB.get(url.removesuffix("/v1") + "/health").json() == {"status": "ok"}


# Usage


def test_cached_tokens_are_those_of_an_earlier_prompts_start() -> None:
    with running() as url:

        def cached(prompt: str) -> int:
            usage = chat(url, prompt).json()["usage"]
            tokens = usage["prompt_tokens_details"]["cached_tokens"]
            assert isinstance(tokens, int)
            return tokens

        assert cached(PROMPT) == 0
        whole = len(PROMPT) // BLOCK * BLOCK
        assert cached(PROMPT) == count(PROMPT[:whole])
        assert cached(PROMPT[:1_000] + " another end\n\nB?") == count(PROMPT[:768])
        assert cached("x" + PROMPT) == 0


def test_the_prefix_cache_is_bounded_and_forgets_ends_first() -> None:
    cache = PrefixCache(remembered=4)
    first, second = "a" * BLOCK * 4, "b" * BLOCK * 2
    assert cache.seen(first, model="m") == 0
    assert cache.seen(second, model="m") == 0
    assert cache.seen(first, model="m") == 2 * BLOCK
    assert cache.seen(second, model="other") == 0
    assert cache.seen("c" * (BLOCK - 1), model="m") == 0


def test_a_templates_tokens_are_added_to_chat_alone() -> None:
    with running(overhead=11, tokenizer="qwen") as url:
        exact = tokenizer("qwen").count(PROMPT)
        assert chat(url).json()["usage"]["prompt_tokens"] == exact + 11
        plain = post(url, "/completions", prompt=PROMPT).json()
        assert plain["usage"]["prompt_tokens"] == exact


def test_usage_can_be_left_out() -> None:
    with running(Faults(no_usage=True)) as url:
        assert "usage" not in chat(url).json()
        chunks = events(chat(url, stream=True, stream_options={"include_usage": True}))
        assert all("usage" not in chunk for chunk in chunks)


def test_sixteen_at_once_are_answered_and_counted() -> None:
    counter = Counter()
    prompts = [f"{number}. {PROMPT}" for number in range(48)]
    with running(counter=counter) as url, ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda prompt: said(chat(url, prompt)), prompts))
    assert answers == [lexical(prompt) for prompt in prompts]
    assert counter == Counter(48, 48, sum(map(count, prompts)))


# Faults


@pytest.mark.parametrize("side", ["left", "right", "middle"])
def test_prompts_are_cut_in_silence(side: str) -> None:
    with running(Faults(truncate=400, truncate_side=side)) as url:
        body = chat(url).json()
        assert body["usage"]["prompt_tokens"] == 400
        seen, _ = cut_prompt(Prompt((PROMPT,)), 400, side, count)
        assert body["choices"][0]["message"]["content"] == lexical(seen.texts[0])
        short = chat(url, "A.\n\nWho?").json()
        assert short["usage"]["prompt_tokens"] == count("A.\n\nWho?")


def test_what_does_not_fit_the_context_is_refused() -> None:
    size = count(PROMPT)
    with running(Faults(context=size + 10)) as url:
        told = error(chat(url, max_tokens=11), 400)
        assert told["code"] == "context_length_exceeded"
        assert str(size) in told["message"] and "maximum context length" in told["message"]
        assert chat(url, max_tokens=10).json()["choices"][0]["finish_reason"] == "length"
        assert count(said(chat(url))) == 10  # what is left of the context
        told = error(post(url, "/completions", prompt=PROMPT, max_tokens=99), 400)
        assert told["param"] == "prompt"


def test_first_attempts_fail_and_later_ones_succeed() -> None:
    faults = Faults(rate_limited=0.4, failing=0.3, retry_after=7, seed=5)

    def statuses() -> list[tuple[int, int]]:
        with running(faults) as url:
            found = []
            for number in range(40):
                first = chat(url, f"{number}.\n\nWho?")
                if first.status_code == 429:
                    assert first.headers["retry-after"] == "7"
                    assert error(first, 429)["code"] == "rate_limit_exceeded"
                found.append((first.status_code, chat(url, f"{number}.\n\nWho?").status_code))
            return found

    once = statuses()
    assert once == statuses()
    firsts = [first for first, _ in once]
    assert {status for _, status in once} == {200}
    assert 8 <= firsts.count(429) <= 24 and 4 <= firsts.count(500) <= 20


@pytest.mark.parametrize("streamed", [False, True])
def test_connections_break_off(streamed: bool) -> None:
    counter = Counter()
    with running(Faults(dropped=1), counter=counter) as url:
        with pytest.raises(httpx.RemoteProtocolError):
            chat(url, stream=streamed)
        with WEB.stream(
            "POST",
            f"{url}/completions",
            json={"model": "lexical", "prompt": PROMPT, "stream": streamed},
        ) as response:
            assert response.status_code == 200
            with pytest.raises(httpx.RemoteProtocolError):
                response.read()
    assert counter.answered == 2
    drawn = [Faults(dropped=0.5).spoils("a", attempt) for attempt in range(1, 9)]
    assert set(drawn) == {"dropped", None}


def test_latency_grows_with_the_prompt() -> None:
    assert Faults(latency=1, latency_per_1k=0.5).wait(3_000) == 2.5
    with running(Faults(latency=1)) as url:
        start = time.monotonic()
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: chat(url, f"{number}.\n\nA?"), range(8)))
        assert 1 <= time.monotonic() - start < 8  # they wait side by side


def test_thoughts_stand_before_the_answer() -> None:
    with running(Faults(think="tags", think_tokens=50)) as url:
        text = said(chat(url))
        thought, _, answer = text.partition("\n</think>\n\n")
        assert answer == ANSWER and count(thought.removeprefix("<think>\n")) == 50
        usage = chat(url).json()["usage"]
        assert usage["completion_tokens"] == count(text)
        assert 50 < usage["completion_tokens_details"]["reasoning_tokens"] < 60
        cut = chat(url, max_tokens=20)
        assert said(cut).startswith("<think>") and "</think>" not in said(cut)
        assert cut.json()["usage"]["completion_tokens"] == 20
        plain = post(url, "/completions", prompt=PROMPT).json()
        assert plain["choices"][0]["text"] == text


def test_thoughts_can_have_a_field_of_their_own() -> None:
    with running(Faults(think="field")) as url:
        message = chat(url).json()["choices"][0]["message"]
        assert message["content"] == ANSWER
        assert message["reasoning_content"].startswith("The question stands")
        message = chat(url, max_tokens=9).json()["choices"][0]["message"]
        assert message["content"] is None and message["reasoning_content"]
        deltas = [chunk["choices"][0]["delta"] for chunk in events(chat(url, stream=True))]
        assert "".join(delta.get("content", "") for delta in deltas) == ANSWER
        assert sum("reasoning_content" in delta for delta in deltas) > 3


@pytest.mark.parametrize(
    "fields",
    [
        {"dropped": 1.5},
        {"failing": -0.1},
        {"rate_limited": 0.6, "failing": 0.6},
        {"dropped": 0.5, "hanging": 0.3, "garbage": 0.3},
        {"hanging": float("nan")},
        {"hang_after": 1},
        {"latency": -1},
        {"latency_per_1k": float("inf")},
        {"truncate": 0},
        {"context": 0},
        {"truncate_side": "top"},
        {"think": "loud"},
    ],
    ids=str,
)
def test_faults_that_cannot_be_are_told(fields: Json) -> None:
    with pytest.raises(SeqniahError, match="--" + next(iter(fields)).replace("_", "-")):
        Faults(**fields)


# Cutting and parsing


@given(st.lists(st.text(max_size=60), min_size=1, max_size=3), st.integers(0, 60))
@pytest.mark.parametrize("side", ["left", "right", "middle"])
def test_a_cut_prompt_has_as_many_tokens_as_it_may(side: str, texts: list[str], n: int) -> None:
    prompt = Prompt(tuple(texts))
    cut, tokens = cut_prompt(prompt, n, side, count)
    assert tokens == cut.tokens(count) <= n
    assert len(cut.texts) == len(prompt.texts)
    whole, left = "".join(prompt.texts), "".join(cut.texts)
    if prompt.tokens(count) <= n:
        assert cut == prompt
    elif side == "left":
        assert whole.endswith(left)
    elif side == "right":
        assert whole.startswith(left)
    else:
        half = (len(left) + 1) // 2
        assert whole.startswith(left[:half]) and whole.endswith(left[half:])


def test_uneven_text_is_cut_in_few_steps() -> None:
    text, asked = " " * 300_000 + FILLER * 40, 0

    def counted(part: str) -> int:
        nonlocal asked
        asked += 1
        return len(part.split())

    assert cut_text(text, 500, counted)[1] == 500
    assert asked < 60


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    ),
    st.sampled_from(
        [
            *Api,
            *("stop", "max_tokens", "stream_options", "n", "model"),
            *("instructions", "include", "text", "max_output_tokens"),
        ]
    ),
    st.sampled_from(Api),
)
def test_any_json_is_parsed_or_refused(value: Any, name: str, api: Api) -> None:
    message = [{"role": "user", "content": "a"}]
    asked = {"model": "lexical", "prompt": "a", "messages": message, "input": message}
    try:
        parse(json.dumps({**asked, name: value}).encode(), api)
    except Refused as refused:
        assert refused.status in (400, 404)


# Clients


def test_openais_client_retries_and_streams() -> None:
    with running(Faults(rate_limited=1, retry_after=0)) as url:
        client = openai.OpenAI(base_url=url, api_key="none", max_retries=2)
        messages: Any = [{"role": "user", "content": PROMPT}]
        done = client.chat.completions.create(model="lexical", messages=messages)
        assert done.choices[0].message.content == ANSWER
        assert done.usage is not None and done.usage.prompt_tokens == count(PROMPT)
        stream = client.chat.completions.create(model="lexical", messages=messages, stream=True)
        parts = [chunk.choices[0].delta.content or "" for chunk in stream]
        assert "".join(parts) == ANSWER
        text = client.completions.create(model="lexical", prompt=PROMPT, max_tokens=3)
        assert text.choices[0].finish_reason == "length"
        assert [model.id for model in client.models.list()] == list(BASELINES)
    with running(Faults(context=100)) as url:
        client = openai.OpenAI(base_url=url, api_key="none", max_retries=0)
        with pytest.raises(openai.BadRequestError) as caught:
            client.chat.completions.create(model="lexical", messages=messages)
        assert caught.value.code == "context_length_exceeded"


TASK = """
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.scorer import includes

PROMPTS = {prompts!r}

@task
def tiny():
    return Task(dataset=[Sample(input=one, target="sold the boat") for one in PROMPTS],
                scorer=includes())
"""


def test_inspect_runs_against_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompts = [PROMPT.replace("Read this", f"Read text {number}") for number in range(6)]
    long = f"{FILLER * 9}\n\nWho?"
    task = tmp_path / "tiny.py"
    task.write_text(TASK.format(prompts=[*prompts, long]), "utf-8")
    faults = Faults(failing=0.5, context=count(prompts[0]) + 500, seed=1)
    with running(faults) as url:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("SEQNIAH_BASE_URL", url)
        monkeypatch.setenv("SEQNIAH_API_KEY", "none")
        (log,) = inspect_eval(
            task.name,
            model="openai-api/seqniah/lexical",
            log_dir=str(tmp_path / "logs"),
            display="log",
        )
    assert log.status == "success" and log.samples and len(log.samples) == 7
    for sample, prompt in zip(log.samples[:6], prompts, strict=True):
        assert sample.output.completion == lexical(prompt)
        assert sample.output.usage and sample.output.usage.input_tokens == count(prompt)
    assert log.samples[6].output.stop_reason == "model_length"


# The command


def test_a_port_in_use_is_told_in_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SeqniahError, match=rf"Port {port} .*--port"):
            serve(port=port)
        with pytest.raises(SeqniahError, match="--port"), running(port=port):
            pass
    with pytest.raises(SeqniahError, match="no address"):
        serve(host="no.such.host.invalid")
    with pytest.raises(SeqniahError, match="65535"):
        serve(port=70_000)
    with pytest.raises(SeqniahError, match="overhead"), running(overhead=-1):
        pass
    with pytest.raises(SeqniahError, match="--top-k is a whole number from 1, not 0"):
        serve(top_k=0)
    with pytest.raises(SeqniahError, match="tokenizer"), running(tokenizer="no-such"):
        pass


def test_a_server_ends_with_its_block_even_while_it_answers() -> None:
    threads = threading.active_count()
    with running(Faults(latency=30)) as url, pytest.raises(httpx.ReadTimeout):
        WEB.post(f"{url}/completions", json={"model": "lexical", "prompt": "a"}, timeout=0.3)
    assert threading.active_count() <= threads + 16
    with pytest.raises(httpx.ConnectError):
        WEB.get(f"{url}/models")


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for one process")
def test_the_server_in_the_foreground_says_where_and_ends_cleanly() -> None:
    left = count(PROMPT) - 100
    with subprocess.Popen(
        [SEQNIAH, "serve", "--port", "0", "--top-k", "1", "--truncate", str(left)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env=os.environ,
    ) as process:
        assert process.stdout and process.stderr
        greeting = [process.stdout.readline() for _ in range(4)]
        assert f" with top_k=1, truncate={left}\n" in greeting[0]
        url = greeting[0].split(" at ")[1].split()[0]
        assert f"SEQNIAH_API_KEY=none SEQNIAH_BASE_URL={url} inspect eval" in greeting[1]
        assert f"base_url={url}/chat/completions" in greeting[2]
        answered = chat(url)
        assert said(answered) == lexical(PROMPT, 1) != ANSWER
        assert answered.json()["usage"]["prompt_tokens"] == left
        process.send_signal(signal.SIGINT)
        rest, complaints = process.communicate(timeout=30)
    assert process.returncode == 0 and complaints == ""
    assert rest == f"1 of 1 requests answered, {left:,} prompt tokens read.\n"
