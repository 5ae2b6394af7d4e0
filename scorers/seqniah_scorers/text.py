"""Text made plain: one form for width, case, markup and invisible characters."""

from __future__ import annotations

import re
import unicodedata

MAX_CHARS = 200_000
"""Longer texts are read up to here: no real answer comes near, and a hostile one must end."""

_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
)
LINE_BREAK = re.compile("\r\n?|[\n\x85\u2028\u2029]")
_OTHER_BREAK = re.compile("[\r\x85\u2028\u2029]")
_CIRCLED = re.compile("[\u2460-\u2473\u2776-\u277f]")
_STARS = re.compile(r"\*{1,3}(?=[^\s*])|(?<=[^\s*])\*{1,3}")
_UNDERSCORES = re.compile(r"(?<!\w)_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?!\w)")
_LATEX = re.compile(
    r"\\(?:text|textbf|mathrm|boxed|mathbf)\{|\\[\[\]()]|\$\$|(?<=\S)\}(?=\s*\$|\s*$)"
)
_TAG = re.compile(r"</?(?:b|i|u|em|strong|br|p|li|ul|ol|span|td|tr|div)\s?/?>", re.IGNORECASE)
_CJK = re.compile("[\u3400-\u9fff]")
_NOT_WORD = re.compile(r"[\W_]+")
THINKING = re.compile(r"<(?:think|thinking|reasoning)>", re.IGNORECASE)
THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>", re.IGNORECASE)
_PLAIN = dict(zip("\u2018\u2019\u201c\u201d\u2010\u2011\u2212\u3000", "''\"\"--- ", strict=True))
_FANCY = re.compile(f"[{''.join(_PLAIN)}]")


def spoken(text: str) -> slice:
    """Where the answer stands: behind the last thought that ends, before one that does not."""
    start = 0
    for closed in THOUGHT.finditer(text):
        start = closed.end()
    opened = THINKING.search(text, start)
    return slice(start, opened.start() if opened else len(text))


def plain(text: str) -> str:
    """Fold width and compatibility forms and drop invisible characters; lines stay lines."""
    text = text[:MAX_CHARS]
    if _OTHER_BREAK.search(text):
        text = LINE_BREAK.sub("\n", text)
    if not text.isascii():
        # A circled number is a list marker; NFKC alone would glue its digit to the text.
        text = _CIRCLED.sub(lambda m: f"{unicodedata.digit(m.group(), 0) or 10}. ", text)
        text = unicodedata.normalize("NFKC", text)[: 2 * MAX_CHARS]
        text = _FANCY.sub(lambda m: _PLAIN[m.group()], text)
    # The common case costs one pass in C: printable text hides nothing but emoji selectors.
    if text.replace("\n", "").isprintable() and "\ufe0f" not in text:
        return text
    return _INVISIBLE.sub("", text)


def unread(text: str) -> bool:
    """Whether anything stands behind the limits up to which `plain` reads."""
    if text[MAX_CHARS:].strip():
        return True
    # One character can stand for up to 18 others, so that folding may run over its own limit.
    if text.isascii() or 18 * len(text) <= 2 * MAX_CHARS:
        return False
    return len(unicodedata.normalize("NFKC", text[:MAX_CHARS])) > 2 * MAX_CHARS


def strip_markup(line: str) -> str:
    """Take emphasis, code ticks, common tags and LaTeX wrappers off one plain line."""
    if "*" in line:
        line = _STARS.sub("", line)
    if "_" in line:
        line = _UNDERSCORES.sub("", line)
    if "`" in line or "~~" in line:
        line = line.replace("`", "").replace("~~", "")
    if "<" in line:
        line = _TAG.sub(" ", line)
    if "\\" in line or "$" in line:
        line = _LATEX.sub("", line)
    return line


def fold(text: str) -> str:
    """The text as a key for "the same words": case, punctuation and spacing do not count."""
    return _NOT_WORD.sub(" ", text.casefold()).strip()


def has_cjk(text: str) -> bool:
    return not text.isascii() and bool(_CJK.search(text))


def is_cjk(char: str) -> bool:
    return "\u3400" <= char <= "\u9fff"
