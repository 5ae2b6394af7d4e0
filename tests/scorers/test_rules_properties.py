"""Properties of the rule judge over references put together at random."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from how_many import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_scorers.rules import judge
from seqniah_scorers.verdict import Case, FailureMode, Verdict

Lang = Literal["en", "zh"]
# Each event with one of its content words and an unrelated one.
EN = (
    ("I repaired the garden gate with a new hinge.", "hinge", "ladder"),
    ("I baked two trays of almond biscuits.", "almond", "ginger"),
    ("I visited my aunt in Leeds and stayed for supper.", "Leeds", "Derby"),
    ("I sold the old piano to a music teacher.", "piano", "sofa"),
    ("I walked along the canal in the morning.", "canal", "cliff"),
    ("I painted the bathroom ceiling pale yellow.", "ceiling", "cupboard"),
    ("I watched a film about lighthouse keepers.", "lighthouse", "railway"),
    ("I lost my umbrella on the tram.", "umbrella", "passport"),
    ("I planted onions behind the shed.", "onions", "tulips"),
    ("I wrote a long letter to the water company.", "water", "gas"),
    ("I joined the village brass band as a drummer.", "drummer", "cook"),
    ("I broke a plate and glued it again.", "plate", "chair"),
    ("I heard a lecture on volcanoes at the museum.", "volcanoes", "glaciers"),
    ("I swam forty lengths before breakfast.", "breakfast", "work"),
    ("I taught my nephew to ride a bicycle.", "nephew", "neighbor"),
)
ZH = (
    ("上午在码头画了一幅写生。", "码头", "车站"),
    ("下午给阳台的茉莉换盆。", "茉莉", "辣椒"),
    ("晚上和同学看了皮影戏。", "皮影戏", "足球赛"),
    ("陪祖母去眼科复诊。", "眼科", "牙科"),
    ("把旧书卖给了收购站。", "旧书", "冰箱"),
    ("在厨房学包粽子。", "粽子", "馄饨"),
    ("骑车去郊外看油菜花。", "油菜花", "瀑布"),
    ("给表妹寄了一箱枇杷。", "枇杷", "玩具"),
    ("参加小区的拔河比赛。", "拔河", "朗诵"),
    ("修好了漏雨的屋顶。", "屋顶", "窗台"),
    ("听了一场关于敦煌的讲座。", "敦煌", "火星"),
    ("在河堤上捡到一只怀表。", "怀表", "皮球"),
    ("给邻居家的小孩补习几何。", "几何", "英语"),
    ("借了三本养蜂的书。", "养蜂", "航海"),
)
STEPS = (
    ("Soak the dried beans in cold water overnight", "beans", "carpets"),
    ("Fry chopped onions in a heavy pot until they are golden", "onions", "stamps"),
    ("Crush four cloves of garlic with coarse salt", "garlic", "chalk"),
    ("Pour broth over the vegetables and bring it to the boil", "broth", "paint"),
    ("Tie thyme and bay leaves together with string", "thyme", "cables"),
    ("Skim the foam off with a flat ladle", "foam", "dust"),
    ("Toast slices of rye bread under the grill", "bread", "paper"),
    ("Ladle everything into warmed bowls and scatter parsley on top", "parsley", "gravel"),
)
MONTHS = [date(2000, month, 1).strftime("%B") for month in range(1, 13)]


@dataclass(frozen=True)
class Event:
    """One item of a generated reference."""

    day: date | None
    """None: a step."""
    text: str
    old: str
    """A content word of the text."""
    new: str
    """An unrelated word for its place."""


DATE_FORMS: dict[str, Callable[[date], str]] = {
    "iso": date.isoformat,
    "slashes": lambda d: f"{d.year}/{d.month:02d}/{d.day:02d}",
    "month first": lambda d: f"{MONTHS[d.month - 1]} {d.day}, {d.year}",
    "day first": lambda d: f"{d.day} {MONTHS[d.month - 1]} {d.year}",
    "short": lambda d: f"{MONTHS[d.month - 1][:3]} {d.day}, {d.year}",
    "chinese": lambda d: f"{d.year}年{d.month}月{d.day}日",
    "chinese, two digits": lambda d: f"{d.year}年{d.month:02d}月{d.day:02d}日",
}


def _lines(form: str) -> Callable[[list[Event], Callable[[date], str]], str]:
    def render(events: list[Event], day: Callable[[date], str]) -> str:
        rows = []
        for number, e in enumerate(events, 1):
            when = day(e.day) if e.day else ""
            colon = ": " if when else ""
            rows.append(form.format(n=number, when=when, colon=colon, text=e.text))
        return "\n".join(rows)

    return render


def _table(events: list[Event], day: Callable[[date], str]) -> str:
    rows = [f"| {n} | {day(e.day) if e.day else n} | {e.text} |" for n, e in enumerate(events, 1)]
    return "\n".join(["| # | Date | Event |", "|---|---|---|", *rows])


def _json(events: list[Event], day: Callable[[date], str]) -> str:
    rows = [{"date": day(e.day), "event": e.text} if e.day else e.text for e in events]
    return "```json\n" + json.dumps(rows, ensure_ascii=False, indent=1) + "\n```"


def _prose(events: list[Event], day: Callable[[date], str]) -> str:
    chinese = any("\u4e00" <= c <= "\u9fff" for e in events for c in e.text)
    if chinese:
        return "".join(f"{day(e.day)}，{e.text}" if e.day else e.text for e in events)
    return " ".join(
        f"On {day(e.day)}, {e.text}" if e.day else f"{e.text.rstrip('.')}." for e in events
    )


LAYOUTS: dict[str, Callable[[list[Event], Callable[[date], str]], str]] = {
    "numbered": _lines("{n}. {when}{colon}{text}"),
    "bulleted": _lines("- {when}{colon}{text}"),
    "bold": _lines("{n}. **{when}**{colon}{text}"),
    "date lines": _lines("{when}\n{text}\n"),
    "headings": _lines("### {when}\n\n{text}\n"),
    "table": _table,
    "json": _json,
    "prose": _prose,
}
FOR_STEPS = ("numbered", "bulleted", "json", "prose")


@st.composite
def dated(draw: st.DrawFn, lang: Lang | None = None) -> tuple[Lang, list[Event]]:
    chosen: Lang = lang or draw(st.sampled_from(("en", "zh")))
    pool = EN if chosen == "en" else ZH
    rows = draw(st.lists(st.sampled_from(pool), min_size=4, max_size=9, unique=True))
    day = draw(st.dates(date(1995, 1, 1), date(2022, 12, 31)))
    events = []
    for text, old, new in rows:
        events.append(Event(day, text, old, new))
        day += timedelta(days=draw(st.integers(1, 40)))
    return chosen, events


def reference(lang: Lang, events: list[Event]) -> str:
    form = DATE_FORMS["month first" if lang == "en" else "chinese, two digits"]
    intro = "The contents are as follows:" if lang == "en" else "内容如下："
    rows = [f"- {form(e.day)}：{e.text}" if e.day else f"- {e.text}" for e in events]
    return "\n".join([intro, *rows])


def ask(lang: Lang, truth: list[Event], response: str, order: bool = True) -> Verdict:
    kind: Literal["temporal", "logical"] = "temporal" if truth[0].day else "logical"
    case = Case(lang, kind, "", reference(lang, truth), response, order_required=order)
    return judge(case)


layouts = st.sampled_from(sorted(LAYOUTS))
forms = st.sampled_from(sorted(DATE_FORMS))


@settings(max_examples=examples(100), deadline=None)
@given(dated(), layouts, forms)
def test_a_right_answer_is_right_in_any_form(
    qa: tuple[Lang, list[Event]], layout: str, form: str
) -> None:
    lang, events = qa
    got = ask(lang, events, LAYOUTS[layout](events, DATE_FORMS[form]))
    assert got.correct, got.reason
    assert got.doubts == ()


@settings(max_examples=examples(40), deadline=None)
@given(st.lists(st.sampled_from(STEPS), min_size=3, unique=True), st.sampled_from(FOR_STEPS))
def test_right_steps_are_right_in_any_form(rows: list[tuple[str, str, str]], layout: str) -> None:
    events = [Event(None, *row) for row in rows]
    got = ask("en", events, LAYOUTS[layout](events, DATE_FORMS["iso"]))
    assert got.correct, got.reason


def faults(events: list[Event], at: int, extra: Event) -> dict[str, list[Event]]:
    """Answers that are wrong in exactly one respect."""
    other = (at + 1) % len(events)
    out = {
        "dropped": events[:at] + events[at + 1 :],
        "repeated": [*events, events[at]],
        "added": [*events[:at], extra, *events[at:]],
        "reworded": [
            replace(e, text=e.text.replace(e.old, e.new)) if n == at else e
            for n, e in enumerate(events)
        ],
    }
    if events[at].day is None:
        return out
    moved = extra.day
    out["redated"] = [replace(e, day=moved) if n == at else e for n, e in enumerate(events)]
    texts = {at: events[other].text, other: events[at].text}
    out["exchanged"] = [replace(e, text=texts.get(n, e.text)) for n, e in enumerate(events)]
    out["borrowed"] = [
        replace(e, text=events[other].text) if n == at else e for n, e in enumerate(events)
    ]
    return out


@settings(max_examples=examples(100), deadline=None)
@given(dated(), layouts, forms, st.data())
def test_any_single_fault_makes_it_wrong(
    qa: tuple[Lang, list[Event]], layout: str, form: str, data: st.DataObject
) -> None:
    lang, events = qa
    at = data.draw(st.integers(0, len(events) - 1))
    pool = [row for row in (EN if lang == "en" else ZH) if row[0] not in {e.text for e in events}]
    day = max(e.day for e in events if e.day) + timedelta(days=3)
    extra = Event(day, *data.draw(st.sampled_from(pool)))
    for name, wrong in faults(events, at, extra).items():
        got = ask(lang, events, LAYOUTS[layout](wrong, DATE_FORMS[form]), order=False)
        assert got.correct is False, name


@settings(max_examples=examples(40), deadline=None)
@given(
    st.lists(st.sampled_from(STEPS), min_size=3, max_size=7, unique=True),
    st.sampled_from(FOR_STEPS),
    st.data(),
)
def test_any_single_fault_in_steps_makes_them_wrong(
    rows: list[tuple[str, str, str]], layout: str, data: st.DataObject
) -> None:
    events = [Event(None, *row) for row in rows]
    at = data.draw(st.integers(0, len(events) - 1))
    extra = Event(None, *data.draw(st.sampled_from([r for r in STEPS if r not in rows])))
    for name, wrong in faults(events, at, extra).items():
        got = ask("en", events, LAYOUTS[layout](wrong, DATE_FORMS["iso"]))
        # One word for another in a step is a way of putting it as often as a change.
        assert got.correct is False or (name == "reworded" and got.doubts), name


@settings(max_examples=examples(40), deadline=None)
@given(dated(), layouts, forms)
def test_the_order_counts_where_it_is_demanded(
    qa: tuple[Lang, list[Event]], layout: str, form: str
) -> None:
    lang, events = qa
    mixed = [events[1], events[0], *events[2:]]
    response = LAYOUTS[layout](mixed, DATE_FORMS[form])
    assert ask(lang, events, response, order=True).failure_modes == (FailureMode.WRONG_ORDER,)
    assert ask(lang, events, response, order=False).correct is True


@settings(max_examples=examples(60), deadline=None)
@given(dated(), forms, st.data())
def test_a_verdict_does_not_depend_on_markdown(
    qa: tuple[Lang, list[Event]], form: str, data: st.DataObject
) -> None:
    lang, events = qa
    at = data.draw(st.integers(0, len(events) - 1))
    extra = Event(date(1990, 5, 5), *(EN if lang == "en" else ZH)[0])
    every = faults(events, at, extra)
    told = every[data.draw(st.sampled_from(sorted(every)))]
    seen = {
        ask(lang, events, LAYOUTS[layout](told, DATE_FORMS[form]), order=False).correct
        for layout in ("numbered", "bulleted", "bold")
    }
    assert len(seen) == 1


@settings(max_examples=examples(25), deadline=None)
@given(dated("en"))
def test_third_person_and_dropped_pronouns_change_nothing(qa: tuple[Lang, list[Event]]) -> None:
    lang, events = qa
    for subject in ("she ", "the author ", ""):
        told = [replace(e, text=subject + e.text.removeprefix("I ")) for e in events]
        told = [replace(e, text=e.text.replace(" my ", " her ")) for e in told]
        got = ask(lang, events, LAYOUTS["numbered"](told, DATE_FORMS["iso"]))
        assert got.correct, got.reason
