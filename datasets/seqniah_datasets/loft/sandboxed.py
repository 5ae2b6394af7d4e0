"""The child that runs SQL; see `sandbox`. It imports nothing of ours, for it starts alone.

It reads a request as JSON from its input, sets its limits, and writes rows or a refusal as JSON.
"""

from __future__ import annotations

import json
import sqlite3
import sys
import time
from typing import Any

_FUNCTIONS = """
    abs avg ceil ceiling coalesce count cume_dist date datetime dense_rank first_value floor
    group_concat ifnull iif instr julianday lag last_value lead length like lower ltrim max min
    nth_value ntile nullif percent_rank rank replace round row_number rtrim sign strftime substr
    substring sum time total trim typeof unicode upper
"""

FUNCTIONS = frozenset(_FUNCTIONS.split())
"""What a query may call: nothing that makes much of little or leaves the database."""

_ACTIONS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})

_TEXT = 1_000_000
"""Bytes of a text or a row, at most."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: _TEXT,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 200,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}

_STEPS = 10_000
"""Steps of SQLite's machine between looks at the clock: less than a millisecond."""


def _limited(memory: int, seconds: float) -> None:
    """Bound this process, where its platform can."""
    try:
        import resource
    except ImportError:  # Windows: the parent's clock and SQLite's own limits remain
        return
    wanted = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: int(seconds) + 2,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_CORE: 0,
    }
    for what, limit in wanted.items():
        try:
            resource.setrlimit(what, (limit, limit))
        except (ValueError, OSError):  # macOS knows RLIMIT_AS and refuses it
            continue


def _allowed(action: int, first: str | None, second: str | None, *_: object) -> int:
    if action == sqlite3.SQLITE_READ and (first or "").lower().startswith(("sqlite_", "pragma_")):
        return sqlite3.SQLITE_DENY
    if action in _ACTIONS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in FUNCTIONS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _opened(uri: str) -> sqlite3.Connection:
    base = sqlite3.connect(uri, uri=True, isolation_level=None)
    base.text_factory = lambda raw: raw.decode("utf-8", "replace")
    base.execute("PRAGMA trusted_schema = OFF")
    base.execute("PRAGMA temp_store = MEMORY")  # this process may write no file
    for limit, value in _LIMITS.items():
        base.setlimit(limit, value)
    base.set_authorizer(_allowed)
    return base


def _plain(cell: Any) -> Any:
    return cell.hex() if isinstance(cell, bytes) else cell


def _run(base: sqlite3.Connection, sql: str, seconds: float, most: int) -> dict[str, Any]:
    """The rows of one query, or why there are none."""
    end = time.process_time() + seconds
    base.set_progress_handler(lambda: time.process_time() > end, _STEPS)
    rows, size = [], 0
    try:
        found = base.execute(sql)
        if found.description is None:
            return {"refused": "it asks for nothing"}
        for row in found:
            rows.append([_plain(cell) for cell in row])
            size += sum(len(cell) if isinstance(cell, str) else 8 for cell in rows[-1])
            if size > most:
                return {"refused": f"its rows are more than {most:,} bytes"}
    except (sqlite3.Error, sqlite3.Warning, UnicodeError) as error:
        slow = time.process_time() > end
        return {"refused": f"it takes more than {seconds:g} s" if slow else str(error)}
    except MemoryError:
        return {"refused": "it needs too much memory"}
    return {"rows": rows}


def main() -> None:
    """Answer the request on the input."""
    asked = json.load(sys.stdin)
    _limited(asked["memory"], asked["seconds"] * len(asked["queries"]))
    base = _opened(asked["uri"])
    found = [_run(base, sql, asked["seconds"], asked["most"]) for sql in asked["queries"]]
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
