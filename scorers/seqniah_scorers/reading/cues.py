"""Wordings that tell what a line is for: final list, remark, placeholder, refusal, title."""

from __future__ import annotations

import re

from seqniah_scorers import authored

cue = authored.patterns("reading/cues.toml")
opens_final_list = cue("final").search
announces = cue("announces").search
"""Whether words before a colon say what kind of thing follows, rather than a part of it."""
is_note = cue("note").match
"""Whether a list item is labelled as a remark."""
closes_answer = cue("closing").match
"""Whether the text comments on the list as a whole instead of adding to it."""

_REMARKS = cue("remarks")
_LABEL, _NUMBERED_LABEL = map(cue, ("label", "numbered_label"))
_PLACEHOLDER, _EXCLUDED, _REFUSAL = map(cue, ("placeholder", "excluded", "refusal"))
_TITLE, _TITLE_ZH = map(cue, ("title", "title_zh"))
_EXCLUSION_ROOT, _LABELLED_PLACEHOLDER = map(cue, ("exclusion_root", "labelled_placeholder"))
_LABEL_WORDS = 4
"""Words of a label at most; more of them tell the step, of which then only a detail is missing."""
_REST = " \t:;,.-\u2013\u2014'\""
_SENTENCE_END = re.compile(r"[.!?。!?](?:\s|$)|[。]")


def opens_remarks(line: str) -> bool:
    return bool(_REMARKS.match(line) or (closes_answer(line) and not opens_final_list(line)))


def is_placeholder(text: str) -> bool:
    """Whether an item only says that there is nothing to say."""
    if len(text) > 400:
        return False
    if not _PLACEHOLDER.match(text):
        return _names_only(text)
    first = _SENTENCE_END.split(text, maxsplit=1)[0]
    return bool(_PLACEHOLDER.match(first))


def _names_only(text: str) -> bool:
    """Whether an item only names a thing of which the answer then says that nothing is said."""
    match = _LABELLED_PLACEHOLDER.match(text)
    if match is None:
        return False
    label, rest = match["label"], match["rest"]
    short = label.count(" ") < _LABEL_WORDS if label.isascii() else len(label) <= 2 * _LABEL_WORDS
    told = text[match.end("label") : match.start("rest")]
    if "的" in rest[:6] and "文" not in told:  # "Review: those handed in without proof go back"
        return False
    return short and not re.search(r"[.;。]\s*\w", rest)


def is_excluded(text: str) -> bool:
    """Whether an item is named in order to leave it out."""
    if len(text) > 1000 or not _EXCLUSION_ROOT.search(text):
        return False
    return bool(_EXCLUDED.search(text))


def is_refusal(text: str) -> bool:
    return bool(_REFUSAL.search(text[:4000]))


def without_label(text: str) -> str:
    """The text without a field name such as "Event:" in front."""
    if ":" in text and (match := _LABEL.match(text)):
        return text[match.end() :]
    return "" if len(text) < 20 and _NUMBERED_LABEL.fullmatch(text) else text


def is_title(text: str) -> bool:
    """Whether the text is nothing but a record's title."""
    return len(text) < 80 and bool(text) and not without_title(text, whole=True)


def without_title(text: str, whole: bool = False) -> str:
    """The text without a record's title in front; `whole`: only if nothing else is there."""
    match = _TITLE.match(text)
    if match is None and not text.isascii():
        match = _TITLE_ZH.match(text)
    if match is None:
        return text
    rest = text[match.end() :]
    bare = rest.strip(_REST)
    if whole:
        return bare
    # "Diary of Ann Lee: I swam" has a title; "Record of Ann Lee shows that" has none.
    return rest.lstrip(_REST) if not bare or rest[0] in ":,;-" or rest.startswith(" :") else text
