"""LOFT's scores as the paper defines them, with nothing given for what says nothing.

Every value that a turn states counts: the worst of them where one answer is asked for, and those
beyond the number of golds against the others where several are.
"""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from seqniah_scorers import overlap
from seqniah_scorers.loft import RANKED, Merged, Row, Task, Unscored, parsing
from seqniah_scorers.loft.alignment import aligned
from seqniah_scorers.loft.recalls import recalls
from seqniah_scorers.loft.tables import same_table

Words = tuple[str, ...]

Ranked = tuple[list[str], list[str]]
"""The ids of a turn, best first, and its golds; each once."""

WHOLE: tuple[Task, ...] = ("sql",)
"""Tasks whose conversations are right or wrong as a whole (paper, appendix A), and count as one."""


def by_turn(task: Task, answers: Any, turns: int | None) -> list[list[Any]]:
    """The golds of each turn of a query, from its `answers`; `turns` is None for a single one.

    Raises `ValueError`, in words that go on after the query's name, for answers of another shape.
    """
    if not isinstance(answers, list) or (turns is not None and len(answers) != turns):
        found = len(answers) if isinstance(answers, list) else "no list of"
        raise ValueError(f"has {found} answers for {turns or 1} turns")
    lists = all(isinstance(one, list) for one in answers)
    if task in RANKED:
        if not all(isinstance(one, list) and one and isinstance(one[0], str) for one in answers):
            raise ValueError("has answers that are no pairs like ['doc7', 1]")
        pids = [one[0].strip() for one in answers]
        return [pids] if turns is None else [[one] for one in pids]
    if task == "icl":
        return answers if lists else [answers]
    if task == "sql":
        deep = lists and all(isinstance(row, list) for one in answers for row in one)
        if not lists or (not deep and (turns or 1) > 1):
            raise ValueError("has answers that are no lists of rows")
        return answers if turns is not None and deep else [answers]
    if turns is not None and turns > 1 and not lists:
        raise ValueError("has answers that are no list for each turn")
    return answers if turns is not None and lists else [answers]


def parsed(
    task: Task, responses: Sequence[str], id_to_pid: Mapping[str, str] | None
) -> list[list[Any] | None]:
    """The outputs of the turns; a ranking without the ids that the prompt lacks."""
    found = [parsing.strict(one) for one in responses]
    if task not in RANKED or id_to_pid is None:
        return list(found)
    return [[id_to_pid[id] for id in values(ids) if id in id_to_pid] for ids in found]


def values(said: Any) -> list[str]:
    """The scalars of nested lists, in order, as texts; what is neither is an empty text.

    A text in place of a list is read as a response; anything else has no values.
    """
    if isinstance(said, str):
        said = parsing.strict(said)
    found: list[str] = []
    left: list[Any] = [said] if isinstance(said, list | tuple) else []
    while left:
        one = left.pop()
        if isinstance(one, list | tuple):
            left += reversed(one)
        else:
            found.append(str(one).strip() if isinstance(one, str | int | float) else "")
    return found


def score(
    task: Task, golds: Sequence[list[Any]], said: Sequence[Any], merged: Merged | None = None
) -> list[Row]:
    """A row for each turn of a query, by the golds of each; turns that nothing was said in are
    wrong.

    `merged` makes equal passages one, and passages that it lacks none. Raises `Unscored` for a
    turn without golds, and for golds that `merged` lacks.
    """
    if task in RANKED:
        return [recalls(*turn) for turn in rankings(golds, said, merged)]
    rows = [_MEASURES[task](wanted, one) for wanted, one in _turns(golds, said)]
    if task in WHOLE and not all(row["exec_acc"] for row in rows):
        return [{"exec_acc": 0.0} for _ in rows]
    return rows


def rankings(
    golds: Sequence[list[Any]], said: Sequence[Any], merged: Merged | None = None
) -> list[Ranked]:
    """The ranking and the golds of each turn. Raises `Unscored` like `score`."""
    found = []
    for wanted, one in _turns(golds, said):
        ids = list(filter(None, values(one)))
        if merged is not None:
            if lost := [id for id in wanted if id not in merged]:
                raise Unscored(f"the corpus lacks its gold {lost[0]!r}")
            wanted = [merged[id] for id in wanted]
            ids = [merged[id] for id in ids if id in merged]
        found.append((list(dict.fromkeys(ids)), list(dict.fromkeys(wanted))))
    return found


def _turns(golds: Sequence[list[Any]], said: Sequence[Any]) -> list[tuple[list[Any], Any]]:
    if not golds or not all(golds):
        raise Unscored("it has no gold answer")
    return [(one, said[turn] if turn < len(said) else None) for turn, one in enumerate(golds)]


def _is_article(text: str) -> bool:
    """Whether it is an article alone; A, in upper case, is a letter."""
    return text.lower() in ("a", "an", "the") and text != "A"


def _words(text: Any) -> Words:
    """The words that count; where none do, the text as it stands, unless it is an article."""
    plain = str(text).strip()
    if found := overlap.words(plain):
        return tuple(found)
    return () if _is_article(plain) else tuple(plain.lower().split())


def _distinct(texts: Sequence[Any]) -> list[Words]:
    return list(dict.fromkeys(map(_words, texts)))


def _holds(long: Words, short: Words) -> bool:
    """Whether the words of one stand together in the other."""
    return bool(short) and f" {' '.join(short)} " in f" {' '.join(long)} "


def _short_enough(stated: Words, gold: Words) -> bool:
    """Whether it can be an answer, and no passage that has one in it."""
    return len(stated) <= 2 * len(gold) + 6


def _answer(golds: list[Any], said: Any) -> Row:
    accepted, stated = _distinct(golds), _distinct(values(said))
    rows = [_measured(accepted, one) for one in stated]
    names = ("em", "subspan_em", "f1")
    return {name: min((row[name] for row in rows), default=0.0) for name in names}


def _measured(accepted: Sequence[Words], stated: Words) -> Row:
    near = [gold for gold in accepted if gold and stated and _short_enough(stated, gold)]
    return {
        "em": float(stated in near),
        "subspan_em": float(any(_holds(stated, gold) for gold in near)),
        "f1": max((overlap.f1(stated, gold) for gold in near), default=0.0),
    }


def _values(golds: list[Any], said: Any) -> Row:
    wanted, stated = _distinct(golds), _distinct(values(said))
    hits = len(set(wanted) & set(stated) - {()})
    extra = max(0, len(stated) - len(wanted))
    return {
        "em": float(hits == len(wanted) == len(stated)),
        "coverage": max(0, hits - extra) / len(wanted),
        "subspan_em": float(len(stated) == len(wanted) and aligned(wanted, stated, _fits)),
    }


def _fits(gold: Words, stated: Words) -> bool:
    """Whether one has the other in it, and is not much longer."""
    if _holds(stated, gold):
        return _short_enough(stated, gold)
    return _holds(gold, stated) and 2 * len(stated) >= len(gold)


def _label(golds: list[Any], said: Any) -> Row:
    """Golds are the words of one label."""
    wanted, stated = _name(" ".join(map(str, golds))), values(said)
    empty = any(not one.strip(string.punctuation) for one in stated)
    right = bool(wanted) and not empty and _name(" ".join(stated)) == wanted
    return {"em": float(right)}


def _name(text: str) -> str:
    """A label without its brackets; none of an article alone."""
    plain = " ".join(unicodedata.normalize("NFKC", text).split())
    return "" if _is_article(plain) else plain.casefold().strip(string.punctuation + " ")


def _table(golds: list[Any], said: Any) -> Row:
    if isinstance(said, str):
        said = parsing.strict(said)
    return {"exec_acc": float(same_table(golds, said))}


_MEASURES: Mapping[Task, Callable[[list[Any], Any], Row]] = {
    "rag": _answer,
    "multi_value_rag": _values,
    "sql": _table,
    "icl": _label,
}
