"""What inspect's viewer shows: columns that are there, and verdicts that nobody can forge."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, get_args

import browser
import pytest
from hypothesis import given
from hypothesis import strategies as st
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, bundle_log_dir, read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.viewer import ScoreColorScale, TaskSamplesView
from inspect_ai.viewer._config import TaskSamplesColumnId
from markdown_it import MarkdownIt
from markdown_it.token import Token

from seqniah_datasets import tokens
from seqniah_scorers.rules import align
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.sequential_niah import explain
from seqniah_tasks.benchmarks.sequential_niah.explain import MOST_ROWS
from seqniah_tasks.quoting import MOST_QUOTED, quoted

REFERENCE = """\
What Ann, Bob, Cid and Dora did, in chronological order:
- On May 1, 2020, Ann Marlow sold a fishing boat to the harbour master.
- On May 3, 2020, Bob Tarrant repaired the roof of the old mill.
- On June 9, 2021, Cid Vance planted eleven pear trees behind the school.
- On July 2, 2021, Dora Quill painted the door of the chapel green."""

ATTACKS = (
    "<script>window.PWNED = 1</script>",
    "<img src=x onerror='window.PWNED = 2'>",
    "[a link](javascript:window.PWNED=3) and ![a picture](http://leak.example/a.png)",
    "`<b>` ``` <b> `` | a | b |",
    "$$\\href{javascript:alert(1)}{hidden}$$ **right** <!-- gone -->",
    "\x1b]8;;http://leak.example\x07link\x1b]8;;\x07 \u202ethgir\u202c",
    "</li></ol><h1>All right</h1>",
)


def _told(response: str, *, order: bool = True, reference: str = REFERENCE) -> str:
    case = Case(
        lang="en",
        needle_type="temporal",
        question="List in chronological order what they did.",
        reference=reference,
        response=response,
        order_required=order,
    )
    return explain.explain(align(case))


def _tokens(text: str) -> Iterator[Token]:
    """All that a renderer makes of a text; it takes HTML, as that of inspect's viewer does."""
    for block in MarkdownIt("commonmark", {"html": True}).parse(text):
        yield block
        yield from block.children or []


def _only_lists_and_code(text: str) -> None:
    """Fails where any word of others became markup."""
    kinds = {token.type.removesuffix("_open").removesuffix("_close") for token in _tokens(text)}
    harmless = {"paragraph", "inline", "text", "softbreak", "code_inline", "list_item"}
    assert kinds <= {*harmless, "ordered_list", "bullet_list"}


def _codes(text: str) -> list[str]:
    return [token.content for token in _tokens(text) if token.type == "code_inline"]


# Explanations.


def test_each_item_stands_beside_what_the_answer_made_of_it() -> None:
    told = _told(
        "1. On May 1, 2020, Ann Marlow sold a fishing boat to the harbour master.\n"
        "2. On June 9, 2021, Cid Vance planted twelve pear trees behind the school.\n"
        "3. On May 3, 2020, the roof of the old mill was repaired by Bob Tarrant.\n"
        "4. On August 4, 2021, Ezra Bloom sang in the inn."
    )
    first, rows, extra = told.partition("\n\nItems")[0], *told.split("order:\n\n")[1].split("\n\nR")
    assert "wrong: 2 of 4 reference items" in first
    assert "1 changed; 1 missing; 1 redundant" in first
    assert rows.split("\n") == [
        "1. \u2713 item 1: `2020-05-01 Ann Marlow sold a fishing boat to the harbour master.`",
        "2. \u2713 item 3: `2020-05-03 Bob Tarrant repaired the roof of the old mill.`",
        "   in its words: `2020-05-03 the roof of the old mill was repaired by Bob Tarrant.`",
        "3. \u2260 item 2: `2021-06-09 Cid Vance planted eleven pear trees behind the school.`",
        "   changed to: `2021-06-09 Cid Vance planted twelve pear trees behind the school.`",
        "4. \u2717 missing: `2021-07-02 Dora Quill painted the door of the chapel green.`",
    ]
    assert extra.endswith("\n\n- item 4: `2021-08-04 Ezra Bloom sang in the inn.`")


@pytest.mark.parametrize(
    ("demanded", "words"),
    [
        (True, "wrong: 4 of 4 reference items are stated rightly; the order"),
        (False, "right: all 4"),
    ],
)
def test_an_order_that_is_not_the_true_one_is_given(demanded: bool, words: str) -> None:
    intro, *items = REFERENCE.split("\n")
    told = _told("\n".join([intro, items[2], items[0], items[3], items[1]]), order=demanded)
    assert words in told
    assert "the answer has the items in the order 3, 1, 4, 2." in told
    assert ("not demanded" in told) is not demanded


def test_a_right_answer_is_told_to_be_right_and_in_order() -> None:
    told = _told(REFERENCE)
    assert told.startswith("The rules say right: all 4 ")
    assert "Order is demanded, and kept." in told
    assert told.count("\u2713") == 4
    assert "in its words" not in told


@pytest.mark.parametrize("response", ["", "I cannot find it.", "x " * 200_001])
def test_an_answer_without_items_leaves_all_missing(response: str) -> None:
    told = _told(response)
    assert told.startswith("The rules say wrong: ")
    assert told.count("\u2717 missing") == 4
    assert "Redundant" not in told


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_words_of_others_become_markup(attack: str) -> None:
    lines = REFERENCE.split("\n")
    redundant = f"- On March 4, 2019, somebody {attack}"
    changed = lines[3].replace("eleven", f"{attack} twelve")
    for response in (f"{REFERENCE}\n{redundant}", "\n".join([*lines[:3], changed]), attack):
        _only_lists_and_code(_told(response))
    poisoned = REFERENCE.replace("the harbour", f"the {attack} harbour")
    _only_lists_and_code(_told("\n".join(lines[:3]), reference=poisoned))
    verdict = align(Case("en", "temporal", "What?", REFERENCE, REFERENCE)).verdict
    case = Case("en", "temporal", "What?", REFERENCE, lines[1])
    judged = explain.explain_both(
        type(verdict)(False, (), 0, 0, None, True, attack, ()), attack, align(case)
    )
    _only_lists_and_code(judged)


@given(st.text(st.characters() | st.sampled_from("` \\\n$<|*_[]!\u202e\x1b\u3000"), max_size=400))
def test_whatever_is_quoted_is_code_word_for_word(text: str) -> None:
    said = quoted(text)
    parsed = [token for token in _tokens(f"- item 1: {said}") if token.type == "code_inline"]
    line = " ".join(text.split())
    seen = "".join(one if one.isprintable() else "\ufffd" for one in line)
    wanted = seen if len(seen) <= MOST_QUOTED else f"{seen[: MOST_QUOTED - 3]}..."
    assert [token.content for token in parsed] == ([wanted] if wanted else [])
    assert "\n" not in said
    assert said.isprintable()


def test_long_answers_and_long_items_stay_short() -> None:
    many = "\n".join(f"- On May {1 + n % 28}, {1900 + n // 28}, it rained." for n in range(400))
    told = _told(many)
    assert f"\n\nAnd {400 - MOST_ROWS} more." in told
    assert told.count("\n- item ") == MOST_ROWS
    intro, *items = REFERENCE.split("\n")
    long = "\n".join([intro, *(f"{item} {'and so on ' * 500}" for item in items)])
    assert max(map(len, _codes(_told(long, reference=long)))) == MOST_QUOTED
    assert len(_told("`" * 150_000)) < 4_000


# The view of a run.


def _run(folder: Path, task: str = "seqniah/test", limit: int = 3, **given: Any) -> EvalLog:
    """A run with answers that hold the attacks, and a grader where one is asked for."""
    roles = {"grader": _model(_grade)} if given.get("scorer") in ("judge", "cascade") else None
    log = run_eval(
        task,
        model=_model(_grade if task == "seqniah/judge" else _attack),
        model_roles=roles,  # type: ignore[arg-type]
        limit=limit,
        log_dir=str(folder),
        display="log",
        task_args=given if task == "seqniah/judge" else {"length": "8k-16k", **given},
    )[0]
    assert log.status == "success", log.error
    return read_eval_log(log.location)


def _model(answer: Any) -> Any:
    def outputs(messages: Any, *_: Any) -> ModelOutput:
        prompt = messages[-1].text
        output = ModelOutput.from_content("mock", answer(prompt))
        seen = tokens.tokenizer().count(prompt)
        output.usage = ModelUsage(input_tokens=seen, output_tokens=1, total_tokens=seen + 1)
        return output

    return get_model("mockllm/model", custom_outputs=outputs)


def _attack(prompt: str) -> str:
    return "\n".join(
        ["Here it is:", *(f"- On May {n + 1}, 2020, {one}" for n, one in enumerate(ATTACKS))]
    )


def _grade(prompt: str) -> str:
    return '{"order_analysis": "", "eval_analysis": "<b>no</b> `item`", "eval_label": "incorrect"}'


def _of_scores(log: EvalLog) -> Counter[str]:
    """The columns that the viewer makes of the samples' scores, with how many samples have each."""
    found: Counter[str] = Counter()
    for sample in log.samples or []:
        for scorer, score in (sample.scores or {}).items():
            names = list(score.value) if isinstance(score.value, dict) else [scorer]
            found.update(f"score__{scorer}__{name}" for name in names)
    return found


def _view(log: EvalLog) -> TaskSamplesView:
    assert log.eval.viewer
    assert isinstance(log.eval.viewer.task_samples_view, TaskSamplesView)
    return log.eval.viewer.task_samples_view


RUNS = [
    ("seqniah/test", {"scorer": "rules"}, "rules"),
    ("seqniah/test", {"scorer": "judge"}, "judge"),
    ("seqniah/test", {"scorer": "cascade"}, "cascade"),
    ("seqniah/noise", {"bases": 1}, "rules"),
    ("seqniah/judge", {"lang": "en"}, "label"),
]


@pytest.mark.parametrize(("task", "given", "first"), RUNS, ids=lambda one: str(one))
def test_the_columns_are_those_of_the_scores(
    tmp_path: Path, task: str, given: dict[str, Any], first: str
) -> None:
    log = _run(tmp_path, task, **given)
    view = _view(log)
    ids = [column.id for column in view.columns or []]
    scores = [one for one in ids if one.startswith("score__")]
    assert scores[0] == f"score__{first}__{first}"
    assert Counter(scores) == Counter(_of_scores(log).keys())
    assert set(ids) - set(scores) <= set(get_args(TaskSamplesColumnId))
    assert {one.column for one in view.sort or []} <= set(ids)
    names = {one.rpartition("__")[2] for one in scores}
    assert set(view.score_labels or {}) == (names if task != "seqniah/judge" else set())
    assert set(view.score_color_scales or {}) <= names
    assert log.eval.viewer
    assert log.eval.viewer.trust_content is False


def test_the_colours_span_what_the_figures_can_be(tmp_path: Path) -> None:
    log = _run(tmp_path)
    scales = _view(log).score_color_scales or {}
    for sample in log.samples or []:
        figures = (sample.scores or {})["items"].value
        assert isinstance(figures, dict)
        assert set(scales) == set(figures)
        for name, value in figures.items():
            scale = scales[name]
            assert isinstance(scale, ScoreColorScale)
            assert scale.min is not None
            assert scale.max is not None
            assert isinstance(value, float)
            assert math.isnan(value) or scale.min <= value <= scale.max
    assert (scales["item_recall"], scales["item_precision"]) == (
        ScoreColorScale(palette="good-high", min=0, max=1),
        ScoreColorScale(palette="good-high", min=0, max=1),
    )


@pytest.mark.parametrize(("task", "given", "first"), RUNS, ids=lambda one: str(one))
def test_explanations_in_a_log_hold_no_markup_of_others(
    tmp_path: Path, task: str, given: dict[str, Any], first: str
) -> None:
    log = _run(tmp_path, task, **given)
    for sample in log.samples or []:
        told = (sample.scores or {})[first].explanation
        assert told
        _only_lists_and_code(told)
        assert _codes(told)


@pytest.mark.skipif(browser.find() is None, reason="there is no Chromium")
def test_in_the_browser_a_hostile_answer_is_plain_text(tmp_path: Path) -> None:
    log = _run(tmp_path / "logs", limit=2)
    bundle_log_dir(str(tmp_path / "logs"), str(tmp_path / "www"))
    name = Path(log.location).name
    found = str((log.samples or [])[0].id)
    chromium = browser.find()
    assert chromium
    with _served(tmp_path / "www") as url, browser.tab(chromium, tmp_path / "home") as tab:
        page = f"{url}/#/logs/{name}"
        tab.call("Page.navigate", url=page)
        while not [one for one in tab.events if one.get("method") == "Page.loadEventFired"]:
            tab.call("Target.getTargetInfo")  # answered by the browser, whatever the page does
        _wait(tab, "VERDICT")
        for header in ("RECALL", "PRECISION", "ORDER", "PROMPT"):
            assert header in tab.value("document.body.innerText.toUpperCase()")
        tab.call("Page.navigate", url=f"{page}/samples/sample/{found}/1/scoring")
        _wait(tab, "Redundant items of the answer:".upper())
        shown = tab.value("document.body.innerText")
        assert "item 1: `2020-05-01 <script>window.PWNED = 1</script>`" in shown  # as it is written
        assert tab.value("typeof window.PWNED") == "undefined"
        assert tab.value("document.querySelectorAll('a[href*=leak], img[src*=leak]').length") == 0
        asked = [one["request"]["url"] for one in tab.of("Network.requestWillBeSent")]
        assert not [one for one in asked if "leak.example" in one]


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def _wait(tab: browser.Tab, words: str) -> None:
    for _ in range(150):
        if words in tab.value("document.body.innerText.toUpperCase()"):
            return
        threading.Event().wait(0.2)
    raise AssertionError(f"{words!r} never shows: {tab.value('document.body.innerText')[:600]}")
