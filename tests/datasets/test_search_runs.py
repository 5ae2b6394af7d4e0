from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from seqniah_datasets.articles.library import Article, Library
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.search.base import Ranking
from seqniah_datasets.search.runs import read_run, write_run

LIBRARY = Library.of([Article(id, "x", "") for id in ("d0", "d1", "d2", "d3", "d 4")])


def test_a_run_is_ordered_by_score_then_rank_then_number(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    path.write_text(
        "q1 Q0 d2 9 1.5 tag\nq2\tQ0\td0\t1\t7\ttag\n\nq1 Q0 d3 2 1.5 tag\r\n"
        "q1 Q0 d1 2 1.5e0 tag\nq1 Q0 d0 1 -2 tag\n"
    )
    run = read_run(path, LIBRARY)
    found = run.search_for("q1", 10)
    assert found.numbers.tolist() == [1, 3, 2, 0]
    assert found.scores.tolist() == [1.5, 1.5, 1.5, -2]
    assert run.search_for("q1", 2).numbers.tolist() == [1, 3]
    assert run.search_for("q2", 2).numbers.tolist() == [0]
    with pytest.raises(SeqniahError, match=r"run\.trec has no line for the question 'q3'"):
        run.search_for("q3", 2)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("q Q0 d1 2 1.0", "line 2, has 5 fields"),
        ("q Q0 d 4 2 1.0 tag", "line 2, has 7 fields"),
        ("q Q0 d9 2 1.0 tag", "line 2: the library has no article 'd9'"),
        ("q Q0 d0 2 1.0 tag", "line 2: 'q' has the article 'd0' already"),
        ("q Q0 d1 x 1.0 tag", "line 2: the rank is .* not 'x' and '1.0'"),
        ("q Q0 d1 2 nan tag", "line 2: the rank is"),
        ("q Q0 d1 2 1e999 tag", "line 2: the rank is"),
        ("q Q0 d1 2 high tag", "line 2: the rank is"),
    ],
)
def test_a_run_that_cannot_be_read_names_its_line(tmp_path: Path, line: str, told: str) -> None:
    path = tmp_path / "run.trec"
    path.write_text(f"q Q0 d0 1 2.0 tag\n{line}\n")
    with pytest.raises(SeqniahError, match=f"run.trec, {told}"):
        read_run(path, LIBRARY)
    path.write_text("\n")
    with pytest.raises(SeqniahError, match=r"run\.trec has no lines"):
        read_run(path, LIBRARY)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "run.trec"
    one = Ranking(np.array([3, 0, 2]), np.array([1 / 3, 0.1, 0.1]))  # ties against the numbers
    two = Ranking(np.array([2, 1]), np.array([1e-30, -0.5]))
    write_run(path, [("q1", one), ("q2", two)], LIBRARY, "mine")
    assert path.read_bytes().splitlines()[2] == b"q1 Q0 d2 3 0.1 mine"
    run = read_run(path, LIBRARY)
    for question, ranking in (("q1", one), ("q2", two)):
        found = run.search_for(question, 9)
        assert found.numbers.tolist() == ranking.numbers.tolist()
        assert found.scores.tolist() == ranking.scores.tolist()


@pytest.mark.parametrize(
    ("question", "number", "tag"), [("q 1", 0, "t"), ("", 0, "t"), ("q", 4, "t"), ("q", 0, "a b")]
)
def test_names_with_blanks_cannot_be_written(
    tmp_path: Path, question: str, number: int, tag: str
) -> None:
    ranking = Ranking(np.array([number]), np.array([1.0]))
    with pytest.raises(SeqniahError, match="empty or has a blank"):
        write_run(tmp_path / "run.trec", [(question, ranking)], LIBRARY, tag)
    assert not list(tmp_path.iterdir())
