"""No label of a figure is cut or covers another part: measured in a browser, in a wide font."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import Tab, opened

from seqniah_tasks.report.drawing import draw
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

NAMES = (
    "seqniah/skimming",
    "WWW/MMMMMMMMMM-WMWMWM-72B",
    "vllm//data/models/Qwen2.5-72B-Instruct-GPTQ-Int4/checkpoint-8000 (open, closed book)",
    "ОЩЖ/Ждущая-Машина",
)
BINS = ("8k-16k", "16k-32k", "32k-64k", "64k-128k")
MODES = ("Missing items", "Redundant items", "Wrong order", "Changed items", "No answer")
FEW, ALL = Point(0.5, 0.1, 0.9, 2), Point(1.0, 0.9, 1.0, 3)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    yield from opened(tmp_path_factory)


def _charts(name: str) -> dict[str, Chart]:
    share = Axis("Strict accuracy")
    rows = (DotRow(name, ALL), DotRow("Qwen-2.5-72B (Table 3)", FEW, True), DotRow("x", None))
    pairs = (DotRow(f"{name} vs seqniah/lexical", Point(-0.183, -0.28, -0.09)),)
    many = tuple(str(one) for one in range(1, 16))
    tenths = tuple(f"{start}-{start + 10}" for start in range(0, 100, 10))
    return {
        "dots": Dots(share, rows),
        "pairs": Dots(Axis("First minus second, percentage points", -0.3, 0.3), pairs, zero=True),
        "lines": Lines("Tokens of the prompt", BINS, share, (Series(name, (ALL,) * 4),) * 2),
        "apart": Lines("", ("real-logical", name), share, (Series(name, (ALL,) * 2),) * 6, False),
        "tenths": Lines("Depth", tenths, share, (Series(name, (ALL,) * 10),)),
        "amounts": Lines(
            "Tokens", BINS, Axis("Tokens", 0, None, False), (Series("x", (Point(123_456),) * 4),)
        ),
        "heat": Heatmap(
            "Tokens of the prompt", BINS, "Needles", (name, "3"), ((FEW, ALL) * 2,) * 2
        ),
        "modes": Heatmap("Failure mode", MODES, "run", (name, "3"), ((ALL,) * 5,) * 2),
        "narrow": Heatmap("Place", many, "Needles", (name, "15"), ((FEW,) * 15,) * 2),
        "dense": Heatmap("Length", many, "star", many * 3, ((Point(0.5),) * 15,) * 45, dense=True),
        "stacks": Stacks(MODES, ((name, (0.2,) * 5, 50), ("all", (0.99, 0.01, 0, 0, 0), 1_610))),
    }


def _font(weight: str, style: str) -> str:
    from matplotlib.font_manager import FontProperties, findfont

    found = findfont(FontProperties(family="DejaVu Sans", weight=weight, style=style))
    data = base64.b64encode(Path(found).read_bytes()).decode()
    told = f"font-weight:{weight};font-style:{style}"
    return f"@font-face{{font-family:Widest;{told};src:url(data:font/ttf;base64,{data})}}"


@pytest.fixture(scope="module")
def fonts() -> str:
    """DejaVu Sans, which matplotlib brings, as the only font of a page's figures."""
    looks = ("normal", "normal"), ("bold", "normal"), ("normal", "italic")
    faces = "".join(_font(*look) for look in looks)
    return f"<style>{faces} svg, svg * {{ font-family: Widest !important }}</style>"


_FAULTS = """
document.fonts.ready.then(() => [...document.querySelectorAll("svg")].flatMap((svg) => {
  const whole = svg.getBoundingClientRect(), unit = whole.width / svg.viewBox.baseVal.width;
  const shown = (one) => one.getAttribute("fill") !== "none" || one.hasAttribute("stroke");
  const near = 1.1 * unit;
  const within = (a, b) => a.left >= b.left - near && a.right <= b.right + near
    && a.top >= b.top - near && a.bottom <= b.bottom + near;
  // A text's box has room for accents above and tails below.
  const apart = (a, b) => a.right <= b.left + near || b.right <= a.left + near
    || a.bottom - 2.5 * unit <= b.top || b.bottom - 2.5 * unit <= a.top;
  const texts = [...svg.querySelectorAll("text")].map((one) => ({
    told: one.textContent, tilted: one.hasAttribute("transform"), box: one.getBoundingClientRect(),
  }));
  const marks = [...svg.querySelectorAll("rect, path, circle")].filter(shown).map((one) => ({
    filled: one.localName === "rect", box: one.getBoundingClientRect(),
  }));
  const about = svg.dataset.of;
  const cut = texts.filter(({ box }) => !within(box, whole));
  const upright = texts.filter(({ tilted }) => !tilted);
  const covered = upright.filter((text, place) =>
    upright.slice(place + 1).some(({ box }) => !apart(text.box, box)));
  const crossed = upright.filter(({ box }) =>
    marks.some((mark) => !apart(box, mark.box))
    && !marks.some((mark) => mark.filled && within(box, mark.box)));
  return [
    ...cut.map(({ told }) => `${about}: ${told} is cut`),
    ...covered.map(({ told }) => `${about}: ${told} covers another text`),
    ...crossed.map(({ told }) => `${about}: ${told} crosses the plot`),
  ];
}))
"""


@pytest.mark.parametrize("name", NAMES)
def test_no_label_is_cut_or_covers_anything(
    page: Tab, tmp_path: Path, fonts: str, name: str
) -> None:
    parts = [fonts]
    for kind, chart in _charts(name).items():
        drawn = draw(Figure(kind, f"{name}: {kind}", "", chart))
        for form, svg in (("page", drawn.inline), ("file", drawn.svg.decode())):
            told = svg[svg.index("<svg") :].replace("<svg ", f'<svg data-of="{kind}, {form}" ', 1)
            parts.append(f'<div style="width:340px">{told}</div>')
    file = tmp_path / "figures.html"
    file.write_text("<!doctype html><meta charset=utf-8>" + "".join(parts), "utf-8")
    page.size(1280)
    page.go(file)
    assert page.value("document.fonts.load('11px Widest').then((found) => found.length)") == 1
    faults = page.value(_FAULTS)
    assert not faults, "\n".join(faults)
