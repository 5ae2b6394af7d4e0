"""The final answer of a response, as released and strictly, and its overlap with accepted ones."""

from __future__ import annotations

import re

import pytest

from seqniah_scorers.final_answer import official, strict
from seqniah_scorers.overlap import f1, overlap, words

IS = "The correct answer is"

READ = [
    # response, official, strict
    (f"{IS} (Bonn).", "Bonn", "Bonn"),
    (f"{IS}: Bonn", "Bonn", "Bonn"),
    (f"**{IS}** (Bonn)", "Bonn", "Bonn"),
    (f'{IS} "New Bonn".', "New Bonn", "New Bonn"),
    (f"{IS} St. Louis.", "St", "St. Louis"),
    (f"{IS} 3.5 million", "3", "3.5 million"),
    (f"{IS} (Paris (Texas)).", "Paris (Texas", "Paris (Texas)"),
    (f"{IS} (insert answer here). {IS} (Bonn).", "insert answer here", "Bonn"),
    (f"{IS} (Cologne). No: {IS.lower()} (Bonn).", "Cologne", "Bonn"),
    (f"<think>{IS} (Cologne)</think>{IS} (Bonn)", "Cologne", "Bonn"),
    (f"{IS} (Bonn) <think>but {IS} (Cologne)", "Bonn", "Bonn"),
    (f"{IS} ().", ")", None),
    (f"{IS}:Bonn", None, "Bonn"),
    ("The answer is Bonn.", None, "Bonn"),
    ("Final answer: Bonn", None, "Bonn"),
    ("Bonn", None, None),
    ("", None, None),
    (f"{IS} (Bonn", "Bonn", "Bonn"),
    (f'{IS} "Bonn.', "Bonn", "Bonn"),
    (f"{IS} J. R. R. Tolkien. He was born elsewhere.", "J", "J. R. R. Tolkien"),
    (f"{IS} the U.S. The articles say so.", "the U", "the U.S"),
    (f"{IS}\n\nBonn\nbecause of article 3", "Bonn", "Bonn"),
    (f'{IS} "Dr. No" and "Goldfinger".', "Dr. No", '"Dr. No" and "Goldfinger"'),
    (f"{IS} \\boxed{{Bonn}}", "\\boxed{Bonn}", "Bonn"),
    (f"{IS} (a) Bonn.", "a", "(a) Bonn"),
    (f"{IS} Who? No one.", "Who? No one", "Who?"),
    (f"{IS} 波恩。文中如此。", "波恩。文中如此。", "波恩"),
]


@pytest.mark.parametrize(("response", "as_released", "strictly"), READ)
def test_an_answer_is_read(response: str, as_released: str | None, strictly: str | None) -> None:
    assert official(response) == as_released
    assert strict(response) == strictly


def test_a_boxed_answer_is_read_to_the_end_of_its_box() -> None:
    assert strict(f"{IS} \\boxed{{Bonn}}.") == "Bonn"


@pytest.mark.parametrize(
    "hostile",
    [
        f"{IS} (" * 20_000,
        f'{IS} "' * 20_000,
        IS + " " * 400_000,
        f"{IS}{' ' * 200_000}:{' ' * 200_000}(",
        f"{IS} " + "(" * 200_000,
        f"{IS} " + "a. " * 100_000,
        "answer " * 50_000,
        "*" * 400_000,
    ],
    ids=range(8),
)
@pytest.mark.usefixtures("linear")
def test_hostile_responses_are_read_in_linear_time(hostile: str) -> None:
    official(hostile)
    strict(hostile)


LEAD = r"The correct answer is\s*:?\s+"


def _as_specified(response: str) -> str | None:
    """The released reader as the specification tells it, pattern after pattern."""
    text = response.replace("*", "").strip()
    for pattern in (r"\(([^)]+)\)", r'"([^"]+)"'):
        if found := re.search(LEAD + pattern, text, re.IGNORECASE):
            return found[1].strip()
    plain = re.search(LEAD + r'([^(^"].*?)(?:\.|$|\n)', text, re.IGNORECASE)
    if plain and plain[1].strip():
        return plain[1].strip()
    if found := re.search(LEAD + r"\((.+)", text, re.IGNORECASE):
        return found[1].strip().rstrip(".").strip()
    if found := re.search(LEAD + r'"(.+)', text, re.IGNORECASE):
        return found[1].strip().rstrip('"').rstrip(".").strip()
    for pattern in (r"(.+?)(\.|$|\n)", r"(.+)"):
        if found := re.search(LEAD + pattern, text, re.IGNORECASE):
            answer = found[1].strip()
            for sign in '("':
                if answer.startswith(sign):
                    answer = answer.lstrip(sign).strip()
                    break
            if answer:
                return answer
    return None


def test_the_released_reader_is_equalled_on_all_short_endings() -> None:
    parts = ["(", ")", '"', ".", " ", "\n", "Bonn", ":", "^", "         ", "*", f" {IS} "]
    for a in parts:
        for b in parts:
            for c in parts:
                for d in parts:
                    response = f"{IS}{a}{b}{c}{d}"
                    assert official(response) == _as_specified(response), repr(response)


OVERLAPS = [
    # response's answer, accepted, F1, exact
    ("Bonn", ["Bonn"], 1.0, True),
    ("the city of Bonn", ["Bonn"], 2 * (1 / 3) / (1 + 1 / 3), False),
    ("The Bonn!", ["bonn"], 1.0, True),
    ("Cologne", ["Bonn"], 0.0, False),
    ("Bonn Bonn", ["Bonn"], 2 * (1 / 2) / (1 + 1 / 2), False),
    ("Bonn on Rhine", ["Cologne", "Bonn on the Rhine"], 1.0, True),
    ("the", ["Bonn"], 0.0, False),
    ("the", ["a"], 1.0, True),
]


@pytest.mark.parametrize(("answer", "accepted", "share", "exact"), OVERLAPS)
def test_overlap_counts_words(answer: str, accepted: list[str], share: float, exact: bool) -> None:
    for profile in ("official", "strict"):
        found = overlap(f"{IS} ({answer})", accepted, profile)
        assert found.f1 == pytest.approx(share)
        assert found.exact is exact


def test_no_answer_counts_nothing_and_is_told_apart() -> None:
    found = overlap("I cannot tell.", ["Bonn"], "strict")
    assert (found.answer, found.f1, found.exact) == (None, 0.0, False)


def test_scripts_without_blanks_are_compared_by_characters() -> None:
    assert words("莱茵河畔的波恩。") == list("莱茵河畔的波恩")
    assert f1(words("波恩"), words("波恩市")) == pytest.approx(2 * 1 * (2 / 3) / (1 + 2 / 3))
    assert words("Bonn–Köln", "official") == ["bonn–köln"]
