"""One subtle fault in an answer that is right otherwise: the tables of them."""

from __future__ import annotations

from seqniah_scorers.making.fault import Maker
from seqniah_scorers.making.item_faults import (
    added,
    borrowed,
    cut_short,
    dropped,
    exchanged,
    misplaced,
    placeholder,
    repeated,
    shifted,
)
from seqniah_scorers.making.word_faults import added_alike, negated, third_party, turned, word

_WORDS = {kind: word(kind) for kind in ("number", "person", "place", "opposite", "colour")}
_DATES = {f"{unit} shifted": shifted(unit) for unit in ("day", "month", "year")}
_ALL: dict[str, Maker] = {
    "look-alike dropped": dropped,
    "item repeated": repeated,
    "item added": added,
    "not mentioned": placeholder,
    "cut short": cut_short,
    "negation": negated,
    "order": misplaced,
}
_EVENTS: dict[str, Maker] = {
    **_DATES,
    "contents exchanged": exchanged,
    "neighbour's content": borrowed,
}
DIARY_FAULTS: dict[str, Maker] = {
    **_ALL,
    **_EVENTS,
    **_WORDS,
    "time of day": word("time of day"),
    "look-alike added": added_alike,
}
EVENT_FAULTS: dict[str, Maker] = {
    **_ALL,
    **_EVENTS,
    "sides exchanged": turned,
    "third party": third_party,
}
STEP_FAULTS: dict[str, Maker] = {
    **_ALL,
    **{kind: _WORDS[kind] for kind in ("number", "opposite", "colour")},
}
