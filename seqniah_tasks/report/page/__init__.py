"""The page: one HTML file that needs nothing else, made of sections as data.

All that models, logs and users wrote is text here, whatever it looks like: templates escape it,
signs that cannot be seen become escapes, and the page's policy lets no script run but its own.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from seqniah_tasks.report import cases, words
from seqniah_tasks.report.cases import Example, LineFate
from seqniah_tasks.report.files import MARK
from seqniah_tasks.report.page import cells, colours, head, panels, singles
from seqniah_tasks.report.parts import Section
from seqniah_tasks.report.runs import Study

MOST_ROWS = 400
"""Rows of a table that the page has; its CSV file has them all."""

MOST_NOTES = 8
"""Notes of a section in sight; of more, the others are shown when asked for."""

MOST_TEXT = 20_000
"""Characters of any one text."""

_BREAKS = re.compile(r"(?<=[\w)])([/_:@]+)(?=\w)")
"""Signs within a name after which a line may end."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page shows."""

    title: str
    version: str
    """Of seqniah."""
    study: Study
    sections: tuple[Section, ...]
    drawn: Mapping[str, str]
    """By name of the figure: its drawing as an SVG element, in which all text is escaped."""
    png: bool = True
    """Whether figures lie beside it as PNG too."""
    examples: tuple[Example, ...] = ()
    wrong: int = 0
    """Wrong answers that `examples` were chosen from."""


def render(report: Page) -> str:
    """The page as HTML, which UTF-8 can hold.

    A name that cannot be a part of a link, or a figure without its drawing, is a ValueError.
    """
    for section in report.sections:
        _check(section, report.drawn)
    parts, script = head.parts(report.study), _file("script.js")
    answers, filters = singles.prepare(report.examples, report.study.runs)
    return (
        _templates()
        .get_template("report.html.j2")
        .render(
            page=report,
            parts=parts,
            most_at_once=head.MOST_AT_ONCE,
            mark=Markup(MARK),
            warnings=head.warnings(report.study),
            read_from=head.read_from(report.study),
            settings=head.settings(report.study.runs) if len(parts) == 1 else "",
            singles=answers,
            imperfect=words.listed(singles.by_score(report.examples)),
            itemised=any(one.lines or one.note for one in report.examples),
            filters=filters,
            most_rows=MOST_ROWS,
            most_notes=MOST_NOTES,
            script=Markup(script),
            script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
            style=Markup(colours.variables() + _file("style.css")),
            drawn={name: Markup(svg) for name, svg in report.drawn.items()},
        )
    )


def _check(section: Section, drawn: Mapping[str, str]) -> None:
    names = [section.name, *(one.name for one in section.figures)]
    names += [one.name for one in section.tables]
    if bad := [name for name in names if not _NAME.fullmatch(name)]:
        raise ValueError(f"{bad[0]!r} cannot be the name of a file or a link")
    if missing := [one.name for one in section.figures if one.name not in drawn]:
        raise ValueError(f"the figure {missing[0]} was not drawn")


def _file(name: str) -> str:
    return (resources.files(__name__) / "web" / name).read_text("utf-8")


def _harmless(value: Any) -> Any:
    """Of what is printed, all but the page's own markup without signs that cannot be seen."""
    return value if isinstance(value, Markup) else cases.shown(str(value), MOST_TEXT)


def _breakable(text: str) -> Markup:
    """A name, escaped, that breaks at its own joints before it breaks within a word."""
    parts = _BREAKS.split(cases.shown(text, MOST_TEXT))
    # Every second part is a sign after which the line may end.
    return Markup("").join(
        escape(part) + Markup("<wbr>") if place % 2 else escape(part)
        for place, part in enumerate(parts)
    )


@lru_cache(maxsize=1)
def _templates() -> Environment:
    made = Environment(
        loader=PackageLoader(__name__, "web"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_harmless,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["percent"] = words.percent
    made.filters["breakable"] = _breakable
    made.globals.update(
        arranged=panels.arranged,
        cell=cells.shown,
        counted=words.counted,
        decimals_of=cells.decimals_of,
        symbols=singles.SYMBOLS,
        Fate=LineFate,
    )
    return made
