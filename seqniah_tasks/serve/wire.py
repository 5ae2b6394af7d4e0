"""Answers of chat and completions: as one object, or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from seqniah_tasks.serve.asking import Api, Asked
from seqniah_tasks.serve.reading import Usage, Written

_PIECE = 24
"""Characters of an event."""


class Wire:
    """How the answer to one request of chat or completions is written."""

    def __init__(
        self, asked: Asked, written: list[Written], *, ident: str, created: int, usage: bool
    ) -> None:
        self._asked, self._written = asked, written
        spent = Usage(*map(sum, zip(*(one.usage for one in written), strict=True)))
        self._usage = _usage(spent) if usage else None
        self._chat = asked.api is Api.CHAT
        self._kind = "chat.completion" if self._chat else "text_completion"
        self._head: dict[str, Any] = {
            "id": ("chatcmpl-" if self._chat else "cmpl-") + ident,
            "created": created,
            "model": asked.named,
        }

    def whole(self) -> bytes:
        """The answer as one object."""
        choices = [
            {
                "index": index,
                **({"message": _message(one)} if self._chat else {"text": one.text}),
                "logprobs": None,
                "finish_reason": one.finish,
            }
            for index, one in enumerate(self._written)
        ]
        fields = {**self._head, "object": self._kind, "choices": choices}
        return as_json(fields if self._usage is None else {**fields, "usage": self._usage})

    def events(self) -> Iterator[bytes]:
        """The answer as events, the last of which says [DONE]."""
        chat = self._chat
        head = {**self._head, "object": self._kind + (".chunk" if chat else "")}
        last = self._usage if self._asked.include_usage else None
        more = {"usage": None} if last else {}
        for index, one in enumerate(self._written):
            parts = _chat_parts(one) if chat else _text_parts(one)
            for number, part in enumerate(parts, 1):
                finish = one.finish if number == len(parts) else None
                end = {"logprobs": None, "finish_reason": finish}
                yield _event({**head, "choices": [{"index": index, **part, **end}], **more})
        if last:
            yield _event({**head, "choices": [], "usage": last})
        yield b"data: [DONE]\n\n"


def _message(one: Written) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": one.text}
    return message if one.thought is None else {**message, "reasoning_content": one.thought}


def _chat_parts(one: Written) -> list[dict[str, Any]]:
    deltas = [
        {"role": "assistant", "content": ""},
        *({"reasoning_content": thought} for thought in pieces(one.thought or "")),
        *({"content": text} for text in pieces(one.text or "")),
        {},
    ]
    return [{"delta": delta} for delta in deltas]


def _text_parts(one: Written) -> list[dict[str, Any]]:
    return [{"text": text} for text in [*pieces(one.text or ""), ""]]


def pieces(text: str) -> Iterator[str]:
    """A text as a stream sends it."""
    return (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "prompt_tokens_details": {"cached_tokens": usage.cached},
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning},
    }


def as_json(fields: dict[str, Any]) -> bytes:
    """Fields as they are sent."""
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()


def _event(fields: dict[str, Any]) -> bytes:
    return b"data: " + as_json(fields) + b"\n\n"
