"""Whether an item copies its reference, apart from what it leaves out and what it comments."""

from __future__ import annotations

import re

from seqniah_scorers.comparing.align import Entry, without_author
from seqniah_scorers.comparing.facts import TOKEN, FactReader, base_form
from seqniah_scorers.comparing.wording import uncommented

_CLAUSE = re.compile("[，,；;]")
COPIED = 0.8
"""Share of kept words from which an item copies its source rather than retells it."""


def exactly(ref: Entry, ans: Entry, known: frozenset[str], commented: bool) -> bool:
    """Whether the item says what the reference says in its order; a comment may follow."""
    return _in_order(ref, ans, known) or (commented and _in_order(ref, _head(ref, ans), known))


def without_comment(ans: Entry) -> Entry:
    """The item without its comment."""
    told = uncommented(ans.fact.text)
    return ans if len(told) == len(ans.fact.text) else Entry(ans.item, FactReader().read(told))


def _head(ref: Entry, ans: Entry) -> Entry:
    """The item's clauses up to the last that tells of the reference; what follows comments."""
    ends = [m.start() for m in _CLAUSE.finditer(ans.fact.text)]
    told = ref.fact.bag & ans.fact.bag
    for end in ends if len(told) >= COPIED * len(ref.fact.bag) else ():
        fact = FactReader().read(ans.fact.text[:end])
        if len(told & fact.bag) >= COPIED * len(told):
            return Entry(ans.item, fact)
    return ans


def _in_order(ref: Entry, ans: Entry, known: frozenset[str]) -> bool:
    """Whether the answer's item says the reference's words in their order and hardly others."""
    mine = [w for part in ref.fact.parts for w in part if w in ans.fact.bag]
    theirs = [w for part in ans.fact.parts for w in part if w in ref.fact.bag]
    return mine == theirs and len(ans.fact.bag - ref.fact.bag - known) <= 0.2 * len(ref.fact.bag)


def quotes(ref: str, ans: str, known: frozenset[str]) -> bool:
    """Whether an item says the reference's words and no others, but for whose record it is.

    The commonest item of all: "I swam" told as "Swam", "She swam" or "Ann Lee swam".
    """
    mine, theirs = without_author(ref), without_author(ans)
    if mine == theirs:
        return True
    head = theirs.removesuffix(mine)
    if head == theirs or not head.strip():
        return False
    # Small words have no base form, so that "never" and "not" are no part of a name.
    return all(base_form(token) in known for token in TOKEN.findall(head))
