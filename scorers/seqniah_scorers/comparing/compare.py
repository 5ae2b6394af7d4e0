"""Each pair of the alignment compared, and what the whole answer tells about a single pair.

A replaced word can be a synonym that no table knows. Where all the rest of an answer is copied,
it is an alteration; where the other items are reworded as well, it is taken for a paraphrase.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import takewhile
from statistics import median

from seqniah_scorers.comparing.align import Entry, Index, by_vectors, foreign
from seqniah_scorers.comparing.borrowed import borrowed, traded
from seqniah_scorers.comparing.concepts import contradiction, shared
from seqniah_scorers.comparing.copied import COPIED, exactly, quotes, without_comment
from seqniah_scorers.comparing.deeds import other_deed
from seqniah_scorers.comparing.details import Swap, changed_detail, replaced
from seqniah_scorers.comparing.exchange import PRONOUN, changed_places
from seqniah_scorers.comparing.facts import Fact, FactReader, coverage
from seqniah_scorers.comparing.measures import amounts_only, changed_measure
from seqniah_scorers.comparing.opposed import changed_way
from seqniah_scorers.comparing.relations import as_told, relation, same_relation, told_apart
from seqniah_scorers.comparing.sides import other_subject, written_full
from seqniah_scorers.comparing.slots import other_amount, other_investor, other_of_kind
from seqniah_scorers.comparing.stance import changed_stance
from seqniah_scorers.comparing.translated import changed_in_translation
from seqniah_scorers.comparing.turns import retold, turned
from seqniah_scorers.comparing.visits import other_guest
from seqniah_scorers.comparing.wording import appended_event, uncommented
from seqniah_scorers.embedding import SAME
from seqniah_scorers.reading.dates import compatible
from seqniah_scorers.reading.items import Item

LEAST_KEPT = 0.5
"""Share of kept words below which an item of a copied answer is another one."""
LEAST_KEPT_FREE = 0.2
"""The same in an answer that retells."""
FREE, FREE_STEPS = 0.2, 0.34
"""Share of the other items up to which some may be reworded in an answer that copies."""
LEAST_OWNER = 4
"""Characters with which all items open, from which they name whose record it is."""
TERSE = 0.7
"""Share of an item's words that the reference has, from which it only says less."""
LONG = 2.5
"""A step told at more than this many times the length of its reference is elaborated."""


@dataclass(frozen=True, slots=True)
class Check:
    """What the comparison of one pair saw."""

    fault: str | None
    """What the answer's item changes."""
    suspect: str | None = None
    """Words in the place of others, which may be synonyms."""
    kept: float = 1.0
    """Share of the reference's words that the answer's item has, synonyms counted."""
    literal: bool = True
    """Hardly any word differs."""
    exact: bool = True
    """The reference's words in the reference's order, but for left out ones."""
    foreign: bool = False
    """The answer's item is in another language."""
    slight: bool = False
    """Where one has words that say little, the other has some that can say more."""
    known: bool = False
    """Both tell one relation between the two sides, in whatever words."""
    clear: bool = False
    """The fault shows whatever the words: a wrong date, a copy of another item."""


def compare(refs: Index, answers: tuple[Entry, ...], pairs: Mapping[int, int]) -> dict[int, Check]:
    """The checks by reference number."""
    if not refs.logical:
        answers = tuple(_written(refs, a) for a in answers)
    found = {i: _check(refs, i, answers[j]) for i, j in sorted(pairs.items())}
    kept = [c.kept for c in found.values() if not c.foreign]
    copied = bool(kept) and median(kept) >= COPIED
    for number, one in traded(refs, {i: answers[j] for i, j in pairs.items()}).items():
        if found[number].fault is None and not found[number].known:
            found[number] = replace(found[number], fault=one)
    return {i: _settled(refs, i, answers[pairs[i]], found, copied) for i in found}


def _written(refs: Index, ans: Entry) -> Entry:
    """The item with the full names of the two sides."""
    if len(refs.sides) != 2 or foreign(refs, ans.fact):
        return ans
    text = written_full(ans.item.text, refs.sides)
    if text == ans.item.text:
        return ans
    return Entry(replace(ans.item, text=text), FactReader().read(text))


def _settled(
    refs: Index, number: int, ans: Entry, all_checks: Mapping[int, Check], copied: bool
) -> Check:
    """The check with its suspicion decided by how the other items are told."""
    check = all_checks[number]
    if check.fault is not None or check.foreign:
        return check
    others = [c for i, c in all_checks.items() if i != number and not c.foreign]
    most = FREE_STEPS if refs.logical else FREE
    free = sum(not c.exact for c in others) > most * len(others)
    if not refs.logical and check.kept < (LEAST_KEPT_FREE if free or not copied else LEAST_KEPT):
        if _means_same(refs, number, ans):
            return replace(check, literal=False)
        return replace(check, fault="another event is told", clear=copied and not free)
    # Names that an answer leaves out make it no retelling.
    literal = copied or (not refs.logical and len(others) > 1)
    strict = literal and not free and (len(others) > 1 or not refs.logical)
    if check.suspect is not None and strict:
        return replace(check, fault=check.suspect)
    return check


def _means_same(refs: Index, number: int, ans: Entry) -> bool:
    """Whether the embedding, where there is one, finds the item like this reference item."""
    if refs.embedding is None:
        return False
    likes = by_vectors(refs, ans.item.text)
    return likes[number] >= SAME and likes[number] == max(likes)


def _check(refs: Index, number: int, ans: Entry) -> Check:
    ref = refs.entries[number]
    a, b = ref.item.date, ans.item.date
    if a and b and not compatible(a, b):
        return Check(f"dated {day(ans.item)} instead of {day(ref.item)}", clear=True)
    if quotes(ref.fact.text, ans.fact.text, refs.known):
        return Check(None)
    if not ans.fact.bag and ref.fact.bag:
        return Check("nothing is said of it", clear=True)
    if foreign(refs, ans.fact):
        fault = changed_in_translation(refs, number, ans)
        return Check(fault, kept=shared(ref.item.text, ans.item.text), literal=False, foreign=True)
    plain = ans if refs.logical else without_comment(ans)
    kept = _kept(refs, number, plain)
    check = _step(refs, number, ans, kept) if refs.logical else _event(refs, number, ans, kept)
    exact = check.suspect is None and exactly(ref, plain, refs.known, not refs.logical)
    return check if exact else replace(check, exact=False)


def _kept(refs: Index, number: int, ans: Entry) -> float:
    """Share of the reference's words that the answer has, or has synonyms of."""
    ref = refs.entries[number]
    kept = coverage(ref.fact, ans.fact)
    if kept < COPIED:
        known = shared(ref.fact.text, ans.fact.text)
        kept = max(kept, (kept + known) / 2, _weighed(refs, number, ans.fact.grams))
    mine = ans.fact.bag
    if kept < LEAST_KEPT and len(mine & ref.fact.bag) >= TERSE * len(mine):
        return LEAST_KEPT  # it says less than the reference, and hardly anything else
    return kept


def _weighed(refs: Index, number: int, grams: frozenset[str]) -> float:
    """The same share where words count little that most items have, such as a company's name."""
    mine = refs.entries[number].fact.grams
    hit = sum(refs.weights.get(g, 1.0) for g in mine & grams)
    return hit / refs.totals[number] if refs.totals[number] else 0.0


def _event(refs: Index, number: int, ans: Entry, kept: float) -> Check:
    ref = refs.entries[number]
    literal = kept >= COPIED and coverage(ans.fact, ref.fact) >= COPIED
    told = uncommented(ans.fact.text)
    own = ref.fact.text
    fault = other_of_kind(own, told) or other_amount(own, told) or other_investor(own, told)
    if fault is not None:
        return Check(fault, kept=kept, literal=literal)
    guest = other_guest(ref.fact.text, told, refs.sides)
    if guest or (guest is not None and _both(told, refs.sides)):
        fault = guest or None
        return Check(fault, kept=max(kept, COPIED) if fault is None else kept, literal=literal)
    same, fault = _related(refs, ref, ans, told)
    if same or fault is not None:
        return _in_relation(ref, ans, fault, kept, literal)
    fault = borrowed(refs, number, ans)
    if fault is not None:
        return Check(fault, kept=kept, literal=literal, clear=_copies(refs, number, ans))
    owner = f"{refs.asked} {refs.intro}"
    subject = (
        None if refs.sides or not refs.asked else other_subject(ref.fact.text, ans.fact.text, owner)
    )
    if subject is not None:
        return Check(f"the one who acts became {subject}", kept=kept, literal=literal)
    if not refs.sides:
        fault = turned(ref.fact.text, told)
        if fault is not None:
            return Check(fault, kept=kept, literal=literal)
        ans, told = _from_same_end(ref, ans, told)
    fault = changed_detail(ref.fact, ans.fact) or contradiction(ref.fact.text, told)
    fault = fault or changed_stance(ref.fact.text, told, len(refs.sides) == 2)
    if fault is None and kept >= COPIED:
        fault = appended_event(ref.fact, ans.fact)
    if fault is not None:
        return Check(fault, kept=kept, literal=literal)
    plain = without_comment(ans).fact
    swap = _swap(refs, ref, plain)
    if swap is None or swap.slight:
        swap = other_deed(ref.fact.text, plain.text, refs.sides) or swap
    return _with_swap(swap, kept, literal)


def _swap(refs: Index, ref: Entry, told: Fact) -> Swap | None:
    """Words in the place of others; the one whose record it is need not be named."""
    # In Chinese the words of the question are single characters, which any word can have.
    usual = frozenset() if refs.sides or refs.chinese else refs.known
    swap = replaced(ref.fact, told, usual)
    if swap is None or swap.certain or refs.sides or not refs.chinese:
        return swap
    texts = [e.fact.text for e in refs.entries]
    first, last = min(texts), max(texts)  # what these two share, all share
    same = takewhile(lambda n: first[n] == last[n : n + 1], range(len(first)))
    owner = first[: sum(1 for _ in same)]
    if len(owner) < LEAST_OWNER or owner[:LEAST_OWNER] in told.text:
        return swap
    return replaced(FactReader().read(ref.fact.text[len(owner) :]), told)


def _from_same_end(ref: Entry, ans: Entry, told: str) -> tuple[Entry, str]:
    """The item as the reference tells it, where the one sells and the other buys."""
    text = retold(ref.fact.text, told)
    return (ans, told) if text == told else (Entry(ans.item, FactReader().read(text)), text)


def _in_relation(ref: Entry, ans: Entry, fault: str | None, kept: float, literal: bool) -> Check:
    """The check of a clause of a known relation: all other words say nothing more, but names."""
    if fault is not None:
        return Check(fault, kept=kept, literal=literal)
    swap = replaced(ref.fact, ans.fact)
    if swap is not None and swap.certain:
        return Check(swap.text, kept=kept, literal=literal)
    return Check(None, kept=max(kept, COPIED), literal=literal, known=True)


def _related(refs: Index, ref: Entry, ans: Entry, told: str) -> tuple[bool, str | None]:
    """Whether two sides stand in the same relation in other words, and else what differs."""
    if len(refs.sides) != 2:
        return False, None
    one, other = refs.sides
    whole = uncommented(ans.item.text)
    if changed_places(ref.item.text, whole, (one, other)):
        return False, f"{one} and {other} changed places"
    mine = relation(ref.fact.text, refs.sides)
    theirs = as_told(told, mine, refs.sides) if mine else None
    if mine is None or theirs is None:
        return False, None
    return _both(told, refs.sides) and same_relation(mine, theirs), told_apart(mine, theirs)


def _both(told: str, sides: tuple[str, ...]) -> bool:
    """Whether no third party can have taken the place of one of the two."""
    named = told.casefold()
    return all(side.casefold() in named for side in sides) or bool(PRONOUN.search(named))


def _copies(refs: Index, number: int, ans: Entry) -> bool:
    """Whether the item says all the words of another reference item and no others."""
    bag = ans.fact.bag
    return any(n != number and e.fact.bag == bag for n, e in enumerate(refs.entries))


def _with_swap(swap: Swap | None, kept: float, literal: bool) -> Check:
    if swap is None:
        return Check(None, kept=kept, literal=literal)
    if swap.certain:
        return Check(swap.text, kept=kept, literal=literal)
    if swap.slight:
        return Check(None, kept=kept, literal=False, slight=True)
    return Check(None, suspect=swap.text, kept=kept, literal=False)


def _step(refs: Index, number: int, ans: Entry, kept: float) -> Check:
    """Steps are reworded at length: only in a copied step is a different word a change."""
    ref = refs.entries[number]
    literal = kept >= COPIED and len(ans.fact.bag) <= 1.5 * len(ref.fact.bag)
    at_length = not literal and len(ans.fact.text) > LONG * len(ref.fact.text)
    fault = changed_measure(ref.fact.text, ans.fact.text, at_length)
    fault = fault or changed_way(ref.fact.text, ans.fact.text)
    if fault is not None or at_length:
        return Check(fault, kept=kept, literal=literal)
    fault = changed_detail(ref.fact, ans.fact, refs.asked, free=not literal, numbers=False)
    fault = fault or contradiction(ref.fact.text, ans.fact.text)
    fault = None if fault and amounts_only(fault) else fault
    fault = fault or (other_of_kind(ref.fact.text, ans.fact.text) if literal else None)
    if fault is not None or not literal:
        return Check(fault, kept=kept, literal=literal)
    swap = replaced(ref.fact, ans.fact)
    return _with_swap(None if swap and amounts_only(swap.text) else swap, kept, literal)


def day(item: Item) -> str:
    """The date of an item for a person."""
    if item.date is None:
        return "undated"
    return "-".join("?" if p is None else f"{p:02d}" for p in item.date.key())
