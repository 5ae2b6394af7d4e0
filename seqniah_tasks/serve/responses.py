"""Answers in the protocol of OpenAI's Responses: as one object, or as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from seqniah_tasks.serve.asking import Asked
from seqniah_tasks.serve.reading import Usage, Written
from seqniah_tasks.serve.wire import as_json, pieces

_STATUS = {"stop": "completed", "length": "incomplete"}
"""What a response says of the way in which its answer ended."""


class ResponsesWire:
    """How the answer to one request of Responses is written; like `Wire`."""

    def __init__(
        self, asked: Asked, written: list[Written], *, ident: str, created: int, usage: bool
    ) -> None:
        (one,) = written
        self._status, self._items = _STATUS[one.finish], _items(one, ident)
        self._usage = _usage(one.usage) if usage else None
        self._head: dict[str, Any] = {
            "id": f"resp_{ident}",
            "object": "response",
            "created_at": created,
            "model": asked.named,
            "max_output_tokens": asked.max_tokens,
            "error": None,
            "metadata": {},
            "parallel_tool_calls": False,
            "tool_choice": "auto",
            "tools": [],
        }

    def whole(self) -> bytes:
        """The answer as one object."""
        return as_json(self._whole())

    def events(self) -> Iterator[bytes]:
        """The answer as events, the last of which holds it as one object."""
        for number, (kind, fields) in enumerate(self._events()):
            data = as_json({"type": kind, "sequence_number": number, **fields})
            yield f"event: {kind}\ndata: ".encode() + data + b"\n\n"

    def _whole(self) -> dict[str, Any]:
        cut = {"reason": "max_output_tokens"} if self._status == "incomplete" else None
        fields = {**self._head, "status": self._status, "incomplete_details": cut}
        return {**fields, "output": self._items, "usage": self._usage}

    def _events(self) -> Iterator[tuple[str, dict[str, Any]]]:
        begun = {**self._whole(), "status": "in_progress", "incomplete_details": None}
        yield "response.created", {"response": {**begun, "output": [], "usage": None}}
        for index, item in enumerate(self._items):
            (part,) = item["content"]
            at = {"output_index": index}
            empty = {**item, "status": "in_progress", "content": []}
            yield "response.output_item.added", {**at, "item": empty}
            within = {**at, "item_id": item["id"], "content_index": 0}
            yield "response.content_part.added", {**within, "part": {**part, "text": ""}}
            for piece in pieces(part["text"]):
                yield f"response.{part['type']}.delta", {**within, "delta": piece, "logprobs": []}
            text = {**within, "text": part["text"], "logprobs": []}
            yield f"response.{part['type']}.done", text
            yield "response.content_part.done", {**within, "part": part}
            yield "response.output_item.done", {**at, "item": item}
        yield f"response.{self._status}", {"response": self._whole()}


def _items(one: Written, ident: str) -> list[dict[str, Any]]:
    """The thoughts that stand apart, and the answer, as far as it came to them."""
    status, items = _STATUS[one.finish], []
    if one.thought is not None:
        thoughts = {"type": "reasoning_text", "text": one.thought}
        begun = {"id": f"rs_{ident}", "type": "reasoning", "summary": [], "content": [thoughts]}
        items.append({**begun, "status": status if one.text is None else "completed"})
    if one.text is not None:
        answer = {"type": "output_text", "text": one.text, "annotations": [], "logprobs": []}
        begun = {"id": f"msg_{ident}", "type": "message", "role": "assistant"}
        items.append({**begun, "status": status, "content": [answer]})
    return items


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.prompt,
        "input_tokens_details": {"cached_tokens": usage.cached, "cache_write_tokens": 0},
        "output_tokens": usage.completion,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning},
        "total_tokens": usage.prompt + usage.completion,
    }
