"""HaystackCraft in rounds: what replies are read as, what follows from them, a run by inspect."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval as run_eval
from inspect_ai.event import InfoEvent, ModelEvent, SpanBeginEvent
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ModelOutput, ModelUsage, get_model

import seqniah
from seqniah_datasets import tokens
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.adapters.lm_eval import tasks as lm_tasks
from seqniah_tasks.adapters.lm_eval.solve import Asking
from seqniah_tasks.benchmarks.haystackcraft import prompts, rounds
from seqniah_tasks.benchmarks.haystackcraft.dynamic import REPLY_TOKENS
from seqniah_tasks.benchmarks.haystackcraft.rounds import Laid, Rules, State, Task
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.benchmarks.protocol import Prompt, Step, prompt_of
from seqniah_tasks.estimate import Request, estimate
from seqniah_tasks.prices import Price
from seqniah_tasks.views.estimate import estimate_lines

STATED = "The correct answer is (Bonn)."
ENDLESS = f"Summary: {'word ' * 2_000}\nRefined Question: Which river?"

# What follows from replies.


def _lay(state: State) -> Laid:
    """A prompt of nothing but the query; the gold is found first where it names Bonn."""
    found = 1 if "Bonn" in state.query else None
    return Laid(prompt_of(state.query, tokenizer=tokens.tokenizer()), {"gold_ranks": [found]})


def _played(rules: Rules, replies: Sequence[str]) -> list[Step]:
    """All steps; each reply is used."""
    steps: list[Step] = []
    state = rounds.begin("Which river?", _lay)
    for reply in replies:
        steps.append(rounds.follow(rules, state, reply, _lay))
        state = steps[-1].state
    return steps


RIGHT = "Summary: It is Bonn's.\nRefined Question: Which river at Bonn?"
WRONG = "Summary: It is Rome's.\nRefined Question: Which river at Rome?"

ASKED, BONN, ROME = "Which river?", "Which river at Bonn?", "Which river at Rome?"
GAMES: list[tuple[str, Any, list[str], list[str], dict[str, float]]] = [
    # rounds, profile, replies, queries, figures
    ("1", "strict", [RIGHT], [ASKED], {"rounds_used": 1, "drift": 0}),
    # Words in common: 2 of 2 and of 4.
    ("2", "strict", [RIGHT, STATED], [ASKED, BONN], {"rounds_used": 2, "drift": 1 / 3}),
    ("3", "strict", [RIGHT, WRONG, STATED], [ASKED, BONN, ROME], {"rounds_used": 3}),
    # An answer that comes too early is no refined question.
    ("3", "strict", [STATED] * 3, [ASKED] * 3, {"empty_queries": 2, "unreadable": 2, "drift": 0}),
    ("3", "official", ["", RIGHT, ""], [ASKED, ASKED, BONN], {"empty_queries": 1, "unreadable": 1}),
    ("2", "official", ["At Bonn", STATED], [ASKED, "At Bonn"], {"unreadable": 1, "drift": 1}),
    ("2", "strict", [ENDLESS, STATED], [ASKED, ASKED], {"overlong": 1, "unreadable": 0}),
    ("max3", "strict", [STATED], [ASKED], {"rounds_used": 1}),
    ("max3", "official", [WRONG, f"{RIGHT} {STATED}"], [ASKED, ROME], {"rounds_used": 2}),
    ("max3", "strict", [WRONG, RIGHT, "No idea."], [ASKED, ROME, BONN], {"rounds_used": 3}),
]


@pytest.mark.parametrize(("option", "profile", "replies", "queries", "figures"), GAMES)
def test_rounds_follow_from_replies(
    option: str, profile: Any, replies: list[str], queries: list[str], figures: dict[str, float]
) -> None:
    steps = _played(Rules.of(option, profile), replies)
    notes = [one.notes for one in steps]
    stop = "answered early" if option == "max3" and len(replies) < 3 else "last round"
    assert [one["stop"] for one in notes] == [None] * (len(replies) - 1) + [stop]
    assert [one["round"] for one in notes] == list(range(1, len(replies) + 1))
    assert [one["query"] for one in notes] == queries
    assert [one["gold_ranks"] for one in notes] == [
        [1 if "Bonn" in one else None] for one in queries
    ]
    found = rounds.figures(notes)
    assert {name: found[name] for name in figures} == pytest.approx(figures)
    for step, query in zip(steps, queries[1:], strict=False):
        assert isinstance(step.ask, Prompt) and step.ask.text == query
    assert steps[-1].ask is None
    assert json.loads(json.dumps(notes)) == notes


def test_the_summaries_become_the_history_in_their_order() -> None:
    steps = _played(Rules.of("3", "strict"), [RIGHT, WRONG])
    assert steps[-1].state.summaries == ("It is Bonn's.", "It is Rome's.")


# Prompts.


@pytest.mark.parametrize("task", Task)
def test_a_round_s_prompt_has_its_history_and_asks_for_its_part(task: Task) -> None:
    frame = prompts.of_round("strict", task, ["Who?", "Who else?"], ["One.", "Two."])
    assert "Previous Analyses:\nRound 1: One.\nRound 2: Two.\n\n<text>\n" in frame.before
    assert frame.after.startswith("</text>\n\nOriginal question: Who?\n")
    assert ("The correct answer is (" in frame.after) is (task is not Task.REFINE)
    for heading in ("\n\nSummary: (", "\n\nRefined Question: ("):
        assert (heading in frame.after) is (task is not Task.ANSWER)
    assert frame.counted == (frame.before, frame.after)
    first = prompts.of_round("strict", task, ["Who?"], [])
    assert "Previous" not in first.before and "Original" not in first.after


@pytest.mark.parametrize("task", Task)
def test_the_official_budget_counts_placeholders(task: Task) -> None:
    frame = prompts.of_round("official", task, ["Who?"], ["One."])
    counted = "".join(frame.counted)
    assert counted.startswith("$OPENING$\n\n$PREV_SUMMARY$\n\n<text>\n</text>\n\n")
    assert "One." not in counted and "Who?" in counted
    assert ("$INSTRUCTION$" in counted) is (task is not Task.ANSWER)
    assert "$" not in frame.before + frame.after


# Over documents.

TOWNS = [f"Town{chr(97 + n)}burg" for n in range(26)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Persons born in towns, and towns on rivers, in the published layout; questions of two hops
    which name the person and share their other words with all towns."""
    path = tmp_path_factory.mktemp("documents")
    docs: list[dict[str, Any]] = []
    for n, town in enumerate(TOWNS):
        filler = "A chapter of a long account follows. " * 20
        docs += [
            {"id": n, "title": f"Person {n}", "text": f"Person {n} is from {town}. {filler}"},
            {"id": 100 + n, "title": town, "text": f"{town} lies on the river Flow{n}. {filler}"},
        ]
    asked = [
        {
            "id": f"q{n}",
            "question": f"On which river lies the birthplace of Person {n}?",
            "answer": f"Flow{n}",
            "answer_aliases": [],
            "p2d_id": {"1": n, "2": 100 + n},
        }
        for n in range(20, 26)
    ]
    for name, rows in (("docs", docs), ("questions", asked)):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (path / f"{name}.jsonl").write_text(lines, "utf-8")
    edges = "".join(f"{n},{100 + n}\n" for n in range(26))
    (path / "edge_list.csv").write_text(f"source_node,target_node\n{edges}", "utf-8")
    return path


def _options(folder: Path, **given: Any) -> dict[str, Any]:
    usual = {"strategy": "bm25", "length": "3k", "tokenizer": "cl100k_base"}
    return {"corpus": str(folder), **usual, **given}


def _steps(folder: Path, replies: Sequence[str], **given: Any) -> Iterator[tuple[Any, Step]]:
    """What follows from these replies to the first sample, each with the sample."""
    samples = seqniah.load("haystackcraft_dynamic", **_options(folder, **given))
    follow, step = benchmarks.task("haystackcraft_dynamic").spec.rounds, Step(None)
    assert follow
    for reply in replies:
        step = follow(samples.bench, samples[0].planned, step.state, reply)
        yield samples[0], step


def _refining(town: str) -> str:
    return f"Summary: The town is {town}.\nRefined Question: On which river lies {town}?"


@pytest.mark.parametrize(("town", "right"), [(TOWNS[20], True), (TOWNS[3], False)])
def test_the_second_gold_is_found_by_a_right_refinement_alone(
    folder: Path, town: str, right: bool
) -> None:
    (sample, first), (_, last) = _steps(folder, [_refining(town), STATED], rounds=2)
    assert sample.question == "On which river lies the birthplace of Person 20?"
    assert first.notes["gold_ranks"][0] == 1 and first.notes["gold_ranks"][1] > 1
    assert (last.notes["gold_ranks"][1] == 1) is right
    assert {"20", "120"} <= set(first.notes["documents"]) & set(last.notes["documents"])
    assert isinstance(first.ask, Prompt)
    titles = [line for line in first.ask.text.splitlines() if line.startswith("Article Title: ")]
    assert titles[0] == f"Article Title: {town}"
    assert len(titles) == len(last.notes["documents"])


@pytest.mark.parametrize("profile", ["strict", "official"])
@pytest.mark.parametrize("tokenizer", ["cl100k_base", "qwen"])
def test_only_the_strict_budget_counts_the_history(
    folder: Path, profile: str, tokenizer: str
) -> None:
    given = {"profile": profile, "tokenizer": tokenizer, "rounds": 3}
    steps = [step for _, step in _steps(folder, [_refining("x " * 300), RIGHT], **given)]
    for step in steps:
        assert isinstance(step.ask, Prompt)
        counted = tokens.tokenizer(tokenizer).count(step.ask.text)
        assert step.ask.tokens == counted
        if profile == "strict":
            assert 3_000 - 20 <= counted <= 3_000
        else:
            assert 3_000 + 300 <= counted <= 3_000 + 900
    assert not steps[0].notes["overfull"]


def test_a_history_that_leaves_no_room_is_kept_beside_the_golds_alone(folder: Path) -> None:
    _, (_, last) = _steps(folder, [_refining("x " * 3_000), STATED], rounds=2)
    assert last.notes["overfull"] and sorted(last.notes["documents"]) == ["120", "20"]


@pytest.mark.parametrize(("shown", "both"), [("refined", False), ("both", True)])
def test_the_question_is_forgotten_unless_both_are_shown(
    folder: Path, shown: str, both: bool
) -> None:
    ((sample, step),) = _steps(folder, [RIGHT], show_question=shown)
    assert sample.prompt.count(sample.question) == 1
    assert isinstance(step.ask, Prompt)
    assert "Question: Which river at Bonn?" in step.ask.text
    assert (sample.question in step.ask.text) is both


@pytest.mark.parametrize("strategy", ["bm25", "bm25+ppr"])
def test_a_query_that_finds_nothing_still_has_a_pile(folder: Path, strategy: str) -> None:
    reply = "Summary: a\nRefined Question: Xyzzy?"
    _, (_, last) = _steps(folder, [reply, STATED], strategy=strategy, rounds=2)
    assert last.notes["gold_ranks"] == [None, None] and len(last.notes["documents"]) > 5


def test_ids_tell_rounds_apart_and_the_rest_is_as_in_the_static_task(folder: Path) -> None:
    given: list[dict[str, Any]] = [{}, {"rounds": 2}, {"show_question": "both"}, {"rounds": "max3"}]
    found = [seqniah.load("haystackcraft_dynamic", **_options(folder, **one)) for one in given]
    static = seqniah.load("haystackcraft", **_options(folder))
    assert len({one.id for samples in (*found, static) for one in samples}) == 5 * 6
    assert [one.question for one in found[0]] == [one.question for one in static]
    assert str(found[0].bench.facts()["setup"]).endswith(", 3 rounds")
    assert found[3][0].item.facts["rounds"] == "max3"


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rounds": "4"}, "rounds"),
        ({"rounds": True}, "rounds"),
        ({"show_question": "none"}, "show_question"),
        ({"run": "a.trec"}, "take the task haystackcraft"),
        ({"order": "permuted"}, "take another task"),
        ({"gold": "retrieved"}, "take another task"),
    ],
)
def test_what_cannot_be_is_refused(folder: Path, given: dict[str, Any], told: str) -> None:
    with pytest.raises(SeqniahError, match=told) as error:
        seqniah.load("haystackcraft_dynamic", **_options(folder, **given))
    assert "\n" not in str(error.value)


# By harnesses.


class Scripted:
    """A model that says to each person's question what it is told to, round by round."""

    def __init__(self, script: dict[int, list[str]], cut: tuple[int, int] = (0, 0)) -> None:
        self.script, self.cut = script, cut
        self.rounds = dict.fromkeys(script, 0)
        self.prompts: dict[int, list[str]] = {person: [] for person in script}

    def __call__(self, messages: Any, *_: Any) -> ModelOutput:
        (message,) = messages  # Nothing of earlier rounds but what the prompt itself has.
        asked = message.text.rpartition("</text>")[2]
        person = next(n for n in self.script if f"Person {n}?" in asked or TOWNS[n] in asked)
        replies, number = self.script[person], self.rounds[person]
        self.rounds[person] += 1
        self.prompts[person].append(message.text)
        read = tokens.tokenizer("cl100k_base").count(message.text)
        read //= 10 if self.cut == (person, number + 1) else 1
        output = ModelOutput.from_content("mock", replies[number])
        output.usage = ModelUsage(input_tokens=read, output_tokens=9, total_tokens=read + 9)
        return output


def _run(folder: Path, logs: Path, model: Scripted, **given: Any) -> EvalLog:
    (log,) = run_eval(
        "seqniah/haystackcraft_dynamic",
        model=get_model("mockllm/model", custom_outputs=model),
        task_args=_options(folder, questions=len(model.script), **given),
        log_dir=str(logs),
        display="log",
    )
    assert log.status == "success", log.error
    return log


def _samples(log: EvalLog) -> dict[int, EvalSample]:
    """By person."""
    return {int(str(one.metadata["asked"])[1:]): one for one in log.samples or []}


def _noted(sample: EvalSample, name: str) -> list[Any]:
    return [one[name] for one in sample.metadata["round_notes"]]


def test_inspect_asks_in_rounds_each_anew(folder: Path, tmp_path: Path) -> None:
    model = Scripted(
        {
            20: [_refining(TOWNS[20]), _refining(TOWNS[20]), "The correct answer is (Flow20)."],
            21: ["Person 21?", "", "The correct answer is (Flow21)."],
            22: [_refining(TOWNS[22]), STATED, "I do not know."],
            23: [_refining(TOWNS[23]), _refining(TOWNS[23]), "The correct answer is (Flow23)."],
        },
        cut=(23, 2),
    )
    log = _run(folder, tmp_path, model, rounds=3)
    samples = _samples(log)
    assert model.rounds == dict.fromkeys(model.script, 3)
    scores = {person: (one.scores or {})["answer_f1"].value for person, one in samples.items()}
    assert [scores[person] for person in (20, 21, 22)] == [1, 1, 0]
    # Its second prompt was not read whole, though the first and the last one were.
    assert samples[23].metadata["prompt_fate"] == "cut" and scores[23] != scores[23]

    one = samples[20]
    assert _noted(one, "query")[1:] == [f"On which river lies {TOWNS[20]}?"] * 2
    assert [ranks[1] for ranks in _noted(one, "gold_ranks")][1:] == [1, 1]
    assert _noted(one, "stop") == [None, None, "last round"]
    prompts_ = model.prompts[20]
    assert _noted(one, "prompt_tokens") == [
        tokens.tokenizer("cl100k_base").count(prompt) for prompt in prompts_
    ]
    assert [prompt.count("\nRound ") for prompt in prompts_] == [0, 1, 2]
    assert all(len(prompt) < 3_000 * 8 for prompt in prompts_)
    for event in one.events:
        if isinstance(event, ModelEvent):
            assert len(event.input) == 1
    begun = [event.name for event in one.events if isinstance(event, SpanBeginEvent)]
    assert [name for name in begun if name.startswith("round ")] == [
        "round 1",
        "round 2",
        "round 3",
    ]
    told = [event.data for event in one.events if isinstance(event, InfoEvent)]
    assert told == one.metadata["round_notes"]

    rows = {row.traits["asked"]: row for row in inspect_logs.read(Path(log.location))}
    assert {row.traits["rounds"] for row in rows.values()} == {"3"}
    figures = rows["q21"].figures
    assert (figures["rounds_used"], figures["unreadable"], figures["empty_queries"]) == (3, 2, 2)
    assert rows["q20"].figures["drift"] == pytest.approx(1 - 2 * 0.8 * 0.5 / 1.3, abs=1e-4)


def test_an_estimate_counts_every_round_of_a_run(folder: Path, tmp_path: Path) -> None:
    model = Scripted({n: [_refining(TOWNS[n]), _refining(TOWNS[n]), STATED] for n in range(20, 24)})
    log = _run(folder, tmp_path, model, rounds=3)
    bench = seqniah.load("haystackcraft_dynamic", **_options(folder, questions=4, rounds=3)).bench
    found = estimate(bench, Request(price=Price(1.0, 10.0, "here")))
    (usage,) = log.stats.model_usage.values()
    assert found.requests == sum(model.rounds.values()) == 12
    assert 0 <= found.prompt_tokens - usage.input_tokens <= 12 * 20
    (length,) = found.bins
    assert (length.samples, length.longest, length.most) == (4, 3_000, 9_000)
    answers = 1.5 * sum(map(bench.tokenizer.count, (f"Flow{n}" for n in range(20, 24))))
    assert found.output_tokens == 4 * 2 * REPLY_TOKENS + answers
    assert found.cost == pytest.approx((36_000 + 10 * found.output_tokens) / 1e6)
    assert estimate(bench, Request(output_tokens=50, epochs=2)).output_tokens == 2 * 12 * 50


@pytest.mark.parametrize(("rounds_", "requests"), [("1", 1), ("2", 2), ("max3", 3)])
def test_an_estimate_of_golds_alone_has_the_summaries_beside_them(
    folder: Path, rounds_: str, requests: int
) -> None:
    options = _options(folder, questions=1, rounds=rounds_, length=0)
    bench = seqniah.load("haystackcraft_dynamic", **options).bench
    first = bench.prompt(bench.plan[0]).tokens
    found = estimate(bench, Request())
    assert found.requests == requests
    assert found.prompt_tokens == sum(first + REPLY_TOKENS * past for past in range(requests))
    lines = dict(estimate_lines(found))
    assert ("rounds a sample" in lines["Requests"]) is (requests > 1)
    assert ("a reply" in lines["Output"]) is (requests > 1)


def test_inspect_ends_where_the_model_answers_early(folder: Path, tmp_path: Path) -> None:
    model = Scripted({20: [_refining(TOWNS[20]), "The correct answer is (Flow20)."], 21: [STATED]})
    samples = _samples(_run(folder, tmp_path, model, rounds="max3"))
    assert model.rounds == {20: 2, 21: 1}
    assert _noted(samples[20], "stop") == [None, "answered early"]
    assert _noted(samples[21], "stop") == ["answered early"]
    assert (samples[20].scores or {})["answer_f1"].value == 1


def test_a_later_prompt_that_does_not_fit_is_not_sent(folder: Path, tmp_path: Path) -> None:
    long = f"{_refining(TOWNS[20])}\nSummary: {'word ' * 4_000}"
    model = Scripted({20: [long, "The correct answer is (Flow20)."]})
    # Officially, what was found before does not count as a part of the prompt.
    given = {"profile": "official", "context": 3_000 + 128 + 2_048 + 500}
    sample = _samples(_run(folder, tmp_path, model, rounds=2, **given))[20]
    assert model.rounds == {20: 1}
    assert sample.metadata["prompt_fate"] == "skipped"
    assert (sample.scores or {})["answer_f1"].reason == "input_not_seen_whole"


def test_lm_eval_has_the_static_task_alone_and_refuses_the_other(folder: Path) -> None:
    found = benchmarks.known()["haystackcraft"]
    assert {one.task for one in lm_tasks.of(found).tasks} == {"haystackcraft"}
    lm_tasks.refuse_rounds(["haystackcraft", "mmlu"])
    with pytest.raises(SeqniahError, match="inspect eval seqniah/haystackcraft_dynamic") as error:
        lm_tasks.refuse_rounds(["haystackcraft_dynamic"])
    assert "\n" not in str(error.value)
    for name, refused in (("haystackcraft", False), ("haystackcraft_dynamic", True)):
        bench = seqniah.load(name, **_options(folder)).bench
        asking = Asking("ours", name, bench, Guard())
        if refused:
            with pytest.raises(SeqniahError, match="in several turns"):
                asking.text(bench.plan[0].id)
        else:
            assert asking.text(bench.plan[0].id).startswith("The question below")
