"""Texts that fit: how wide they are, where they break, what is left out of them.

Widths are those of the widest usual fonts, so that nothing is cut where no other is installed; they
are kept here so that a chart has the same layout on every machine.
"""

from __future__ import annotations

import math
import re
import unicodedata

_LONGEST = 300
"""Characters of a name that a tooltip shows; a model's name may be a path, or an attack."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Per 1,000 of the size, from the space on: of each sign the widest of Helvetica, DejaVu Sans and
# Verdana.
_WIDTHS = (
    "352 401 460 838 636 1076 780 275 454 454 636 838 364 454 364 454 636 636 636 636 636 636 636 "
    "636 636 636 454 454 838 838 838 556 1015 684 686 722 771 667 611 778 752 421 500 693 557 863 "
    "748 787 667 787 722 684 616 732 684 989 685 667 685 454 454 454 838 636 636 613 635 550 635 "
    "615 352 635 634 278 344 592 278 974 634 612 635 635 427 521 394 634 592 818 592 592 525 636 "
    "454 636 838"
)
_WIDTH_OF = {chr(32 + place): int(width) / 1000 for place, width in enumerate(_WIDTHS.split())}
_WIDTH_OF |= {"\u00a0": 0.352, "\u2013": 0.64, "\u2212": 0.838}
_CAPITAL, _OTHER, _SIGN = 1.0, 0.75, 1.0
_BOLD = 1.22
_ROOM = 1.02
"""Where letters are set in whole pixels they are a little wider."""

_WORD = re.compile(r" +|[^ ]+")
_UNIT = re.compile(r" +|[^ /_\-,:]*[/_\-,:]+|[^ /_\-,:]+")


def plain(text: str, most: int = _LONGEST) -> str:
    """Text of one line that every XML reader takes and that changes no text beside it.

    Control characters, half surrogates and marks that turn the direction of writing become U+FFFD.
    """
    return "".join(map(_plain, middle(text, most)))


def _plain(char: str) -> str:
    if char in "\t\n\r\u2028\u2029":
        return " "
    hidden = char in _BIDI or unicodedata.category(char) in {"Cc", "Cs"}
    return "\ufffd" if hidden or ord(char) & 0xFFFE == 0xFFFE else char


def width_of(text: str, size: float, *, bold: bool = False) -> float:
    """How many pixels a text takes, rather too many than too few."""
    return sum(map(_width_of, text)) * size * _ROOM * (_BOLD if bold else 1.0)


def _width_of(char: str) -> float:
    if (known := _WIDTH_OF.get(char)) is not None:
        return known
    if unicodedata.combining(char):
        return 0.0
    # Beyond the alphabets: marks, signs, Chinese.
    if char >= "\u2010":
        return _SIGN
    return _CAPITAL if char.isupper() else _OTHER


def middle(text: str, most: int) -> str:
    """Text cut to `most` characters by leaving out its middle: names differ at their ends."""
    if len(text) <= most:
        return text
    tail = (most - 1) // 2
    return text[: most - 1 - tail].rstrip() + "…" + text[len(text) - tail :].lstrip()


def fit(text: str, width: float, size: float = 11.0, lines: int = 1) -> tuple[str, ...]:
    """Text in at most so many lines of this width, without its middle where it is too long."""
    whole = plain(text)
    if len(wrap(whole, width, size)) <= lines:
        return _even(whole, width, size)
    most, too_many = 1, len(whole)
    while too_many - most > 1:
        tried = (most + too_many) // 2
        if len(wrap(middle(whole, tried), width, size)) <= lines:
            most = tried
        else:
            too_many = tried
    return wrap(middle(whole, most), width, size)[:lines]


def _even(text: str, width: float, size: float) -> tuple[str, ...]:
    """Text in as few lines as this width allows, none much shorter than the others."""
    wrapped = wrap(text, width, size)
    if len(wrapped) == 1:
        return wrapped
    widest = max(width_of(unit.strip(), size) for unit in _units(text, width, size))
    for narrower in range(math.ceil(max(widest, width / len(wrapped))), int(width), 3):
        tried = wrap(text, narrower, size)
        if len(tried) == len(wrapped):
            return tried
    return wrapped


def wrap(text: str, width: float, size: float, *, bold: bool = False) -> tuple[str, ...]:
    """Text in lines, broken at spaces; after marks, and then anywhere, where a word is too long.

    Spaces that do not break stay within a line.
    """
    lines: list[str] = [""]
    for unit in _units(text, width, size, bold):
        if width_of((lines[-1] + unit).strip(), size, bold=bold) <= width:
            lines[-1] += unit
        elif width_of(unit.strip(), size, bold=bold) <= width:
            lines.append(unit)
        else:
            for char in unit:
                if width_of((lines[-1] + char).strip(), size, bold=bold) > width and lines[-1]:
                    lines.append("")
                lines[-1] += char
    return tuple(kept for one in lines if (kept := one.strip())) or ("",)


def _units(text: str, width: float, size: float, bold: bool = False) -> list[str]:
    """What stays together: words, or where one is too long, the parts between their marks."""
    words = _WORD.findall(text)
    fits = all(width_of(word.strip(), size, bold=bold) <= width for word in words)
    return words if fits else _UNIT.findall(text)
