"""Files of cases to judge, one JSON object a line, and of the verdicts on them."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, TypeVar

import typer

from seqniah_datasets.errors import SeqniahError, visible
from seqniah_datasets.schema import LANGS
from seqniah_datasets.store import new_file
from seqniah_scorers import rules
from seqniah_scorers.verdict import Case, NeedleType, Verdict

T = TypeVar("T")

NEEDLE_TYPES: tuple[NeedleType, ...] = ("temporal", "logical")
CASE_FIELDS = frozenset(
    ("id", "lang", "needle_type", "question", "reference", "response", "order_required", "needles")
)
"""What is read of a case that is to be judged."""

_NAMED = 8
"""Fields that a message names."""

MOST_LINE = 16_000_000
"""Characters of a row; a longer line is no case."""


@dataclass(frozen=True, slots=True)
class CaseRow:
    """One row of a file of cases."""

    id: str
    """Unique in its file."""
    case: Case
    answered: bool
    """Whether there is a response at all; null stands for one that never came."""
    fields: dict[str, Any]
    """The whole row, for fields beyond the case."""


def read_cases(path: Path) -> list[CaseRow]:
    """All cases of a file. Raises `SeqniahError` that names file, line and field."""
    found: list[CaseRow] = []
    lines: dict[str, int] = {}
    for number, text in numbered(path):
        row = _row(f"{path}, line {number}", text)
        if row.id in lines:
            raise SeqniahError(
                f"{path}, line {number}: the id {row.id!r} was given in line {lines[row.id]} "
                "already; give every case its own."
            )
        lines[row.id] = number
        found.append(row)
    if not found:
        raise SeqniahError(f"{path} holds no case; write one JSON object a line.")
    return found


def numbered(path: Path, what: str = "case") -> Iterator[tuple[int, str]]:
    """The lines of a file that hold anything, by number; each is one `what`.

    Raises `SeqniahError` that names the file, and the line that is too long.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="\n") as file:
            for number, line in enumerate(file, start=1):
                if len(line) > MOST_LINE:
                    raise SeqniahError(
                        f"{path}, line {number} has {len(line):,} characters; {what}s have at most "
                        f"{MOST_LINE:,}."
                    )
                if line.strip():
                    yield number, line
    except UnicodeDecodeError as error:
        raise SeqniahError(f"{path} is not UTF-8 text ({error.reason}); convert it.") from error
    except OSError as error:
        raise SeqniahError(f"The {what}s {path} cannot be read: {error.strerror}.") from error


def json_object(where: str, line: str) -> dict[str, Any]:
    """The fields of a line. Raises `SeqniahError` that names the place, `where`."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SeqniahError(f"{where} is not JSON ({error}).") from error
    if not isinstance(fields, dict):
        raise SeqniahError(f"{where} is no JSON object.")
    return fields


def unread(where: str, fields: Collection[str], known: Collection[str]) -> set[str]:
    """Fields that nothing reads. Raises `SeqniahError` for one that is nearly one of the `known`
    that are left out.
    """
    others = set(fields) - set(known)
    for name in sorted(others):
        if near := get_close_matches(name, sorted(set(known) - set(fields)), n=1, cutoff=0.8):
            raise SeqniahError(f"{where}: nothing reads {name!r}; did you mean {near[0]}?")
    return others


def tell_unread(path: Path, names: Collection[str]) -> None:
    """Say on standard error which fields of a file nothing reads."""
    if names:
        told = ", ".join(visible(name[:60]) for name in sorted(names)[:_NAMED])
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        typer.echo(f"seqniah: nothing reads these fields of {path}: {told}{more}.", err=True)


def _row(where: str, line: str) -> CaseRow:
    fields = json_object(where, line)
    needle_type = _chosen(where, fields, "needle_type", NEEDLE_TYPES)
    order = fields.get("order_required")
    if order is not None and not isinstance(order, bool):
        raise SeqniahError(f"{where}: order_required is true, false or left out, not {order!r}.")
    response = fields.get("response", "")
    if "response" not in fields or not isinstance(response, str | None):
        raise SeqniahError(f"{where}: response is a text, or null where none came.")
    case = Case(
        lang=_chosen(where, fields, "lang", LANGS),
        needle_type=needle_type,
        question=_text(where, fields, "question"),
        reference=_text(where, fields, "reference"),
        response=response or "",
        order_required=order,
        needles=_texts(where, fields, "needles"),
    )
    return CaseRow(_id(where, fields), case, response is not None, fields)


def _id(where: str, fields: dict[str, Any]) -> str:
    given = fields.get("id")
    if isinstance(given, int) and not isinstance(given, bool):
        return str(given)
    return _text(where, fields, "id")


def _text(where: str, fields: dict[str, Any], name: str) -> str:
    given = fields.get(name)
    if not isinstance(given, str) or not given.strip():
        raise SeqniahError(f"{where}: {name} is missing or is no text.")
    return given


def _texts(where: str, fields: dict[str, Any], name: str) -> tuple[str, ...]:
    given = fields.get(name) or []
    if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
        raise SeqniahError(f"{where}: {name} is a list of texts, or left out.")
    return tuple(given)


def _chosen(where: str, fields: dict[str, Any], name: str, known: tuple[T, ...]) -> T:
    given = fields.get(name)
    if given not in known:
        raise SeqniahError(f"{where}: {name} is {' or '.join(map(str, known))}, not {given!r}.")
    return known[known.index(given)]


def unanswered(case: Case) -> Verdict:
    """The verdict on a case whose response never came: unscored."""
    reason = "The row has no response (null), so there is nothing to judge."
    return rules.judge(case).decided(None, reason)


def verdict_row(row_id: str, verdict: Verdict) -> dict[str, object]:
    """A verdict as one row of a file."""
    order = verdict.order_agreement
    return {
        "id": row_id,
        "correct": verdict.correct,
        "failure_modes": [str(mode) for mode in verdict.failure_modes],
        "item_recall": round(verdict.item_recall, 4),
        "item_precision": round(verdict.item_precision, 4),
        "order_agreement": None if order is None else round(order, 4),
        "order_required": verdict.order_required,
        "reason": verdict.reason,
        "probability": None if verdict.probability is None else round(verdict.probability, 4),
        "doubts": list(verdict.doubts),
        "pairs": [
            {"reference": pair.reference, "answer": pair.answer, "same": pair.same}
            for pair in verdict.pairs
        ],
    }


def write_rows(path: Path, rows: Iterable[dict[str, object]]) -> int:
    """Write rows to `path`, whole or not at all. Returns how many."""
    count = 0
    with new_file(path) as temporary, temporary.open("wb") as file:
        for row in rows:
            line = json.dumps(row, ensure_ascii=False) + "\n"
            # Half a surrogate pair, which JSON can hold and UTF-8 cannot, stays an escape.
            file.write(line.encode("utf-8", "backslashreplace"))
            count += 1
    return count
