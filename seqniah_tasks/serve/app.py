"""The endpoints, without a port to listen on."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.baselines import BASELINES
from seqniah_tasks.serve.asking import Api, Refused, parse, reader_name
from seqniah_tasks.serve.faults import Attempts, Faults
from seqniah_tasks.serve.reading import Counter, Reader
from seqniah_tasks.serve.responses import ResponsesWire
from seqniah_tasks.serve.wire import Wire

T = TypeVar("T")

AnyWire = Wire | ResponsesWire

_WIRES: dict[Api, type[AnyWire]] = {
    Api.CHAT: Wire,
    Api.COMPLETIONS: Wire,
    Api.RESPONSES: ResponsesWire,
}
_EVENTS, _JSON = "text/event-stream", "application/json"

_PAGE = "<html><head><title>Please wait</title></head><body>Please wait.</body></html>\n"
"""What a gateway may answer for a server behind it, with status 200."""

_DRAINED = 16
"""So many times the bound are read and dropped, so that the client hears of the refusal."""


def make_app(reader: Reader, counter: Counter, max_body: int) -> FastAPI:
    """The application that serves a reader; it has no pages and answers errors as OpenAI does."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    desk = _Desk(reader, counter, max_body)

    @app.get("/health")
    async def health() -> dict[str, str]:
        return {"status": "ok"}

    @app.get("/v1/models")
    async def models() -> dict[str, Any]:
        return {"object": "list", "data": [_model(name, reader.faults) for name in BASELINES]}

    @app.get("/v1/models/{name:path}")
    async def model(name: str) -> dict[str, Any]:
        return _model(reader_name(name), reader.faults)

    @app.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        return await desk.serve(request, Api.CHAT)

    @app.post("/v1/completions")
    async def completions(request: Request) -> Response:
        return await desk.serve(request, Api.COMPLETIONS)

    @app.post("/v1/responses")
    async def responses(request: Request) -> Response:
        return await desk.serve(request, Api.RESPONSES)

    app.add_exception_handler(Refused, _refused)
    app.add_exception_handler(HTTPException, _refused)
    return app


def _model(name: str, faults: Faults) -> dict[str, Any]:
    fields = {"id": name, "object": "model", "created": 0, "owned_by": "seqniah"}
    return fields if faults.context is None else {**fields, "max_model_len": faults.context}


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, HTTPException):
        message = f"{request.method} {request.url.path}: {error.detail}."
        error = Refused(error.status_code, message, headers=dict(error.headers or {}))
    assert isinstance(error, Refused)
    return JSONResponse(error.body, error.status, error.headers)


class _Desk:
    """Takes requests for answers, and does wrong what it is told to do wrong."""

    def __init__(self, reader: Reader, counter: Counter, max_body: int) -> None:
        self._reader, self._counter, self._max_body = reader, counter, max_body
        self._faults, self._attempts = reader.faults, Attempts()
        self._threads = anyio.CapacityLimiter(min(16, (os.cpu_count() or 1) + 2))

    async def serve(self, request: Request, api: Api) -> Response:
        self._counter.requests += 1
        body = await self._body(request)
        asked = await self._in_thread(partial(parse, body, api))
        digest = hashlib.sha256(body).hexdigest()
        attempt = self._attempts.next(digest)
        self._refuse(digest, attempt)
        written = await self._in_thread(partial(self._reader.answers, asked))
        read = sum(one.usage.prompt for one in written)
        spoilt = self._faults.spoils(digest, attempt)
        self._counter.answered += spoilt != "hanging"
        self._counter.prompt_tokens += read
        await asyncio.sleep(self._faults.wait(read))
        ident, usage = f"{digest[:16]}{attempt}", not self._faults.no_usage
        wire = _WIRES[api](asked, written, ident=ident, created=int(time.time()), usage=usage)
        if spoilt == "garbage":
            return HTMLResponse(_PAGE)
        if spoilt:
            share = self._faults.hang_after if spoilt == "hanging" else 0.5
            return _Part(wire, share, stream=asked.stream, hangs=spoilt == "hanging")
        if asked.stream:
            return StreamingResponse(wire.events(), media_type=_EVENTS)
        return Response(wire.whole(), media_type=_JSON)

    async def _body(self, request: Request) -> bytes:
        parts, size = [], 0
        declared = request.headers.get("content-length", "")
        if declared.isdecimal() and int(declared) > self._max_body * _DRAINED:
            raise self._too_large()
        try:
            async for part in request.stream():
                size += len(part)
                if size > self._max_body * _DRAINED:
                    break
                parts.append(part)
                if size > self._max_body:
                    parts.clear()
        except ClientDisconnect as error:
            raise Refused(400, "The body broke off.") from error
        if size > self._max_body:
            raise self._too_large()
        return b"".join(parts)

    def _too_large(self) -> Refused:
        return Refused(413, f"The body has more than {self._max_body} bytes.")

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """What `work` returns; a mistake of ours is told to the client in a sentence."""
        try:
            return await anyio.to_thread.run_sync(work, limiter=self._threads)
        except Refused:
            raise
        except SeqniahError as error:
            raise Refused(400, str(error)) from error
        except Exception as error:
            what = f"The baseline failed: {type(error).__name__}: {error}."
            raise Refused(500, what, kind="server_error") from error

    def _refuse(self, digest: str, attempt: int) -> None:
        status, after = self._faults.refusal(digest, attempt), self._faults.retry_after
        if status == 429:
            raise Refused(
                429,
                f"Rate limit reached, as rehearsed; try again in {after} s.",
                kind="requests",
                code="rate_limit_exceeded",
                headers={"Retry-After": str(after)},
            )
        if status == 500:
            raise Refused(500, "The server failed, as rehearsed.", kind="server_error")


class _Part(Response):
    """A part of an answer, after which the server closes the connection, or says no more."""

    def __init__(self, wire: AnyWire, share: float, *, stream: bool, hangs: bool) -> None:
        whole = wire.whole()
        super().__init__(whole, media_type=_EVENTS if stream else _JSON)
        self._part, self._hangs = whole[: int(len(whole) * share)], hangs
        if stream:
            events = list(wire.events())
            self._part = b"".join(events[: int(len(events) * share)])
            del self.headers["content-length"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._part:
            start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
            await send(start)
            await send({"type": "http.response.body", "body": self._part, "more_body": True})
        while self._hangs and (await receive())["type"] != "http.disconnect":
            pass
