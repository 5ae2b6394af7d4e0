"""Single wrong answers in a report: which are shown, their texts, and each beside its reference."""

from __future__ import annotations

import json
import sys
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from itertools import combinations, count, permutations
from pathlib import Path
from typing import Any

import command_line
import pytest
from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from inspect_ai import eval as run_eval
from inspect_ai.log import read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from lm_eval.evaluator import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval_parts import FOLDER, SHORT, TASK, Json, Listener
from report_rows import changed, one, rows

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import Pipeline
from seqniah_scorers.verdict import FailureMode
from seqniah_tasks.adapters.inspect import (
    logs as inspect_table,
)
from seqniah_tasks.adapters.inspect import (
    summaries as inspect_samples,
)
from seqniah_tasks.adapters.lm_eval import (
    logs as lm_eval_table,
)
from seqniah_tasks.adapters.lm_eval import (
    samples as lm_eval_samples,
)
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.report.cases import parties
from seqniah_tasks.records import Record, Transcript, value
from seqniah_tasks.report import cases
from seqniah_tasks.report.cases import Example, LineFate, choose, example, shown

SEQNIAH = str(Path(sys.executable).with_name("seqniah"))
PART = {"lang": "en", "pipeline": "real-logical", **SHORT}
FOUND, CHANGED, MISSING, MISPLACED, REDUNDANT = LineFate
EXTRA = "Feed the three penguins behind the harbour office"
HIDDEN = "\x1b[31m\u202e\ufeff"


def _right(items: list[str]) -> list[str]:
    return items


def _last_first(items: list[str]) -> list[str]:
    return [items[-1], *items[:-1]]


def _other(items: list[str]) -> list[str]:
    return [*items[1:], EXTRA]


def _silent(items: list[str]) -> list[str]:
    return []


def _hidden(items: list[str]) -> list[str]:
    return [f"{item}{HIDDEN}" for item in items[1:]]


FAULTS = (_right, _last_first, _other, _silent, _hidden)
"""What the first samples get."""

COUNT = len(FAULTS)


@lru_cache(maxsize=1)
def _bench() -> SequentialNiah:
    return SequentialNiah(read_options(**PART))


def _items(reference: str) -> list[str]:
    return [line.removeprefix("- ") for line in reference.split("\n")[1:]]


@pytest.fixture(scope="module")
def answers() -> dict[str, str]:
    """By question."""
    found: dict[str, str] = {}
    for planned, fault in zip(_bench().plan, FAULTS, strict=False):
        qa = _bench().qa(planned)
        numbered = enumerate(fault(_items(qa.reference)), 1)
        found[qa.question] = "\n".join(f"{number}. {item}" for number, item in numbered) or " "
    return found


def _mock(answering: Callable[[str], str], stop: str = "stop") -> Any:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        output = ModelOutput.from_content("mock", answering(messages[-1].text), stop)  # type: ignore[arg-type]
        output.usage = ModelUsage()  # else inspect counts with an encoding that it downloads
        return output

    return get_model("mockllm/model", custom_outputs=outputs, memoize=False)


def _knowing(answers: dict[str, str]) -> Callable[[str], str]:
    return lambda prompt: next(text for asked, text in answers.items() if prompt.endswith(asked))


def _inspected(folder: Path, model: Any, **more: Any) -> Path:
    options = {"task_args": PART, "limit": COUNT, **more}
    log = run_eval("seqniah/test", model=model, log_dir=str(folder), display="log", **options)[0]
    assert log.status == "success", log.error
    return Path(log.location)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory, answers: dict[str, str]) -> Path:
    return _inspected(tmp_path_factory.mktemp("logs"), _mock(_knowing(answers)))


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, answers: dict[str, str]) -> Path:
    """The samples file of a run of lm-eval."""
    folder = tmp_path_factory.mktemp("evaluated")
    tracker = EvaluationTracker(output_path=str(folder))
    results: Json = simple_evaluate(
        model=Listener(_knowing(answers)),
        model_args={"model": "org/canned"},
        tasks=[TASK],
        task_manager=TaskManager(include_path=FOLDER, include_defaults=False, metadata=SHORT),
        limit=COUNT,
        apply_chat_template=True,
        bootstrap_iters=0,
        evaluation_tracker=tracker,
        metadata=SHORT,
    )
    found = results.pop("samples")
    tracker.save_results_aggregated(results=results, samples=found)
    tracker.save_results_samples(task_name=TASK, samples=found[TASK])
    (path,) = folder.rglob("samples_*.jsonl")
    return path


def _rows(samples: Path) -> list[Record]:
    (file,), _ = lm_eval_samples.find([samples])
    return lm_eval_table.read(file)


def _by_fault(told: list[Transcript]) -> dict[Callable[[list[str]], list[str]], Transcript]:
    faults = {planned.id: fault for planned, fault in zip(_bench().plan, FAULTS, strict=False)}
    return {faults[one.record.id]: one for one in told}


def test_texts_come_from_either_harness(log: Path, samples: Path, answers: dict[str, str]) -> None:
    ours = inspect_samples.transcripts(log, inspect_table.read(log))
    others = lm_eval_table.transcripts(samples, _rows(samples))
    assert {one.record.harness for one in ours} == {"inspect"}
    assert {one.record.harness for one in others} == {"lm-eval"}
    for told in (ours, others):
        assert len(told) == COUNT
        found = _by_fault(told)
        for planned, fault in zip(_bench().plan, FAULTS, strict=False):
            qa, answer = _bench().qa(planned), found[fault]
            assert (answer.question, answer.reference) == (qa.question, qa.reference)
            assert answer.response == answers[qa.question]
            assert (answer.cut_off, answer.analysis) == (False, None)
            assert parties(answer) == tuple(qa.parties)


def test_only_the_rows_asked_for_in_their_order(log: Path, samples: Path) -> None:
    for read, path, known in (
        (inspect_samples.transcripts, log, inspect_table.read(log)),
        (lm_eval_table.transcripts, samples, _rows(samples)),
    ):
        wanted = [known[3], known[1]]
        assert [one.record for one in read(path, wanted)] == wanted
        assert read(path, []) == []


def test_each_fault_shows_in_the_lines(log: Path) -> None:
    told = _by_fault(inspect_samples.transcripts(log, inspect_table.read(log)))
    for fault, answer in told.items():
        items, found = _items(answer.reference), example(answer)
        needles = len(items)
        fates = [line.fate for line in found.lines]
        assert (
            fates
            == {
                _right: [FOUND] * needles,
                _last_first: [*[FOUND] * (needles - 1), MISPLACED],
                _other: [MISSING, *[FOUND] * (needles - 1), REDUNDANT],
                _silent: [MISSING] * needles,
                _hidden: [MISSING, *[FOUND] * (needles - 1)],
            }[fault]
        ), fault
        assert [line.reference for line in found.lines][:needles] == items
        assert tuple(line.depth for line in found.lines[:needles]) == answer.record.items["depths"]
        assert found.note is None and found.left_out == 0
        assert found.reason == answer.record.reason
    moved = example(told[_last_first])
    assert [line.number for line in moved.lines] == [*range(2, len(moved.lines) + 1), 1]
    extra = example(told[_other]).lines[-1]
    assert (extra.reference, extra.answer, extra.depth) == (None, EXTRA, None)
    assert extra.number == len(_items(told[_other].reference))
    hidden = example(told[_hidden])
    assert told[_hidden].response.count(HIDDEN) == len(hidden.lines) - 1
    assert hidden.response.count(r"\x1b[31m\u202e\ufeff") == len(hidden.lines) - 1
    assert HIDDEN not in repr(hidden.lines)


def test_a_log_in_json_has_the_same_texts(log: Path, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    write_eval_log(read_eval_log(str(log)), str(path))
    ours = inspect_samples.transcripts(log, inspect_table.read(log))
    others = inspect_samples.transcripts(path, inspect_table.read(path))
    assert ours == [replace(one, record=replace(one.record, source=str(log))) for one in others]


def test_every_epoch_has_its_own_answer(tmp_path: Path) -> None:
    number = count(1)
    model = _mock(lambda _: f"1. Answer the call number {next(number)}", "max_tokens")
    path = _inspected(tmp_path, model, epochs=3, limit=2)
    given = inspect_table.read(path)
    told = inspect_samples.transcripts(path, given)
    whole = read_eval_log(str(path)).samples or []
    wanted = {(str(one.id), one.epoch): one.output.completion for one in whole}
    assert len(set(wanted.values())) == 6
    assert {(one.record.id, one.record.epoch): one.response for one in told} == wanted
    assert all(one.cut_off for one in told)
    assert all("cut_off" in (one.record.failure_modes or ()) for one in told)
    assert {(row.id, row.epoch) for row in choose(given, 9)} == {(row.id, 1) for row in given}


def test_what_a_model_judged_says_so(
    tmp_path: Path, answers: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "kept"))
    said = {"eval_analysis": "Half of it is missing.", "eval_label": "incorrect"}
    path = _inspected(
        tmp_path,
        _mock(_knowing(answers)),
        model_roles={"grader": _mock(lambda _: json.dumps(said))},
        task_args={**PART, "scorer": "judge"},
    )
    told = _by_fault(inspect_samples.transcripts(path, inspect_table.read(path)))
    assert told[_silent].record.judged_by == "rules"
    assert (told[_silent].analysis, example(told[_silent]).note) == (None, None)
    by_model = "A model judged this answer; which item states which is what the rules found"
    assert example(told[_other]).analysis == "Half of it is missing."
    assert example(told[_other]).note == f"{by_model}."
    assert example(told[_right]).note == f"{by_model}, which hold it to be right."


def _edited(log: Path, folder: Path, **fields: Any) -> Path:
    """The log with other fields in each of its samples."""
    path = folder / "edited.eval"
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            raw = source.read(name)
            if name.startswith("samples/"):
                raw = json.dumps(json.loads(raw) | fields).encode()
            target.writestr(name, raw)
    return path


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"target": ["a", "b"]}, "its question or its reference is no single text"),
        ({"input": [{"role": "user", "content": "?"}]}, "its question or its reference is no sing"),
        ({"output": 3}, "is not a readable log of inspect"),
        ({"scores": []}, "is not a readable log of inspect"),
    ],
)
def test_a_broken_log_is_named(log: Path, tmp_path: Path, fields: Json, told: str) -> None:
    path = _edited(log, tmp_path, **fields)
    with pytest.raises(SeqniahError, match=f"edited.eval.*{told}"):
        inspect_samples.transcripts(path, inspect_table.read(log))


def test_what_a_sample_does_not_tell_is_left_open(log: Path, tmp_path: Path) -> None:
    path = _edited(log, tmp_path, scores={}, metadata={"parties": "two"})
    found = inspect_samples.transcripts(path, inspect_table.read(log))
    assert {(parties(told), told.analysis) for told in found} == {((), None)}


def test_samples_that_are_gone_are_named(log: Path, samples: Path) -> None:
    for read, path in ((inspect_samples.transcripts, log), (lm_eval_table.transcripts, samples)):
        with pytest.raises(SeqniahError, match="nowhere"):
            read(path, [one(id="nowhere")])
    with pytest.raises(SeqniahError, match=r"gone.eval is not a readable log"):
        inspect_samples.transcripts(log.with_name("gone.eval"), [one()])
    with pytest.raises(SeqniahError, match=r"gone.jsonl cannot be read"):
        lm_eval_table.transcripts(samples.with_name("gone.jsonl"), [one()])


def test_ids_of_any_kind_are_found_in_samples_files(samples: Path, tmp_path: Path) -> None:
    path = tmp_path / samples.name
    lines = [json.loads(line) for line in samples.read_text("utf-8").splitlines()]
    names = ['the "first"', "样本", "a\\b", "<b>", lines[4]["doc"]["id"]]
    for line, name in zip(lines, names, strict=True):
        line["doc"]["id"] = name
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    told = lm_eval_table.transcripts(path, _rows(path)[::-1])
    assert [one.record.id for one in told] == names[::-1]
    assert [one.question for one in told] == [line["doc"]["question"] for line in lines][::-1]
    # Where all ids are plain, other lines are not looked at.
    with path.open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    (last,) = lm_eval_table.transcripts(path, [told[0].record])
    assert last == told[0]
    with pytest.raises(SeqniahError, match=f"line {COUNT + 1} is not JSON"):
        lm_eval_table.transcripts(path, [told[1].record])


def test_verdicts_alone_have_no_texts(samples: Path, tmp_path: Path) -> None:
    out = tmp_path / "verdicts.jsonl"
    command_line.run(
        [SEQNIAH, "score", "lm-eval", str(samples), "--out", str(out), "--judge", "rules"],
        check=True,
    )
    given = lm_eval_table.read_verdicts(out)
    assert len(choose(given, COUNT)) == COUNT - 1
    assert lm_eval_table.transcripts(out, given) == []


DIARY = "\n".join(
    [
        "The contents are:",
        "- March 3, 2012：I planted tomatoes in the garden in the morning.",
        "- March 9, 2012：I attended a pottery class and made a small vase.",
        "- March 14, 2012：I visited the dentist with my elder brother.",
        "- March 20, 2012：I painted the fence of the school yard green.",
        "- March 27, 2012：I watched a documentary about whales in the evening.",
    ]
)
EVENTS = DIARY.split("\n")[1:]
DEPTHS = (0.1, 0.9, 0.3, 0.7, 0.5)


def _told(response: str, reference: str = DIARY, **columns: Any) -> Transcript:
    row = one(
        correct=False, found=(False,) * 5, depths=DEPTHS, pipeline="synthetic-temporal", **columns
    )
    question = "What are the contents of Journal of Ida Berg, in order?"
    return Transcript(row, question, reference, response, {})


def _longest_rising(numbers: tuple[int, ...]) -> int:
    """By trying all parts of them."""
    return max(
        size
        for size in range(1, len(numbers) + 1)
        for part in combinations(numbers, size)
        if list(part) == sorted(part)
    )


def test_as_few_items_as_can_be_are_out_of_order() -> None:
    for order in permutations(range(5)):
        response = "\n".join(EVENTS[at] for at in order)
        found = example(_told(response, order_required=True))
        numbers = [line.number for line in found.lines]
        assert numbers == [order.index(at) + 1 for at in range(5)]
        fates = Counter(line.fate for line in found.lines)
        assert fates[FOUND] == _longest_rising(order)
        assert fates[FOUND] + fates[MISPLACED] == 5
        kept = [line.number for line in found.lines if line.fate is FOUND]
        assert kept == sorted(kept, key=lambda number: number or 0), "what stays is in order"
        free = example(_told(response, order_required=False))
        assert [line.fate for line in free.lines] == [FOUND] * 5


def test_a_changed_item_is_neither_found_nor_misplaced() -> None:
    changed = EVENTS[4].replace("27", "28")
    found = example(_told("\n".join([changed, *EVENTS[:4]]), order_required=True))
    assert [line.fate for line in found.lines] == [*[FOUND] * 4, CHANGED]
    last = found.lines[-1]
    assert (last.number, last.depth) == (1, DEPTHS[4])
    assert last.reference == "2012-03-27 I watched a documentary about whales in the evening."
    assert last.answer == "2012-03-28 I watched a documentary about whales in the evening."


def test_a_verdict_of_other_rules_is_told() -> None:
    assert example(_told("- nothing")).note is None
    note = example(_told("\n".join(EVENTS))).note
    assert note is not None and "The rules as they are now hold this answer to be right" in note


@pytest.mark.parametrize(
    "told",
    [
        _told("x", reference="The contents are:\n" + "- so it was\n" * 5_000),
        replace(_told("x"), record=one(correct=False, lang=None)),
        replace(_told("x"), record=one(correct=False, pipeline=None)),
    ],
    ids=["long reference", "no language", "no pipeline"],
)
def test_what_cannot_be_aligned_is_shown_without_lines(told: Transcript) -> None:
    found = example(told)
    assert (found.lines, found.left_out, found.response) == ((), 0, "x")
    assert found.note is not None and found.note.startswith("Language or pipeline is not known")


def test_depths_of_another_number_are_not_shown() -> None:
    told = _told("\n".join(EVENTS))
    short = replace(told, record=changed(told.record, depths=(0.1, 0.2)))
    assert {line.depth for line in example(short).lines} == {None}


def _texts(found: Example) -> list[tuple[str, int]]:
    """Every text that a page shows, with how long it may be."""
    mark = len("\n[... 000,000,000 characters left out ...]\n")
    texts = [
        (found.question, cases.MOST_QUESTION),
        (found.reference, cases.MOST_REFERENCE),
        (found.response, cases.MOST_RESPONSE),
        (found.reason or "", cases.MOST_REASON),
        (found.analysis or "", cases.MOST_ANALYSIS),
    ]
    items = [text for line in found.lines for text in (line.reference, line.answer)]
    texts += [(text, cases.MOST_ITEM) for text in items if text is not None]
    return [(text, most + mark) for text, most in texts]


def _is_harmless(text: str) -> bool:
    text.encode("utf-8")  # raises on half a surrogate pair
    return all(sign in "\n\t" or sign.isprintable() or sign.isspace() for sign in text) and not any(
        sign in text for sign in "\r\x0b\x0c\x85\u2028\u2029\x1c"
    )


HOSTILE = [
    "\x00" * 50_000,
    "\ud800\udfff" * 20_000,
    "\u202e\u2066\u200f" * 20_000,
    "1. " + "word " * 30_000,
    "\n".join(f"{number}. Do the thing number {number}" for number in range(1, 4_000)),
    "<script>alert(1)</script>\r\n]]>{{ x }}\x1b[2J\u2028\x85\U000e0041\ufffe",
    "\n".join(EVENTS * 300),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_fills_the_report_or_hides_a_thing(text: str) -> None:
    for reference in (DIARY, text[:19_000] or DIARY):
        told = _told(text, reference=reference, reason=text[:1_000])
        found = example(replace(told, question=text, analysis=text))
        assert len(found.lines) <= cases.MOST_LINES
        for shown_text, most in _texts(found):
            assert len(shown_text) <= most
            assert _is_harmless(shown_text)
    # All that is left out is counted.
    if text.startswith("1. Do"):
        assert len(found.lines) == cases.MOST_LINES and found.left_out > 100


def test_a_long_text_keeps_both_ends_and_says_what_is_left_out() -> None:
    text = "".join(chr(ord("a") + at % 26) for at in range(34_000))
    head, tail = shown(text, 8_000).split(" [... 26,000 characters left out ...] ")
    assert text.startswith(head) and len(head) == 4_000
    assert text.endswith(tail) and len(tail) == 4_000
    lines = shown("so\n" * 100, 31)
    assert lines.startswith("so\nso\n") and "\n[... 269 characters left out ...]\n" in lines
    assert shown(text[:8_000], 8_000) == text[:8_000]
    assert shown("\ta\r\nb\rc", 20) == "\ta\nb\\x0dc"


@settings(max_examples=examples(100), deadline=None)
@given(st.text(st.characters(), max_size=300), st.integers(2, 200))
def test_shown_texts_are_harmless(text: str, most: int) -> None:
    found = shown(text, most)
    assert not cases._UNSEEN.search(found)
    assert len(found) <= most + len("\n[... 0,000 characters left out ...]\n")
    assert shown(found, len(found)) == found, "what is harmless stays as it is"
    if len(text) <= most and not cases._UNSEEN.search(text):
        assert found == text


MODES = [str(mode) for mode in FailureMode]


def _failures() -> list[Record]:
    """Answers of a run whose failures are mostly of one kind."""
    found: list[Record] = []
    for number, (length, pipeline, lang) in enumerate(
        (length, str(pipeline), lang)
        for length in ("8k-16k", "16k-32k", "32k-64k", "64k-128k")
        for pipeline in Pipeline
        for lang in ("en", "zh")
    ):
        stratum = {"length_bin": length, "pipeline": pipeline, "lang": lang, "correct": False}
        # Long prompts fail much more often, and mostly for one reason.
        found += rows(2 + 40 * (length == "64k-128k"), id=f"m-{number}", **stratum)
        found += rows(1, id=f"i-{number}", **stratum, failure_modes=(MODES[2], MODES[6]))
        found += rows(1, id=f"o-{number}", **stratum, failure_modes=(MODES[3],))
        found += rows(3, id=f"r-{number}", **{**stratum, "correct": True})
        found += rows(3, id=f"u-{number}", **{**stratum, "correct": None})
    return found


def test_failures_of_all_kinds_are_chosen() -> None:
    found = choose(_failures(), 24)
    assert len({row.id for row in found}) == 24
    assert {row.correct for row in found} == {False}
    for name, most in (("length_bin", 4), ("pipeline", 3), ("lang", 2)):
        counts = Counter(value(row, name) for row in found)
        assert len(counts) == most
        assert max(counts.values()) - min(counts.values()) <= 2, name
    modes = Counter(mode for row in found for mode in row.failure_modes or ())
    assert min(modes[MODES[at]] for at in (0, 2, 3, 6)) >= 6


def test_the_choice_hangs_on_the_rows_alone() -> None:
    given = _failures()
    found = choose(given, 30)
    turned = sorted(given, key=lambda row: row.id[::-1])
    for others in (given[::-1], given[50:] + given[:50], turned):
        assert choose(others, 30) == found
    lengths = ["8k-16k", "16k-32k", "32k-64k", "64k-128k"]
    places = [lengths.index(str(row.length_bin)) for row in found]
    assert places == sorted(places), "shorter prompts come first"


def test_samples_are_chosen_once_and_never_too_many() -> None:
    given = [
        one(id=f"s-{number}", epoch=epoch, correct=epoch == 1)
        for number in range(3)
        for epoch in (3, 2, 1)
    ]
    assert [(row.id, row.epoch) for row in choose(given, 9)] == [
        ("s-0", 2),
        ("s-1", 2),
        ("s-2", 2),
    ]
    assert len(choose(given, 2)) == 2
    assert choose(given, 0) == [] == choose([one()], 5)
    # Files of seqniah score cases tell next to nothing.
    bare = [
        changed(one(id=name, correct=False), length_bin=None, needle_group=None, pipeline=None)
        for name in ("b", "a")
    ]
    assert [row.id for row in choose(bare, 5)] == ["a", "b"]
