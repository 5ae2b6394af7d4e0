"""A real browser for tests: Chromium without a window, told what to do through a pipe.

It speaks the DevTools protocol, messages ended by a null byte; no port, no further package.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

Json = dict[str, Any]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SECONDS = 60
"""That the browser may take for one command; on a busy machine it starts slowly."""

_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)

_START = """
import fcntl, os, sys
given = [fcntl.fcntl(int(file), fcntl.F_DUPFD, 10) for file in sys.argv[1:3]]
for file, wanted in zip(given, (3, 4)):
    os.dup2(file, wanted)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""The browser reads its file 3 and writes its file 4; the shell cannot give it any others."""


def find() -> str | None:
    """The browser to use: the one that CHROMIUM names, else the first that is installed."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for path in map(shutil.which, NAMES) if path), None)


class Tab:
    """One page, with all that was said and loaded since it was opened."""

    def __init__(self, ask: int, hear: int) -> None:
        self._ask, self._hear = ask, hear
        self._number = 0
        self._rest = b""
        self._session: str | None = None
        self.events: list[Json] = []

    def open(self) -> None:
        """Make the tab."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> Json:
        """What the browser answers to one command."""
        self._number += 1
        message: Json = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._ask, json.dumps(message).encode() + b"\0")
        answer = self._until(lambda one: one.get("id") == self._number)
        assert "error" not in answer, f"{method}: {answer['error']}"
        result: Json = answer["result"]
        return result

    def go(self, page: Path, seconds: float = 0.2) -> None:
        """Load a file; wait until it is there, and then so long for what it might do."""
        self._load("Page.navigate", url=page.resolve().as_uri())
        time.sleep(seconds)

    def reload(self) -> None:
        """Load the same page again; wait until it is there."""
        self._load("Page.reload")

    def value(self, expression: str) -> Any:
        """What a JavaScript expression gives in the page, or a promise that it makes."""
        given = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        told = self.call("Runtime.evaluate", **given)
        assert "exceptionDetails" not in told, told["exceptionDetails"]
        return told["result"].get("value")

    def press(self, key: str, code: int = 0, text: str = "") -> None:
        """One key, down and up."""
        given = {"key": key, "code": key, "windowsVirtualKeyCode": code}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **given)
        self.call("Input.dispatchKeyEvent", type="keyUp", **given)

    def size(self, width: int, height: int = 900) -> None:
        """The window, in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def prefer(self, media: str = "", **features: str) -> None:
        """Medium and preferences, e.g. prefers_color_scheme="dark"."""
        told = [{"name": name.replace("_", "-"), "value": set} for name, set in features.items()]
        self.call("Emulation.setEmulatedMedia", media=media, features=told)

    def of(self, method: str) -> list[Json]:
        """What happened of one kind since the page was opened."""
        self.value("0")  # Whatever came before is read by then.
        return [one["params"] for one in self.events if one.get("method") == method]

    def _load(self, method: str, **params: Any) -> None:
        self.events.clear()
        self.call(method, **params)
        if not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self._until(lambda one: one.get("method") == "Page.loadEventFired")

    def _until(self, wanted: Callable[[Json], bool]) -> Json:
        ends = time.monotonic() + SECONDS
        while True:
            head, null, rest = self._rest.partition(b"\0")
            if null:
                self._rest = rest
                message: Json = json.loads(head)
                if "id" not in message:
                    self.events.append(message)
                if wanted(message):
                    return message
                continue
            ready, _, _ = select.select([self._hear], [], [], max(0.0, ends - time.monotonic()))
            got = os.read(self._hear, 1 << 20) if ready else b""
            assert got, "the browser ended, or answers no more"
            self._rest += got


@contextmanager
def tab(browser: str, home: Path) -> Iterator[Tab]:
    """A tab of a browser of its own, which keeps its things in the folder `home`."""
    to_browser, ask = os.pipe()
    hear, from_browser = os.pipe()
    start = [sys.executable, "-I", "-c", _START, str(to_browser), str(from_browser)]
    running = subprocess.Popen(
        [*start, browser, *_OPTIONS, f"--user-data-dir={home}", "about:blank"],
        pass_fds=(to_browser, from_browser),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_browser)
    os.close(from_browser)
    try:
        made = Tab(ask, hear)
        made.open()
        yield made
    finally:
        os.close(ask)
        running.terminate()
        try:
            running.wait(10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        os.close(hear)


def opened(folders: pytest.TempPathFactory) -> Iterator[Tab]:
    """What a fixture yields: a tab, or the reason why its tests do not run."""
    browser = find()
    if browser is None:
        pytest.skip("no Chromium is installed, in which the page could be tried")
    with tab(browser, folders.mktemp("browser")) as made:
        yield made
