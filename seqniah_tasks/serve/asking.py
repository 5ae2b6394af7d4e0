"""Requests of OpenAI's protocol, checked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.serve.cutting import Prompt

_PREFIX = "seqniah/"
_LOGPROBS = "message.output_text.logprobs"


class Api(StrEnum):
    """The protocols that are spoken, each named by the field that holds the prompt."""

    CHAT = "messages"
    COMPLETIONS = "prompt"
    RESPONSES = "input"


class Refused(Exception):
    """A request that is answered with an error, in the shape in which OpenAI gives errors."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        kind: str = "invalid_request_error",
        param: str | None = None,
        code: str | None = None,
        headers: dict[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status, self.headers = status, headers
        self.body = {"error": {"message": message, "type": kind, "param": param, "code": code}}


@dataclass(frozen=True, slots=True)
class Asked:
    """What a client asks for."""

    api: Api
    model: str
    """A name of `BASELINES`."""
    named: str
    """The same as the client wrote it."""
    prompts: tuple[Prompt, ...]
    """Any number of completions, each of which is answered; of the others, one."""
    max_tokens: int | None
    stop: tuple[str, ...]
    stream: bool
    include_usage: bool


def parse(body: bytes, api: Api) -> Asked:
    """The request of a body; raises `Refused`."""
    fields = _json(body)
    model = _model(fields.get("model"))
    for name, harmless, why in _NOT_DONE:
        if not any(_same(_at(fields, name), one) for one in harmless):
            raise Refused(400, f"A baseline cannot do {name}: {why}.", param=name)
    options = fields.get("stream_options")
    return Asked(
        api=api,
        model=model,
        named=fields["model"],
        prompts=tuple(_PROMPTS[api](fields)),
        max_tokens=_max_tokens(fields),
        stop=tuple(_stop(fields.get("stop"))),
        stream=_flag(fields, "stream"),
        include_usage=isinstance(options, dict) and _flag(options, "include_usage"),
    )


_NOT_DONE: list[tuple[str, list[object], str]] = [
    ("n", [None, 1], "there is one answer"),
    ("best_of", [None, 1], "there is one answer"),
    ("tools", [None, []], "it calls no tools; leave them out"),
    ("functions", [None, []], "it calls no functions; leave them out"),
    ("logprobs", [None, False], "it has no probabilities; leave it out"),
    ("top_logprobs", [None, 0], "it has no probabilities; leave it out"),
    ("prompt_logprobs", [None], "it has no probabilities; leave it out"),
    ("echo", [None, False], "it gives the answer only; leave it out"),
    ("suffix", [None, ""], "it does not fill in text; leave it out"),
    ("response_format", [None, {"type": "text"}], "it writes plain text; leave it out"),
    ("text.format", [None, {"type": "text"}], "it writes plain text; leave it out"),
    ("background", [None, False], "it answers at once; leave it out"),
    ("previous_response_id", [None], "it keeps no answers; send the whole conversation as input"),
    ("conversation", [None], "it keeps no answers; send the whole conversation as input"),
]
"""Fields that would change the answer, the values that ask for nothing, and why not.

A field that is not here, such as temperature, top_p or seed, makes no difference to a reader
that draws nothing, and is let pass.
"""


def _at(fields: object, path: str) -> object:
    for name in path.split("."):
        fields = fields.get(name) if isinstance(fields, dict) else None
    return fields


def _same(value: object, other: object) -> bool:
    return type(value) is type(other) and value == other


def _json(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise Refused(400, f"The body is not JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise Refused(400, "The body is JSON, but not an object.")
    return fields


def _model(named: object) -> str:
    if not isinstance(named, str) or not named:
        raise Refused(400, "The model is missing; give its name as a string.", param="model")
    return reader_name(named)


def reader_name(named: str) -> str:
    """The name in `BASELINES` of a model, with or without the prefix seqniah/."""
    name = named.removeprefix(_PREFIX)
    if name not in BASELINES:
        raise Refused(
            404,
            f"The model {named!r} does not exist; there are: {', '.join(BASELINES)}.",
            param="model",
            code="model_not_found",
        )
    return name


def _chat(fields: dict[str, Any]) -> list[Prompt]:
    messages = fields.get("messages")
    if not isinstance(messages, list) or not messages:
        raise Refused(400, "messages is a list with one message at least.", param="messages")
    return [_messages(messages, Api.CHAT)]


def _input(fields: dict[str, Any]) -> list[Prompt]:
    given, told, include = (fields.get(one) for one in ("input", "instructions", "include"))
    if isinstance(given, str):
        given = [{"role": "user", "content": given}]
    items = [one for one in given if not _thoughts(one)] if isinstance(given, list) else []
    if not items:
        raise Refused(400, "input is a string, or a list with a message at least.", param="input")
    if not isinstance(told, str | None):
        raise Refused(400, "instructions is a string.", param="instructions")
    if isinstance(include, list) and _LOGPROBS in include:
        raise Refused(400, f"It has no probabilities; leave out {_LOGPROBS}.", param="include")
    begun = [] if told is None else [{"role": "system", "content": told}]
    return [_messages(begun + items, Api.RESPONSES)]


def _thoughts(item: object) -> bool:
    """Whether an item is a model's own thoughts, which are no part of what it reads next."""
    return isinstance(item, dict) and item.get("type") == "reasoning"


def _messages(messages: list[Any], api: Api) -> Prompt:
    for message in messages:
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            raise Refused(400, f"Each item of {api} is a message with a role.", param=api)
    texts = tuple(_content(message.get("content"), api) for message in messages)
    of_user = [number for number, one in enumerate(messages) if one["role"] == "user"]
    return Prompt(texts, tuple(of_user) or (len(texts) - 1,))


def _content(content: object, api: Api) -> str:
    if not isinstance(content, str | list | None):
        raise Refused(400, "content is a string or a list of parts.", param=api)
    return "".join(_parts([content] if isinstance(content, str) else content or [], api))


def _parts(content: list[Any], api: Api) -> Iterator[str]:
    for part in content:
        text = part.get("text") if isinstance(part, dict) else part
        if not isinstance(text, str):
            kind = part.get("type") if isinstance(part, dict) else type(part).__name__
            what = f"A baseline reads parts of text only, not {kind!r}."
            raise Refused(400, what, param=api)
        yield _text(text)


def _prompts(fields: dict[str, Any]) -> list[Prompt]:
    prompt = fields.get("prompt")
    given = [prompt] if isinstance(prompt, str) else prompt
    if not isinstance(given, list) or not given:
        raise Refused(400, "prompt is a string or a list of strings.", param="prompt")
    if not all(isinstance(one, str) for one in given):
        raise Refused(
            400,
            "A baseline reads text: send prompt as a string or a list of strings, not as token "
            "ids (lm-eval: tokenized_requests=False,tokenizer_backend=none).",
            param="prompt",
        )
    return [Prompt((_text(one),)) for one in given]


_PROMPTS = {Api.CHAT: _chat, Api.COMPLETIONS: _prompts, Api.RESPONSES: _input}


def _text(text: str) -> str:
    """Text that UTF-8 can hold: JSON can escape halves of characters."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _max_tokens(fields: dict[str, Any]) -> int | None:
    for name in ("max_output_tokens", "max_completion_tokens", "max_tokens"):
        value = fields.get(name)
        if value is None:
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise Refused(400, f"{name} is a whole number from 1.", param=name)
        return value
    return None


def _stop(stop: object) -> Iterator[str]:
    for one in stop if isinstance(stop, list) else [stop]:
        if not isinstance(one, str | None):
            raise Refused(400, "stop is a string or a list of strings.", param="stop")
        if one:
            yield one


def _flag(fields: dict[str, Any], name: str) -> bool:
    value = fields.get(name)
    if value is not None and not isinstance(value, bool):
        raise Refused(400, f"{name} is true or false.", param=name)
    return bool(value)
