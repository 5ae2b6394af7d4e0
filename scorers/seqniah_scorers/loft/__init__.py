"""LOFT's measures (arXiv 2406.13121), by two profiles.

`official` equals the released evaluator (google-deepmind/loft at 219f68e), with its faults.
`strict` follows the paper, and gives nothing to what only those faults reward.
"""

from __future__ import annotations

from typing import Literal, get_args

Task = Literal["retrieval", "rag", "multi_value_rag", "sql", "icl", "mm"]
"""Kinds of task as the released evaluator names them; mm is retrieval of media."""

TASKS: tuple[Task, ...] = get_args(Task)

RANKED: tuple[Task, ...] = ("retrieval", "mm")
"""Tasks whose answer is a ranking of passages."""

Row = dict[str, float]
"""The measures of one turn by their released names, each 0 to 1."""

Merged = dict[str, str]
"""A passage's id -> that of the first passage of the corpus with the same text."""


class Unscored(Exception):
    """A query that has no score; the message says why."""
