"""What a model says between HaystackCraft's rounds: summary, refined question, or an answer."""

from __future__ import annotations

import pytest

from seqniah_tasks.benchmarks.haystackcraft import refining

FORM = "Summary: a\n\nRefined Question: b?"

OFFICIAL = [
    # reply, summary, query, has both headings
    (FORM, "a", "b?", True),
    ("Refined Question: b?\nSummary: a", "", "b?\nSummary: a", True),
    ("  Summary: a\n", "a", "a", False),
    ("Hm. Refined Question: b?", "b?", "b?", False),
    (" I know nothing. ", "I know nothing.", "I know nothing.", False),
    ("", "", "", False),
    ("summary: a\nrefined question: b?", *["summary: a\nrefined question: b?"] * 2, False),
    ("**Summary:** a\n**Refined Question:** b?", "** a\n**", "** b?", True),
    (f"Summary: x Refined Question: y</think>{FORM}", "x", f"y</think>{FORM}", True),
    ("Summary: a\nRefined Question:", "a", "", True),
]


@pytest.mark.parametrize(("reply", "summary", "query", "readable"), OFFICIAL)
def test_officially_the_first_headings_count(
    reply: str, summary: str, query: str, readable: bool
) -> None:
    read = refining.official(reply)
    assert (read.summary, read.query, read.readable) == (summary, query, readable)


STRICT = [
    (FORM, "a", "b?", True),
    ("Refined Question: b?\nSummary: a", "a", "b?", True),
    ("Refined Question: b?\n\nand more\n\nSummary: a\n\nc", "a c", "b?", True),
    ("**Summary:** _a_\n- c\n\n**Refined Question:** `b?`", "a - c", "b?", True),
    ("## Summary\n\na\n\n### Refined question\nb?\n\nI hope it helps.", "a", "b?", True),
    ("1. SUMMARY : a\n2. Refined  Question：“b?”", "a", "b?", True),
    ("Summary: a. Refined Question: (b?)", "a.", "b?", True),
    ("Refined Question: b? Summary: a", "a", "b?", True),
    (f"Summary: x\nRefined Question: y\n\n{FORM}", "a", "b?", True),
    (f"<think>Summary: x\nRefined Question: y</think>{FORM}<think>Summary: z", "a", "b?", True),
    ("<think>endless, Refined Question: y", "", "", False),
    ("In summary: a", "In summary: a", "", False),
    ("Found a.\nRefined Question: b\nc?", "Found a.", "b c?", False),
    ("Summary: a", "a", "", False),
    ("Summary: a\nRefined Question: ...", "a", "", True),
    ("Summary: a\r\nRefined Question:\r\n\r\nb?", "a", "b?", True),
    ("I know nothing.", "I know nothing.", "", False),
    ("", "", "", False),
]


@pytest.mark.parametrize(("reply", "summary", "query", "readable"), STRICT)
def test_strictly_the_last_headings_count_in_either_order(
    reply: str, summary: str, query: str, readable: bool
) -> None:
    read = refining.strict(reply)
    assert (read.summary, read.query, read.readable) == (summary, query, readable)


ENDLESS = "Summary: " + "word " * 2_000 + "\nRefined Question: " + "which " * 300


def test_only_the_strict_profile_cuts_what_is_endless_and_both_count_it() -> None:
    cut, whole = refining.strict(ENDLESS), refining.official(ENDLESS)
    assert (len(cut.summary), len(cut.query)) == (8_000, 1_000)
    assert (len(whole.summary), len(whole.query)) == (5 * 2_000 - 1, 6 * 300 - 1)
    assert cut.overlong and whole.overlong
    assert not refining.strict(f"Summary: {'a' * 8_000}").overlong
    assert refining.strict("Refined Question:\n" * 50_000).query == ""


STATED = "The correct answer is (Bonn)."

ANSWERED = [
    # reply, whether it is an answer officially, strictly
    (STATED, True, True),
    ("Final answer: Bonn", False, True),
    ("It may be Bonn.", False, False),
    (FORM, False, False),
    (f"{FORM}\n\n{STATED}", True, True),
    (f"{STATED}\n\n{FORM}", True, True),
    (f"Summary: a. {STATED}", True, True),
    (f"Summary: a. {STATED}\nRefined Question: b?", True, False),
    (f"Summary: a\nRefined Question: Is it so that the correct answer is {'x' * 9}?", True, False),
    (f"I cannot tell what the answer is.\n{FORM}", False, False),
    (f"<think>{STATED}</think>{FORM}", True, False),
    ("The correct answer is (your answer).", True, False),
]


@pytest.mark.parametrize(("reply", "official", "strict"), ANSWERED)
def test_any_statement_answers_officially_and_strictly_one_beside_the_sections(
    reply: str, official: bool, strict: bool
) -> None:
    assert refining.official(reply).answers is official
    assert refining.strict(reply).answers is strict
