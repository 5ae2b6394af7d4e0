"""LOFT's measures: what the released evaluator gives, and what its faults should not earn."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_scorers.loft import Task, Unscored, official, parsing, strict
from seqniah_scorers.loft.recalls import NAMES, recalls
from seqniah_scorers.loft.tables import same_table

LISTS: list[tuple[str, Any, Any]] = [
    # response, official, strict
    ("Final Answer: ['1', '2']", ["1", "2"], ["1", "2"]),
    ("**Final Answer: [1]**", [1], [1]),
    ("TITLE: x [y] | ID: 3\nFinal Answer: ['3']", [], ["3"]),
    ("<think>[1]</think>\nFinal Answer: [2]", [1], [2]),
    ("Final Answer: [2] <think>or [3]", [], [2]),
    ("Final Answer: [1]\nNo, rather\nFinal Answer: [2]", [1], [2]),
    ("Final Answer: [\n'1',\n'2'\n]", [], ["1", "2"]),
    ('```json\n[\n  ["a", null],\n  [true, 1.5]\n]\n```', [], [["a", None], [True, 1.5]]),
    ("Final Answer: 12", [], None),
    ("[doc1]", [], None),
    ("[D5Y5, y2h8]", [], None),
    ("['1'] or ['2']", [], ["2"]),
    ("['1'], ['2']", (["1"], ["2"]), ["2"]),
    ("['the devil's sleep']", ["the devil's sleep"], ["the devil's sleep"]),
    ("['rock 'n' roll', 'a']", [], ["rock 'n' roll", "a"]),
    ("[“Paris”, ‘Rome’]", [], ["Paris", "Rome"]),
    ("['5*6']", ["56"], ["5*6"]),
    ("[**'Paris'**]", ["Paris"], ["Paris"]),
    ('["a ] b"]', ["a ] b"], ["a ] b"]),
    ("[see ['1']]", [], ["1"]),
    ("[1] # of three]", [1], [1]),
    ("]x[", [], None),
    ("[]", [], []),
    ("", [], None),
    ("[" * 100_000 + "['1']", [], ["1"]),
    ("[" * 100_000 + "]" * 100_000, [], None),
    ("[" + "-" * 100_000 + "1]", [], None),
    ("[" + "9" * 5_000 + "]", [], None),
    ("[f'" + "{1}" * 100_000 + "']", [], None),
    ("['" + "x" * 1_000_000 + "']", [], None),
]


@pytest.mark.parametrize(("response", "released", "read"), LISTS)
def test_lists_are_read_as_released_and_strictly(response: str, released: Any, read: Any) -> None:
    assert parsing.official(response) == released
    assert parsing.strict(response) == read


def test_a_list_is_found_behind_very_many_that_are_none() -> None:
    assert parsing.strict("[x] " * 900 + "['1']" + " [y]" * 900) == ["1"]


@pytest.mark.parametrize(
    ("ranked", "golds", "share", "whole", "capped"),
    [
        # ids, golds, recall@1, 2, 3, 5, mrecall@1, 2, 3, 5, capped_recall@1
        ("a", "a", (1, 1, 1, 1), (1, 1, 1, 1), 1),
        ("xa", "a", (0, 1, 1, 1), (0, 1, 1, 1), 0),
        ("ab", "abc", (1 / 3, 2 / 3, 2 / 3, 2 / 3), (1, 1, 0, 0), 1),
        ("aab", "ab", (1 / 2, 1 / 2, 1, 1), (1, 0, 1, 1), 1),  # a repeated id uses up a place
        ("a", "aa", (1 / 2, 1 / 2, 1 / 2, 1 / 2), (1, 0, 0, 0), 1),  # a gold given twice
        ("xyzwa", "a", (0, 0, 0, 1), (0, 0, 0, 1), 0),
        ("", "", (0, 0, 0, 0), (0, 0, 0, 0), 0),
        ("", "ab", (0, 0, 0, 0), (0, 0, 0, 0), 0),
    ],
)
def test_recalls_by_hand(
    ranked: str, golds: str, share: tuple[float, ...], whole: tuple[float, ...], capped: float
) -> None:
    found = recalls(list(ranked), list(golds))
    assert found == dict(zip(NAMES, (*share, *whole, capped), strict=True))


MANY = ["Paris", "Rome", "Oslo"]
PASSAGE = "Paris is the seat of the government. " * 30

EXPLOITS: list[tuple[Task, Any, list[Any], dict[str, float]]] = [
    # task, golds, what is said, what the released evaluator gives that is not deserved
    ("multi_value_rag", MANY, ["", "", ""], {"subspan_em": 1}),
    ("multi_value_rag", MANY, ["the", "a", "an"], {"subspan_em": 1}),
    ("multi_value_rag", ["Paris", "Rome"], ["r", "o"], {"subspan_em": 1}),
    ("multi_value_rag", ["Paris"], [PASSAGE], {"subspan_em": 1}),
    ("multi_value_rag", MANY, [f"City {n}" for n in range(99)] + MANY, {"coverage": 1}),
    ("rag", ["Paris"], [PASSAGE], {"subspan_em": 1}),
    ("rag", ["art"], ["party"], {"subspan_em": 1}),
    ("rag", ["A"], [""], {"em": 1, "subspan_em": 1}),
    ("rag", ["A"], ["the"], {"em": 1, "subspan_em": 1}),
    ("rag", ["the"], ["The"], {"em": 1, "subspan_em": 1}),
    ("rag", ["..."], ["!"], {"em": 1, "subspan_em": 1}),
    ("rag", ["Paris"], ["Paris", "Rome"], {"em": 1, "f1": 1}),
    ("rag", ["Paris"], ["Paris", ""], {"em": 1, "f1": 1}),
    ("icl", [["(A)"]], [""], {"em": 1}),
    ("icl", [["(A)"]], ["the"], {"em": 1}),
    ("icl", [["(A)"]], ["a"], {"em": 1}),
    ("icl", [["(B)"]], ["(B)", "(C)"], {"em": 1}),
    ("icl", [["New", "York"]], ["York"], {"em": 1}),
    ("sql", [["a"], ["b"]], [["a"], ["a"]], {"exec_acc": 1}),
    ("sql", [["a", 1], ["b", 2]], [[1, "a"], ["b", 2]], {"exec_acc": 1}),
    ("sql", [[1]], [[True]], {"exec_acc": 1}),
    ("sql", [["none"]], [[None]], {"exec_acc": 1}),
    ("sql", [[float("nan")]], [[float("nan")]], {"exec_acc": 1}),
    ("sql", [["nan"]], [[float("nan")]], {"exec_acc": 1}),
    ("sql", [["1"]], [["1", 1.0, "01"]], {"exec_acc": 1}),
    ("sql", [["1"]], [["01"]], {"exec_acc": 1}),
    ("sql", [["", ""]], [[" "]], {"exec_acc": 1}),
    ("sql", [["a", "a"]], [["a"]], {"exec_acc": 1}),
    ("sql", [[0.001]], [[0.004]], {"exec_acc": 1}),
    ("sql", [[2**60]], [[2**60 + 1]], {"exec_acc": 1}),
]


@pytest.mark.parametrize(("task", "golds", "said", "undeserved"), EXPLOITS)
def test_what_faults_alone_reward_is_worth_nothing(
    task: Task, golds: Any, said: list[Any], undeserved: dict[str, float]
) -> None:
    (released,) = official.score(task, golds, {"model_outputs": [said], "num_turns": 1})
    assert {name: released[name] for name in undeserved} == undeserved
    (row,) = strict.score(task, strict.by_turn(task, golds, None), [said])
    assert not any(row.values())


DESERVED: list[tuple[Task, Any, Any, dict[str, float]]] = [
    ("rag", ["Kobol's Last Gleaming"], ["kobol’s last gleaming."], {"em": 1}),
    ("rag", ["Paris"], ["the city of Paris, France"], {"em": 0, "subspan_em": 1, "f1": 2 / 5}),
    ("rag", ["NYC", "New York"], ["New York", "NYC"], {"em": 1, "subspan_em": 1, "f1": 1}),
    ("rag", ["1994"], [1994], {"em": 1}),
    ("rag", ["A"], ["A"], {"em": 1}),
    ("rag", ["The The"], ["the the"], {"em": 1, "subspan_em": 1}),
    ("rag", ["北京"], ["北京"], {"em": 1}),
    ("rag", ["Paris"], [["Paris"]], {"em": 1}),
    ("rag", ["Paris"], "So: ['Paris']", {"em": 1}),
    ("rag", ["Paris"], None, {"em": 0, "subspan_em": 0, "f1": 0}),
    ("multi_value_rag", MANY, ["oslo", "paris", "rome", "Rome"], {"em": 1, "coverage": 1}),
    ("multi_value_rag", MANY, ["Oslo", "Bonn", "Rome"], {"em": 0, "coverage": 2 / 3}),
    ("multi_value_rag", MANY, [*MANY, "Bonn"], {"em": 0, "coverage": 2 / 3, "subspan_em": 0}),
    ("multi_value_rag", MANY, [*MANY, "Bonn", "Ulm"], {"coverage": 1 / 3, "subspan_em": 0}),
    ("multi_value_rag", ["Fly Away Home (2016 film)"], ["Fly Away Home"], {"subspan_em": 1}),
    ("multi_value_rag", ["Sunshine (1999 film)"], ["film"], {"subspan_em": 0}),
    # Both fit the first gold, and only one the second.
    ("multi_value_rag", ["Ann Lee", "Ann"], ["Ann", "Ann Lee"], {"subspan_em": 1}),
    ("icl", [["(A)"]], ["(A)"], {"em": 1}),
    ("icl", [["(A)"]], ["A"], {"em": 1}),
    ("icl", [["New", "York"]], ["New York"], {"em": 1}),
    ("icl", [["Yes"]], ["yes"], {"em": 1}),
    ("icl", [["Yes"]], ["?", "yes"], {"em": 0}),
    ("sql", [["Nassau", "45"], ["Gates", "7"]], [["gates", 7], ["Nassau", 45]], {"exec_acc": 1}),
    ("sql", [["a", 1], ["b", 2]], [[2, "b"], [1, "a"]], {"exec_acc": 1}),
    ("sql", [[1077459.33]], [[1077459.3321]], {"exec_acc": 1}),
    ("sql", [["a", 1.0]], ["a", 1], {"exec_acc": 1}),
    ("sql", [[None]], [[None]], {"exec_acc": 1}),
    ("sql", [["a"], ["a"]], [("a",), ("a",)], {"exec_acc": 1}),
    ("sql", [["a"]], [{"a": 1}], {"exec_acc": 0}),
    ("sql", [["a"]], [["a"], "a"], {"exec_acc": 0}),
]


@pytest.mark.parametrize(("task", "golds", "said", "wanted"), DESERVED)
def test_what_is_right_is_right(
    task: Task, golds: Any, said: Any, wanted: dict[str, float]
) -> None:
    (row,) = strict.score(task, strict.by_turn(task, golds, None), [said])
    assert {name: row[name] for name in wanted} == pytest.approx(wanted)


def test_rankings_drop_unknown_ids_and_repeats() -> None:
    shown = {"0": "doc7", "1": "doc8", "2": "doc9"}
    response = "Final Answer: ['5', 0, '0', ['2']]"
    assert strict.parsed("retrieval", [response], shown) == [["doc7", "doc7", "doc9"]]
    assert official.parsed("retrieval", [response], shown) is None
    assert official.parsed("rag", [response], shown) == [["5", 0, "0", ["2"]]]
    golds = strict.by_turn("retrieval", [["doc9", 1], ["doc9", 1]], None)
    (row,) = strict.score("retrieval", golds, [["doc7", "doc7", "doc9"]])
    assert (row["recall@1"], row["recall@2"], row["mrecall@2"]) == (0, 1, 1)
    merged = {"doc7": "doc7", "doc8": "doc7"}
    (row,) = strict.score("retrieval", [["doc7"]], [["nowhere", "doc8"]], merged)
    assert row["recall@1"] == 1
    with pytest.raises(Unscored, match="the corpus lacks its gold 'doc9'"):
        strict.score("retrieval", golds, [["doc7"]], merged)


RELEASED: list[tuple[Task, Any, Any, Any, Any]] = [
    # task, answers, outputs, turns, rows: what each turn has of the first measure; None: a crash
    ("retrieval", [["a", 1], ["b", 1]], [["b", "a"]], 1, [1 / 2]),
    ("retrieval", [["a", 1], ["b", 1]], [["b"], ["b"]], 2, [0, 1]),
    ("retrieval", [["1", 1]], ["12"], 1, [1]),  # letter by letter
    ("retrieval", [["a", 1.0]], [["a"]], 1, None),
    ("retrieval", [], [["a"]], 1, None),
    ("retrieval", [["a", 1]], [None], 1, None),
    ("retrieval", [["a", 1]], [["a"]], 0, []),
    ("retrieval", [["a", 1]], [["a"]], True, [1]),
    ("retrieval", [["a", 1]], [["a"]], 1.0, None),
    ("rag", ["a", "Thé"], [["THÉ", "x"]], 1, [1]),
    ("rag", ["caf\u00e9"], [["cafe\u0301"]], 1, [1]),
    ("rag", ["cafe"], [["café"]], 1, [0]),
    ("rag", [["a b"], ["c"]], [["c"], ["c"]], 2, [0, 1]),
    ("rag", [["c"]], [["c"]], 1, None),
    ("rag", ["None"], [[None]], 1, [1]),
    ("rag", ["x"], [], 1, None),
    ("rag", ["x"], [[]], 1, [0]),
    ("rag", ["x"], ["xy"], 1, [1]),
    ("multi_value_rag", ["x", "y"], [["Y.", "the x", "x"]], 7, [1]),
    ("multi_value_rag", [], [["x"]], 1, None),
    ("sql", [["a", 2]], [["2.001", "A "]], 1, [1]),
    ("sql", [], [[]], 1, None),
    ("sql", [[1], [2]], [[(1,), (2,)]], 1, [0]),  # wrapped once more
    ("sql", [[[1]], [[2]]], [[[1]], [[1]]], 2, [1, 0]),
    ("icl", [["(B)"]], [["b"]], 1, [1]),
    ("icl", [["1"]], [[1]], 1, None),
    ("icl", [["x", "y"]], [["Y"]], 1, [1]),
]


@pytest.mark.parametrize(("task", "answers", "outputs", "turns", "wanted"), RELEASED)
def test_quirks_of_the_released_evaluator(
    task: Task, answers: Any, outputs: Any, turns: Any, wanted: Any
) -> None:
    prediction = {"model_outputs": outputs, "num_turns": turns}
    if wanted is None:
        with pytest.raises(Unscored, match="the released evaluator crashes"):
            official.score(task, answers, prediction)
    else:
        rows = official.score(task, answers, prediction)
        assert [next(iter(row.values())) for row in rows] == wanted


def test_empty_texts_are_equal_but_share_no_word_officially() -> None:
    (row,) = official.score("rag", ["the"], {"model_outputs": [["..."]], "num_turns": 1})
    assert row == {"em": 1, "subspan_em": 1, "f1": 0}


@pytest.mark.parametrize(
    ("metadata", "crashes"),
    [(None, False), ({}, False), ([], False), ({"candidate_path": "/x"}, True), (3, True)],
)
def test_metadata_name_no_file(metadata: Any, crashes: bool) -> None:
    given = {"model_outputs": [["a"]], "num_turns": 1, "metadata": metadata}
    if crashes:
        with pytest.raises(Unscored):
            official.score("retrieval", [["a", 1]], given)
    else:
        assert official.score("retrieval", [["a", 1]], given)[0]["recall@1"] == 1


def test_a_conversation_of_tables_counts_as_a_whole() -> None:
    golds = strict.by_turn("sql", [[[1]], [[2]]], 2)
    assert strict.score("sql", golds, [[[1]], [[2]]]) == [{"exec_acc": 1}, {"exec_acc": 1}]
    assert strict.score("sql", golds, [[[1]], [[3]]]) == [{"exec_acc": 0}, {"exec_acc": 0}]
    assert strict.score("sql", golds, [[[1]]]) == [{"exec_acc": 0}, {"exec_acc": 0}]
    talk = strict.by_turn("rag", [["x"], ["y"]], 2)
    assert [row["em"] for row in strict.score("rag", talk, [["x"]])] == [1, 0]


@pytest.mark.parametrize(
    ("task", "answers", "turns", "wanted"),
    [
        ("retrieval", [["a", 1], ["b", 1]], None, [["a", "b"]]),
        ("retrieval", [["a", 1], ["b", 1]], 2, [["a"], ["b"]]),
        ("rag", ["x", "y"], None, [["x", "y"]]),
        ("rag", [["x"], ["y"]], 2, [["x"], ["y"]]),
        ("rag", ["x"], 1, [["x"]]),
        ("sql", [[1], [2]], None, [[[1], [2]]]),
        ("sql", [[[1]], [[2]]], 2, [[[1]], [[2]]]),
        ("sql", [[1]], 1, [[[1]]]),
        ("icl", [["New", "York"]], None, [["New", "York"]]),
        ("retrieval", [["a", 1]], 2, "1 answers for 2 turns"),
        ("retrieval", [1], None, "no pairs"),
        ("rag", ["x", "y"], 2, "no list for each turn"),
        ("sql", [[1], [2]], 2, "no lists of rows"),
        ("sql", [1], None, "no lists of rows"),
        ("rag", "x", None, "no list of answers"),
    ],
)
def test_golds_by_turn(task: Task, answers: Any, turns: int | None, wanted: Any) -> None:
    if isinstance(wanted, str):
        with pytest.raises(ValueError, match=wanted):
            strict.by_turn(task, answers, turns)
    else:
        assert strict.by_turn(task, answers, turns) == wanted


def test_a_query_without_golds_is_unscored() -> None:
    for task in ("retrieval", "rag", "sql"):
        with pytest.raises(Unscored, match="no gold"):
            strict.score(task, [[]], [["x"]])


CELLS = [
    ("a", 0),
    ("b", 1),
    (1, 2),
    ("1", 2),
    (1.004, 2),
    (True, 3),
    (None, 4),
    ("", 5),
    (0.001, 6),
]
"""Cells, and which are equal."""

TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(
        st.lists(st.sampled_from(CELLS), min_size=width, max_size=width), min_size=1, max_size=4
    )
)


@given(TABLES, TABLES, st.data())
def test_tables_are_one_where_some_order_of_columns_makes_them_so(
    gold: list[Any], stated: list[Any], data: st.DataObject
) -> None:
    if data.draw(st.booleans()):
        order = data.draw(st.permutations(range(len(gold[0]))))
        stated = [[row[place] for place in order] for row in data.draw(st.permutations(gold))]
        if data.draw(st.booleans()):
            stated[0][0] = CELLS[1]
    wanted = Counter(tuple(kind for _, kind in row) for row in gold)
    same = any(
        Counter(tuple(row[place][1] for place in order) for row in stated) == wanted
        for order in permutations(range(len(stated[0])))
    )
    mine, theirs = ([[cell for cell, _ in row] for row in table] for table in (stated, gold))
    assert same_table(theirs, mine) == same
    if same:
        given = {"model_outputs": [mine], "num_turns": 1}
        assert official.score("sql", theirs, given) == [{"exec_acc": 1}]


def test_a_table_that_takes_too_many_orders_is_another() -> None:
    # A row holds two of the columns, as an edge of a graph has two ends: one ring, or two of half
    # its length, which no look at single columns tells apart.
    def rings(length: int) -> list[list[int]]:
        ends = [{one, one // length * length + (one + 1) % length} for one in range(40)]
        return [[int(place in pair) for place in range(40)] for pair in ends]

    assert not same_table(rings(40), rings(20))
    assert same_table(rings(40), rings(40)[::-1])
