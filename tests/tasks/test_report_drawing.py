"""Figures as drawn: what stands where, what is told, and what untrusted names cannot do."""

from __future__ import annotations

import hashlib
import io
import itertools
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from seqniah_tasks.report import drawing
from seqniah_tasks.report.drawing import THEME, Drawn, draw
from seqniah_tasks.report.drawing.amounts import amount, in_cell, ticks, told
from seqniah_tasks.report.drawing.lettering import fit, plain, width_of
from seqniah_tasks.report.drawing.theme import DASHES, RAMP, SERIES, contrast, fills, text_on
from seqniah_tasks.report.parts import (
    Axis,
    Chart,
    DotRow,
    Dots,
    Figure,
    Heatmap,
    Lines,
    Point,
    Series,
    Stacks,
)

SVG = "{http://www.w3.org/2000/svg}"
ACCURACY = Axis("Strict accuracy")
BINS = ("8k-16k", "16k-32k", "32k-64k", "64k-128k")
HALF = Point(0.5, 0.4, 0.6, 50)
LONG = "vllm//data/models/Qwen2.5-72B-Instruct-GPTQ-Int4/checkpoint-8000 (open, closed book)"
EVIL = (
    "<script>alert(1)</script> ]]> --> </svg></title> \"q\" 's' $x$ $\\frac{ \x00\x1b[31m "
    "\u202e模型\u2066 😀 \ud800 &amp; {{7*7}} \ufffe \u2028 onload='x' ﷽"
)


def a_figure(chart: Chart, name: str = "a-figure", title: str = "A title") -> Figure:
    return Figure(name, title, "High here, low there.", chart)


def inline(chart: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(draw(a_figure(chart)).inline)


def painted(drawn: Drawn) -> bytes:
    assert drawn.paint
    return drawn.paint()


def tooltips(root: ElementTree.Element) -> list[str]:
    return [
        one.text or "" for group in root.iter(f"{SVG}g") for one in group.findall(f"{SVG}title")
    ]


def texts(root: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in root.iter(f"{SVG}text")]


def about(root: ElementTree.Element, start: str) -> ElementTree.Element:
    """The mark whose tooltip starts so."""
    found = [
        group
        for group in root.iter(f"{SVG}g")
        if (group.findtext(f"{SVG}title") or "").startswith(start)
    ]
    assert len(found) == 1
    return found[0]


def circle(group: ElementTree.Element) -> tuple[float, float]:
    """Where the visible disc of a mark is."""
    (one,) = (disc for disc in group.iter(f"{SVG}circle") if disc.get("fill") != "none")
    return float(one.get("cx", "")), float(one.get("cy", ""))


def outline(group: ElementTree.Element) -> tuple[float, ...]:
    """The corners of a mark, from its first one on; a disc has none."""
    mark = list(group)[-1]
    if mark.tag == f"{SVG}circle":
        return ()
    corners = [tuple(map(float, one.split())) for one in mark.get("d", "").strip("MZ").split("L")]
    return tuple(
        round(value - first, 1)
        for corner in corners
        for value, first in zip(corner, corners[0], strict=True)
    )


def lines_of(series: Sequence[Sequence[float | None]], *, joined: bool = True) -> Lines:
    made = [
        Series(
            f"run {number}",
            tuple(
                None if value is None else Point(value, value - 0.1, value + 0.1, 9)
                for value in values
            ),
        )
        for number, values in enumerate(series)
    ]
    return Lines("Tokens", BINS, ACCURACY, tuple(made), joined)


def every_kind(name: str) -> list[Chart]:
    """A chart of each kind where every text is this one."""
    return [
        Dots(Axis(name), (DotRow(name, HALF), DotRow(name, HALF, True), DotRow(name, None))),
        Dots(Axis(name, -0.3, 0.3), (DotRow(name, HALF),) * 20, zero=True),
        Lines(name, (name,) * 7, Axis(name), (Series(name, (HALF, None) * 3 + (HALF,)),) * 6),
        Lines(name, (name,) * 2, Axis(name, 0, None, False), (Series(name, (HALF,) * 2),), False),
        Heatmap(name, (name,) * 15, name, (name,) * 3, ((HALF,) * 15,) * 3),
        Heatmap(name, (name, "x"), name, (name,) * 2, ((HALF, None),) * 2, 0.1, frozenset({1})),
        Stacks((name,) * 5, ((name, (0.2,) * 5, 50), (name, (0.0,) * 5, 0))),
    ]


def test_a_mark_tells_its_name_value_interval_and_count() -> None:
    point = Point(0.412, 0.375, 0.45, 1610)
    said = "41.2 % (37.5 to 45.0), of 1,610"
    line = Lines("Tokens", ("32k-64k",), ACCURACY, (Series("skimming", (point,)),))
    assert f"skimming, 32k-64k: {said}" in tooltips(inline(line))
    assert f"skimming: {said}" in tooltips(inline(Dots(ACCURACY, (DotRow("skimming", point),))))
    heat = Heatmap("Tokens", ("32k-64k", "x"), "Run", ("skimming",), ((point, None),))
    assert f"skimming, 32k-64k: {said}" in tooltips(inline(heat))
    assert "skimming, x: nothing measured" in tooltips(inline(heat))
    stack = Stacks(("right", "wrong"), (("skimming", (0.412, 0.588), 1610),))
    assert "skimming, wrong: 58.8 % of 1,610" in [
        one.replace(", of", " of") for one in tooltips(inline(stack))
    ]


def test_differences_are_points_with_their_sign() -> None:
    rows = DotRow("up", Point(0.031, -0.005, 0.067)), DotRow("down", Point(-0.2))
    root = inline(Dots(Axis("Difference", -0.3, 0.3), rows, zero=True))
    assert "up: +3.1 points (−0.5 to +6.7)" in tooltips(root)
    assert {"+3.1", "−20.0", "0"} <= set(texts(root))


def test_dots_stand_where_their_values_are() -> None:
    values = (0.0, 0.25, 0.5, 1.0)
    rows = tuple(DotRow(f"row {value}", Point(value)) for value in values)
    root = inline(Dots(ACCURACY, rows))
    places = [circle(about(root, f"row {value}:")) for value in values]
    left, right = places[0][0], places[-1][0]
    assert [x for x, _ in places] == pytest.approx(
        [left + (right - left) * value for value in values], abs=0.02
    )
    assert sorted(y for _, y in places) == [y for _, y in places]
    labels = {one.text: one for one in root.iter(f"{SVG}text")}
    assert float(labels["0 %"].get("x", "")) == pytest.approx(left)
    assert float(labels["100 %"].get("x", "")) == pytest.approx(right)


def test_lines_break_where_nothing_was_measured() -> None:
    root = inline(lines_of([[0.9, 0.8, None, 0.2]]))
    strokes = [one.get("d", "") for one in root.iter(f"{SVG}path") if one.get("fill") == "none"]
    wide = [path for path in strokes if path.count("L") == 1 and path.count(" ") == 2]
    ends = {tuple(path[1:].replace("L", " ").split()) for path in wide}
    first, second = (circle(about(root, f"run 0, {BINS[place]}")) for place in (0, 1))
    assert tuple(f"{one:g}" for one in (*first, *second)) in ends
    assert not any(one.startswith("run 0, 32k-64k") for one in tooltips(root))
    last = f"{circle(about(root, 'run 0, 64k-128k'))[0]:g}"
    assert all(start[0] == last == start[2] for start in ends if last in (start[0], start[2]))


def test_series_differ_in_colour_dash_and_mark_and_stand_apart() -> None:
    root = inline(lines_of([[0.5] * 4] * 6))
    marks = [about(root, f"run {number}, 8k-16k") for number in range(6)]
    whiskers = [
        [path.get("d", "") for path in mark.iter(f"{SVG}path") if path.get("stroke-width") == "1.2"]
        for mark in marks
    ]
    assert all(len(found) == 1 for found in whiskers)
    places = sorted(float(found[0][1:].split()[0]) for found in whiskers)
    assert all(other - one > 3 for one, other in itertools.pairwise(places))
    assert len({outline(mark) for mark in marks}) == 6
    joined = [one for one in root.iter(f"{SVG}path") if one.get("stroke-width") == "1.8"]
    assert {one.get("stroke") for one in joined} == {f"var(--{name})" for name in SERIES}
    assert len({one.get("stroke-dasharray") for one in joined}) == 6 == len(set(DASHES))


def test_places_without_an_order_are_not_joined() -> None:
    root = inline(lines_of([[0.1, 0.2, 0.3, 0.4]], joined=False))
    assert not [one for one in root.iter(f"{SVG}path") if one.get("stroke-width") == "1.8"]


def test_an_open_axis_ends_at_a_round_value_beyond_all_intervals() -> None:
    points = Point(300, 200, 610), Point(120, 50, 190)
    chart = Lines("Tokens", ("a", "b"), Axis("Tokens out", 0, None, False), (Series("x", points),))
    assert "800" in texts(inline(chart)) and "1,000" not in texts(inline(chart))


def test_an_open_axis_of_the_least_values_ends_at_one() -> None:
    chart = Dots(Axis("Seconds", 0, None, False), (DotRow("x", Point(5e-324)),))
    assert {"0", "1"} < set(texts(inline(chart)))


def test_what_is_published_is_hollow_and_says_so() -> None:
    root = inline(
        Dots(ACCURACY, (DotRow("ours", HALF), DotRow("Claude-3.5 (Table 3)", HALF, True)))
    )
    told_of = "Claude-3.5 (Table 3) (published, other samples and judge)"
    (mark,) = (
        one for one in about(root, told_of).iter(f"{SVG}path") if one.get("fill") == "var(--ground)"
    )
    assert mark.get("stroke") == "var(--mark)"
    assert not [one for one in about(root, told_of).iter() if one.get("stroke") == "var(--s1)"]
    assert "published, other samples and judge" in texts(root)
    heat = Heatmap("Mode", ("a",), "Run", ("ours", "theirs"), ((HALF,), (HALF,)), 1, frozenset({1}))
    assert "In italics: published, other samples and judge." in " ".join(texts(inline(heat)))
    slanted = [one.text for one in inline(heat).iter(f"{SVG}text") if one.get("font-style")]
    assert slanted == ["theirs"]


def test_cells_say_their_share_where_there_is_room_and_how_few_they_are_of() -> None:
    cells = ((Point(0.413, of=600), Point(0.004, of=600), Point(1.0, of=4), None),)
    root = inline(Heatmap("Tokens", BINS, "Needles", ("3",), cells))
    assert {"41 %", "<1 %", "100 %", "n=4"} <= set(texts(root))
    assert "n: how many a share is of, where under 10." in " ".join(texts(root))
    assert not [
        one
        for one in about(root, "3, 64k-128k").iter(f"{SVG}rect")
        if one.get("fill", "").startswith("#")
    ]
    narrow = Heatmap("Position", tuple(map(str, range(1, 16))), "", ("3",), ((cells[0][0],) * 15,))
    assert not [one for one in texts(inline(narrow)) if one.startswith("41")]
    tight = Heatmap("Place", tuple(map(str, range(10))), "", ("3",), ((cells[0][2],) * 10,))
    assert {"100", "n=4"} <= set(texts(inline(tight)))
    assert "Values: percent." in " ".join(texts(inline(tight)))
    assert len([one for one in tooltips(inline(narrow)) if "41.3 %" in one]) == 15


def test_cells_are_darker_where_shares_are_higher_up_to_the_darkest() -> None:
    cells = (tuple(Point(value, of=600) for value in (0.0, 0.1, 0.2)),)
    root = inline(Heatmap("", ("a", "b", "c"), "", ("x",), cells, high=0.2))
    filled = [about(root, f"x, {place}").find(f"{SVG}rect") for place in "abc"]
    colours = [one.get("fill", "") for one in filled if one is not None]
    assert colours[0] == RAMP[0] and colours[2] == RAMP[-1] and colours[1] == RAMP[5]


def test_parts_fill_the_bar() -> None:
    root = inline(Stacks(("a", "b", "c"), (("run", (0.5, 0.3, 0.2), 10), ("none", (0, 0, 0), 0))))
    boxes = [about(root, f"run, {part}").find(f"{SVG}rect") for part in "abc"]
    spans = [(float(b.get("x", "")), float(b.get("width", ""))) for b in boxes if b is not None]
    starts = [start for start, _ in spans]
    whole = spans[2][0] + spans[2][1] + 1 - starts[0]
    assert [start - starts[0] for start in starts] == pytest.approx(
        [0, 0.5 * whole, 0.8 * whole], abs=0.1
    )
    assert {"50", "30", "20", "n=10", "nothing measured"} <= set(texts(root))


@pytest.mark.parametrize(
    "chart",
    [
        Dots(ACCURACY, ()),
        lines_of([]),
        lines_of([[None] * 4]),
        Heatmap("", (), "", (), ()),
        Stacks((), ()),
    ],
)
def test_what_is_empty_says_so(chart: Chart) -> None:
    assert texts(inline(chart)) == ["Nothing to show"]


def test_what_is_no_number_is_not_drawn() -> None:
    none = Point(float("nan"), float("nan"), float("inf"), 3)
    assert texts(inline(Dots(ACCURACY, (DotRow("x", none),))))[-3:].count("–") <= 1
    for chart in (
        Dots(Axis("", 0, None), (DotRow("x", none), DotRow("y", Point(9, 1, float("inf"))))),
        Heatmap("", ("a",), "", ("x",), ((none,),), high=0.0),
        Stacks(("a",), (("x", (float("nan"),), 0),)),
        Lines("", ("a", "b"), Axis("", 0, None), (Series("x", (none, Point(3, 1, 9))),)),
    ):
        text = draw(a_figure(chart)).inline.replace("ground", "")
        assert "nan" not in text and ">inf" not in text and '"inf' not in text


@pytest.mark.parametrize("number", range(7))
def test_untrusted_names_are_text_and_nothing_else(
    number: int, capfd: pytest.CaptureFixture[str]
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = draw(a_figure(every_kind(EVIL)[number], title=EVIL))
        painted(drawn)
    assert capfd.readouterr().err == ""
    tags: set[str] = set()
    given: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            given.update(name for name, _ in attrs)

    Reader().feed(f"<body>{drawn.inline}</body>")
    assert tags <= {"body", "svg", "title", "desc", "g", "text", "path", "rect", "circle"}
    assert not {name for name in given if name.startswith("on") or "href" in name}
    for text in (drawn.inline, drawn.svg.decode()):
        root = ElementTree.fromstring(text)
        assert "<script>alert(1)</script> ]]> -->" in "".join(root.itertext())
        assert not set("\x00\x1b\u202e\u2066\ufffe\ud800") & set(text)


@pytest.mark.parametrize("name", [LONG, "x", "模型" * 30, "x" * 5_000, EVIL, ""])
def test_nothing_is_drawn_beyond_the_edge(name: str) -> None:
    from PIL import Image

    for chart in every_kind(name):
        picture = Image.open(io.BytesIO(painted(draw(a_figure(chart, title=name))))).convert("L")
        wide, high = picture.size
        assert 950 <= wide <= 1_050
        edges = (0, 0, wide, 20), (0, high - 20, wide, high), (0, 0, 20, high)
        for edge in (*edges, (wide - 20, 0, wide, high)):
            assert picture.crop(edge).getextrema() == (255, 255), (type(chart), edge)


def test_the_page_gets_variables_and_files_get_colours() -> None:
    for chart in every_kind(LONG):
        drawn = draw(a_figure(chart))
        root = ElementTree.fromstring(drawn.inline)
        used = {value for one in root.iter() for value in one.attrib.values() if "var(" in value}
        assert used and used <= {f"var({name})" for name in THEME["light"]}
        own = {*RAMP, *fills(5), "#000000", "#ffffff"}
        steps = {one.get("fill", "") for one in root.iter() if one.get("fill", "").startswith("#")}
        assert isinstance(chart, Heatmap) or steps <= own
        assert "var(" not in drawn.svg.decode()
        assert root.get("width") is None and root.get("role") == "img"
        ids = [one.get("id") for one in root.iter() if one.get("id")]
        assert ids == (root.get("aria-labelledby") or "").split() and "a-figure" in str(ids[0])
        sizes = [float(one.get("font-size", 11)) for one in root.iter(f"{SVG}text")]
        assert min(sizes) >= 10 and root.get("viewBox", "").startswith("0 0 340 ")


def test_the_same_figure_has_the_same_bytes_in_any_process() -> None:
    script = (
        "import sys; import test_report_drawing as drawn; "
        "print(drawn.digest(), 'matplotlib.pyplot' in sys.modules)"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    out = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert out == {f"{digest()} False"}


def digest() -> str:
    drawn = [draw(a_figure(chart, title=EVIL)) for chart in every_kind(LONG)]
    return hashlib.sha256(
        b"".join(one.inline.encode() + one.svg + painted(one) for one in drawn)
    ).hexdigest()


def test_without_matplotlib_all_is_drawn_but_the_png(monkeypatch: pytest.MonkeyPatch) -> None:
    figure = a_figure(Dots(ACCURACY, (DotRow("x", HALF),)))
    whole = draw(figure)
    picture = painted(whole)
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    drawing.can_draw.cache_clear()
    try:
        without = draw(figure)
    finally:
        drawing.can_draw.cache_clear()
    assert without.paint is None and picture
    assert (without.inline, without.svg) == (whole.inline, whole.svg)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_colours_are_seen_and_told_apart(mode: str) -> None:
    theme = THEME[mode]
    ground = theme["--ground"]
    assert list(THEME["light"]) == list(THEME["dark"])
    assert all(contrast(theme[f"--{name}"], ground) >= 3 for name in (*SERIES, "mark"))
    assert all(contrast(theme[name], ground) >= 4.5 for name in ("--ink", "--muted"))


def test_shares_are_read_on_their_colours() -> None:
    for colour in (*RAMP, *fills(5)):
        assert contrast(text_on(colour), colour) >= 4.5
    falls = [contrast(colour, "#000000") for colour in RAMP]
    assert all(one > other for one, other in itertools.pairwise(falls))


def test_names_keep_both_ends_and_fit() -> None:
    assert fit("lexical", 100) == ("lexical",)
    (one,) = fit(LONG, 120)
    assert one.startswith("vllm//") and one.endswith("book)") and "…" in one
    assert width_of(one, 11) <= 120
    two = fit(LONG, 120, lines=2)
    assert len(two) == 2 and all(width_of(line, 11) <= 120 for line in two)
    assert fit("openai/gpt-4o-2024-11-20", 120, lines=2) == ("openai/gpt-4o-", "2024-11-20")
    assert fit("by length: seqniah/skimming", 120, lines=2) == ("by length:", "seqniah/skimming")
    assert fit("LLaMA-3.3-70B (Table 3)", 120, lines=2) == ("LLaMA-3.3-70B", "(Table 3)")
    assert fit("", 100) == ("",)


def test_both_names_of_a_pair_can_be_read() -> None:
    pair = "anthropic/claude-3-5-sonnet-20241022 vs hf/meta-llama/Llama-3.3-70B-Instruct"
    shown = texts(inline(Dots(Axis("Difference", -0.3, 0.3), (DotRow(pair, HALF),), zero=True)))
    assert pair.replace(" ", "") in "".join(shown).replace(" ", "")


@pytest.mark.parametrize("letters", range(20, 34))
def test_no_line_of_a_title_begins_with_a_unit(letters: int) -> None:
    chart = Dots(ACCURACY, (DotRow("x", HALF),))
    root = ElementTree.fromstring(draw(a_figure(chart, title=f"Mean {'x' * letters} 59.1 %")).svg)
    assert not [one for one in texts(root) if one.strip().startswith("%")]


def test_names_are_one_line_that_turns_nothing_around() -> None:
    assert plain("a\nb\tc") == "a b c"
    assert plain("a\x00\x1b[1m\u202eb\ud83d") == "a��[1m�b�"
    assert plain("通义 é 😀") == "通义 é 😀"
    assert len(plain("x" * 10_000)) == 300


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 1, 6, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (0, 1, 3, [0, 0.5, 1]),
        (-0.3, 0.3, 4, [-0.2, 0, 0.2]),
        (0, 700, 6, [0, 200, 400, 600]),
        (0.1, 0.9, 3, [0.5]),
    ],
)
def test_axes_are_marked_at_round_values(
    low: float, high: float, most: int, expected: list[float]
) -> None:
    assert ticks(low, high, most) == pytest.approx(expected)


def test_values_are_told_as_precisely_as_they_are_known() -> None:
    assert [amount(value, percent=False) for value in (1240.4, 57.52, 3.14159, 0.0421, 0, 7)] == [
        "1,240",
        "57.5",
        "3.14",
        "0.042",
        "0",
        "7",
    ]
    assert amount(-0.0001, percent=True, signed=True) == "0.0"
    assert in_cell(0.9999, fine=False) == ">99" and in_cell(1.0, fine=False) == "100"
    assert in_cell(0.0, fine=True) == "0.0" and in_cell(0.0001, fine=True) == "<0.1"
    assert told("x", None) == "x: nothing measured"
