"""What lies around a run: the judge's server, keys, the terminal, variables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from seqniah_tasks.checks.base import Said, Setting, State

VARIABLES = {
    "SEQNIAH_CACHE": "where indexes are kept",
    "SEQNIAH_UNPACK_RATIO": "to how many times its size a packed file of a corpus may swell",
    "SEQNIAH_DEBUG": "mistakes are shown with their traceback",
    "SEQNIAH_REAL_DATA": "a folder of texts for the tests",
    "SEQNIAH_JUDGE_MODEL": "the model that judges in lm-eval",
    "SEQNIAH_JUDGE_BASE_URL": "the server of that model",
    "SEQNIAH_JUDGE_API_KEY": "the key of that server",
}
"""Variables that seqniah reads, and what each one says."""

_SECONDS = 3.0
"""How long the judge's server may take to answer."""

_NAMED = 5
"""Models that a finding names."""


def judge(setting: Setting) -> Iterator[Said]:
    import httpx

    if not setting.judge_url:
        yield State.OK, "no endpoint given; the rule judge needs none", ""
        return
    shown = _shown(setting.judge_url)
    if not shown:
        yield State.PROBLEM, "the URL given is none", "Give one like http://localhost:8000/v1."
        return
    key = setting.environ.get("JUDGE_API_KEY", "").strip()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    start = "Start the server, or give the right URL with --judge-url or JUDGE_BASE_URL."
    try:
        url = f"{setting.judge_url.rstrip('/')}/models"
        answer = httpx.get(url, headers=headers, timeout=_SECONDS)
    except httpx.TimeoutException:
        yield State.PROBLEM, f"{shown} did not answer in {_SECONDS:g} s", start
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        # Only the kind of error: its text may hold the key.
        yield State.PROBLEM, f"{shown} cannot be reached ({type(error).__name__})", start
    else:
        yield _served(shown, answer.status_code, answer.content)


def _served(shown: str, status: int, content: bytes) -> Said:
    if status in (401, 403):
        todo = "Set JUDGE_API_KEY to a key of that server."
        return State.PROBLEM, f"{shown} refuses the request ({status})", todo
    path = "Check the URL; most end in /v1."
    if status != 200:
        return State.PROBLEM, f"{shown}/models answers with status {status}", path
    try:
        listed: Any = json.loads(content)
        models = [_described(entry) for entry in listed["data"]]
    except (ValueError, LookupError, TypeError):
        return State.PROBLEM, f"{shown}/models does not list models", path
    if not models:
        return State.PROBLEM, f"{shown} serves no model", "Load a model into that server."
    more = f" and {len(models) - _NAMED:,} more" if len(models) > _NAMED else ""
    return State.OK, f"{shown} serves {', '.join(models[:_NAMED])}{more}", ""


def _described(entry: Any) -> str:
    window = entry.get("max_model_len") if isinstance(entry, dict) else None
    return f"{entry['id']} (window {window:,})" if isinstance(window, int) else str(entry["id"])


def _shown(url: str) -> str:
    """A URL without name, password and query; empty where it is no URL of the web."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path.rstrip('/')}"


def terminal(setting: Setting) -> Iterator[Said]:
    try:
        "中".encode(setting.encoding)
    except (UnicodeEncodeError, LookupError):
        todo = "Set PYTHONUTF8=1, in a terminal that can show Chinese."
        yield State.NOTE, f"{setting.encoding} has no Chinese; \\u4e2d is printed for it", todo
    else:
        yield State.OK, setting.encoding, ""


def keys(setting: Setting) -> Iterator[Said]:
    names = sorted(n for n in setting.environ if n.endswith("_API_KEY") or n == "HF_TOKEN")
    full = [name for name in names if setting.environ[name].strip()]
    yield State.OK, ", ".join(full) or "none set; models on this machine need none", ""
    empty = [name for name in names if name not in full]
    if empty:
        yield State.NOTE, f"set, but empty: {', '.join(empty)}", "Give them a value or unset them."


def variables(setting: Setting) -> Iterator[Said]:
    names = sorted(name for name in setting.environ if name.startswith("SEQNIAH_"))
    shown = {n: "..." if n.endswith("_KEY") else setting.environ[n] for n in names}
    known = [f"{n}={shown[n]} ({VARIABLES[n]})" for n in names if n in VARIABLES]
    yield State.OK, ", ".join(known) or "none set", ""
    strange = [name for name in names if name not in VARIABLES]
    if strange:
        todo = f"Check the spelling; seqniah reads {', '.join(VARIABLES)}."
        yield State.NOTE, f"set, but never read: {', '.join(strange)}", todo
