"""The words of the items that a verdict's pairs number."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from seqniah_scorers.rules import Aligned, align, judge
from seqniah_scorers.text import MAX_CHARS, fold, plain, strip_markup
from seqniah_scorers.verdict import Case, FailureMode

FOLDER = Path(__file__).parent / "answers"
DATE = re.compile(r"[\d?]+-[\d?]+-[\d?]+ ?")

DIARY = """The contents are:
- March 3, 2012：I planted tomatoes in the garden in the morning.
- March 9, 2012：I attended a pottery class and made a small vase.
- March 27, 2012：I watched a documentary about whales in the evening."""
TYRE = """Change a tyre as follows:
1. Loosen the wheel nuts a little with the wrench.
2. Raise the car with the jack.
3. Take off the nuts and the flat wheel."""


def _diary(response: str) -> Aligned:
    asked = "What are the contents of Journal of Ida Berg?"
    return align(Case("en", "temporal", asked, DIARY, response))


def _tyre(response: str) -> Aligned:
    return align(Case("en", "logical", "How do I change a tyre?", TYRE, response))


def _beside(aligned: Aligned) -> list[tuple[str | None, str | None, bool]]:
    """The pairs with words in the place of numbers."""
    return [
        (
            None if pair.reference is None else aligned.references[pair.reference],
            None if pair.answer is None else aligned.answers[pair.answer],
            pair.same,
        )
        for pair in aligned.verdict.pairs
    ]


def test_items_stand_beside_what_they_state() -> None:
    found = _diary(
        "Here they are:\n"
        "1. **2012-03-27** - watched a documentary about whales in the evening\n"
        "2. On the 3rd of March 2012, I planted tulips in the garden in the morning.\n"
        "3. March 12, 2012: I went to the dentist."
    )
    assert _beside(found) == [
        (
            "2012-03-03 I planted tomatoes in the garden in the morning.",
            "2012-03-03 I planted tulips in the garden in the morning.",
            False,
        ),
        ("2012-03-09 I attended a pottery class and made a small vase.", None, False),
        (
            "2012-03-27 I watched a documentary about whales in the evening.",
            "2012-03-27 watched a documentary about whales in the evening",
            True,
        ),
        (None, "2012-03-12 I went to the dentist.", False),
    ]
    assert found.answers[0].startswith("2012-03-27"), "they are numbered as they were written"


def test_a_heading_gives_its_part_of_the_date() -> None:
    assert _diary("March 2012\n- 3: planted tomatoes").answers == ("2012-03-03 planted tomatoes",)
    assert _diary("- March 3: planted tomatoes").answers == ("?-03-03 planted tomatoes",)
    assert _diary("- planted tomatoes in the garden").answers == ("planted tomatoes in the garden",)


def test_one_item_may_state_two_steps() -> None:
    shared = _tyre(
        "1. Loosen the wheel nuts a little with the wrench; raise the car with the jack.\n"
        "2. Take off the nuts and the flat wheel."
    )
    assert shared.verdict.correct, shared.verdict.reason
    assert len(shared.answers) == 2
    assert [pair.answer for pair in shared.verdict.pairs] == [0, 0, 1]


def test_repeated_items_have_their_words_too() -> None:
    lines = DIARY.split("\n")[1:]
    copied = _diary("\n".join([*lines, lines[0]]))
    assert copied.answers == (*copied.references, copied.references[0])
    assert copied.verdict.failure_modes == (FailureMode.REDUNDANT,)


@pytest.mark.parametrize(
    "response",
    ["", "The text does not mention it.", "?!", "\n".join(["- so it was"] * MAX_CHARS)],
    ids=["empty", "refusal", "noise", "too long"],
)
def test_answers_without_items_have_no_words(response: str) -> None:
    found = _diary(response)
    assert found.answers == ()
    assert _beside(found) == [(words, None, False) for words in found.references]
    assert len(found.references) == 3


def _cases() -> list[Case]:
    names = ("lang", "needle_type", "question", "reference", "response")
    return [
        Case(*(row[name] for name in names))
        for path in sorted(FOLDER.glob("*.jsonl"))
        for row in map(json.loads, path.open(encoding="utf-8"))
    ]


def _letters(text: str) -> str:
    """All words of a text, without what stands between them."""
    bare = " ".join(strip_markup(line) for line in plain(text).split("\n"))
    return fold(bare).replace(" ", "")


def _words(text: str) -> set[str]:
    """Words, and in Chinese characters."""
    return set(re.findall(r"[\u3400-\u9fff]|[^\W_\u3400-\u9fff]+", fold(plain(text))))


def test_on_realistic_answers() -> None:
    items = literal = 0
    for case in _cases()[::4]:
        found = align(case)
        assert found.verdict == judge(case)
        pairs = found.verdict.pairs
        numbers = [pair.answer for pair in pairs if pair.answer is not None]
        assert sorted(set(numbers)) == list(range(len(found.answers)))
        assert [pair.reference for pair in pairs[: len(found.references)]] == list(
            range(len(found.references))
        )
        said = _letters(case.response)
        # Names whose initials an answer has, and what is completed, are the reference's.
        known = _words(case.response) | _words(case.reference) | {"完", "成", "了"}
        for words in found.answers:
            content = DATE.sub("", words, count=1)
            assert _words(content) <= known, words
            items += 1
            literal += _letters(content) in said
    assert items > 1_250
    # The others had a date amid their words, were joined of lines apart, or had a short form.
    assert literal > 0.95 * items


def test_the_words_of_a_reference_are_its_lines() -> None:
    for case in _cases()[::20]:
        lines = case.reference.strip().split("\n")[1:]
        found = align(replace(case, response="")).references
        assert len(found) == len(lines)
        for words, line in zip(found, lines, strict=True):
            assert _letters(DATE.sub("", words, count=1)) in _letters(line)
