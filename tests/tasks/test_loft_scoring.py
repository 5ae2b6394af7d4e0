"""`seqniah score loft`: files in, figures out, and what becomes of answers that do not come."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import in_process
import pytest

from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.loft.score import score
from seqniah_tasks.benchmarks.protocol import Answered


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(name: str, rows: Sequence[Any]) -> None:
    Path(name).write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")


def scored(task: str, *words: str, code: int = 0) -> dict[str, Any]:
    files = ("--queries", "q.jsonl", "--predictions", "p.jsonl")
    done = in_process.done(["score", "loft", "--task", task, *files, *words, "--json"])
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


TURNS = {"query_text": ["first", "second"], "metadata": {}}
ROWS = {
    "retrieval": [
        {"qid": "a", "query_text": "q", "answers": [["d1", 1], ["d2", 1]]},
        {"qid": "b", **TURNS, "answers": [["d1", 1], ["d2", 1]]},
    ],
    "rag": [
        {"qid": "a", "query_text": "q", "answers": ["Paris"]},
        {"qid": "b", **TURNS, "answers": [["Rome"], ["Oslo"]]},
    ],
    "multi_value_rag": [
        {"qid": "a", "query_text": "q", "answers": ["Paris", "Rome"]},
        {"qid": "b", "query_text": "q", "answers": ["Oslo"]},
    ],
    "sql": [
        {"qid": "a", "query_text": "q", "answers": [["x", 1]]},
        {"qid": "b", **TURNS, "answers": [[[1]], [[2]]]},
    ],
    "icl": [
        {"qid": "a", "query_text": "q", "answers": [["(B)"]]},
        {"qid": "b", "query_text": "q", "answers": [["(A)"]]},
    ],
}
ROWS["mm"] = ROWS["retrieval"]
RIGHT: dict[str, list[Any]] = {
    "retrieval": [["d2", "d1"]],
    "rag": [["Paris"]],
    "multi_value_rag": [["Rome", "Paris"]],
    "sql": [[["x", 1]]],
    "icl": [["(B)"]],
}
RIGHT["mm"] = RIGHT["retrieval"]
ONE_ROW = {
    # task: the measures of a query without a prediction, officially and strictly
    "retrieval": ("capped_recall@1", "capped_recall@1"),
    "mm": ("mrecall@5", "mrecall@5"),
    "rag": ("em subspan_em f1", "em subspan_em f1"),
    "multi_value_rag": ("em subspan_em f1", "em coverage subspan_em"),
    "sql": ("exec_acc", "exec_acc"),
    "icl": ("em", "em"),
}


@pytest.mark.parametrize("task", ONE_ROW)
@pytest.mark.parametrize("profile", ["official", "strict"])
def test_a_query_without_a_prediction_is_wrong(task: str, profile: str) -> None:
    write("q.jsonl", ROWS[task])
    write("p.jsonl", [{"qid": "a", "num_turns": 1, "model_outputs": RIGHT[task]}])
    told = scored(task, "--profile", profile)
    assert (told["unanswered"], told["unscored"], told["unscored_qids"]) == (1, 0, [])
    first, *missing = told["per_turn"]
    names = ONE_ROW[task][profile == "strict"].split()
    assert (first.pop("qid"), first.pop("turn_id")) == ("a", "0")
    assert all(first[name] == 1 for name in names if name in first)
    # A conversation is one row officially, and strictly one a turn.
    turns = 2 if profile == "strict" and isinstance(ROWS[task][1]["query_text"], list) else 1
    assert [(row["qid"], row["turn_id"]) for row in missing] == [("b", "0"), ("b", "1")][:turns]
    assert all(row[name] == 0 for row in missing for name in names)
    whole = 2 if task == "sql" else 1 + turns  # tables of a conversation count once
    for name in names:
        rows = sum(name in row for row in [first, *missing])
        assert told["metrics"][name] == pytest.approx(first.get(name, 0) / min(rows, whole))


def test_means_are_of_those_turns_that_have_the_measure() -> None:
    write("q.jsonl", ROWS["multi_value_rag"])
    write("p.jsonl", [{"qid": "a", "num_turns": 1, "model_outputs": [["Paris", "Bonn"]]}])
    told = scored("multi_value_rag", "--profile", "official")
    assert told["metrics"] == {"em": 0, "coverage": 1 / 2, "subspan_em": 0, "f1": 0}
    assert scored("multi_value_rag")["metrics"] == {"em": 0, "coverage": 1 / 4, "subspan_em": 0}


def test_conversations_of_tables_count_once_strictly() -> None:
    write("q.jsonl", ROWS["sql"])
    said = [{"qid": "a", "num_turns": 1, "model_outputs": RIGHT["sql"]}]
    write("p.jsonl", [*said, {"qid": "b", "num_turns": 2, "model_outputs": [[[1]], [[3]]]}])
    assert scored("sql", "--profile", "official")["metrics"] == {"exec_acc": pytest.approx(2 / 3)}
    assert scored("sql")["metrics"] == {"exec_acc": 1 / 2}


def test_responses_are_parsed_and_mapped() -> None:
    ids = {"0": "d1", "1": "d2", "2": "d3"}
    write("q.jsonl", ROWS["retrieval"])
    rows = [
        {"qid": "a", "response": "ID: 7 [sic]\nFinal Answer: ['1', '9', 0]", "id_to_pid": ids},
        {"qid": "b", "response": ["['0']", "<think>['0']</think>['1']"], "id_to_pid": ids},
    ]
    write("p.jsonl", rows)
    strict = scored("retrieval")
    assert [row["mrecall@2"] for row in strict["per_turn"]] == [1, 1, 1]
    official = scored("retrieval", "--profile", "official")
    # The first line with brackets is no list; of the conversation, thoughts are read.
    assert [row["recall@1"] for row in official["per_turn"]] == [0, 1, 0]
    rows[0]["response"] = "Final Answer: ['1', '9', 0]"
    write("p.jsonl", rows)
    official = scored("retrieval", "--profile", "official")
    assert official["unanswered"] == 1  # for the unknown id
    rows[0] = {"qid": "a", "response": None}
    write("p.jsonl", rows)
    assert scored("retrieval", "--profile", "official")["unanswered"] == 1
    assert scored("retrieval")["unanswered"] == 1
    write("p.jsonl", [{"qid": "a", "response": "['d1']", "id_to_pid": None}])
    assert scored("retrieval", "--profile", "official")["per_turn"][0]["recall@1"] == 1 / 2


def test_crashes_of_the_original_are_listed() -> None:
    write("q.jsonl", [*ROWS["icl"], {"qid": 3, "query_text": "q", "answers": [["1"]]}])
    rows = [
        {"qid": "a", "num_turns": 1, "model_outputs": RIGHT["icl"]},
        {"qid": "b", "num_turns": 1},
        {"qid": 3, "num_turns": 1, "model_outputs": [[1]]},
    ]
    write("p.jsonl", rows)
    told = scored("icl", "--profile", "official", code=3)
    assert (told["unscored"], told["unscored_qids"], told["metrics"]) == (2, ["b", 3], {"em": 1})
    assert [row["qid"] for row in told["per_turn"]] == ["a"]
    # Strictly, the number is the label, but a row without an outcome is a mistake in the file.
    assert scored("icl", code=3)["unscored_qids"] == ["b"]
    done = in_process.run(
        *("score", "loft", "--task", "icl", "--queries", "q.jsonl", "--predictions", "p.jsonl"),
        code=3,
    )
    assert "1 unscored; the first, 'b', because its prediction has neither" in done


def test_examples_in_an_array_are_numbered() -> None:
    examples = [{"input": "one", "target": "(B)"}, {"input": "two", "target": "New York"}]
    Path("q.jsonl").write_text(json.dumps(examples, indent=1), "utf-8")
    write("p.jsonl", [{"qid": "0", "response": "['(B)']"}, {"qid": 1, "response": "['York']"}])
    official = scored("icl", "--profile", "official")
    assert [(row["qid"], row["em"]) for row in official["per_turn"]] == [("0", 1), ("1", 1)]
    assert [row["em"] for row in scored("icl")["per_turn"]] == [1, 0]
    write("q.jsonl", [{"query_text": "q", "answers": [["(B)"]]}])  # nor has this row a qid
    assert scored("icl")["per_turn"] == [{"qid": "0", "turn_id": "0", "em": 1}]


def test_equal_passages_of_a_corpus_are_one() -> None:
    def passage(pid: str, text: str) -> dict[str, str]:
        return {"pid": pid, "title_text": " T", "passage_text": text}

    write("c.jsonl", [passage("d1", "x "), passage("d2", "y"), passage("d3", "x")])
    write("q.jsonl", [{"qid": "a", "query_text": "q", "answers": [["d1", 1]]}])
    write("p.jsonl", [{"qid": "a", "num_turns": 1, "model_outputs": [["d3"]]}])
    for profile in ("official", "strict"):
        assert scored("retrieval", "--profile", profile)["metrics"]["recall@1"] == 0
        told = scored("retrieval", "--profile", profile, "--corpus", "c.jsonl")
        assert told["metrics"]["recall@1"] == 1
    write("p.jsonl", [{"qid": "a", "num_turns": 1, "model_outputs": [["d9", "d3"]]}])
    assert scored("retrieval", "--corpus", "c.jsonl")["metrics"]["recall@1"] == 1
    words = ("--corpus", "c.jsonl", "--profile", "official")
    assert scored("retrieval", *words, code=3)["unscored_qids"] == ["a"]


def test_runs_and_qrels_as_trec_has_them() -> None:
    write("q.jsonl", [*ROWS["retrieval"], {"qid": "c d", "query_text": "q", "answers": [["x", 1]]}])
    rows = [
        {"qid": "a", "num_turns": 1, "model_outputs": [["d1", "x y", "d1", "d2"]]},
        {"qid": "b", "num_turns": 2, "model_outputs": [["d3", "d1"], []]},
    ]
    write("p.jsonl", rows)
    scored("retrieval", "--profile", "official", "--trec", "out/trec")
    run = Path("out/trec/run.trec").read_text("utf-8").splitlines()
    assert run == [
        "a Q0 d1 1 3 seqniah",
        "a Q0 x%20y 2 2 seqniah",
        "a Q0 d2 3 1 seqniah",
        "b-0 Q0 d3 1 2 seqniah",
        "b-0 Q0 d1 2 1 seqniah",
    ]
    qrels = Path("out/trec/qrels.trec").read_text("utf-8").splitlines()
    assert qrels == ["a 0 d1 1", "a 0 d2 1", "b-0 0 d1 1", "b-1 0 d2 1", "c%20d 0 x 1"]


def test_recalls_are_those_of_another_evaluator() -> None:
    measures = pytest.importorskip("ir_measures")
    ids = [f"d{number}" for number in range(8)]
    queries, said = [], []
    for number in range(40):
        golds = [ids[(number * step) % 8] for step in (1, 3, 5)][: 1 + number % 3]
        golds = list(dict.fromkeys(golds))
        queries.append({"qid": f"q{number}", "query_text": "q", "answers": [[d, 1] for d in golds]})
        ranked = [ids[(number // 2 + 3 * place) % 8] for place in range(number % 7)]
        said.append({"qid": f"q{number}", "num_turns": 1, "model_outputs": [ranked]})
    write("q.jsonl", queries)
    write("p.jsonl", said[1:])
    for profile in ("official", "strict"):
        told = scored("retrieval", "--profile", profile, "--trec", "trec")["metrics"]
        wanted = {k: measures.R @ k for k in (1, 2, 3, 5)}
        found = measures.calc_aggregate(
            list(wanted.values()),
            measures.read_trec_qrels("trec/qrels.trec"),
            measures.read_trec_run("trec/run.trec"),
        )
        assert {k: told[f"recall@{k}"] for k in wanted} == pytest.approx(
            {k: found[one] for k, one in wanted.items()}
        )
        assert 0 < told["recall@1"] < told["recall@5"] < 1


def test_rows_that_count_for_nothing_are_told() -> None:
    write("q.jsonl", ROWS["icl"][:1])
    rows = [{"qid": qid, "response": said} for qid, said in (("a", "['(C)']"), ("z", ""))]
    write("p.jsonl", [*rows, {"qid": "a", "response": "['(B)']"}])
    done = in_process.done(
        ["score", "loft", "--task", "icl", "--queries", "q.jsonl", "--predictions", "p.jsonl"]
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "em               100.0%")
    assert "predictions repeated; the last counts: 'a'." in done.stderr
    assert "predictions of no query: 'z'." in done.stderr


QUERY = '{"qid": "a", "query_text": "q", "answers": [["(B)"]]}'
SAID = '{"qid": "a", "response": "x"}'


@pytest.mark.parametrize(
    ("queries", "predictions", "words", "told"),
    [
        (QUERY, SAID, "--task sq", "Unknown task 'sq'; known: retrieval, rag,"),
        (QUERY, SAID, "--task icl --profile loose", "Unknown profile 'loose'; known: strict"),
        (QUERY, SAID, "--task icl --corpus c.jsonl", "--corpus is for the tasks retrieval and mm"),
        (QUERY, SAID, "--task icl --trec out", "--trec is for the tasks retrieval and mm"),
        (QUERY, SAID, "--task mm --corpus c.jsonl", "passages c.jsonl cannot be read: No such"),
        (QUERY, SAID, "--task mm --trec q.jsonl", "q.jsonl is a file; --trec is a folder"),
        (f"{QUERY}\n{QUERY}", SAID, "--task icl", "line 2: the qid 'a' was given in q.jsonl, line"),
        ('{"qid": "a"}', SAID, "--task icl", "q.jsonl, line 1: answers are missing"),
        ('{"qid": [], "answers": []}', SAID, "--task icl", "line 1: qid is missing, or neither"),
        ("[1]", SAID, "--task icl", "q.jsonl, example 0 is no JSON object"),
        ("[" * 100_000, SAID, "--task icl", "q.jsonl is not JSON"),
        ("", SAID, "--task icl", "q.jsonl holds no query"),
        (QUERY, '{"response": "x"}', "--task icl", "p.jsonl, line 1: qid is missing"),
        (QUERY, f"{SAID}\n{{", "--task icl", "p.jsonl, line 2 is not JSON"),
        (QUERY, '{"qid": ' + "[" * 100_000, "--task icl", "p.jsonl, line 1 is not JSON"),
        (QUERY, '{"qid": "a", "response": 1}', "--task icl", "line 1: response is a text"),
        (QUERY, SAID[:-1] + ', "id_to_pid": [1]}', "--task mm", "line 1: id_to_pid is an object"),
        (QUERY, SAID, "--task rag", None),
        ('{"qid": "a", "answers": "x"}', SAID, "--task rag", "'a' has no list of answers"),
        ('{"qid": "a", "answers": [1]}', SAID, "--task mm", "'a' has answers that are no pairs"),
    ],
)
def test_bad_input_is_one_sentence(
    queries: str, predictions: str, words: str, told: str | None
) -> None:
    Path("q.jsonl").write_text(queries, "utf-8")
    Path("p.jsonl").write_text(predictions, "utf-8")
    done = in_process.done(
        ["score", "loft", "--queries", "q.jsonl", "--predictions", "p.jsonl", *words.split()]
    )
    assert done.returncode == (1 if told else 0)
    assert "Traceback" not in done.stderr
    if told:
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_an_answer_in_a_run_has_both_profiles() -> None:
    facts = {"kind": "multi_value_rag", "answers": ["Paris", "Rome"]}
    found = score(Answered("q", "", facts, "Final Answer: ['r', 'o']"))
    assert (found.score, found.figures) == (0, {"strict": 0, "official": 1})
    facts = {"kind": "retrieval", "answers": [["d1", 1]], "id_to_pid": {"4": "d1"}}
    found = score(Answered("q", "", facts, "Final Answer: ['4', '5']"))
    assert (found.score, found.figures["official"]) == (1, 0)
    assert found.reason == "recall@1 1.000; read: `['d1']`."
    assert "loft" in benchmarks.known()
