"""Run files as TREC has them: what any engine found, a line for each document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np

from seqniah_datasets.articles.library import Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import Ranking
from seqniah_datasets.sources import files
from seqniah_datasets.store import new_file

_FIELDS = "question Q0 document rank score tag"


@dataclass(frozen=True, slots=True)
class RunFile:
    """The rankings of a file by question."""

    path: Path
    rankings: Mapping[str, Ranking]

    def search_for(self, question: str, k: int) -> Ranking:
        """At most `k` documents. Raises `SeqniahError` where the file lacks the question's id."""
        found = self.rankings.get(question)
        if found is None:
            raise SeqniahError(
                f"{self.path} has no line for the question {question!r}; add its ranking, or leave "
                "the question out."
            )
        return found.first(k)


def read_run(path: Path, library: Library) -> RunFile:
    """Documents by score falling, then by the rank told, then by number.

    Raises `SeqniahError` that names the line which has other than six fields, a rank that is no
    whole number, a score that is not finite, or a document that the library lacks or that the
    question has already.
    """
    found: dict[str, dict[int, tuple[float, int]]] = {}
    for where, line in files.text_lines(path):
        fields = line.split()
        if len(fields) != 6:
            raise SeqniahError(f"{where}, has {len(fields)} fields; a run has six: {_FIELDS}.")
        question, _, id, rank, score, _ = fields
        number = library.numbers.get(id)
        if number is None:
            raise SeqniahError(
                f"{where}: the library has no article {id!r}; is the run of another corpus?"
            )
        told = found.setdefault(question, {})
        if number in told:
            raise SeqniahError(f"{where}: {question!r} has the article {id!r} already; drop one.")
        told[number] = _order(where, rank, score)
    if not found:
        raise SeqniahError(f"{path} has no lines; a run has lines of: {_FIELDS}.")
    return RunFile(path, {question: _ranking(told) for question, told in found.items()})


def _order(where: str, rank: str, score: str) -> tuple[float, int]:
    try:
        order = -float(score), int(rank)
    except ValueError:
        order = float("nan"), 0
    if not isfinite(order[0]):
        raise SeqniahError(
            f"{where}: the rank is a whole number and the score a finite one, not {rank[:40]!r} "
            f"and {score[:40]!r}."
        )
    return order


def _ranking(told: Mapping[int, tuple[float, int]]) -> Ranking:
    numbers = sorted(told, key=lambda number: (told[number], number))
    scores = [-told[number][0] for number in numbers]
    return Ranking(np.array(numbers, np.int64), np.array(scores, np.float64))


def write_run(
    path: Path, rankings: Iterable[tuple[str, Ranking]], library: Library, tag: str
) -> None:
    """Write rankings by question id; read again, they are the same.

    Raises `SeqniahError` for an id with a blank, which the format cannot hold.
    """
    with new_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as out:
        for question, ranking in rankings:
            pairs = zip(ranking.numbers.tolist(), ranking.scores.tolist(), strict=True)
            for rank, (number, score) in enumerate(pairs, 1):
                fields = (question, "Q0", library.articles[number].id, str(rank), str(score), tag)
                line = " ".join(fields)
                if len(line.split()) != len(fields):
                    raise SeqniahError(
                        f"{path}: one of {question!r}, {fields[2]!r} and {tag!r} is empty or has a "
                        "blank, which divides fields in run files; name it without."
                    )
                out.write(f"{line}\n")
