"""Nothing that models, logs or users wrote does anything in a report: tried in a real browser."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import pytest
from browser import Tab, opened
from report_rows import one, rows, studied

from seqniah_tasks.records import Transcript
from seqniah_tasks.report.cases import MOST_ITEM, Example, Line, LineFate, example, shown
from seqniah_tasks.report.drawing import draw
from seqniah_tasks.report.page import Page, render
from seqniah_tasks.report.parts import (
    Axis,
    Chart,
    Column,
    DotRow,
    Dots,
    Figure,
    Heatmap,
    Lines,
    Point,
    Section,
    Series,
    Stacks,
    Table,
)

ATTACKS = (
    "<script>window.pwned=1</script>",
    "<img src=x onerror=window.pwned=1>",
    '"><svg onload=window.pwned=1>',
    "' onmouseover='window.pwned=1' autofocus onfocus='window.pwned=1",
    "</script><script>window.pwned=1</script>",
    "</style><style>*{background:url(http://127.0.0.1:9/style)}</style>",
    "</title><script>window.pwned=1</script>",
    "</textarea></select></option><script>window.pwned=1</script>",
    "]]><script>window.pwned=1</script><![CDATA[",
    "--><script>window.pwned=1</script><!--",
    "<a href=javascript:window.pwned=1 id=page-main>press me</a>",
    "[press me](javascript:window.pwned=1) ![](http://127.0.0.1:9/image.png)",
    "<iframe srcdoc='<script>top.pwned=1</script>'></iframe>",
    "<svg><foreignObject><body onload=window.pwned=1></foreignObject></svg>",
    "<svg><title><style><img src=x onerror=window.pwned=1></style></title></svg>",
    "<math><mtext></p><img src=x onerror=window.pwned=1>",
    '<meta http-equiv="refresh" content="0;url=http://127.0.0.1:9/meta">',
    "<base href=http://127.0.0.1:9/><link rel=stylesheet href=http://127.0.0.1:9/link>",
    "<form action=http://127.0.0.1:9/form><input name=x onfocus=window.pwned=1 autofocus>",
    "{{ 7 * 7 }}{% for x in () %}{{ self.__init__.__globals__ }}",
    "&lt;script&gt;window.pwned=1&lt;/script&gt; &amp;#60;",
    "left \u202egnp.tpircs\u2066 right\u200b\ufeff",
    "null \x00<scr\x00ipt>window.pwned=1</scr\x00ipt>",
    "red \x1b[31m\x1b]0;title\x07\x9b2J",
    "half \ud800 pair \udfff",
    '=HYPERLINK("http://127.0.0.1:9/cell")',
    "${window.pwned=1} `${window.pwned=1}`",
)
EVERYTHING = " ".join(ATTACKS)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    yield from opened(tmp_path_factory)


def _charts(text: str) -> list[Chart]:
    point = Point(0.5, 0.4, 0.6, 10)
    return [
        Dots(Axis(text), (DotRow(text, point), DotRow(text, point, published=True))),
        Lines(text, (text, text), Axis(text), (Series(text, (point, None)),)),
        Heatmap(text, (text,), text, (text,), ((point,),)),
        Stacks((text, text), ((text, (0.5, 0.5), 4),)),
    ]


def _section(place: int, text: str) -> Section:
    figures = tuple(
        Figure(f"f{place}-{number}", text, text, chart)
        for number, chart in enumerate(_charts(text))
    )
    columns = Column("a", text), Column("b", text)
    table = Table(f"t{place}", text, columns, ((text, text), (text, None)), open=True)
    return Section(f"s{place}", text, text, figures, (table,), (text,))


def _examples(text: str) -> Iterator[Example]:
    """One as it is made of a file, and one whose texts nobody has made harmless before."""
    answer = one(
        id=text,
        model=text,
        source=text,
        judge=text,
        judged_by="model",
        correct=False,
        reason=text,
        noise=text,
        length_bin=text,
        pipeline="real-logical",
        needles=3,
    )
    listed = f"Steps:\n- {text}\n- One more.\n- Another one."
    facts = {"parties": [text, text]}
    yield example(Transcript(answer, text, listed, f"1. {text}\n2. {text}", facts, True, text))
    line = Line(text, text, 1, LineFate.CHANGED, 0.5)
    told = {"question": text, "reference": text, "response": text, "analysis": text, "note": text}
    yield Example(row=answer, cut_off=False, reason=text, lines=(line,), left_out=3, **told)


@lru_cache(maxsize=1)
def _hostile() -> Page:
    """A page on which every text is an attack, each of them somewhere."""
    sections = tuple(_section(*pair) for pair in enumerate((*ATTACKS[:3], EVERYTHING)))
    drawn = {one.name: draw(one).inline for part in sections for one in part.figures}
    files = [
        [*rows(2, model=text, source=text, tokenizer=text), one(model=text, id=text, correct=None)]
        for text in ATTACKS
    ]
    return Page(
        title=EVERYTHING,
        version=EVERYTHING,
        study=studied(*files),
        sections=sections,
        drawn=drawn,
        examples=tuple(found for text in ATTACKS for found in _examples(text)),
        wrong=2,
    )


def _written(folder: Path, text: str) -> Path:
    file = folder / "report.html"
    file.write_text(text, "utf-8")
    return file


def _did_something(page: Tab) -> list[str]:
    """All that a page did beyond showing itself."""
    loaded = [one["request"]["url"] for one in page.of("Network.requestWillBeSent")]
    found = [f"asked for {url}" for url in loaded if not url.startswith(("file:", "data:"))]
    found += ["ran a script"] * (page.value("window.pwned") is not None)
    found += ["opened a dialog"] * len(page.of("Page.javascriptDialogOpening"))
    found += [f"logged {entry['entry']['text']}" for entry in page.of("Log.entryAdded")]
    found += [f"threw {json.dumps(told)}" for told in page.of("Runtime.exceptionThrown")]
    return found


_FOREIGN = """
[...document.querySelectorAll("*")].flatMap((element) => {
  const name = element.localName;
  const bad = [
    "iframe", "object", "embed", "base", "form", "input", "foreignObject", "img", "math",
  ];
  const own = /^(#[a-z0-9-]*|(figures|tables)\\/[a-z0-9-]+\\.(svg|png|csv)|data:,)$/;
  const odd = bad.includes(name) ? [name] : [];
  for (const { name: attribute, value } of element.attributes) {
    if (/^on/i.test(attribute)) odd.push(attribute);
    const links = /^(href|src|xlink:href|action)$/i.test(attribute);
    if (links && !own.test(value)) odd.push(`${name} ${attribute}=${value}`);
  }
  return odd;
}).concat(document.scripts.length === 1 ? [] : ["scripts"])
  .concat(document.styleSheets.length === 1 ? [] : ["styles"])
"""


def test_hostile_texts_do_nothing(page: Tab, tmp_path: Path) -> None:
    page.size(1280)
    page.go(_written(tmp_path, render(_hostile())), seconds=0.5)
    page.value("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert _did_something(page) == []
    assert page.value(_FOREIGN) == []
    assert page.value("document.getElementById('page-main').localName") == "main"


def test_hostile_texts_are_shown_as_they_are(page: Tab, tmp_path: Path) -> None:
    page.go(_written(tmp_path, render(_hostile())))
    parts = {
        "h1": page.value("document.querySelector('h1').textContent"),
        "questions": page.value(
            "[...document.querySelectorAll('.told')].map((one) => one.textContent)"
        ),
        "answers": page.value(
            "[...document.querySelectorAll('.whole pre')].map((one) => one.textContent)"
        ),
        "items": page.value("[...document.querySelectorAll('.ans')].map((o) => o.textContent)"),
        "ids": page.value("[...document.querySelectorAll('.id')].map((one) => one.textContent)"),
        "runs": page.value("[...document.querySelectorAll('.bars .name')].map((o) => o.innerText)"),
        "choices": page.value("[...document.querySelectorAll('option')].map((o) => o.text)"),
        "cells": page.value("[...document.querySelectorAll('td')].map((one) => one.textContent)"),
        "drawn": page.value("[...document.querySelectorAll('svg title')].map((o) => o.innerHTML)"),
    }
    assert parts["h1"] == shown(EVERYTHING, 20_000)
    for text in ATTACKS:
        told = shown(text, MOST_ITEM)
        for name in ("questions", "ids"):
            assert told in parts[name], f"{told} is not among the {name}"
        for name in ("items", "answers"):
            assert any(told in one for one in parts[name]), f"{told} is not among the {name}"
        assert " ".join(told.split()) in parts["choices"]
    for text in ATTACKS[:3]:
        assert text in parts["cells"]
        assert any(html.escape(text, quote=False) in one for one in parts["drawn"])


def test_hidden_signs_are_escapes_in_the_bytes() -> None:
    page = _hostile()
    text = render(replace(page, drawn=dict.fromkeys(page.drawn, "<svg></svg>")))
    assert text.encode("utf-8")
    for sign in "\x00\x07\x1b\x9b\u202e\u2066\u200b\ufeff":
        assert sign not in text
    assert r"left \u202egnp.tpircs\u2066 right\u200b\ufeff" in text
    assert r"half \ud800 pair \udfff" in text


@pytest.mark.parametrize("place", ["</main>", "</h1>"])
def test_what_would_slip_through_is_stopped_by_the_policy(
    page: Tab, tmp_path: Path, place: str
) -> None:
    """Even markup that was not escaped runs nothing and loads nothing; the same test finds it."""
    slipped = (
        "<script>window.pwned=1</script><img src=x onerror=window.pwned=1>"
        "<img src=http://127.0.0.1:9/image.png><base href=http://127.0.0.1:9/>"
    )
    text = render(replace(_hostile(), examples=(), sections=(), drawn={}))
    assert text.count(place) == 1
    text = text.replace(place, slipped + place)
    page.go(_written(tmp_path, text), seconds=0.5)
    assert page.value("window.pwned") is None
    assert page.value("document.baseURI").startswith("file:")
    blocked = [entry["entry"]["text"] for entry in page.of("Log.entryAdded")]
    assert any("Content Security Policy" in one for one in blocked)
    answered = [one["response"]["url"] for one in page.of("Network.responseReceived")]
    assert not [url for url in answered if url.startswith("http")]

    start, end = text.index("<meta http-equiv"), text.index('<meta name="viewport"')
    page.go(_written(tmp_path, text[:start] + text[end:]), seconds=0.5)
    assert "ran a script" in _did_something(page)
    assert "asked for http://127.0.0.1:9/image.png" in _did_something(page)
