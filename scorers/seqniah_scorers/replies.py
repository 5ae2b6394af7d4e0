"""A judge's reply as a label: read with patience, and never guessed.

What cannot be read for certain has no label and says why. A response may hold verdicts of its own
and a judge may quote them, so only the judge's own JSON counts, and of that the top level.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from seqniah_scorers.text import THINKING, THOUGHT
from seqniah_scorers.verdict import Case

LABELS = {"en": ("correct", "incorrect"), "zh": ("正确", "错误")}
"""The words for right and wrong in each language; a reply may use those of the other one."""

MOST_READ = 1_000_000
"""Characters of a reply that are read; a longer one is no verdict."""

FIELDS = ("order_analysis", "eval_analysis", "eval_label")

_WORDS = {
    **dict.fromkeys(("correct", "正确", "正確"), True),
    **dict.fromkeys(("incorrect", "错误", "錯誤", "不正确", "不正確"), False),
}
_TRIES = 200
"""Places where an object may begin that are tried; a verdict stands at one of the last."""

_OPENING = re.compile(r"""\{\s{0,50}(?:["'“”‘’「`]|\w|\})""")
_OURS = re.compile(rf"""\{{\s{{0,50}}["'“”‘’「`]?(?:{"|".join(FIELDS)})\b""")
_ANCHORED = re.compile(
    r"""(?<![\w\\])["'“”‘’「`*]{0,3}eval_label["'“”‘’」`*]{0,3}\s{0,20}[:：=]\s{0,20}["'“”‘’「`*]{0,3}"""
    r"""(correct|incorrect|正确|正確|不正确|不正確|错误|錯誤)(?![\w\\])"""
    # "correct or incorrect" is what the prompt says, not what the judge does.
    r"""(?!["'“”‘’」`*]{0,3}\s{0,20}(?:or\b|或|\||/|，|,\s{0,20}["'“]?(?:correct|incorrect)\b))""",
    re.IGNORECASE,
)
_ANY_LABEL = re.compile(
    r"""(?<!\w)["'“”‘’「`*]{0,3}eval_label["'“”‘’」`*]{0,3}\s{0,20}[:：=]""", re.IGNORECASE
)
HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\ufff9-\ufffb\U000e0000-\U000e0fff"
)
"""What a judge is not shown, as a class of characters: controls, bidirectional overrides,
zero-width and tag characters. Letters that need a joiner lose nothing that a verdict hangs on."""

_SPACE = re.compile(rf"[\s{HIDDEN}]+")
_NOT_LETTER = re.compile(r"\W+")
_DECODER = json.JSONDecoder(strict=False, object_pairs_hook=tuple)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge replied."""

    label: bool | None
    """Right or wrong; None: the reply says neither for certain."""
    order_analysis: str
    """Whether the question demands an order, in the judge's words; empty where it says nothing."""
    eval_analysis: str
    """Why, in the judge's words."""
    problem: str
    """Why there is no label, as a sentence; empty where there is one."""


_Fields = tuple[tuple[str, object], ...]
"""A JSON object as it was written, double names included."""


def _values(fields: _Fields, name: str) -> list[object]:
    return [value for key, value in fields if key.strip().casefold() == name]


def _text(fields: _Fields, name: str) -> str:
    found = _values(fields, name)
    return found[-1] if found and isinstance(found[-1], str) else ""


@dataclass(frozen=True, slots=True)
class _Found:
    """One object at the top level of a reply."""

    start: int
    end: int
    fields: _Fields


def read(reply: str, case: Case, *, cut_off: bool = False) -> Reply:
    """The label of a reply, if it has one for certain; `cut_off`: its end is missing."""
    if not reply.strip():
        return _unread("The judge's reply is empty.")
    if len(reply) > MOST_READ:
        return _unread(f"The judge's reply has {len(reply):,} characters.")
    text = _after_thoughts(reply)
    if text is None:
        return _unread("The judge's reply ends within its thoughts.")
    found, broken = _objects(text)
    if broken is not None:
        # A verdict that is no JSON: its tail may quote others, so only its own last field counts.
        return _anchored(text[broken:], case, cut_off)
    own = [one for one in found if _values(one.fields, "eval_label")]
    if not own:
        return _anchored(_without(text, found), case, cut_off)
    echoes = _Echoes(case)
    of_judge = [one for one in own if not echoes.holds(text[one.start : one.end])]
    if not of_judge:
        return _unread("The judge's reply has no verdict but one that stands in the answer.")
    last = of_judge[-1]
    if cut_off and text[last.end :].strip():
        return _unread("The judge's reply breaks off before its end.")
    return _checked(last.fields, text[last.end :] if last is own[-1] else "")


def _checked(fields: _Fields, after: str) -> Reply:
    """The label of an object, unless it or what follows it says otherwise."""
    labels = {_word(value) for value in _values(fields, "eval_label")}
    if len(labels) > 1:
        return _unread("The judge's verdict has two labels.")
    label = labels.pop()
    if label is None:
        return _unread("The judge's verdict has a label that is neither correct nor incorrect.")
    if any(_WORDS[found[1].casefold()] is not label for found in _ANCHORED.finditer(after)):
        return _unread("The judge's reply has two verdicts that disagree.")
    return Reply(label, _text(fields, "order_analysis"), _text(fields, "eval_analysis"), "")


def _word(value: object) -> bool | None:
    if not isinstance(value, str) or len(value) > 50:
        return None
    return _WORDS.get(value.strip(" \t\r\n.。!！*`\"'“”‘’「」").casefold())


def _after_thoughts(reply: str) -> str | None:
    """The reply behind its passages of thought; None if it never comes out of one."""
    place, ours = 0, _OURS.search(reply)
    while opened := THINKING.search(reply, place):
        if ours and ours.start() < place:
            ours = _OURS.search(reply, place)
        if ours and ours.start() < opened.start():
            break  # a verdict that speaks of such a tag
        closed = THOUGHT.search(reply, opened.end())
        if closed is None:
            return None
        place = closed.end()
    # Some servers leave out the opening tag.
    ours = _OURS.search(reply, place)
    for closed in THOUGHT.finditer(reply, place, ours.start() if ours else len(reply)):
        place = closed.end()
    return reply[place:]


def _objects(text: str) -> tuple[list[_Found], int | None]:
    """The JSON objects at the top level; and from where on it is no JSON, though it should be."""
    found: list[_Found] = []
    place, tries = 0, 0
    while tries < _TRIES and (opening := _OPENING.search(text, place)):
        tries += 1
        start = opening.start()
        parsed = _parsed(text, start)
        if parsed is not None:
            found.append(parsed)
            place = parsed.end
        elif _OURS.match(text, start):
            return found, start
        else:
            place = start + 1
    return found, place if tries == _TRIES else None


def _parsed(text: str, start: int) -> _Found | None:
    try:
        fields, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _mended(text, start)
    return _Found(start, end, fields) if isinstance(fields, tuple) else None


_QUOTED = (
    r"""(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[“”](?:[^“”\\]|\\.)*[“”]|[‘’](?:[^‘’\\]|\\.)*[‘’])"""
)
_NAME = rf"""(?:["'“”‘’]?(?:{"|".join(FIELDS)})["'“”‘’]?)"""
_FIELD = re.compile(
    rf"\s*({_NAME})\s*[:：]\s*({_QUOTED}|[A-Za-z\u4e00-\u9fff]+)\s*(?:[,，;]|(?=\}}))", re.DOTALL
)


def _mended(text: str, start: int) -> _Found | None:
    """A flat object of our fields with trailing commas, single, smart or no quotes."""
    fields: list[tuple[str, object]] = []
    place = start + 1
    while field := _FIELD.match(text, place):
        name, value = field[1].strip("\"'“”‘’"), field[2]
        if value[0] in "\"'“”‘’":
            value = re.sub(r"\\(.)", r"\1", value[1:-1].replace("\\n", "\n"))
        fields.append((name, value))
        place = field.end()
    closing = re.compile(r"\s*\}").match(text, place)
    return _Found(start, closing.end(), tuple(fields)) if fields and closing else None


def _without(text: str, found: list[_Found]) -> str:
    parts, place = [], 0
    for one in found:
        parts.append(text[place : one.start])
        place = one.end
    return " ".join([*parts, text[place:]])


def _anchored(text: str, case: Case, cut_off: bool) -> Reply:
    """The label after the last `eval_label`, where there is no JSON to read it from."""
    if cut_off:
        return _unread("The judge's reply breaks off before its verdict.")
    found = list(_ANCHORED.finditer(text))
    if not found:
        return _unread("The judge's reply has no verdict.")
    last = found[-1]
    if _ANY_LABEL.search(text, last.end()):
        return _unread("The judge's reply ends with a label that is neither correct nor incorrect.")
    labels = {_WORDS[one[1].casefold()] for one in found}
    if len(labels) > 1 and "}" in text[found[0].end() : last.start()]:
        return _unread("The judge's reply has two verdicts that disagree.")
    if _Echoes(case, _NOT_LETTER).holds(last[0]):
        return _unread("The judge's reply has no verdict but one that stands in the answer.")
    analysis = text[: last.start()].strip(" \t\r\n{},\"'`")
    return Reply(_WORDS[last[1].casefold()], "", analysis, "")


class _Echoes:
    """What a response says, apart from what does not count: a judge's quotation is no verdict."""

    def __init__(self, case: Case, apart_from: re.Pattern[str] = _SPACE) -> None:
        self._apart_from = apart_from
        self._text = apart_from.sub("", case.response) if "eval_label" in case.response else ""

    def holds(self, text: str) -> bool:
        return bool(self._text) and self._apart_from.sub("", text) in self._text


def _unread(problem: str) -> Reply:
    return Reply(None, "", "", problem)
