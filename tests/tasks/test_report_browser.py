"""The page of a report in a real browser: by keyboard, on a phone, on paper, without scripts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Tab, opened
from report_pages import section_of, usual
from report_rows import rows, studied

from seqniah_tasks.report.drawing import draw
from seqniah_tasks.report.page import Page, colours, render

LONG = "organisation/a-model-whose-name-nobody-cut-to-what-fits-" + 40 * "x"


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """A tab of a browser."""
    yield from opened(tmp_path_factory)


@pytest.fixture
def there(page: Tab, tmp_path: Path) -> Tab:
    """The usual page, open in it."""
    return _shown(page, tmp_path, usual())


def _shown(page: Tab, folder: Path, report: Page, width: int = 1280) -> Tab:
    file = folder / "report.html"
    file.write_text(render(report), "utf-8")
    page.size(width)
    page.prefer(prefers_color_scheme="light", prefers_reduced_motion="reduce")
    page.go(file)
    return page


def _visible(page: Tab, selector: str) -> int:
    shown = "one => one.checkVisibility({contentVisibilityAuto: true})"
    return int(page.value(f"[...document.querySelectorAll('{selector}')].filter({shown}).length"))


def _ground(page: Tab) -> str:
    return str(page.value("getComputedStyle(document.documentElement).backgroundColor"))


def _rgb(colour: str) -> str:
    return f"rgb({int(colour[1:3], 16)}, {int(colour[3:5], 16)}, {int(colour[5:7], 16)})"


@pytest.mark.parametrize("width", [360, 768, 1280, 1920, 2560])
def test_no_width_makes_the_page_scroll_sideways(page: Tab, tmp_path: Path, width: int) -> None:
    section = section_of(60)
    figures = {one.name: draw(replace(one, title=LONG)).inline for one in section.figures}
    study = studied(*(rows(3, model=f"{LONG}{number}") for number in range(14)))
    report = usual(study=study, title=LONG, sections=(section,), drawn=figures)
    _shown(page, tmp_path, report, width)
    page.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.value("document.documentElement.scrollWidth") == width
    assert page.of("Runtime.exceptionThrown") == []


def test_the_first_key_leads_past_the_contents(there: Tab) -> None:
    there.press("Tab", 9)
    assert there.value("document.activeElement.className") == "skip"
    assert there.value("document.activeElement.getBoundingClientRect().left >= 0")
    there.press("Enter", 13, "\r")
    assert there.value("document.activeElement.id") == "page-main"


def test_tables_are_sorted_by_keyboard(there: Tab) -> None:
    def column(number: int) -> list[str]:
        cells = f"row => row.cells[{number}].textContent"
        return list(there.value(f"[...document.querySelector('tbody').rows].map({cells})"))

    def sort(number: int) -> str | None:
        there.value(f"document.querySelectorAll('thead button')[{number}].focus()")
        there.press("Enter", 13, "\r")
        sort = f"document.querySelectorAll('thead th')[{number}].getAttribute('aria-sort')"
        return there.value(sort)  # type: ignore[no-any-return]

    first = ["a10", "a9", "b0"]
    assert column(0) == first
    assert sort(0) == "ascending"
    assert column(0) == ["a9", "a10", "b0"], "numbers in texts sort as numbers"
    assert sort(1) == "descending"
    assert column(1) == ["9.3 %", "0.0 %", "–"]
    assert sort(1) == "ascending"
    assert column(1) == ["0.0 %", "9.3 %", "–"], "what is not told stays last"
    assert sort(1) is None
    assert column(0) == first


def test_single_answers_are_chosen_by_keyboard(there: Tab) -> None:
    count = "document.getElementById('page-count').textContent"
    assert there.value(count) == "3 of 3 shown"
    there.value("document.querySelectorAll('#page-filters select')[1].focus()")
    there.press("C", 67, "C")  # Chinese
    assert there.value(count) == "1 of 3 shown"
    assert _visible(there, ".single") == 1
    assert "w2" in there.value("document.querySelector('.single:not([hidden])').textContent")
    there.value("document.getElementById('page-clear').focus()")
    there.press(" ", 32, " ")
    assert there.value(count) == "3 of 3 shown"
    assert _visible(there, ".single") == 3


def test_an_answer_opens_by_keyboard_and_shows_each_fate(there: Tab) -> None:
    assert _visible(there, ".items") == 0
    there.value("document.querySelectorAll('.single > summary')[1].focus()")
    there.press("Enter", 13, "\r")
    assert _visible(there, ".items") == 1
    rows = "[...document.querySelectorAll('.single[open] .items tbody tr')]"
    fates = there.value(f"{rows}.map(row => row.querySelector('.fate').innerText)")
    assert fates == ["≠ changed", "⇅ misplaced", "✓ found", "✗ missing", "+ redundant"]
    answers = there.value(f"{rows}.map(row => parseInt(row.querySelector('.ans').innerText))")
    assert answers == [1, 3, 2, None, 4]


def test_light_and_dark_follow_the_system_and_the_choice(there: Tab) -> None:
    light, dark = (_rgb(colours.theme(mode)["--ground"]) for mode in ("light", "dark"))
    assert _ground(there) == light
    there.prefer(prefers_color_scheme="dark")
    assert _ground(there) == dark
    there.value("document.querySelector('#page-theme select').focus()")
    there.press("l", 76, "l")
    assert _ground(there) == light, "what is chosen counts for more than the system"
    chosen = "document.querySelector('#page-theme select').value"
    for _ in range(5):  # another process of the browser keeps it, and may be late on a busy machine
        there.reload()
        if there.value(chosen) != "system":
            break
    assert there.value(chosen) == "light"
    assert there.value("document.documentElement.dataset.theme") == "light", "it is remembered"
    there.prefer("print", prefers_color_scheme="dark")
    there.value("document.documentElement.dataset.theme = 'dark'")
    assert _ground(there) == light, "paper is light"
    there.value("localStorage.clear()")


def test_charts_of_one_row_stand_on_one_line(page: Tab, tmp_path: Path) -> None:
    section = section_of()
    titles = ("Short", "A title of very many words, " * 4, "Another")
    figures = tuple(
        replace(section.figures[0], name=f"shares-{name}", title=title)
        for name, title in zip("abc", titles, strict=True)
    )
    drawn = {one.name: draw(one).inline for one in figures}
    _shown(page, tmp_path, usual(sections=(replace(section, figures=figures),), drawn=drawn), 1440)
    tops = "[...document.querySelectorAll('svg.chart')].map(one => one.getBoundingClientRect().top)"
    found = page.value(tops)
    assert len(found) == 3
    assert len(set(found)) == 1


@pytest.mark.parametrize(("width", "columns"), [(1440, 2), (1280, 2), (1024, 2), (360, 1)])
def test_four_charts_stand_two_by_two(page: Tab, tmp_path: Path, width: int, columns: int) -> None:
    section = section_of()
    figures = tuple(replace(section.figures[0], name=f"shares-{name}") for name in "abcd")
    drawn = {one.name: draw(one).inline for one in figures}
    _shown(page, tmp_path, usual(sections=(replace(section, figures=figures),), drawn=drawn), width)
    places = "[...document.querySelectorAll('figure')].map(one => one.getBoundingClientRect().left)"
    found = page.value(places)
    assert len(found) == 4
    assert len(set(found)) == columns


def _boxes(page: Tab, selector: str) -> list[dict[str, float]]:
    boxes = f"[...document.querySelectorAll('{selector}')].map(one => one.getBoundingClientRect())"
    found: list[dict[str, float]] = page.value(f"{boxes}.map(one => one.toJSON())")
    return found


@pytest.mark.parametrize("width", [1920, 2560])
def test_charts_use_the_room_of_a_wide_screen(page: Tab, tmp_path: Path, width: int) -> None:
    section = section_of()
    figures = tuple(replace(section.figures[0], name=f"shares-{name}") for name in "abcdef")
    drawn = {one.name: draw(one).inline for one in figures}
    _shown(page, tmp_path, usual(sections=(replace(section, figures=figures),), drawn=drawn), width)
    charts, (lead,) = _boxes(page, "svg.chart"), _boxes(page, ".part > .lead")
    assert [len({one["left"] for one in charts}), len({one["top"] for one in charts})] == [3, 2]
    assert all(340 <= one["width"] <= 1.4 * 340 for one in charts)
    assert max(one["right"] for one in charts) - lead["left"] > 0.7 * width
    assert lead["right"] < charts[0]["left"], "what is said of them stands beside them"
    assert lead["top"] < charts[0]["bottom"]


def test_a_lone_chart_stands_between_its_words_and_its_table(page: Tab, tmp_path: Path) -> None:
    section = section_of()
    drawn = {one.name: draw(one).inline for one in section.figures}
    _shown(page, tmp_path, usual(drawn=drawn), 1920)
    (lead,), (chart,) = _boxes(page, ".part > .lead"), _boxes(page, "svg.chart")
    (table,) = _boxes(page, ".scroll")
    assert lead["right"] < chart["left"] < chart["right"] < table["left"]
    assert table["top"] < chart["bottom"]


def test_what_stands_under_the_bar_of_contents_can_be_read(page: Tab, tmp_path: Path) -> None:
    _shown(page, tmp_path, usual(), 360)
    page.value("location.hash = 'shares'")
    page.value("new Promise(requestAnimationFrame)")
    bar, title = (
        page.value(f"document.querySelector('{which}').getBoundingClientRect().{edge}")
        for which, edge in (("nav", "bottom"), ("#shares-title", "top"))
    )
    assert page.value("scrollY") > 0
    assert bar <= title


def test_forced_colours_leave_bars_and_charts(page: Tab, tmp_path: Path) -> None:
    section = section_of()
    drawn = {one.name: draw(one).inline for one in section.figures}
    _shown(page, tmp_path, usual(drawn=drawn))
    page.prefer(forced_colors="active", prefers_color_scheme="dark")
    bar, track, chart = (
        page.value(f"getComputedStyle(document.querySelector('{which}')).backgroundColor")
        for which in (".bar > span", ".bar", "svg.chart")
    )
    assert bar != track
    assert chart == _rgb(colours.theme("dark")["--ground"])


def test_paper_has_no_controls_and_only_what_is_open(there: Tab) -> None:
    there.value("document.querySelectorAll('.single')[0].open = true")
    there.prefer("print")
    assert _visible(there, ".single") == 1
    for selector in ("nav", "#page-theme", "#page-filters", ".under", ".whole"):
        assert _visible(there, selector) == 0, selector
    there.value("document.querySelectorAll('.single')[0].open = false")
    assert _visible(there, "#page-singles") == 0


def test_without_scripts_all_is_there_and_nothing_is_idle(page: Tab, tmp_path: Path) -> None:
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        _shown(page, tmp_path, usual())
        assert _visible(page, ".single") == 3
        assert _visible(page, "nav ol") == 1
        for selector in ("#page-theme", "#page-filters", "thead button"):
            assert _visible(page, selector) == 0, selector
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)


def test_contents_fold_on_a_phone(page: Tab, tmp_path: Path) -> None:
    _shown(page, tmp_path, usual(), 360)
    assert _visible(page, "nav ol") == 0
    page.value("document.querySelector('nav summary').focus()")
    page.press("Enter", 13, "\r")
    assert _visible(page, "nav ol") == 1
    page.value("document.querySelectorAll('nav a')[1].click()")
    assert _visible(page, "nav ol") == 0
    page.size(1280)
    page.value("new Promise(requestAnimationFrame)")
    assert _visible(page, "nav ol") == 1
