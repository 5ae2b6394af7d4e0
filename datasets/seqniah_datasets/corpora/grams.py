"""A quick proof that a phrase is not in a text.

The text's eight-byte grams at offsets divisible by eight are hashed into a bitmap. Wherever a
phrase stood, its own grams at every eighth offset from one of the eight alignments would all be
marked; if each alignment has an unmarked gram, the phrase is absent. The converse does not hold.
"""

from __future__ import annotations

from struct import Struct

import numpy as np
import numpy.typing as npt

_GRAM = 8
_MULTIPLIER = 0x9E3779B97F4A7C15
"""2^64 divided by the golden ratio: spreads neighbouring values (Fibonacci hashing)."""

_BITS_PER_GRAM = 8
"""At least so many bits a gram, so that a gram that is not there is found marked one time in 8."""

_WIDEST = 27
"""Log of the most bits: beyond some 130 MB of text the proof fails more often."""

_BLOCK = 1 << 20
"""Grams hashed at once."""

_BEGINNING = 48
"""Bytes of a phrase that are looked at: five grams in each alignment leave little to chance."""

_gram_at = Struct("<Q").unpack_from

Bitmap = npt.NDArray[np.uint8]


def bitmap(text: memoryview) -> Bitmap:
    """The grams of a text; its size is a power of two, at most 16 MB."""
    count = len(text) // _GRAM
    width = min(max(10, (count * _BITS_PER_GRAM).bit_length()), _WIDEST)
    marked = np.zeros(1 << width, np.bool_)
    for start in range(0, count, _BLOCK):
        grams = np.frombuffer(text, "<u8", min(_BLOCK, count - start), start * _GRAM)
        marked[(grams * np.uint64(_MULTIPLIER)) >> np.uint64(64 - width)] = True
    return np.packbits(marked)


def is_absent(phrase: bytes, marks: memoryview) -> bool:
    """Whether the phrase is surely not in the text of a bitmap; False: it may be."""
    # A phrase is absent where its beginning is. The first gram of an alignment mostly decides.
    last = min(len(phrase), _BEGINNING) - _GRAM
    shift = 64 - (len(marks) * 8 - 1).bit_length()
    for alignment in range(_GRAM):
        for start in range(alignment, last + 1, _GRAM):
            spot = ((_gram_at(phrase, start)[0] * _MULTIPLIER) & 0xFFFF_FFFF_FFFF_FFFF) >> shift
            if not marks[spot >> 3] & (0x80 >> (spot & 7)):
                break
        else:
            return False
    return True
