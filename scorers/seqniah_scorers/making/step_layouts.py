"""Layouts of answers that tell steps; each states all steps that it is given, and no other."""

from __future__ import annotations

import json
from collections.abc import Sequence

from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.layouts import Layout, opened
from seqniah_scorers.making.telling import Telling, bare, full_stop


def _steps(telling: Telling) -> list[str]:
    return [full_stop(one.text, telling.lang) for one in telling.lines]


def _lowered(text: str) -> str:
    """A step behind other words; its verb phrase starts in lower case."""
    return bare(text[:1].lower() + text[1:])


def _list(lines: Sequence[str], mark: str) -> str:
    return "\n".join(mark.format(n) + line for n, line in enumerate(lines, 1))


def bullets(telling: Telling, draws: Draws) -> str:
    """Numbered or bulleted lines."""
    mark = draws.choice(("{}. ", "{}) ", "- ", "* ", "{}、"))
    return opened(telling, _list(_steps(telling), mark), draws)


def labels(telling: Telling, draws: Draws) -> str:
    """Every step with its label in bold."""
    mark = ("**Step {}:** ", "Step {}: ") if telling.lang == "en" else ("**步骤{}：**", "第{}步：")
    return opened(telling, _list(_steps(telling), draws.choice(mark)), draws)


def headings(telling: Telling, draws: Draws) -> str:
    """Every step below a heading."""
    mark = "### Step {}\n" if telling.lang == "en" else "### 步骤 {}\n"
    steps = [mark.format(n) + step for n, step in enumerate(_steps(telling), 1)]
    return opened(telling, "\n\n".join(steps), draws)


def table(telling: Telling, draws: Draws) -> str:
    """A table with a column of numbers."""
    head = "| Step | What to do |" if telling.lang == "en" else "| 步骤 | 做法 |"
    rows = [f"| {n} | {step} |" for n, step in enumerate(_steps(telling), 1)]
    return opened(telling, "\n".join([head, "| --- | --- |", *rows]), draws)


def as_json(telling: Telling, draws: Draws) -> str:
    """A JSON list, of texts or of objects."""
    steps = _steps(telling)
    rows = [{"step": n, "action": step} for n, step in enumerate(steps, 1)]
    body = json.dumps(rows if draws.below(2) else steps, ensure_ascii=False, indent=2)
    return f"```json\n{body}\n```" if draws.below(3) else body


def code_fence(telling: Telling, draws: Draws) -> str:
    """A list inside a fence of code."""
    return opened(telling, f"```\n{_list(_steps(telling), '{}. ')}\n```", draws)


def prose(telling: Telling, draws: Draws) -> str:
    """One paragraph with words of sequence."""
    steps = [_lowered(step) for step in _steps(telling)]
    if telling.lang == "en":
        words = ["First", *draws.shuffled(("Then", "Next", "After that"))]
        parts = [
            f"{'Finally' if n == len(steps) - 1 else words[1 + n % 3] if n else words[0]}, {step}."
            for n, step in enumerate(steps)
        ]
        return " ".join(parts)
    words = ["首先", *draws.shuffled(("然后", "接着", "随后"))]
    return "".join(
        f"{'最后' if n == len(steps) - 1 else words[1 + n % 3] if n else words[0]}，{step}。"
        for n, step in enumerate(steps)
    )


def nested_bullets(telling: Telling, draws: Draws) -> str:
    """Each step in a bullet below a number that says nothing else."""
    mark = "**Step {}**" if telling.lang == "en" else "**第{}步**"
    parts = [f"{n}. {mark.format(n)}\n   - {step}" for n, step in enumerate(_steps(telling), 1)]
    return opened(telling, "\n".join(parts), draws)


def merged(telling: Telling, draws: Draws) -> str:
    """Some neighbouring steps in one item."""
    steps = [bare(step) for step in _steps(telling)]
    items: list[str] = []
    while steps:
        size = draws.between(1, 2) if items else 2
        now, steps = steps[:size], steps[size:]
        join = ", then " if telling.lang == "en" else "，然后"
        items.append(join.join([now[0], *(_lowered(one) for one in now[1:])]))
    ending = "." if telling.lang == "en" else "。"
    return opened(telling, _list([item + ending for item in items], "{}. "), draws)


def other_language(telling: Telling, draws: Draws) -> str:
    """Labels and opening in the other language."""
    head, mark = ("步骤如下：", "第{}步：") if telling.lang == "en" else ("Steps:", "Step {}: ")
    return f"{head}\n{_list(_steps(telling), mark)}"


_OPEN = "在用待等趁照从给往对跟沿随按"
"""A clause that begins with one of these may be no step without the next."""


def split(telling: Telling, draws: Draws) -> str:
    """A Chinese step of two clauses in two neighbouring items."""
    pieces: list[str] = []
    for step in _steps(telling):
        clauses = bare(step).split("，")
        whole = len(clauses) == 2 and min(map(len, clauses)) > 5 and clauses[0][0] not in _OPEN
        if whole and draws.below(2):
            pieces += [f"{clause}。" for clause in clauses]
        else:
            pieces.append(step)
    return opened(telling, _list(pieces, "{}. "), draws)


STEP_LAYOUTS: dict[str, Layout] = {
    "bullets": bullets,
    "step labels": labels,
    "step headings": headings,
    "table": table,
    "JSON": as_json,
    "code fence": code_fence,
    "prose": prose,
    "nested bullets": nested_bullets,
    "merged": merged,
    "other language": other_language,
}
