"""Answers that the rule judge is timed on."""

from __future__ import annotations

import json
from pathlib import Path

from seqniah_datasets.schema import QAItem
from seqniah_scorers.verdict import Case

ANSWERS = Path(__file__).parent.parent / "tests" / "scorers" / "answers"


def listed(item: QAItem) -> Case:
    """The commonest answer: a preamble, bold ISO dates, no "I", and a closing remark."""
    english = item.lang == "en"
    lines = ["Based on the text, here are the entries:" if english else "根据文中内容，记录如下："]
    for number, needle in enumerate(item.needles, 1):
        event = needle.event.removeprefix("I ")
        lines.append(f"{number}. **{needle.date}**: {event[0].upper()}{event[1:]}")
    lines.append("These entries show a varied month." if english else "以上内容展示了丰富的生活。")
    text = "\n\n".join(lines)
    return Case(item.lang, "temporal", item.question, item.reference, text, parties=item.parties)


def labelled(path: Path) -> list[Case]:
    """The answers of a file, without their labels."""
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    names = ("lang", "needle_type", "question", "reference", "response")
    return [Case(*(row[name] for name in names)) for row in rows]
