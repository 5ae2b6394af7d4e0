"""Answers that copy whole records as documents write them: title, date and event."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle, product

import pytest

from seqniah_scorers.reading.answers import parse
from seqniah_scorers.text import fold

EVENTS = {
    "en": {
        "Journal of Ada Brandt": (
            "I planted tomatoes in the garden in the morning.",
            "While cleaning the attic I found a box of 12 letters.",
            "My uncle drove me to the quarry.",
        ),
    },
    "zh": {
        "祁文蕙每日纪要": (
            "上午在花园里种下西红柿。",
            "下午在湖边写生，画了两张芦苇的速写。",
            "夜班巡检时听见水泵异响",
        ),
    },
}
DAYS = ((2013, 3, 2), (2013, 3, 9), (2013, 3, 21))
DATES: tuple[Callable[[int, int, int], str], ...] = (
    lambda y, m, d: f"{y}-{m:02d}-{d:02d}",
    lambda y, m, d: f"{y}/{m:02d}/{d:02d}",
    lambda y, _, d: f"March-{d}-{y}",
    lambda y, _, d: f"{d} March {y}",
    lambda y, _, d: f"March {d}, {y}",
    lambda y, m, d: f"{y}年{m:02d}月{d:02d}日",
)
AFTER_TITLE = ("-", " :", ":", "\n", "\n\n", " ")
AFTER_DATE = (":", " :", "\n", "\n\n", "   ", ", ")


def numbered(records: list[str]) -> str:
    return "\n".join(f"{n}. {text}" for n, text in enumerate(records, 1))


def bold(records: list[str]) -> str:
    parts = [text.partition("\n") for text in records]
    heads = [(f"**{head}**" if rest else head, mark + rest) for head, mark, rest in parts]
    return "\n\n".join(f"{n}. {head}{rest}" for n, (head, rest) in enumerate(heads, 1))


LAYOUTS: dict[str, Callable[[list[str]], str]] = {
    "numbered": numbered,
    "bold first lines": bold,
    "indented": lambda r: numbered([text.replace("\n", "\n   ") for text in r]),
    "in quotation marks": lambda r: numbered([f'"{text}"' for text in r]),
    "bulleted": lambda r: "Here they are:\n\n" + "\n\n".join(f"- {text}" for text in r),
    "bare": lambda r: "\n".join(r),
    "bare with blank lines": lambda r: "The text says:\n\n" + "\n\n".join(r),
    "quoted": lambda r: "\n".join(f"> {line}" for text in r for line in text.split("\n")),
    "fenced": lambda r: "```\n" + "\n\n".join(r) + "\n```",
    "one line each": lambda r: numbered([" ".join(text.split()) for text in r]),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("lang", EVENTS)
def test_a_copied_record_is_one_dated_item_without_its_title(lang: str, layout: str) -> None:
    (title, events), *_ = EVENTS[lang].items()
    forms = list(product(AFTER_TITLE, DATES, AFTER_DATE))
    offsets = cycle((0, 37, 101))
    for n in range(len(forms)):
        chosen = [forms[(n + next(offsets)) % len(forms)] for _ in DAYS]
        records = [
            f"{title}{before}{date(*day)}{after}{event}"
            for (before, date, after), day, event in zip(chosen, DAYS, events, strict=True)
        ]
        answer = LAYOUTS[layout](records)
        items = parse(answer)
        assert [i.date.key() for i in items if i.date] == list(DAYS), answer
        assert [fold(i.text) for i in items] == [fold(event) for event in events], answer
