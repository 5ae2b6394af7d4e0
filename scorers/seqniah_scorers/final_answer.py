"""The final answer that a response states, as HaystackCraft's released code reads it, and strictly.

Both look for a statement like "The correct answer is (...)", which the prompt asks for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from seqniah_scorers.text import LINE_BREAK, spoken

Profile = Literal["official", "strict"]

MOST_READ = 1_000_000
"""Characters of a response that are read; strictly, the last ones."""

MOST_ANSWER = 1_000
"""Characters of an answer that are read strictly."""

_LEAD = r"The correct answer is\s*:?\s+"
_BRACKET = re.compile(_LEAD + r"\((?!\))", re.IGNORECASE)
_QUOTE = re.compile(_LEAD + r'"(?!")', re.IGNORECASE)
_PLAIN = re.compile(_LEAD + r'([^(^"].*?)(?:\.|$|\n)', re.IGNORECASE)
_OPEN_BRACKET = re.compile(_LEAD + r"\((.+)", re.IGNORECASE)
_OPEN_QUOTE = re.compile(_LEAD + r'"(.+)', re.IGNORECASE)
_REST = (
    re.compile(_LEAD + r"(.+?)(?:\.|$|\n)", re.IGNORECASE),
    re.compile(_LEAD + r"(.+)", re.IGNORECASE),
)
_BLANK = re.compile(r"\s+(?=\s{100})")


def official(response: str) -> str | None:
    """The answer as the released reader finds it, with its faults; None where it finds none.

    The first statement counts, in a thought or a repeated template too; a full stop ends an
    answer, and a bracket is closed by the first one that closes any (`extract_answer` of the
    released code).
    """
    text = response[:MOST_READ].replace("*", "").strip()
    # Of a long blank only the end can matter; each attempt would otherwise go over all of it.
    text = _BLANK.sub("", text)
    for opening, end in ((_BRACKET, ")"), (_QUOTE, '"')):
        found = _closed(text, opening, end)
        if found is not None:
            return found
    if (plain := _PLAIN.search(text)) and (answer := plain[1].strip()):
        return answer
    if open_bracket := _OPEN_BRACKET.search(text):
        return open_bracket[1].strip().rstrip(".").strip()
    if open_quote := _OPEN_QUOTE.search(text):
        return open_quote[1].strip().rstrip('"').rstrip(".").strip()
    for pattern in _REST:
        if rest := pattern.search(text):
            answer = rest[1].strip()
            opened = answer[:1] if answer[:1] in ("(", '"') else ""
            if answer := answer.lstrip(opened).strip() if opened else answer:
                return answer
    return None


def _closed(text: str, opening: re.Pattern[str], end: str) -> str | None:
    """What stands between the first opening that is ever closed, and the end."""
    for found in opening.finditer(text):
        close = text.find(end, found.end())
        if close < 0:
            return None  # and so no later one
        return text[found.end() : close].strip()
    return None


_STATEMENT = re.compile(
    r"\b(?:answer\s{0,9}(?:is|was)|(?:final|correct)\s{1,9}answer|^\W{0,9}answer)"
    r"(?:\s{0,9}[:：=]|(?<=is)|(?<=was))",
    re.IGNORECASE | re.MULTILINE,
)
_TEMPLATE = re.compile(r"\W*(?:insert|your|the)?\s*answer(?:\s+here)?\W*|\W*\.{3}\W*|\W*…\W*", re.I)
_CLOSES = dict(zip("([{\"'“‘「（", ")]}\"'”’」）", strict=True))
_MARKUP = re.compile(r"[*`]+|(?<!\w)_+|_+(?!\w)|\\(?:boxed|text)\b|\$")
_STOP = re.compile(r"[.!?]+(?=[\s)\]\"'”’]|$)|[。！？]")
_ABBREVIATION = re.compile(
    r"(?<!\w)(?:St|Ste|Mt|Mr|Mrs|Ms|Dr|Prof|Gen|Col|Lt|Capt|Sgt|Maj|Adm|Rev|Hon|Gov|Sen|Rep"
    r"|Pres|Jr|Sr|No|Nos|Ft|vs|v|Inc|Ltd|Co|Corp|Bros|Ph|approx|ca|est|etc|e\.g|i\.e|Vol|Op|Ave"
    r"|Rd|Dept|Univ|Jan|Feb|Aug|Sept|Oct|Nov|Dec)$",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"(?:^|[\s(.])[A-Z]$")
_STARTS = re.compile(
    r"\s+(?:The|This|That|These|It|Its|He|She|They|In|As|According|Based|However|Therefore|Thus|So"
    r"|And|But|From|Article|Summary|Note|I|We|You|Both|Since|Because)\b"
)


def strict(response: str) -> str | None:
    """The answer that the response states last, outside thoughts; None where it states none.

    Brackets and quotes are read to their own end; decimals and abbreviations end nothing; the
    template of the prompt, repeated, is no answer.
    """
    text = response[-MOST_READ:]
    text = _MARKUP.sub("", LINE_BREAK.sub("\n", text[spoken(text)]))
    for statement in reversed(list(_STATEMENT.finditer(text))):
        rest = text[statement.end() : statement.end() + MOST_ANSWER].lstrip(" \t\n:：=")
        answer = (_enclosed(rest) or _sentence(rest)).strip().rstrip(".。").strip()
        if any(map(str.isalnum, answer)) and not _TEMPLATE.fullmatch(answer):
            return answer
    return None


def _enclosed(rest: str) -> str:
    """What stands in the brackets or quotes that the text begins with; empty where a word goes on
    behind them, or they do not close on their line."""
    closing = _CLOSES.get(rest[:1])
    if closing is None:
        return ""
    depth = 0
    for place, sign in enumerate(rest.partition("\n")[0]):
        if sign == closing and place and not rest[place + 1 : place + 2].isalnum():
            depth -= 1
        elif sign == rest[0]:
            depth += 1
        if depth == 0:
            goes_on = re.match(r"\s*[\w\-]", rest[place + 1 :].partition("\n")[0])
            return "" if goes_on else rest[1:place]
    return ""


def _sentence(rest: str) -> str:
    """The text up to the end of its line or sentence."""
    line = rest.partition("\n")[0]
    for stop in _STOP.finditer(line):
        before, behind = line[: stop.start()], line[stop.end() :]
        short = stop[0] == "." and behind.strip()
        if short and _ABBREVIATION.search(before):
            continue
        if short and _INITIAL.search(before) and not _STARTS.match(behind):
            continue
        line = before if stop[0] in ".。" else line[: stop.end()]
        break
    unclosed = line[:1] in _CLOSES and _CLOSES[line[:1]] not in line[1:]
    return line[1:] if unclosed else line


READERS: Mapping[Profile, Callable[[str], str | None]] = {"official": official, "strict": strict}
"""Profile -> reader."""
