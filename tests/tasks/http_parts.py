"""A small server over real HTTP, in place of a model's or a judge's."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Replying = Callable[[str, str, Any, dict[str, str]], tuple[int, Any]]
"""Method, path, body and headers (their names in lower case) to status and body.

A body is sent as JSON, but for bytes; None closes the connection.
"""


@contextmanager
def served(replying: Replying, port: int = 0) -> Iterator[str]:
    """A server on a port; yields its address, without a path."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _reply(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            asked = json.loads(raw) if raw else None
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, body = replying(self.command, self.path, asked, headers)
            if body is None:
                self.close_connection = True
                return
            said = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(said)))
            if status == 429:
                self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST = _reply

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def chat_reply(text: str) -> dict[str, Any]:
    """A chat completion as a server sends it."""
    message = {"role": "assistant", "content": text}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 1,
        "model": "stub",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 900, "completion_tokens": 40, "total_tokens": 940},
    }
