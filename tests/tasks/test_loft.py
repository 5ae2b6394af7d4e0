"""LOFT's tasks: prompts to the byte, turns, the floor's answers, and what is refused."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
from in_process import done, run
from inspect_ai import eval as inspect_eval
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, read_eval_log_sample_summaries
from inspect_ai.model import ContentText, ModelOutput, ModelUsage, get_model
from loft_folders import rows

import seqniah
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect.solve import _in_turn
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.loft.bench import Loft
from seqniah_tasks.benchmarks.loft.reader import bm25
from seqniah_tasks.benchmarks.loft.turns import follow
from seqniah_tasks.benchmarks.protocol import Answered, Turn
from seqniah_tasks.serve.asking import Api, parse

NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def passages(path: Path) -> None:
    texts = [
        {
            "pid": f"doc{n}",
            "title_text": f"Town {word}" if n % 2 else "",
            "passage_text": f"The mayor of {word} is Ann {word.capitalize()}son.",
            "metadata": {},
        }
        for n, word in enumerate(NUMBERS)
    ]
    rows(path, texts)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A released folder of small data sets at 32k: few_shot asks of one, dev of seven and two."""
    for folder, single in (("retrieval/nq", True), ("retrieval/topiocqa", False), ("rag/nq", True)):
        place = tmp_path / folder / "32k"
        passages(place / "corpus.jsonl")
        for split, numbers in (("few_shot", [1]), ("dev", [7, 2])):
            found = [_query(folder, number, single) for number in numbers]
            rows(place / f"{split}_queries.jsonl", found)
    place = tmp_path / "sql" / "spider" / "32k"
    tables = [
        {"pid": pid, "title_text": pid.upper(), "passage_text": "a,b\n1,2", "metadata": {}}
        for pid in ("x0", "x1", "y0")
    ]
    rows(place / "corpus.jsonl", tables)
    asked = [
        {
            "qid": f"s{n}",
            "query_text": f"How many {n}?",
            "answers": [[1]],
            "metadata": {"db_id": name, "candidate_pids": pids},
        }
        for n, (name, pids) in enumerate((("x", ["x1", "x0"]), ("y", ["y0"]), ("x", ["x1", "x0"])))
    ]
    rows(place / "dev_queries.jsonl", asked)
    place = tmp_path / "icl" / "web_of_lies" / "32k"
    rows(place / "corpus.json", [{"input": f"{n}?", "target": f"({n})"} for n in NUMBERS])
    rows(place / "dev_queries.json", [{"input": "Is it seven?", "target": "(seven)"}])
    return tmp_path


def _query(folder: str, number: int, single: bool) -> dict[str, Any]:
    word, other = NUMBERS[number], NUMBERS[number + 1]
    pairs = [[f"doc{number}", 1], [f"doc{number + 1}", 1]]
    answers: list[Any] = [f"Ann {word.capitalize()}son"] if folder.startswith("rag") else pairs[:1]
    return {
        "qid": str(number),
        "query_text": f"Who rules {word}?" if single else [f"Who rules {word}?", f"And {other}?"],
        "answers": answers if single else pairs,
        "metadata": {"qrels": pairs[:1] if single else [[one] for one in pairs]},
    }


WORDS = """
[retrieval.nq]
instruction = "I"
formatting = "\\nF\\n"
candidate = "<{pid}|{title}|{passage}>"
example = "== {example_id} ==\\n"
start = "== go ==\\n"
query = "q: {query}"
reason = "{title} {pid}"
answer = "A: {final_answer}"
[rag.nq]
instruction = "I"
candidate = "<{pid}>"
query = "q: {query}"
answer = "A: {final_answer}"
[sql.spider]
instruction = "I"
candidate = "T {title}\\n{passage}"
examples = ["E1", "E2"]
query = "TABLES\\n{corpus}\\n\\nQ: {query}"
[icl.bbh]
instruction = "I"
candidate = "{input} -> {target}\\n"
"""


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "words.toml"
    path.write_text(WORDS, "utf-8")
    return path


def corpus(title: str = "None") -> str:
    """The candidates of `WORDS`, written out."""
    return "".join(
        f"<{n}|{f'Town {word}' if n % 2 else title}|The mayor of {word} is Ann "
        f"{word.capitalize()}son.>\n"
        for n, word in enumerate(NUMBERS)
    )


# By hand, after the released builder: every chunk is its text and one line break.
PROMPTS = {
    ("retrieval", "nq", "7"): "I\n\nF\n\n"
    + corpus()
    + "== 1 ==\nq: Who rules one?\nTown one 1\nA: ['1']\n== go ==\nq: Who rules seven?\n",
    ("retrieval", "topiocqa", "2"): "I\n\nF\n\n"
    + corpus()
    + "== 1-1 ==\nq: Who rules one?\nTown one 1\nA: ['1']\n"
    + "== 1-2 ==\nq: And two?\nNone 2\nA: ['2']\n== go ==\nq: Who rules two?\n",
    ("rag", "nq", "2"): "I\n"
    + "".join(f"<{n}>\n" for n in range(10))
    + "q: Who rules one?\nA: ['Ann Oneson']\nq: Who rules two?\n",
    ("sql", "spider", "s2"): "I\nE1\nE2\nTABLES\nT X1\na,b\n1,2\n\nT X0\na,b\n1,2\n\n"
    "Q: How many 2?\n",
    ("icl", "web_of_lies", "0"): "I\n"
    + "".join(f"{n}? -> ['({n})']\n\n" for n in NUMBERS)
    + "Is it seven? -> \n\n",
}


def opened(task: str, **given: Any) -> Loft:
    spec = benchmarks.task(f"loft_{task}").spec
    bench = spec.open(options.read(spec.options, given, spec.fixed))
    assert isinstance(bench, Loft)
    return bench


@pytest.mark.parametrize(("task", "name", "qid"), PROMPTS)
def test_a_prompt_has_the_released_structure_to_the_byte(
    task: str, name: str, qid: str, data: Path, words: Path
) -> None:
    given = {"data": data, "dataset": name, "length": "32k", "split": "dev", "words": words}
    told = [word for name, value in given.items() for word in ("-T", f"{name}={value}")]
    assert run("show", f"loft_{task}", qid, *told, "--raw") == PROMPTS[task, name, qid]


@pytest.mark.parametrize(("task", "name"), dict.fromkeys((task, name) for task, name, _ in PROMPTS))
@pytest.mark.parametrize("via", ["context", "bm25", "closed"])
def test_prompts_begin_alike_and_are_counted_exactly(
    task: str, name: str, via: str, data: Path
) -> None:
    if task == "sql" and via == "bm25":
        pytest.skip("refused")
    bench = opened(task, dataset=name, data=str(data), via=via)
    shared: dict[str, set[str]] = {}
    for planned in bench.plan:
        prompt = bench.prompt(planned)
        assert prompt.is_text and len(prompt.turns[0].parts) == 1
        assert prompt.text.startswith(prompt.prefix) and prompt.prefix
        assert prompt.tokens == bench.tokenizer.count(prompt.text)
        shared.setdefault(bench.shared(planned), set()).add(prompt.prefix)
    assert all(len(found) == 1 for found in shared.values())
    assert len(shared) == (2 if task == "sql" else 1)
    order = [bench.shared(planned) for planned in bench.plan]
    assert order == sorted(order, key=order.index)
    found = bench.prefixes(bench.plan)
    assert (found.tokens > 0) == (len(bench.plan) > len(shared))


def test_what_is_beside_the_corpus_shows_what_it_says(data: Path) -> None:
    closed = opened("retrieval", dataset="nq", data=str(data), via="closed")
    assert "mayor" not in closed.prompt(closed.plan[0]).text
    assert closed.item(closed.plan[0]).facts["answers"] == [["Town seven", 1]]
    found = opened("rag", dataset="nq", data=str(data), via="bm25", top=1)
    text = found.prompt(found.plan[0]).text
    assert re.findall(r"The mayor of (\w+)", text) == ["seven"]


# A folder of one's own


def sets_of_answers(folder: Path) -> Path:
    """Queries with two answers each, from a gold each."""
    passages(folder / "corpus.jsonl")
    for split, numbers in (("few_shot", [1]), ("dev", [7, 2])):
        found = [_query("rag", number, True) for number in numbers]
        for row, number in zip(found, numbers, strict=True):
            row["answers"] = [f"Ann {NUMBERS[n].capitalize()}son" for n in (number, number + 1)]
            row["metadata"]["qrels"] = [[f"doc{n}", 1] for n in (number, number + 1)]
        rows(folder / f"{split}_queries.jsonl", found)
    return folder


@pytest.mark.parametrize(
    ("answers", "kind", "strict"), [("any", "rag", 1), ("all", "multi_value_rag", 0)]
)
def test_whether_all_answers_are_asked_for_is_said(
    answers: str, kind: str, strict: float, tmp_path: Path
) -> None:
    bench = opened("rag", dataset=str(sets_of_answers(tmp_path)), answers=answers)
    item = bench.item(bench.plan[0])
    assert item.facts["kind"] == kind and bench.data.metric == "subspan_em"
    answered = Answered(item.question, item.reference, item.facts, "Final Answer: ['Ann Sevenson']")
    assert bench.declared.scoring.by.score(answered).score == strict
    told = [line for line in bench.remarks() if "give answers=all" in line]
    assert len(told) == (answers == "any")


def test_answers_of_other_shapes_are_no_sets(data: Path) -> None:
    bench = opened("rag", dataset=str(data / "rag" / "nq" / "32k"))
    assert not any("answers=all" in line for line in bench.remarks())


# Turns


def test_real_turns_follow_one_another(data: Path) -> None:
    bench = opened("retrieval", dataset="topiocqa", data=str(data))
    planned = bench.plan[0]
    step = follow(bench, planned, None, "Final Answer: ['7']")
    assert isinstance(step.ask, Turn) and "And eight?" in step.ask.text
    assert "Town" not in step.ask.text and step.notes["response"] == "Final Answer: ['7']"
    last = follow(bench, planned, step.state, "Final Answer: ['8']")
    assert last.ask is None and last.notes["turn"] == 2
    facts = {**bench.item(planned).facts, "round_notes": [step.notes, last.notes]}
    scored = bench.declared.scoring.by.score(Answered("", "", facts, "Final Answer: ['8']"))
    assert scored.score == 1
    # A turn that was not reached is wrong.
    facts["round_notes"] = [step.notes]
    assert bench.declared.scoring.by.score(Answered("", "", facts, "")).score == 0.5


def test_the_official_history_is_one_growing_prompt(data: Path, words: Path) -> None:
    given = {"dataset": "topiocqa", "data": str(data), "words": str(words)}
    bench = opened("retrieval", **given, history="official")
    planned = bench.plan[0]
    step = follow(bench, planned, None, "so\nFinal Answer: ['7', '3']")
    first = bench.prompt(planned).text
    # The list that was read, with the passages' own ids and no line break, as released.
    assert step.ask.text == f"{first}['doc7', 'doc3']== go ==\nq: And eight?\n"  # type: ignore[union-attr]


# Harnesses


def evaluated(model: Any, tmp_path: Path, task: str, **given: Any) -> EvalLog:
    made = getattr(seqniah, f"loft_{task}")(**given)
    (log,) = inspect_eval(made, model=model, log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    return log


@pytest.mark.parametrize(
    ("task", "name", "score"),
    [
        ("retrieval", "nq", 1.0),
        ("retrieval", "topiocqa", 1.0),
        ("rag", "nq", 1.0),
        ("sql", "spider", 0.0),
        ("icl", "web_of_lies", 1.0),
    ],
)
def test_the_floor_reads_the_prompt_alone(
    task: str, name: str, score: float, data: Path, tmp_path: Path
) -> None:
    log = evaluated("seqniah/bm25", tmp_path, task, dataset=name, data=str(data))
    by = {s.scorer: s.metrics["mean"].value for s in log.results.scores if "mean" in s.metrics}  # type: ignore[union-attr]
    assert by["loft"] == score
    summaries = read_eval_log_sample_summaries(log.location)
    assert {one.metadata["dataset"] for one in summaries} == {name}


@pytest.mark.parametrize("fails", [False, True])
def test_the_first_of_a_prefix_is_asked_alone(fails: bool) -> None:
    told: list[str] = []

    async def ask(alone: dict[Any, Any], shared: str, name: str) -> None:
        with suppress(OSError):
            async with _in_turn(alone, "run", shared):
                told.append(f"{name} begins")
                await anyio.sleep(0.01)
                told.append(f"{name} ends")
                if fails:
                    raise OSError

    async def main() -> None:
        alone: dict[Any, Any] = {}
        async with anyio.create_task_group() as group:
            for shared, name in (("x", "a"), ("x", "b"), ("y", "c"), ("", "d"), ("x", "e")):
                group.start_soon(ask, alone, shared, name)

    anyio.run(main)
    begun = [line[0] for line in told[: told.index("a ends")] if line.endswith("begins")]
    assert sorted(begun) == ["a", "c", "d"]
    assert len(told) == 10


def test_parts_are_marked_for_a_provider_that_keeps_on_request(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = "seqniah_tasks.adapters.inspect.models.keeps_on_request"
    monkeypatch.setattr(kept, lambda model: True)
    said = ModelOutput.from_content("mock", "Final Answer: ['7']")
    said.usage = ModelUsage(input_tokens=400, output_tokens=9, total_tokens=409)
    model = get_model("mockllm/model", custom_outputs=lambda *_: said)
    log = evaluated(model, tmp_path, "retrieval", dataset="nq", data=str(data))
    (sample, *_) = log.samples or []
    content = sample.messages[0].content
    assert isinstance(content, list)
    texts = [one for one in content if isinstance(one, ContentText)]
    assert [one.cache_breakpoint for one in texts] == [True, None]
    bench = opened("retrieval", dataset="nq", data=str(data))
    assert "".join(one.text for one in texts) == bench.prompt(bench.find(str(sample.id))).text


@pytest.mark.parametrize(
    ("given", "user", "sent"),
    [
        ({}, {}, (None, None)),
        ({"decoding": "official"}, {}, (0, 1)),
        ({"decoding": "official"}, {"temperature": 0.7}, (0.7, 1)),
    ],
)
def test_the_papers_decoding_is_sent_unless_the_user_has_another(
    given: dict[str, str], user: dict[str, Any], sent: tuple[float | None, ...], tmp_path: Path
) -> None:
    said = ModelOutput.from_content("mock", "Final Answer: ['7']")
    said.usage = ModelUsage()
    model = get_model("mockllm/model", custom_outputs=lambda *_: said)
    (log,) = inspect_eval(
        "seqniah/loft_icl", task_args={"length": "2k", **given}, model=model, limit=1,
        log_dir=str(tmp_path), display="none", **user,
    )  # fmt: skip
    assert log.status == "success", log.error
    (call,) = [one for one in (log.samples or [])[0].events if isinstance(one, ModelEvent)]
    assert (call.config.temperature, call.config.top_p) == sent
    assert (log.eval.metadata or {})["setup"] == ("decoding official" if given else "")


# The floor, by itself


@pytest.mark.parametrize(
    ("prompt", "answer"),
    [
        ("nothing to read", "Final Answer: []"),
        (
            "Final Answer: ['answer']\nID: 0 | TITLE: T [a] | CONTENT: Paris is\nin France. | END "
            "ID: 0\nquery: Where is Paris?",
            "Final Answer: ['France']",
        ),
        (
            "ID: 0 | TITLE: T [a] | CONTENT: x | END ID: 0\nID: 1 | CONTENT: cats | END ID: 1\n"
            "ID: 2 | TITLE: Dog [b] | CONTENT: cats dogs | END ID: 2\nquery: dogs",
            "TITLE: Dog (b) | ID: 2\nFinal Answer: ['2']",
        ),
        (
            "red thing\nOutput: ['(R)']\n\nblue thing\nOutput: ['(B)']\n\nblue?\nOutput: \n",
            "Output: ['(B)']",
        ),
    ],
)
def test_the_floor_ranks_by_shared_words(prompt: str, answer: str) -> None:
    assert bm25(prompt, 1) == answer


# Bad input


@pytest.mark.parametrize(
    ("task", "given", "words"),
    [
        ("retrieval", {"dataset": "musique"}, "MuSiQue is not embedded.*data=DIR.*musique.zip"),
        ("retrieval", {"dataset": "musiqe"}, "Unknown data set of loft_retrieval 'musiqe'"),
        ("retrieval", {"dataset": "atlas_x"}, "Unknown data set of loft_retrieval 'atlas_x'"),
        ("retrieval", {"dataset": "./no/where"}, "There is no folder ./no/where"),
        ("retrieval", {"data": "{data}", "dataset": "nq", "length": "64k"}, "not released at 64k"),
        ("retrieval", {"data": "{data}", "dataset": "nq", "split": "test"}, "no test split at 32k"),
        ("retrieval", {"data": "{data}", "dataset": "hotpotqa"}, "corpus.jsonl is missing; fetch"),
        ("sql", {"data": "{data}", "dataset": "spider", "via": "bm25"}, "whole tables"),
        ("icl", {"data": "{data}", "dataset": "long_icl_bench_dialogue_re"}, "is not released"),
        ("rag", {"dataset": "atlas_sets", "answers": "all"}, "atlas_sets itself says which"),
        ("rag", {"data": "{data}", "dataset": "nq", "answers": "all"}, "nq itself says which"),
        ("rag", {"answers": "some"}, "known: any, all"),
        ("retrieval", {"via": "magic"}, "known: context, closed, bm25"),
        ("retrieval", {"length": "long"}, "length is a length like"),
    ],
)
def test_mistakes_are_told_in_one_sentence(
    task: str, given: dict[str, str], words: str, data: Path
) -> None:
    with pytest.raises(SeqniahError, match=words):
        told = {name: value.format(data=data) for name, value in given.items()}
        opened(task, **told).prepare()


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("[retrieval.nq", "is not TOML"),
        ("[retrieval.fiqa]\n", r"\[retrieval.nq\] is missing"),
        (WORDS.replace("{pid}|", "{pid.__class__}|"), r"candidate has \{pid.__class__\}"),
        (WORDS.replace("{pid}|", "{pid!r}|"), r"candidate has \{pid\}"),
        (WORDS.replace("{pid}|", "{"), "candidate has a brace too many|candidate has {"),
        (WORDS.replace("reason", "reasons"), "has no key 'reasons'"),
        (WORDS.replace('instruction = "I"', "instruction = 1"), "instruction is a text"),
        ('[retrieval.nq]\ninstruction = "I"', "lacks candidate"),
    ],
)
def test_words_are_checked(written: str, words: str, data: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(written, "utf-8")
    with pytest.raises(SeqniahError, match=words):
        opened("retrieval", dataset="nq", data=str(data), words=str(path)).prepare()


def test_commands_tell_mistakes_without_a_traceback(data: Path) -> None:
    ended = done(["show", "loft_retrieval", "0", "-T", "dataset=nq", "-T", f"data={data}/none"])
    assert ended.returncode and "There is no folder" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_server_reads_all_that_the_user_said() -> None:
    said = ["system", "user", "assistant", "user"]
    messages = [{"role": role, "content": f"{n}"} for n, role in enumerate(said)]
    asked = parse(json.dumps({"model": "bm25", "messages": messages}).encode(), Api.CHAT)
    assert [one.asked for one in asked.prompts] == ["1\n3"]
