"""The page of a report: whole by itself, honest about what is missing, and usable by anyone."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise

import pytest
from report_pages import section_of, usual
from report_rows import one, rows, studied

from seqniah_tasks.records import Record
from seqniah_tasks.report.drawing import draw
from seqniah_tasks.report.drawing.theme import contrast
from seqniah_tasks.report.files import MARK
from seqniah_tasks.report.page import MOST_ROWS, cells, colours, panels, render, singles
from seqniah_tasks.report.parts import (
    Axis,
    Column,
    DotRow,
    Dots,
    Figure,
    Heatmap,
    Kind,
    Lines,
    Point,
    Series,
    Table,
    of_run,
)

CELLS: list[tuple[str | int | float | None, Kind, str]] = [
    (None, Kind.SHARE, "–"),
    (float("nan"), Kind.NUMBER, "–"),
    ("8k-16k", Kind.TEXT, "8k-16k"),
    (-5, Kind.TEXT, "-5"),
    (12_345, Kind.COUNT, "12,345"),
    (12.0, Kind.COUNT, "12"),
    (1_234.5, Kind.COUNT, "1,234.5"),
    (0.5754, Kind.SHARE, "57.5 %"),
    (1.0, Kind.SHARE, "100.0 %"),
    (-0.1234, Kind.SHARE, "\u221212.3 %"),
    (-0.00001, Kind.SHARE, "0.0 %"),
    (1.005, Kind.NUMBER, "1.00"),
    (-0.5, Kind.NUMBER, "\u22120.50"),
    (1_234.5, Kind.DOLLARS, "$1,234.50"),
    (0.000123, Kind.DOLLARS, "$0.00012"),
    (0, Kind.DOLLARS, "$0.00"),
    (0.25, Kind.SECONDS, "0.25 s"),
    (61.25, Kind.SECONDS, "61.2 s"),
    (0.0004, Kind.PROBABILITY, "<0.001"),
    (0.0413, Kind.PROBABILITY, "0.041"),
    (1.0, Kind.PROBABILITY, "1.000"),
]


class _Reader(HTMLParser):
    """What a page has in it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.script = ""
        self._in_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._in_script = tag == "script"

    def handle_data(self, data: str) -> None:
        self.script += data if self._in_script else ""

    def handle_endtag(self, tag: str) -> None:
        self._in_script = False

    def all(self, name: str) -> list[str]:
        """Every value of an attribute."""
        return [value or "" for _, given in self.tags for at, value in given.items() if at == name]


def test_the_same_runs_give_the_same_bytes() -> None:
    assert render(usual()) == render(usual())
    assert "2026" not in render(usual())


def test_a_page_needs_and_reaches_nothing_else() -> None:
    read = _Reader(render(usual()))
    own = re.compile(r"#[a-z0-9-]+|data:,|figures/shares\.(?:svg|png)|tables/shares\.csv")
    assert all(own.fullmatch(link) for link in read.all("href"))
    assert not read.all("src")
    assert not [name for _, given in read.tags for name in given if name.startswith("on")]
    ids = read.all("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in read.all("href") if link[0] == "#"} <= set(ids)
    assert set(read.all("aria-labelledby")) <= set(ids)


def test_its_policy_lets_its_own_script_run_and_no_other() -> None:
    read = _Reader(render(usual()))
    policy = next(
        given["content"] or ""
        for tag, given in read.tags
        if tag == "meta" and given.get("http-equiv") == "Content-Security-Policy"
    )
    digest = base64.b64encode(hashlib.sha256(read.script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy
    assert "default-src 'none'" in policy
    assert "base-uri 'none'" in policy
    assert sum(tag == "script" for tag, _ in read.tags) == 1
    first = [tag for tag, given in read.tags if tag in ("script", "style") or "http-equiv" in given]
    assert first[0] == "meta", "the policy holds for what stands after it"


def test_headings_descend_by_one() -> None:
    levels = [
        int(tag[1]) for tag, _ in _Reader(render(usual())).tags if re.fullmatch("h[1-6]", tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


@pytest.mark.parametrize(("value", "kind", "text"), CELLS)
def test_values_are_shown_by_their_kind(
    value: str | int | float | None, kind: Kind, text: str
) -> None:
    assert cells.shown(value, kind).text == text


def test_large_numbers_of_a_column_have_fewer_decimals_all_alike() -> None:
    columns = tuple(Column(name, name, Kind.NUMBER) for name in ("tokens", "seconds", "none"))
    rows = ((48_321.4195, 0.5, None), (7.25, 99.994, float("nan")), (None, None, None))
    decimals = cells.decimals_of(Table("t", "T", columns, rows))
    assert decimals == [0, 2, 2]
    shown = [cells.shown(row[0], Kind.NUMBER, decimals[0]).text for row in rows]
    assert shown == ["48,321", "7", "–"]


def test_runs_have_the_same_place_in_every_row_of_figures() -> None:
    dots = Dots(Axis("Share"), (DotRow("a", Point(0.5)),))
    figures = [
        Figure("recall", "Recall", "", dots),
        of_run("recall-by-depth", "Recall by depth", 1, "org/a: b", "", dots),
        of_run("recall-by-depth", "Recall by depth", 3, "c", "", dots),
        Figure("place-1", "Place: median", "", dots),
        of_run("by-place", "By place", 1, "org/a: b", "", dots),
        of_run("by-place", "By place", 3, "c", "", dots),
        of_run("alone", "Alone", 1, "c", "", dots),
    ]
    named = {"recall": "Recall", "place-1": "Place: median", "alone-1": "Alone: c"}
    found = panels.arranged(figures)
    assert [
        (one.name, one.title, [(each.figure.name, each.heading) for each in one.panels])
        for one in found
    ] == [
        ("", "", [(name, named[name]) for name in ("recall", "place-1", "alone-1")]),
        (
            "recall-by-depth",
            "Recall by depth",
            [("recall-by-depth-1", "org/a: b"), ("recall-by-depth-3", "c")],
        ),
        ("by-place", "By place", [("by-place-1", "org/a: b"), ("by-place-3", "c")]),
    ]
    assert panels.arranged([]) == []


def test_figures_of_a_kind_stand_under_one_heading() -> None:
    dots = Dots(Axis("Share"), (DotRow("a", Point(0.5)),))
    figures = tuple(
        of_run("depth", "By depth", place, f"org/<b>{place}", "", dots) for place in (1, 2)
    )
    drawn = {one.name: "<svg></svg>" for one in figures}
    section = replace(section_of(), figures=figures)
    text = render(usual(sections=(section,), drawn=drawn))
    assert text.count('<h3 id="panels-depth">By depth</h3>') == 1
    assert "<h4>org/&lt;b&gt;2</h4>" in text
    levels = [int(level) for level in re.findall(r"<h([1-6])", text)]
    assert all(after - before <= 1 for before, after in pairwise(levels))
    same = render(usual(sections=(replace(section, title="By depth"),), drawn=drawn))
    assert "panels-depth" not in same, "what the section's own heading says is said once"
    assert "<h3>org/&lt;b&gt;2</h3>" in same


def test_names_break_at_their_joints() -> None:
    text = render(usual(study=studied(rows(2, model="org/a_b</wbr>-2.5:x")), examples=()))
    assert '<span class="name">org/<wbr>a_<wbr>b&lt;/wbr&gt;-2.5:<wbr>x</span>' in text


def test_a_long_table_says_where_its_rest_is() -> None:
    page = usual(sections=(section_of(MOST_ROWS + 7),))
    text = render(page)
    assert f"The first {MOST_ROWS} rows; the file has all." in text
    assert f">b{MOST_ROWS - 3}<" in text
    assert f">b{MOST_ROWS - 2}<" not in text


def test_many_runs_and_notes_do_not_crowd_the_page() -> None:
    study = studied(*(rows(2, model=f"model-{number:02}") for number in range(14)))
    section = replace(section_of(), notes=tuple(f"Note {number}." for number in range(11)))
    text = render(usual(study=study, sections=(section,), examples=()))
    assert text.count('<span class="value">') == 14
    assert "<summary>2 more</summary>" in text
    assert "<summary>3 more</summary>" in text
    assert text.index("Note 7.") < text.index("<summary>3 more</summary>") < text.index("Note 8.")


def test_a_folder_with_the_page_is_known_as_a_reports_own() -> None:
    assert MARK in render(usual(title="x" * 3_000))[:2_000]


@pytest.mark.parametrize("name", ["../x", "a b", "", "A", 'x"onload="'])
def test_a_name_that_is_no_file_name_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name"):
        render(usual(sections=(replace(section_of(), name=name),)))


def test_a_figure_that_was_not_drawn_is_refused() -> None:
    with pytest.raises(ValueError, match="shares was not drawn"):
        render(usual(drawn={}))


def test_what_is_not_comparable_or_unscored_stands_at_the_top() -> None:
    cut = rows(2, id="cut", correct=None, prompt_fate="cut")
    study = studied([*rows(3), *cut], rows(5, model="other", tokenizer="o200k_base"))
    text = render(usual(study=study, examples=()))
    top = text[: text.index("page-key-figures-title")]
    assert "The runs differ in tokenizer: cl100k_base, o200k_base." in top
    assert "org/model: 2 of 5 answers unscored, so in no figure (2 prompts cut)." in top
    assert '3 samples, <span class="unscored">2 unscored</span>' in text


def test_the_top_does_not_drown_in_unscored_runs() -> None:
    study = studied(*([one(model=f"m{number}", correct=None)] for number in range(20)))
    text = render(usual(study=study, sections=(), examples=()))
    assert text.count("1 of 1 answer unscored") == 12
    assert "So it is with 8 further runs; the table of runs has them all." in text


def test_nothing_to_warn_of_is_no_warning() -> None:
    study = studied(rows(3, split=None), rows(3, split=None, model="other"))
    assert "page-warnings" not in render(usual(study=study, sections=(), examples=()))


def test_runs_of_different_samples_are_warned_of_at_the_top() -> None:
    study = studied(rows(3), rows(2, model="other"))
    text = render(usual(study=study, sections=(), examples=()))
    top = text.partition('id="page-key-figures"')[0]
    assert "different samples, 2 of which are common to all: org/model 3, other 2." in top


@pytest.mark.parametrize("files", [[], [rows(2, correct=None)]])
def test_runs_without_a_verdict_have_no_accuracy(files: list[list[Record]]) -> None:
    text = render(usual(study=studied(*files), sections=(), examples=()))
    assert "nan" not in text.lower().replace("finance", "")
    assert text.count("none scored") == len(files)


def test_single_answers_are_found_by_what_they_are() -> None:
    page = usual()
    found, filters = singles.prepare(page.examples, page.study.runs)
    assert [which.name for which in filters] == ["run", "lang", "length", "mode"]
    values = {
        which.name: [[which.values[key] for key in single.keys[at]] for single in found]
        for at, which in enumerate(filters)
    }
    assert values["run"] == [["other"], ["org/model"], ["org/model"]]
    assert values["lang"] == [["English"], ["English"], ["Chinese"]]
    assert values["length"] == [["8k-16k"], ["8k-16k"], ["16k-32k"]]
    assert values["mode"][0] == ["no answer"]
    assert values["mode"][1] == ["missing items", "redundant items", "wrong order"]


def test_needles_that_would_cover_each_other_stand_in_lanes() -> None:
    page = usual()
    single = singles.prepare(page.examples, page.study.runs)[0][1]
    # By depth: 3rd at 0.1, 1st at 0.5, 2nd at 0.52 (too near), 4th at 0.9.
    assert [(mark.place, mark.lane) for mark in single.needles] == [(3, 0), (1, 0), (2, 1), (4, 0)]
    assert single.lanes == 2
    assert single.recall == "3 of 4 needles found"


def test_texts_are_marked_as_chinese() -> None:
    text = render(usual())
    assert text.count('<p class="told" lang="zh">') == 1
    assert text.count('<p class="told">') == 2


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_texts_stand_out_from_their_ground(mode: str) -> None:
    theme = colours.theme(mode)
    texts = ("ink", "muted", "link", "found", "changed", "missing", "misplaced", "redundant")
    for ground in ("ground", "soft"):
        for text in texts:
            told = contrast(theme[f"--{text}"], theme[f"--{ground}"])
            assert told >= 4.5, f"{text} on {ground}: {told:.2f}"
    assert contrast(theme["--ink"], theme["--warn-soft"]) >= 4.5
    assert contrast(theme["--ink"], theme["--shade"]) >= 4.5, "at the edge of a wide table"
    for line in ("edge", "focus", "warn", "s1"):
        assert contrast(theme[f"--{line}"], theme["--ground"]) >= 3


def test_the_page_itself_needs_nothing_that_draws() -> None:
    code = "import sys, seqniah_tasks.report.page; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_ten_ranges_under_a_chart_stand_upright() -> None:
    places = tuple(f"{start}-{start + 10}" for start in range(0, 100, 10))
    points = tuple(Point(0.5) for _ in places)
    chart = Lines("Depth", places, Axis("Recall"), (Series("a", points),))
    drawn = draw(Figure("depth", "Depth", "", chart)).inline
    assert all(f">{place}</text>" in drawn for place in places)
    assert "rotate" not in drawn


def test_the_scale_of_colours_ends_in_a_number_that_can_be_read() -> None:
    chart = Heatmap("x", ("a",), "y", ("b",), ((Point(0.1),),), high=0.34506438)
    drawn = draw(Figure("heat", "Heat", "", chart)).inline
    assert ">34.5 %</text>" in drawn
    assert "34.506" not in drawn
