"""The rehearsal server's /v1/responses, over HTTP, with OpenAI's client and in inspect."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import command_line
import httpx
import openai
import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from seqniah_datasets.tokens import tokenizer
from seqniah_tasks.baselines import lexical
from seqniah_tasks.serve import Faults, running

Json = dict[str, Any]

FILLER = "The mill stood by the river. It was old and loud. Nobody knew its age. " * 30
PROMPT = (
    f"Read this.\n\n{FILLER}\nLog of Ada Quill-2001-05-09, I sold the boat.\n{FILLER}"
    f"\nLog of Ada Quill\n\n2 May 2001\nI bought the boat.\n{FILLER}"
    "\n\nQuestion: What did Ada Quill do in May 2001?"
)
ANSWER = lexical(PROMPT)
TOLD = "You are careful."
count = tokenizer().count

WEB = httpx.Client(timeout=60, limits=httpx.Limits(max_keepalive_connections=0))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with running() as base:
        yield base


def ask(url: str, given: Any = PROMPT, **fields: Any) -> Json:
    body = {"model": "lexical", "input": given, **fields}
    response = WEB.post(f"{url}/responses", json=body)
    assert response.status_code == 200, response.text
    found: Json = response.json()
    return found


def refused(url: str, fields: Json) -> Json:
    body = {"model": "lexical", "input": PROMPT, **fields}
    response = WEB.post(f"{url}/responses", json=body)
    assert response.status_code == 400, response.text
    found: Json = response.json()["error"]
    return found


def client(url: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=url, api_key="none", max_retries=0)


def test_openais_client_is_answered(url: str) -> None:
    done = client(url).responses.create(model="lexical", input=PROMPT)
    assert done.output_text == ANSWER
    assert done.status == "completed" and done.incomplete_details is None and done.error is None
    assert done.model == "lexical" and [one.type for one in done.output] == ["message"]
    assert done.usage is not None
    assert done.usage.input_tokens == count(PROMPT)
    assert done.usage.output_tokens == count(ANSWER)
    assert done.usage.total_tokens == count(PROMPT) + count(ANSWER)
    assert done.usage.output_tokens_details.reasoning_tokens == 0


def test_openais_client_streams(url: str) -> None:
    said, events = "", []
    limit = count(ANSWER) - 3
    with client(url).responses.stream(
        model="lexical", input=PROMPT, max_output_tokens=limit
    ) as stream:
        for event in stream:
            events.append(event)
            if event.type == "response.output_text.delta":
                said += event.delta
    last: Any = events[-1]
    assert ANSWER.startswith(said) and count(said) == limit
    assert last.type == "response.incomplete" and last.response.output_text == said
    assert [one.sequence_number for one in events if hasattr(one, "sequence_number")] == sorted(
        one.sequence_number for one in events if hasattr(one, "sequence_number")
    )
    with client(url).responses.stream(model="lexical", input=PROMPT) as stream:
        assert stream.get_final_response().output_text == ANSWER


def test_instructions_and_messages_with_parts_are_read(url: str) -> None:
    half = len(PROMPT) // 2
    parts = [{"type": "input_text", "text": one} for one in (PROMPT[:half], PROMPT[half:])]
    earlier = [{"type": "output_text", "text": "Good day."}]
    thoughts = {"type": "reasoning", "id": "rs_1", "summary": []}
    messages = [
        {"role": "developer", "content": TOLD},
        thoughts,
        {"type": "message", "role": "assistant", "content": earlier},
        {"type": "message", "role": "user", "content": parts},
    ]
    done = client(url).responses.create(model="lexical", input=messages, instructions=TOLD)  # type: ignore[arg-type]
    assert done.output_text == ANSWER and done.usage is not None
    exact = 2 * count(TOLD) + count("Good day.") + count(PROMPT)
    assert done.usage.input_tokens == exact


@pytest.mark.parametrize("limit", [1, 7, 20])
def test_a_limit_makes_a_response_incomplete(url: str, limit: int) -> None:
    found = ask(url, max_output_tokens=limit)
    (item,) = found["output"]
    (part,) = item["content"]
    assert found["status"] == item["status"] == "incomplete"
    assert found["incomplete_details"] == {"reason": "max_output_tokens"}
    assert ANSWER.startswith(part["text"]) and count(part["text"]) == limit
    assert found["usage"]["output_tokens"] == limit


@pytest.mark.parametrize(
    "fields",
    [
        {"input": []},
        {"input": None},
        {"input": 7},
        {"input": [{"type": "reasoning", "summary": []}]},
        {"input": [{"type": "function_call_output", "call_id": "a", "output": "b"}]},
        {"input": [{"role": "user", "content": [{"type": "input_image", "image_url": "x"}]}]},
        {"instructions": 7},
        {"max_output_tokens": 0},
        {"previous_response_id": "resp_1"},
        {"conversation": "conv_1"},
        {"background": True},
        {"tools": [{"type": "function", "name": "f"}]},
        {"include": ["message.output_text.logprobs"]},
    ],
    ids=str,
)
def test_what_a_baseline_cannot_do_is_refused(url: str, fields: Json) -> None:
    assert refused(url, fields)["param"] == next(iter(fields))


def test_formats_other_than_text_are_refused(url: str) -> None:
    assert refused(url, {"text": {"format": {"type": "json_object"}}})["param"] == "text.format"
    harmless: Json = {"text": {"format": {"type": "text"}, "verbosity": "low"}, "store": False}
    assert ask(url, **harmless, include=["reasoning.encrypted_content"])["status"] == "completed"


def test_faults_and_caching_are_those_of_chat() -> None:
    with running(overhead=11) as url:
        asked = {"model": "lexical", "messages": [{"role": "user", "content": PROMPT}]}
        chat = WEB.post(f"{url}/chat/completions", json=asked).json()["usage"]
        usage = ask(url)["usage"]
        assert usage["input_tokens"] == chat["prompt_tokens"] == count(PROMPT) + 11
        whole = len(PROMPT) // 256 * 256
        assert usage["input_tokens_details"]["cached_tokens"] == count(PROMPT[:whole])
    with running(Faults(truncate=400, no_usage=False)) as url:
        assert ask(url)["usage"]["input_tokens"] == 400
    with running(Faults(no_usage=True)) as url:
        assert ask(url)["usage"] is None
    with running(Faults(context=count(PROMPT) + 10)) as url:
        told = refused(url, {"max_output_tokens": 11})
        assert (told["code"], told["param"]) == ("context_length_exceeded", "input")
    with running(Faults(think="field", think_tokens=50)) as url:
        thoughts, answer = client(url).responses.create(model="lexical", input=PROMPT).output
        assert thoughts.type == "reasoning" and thoughts.content
        assert count(thoughts.content[0].text) == 50
        assert answer.type == "message" and answer.content[0].type == "output_text"
        assert answer.content[0].text == ANSWER
        (cut,) = ask(url, max_output_tokens=9)["output"]
        assert (cut["type"], cut["status"]) == ("reasoning", "incomplete")


def test_inspects_verdicts_are_those_of_chat_completions(tmp_path: Path) -> None:
    def verdicts(url: str, responses: str) -> list[tuple[object, ...]]:
        logs = tmp_path / responses
        env = {**os.environ, "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
        command_line.run(
            ["inspect", "eval", "seqniah/test", "--model", "openai/lexical", "--limit", "3",
             "-M", f"responses_api={responses}", "-T", "lang=en", "-T", "length=8k-16k",
             "--log-dir", str(logs), "--display", "none"],
            cwd=tmp_path, env=env, check=True,
        )  # fmt: skip
        (log,) = (read_eval_log(one) for one in list_eval_logs(str(logs)))
        assert log.status == "success" and log.samples and len(log.samples) == 3
        found: list[tuple[object, ...]] = []
        for sample in log.samples:
            values = {name: score.value for name, score in (sample.scores or {}).items()}
            usage = sample.output.usage
            assert values and usage
            read = usage.input_tokens + (usage.input_tokens_cache_read or 0)
            found.append((sample.id, values, sample.output.completion, read))
        paths = [
            event.call.request.get("input")
            for sample in log.samples
            for event in sample.events
            if event.event == "model" and event.call
        ]
        assert all(paths) == (responses == "true")  # `input` is the field of Responses alone
        return found

    with running() as url:
        assert verdicts(url, "true") == verdicts(url, "false")
