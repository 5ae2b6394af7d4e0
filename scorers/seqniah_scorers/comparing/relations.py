"""Which relation a clause between two sides tells: its attitude, and what it is about.

The attitude and the topics together tell the relations apart that a chronicle between two parties
has: a demand for aid is no appeal for aid, and no demand for a meeting.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from seqniah_scorers.comparing.relation_words import ATTITUDES, FEELINGS, KINDS, SOFT, TALKS, TOPICS
from seqniah_scorers.text import has_cjk

_DENIED = re.compile(
    r"(?<!would )(?<!will )\b(?:not|never)\b(?! (?:only|just|\w* ?optimis|hope))|n't\b"
    "|没有|并未|未曾|从未|尚未|不曾|并没"
)
_END = re.compile(
    r"[。;；(（]|\. | - |--|—"
    "|[,，](?:这|此举|显示|表明|体现|意在|旨在|which|suggest|indicat|a sign)"
)
_COMMENT = re.compile(
    "[,，](?:并?(?:希望|期望|期待|盼望?|以期|以求|以便|表达|表示|寻求|试图|从而|进而|双方|两国"
    "|为|旨|意|引发|导致|促使|推动|进一步))"
    r"|, (?:hoping|seeking|aiming|expressing|voicing|showing|signal\w+|looking|wanting|trying"
    r"|asking|wishing|calling|urging|in (?:the )?hopes?|in order|so as|as part|as a|amid|further"
    r"|possibly)\b"
)
"""Opens a comment, where the words in front of it tell the same relation."""
_SHARES_VERB = re.compile(r"(?:and |then |also |later )*to [a-z]")


@dataclass(frozen=True, slots=True)
class Relation:
    """What one side does to the other."""

    attitude: str
    """Empty: it is done, not only wanted, asked for, threatened or refused."""
    topics: frozenset[str]
    """As the table names them."""
    denied: bool = False
    """It is said that it did not happen."""


@cache
def _patterns(chinese: bool) -> tuple[re.Pattern[str], re.Pattern[str]]:
    column = 2 if chinese else 1
    edge = "" if chinese else r"\b"  # Chinese has none
    out = []
    for table in (ATTITUDES, TOPICS):
        patterns = (f"(?P<n{n}>{edge}(?:{line[column]}){edge})" for n, line in enumerate(table))
        groups = "|".join(patterns)
        out.append(re.compile(groups))
    return out[0], out[1]


@lru_cache(maxsize=2048)
def relation(text: str, sides: tuple[str, ...]) -> Relation | None:
    """What the clause tells; None where no word of it is known."""
    text = text.lower()
    for side in sides:
        text = text.replace(side.lower(), "zz")
    attitudes, topics = _patterns(has_cjk(text))
    found = {int(str(m.lastgroup)[1:]) for m in attitudes.finditer(text)}
    about = {TOPICS[int(str(m.lastgroup)[1:])][0] for m in topics.finditer(text)}
    if not found and not about:
        return None
    attitude = ATTITUDES[min(found)][0] if found else ""
    denied = attitude != "deny" and bool(_DENIED.search(text))
    return Relation(attitude, frozenset(_plain(attitude, about)), denied)


def _plain(attitude: str, about: set[str]) -> set[str]:
    """The topics without those that only repeat the attitude or another topic."""
    if attitude and attitude != "lessen" and about & TALKS:
        about = about - TALKS | {"meet"}
    if attitude == "accede":
        about = about - {"yield", "sign/agree", "agree"}
    if "diplomatic" in about:
        about = about - {"praise"}
    if attitude == "refuse" and "say" in about:
        about = about | {"no comment"}
    if "military" in about and about & {"yield", "withdraw"} and not attitude:
        about = about - {"yield", "withdraw"} | {"retreat"}
    if "obstruct" in about:
        about = about - {"access"}
    if about & {"diplomatic", "intelligence"}:
        about = about - {"cooperate", "share"}
    return about


def told_apart(ref: Relation, ans: Relation) -> str | None:
    """Why the two are different relations; None: nothing shows it."""
    mine, theirs = _unmet(ref, ans), _unmet(ans, ref)
    of, other = ref.topics & KINDS, ans.topics & KINDS
    differ = bool(of and other and of.isdisjoint(other))
    told = (ref.topics | ans.topics) & FEELINGS
    if told and _bare(ref) != _bare(ans) and "say" in ref.topics & ans.topics:
        return f"{_name(ref) or 'a statement'} became {_name(ans) or 'a statement'}"
    if not all(r.attitude or r.topics - SOFT for r in (ref, ans)):
        return None
    if ref.denied != ans.denied:
        return "a negation was lost" if ref.denied else "a negation was added"
    if not _alike(ref.attitude, ans.attitude) or (mine and theirs) or differ:
        return f"{_name(ref)} became {_name(ans)}"
    return None


def as_told(text: str, ref: Relation, sides: tuple[str, ...]) -> Relation | None:
    """The relation of an answer's clause; "and to cooperate" shares the verb of the one before."""
    for side in sides:
        text = text.replace(side, "zz")  # a side can have brackets, which end a clause
    clause = _clause(text)
    found = relation(clause, sides) or relation(text, sides)
    plain = relation(_COMMENT.split(clause, maxsplit=1)[0], sides)
    if plain is not None and found is not None and not same_relation(ref, found):
        found = plain if same_relation(ref, plain) else found
    if found is not None and not found.attitude and ref.attitude and _SHARES_VERB.match(text):
        topics = frozenset(_plain(ref.attitude, set(found.topics)))
        return Relation(ref.attitude, topics, found.denied)
    return found


def _clause(text: str) -> str:
    """The clause that tells it, without a heading and what is said about it afterwards."""
    rest = text.rpartition(":")[2]
    if "zz" in rest:
        text = rest
    return _END.split(text, maxsplit=1)[0]


def same_relation(ref: Relation, ans: Relation) -> bool:
    """Nothing that counts is said by the one and not by the other."""
    if not _alike(ref.attitude, ans.attitude) or ref.denied != ans.denied:
        return False
    if ref.topics & KINDS != ans.topics & KINDS:
        return False
    if not ref.topics and not ans.topics:
        return bool(ref.attitude)
    return not _unmet(ref, ans) and not _unmet(ans, ref) and bool(_met(ref, ans))


def _alike(one: str, other: str) -> bool:
    """Whether the attitudes are one, or the words for the one can mean the other."""
    return one == other or not set(one.split("/")).isdisjoint(other.split("/"))


def _unmet(one: Relation, other: Relation) -> set[str]:
    """Topics of the first that are none of the second, soft ones and kinds left out."""
    known = {name for t in other.topics for name in t.split("/")}
    return {t for t in one.topics - SOFT - KINDS if known.isdisjoint(t.split("/"))}


def _bare(relation: Relation) -> bool:
    """Whether something is said, and no more is known of it."""
    return relation.topics - SOFT - KINDS == frozenset()


def _met(one: Relation, other: Relation) -> set[str]:
    known = {name for t in other.topics for name in t.split("/")}
    return {t for t in one.topics if not known.isdisjoint(t.split("/"))}


def _name(relation: Relation) -> str:
    return " ".join(filter(None, (relation.attitude, *sorted(relation.topics - {"say"}))))
