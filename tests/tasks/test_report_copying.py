"""Tables copied from a report's page as Markdown and as LaTeX, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from browser import Tab, opened
from markdown_it import MarkdownIt
from report_pages import section_of, usual
from test_report_attacks import ATTACKS

from seqniah_tasks.report.page import render
from seqniah_tasks.report.parts import Column, Kind, Table

SIGNS = r"a|b & c % d $e$ _f_ #g {h} ~i~ ^j^ \k \| \\ `l` *m* <n> [o] -- --- 'p' 通义 www.q.org"
NAMES = (SIGNS, "\\", "[", "*", "https://x.org/", "me@x.org", "a\nb", *ATTACKS)
TABLE = Table(
    "shares",
    "All shares",
    (Column("run", f"Run {SIGNS}"), Column("share", "Share, %", Kind.SHARE), Column("of", "Of")),
    tuple((name, None if place % 3 else -0.25, name) for place, name in enumerate(NAMES)),
    open=True,
)

_CELLS = """
[...document.querySelector("table.sortable").rows].map(
  (row) => [...row.cells].map((cell) => cell.textContent.replace(/\\s+/g, " ").trim()))
"""

_CLICK = """
(async () => {{
  const place = document.querySelector(".data .under"), said = place.querySelector("output");
  said.textContent = "";
  [...place.querySelectorAll("button")].find((one) => one.textContent.endsWith("{}")).click();
  while (!said.textContent) await new Promise(requestAnimationFrame);
  return said.textContent;
}})()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    yield from opened(tmp_path_factory)


@pytest.fixture
def there(page: Tab, tmp_path: Path) -> Tab:
    """A page with a table of signs and attacks."""
    file = tmp_path / "report.html"
    report = usual(sections=(replace(section_of(), tables=(TABLE,)),))
    file.write_text(render(report), "utf-8")
    page.size(1280)
    page.go(file)
    page.call("Page.bringToFront")
    granted = ["clipboardReadWrite", "clipboardSanitizedWrite"]
    page.call("Browser.grantPermissions", permissions=granted)
    return page


def _of_markdown(text: str) -> list[list[str]]:
    """The cells of a text that is one table, as Markdown's own reader has them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    assert [one.type for one in tokens if one.level == 0] == ["table_open", "table_close"]
    rows: list[list[str]] = []
    for one in tokens:
        if one.type == "tr_open":
            rows.append([])
        elif one.type == "inline":
            kinds = {child.type for child in one.children or ()}
            assert kinds <= {"text", "text_special"}, one.content
            rows[-1].append("".join(child.content for child in one.children or ()))
    return rows


_WRITTEN = {
    **{rf"\{sign}": sign for sign in "&%$#_{}"},
    r"\textbackslash{}": "\\",
    r"\textasciitilde{}": "~",
    r"\textasciicircum{}": "^",
    r"\textasciigrave{}": "`",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"\ldots{}": "…",
    **{f"{{{sign}}}": sign for sign in "[]*"},
    "-{}": "-",
    "$-$": "−",
    "--": "–",
}
_SIGN = re.compile("|".join(map(re.escape, _WRITTEN)) + r"|[^\\{}$&#_^~%|<>`\[\]*]")


def _of_latex(text: str, columns: str) -> list[list[str]]:
    """The cells of a tabular; no sign in them does anything but be written."""
    lines = text.splitlines()
    assert lines[:2] == [rf"\begin{{tabular}}{{{columns}}}", r"\hline"]
    assert (lines[3], *lines[-2:]) == (r"\hline", r"\hline", r"\end{tabular}")
    rows = []
    for line in (lines[2], *lines[4:-2]):
        assert line.endswith(r" \\")
        cells = line.removesuffix(r" \\").split(" & ")
        assert all(_SIGN.sub("", cell) == "" for cell in cells), line
        rows.append([_SIGN.sub(lambda one: _WRITTEN.get(one[0], one[0]), cell) for cell in cells])
    return rows


def test_what_is_copied_as_markdown_is_the_table(there: Tab) -> None:
    assert there.value(_CLICK.format("Markdown")) == "Copied as Markdown."
    text = there.value("navigator.clipboard.readText()")
    cells = there.value(_CELLS)
    assert len(cells) == len(NAMES) + 1
    assert _of_markdown(text) == cells
    assert text.splitlines()[1] == "| :-- | --: | :-- |"


def test_what_is_copied_as_latex_is_the_table(there: Tab) -> None:
    assert there.value(_CLICK.format("LaTeX")) == "Copied as LaTeX."
    text = there.value("navigator.clipboard.readText()")
    assert _of_latex(text, "lrl") == there.value(_CELLS)


def test_rows_are_copied_in_the_order_that_they_are_shown_in(there: Tab) -> None:
    before = there.value(_CELLS)
    there.value("document.querySelectorAll('thead button')[0].click()")
    there.value(_CLICK.format("Markdown"))
    cells = there.value(_CELLS)
    assert cells != before
    assert _of_markdown(there.value("navigator.clipboard.readText()")) == cells


def test_without_a_clipboard_the_text_stands_there_selected(there: Tab) -> None:
    there.value("Object.defineProperty(navigator, 'clipboard', { value: undefined }) && 0")
    there.value("document.execCommand = () => false")
    for number, what in enumerate(("Markdown", "LaTeX", "Markdown")):
        assert there.value(_CLICK.format(what)) == f"Copy the selected {what}.", number
        assert there.value("document.querySelectorAll('.data textarea').length") == 1
        box = "document.querySelector('.data textarea')"
        text = there.value(f"{box}.value")
        chosen = there.value(f"{box}.value.slice({box}.selectionStart, {box}.selectionEnd)")
        assert text == chosen
        cells = there.value(_CELLS)
        assert (_of_markdown(text) if what == "Markdown" else _of_latex(text, "lrl")) == cells
    assert there.value("window.pwned") is None


def test_an_older_way_of_copying_is_tried_before_the_reader_must(there: Tab) -> None:
    there.value("Object.defineProperty(navigator, 'clipboard', { value: undefined }) && 0")
    there.value("document.execCommand = () => true")
    assert there.value(_CLICK.format("Markdown")) == "Copied as Markdown."
    assert there.value("document.querySelectorAll('.data textarea').length") == 0


def test_buttons_are_there_only_where_they_do_something(page: Tab, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(render(usual()), "utf-8")
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.go(file)
        assert page.value("document.querySelectorAll('.under button').length") == 0
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    page.go(file)
    assert page.value("document.querySelectorAll('.under button').length") == 2
