"""Runs SQL that somebody else wrote, in a child process that can do nothing but read one database.

Text-to-SQL data sets bring their queries as text (arXiv 2406.13121, section 3.4). SQLite's own
limits do not hold all: one call of printf can take a gigabyte between two looks at the clock. So
the child has limits of memory and time of its own where its platform has such, may call only listed
functions, and is ended from outside.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError

SECONDS = 1.0
"""Of computing, for one query."""

MEMORY = 256 * 1024 * 1024
"""Bytes that the child may map."""

MOST = 4_000_000
"""Bytes of all rows of one query."""

_PATIENCE = 15.0
"""Seconds by the clock after which the child is ended, beside those of its queries; machines can be
busy."""

_SHOWN = 200
"""Characters of a query in a message."""


class Refused(SeqniahError):
    """A query was not run to its end: it is wrong, not allowed, or too much."""


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    """The rows of one query; a blob is its bytes in hexadecimal.

    Raises `Refused`, or `SeqniahError` where the database cannot be read.
    """
    return all_rows(database, [sql])[0]


def all_rows(database: Path, queries: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The rows of each query, found by one child. Raises like `rows`, for the first refused."""
    answers = _answers(database, queries)
    for sql, answer in zip(queries, answers, strict=True):
        if "refused" in answer:
            raise Refused(
                f"A query on {database.name} was not run ({answer['refused']}): {_short(sql)}"
            )
    return [[tuple(row) for row in answer["rows"]] for answer in answers]


def _answers(database: Path, queries: Sequence[str]) -> list[dict[str, Any]]:
    if not database.is_file():
        raise SeqniahError(f"There is no database {database}.")
    asked = {
        "uri": f"{database.resolve().as_uri()}?mode=ro&immutable=1",
        "queries": list(queries),
        "seconds": SECONDS,
        "memory": MEMORY,
        "most": MOST,
    }
    child = Path(__file__).with_name("sandboxed.py")
    try:
        done = subprocess.run(
            # Isolated: no site packages, no variables of the environment, no folder of ours.
            [sys.executable, "-I", "-S", str(child)],
            input=json.dumps(asked).encode("ascii"),
            capture_output=True,
            timeout=_PATIENCE + SECONDS * len(queries),
        )
        answers: list[dict[str, Any]] = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        raise Refused(
            f"Queries on {database.name} were stopped as they take too long: {_short(queries[0])}"
        ) from None
    except ValueError:  # the child ended early: by a limit, or as the file is no database
        raise Refused(
            f"Queries on {database.name} went beyond the limits of memory or time: "
            f"{_short(queries[0])}"
        ) from None
    return answers


def _short(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
