"""Questions rewritten by a model: what is taken, what is refused, and what is kept of a run."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from in_process import run
from inspect_ai.model import Model, ModelOutput, ModelUsage, get_model

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import QAItem
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.benchmarks.sequential_niah.rewriting import replies as rewriting
from seqniah_tasks.benchmarks.sequential_niah.rewriting.files import (
    Drawn,
    Replies,
    gather,
)
from seqniah_tasks.benchmarks.sequential_niah.rewriting.replies import (
    Exclusion,
    screen,
)
from seqniah_tasks.benchmarks.sequential_niah.rewriting.run import (
    replies_path,
    rewrite,
)
from seqniah_tasks.benchmarks.sequential_niah.rewriting.wordings import (
    Refusal,
    subject_names,
)
from seqniah_tasks.benchmarks.sequential_niah.score import judge

Fields = dict[str, Any]

POOL: list[Fields] = [
    {
        "question": "How do you prepare a sourdough starter?",
        "answer": "Do this:\n- Mix 100 g of flour with water.\n- Let the mixture rest overnight.\n"
        "- Pour half of the rested mixture away.\n- Feed the remaining half with flour.",
        "needles": [
            "Mix 100 g of flour with water.",
            "Let the mixture rest overnight.",
            "Pour half of the rested mixture away.",
            "Feed the remaining half with flour.",
        ],
    },
    {
        "question": "怎样种植番茄幼苗？请按顺序列出步骤。",
        "answer": "步骤如下：\n1. 把种子浸泡在温水里。\n2. 将泡好的种子播进土中。\n"
        "3. 给出土的幼苗浇水。",
        "needles": ["把种子浸泡在温水里。", "将泡好的种子播进土中。", "给出土的幼苗浇水。"],
    },
    {
        "question": "What should one pack for a picnic lunch?",
        "answer": "This:\n- Bring apples.\n- Bring bread.\n- Bring cheese.",
        "needles": ["Bring apples.", "Bring bread.", "Bring cheese."],
    },
]
"""A user's own; the order of the last one is free."""

SUBJECTS = {"How": "a sourdough starter", "怎样": "种植番茄幼苗", "What": "a picnic lunch"}


@pytest.fixture(scope="module")
def events() -> list[Drawn]:
    """Some questions about events, in both languages."""
    return gather([read_options(pipeline="real-temporal")], 6)[0]


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    path = tmp_path / "pool.jsonl"
    rows = [{**row, "split": "test"} for row in POOL]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def _english(events: list[Drawn]) -> QAItem:
    return next(one.item for one in events if one.item.lang == "en")


def _as_it_is(item: QAItem) -> Fields:
    needles = [needle.text for needle in item.needles]
    return {"question": item.question, "intro": item.intro, "needles": needles}


def _material(prompt: str) -> Fields:
    fields = json.JSONDecoder().raw_decode(prompt, prompt.index("{\n"))[0]
    assert isinstance(fields, dict)
    return fields


def _lead(text: str, english: str, chinese: str) -> str:
    return (english if text.isascii() else chinese) + text


def _good(prompt: str) -> str:
    """What a careful model replies."""
    fields = _material(prompt)
    if "steps" in fields:
        strict = not fields["question"].startswith("What")
        return json.dumps({"order_matters": "yes" if strict else "no", "exchangeable": None})
    if "intro" not in fields:
        words = next(SUBJECTS[start] for start in SUBJECTS if fields["question"].startswith(start))
        needles = [
            _lead(text, f"For {words}, this is needed: ", f"{words}时，要")
            for text in fields["needles"]
        ]
        return json.dumps({"subject": words, "needles": needles})
    return json.dumps(
        {
            "question": _lead(fields["question"], "Answer this, please. ", "请回答："),
            "intro": _lead(fields["intro"], "It is as follows. ", "答案如下，"),
            "needles": [
                _lead(one, "As the papers wrote: ", "据报道，") for one in fields["needles"]
            ],
        },
        ensure_ascii=False,
    )


def _model(reply: Callable[[str], str] = _good) -> tuple[Model, list[str]]:
    """A model that answers as `reply` says, and the prompts it has seen."""
    seen: list[str] = []

    def answer(messages: Any, *_: Any) -> ModelOutput:
        seen.append(messages[-1].text)
        output = ModelOutput.from_content("mockllm/model", reply(messages[-1].text))
        output.usage = ModelUsage(input_tokens=7, output_tokens=5, total_tokens=12)
        return output

    return get_model("mockllm/model", custom_outputs=answer, memoize=False), seen


def _samples(path: Path) -> list[QAItem]:
    """The QAs of a file as samples of the paper edition ask them."""
    options = read_options(
        edition="paper",
        corpus="procedural",
        qa=str(path),
        shortfall="smaller",
        pipeline="real-temporal",
    )
    bench = SequentialNiah(options)
    return [bench.qa(planned) for planned in bench.plan]


# What is taken


def test_a_careful_models_words_are_taken_and_the_reference_stays(
    events: list[Drawn], tmp_path: Path
) -> None:
    model, seen = _model()
    out = tmp_path / "qa.jsonl"
    summary = rewrite(events, model, out)
    assert summary.complete and not summary.refused, summary.lines()
    assert summary.calls == len(seen) == len(events) == summary.kept
    assert summary.rewritten == sum(len(one.item.needles) + 2 for one in events)
    assert (summary.input_tokens, summary.output_tokens) == (7 * len(seen), 5 * len(seen))
    facts = json.loads(json.dumps(summary.as_json()))
    assert facts["complete"] is True and facts["refused"] == {} and facts["calls"] == len(seen)
    items = {item.question: item for item in _samples(out)}
    assert len(items) == len(events)
    for before in (one.item for one in events):
        now = next(item for question, item in items.items() if before.question in question)
        assert [n.item for n in now.needles] == [n.item for n in before.needles]
        assert (now.subject, now.order_required) == (before.subject, before.order_required)
        quoted = "\n".join(f"- {needle.text}" for needle in now.needles)
        assert judge(now, quoted).correct


@pytest.mark.parametrize(
    "around",
    ["{}", "Sure! Here it is:\n```json\n{}\n```\nAnything else?", 'I think {{"a": 1}} first. {}'],
)
def test_fences_and_words_around_a_reply_do_no_harm(events: list[Drawn], around: str) -> None:
    item = _english(events)
    reply = around.format(_good(rewriting.ask(item)))
    made = rewriting.read(reply, item)
    assert made.taken == len(item.needles) + 2 and not made.refused


def test_of_several_objects_the_last_one_counts(events: list[Drawn]) -> None:
    item = _english(events)
    reply = f"Given was {json.dumps(_as_it_is(item))}. Now: {_good(rewriting.ask(item))}"
    assert rewriting.read(reply, item).taken == len(item.needles) + 2


# What is refused


def _first(change: Callable[[str, list[str]], object]) -> Callable[[Fields, list[str]], None]:
    def apply(fields: Fields, names: list[str]) -> None:
        fields["needles"][0] = change(fields["needles"][0], names)

    return apply


def _swap(text: str, names: list[str]) -> str:
    a, b = names
    return text.replace(a, "@").replace(b, a).replace("@", b)


def _set(part: str, value: object) -> Callable[[Fields, list[str]], None]:
    return lambda fields, names: fields.update({part: value})


BAD_NEEDLES: dict[str, tuple[Callable[[str, list[str]], object], Refusal]] = {
    "a date more": (lambda text, _: f"{text} It went on until May 4, 1831.", Refusal.DATES),
    "a weekday of its own": (
        lambda text, _: f"{text} It was a Sunday, then a Monday, then a Friday.",
        Refusal.DATES,
    ),
    "a number more": (lambda text, _: f"{text} It cost 40 lives.", Refusal.NUMBERS),
    "a name dropped": (lambda text, names: text.replace(names[0], "it"), Refusal.NAMES),
    "a name dropped late": (lambda text, names: text.replace(names[1], "them"), Refusal.NAMES),
    "names exchanged": (_swap, Refusal.NAMES),
    "a number in front": (lambda text, _: f"1. {text}", Refusal.NUMBERED),
    "a bullet in front": (lambda text, _: f"- {text}", Refusal.NUMBERED),
    "a place told": (lambda text, _: f"First, {text}", Refusal.NUMBERED),
    "a line break": (lambda text, _: f"{text}\nIt was so.", Refusal.LINE_BREAK),
    "a separator": (lambda text, _: f"{text}\u2028It was so.", Refusal.LINE_BREAK),
    "control characters": (lambda text, _: f"{text}\x1b[2J", Refusal.CHARACTERS),
    "half a character": (lambda text, _: f"{text}\ud800", Refusal.CHARACTERS),
    "hidden direction": (lambda text, _: f"{text}\u202e", Refusal.CHARACTERS),
    "a flood": (lambda text, _: text + " and so it was" * 1000, Refusal.LENGTH),
    "nothing": (lambda text, _: "  ", Refusal.NOT_TEXT),
    "no text": (lambda text, _: {"text": text}, Refusal.NOT_TEXT),
    "a denial": (lambda text, _: f"It is not true that {text}", Refusal.FACTS),
}


@pytest.mark.parametrize("what", BAD_NEEDLES)
def test_a_bad_needle_stays_as_it_was_and_the_others_are_taken(
    events: list[Drawn], what: str
) -> None:
    item = _english(events)
    change, reason = BAD_NEEDLES[what]
    fields = json.loads(_good(rewriting.ask(item)))
    names = item.subject.split(", ")
    texts = [needle.text[0].lower() + needle.text[1:] for needle in item.needles]
    fields["needles"][0] = change(texts[0], names)
    made = rewriting.read(json.dumps(fields), item)
    assert made.refused == (reason,)
    assert made.item.needles[0] == item.needles[0]
    assert made.taken == len(item.needles) + 1


def test_every_date_of_a_needle_must_stay(events: list[Drawn]) -> None:
    for one in events:
        fields = _as_it_is(one.item)
        for number, needle in enumerate(one.item.needles):
            assert needle.date
            other = str(needle.date.year + 1)
            fields["needles"][number] = needle.text.replace(str(needle.date.year), other)
        made = rewriting.read(json.dumps(fields), one.item)
        assert set(made.refused) == {Refusal.DATES} and made.item == one.item


def test_facts_that_change_places_under_their_dates_are_refused(events: list[Drawn]) -> None:
    for one in events:
        item = one.item
        clauses = [needle.event for needle in item.needles]
        fields = _as_it_is(item)
        fields["needles"] = [
            needle.item.replace(needle.event, clause)
            for needle, clause in zip(item.needles, clauses[1:] + clauses[:1], strict=True)
        ]
        made = rewriting.read(json.dumps(fields), item)
        assert made.item == item, made.refused


def test_passages_in_another_order_are_refused(events: list[Drawn]) -> None:
    item = _english(events)
    fields = _as_it_is(item)
    fields["needles"].reverse()
    made = rewriting.read(json.dumps(fields), item)
    assert made.item.needles == item.needles


BAD_PARTS: dict[str, tuple[Callable[[Fields, list[str]], None], Refusal]] = {
    "question without a name": (
        lambda f, names: f.update(question=f["question"].replace(names[0], "it")),
        Refusal.NAMES,
    ),
    "question with names exchanged": (
        lambda f, names: f.update(question=_swap(f["question"], names)),
        Refusal.NAMES,
    ),
    "question of another period": (
        lambda f, names: f.update(question=f"{f['question']} Only in March 2001."),
        Refusal.DATES,
    ),
    "question of another year": (
        lambda f, names: f.update(question=f"{f['question']} Up to 2031 only."),
        Refusal.NUMBERS,
    ),
    "question empty": (_set("question", ""), Refusal.NOT_TEXT),
    "question no text": (_set("question", ["a"]), Refusal.NOT_TEXT),
    "question long": (
        lambda f, names: f.update(question=f["question"] + "?" * 5000),
        Refusal.LENGTH,
    ),
    "intro empty": (_set("intro", " "), Refusal.NOT_TEXT),
    "intro missing": (lambda f, names: f.pop("intro"), Refusal.NOT_TEXT),
    "intro as an item": (lambda f, names: f.update(intro=f"- {f['intro']}"), Refusal.NUMBERED),
    "intro with an answer": (
        lambda f, names: f.update(intro=f"{f['intro']} see April 1, 1999:"),
        Refusal.DATES,
    ),
}


@pytest.mark.parametrize("what", BAD_PARTS)
def test_a_bad_question_or_opening_line_stays_as_it_was(events: list[Drawn], what: str) -> None:
    item = _english(events)
    change, reason = BAD_PARTS[what]
    fields = _as_it_is(item)
    change(fields, item.subject.split(", "))
    made = rewriting.read(json.dumps(fields), item)
    assert made.refused == (reason,)
    assert made.item == item


def test_the_demand_for_order_neither_comes_nor_goes(events: list[Drawn]) -> None:
    for one in gather([read_options(pipeline="real-temporal")], 60)[0]:
        fields = _as_it_is(one.item)
        words = ", in no particular order" if one.item.lang == "en" else "（不考虑顺序）"
        if not one.item.order_required:
            words = ", in chronological order" if one.item.lang == "en" else "，按时间顺序"
        fields["question"] += words
        made = rewriting.read(json.dumps(fields), one.item)
        assert made.refused == (Refusal.ORDER,), fields["question"]


def test_a_question_that_another_one_asks_is_refused(events: list[Drawn]) -> None:
    item = _english(events)
    fields = json.loads(_good(rewriting.ask(item)))
    made = rewriting.read(json.dumps(fields), item, asked={fields["question"]})
    assert made.refused == (Refusal.TWICE,)


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", Refusal.UNREADABLE),
        ("I cannot help with that.", Refusal.UNREADABLE),
        ('{"needles": ["a", ', Refusal.UNREADABLE),
        ('["a", "b", "c"]', Refusal.UNREADABLE),
        ("{" * 50_000, Refusal.UNREADABLE),
        ('{"needles":' * 10_000, Refusal.UNREADABLE),
        ('{"needles": ' + "9" * 100_000 + "}", Refusal.UNREADABLE),
        ("x" * 1_000_000, Refusal.TOO_LONG_REPLY),
        (json.dumps({"needles": ["a" * 1_000_000]}), Refusal.TOO_LONG_REPLY),
    ],
    ids=["empty", "prose", "broken", "list", "braces", "nested", "number", "1 MB", "1 MB of JSON"],
)
def test_a_reply_that_cannot_be_read_changes_nothing(
    events: list[Drawn], reply: str, reason: Refusal
) -> None:
    item = _english(events)
    made = rewriting.read(reply, item)
    assert made.item == item and made.taken == 0
    assert made.refused == (reason,) * (len(item.needles) + 2)


@pytest.mark.parametrize("needles", [[], ["one"], "text", None, {"1": "a"}])
def test_another_number_of_needles_changes_none(events: list[Drawn], needles: object) -> None:
    item = _english(events)
    made = rewriting.read(json.dumps({**_as_it_is(item), "needles": needles}), item)
    assert made.refused == (Refusal.COUNT,) * len(item.needles)
    more = [*_as_it_is(item)["needles"], "And one more."]
    made = rewriting.read(json.dumps({**_as_it_is(item), "needles": more}), item)
    assert made.refused == (Refusal.COUNT,) * len(item.needles)


def test_what_a_graphs_event_names_must_stay(tmp_path: Path) -> None:
    path = tmp_path / "feg.jsonl"
    rows = [
        {
            "融资方": "云杉科技",
            "投资方": [investor, "海棠资本"],
            "融资时间": f"201{year}年03月02日",
            "轮次": "A轮",
            "金额": "RMB数千万",
        }
        for year, investor in enumerate(["青松基金", "白桦创投", "红枫投资"])
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    options = [
        read_options(split, edition="paper", tkg=str(path)) for split in ("test", "dev", "train")
    ]
    one = next(one for one in gather(options)[0] if one.item.subject == "云杉科技")
    fields = _as_it_is(one.item)
    fields["needles"] = [text.replace("基金", "资本") for text in fields["needles"]]
    made = rewriting.read(json.dumps(fields), one.item, one.names)
    assert made.refused == (Refusal.NAMES,) and made.item == one.item


@pytest.mark.parametrize(
    ("question", "needle", "names"),
    [
        (
            "What did Ada Quell do about Norvia from 2003 to 2006?",
            "On May 4, {}, Ada Quell {} Norvia.",
            {"Ada Quell", "Norvia"},
        ),
        (
            "2003年至2006年间，奎尔对诺维亚采取了哪些行动？",
            "{}年5月4日，奎尔{}诺维亚。",
            {"奎尔", "诺维亚"},
        ),
    ],
)
def test_names_are_found_where_a_pool_does_not_give_them(
    tmp_path: Path, question: str, needle: str, names: set[str]
) -> None:
    deeds = ("praised", "threatened", "visited") if "Ada" in question else ("赞扬", "威胁", "访问")
    needles = [needle.format(2003 + n, deed) for n, deed in enumerate(deeds)]
    answer = "\n".join(["Namely:", *(f"- {one}" for one in needles)])
    row = {"question": question, "answer": answer, "needles": needles, "split": "test"}
    path = tmp_path / "pool.jsonl"
    path.write_text(json.dumps({**row, "pipeline": "real-temporal"}) + "\n", "utf-8")
    item = gather([read_options(edition="paper", qa=str(path))])[0][0].item
    assert subject_names(item) == names
    for name in names:
        fields = _as_it_is(item)
        fields["needles"] = [text.replace(name, "X") for text in needles]
        assert set(rewriting.read(json.dumps(fields), item).refused) == {Refusal.NAMES}


# Steps


def _pool_items(pool: Path) -> list[Drawn]:
    return gather([read_options(edition="paper", qa=str(pool))])[0]


def test_steps_are_screened_and_carry_their_subject(pool: Path, tmp_path: Path) -> None:
    model, seen = _model()
    out = tmp_path / "steps.jsonl"
    drawn = _pool_items(pool)
    summary = rewrite(drawn, model, out)
    assert len(drawn) == 3 and summary.kept == 2 and len(seen) == 5
    assert summary.left_out == {str(Exclusion.FREE): 1}
    assert summary.examples == ["What should one pack for a picnic lunch?"]
    assert not summary.refused, summary.lines()
    assert summary.rewritten == 7
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert {row["question"] for row in rows} == {POOL[0]["question"], POOL[1]["question"]}
    for row in rows:
        start = next(start for start in SUBJECTS if row["question"].startswith(start))
        assert all(SUBJECTS[start] in needle for needle in row["needles"])
        assert row["order_required"] is True and row["split"] == "test"


def test_without_screening_all_stay(pool: Path, tmp_path: Path) -> None:
    model, seen = _model()
    summary = rewrite(_pool_items(pool), model, tmp_path / "steps.jsonl", screen=False)
    assert summary.kept == len(seen) == 3 and not summary.left_out


@pytest.mark.parametrize(
    ("reply", "excluded"),
    [
        ('{"order_matters": "yes", "exchangeable": null}', None),
        ('```json\n{"order_matters": true, "exchangeable": []}\n```', None),
        ('{"order_matters": "Yes.", "exchangeable": "none"}', None),
        ('{"order_matters": "是"}', None),
        ('{"order_matters": "no", "exchangeable": [1, 2]}', Exclusion.FREE),
        ('{"order_matters": "yes", "exchangeable": [2, 3]}', Exclusion.EXCHANGEABLE),
        ('{"order_matters": "yes", "exchangeable": ["2", "3"]}', Exclusion.EXCHANGEABLE),
        ('{"order_matters": "yes", "exchangeable": [2, 2]}', Exclusion.UNREADABLE),
        ('{"order_matters": "yes", "exchangeable": [1, 9]}', Exclusion.UNREADABLE),
        ('{"order_matters": "yes", "exchangeable": "some"}', Exclusion.UNREADABLE),
        ('{"order_matters": "perhaps", "exchangeable": null}', Exclusion.UNREADABLE),
        ('{"order_matters": null}', Exclusion.UNREADABLE),
        ("Yes, certainly.", Exclusion.UNREADABLE),
        ("yes" * 400_000, Exclusion.UNREADABLE),
    ],
)
def test_what_a_screening_says(pool: Path, reply: str, excluded: Exclusion | None) -> None:
    item = next(one.item for one in _pool_items(pool) if len(one.item.needles) == 4)
    assert screen(reply, item) == excluded


@pytest.mark.parametrize(
    ("subject", "needle", "reason"),
    [
        ("a sourdough starter", "Mix 100 g of flour with water.", Refusal.SUBJECT),
        ("a cake", "For a cake, mix 100 g of flour with water.", Refusal.SUBJECT),
        ("how do you", "How do you mix 100 g of flour with water.", Refusal.SUBJECT),
        (None, "For a sourdough starter, mix 100 g of flour with water.", Refusal.SUBJECT),
        (
            "a sourdough starter",
            "For a sourdough starter, mix 200 g of flour with water.",
            Refusal.NUMBERS,
        ),
        (
            "a sourdough starter",
            "Step one for a sourdough starter: mix 100 g of flour with water.",
            Refusal.NUMBERED,
        ),
        (
            "a sourdough starter",
            "For a sourdough starter, bake 100 g of pastry.",
            Refusal.FACTS,
        ),
    ],
)
def test_a_step_that_is_not_safe_stays(
    pool: Path, subject: object, needle: str, reason: Refusal
) -> None:
    item = next(one.item for one in _pool_items(pool) if len(one.item.needles) == 4)
    fields = json.loads(_good(rewriting.ask(item)))
    fields["subject"], fields["needles"][0] = subject, needle
    made = rewriting.read(json.dumps(fields), item)
    assert made.refused[0] == reason
    assert made.item.needles[0] == item.needles[0]


# What is kept of a run


def test_a_second_run_asks_for_nothing_and_offline_gives_the_same_bytes(
    events: list[Drawn], tmp_path: Path
) -> None:
    out = tmp_path / "qa.jsonl"
    rewrite(events, _model()[0], out)
    first, kept = out.read_bytes(), replies_path(out).read_bytes()
    model, seen = _model(lambda prompt: "something else")
    summary = rewrite(events, model, out)
    assert not seen and summary.cached == len(events) and summary.calls == 0
    out.unlink()
    summary = rewrite(events, "mockllm/model", out, offline=True)
    assert summary.complete and summary.cached == len(events)
    assert out.read_bytes() == first and replies_path(out).read_bytes() == kept
    assert len(kept.splitlines()) == len(events)


def test_a_half_written_line_is_dropped_and_asked_for_again(
    events: list[Drawn], tmp_path: Path
) -> None:
    out = tmp_path / "qa.jsonl"
    rewrite(events, _model()[0], out)
    whole, replies = out.read_bytes(), replies_path(out)
    lines = replies.read_bytes().splitlines(keepends=True)
    replies.write_bytes(b"".join(lines[:-1]) + lines[-1][:50])
    summary = rewrite(events, "mockllm/model", out, offline=True)
    assert summary.missing == summary.damaged == 1 and not summary.complete
    assert out.read_bytes() != whole
    assert any("missing: 1" in line for line in summary.lines())
    model, seen = _model()
    assert rewrite(events, model, out).complete
    assert len(seen) == 1 and out.read_bytes() == whole
    assert replies.read_bytes().splitlines(keepends=True) == lines


def test_a_broken_line_in_the_middle_is_asked_for_again(
    events: list[Drawn], tmp_path: Path
) -> None:
    out = tmp_path / "qa.jsonl"
    rewrite(events, _model()[0], out)
    whole, replies = out.read_bytes(), replies_path(out)
    lines = replies.read_bytes().splitlines(keepends=True)
    lines[1] = b"\x00\xff not JSON\n"
    replies.write_bytes(b"".join(lines))
    model, seen = _model()
    assert rewrite(events, model, out).damaged == len(seen) == 1
    assert out.read_bytes() == whole


def test_an_interrupted_run_goes_on_where_it_stopped(events: list[Drawn], tmp_path: Path) -> None:
    out = tmp_path / "qa.jsonl"
    done: list[str] = []

    def until_third(prompt: str) -> str:
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(prompt)
        return _good(prompt)

    with pytest.raises(BaseException) as caught:
        rewrite(events, _model(until_third)[0], out, max_connections=1)
    assert not isinstance(caught.value, Exception)
    assert not out.exists()
    model, seen = _model()
    assert rewrite(events, model, out, max_connections=1).complete
    assert len(seen) == len(events) - 2


def test_a_killed_run_loses_nothing(tmp_path: Path) -> None:
    """A process that is killed in the middle has left whole lines behind."""
    script = (
        "import os, sys; sys.path[:0] = [sys.argv[1]]\n"
        "from pathlib import Path\n"
        "from seqniah_tasks.benchmarks.sequential_niah.rewriting.files import Replies\n"
        "replies = Replies(Path(sys.argv[2]), 'm')\n"
        "with replies.appending() as appender:\n"
        "    for n in range(50): appender.add(f'prompt {n}', 'reply', (1, 1))\n"
        "    os._exit(9)\n"
    )
    path = tmp_path / "a.replies.jsonl"
    root = str(Path(__file__).parents[2])
    subprocess.run([sys.executable, "-c", script, root, str(path)], check=False)
    assert path.read_bytes().count(b"\n") == 50


def test_other_models_and_wordings_do_not_share_replies(
    events: list[Drawn], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "qa.jsonl"
    rewrite(events, _model()[0], out)
    with pytest.raises(SeqniahError, match="holds no reply of openai/other"):
        rewrite(events, "openai/other", out, offline=True)
    monkeypatch.setattr("seqniah_tasks.benchmarks.sequential_niah.rewriting.prompts.VERSION", 999)
    with pytest.raises(SeqniahError, match="holds no reply"):
        rewrite(events, "mockllm/model", out, offline=True)


def test_a_model_that_fails_is_given_up_and_nothing_is_written(
    events: list[Drawn], tmp_path: Path
) -> None:
    def broken(prompt: str) -> str:
        raise RuntimeError("no such key\nat all")

    out = tmp_path / "qa.jsonl"
    with pytest.raises(SeqniahError, match=r"5 times in a row.*no such key at all"):
        rewrite(events, _model(broken)[0], out, max_connections=1)
    assert not out.exists()
    with pytest.raises(SeqniahError, match="gave no reply: no such key"):
        rewrite(events[:2], _model(broken)[0], out)
    with pytest.raises(SeqniahError, match="cannot be used"):
        rewrite(events, "nobody/nothing", out)


def test_one_call_that_fails_is_counted_and_asked_for_again(
    events: list[Drawn], tmp_path: Path
) -> None:
    out = tmp_path / "qa.jsonl"
    bad = rewriting.ask(events[0].item)

    def fails_once(prompt: str) -> str:
        if prompt == bad:
            raise RuntimeError("busy")
        return _good(prompt)

    summary = rewrite(events, _model(fails_once)[0], out)
    assert summary.failed == summary.missing == 1 and not summary.complete
    assert summary.kept == len(events)
    assert rewrite(events, _model()[0], out).complete


def test_a_megabyte_is_kept_short_and_refused(events: list[Drawn], tmp_path: Path) -> None:
    out = tmp_path / "qa.jsonl"
    summary = rewrite(events[:2], _model(lambda prompt: "9" * 1_000_000)[0], out)
    assert set(summary.refused) == {str(Refusal.TOO_LONG_REPLY)} and summary.rewritten == 0
    assert replies_path(out).stat().st_size < 500_000
    first = out.read_bytes()
    rewrite(events[:2], "mockllm/model", out, offline=True)
    assert out.read_bytes() == first


def test_steps_that_were_not_screened_are_left_out_offline(pool: Path, tmp_path: Path) -> None:
    out = tmp_path / "steps.jsonl"
    drawn = _pool_items(pool)
    rewrite(drawn[:2], _model()[0], out)
    summary = rewrite(drawn, "mockllm/model", out, offline=True)
    assert summary.left_out[str(Exclusion.UNSCREENED)] == summary.missing == 1


def test_where_nothing_is_left_nothing_is_written(pool: Path, tmp_path: Path) -> None:
    out = tmp_path / "steps.jsonl"
    summary = rewrite(_pool_items(pool), _model(lambda prompt: "no")[0], out)
    assert not summary.written and not summary.complete and not out.exists()
    assert summary.left_out == {str(Exclusion.UNREADABLE): 3}
    assert "nothing was written" in summary.lines()[-1]


def test_bad_places_and_empty_choices_are_named(
    events: list[Drawn], pool: Path, tmp_path: Path
) -> None:
    for out in (tmp_path / "qa.csv", tmp_path):
        with pytest.raises(SeqniahError, match=r"end it in \.jsonl"):
            rewrite(events, "mockllm/model", out)
    with pytest.raises(SeqniahError, match="No question"):
        rewrite([], "mockllm/model", tmp_path / "qa.jsonl")
    with pytest.raises(SeqniahError, match="max-connections"):
        rewrite(events, "mockllm/model", tmp_path / "qa.jsonl", max_connections=0)
    with pytest.raises(SeqniahError, match="not rewritten"):
        gather([read_options(pipeline="synthetic-temporal")])
    with pytest.raises(SeqniahError, match="no question to rewrite"):
        gather([read_options(edition="paper", qa=str(pool), pipeline="real-temporal")])


# Where the questions come from


def test_a_limit_takes_from_all_languages_and_sizes(events: list[Drawn]) -> None:
    drawn, again = gather([read_options()], 40)
    assert len(drawn) == 40 and again == 0
    assert sum(one.item.lang == "zh" for one in drawn) == 20
    assert len({len(one.item.needles) for one in drawn}) > 4
    assert drawn == gather([read_options()], 40)[0]


def test_the_questions_are_those_of_the_benchmarks_samples() -> None:
    options = read_options(pipeline="real-temporal", lang="en")
    bench = SequentialNiah(options)
    items = {bench.qa(planned).question: bench.qa(planned) for planned in bench.plan}
    drawn = gather([options], 10)[0]
    assert all(items[one.item.question] == one.item for one in drawn)


def test_a_pool_gives_all_of_its_split_and_each_question_once(tmp_path: Path) -> None:
    path = tmp_path / "pool.jsonl"
    rows = [
        {**POOL[0], "question": f"How do you prepare sourdough starter {n}?", "split": "test"}
        for n in "abcdefghij" * 60
        for n in [f"{n}{len(n)}"]
    ]
    rows = [{**row, "question": f"{row['question']} ({at})"} for at, row in enumerate(rows)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    drawn, again = gather([read_options(edition="paper", qa=str(path))])
    assert len(drawn) == len(rows) == 600 and again == 0
    twice, again = gather([read_options(edition="paper", qa=[str(path), str(path)])])
    assert len(twice) == again == 600


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tests",), "Unknown split 'tests'; known: train, dev, test."),
        (("test", "-T", "lnag=en"), "The task test has no option 'lnag'; did you mean lang?"),
        (("test", "-T", "pipeline=synthetic-temporal"), "questions are not rewritten"),
    ],
)
def test_a_mistake_on_the_command_line_is_a_sentence(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    more = ("--model", "mockllm/model", "--out", str(tmp_path / "qa.jsonl"))
    assert told in run("rewrite", *words, *more, code=1)
    assert list(tmp_path.iterdir()) == []


def test_the_command_rewrites_questions_of_several_splits(tmp_path: Path) -> None:
    out = tmp_path / "qa.jsonl"
    filters = {"pipeline": "real-temporal", "lang": "en"}
    drawn, _ = gather([read_options(split, **filters) for split in ("test", "dev")], 4)
    with Replies(replies_path(out), "m").appending() as kept:
        for one in drawn:
            kept.add(rewriting.ask(one.item), "no", (1, 1))
    options = [word for pair in filters.items() for word in ("-T", "=".join(pair))]
    words = ("--limit", "4", "--offline", "--model", "m", "--out", str(out), "--json")
    told = json.loads(run("rewrite", "test,dev", *options, *words))
    assert (told["given"], told["cached"], told["missing"], told["written"]) == (4, 4, 0, True)
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [row["question"] for row in rows] == [one.item.question for one in drawn]
    assert {row["split"] for row in rows} == {"test", "dev"}
