"""Sentence ends in English, Chinese and mixed UTF-8 text, as byte offsets.

Made for placing passages between sentences, so a false end costs more than a missed one: every
rule below answers "no" when the text can be read both ways. The terminators are found by
vectorised byte comparisons, and all rules then run on arrays with one element a terminator.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from string import ascii_letters, ascii_uppercase, digits
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

Text: TypeAlias = "bytes | bytearray | memoryview | npt.NDArray[np.uint8]"
_Bytes: TypeAlias = npt.NDArray[np.uint8]
_Ints: TypeAlias = npt.NDArray[np.int64]
_Flags: TypeAlias = npt.NDArray[np.uint16]
_Mask: TypeAlias = npt.NDArray[np.bool_]

# No rule looks further than the margin from a terminator (the limits add up to less than 200
# bytes), so blocks with this much of their neighbours give the same answer as the whole text.
_MARGIN = 256
_RUN_BYTES, _CLOSERS, _SPACES, _OPENERS, _LINE = 24, 4, 24, 2, 24

# Properties of characters; one character may have several.
_UPPER, _LOWER, _DIGIT, _HAN, _IDEOGRAPH, _SPACE, _BREAK = (1 << i for i in range(7))
_OPENER, _CLOSER, _CURLY, _EITHER, _ASIDE, _BULLET, _SPEECH, _STICKY = (
    1 << i for i in range(7, 15)
)
_CHARACTERS = {
    _SPACE: "\t\n\v\f\r \x85\xa0\u2002\u2003\u2009\u200a\u2028\u2029\u202f\u3000",
    _BREAK: "\n\f\x85\u2028\u2029",
    _OPENER: "([{\"'_*“‘„«‹「『〈《【（［〔｛",
    _CLOSER: ")]}\"'_*”’»›」』〉》】）］〕｝＂＇",
    _CURLY: "“‘",
    _EITHER: "\"'_*",
    _ASIDE: "([{_*（［〔｛",
    _BULLET: "-*+>#|•",
    _SPEECH: "道说曰问答叹笑骂",
    _STICKY: "的地得之等与及或和云",
}
_WIDE_TERMINATORS = ((0xE3, 0x80, (0x82,)), (0xEF, 0xBC, (0x81, 0x9F)), (0xE2, 0x80, (0xA6,)))


def _character_table() -> _Flags:
    table = np.zeros(0x10000, np.uint16)
    for point, char in enumerate(map(chr, range(0x600))):
        table[point] = _UPPER * char.isupper() | _LOWER * char.islower() | _DIGIT * char.isdecimal()
    table[0x3041:0x3100] = table[0x3400:0xA000] = table[0xAC00:0xD7A4] = _HAN
    table[0x4E00:0x9FA6] |= _IDEOGRAPH
    for flag, chars in _CHARACTERS.items():
        table[[ord(char) for char in chars]] |= flag
    return table


def _bytes_in(chars: str) -> _Mask:
    return np.isin(np.arange(256), np.frombuffer(chars.encode("latin-1"), np.uint8))


def _keys(words: str, align: str) -> _Ints:
    """Words packed into integers, aligned as the windows below."""
    pad = f"{{:\0{align}8}}"
    packed = b"".join(pad.format(word).encode() for word in words.split())
    return np.unique(np.frombuffer(packed, np.int64))


_FLAGS = _character_table()
_CAPITALS, _ALNUM = _bytes_in(ascii_uppercase), _bytes_in(ascii_letters + digits)
_HIGH = np.arange(256) >= 0x80
_ROMAN, _VOWELS = _bytes_in("IVXLCDMivxlcdm"), _bytes_in("aeiouyAEIOUY" + digits) | _HIGH
# What a sentence may end in, and what may follow its terminator; the rest is code or numbers.
_LAST = _ALNUM | _HIGH | _bytes_in(")]}\"'%*_$+->`")
_NEXT = _bytes_in(" \t\r\n\v\f)]}\"'_*") | _HIGH
_LISTING = _bytes_in(".:;,?!")
_WIDTH = np.select([np.arange(256) < 0xC0, np.arange(256) < 0xE0], [1, 2], 3)
_WORDS = tomllib.loads((files("seqniah_datasets") / "segment.toml").read_text("utf-8"))
_TITLE_KEYS = _keys(_WORDS["titles"], ">")
_SHORT_KEYS = _keys(_WORDS["titles"] + " " + _WORDS["short"], ">")
_STARTER_KEYS = _keys(_WORDS["starters"], "<")


class Segmentation(NamedTuple):
    """Both kinds of offsets, each strictly increasing."""

    ends: _Ints  # just after each sentence, its closing quotes and brackets included
    anchors: _Ints  # just before the terminators that directly follow a letter or digit


class _Sites(NamedTuple):
    start: _Ints  # of a run of terminators
    stop: _Ints
    end: _Ints  # after the closers
    next: _Ints  # after the white space that follows
    before: _Flags  # of the character before `start`
    closed: _Flags  # of all closers together
    after: _Flags  # of the character at `next`
    breaks: _Ints  # line breaks in the white space, counted up to two


def segment(text: Text, *, block: int = 1 << 21) -> Segmentation:
    """Find the sentence ends of `text`, any bytes; `block` bounds memory and changes no result."""
    data = text if isinstance(text, np.ndarray) else np.frombuffer(text, dtype=np.uint8)
    if data.dtype != np.uint8 or data.ndim != 1:
        raise TypeError(f"text must be bytes or a 1-d uint8 array, not {data.ndim}-d {data.dtype}")
    parts = [_block(data, i, min(i + block, data.size)) for i in range(0, data.size or 1, block)]
    return Segmentation(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _block(data: _Bytes, start: int, stop: int) -> tuple[_Ints, _Ints]:
    # Line breaks stand for what is outside the text: its start and end are those of paragraphs.
    view = np.full(stop - start + 2 * _MARGIN, ord("\n"), np.uint8)
    low, high, shift = max(start - _MARGIN, 0), min(stop + _MARGIN, data.size), _MARGIN - start
    view[low + shift : high + shift] = data[low:high]
    s = _sites(view)
    good = _verdict(view, s)
    safe = good & (_has(s.before, _IDEOGRAPH) | _ALNUM.take(view.take(s.start - 1)))
    return s.end[good] - shift, s.start[safe] - shift


def _sites(view: _Bytes) -> _Sites:
    start, stop = _runs(view)
    wide = view.take(start - 1) >= 0x80  # by two bytes or three; four get no flags
    before = _flags(view, start - 1 - wide - (wide & (view.take(start - 2) < 0xC0)))
    # After a space or an opening quote there is no sentence for the terminator to end.
    fit = _LAST.take(view.take(start - 1)) & ~_has(before, _SPACE)
    fit &= ~_has(before, _OPENER) | _has(before, _CLOSER)
    # Full stops inside numbers and names go here, before the costlier steps.
    fit &= _NEXT.take(view.take(stop)) | _HIGH.take(view.take(stop - 1))
    start, stop, before = start[fit], stop[fit], before[fit]
    end, _, closed, _ = _skip(view, stop, _CLOSER, _CLOSERS)
    following, after, _, breaks = _skip(view, end, _SPACE, _SPACES)
    return _Sites(start, stop, end, following, before, closed, after, breaks)


def _runs(view: _Bytes) -> tuple[_Ints, _Ints]:
    """Starts and stops of the runs of terminators that start between the margins."""
    one, two, three = view[:-2], view[1:-1], view[2:]
    found = (one == ord(".")) | (one == ord("!")) | (one == ord("?"))
    for lead, middle, lasts in _WIDE_TERMINATORS:
        leads = one == lead
        if leads.any():  # English text has next to none of these
            found |= leads & (two == middle) & ((three == lasts[0]) | (three == lasts[-1]))
    first = np.flatnonzero(found)
    stop = first + np.where(view.take(first) < 0x80, 1, 3)
    fresh = first != np.append(-1, stop)[:-1]
    first, stop = first[fresh], stop[np.append(fresh, True)[1:]]
    inner = (first >= _MARGIN) & (first < view.size - _MARGIN) & (stop - first <= _RUN_BYTES)
    return first[inner], stop[inner]


def _flags(view: _Bytes, at: _Ints) -> _Flags:
    flags = _FLAGS.take(view.take(at))
    wide = np.flatnonzero(view.take(at) >= 0x80)
    if wide.size:
        a, b, c = (view.take(at[wide] + i).astype(np.int32) for i in range(3))
        two, tail = a < 0xE0, (b & 0xC0 == 0x80) & ((a < 0xE0) | (c & 0xC0 == 0x80))
        point = np.where(two, (a & 31) << 6 | b & 63, (a & 15) << 12 | (b & 63) << 6 | c & 63)
        flags[wide] = _FLAGS.take(np.where(tail & (a >= 0xC2) & (a < 0xF0), point, 0))
        flags[wide[(a == 0xF0) & (b >= 0xA0) & (b <= 0xB3)]] = _HAN
    return flags


def _skip(view: _Bytes, at: _Ints, wanted: int, limit: int) -> tuple[_Ints, _Flags, _Flags, _Ints]:
    """Pass `wanted` characters: new positions, flags there, flags passed, line breaks passed."""
    at, flags = at.copy(), _flags(view, at)
    seen, breaks = np.zeros_like(flags), np.zeros_like(at)
    live = np.flatnonzero(_has(flags, wanted))
    for _ in range(limit if live.size else 0):
        seen[live] |= flags[live]
        breaks[live] += _has(flags[live], _BREAK)
        at[live] += _WIDTH.take(view.take(at[live]))
        flags[live] = _flags(view, at[live])
        live = live[_has(flags[live], wanted) & (breaks[live] < 2)]
    return at, flags, seen, breaks


def _verdict(view: _Bytes, s: _Sites) -> _Mask:
    """Which sites end a sentence."""
    last, size = view.take(s.stop - 1), s.stop - s.start
    dot, circle, han = last == ord("."), last == 0x82, _has(s.before, _HAN)
    ellipsis = (dot & (size > 1)) | (circle & (size > 3) & (view.take(s.stop - 4) == 0x82))
    ellipsis |= last == 0xA6
    strong = ~(dot | circle | ellipsis)
    chinese = circle | (strong & ((last >= 0x80) | han))
    good: _Mask = (s.breaks > 1) | (ellipsis & (s.breaks > 0) & han)
    rest = ~ellipsis & (s.breaks < 2)
    good |= rest & chinese & _chinese(s, strong)
    index = np.flatnonzero(rest & ~chinese & (s.next > s.end))
    good[index] = _english(view, _Sites._make(field[index] for field in s), strong[index])
    index = np.flatnonzero(good & dot & (size == 1))
    good[index] = ~_abbreviated(view, _Sites._make(field[index] for field in s))
    return good


def _chinese(s: _Sites, strong: _Mask) -> _Mask:
    """Whether a new sentence follows a Chinese terminator."""
    shut = s.closed != 0
    # ？”他说 goes on, and so does 。”的; after ？” only a new quotation is a new sentence.
    quotation = _has(s.after, _OPENER) & ~_has(s.after, _EITHER | _ASIDE)
    starts = _has(s.after, _UPPER | _LOWER | _DIGIT | _HAN | _OPENER)
    starts &= ~shut | np.where(strong, quotation, ~_has(s.after, _STICKY))
    # Some editions type “ for ”, and 说道。” for 说道：“, so these are no evidence.
    unsure = shut & (_has(s.closed, _EITHER) | _has(s.before, _SPEECH))
    unsure |= ~shut & _has(s.after, _CURLY)
    return np.asarray((s.breaks > 0) | (starts & ~(unsure & (s.next == s.end))), np.bool_)


def _english(view: _Bytes, s: _Sites, strong: _Mask) -> _Mask:
    """Whether a new sentence follows an ASCII terminator and white space."""
    head, quoted = s.after.copy(), np.flatnonzero(_has(s.after, _OPENER))
    head[quoted] = _skip(view, s.next[quoted], _OPENER, _OPENERS)[1]
    starts = _has(head, _UPPER | _DIGIT | _HAN)
    # "Why?" Peter asked goes on, "Why?" The others left does not.
    quotation = _has(s.after, _OPENER) & ~_has(s.after, _ASIDE)
    asked = np.flatnonzero(strong & (s.closed != 0) & ~quotation)
    word = view[s.next[asked][:, None] + np.arange(8)]
    first = np.logical_and.accumulate(_ALNUM.take(word), axis=1)
    starts[asked] = _known(_pack(word, first), _STARTER_KEYS)
    item = np.flatnonzero(_has(s.after, _BULLET) & (s.breaks > 0))
    starts[item] |= _has(_flags(view, s.next[item] + 1), _SPACE)
    # A short word before a number may be any abbreviation: "No. 5", "p. 5".
    number = np.flatnonzero(~strong & _has(head, _DIGIT))
    length = _word_before(view, s.start[number])[2]
    starts[number] &= (length > 4) & ~_has(s.before[number], _DIGIT)
    return starts


def _abbreviated(view: _Bytes, s: _Sites) -> _Mask:
    """Whether a full stop belongs to its word: an abbreviation, an initial or a label."""
    window, inside, length = _word_before(view, s.start)
    key, capital = _pack(window, inside), _CAPITALS.take(window[:, -1])
    letter = (length > 0) & ~_has(s.before, _DIGIT)
    # The last letter of "don't" is no initial.
    joined = (window[:, -2] == ord("'")) & _ALNUM.take(window[:, -3])
    initial = letter & (length == 1) & ~joined & (window[:, -2] != 0x99)
    roman = letter & (_pack(~_ROMAN.take(window), inside) == 0)
    # Words without a vowel (Mr, Ltd, hrs) need no list; in capitals (HTML) they are words.
    silent = letter & (length > 1) & ~capital & (_pack(_VOWELS.take(window), inside) == 0)
    short = initial | silent | (roman & capital) | _known(key, _SHORT_KEYS)
    tied: _Mask = short & ((s.breaks < 2) | _known(key, _TITLE_KEYS))
    label = np.flatnonzero(_has(s.before, _DIGIT) | initial | roman)
    tied[label] |= _labelled(view, s.start[label], length[label])
    return tied


def _labelled(view: _Bytes, at: _Ints, length: _Ints) -> _Mask:
    """Whether a number or letter is a label: "1. First", "Chapter IV. Peace", "; 2. Then"."""
    window = view[at[:, None] + np.arange(-_LINE, 0)]
    broken = window == ord("\n")
    inside = ~np.logical_or.accumulate(broken[:, ::-1], axis=1)[:, ::-1]
    word = inside & (window > ord(" "))
    words = word[:, 0] + (word[:, 1:] & ~word[:, :-1]).sum(axis=1)
    listed = _LISTING.take(view.take(at - length - 2)) & (view.take(at - length - 1) == ord(" "))
    return np.asarray((broken.any(axis=1) & (words < 3)) | (listed & (length < 4)), np.bool_)


def _word_before(view: _Bytes, at: _Ints) -> tuple[_Bytes, _Mask, _Ints]:
    """The eight bytes before `at`, which of them are its last word, and how many these are."""
    window = view[at[:, None] + np.arange(-9, 0)]
    # Accented Latin letters have a lead byte below E0; typographic quotes have not.
    lead = (window >= 0xC3) & (window < 0xE0)
    word = (_ALNUM.take(window) | lead)[:, 1:]
    word |= (window[:, 1:] >= 0x80) & (window[:, 1:] < 0xC0) & lead[:, :-1]
    inside = np.logical_and.accumulate(word[:, ::-1], axis=1)[:, ::-1]
    return window[:, 1:], inside, np.bitwise_count(_pack(inside, inside)).astype(np.int64)


def _pack(rows: npt.NDArray[np.generic], inside: _Mask) -> _Ints:
    """Rows of eight bytes as integers, with zeros for what is not `inside`."""
    return np.ascontiguousarray(rows.view(np.uint8) * inside).view(np.int64)[:, 0]


def _known(keys: _Ints, table: _Ints) -> _Mask:
    return np.asarray(table.take(np.searchsorted(table, keys), mode="clip") == keys, np.bool_)


def _has(flags: _Flags, wanted: int) -> _Mask:
    return np.asarray(flags & wanted, np.bool_)
