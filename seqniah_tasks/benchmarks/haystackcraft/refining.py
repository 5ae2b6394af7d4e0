"""What a model says between rounds: a summary and a refined question, or already an answer.

Read as HaystackCraft's released code reads it, and strictly.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from seqniah_scorers import final_answer
from seqniah_scorers.final_answer import MOST_READ, Profile
from seqniah_scorers.text import LINE_BREAK, spoken

MOST_QUERY, MOST_SUMMARY = 1_000, 8_000
"""Characters of a refined question and of a summary that are kept strictly; longer summaries are
counted in both profiles."""


@dataclass(frozen=True, slots=True)
class Refined:
    """What a reply was read as."""

    summary: str
    query: str
    """Empty where there is none."""
    readable: bool = True
    """Whether it has both headings, whatever stands behind them."""
    overlong: bool = False
    """Whether the summary is longer than `MOST_SUMMARY`."""
    answers: bool = False
    """Whether it states an answer already, instead of asking on."""


def official(reply: str) -> Refined:
    """As the released code reads it, with its faults (`parse_llm_response`).

    The first headings count, in thoughts too; what lacks one of them is both, as the whole reply
    is without any; any answer counts as one.
    """
    text = reply[:MOST_READ].strip()
    summary_at, query_at = text.find("Summary:"), text.find("Refined Question:")
    behind_summary = text[summary_at + len("Summary:") :] if summary_at >= 0 else text
    behind_query = text[query_at + len("Refined Question:") :] if query_at >= 0 else behind_summary
    readable = min(summary_at, query_at) >= 0
    summary, query = behind_query.strip(), behind_query.strip()
    if readable:
        summary = text[summary_at + len("Summary:") : query_at].strip()
    overlong, answer = len(summary) > MOST_SUMMARY, final_answer.official(reply)
    return Refined(summary, query, readable, overlong, answer is not None)


_MARKUP = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)")


def _heading(words: str, before: str) -> re.Pattern[str]:
    """Words that begin a line, alone or with a colon; or with a colon behind `before`."""
    words += r"[ \t]{0,9}"
    line = rf"^[ \t#>\-\d.)]{{0,12}}{words}(?:[:：]|$)"
    return re.compile(rf"{line}|{before}{words}[:：]", re.IGNORECASE | re.MULTILINE)


_SUMMARY = _heading("summary", r"(?<=[.!?] )")
_QUERY = _heading(r"refined[ \t]{1,9}question", r"\b")
_BLANK = re.compile(r"\s*")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n")
_PAIRS = ("()", '""', "“”", "''", "[]")
_FORM = re.compile(r"correct answer is", re.IGNORECASE)


def strict(reply: str) -> Refined:
    """Headings in either order, marked up or not, outside thoughts; the last ones count.

    A summary goes up to the next heading and becomes one line, a question also ends with its
    paragraph. A reply with headings states an answer only where it does so beside these two, in
    the form that prompts ask for.
    """
    text = LINE_BREAK.sub("\n", reply[-MOST_READ:])
    text = _MARKUP.sub("", text[spoken(text)])
    summaries, queries = list(_SUMMARY.finditer(text)), list(_QUERY.finditer(text))
    starts = [*sorted(one.start() for one in (*summaries, *queries)), len(text)]

    def section(heading: re.Match[str]) -> tuple[int, int]:
        end = next(start for start in starts if start >= heading.end())
        blank = _BLANK.match(text, heading.end(), end)
        return (blank.end() if blank else heading.end()), end

    query, beside = "", text
    if queries:
        begin, end = section(queries[-1])
        if blank := _PARAGRAPH_END.search(text, begin, end):
            end = blank.start()
        query = _query(text[begin:end])
        behind = next(start for start in starts if start >= end)
        beside = f"{text[: starts[0]]}\n{text[end:behind]}"
    told = text[slice(*section(summaries[-1]))] if summaries else text[: starts[0]]
    summary = " ".join(told.split())
    states = final_answer.strict(beside) is not None
    return Refined(
        summary=summary[:MOST_SUMMARY],
        query=query,
        readable=bool(summaries and queries),
        overlong=len(summary) > MOST_SUMMARY,
        answers=states and (len(starts) == 1 or _FORM.search(beside) is not None),
    )


def _query(section: str) -> str:
    """The question on a line, without what encloses it; empty where it has no word."""
    query = " ".join(section.split())
    if query[:1] + query[-1:] in _PAIRS:
        query = query[1:-1].strip()
    return query[:MOST_QUERY] if any(map(str.isalnum, query)) else ""


READERS: Mapping[Profile, Callable[[str], Refined]] = {"official": official, "strict": strict}
"""Profile -> reader."""
