"""What a server does not put up with: clients that are too slow, and pages of other sites."""

from __future__ import annotations

import asyncio
import ipaddress

import h11
from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from seqniah_tasks.serve.asking import Refused

_HERE = ("localhost", "127.0.0.1", "[::1]")
"""What a Host header calls this machine."""


def reading_within(seconds: float) -> type[asyncio.Protocol]:
    """HTTP on connections that are closed when a request takes longer than this to come whole."""

    class Patient(H11Protocol):
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._deadline = self.loop.call_later(seconds, self._give_up)

        def connection_lost(self, exc: Exception | None) -> None:
            self._let_be()
            super().connection_lost(exc)

        def handle_events(self) -> None:
            super().handle_events()
            if not self._under_way():
                self._let_be()
            elif self._deadline is None:
                self._deadline = self.loop.call_later(seconds, self._give_up)

        def _under_way(self) -> bool:
            """Whether a request has begun to come and is not whole."""
            state = self.conn.their_state
            return state is h11.SEND_BODY or (
                state is h11.IDLE and bool(self.conn.trailing_data[0])
            )

        def _let_be(self) -> None:
            if self._deadline:
                self._deadline.cancel()
                self._deadline = None

        def _give_up(self) -> None:
            if self._under_way() and self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
                self._tell(Refused(408, f"The request did not come whole within {seconds:g} s."))
            self.transport.close()

        def _tell(self, refused: Refused) -> None:
            answer = JSONResponse(refused.body, refused.status, {"Connection": "close"})
            start = h11.Response(status_code=refused.status, headers=answer.raw_headers)
            for event in (start, h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(self.conn.send(event) or b"")

    return Patient


def own_names(host: str, address: str) -> frozenset[str] | None:
    """The names that a server at `address`, started with `host`, answers to; None means any.

    A page of another site can have its own name mean this machine (DNS rebinding), and would then
    be let read what only this machine should; its name still stands in the Host header.
    """
    if not ipaddress.ip_address(address.partition("%")[0]).is_loopback:
        return None
    return frozenset({*_HERE, f"[{host}]".lower() if ":" in host else host.lower()})


class ByName:
    """An application that refuses requests to names other than its own."""

    def __init__(self, app: ASGIApp, names: frozenset[str] | None) -> None:
        self._app, self._names = app, names

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if self._names is not None and scope["type"] == "http":
            host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
            name = host[: host.find("]") + 1] if host.startswith("[") else host.partition(":")[0]
            if name not in self._names:
                app = _not_ours(name, self._names)
        await app(scope, receive, send)


def _not_ours(name: str, names: frozenset[str]) -> JSONResponse:
    ours = ", ".join(sorted(names))
    refused = Refused(
        403,
        f"The Host header names {name!r}, but this server answers to {ours} only; use one of "
        "these, or start the server with --host NAME.",
    )
    return JSONResponse(refused.body, refused.status, {"Connection": "close"})
