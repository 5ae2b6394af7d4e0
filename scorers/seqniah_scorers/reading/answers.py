"""An answer in free form, read as the list of items that it states."""

from __future__ import annotations

from seqniah_scorers.reading.assemble import (
    final_list,
    final_text,
    steps_under_headings,
    with_prose,
)
from seqniah_scorers.reading.cues import is_excluded, is_placeholder
from seqniah_scorers.reading.items import Item
from seqniah_scorers.reading.lines import read_lines
from seqniah_scorers.reading.reader import Reader
from seqniah_scorers.reading.remarks import without_remarks

__all__ = ["Item", "parse"]


def parse(response: str, trusted: bool = False) -> list[Item]:
    """Read the items; headings, preamble, closing remarks and "not mentioned" are none.

    A trusted text, that is a reference, has none of these below its first line, so there no
    item is taken for one.
    """
    reader = Reader(trusted)
    for line in read_lines(response):
        reader.read(line)
    reader.finish()
    if trusted and reader.items:
        return reader.items
    items = steps_under_headings(reader.items, reader.headings)
    told = final_text(items, reader.prose, reader.finals)
    if told:
        return told
    items = without_remarks(final_list(items, reader.finals))
    kept = [i for i in items if not is_placeholder(i.text) and not is_excluded(i.text)]
    if not kept or reader.prose:
        final = [] if items else reader.prose[reader.prose_final :]
        kept = with_prose(kept, final or reader.prose, bool(items))
    return kept
