"""Questions in a model's words: what it is asked, and which parts of its reply are safe to take.

A reply is untrusted. A part of it is taken where it states the same facts, else the part stays as
it was and the reason is named. The reference's items never change, so what the judge compares an
answer with is what it was before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from seqniah_datasets.schema import Needle, Pipeline, QAItem
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.benchmarks.sequential_niah.rewriting import prompts
from seqniah_tasks.benchmarks.sequential_niah.rewriting.wordings import (
    Refusal,
    changed_facts,
    mentioned,
    overlap,
    stated,
    subject_names,
    tells_the_same,
    text_of,
)
from seqniah_tasks.benchmarks.sequential_niah.score import judge

MOST_REPLY = 200_000
"""Characters of a reply that are looked at; a longer one is refused whole."""

TIMES = 3
"""How many times longer than before a part may be."""

_OBJECTS = 50
"""Places in a reply where a JSON object may begin."""


class Exclusion(StrEnum):
    """Why a question about steps is left out."""

    FREE = "shuffling its steps would not make it wrong"
    EXCHANGEABLE = "two of its steps could be exchanged"
    UNREADABLE = "the screening's reply is unreadable"
    UNSCREENED = "the screening's reply is missing"


@dataclass(frozen=True, slots=True)
class Rewriting:
    """A QA with what could be taken from a reply."""

    item: QAItem
    taken: int
    """Parts that are now in other words."""
    refused: tuple[Refusal, ...]
    """One a part that stayed as it was for a reason."""


def ask(item: QAItem) -> str:
    """The prompt that asks for other words."""
    return prompts.rewriting(item)


def screen(reply: str, item: QAItem) -> Exclusion | None:
    """Why a question about steps must be left out; None if it may stay."""
    fields = _object(reply, "order_matters")
    if isinstance(fields, Refusal):
        return Exclusion.UNREADABLE
    matters = _yes_or_no(fields["order_matters"])
    exchangeable = _is_pair(fields.get("exchangeable"), len(item.needles))
    if matters is None or exchangeable is None:
        return Exclusion.UNREADABLE
    if not matters:
        return Exclusion.FREE
    return Exclusion.EXCHANGEABLE if exchangeable else None


_WORDS = {
    **dict.fromkeys(("yes", "true", "是", "会"), True),
    **dict.fromkeys(("no", "false", "否", "不会", "不是"), False),
}


def _yes_or_no(given: object) -> bool | None:
    if isinstance(given, bool):
        return given
    return _WORDS.get(given.strip(" .。!！").casefold()) if isinstance(given, str) else None


def _is_pair(given: object, count: int) -> bool | None:
    """Whether two numbers of steps are given, or none; None if it is neither."""
    if given in (None, [], "", "null", "none", "None", "无"):
        return False
    if isinstance(given, list) and len(given) == 2:
        numbers = {int(one) for one in given if _is_number(one)}
        if len(numbers) == 2 and all(1 <= one <= count for one in numbers):
            return True
    return None


def _is_number(given: object) -> bool:
    if isinstance(given, str):
        return given.isascii() and given.isdigit() and len(given) < 4
    return type(given) is int


def read(
    reply: str, item: QAItem, names: Sequence[Collection[str]] = (), asked: Collection[str] = ()
) -> Rewriting:
    """The QA with all parts of the reply that are safe.

    `names` are those that each needle must keep besides the subject's; `asked` are the questions
    of other QAs.
    """
    events = item.pipeline is not Pipeline.REAL_LOGICAL
    fields = _object(reply, "needles")
    if isinstance(fields, Refusal):
        return Rewriting(item, 0, (fields,) * (len(item.needles) + 2 * events))
    known = subject_names(item) if events else frozenset()
    keep = [known | frozenset(more) for more in names or [()] * len(item.needles)]
    refused: list[Refusal] = []

    def settled(given: str | Refusal, before: str) -> str:
        if isinstance(given, Refusal):
            refused.append(given)
            return before
        return given

    question, intro = item.question, item.intro
    if events:
        question = settled(_question(fields.get("question"), item, known, asked), question)
        intro = settled(_intro(fields.get("intro"), item, known), intro)
    texts = _needles(fields, item, keep, refused)
    before = (item.question, item.intro, *(needle.text for needle in item.needles))
    taken = sum(new != old for new, old in zip((question, intro, *texts), before, strict=True))
    needles = tuple(
        replace(needle, text=text) for needle, text in zip(item.needles, texts, strict=True)
    )
    made = replace(item, question=question, intro=intro, needles=needles)
    return Rewriting(made, taken, tuple(refused))


def _object(reply: str, key: str) -> dict[str, Any] | Refusal:
    """The last JSON object of a reply that has the key; fences and text around it do no harm."""
    if len(reply) > MOST_REPLY:
        return Refusal.TOO_LONG_REPLY
    decoder = json.JSONDecoder()
    found: dict[str, Any] | Refusal = Refusal.UNREADABLE
    at = reply.find("{")
    for _ in range(_OBJECTS):
        if at < 0:
            break
        end = at + 1
        try:
            fields, end = decoder.raw_decode(reply, at)
            found = fields if key in fields else found
        except (ValueError, RecursionError):
            pass
        at = reply.find("{", end)
    return found


def _question(
    given: object, item: QAItem, names: Collection[str], asked: Collection[str]
) -> str | Refusal:
    text = text_of(given, TIMES * len(item.question), item.question)
    if isinstance(text, Refusal):
        return text
    if fault := changed_facts(text, item.question):
        return fault
    if mentioned(text, names) != mentioned(item.question, names):
        return Refusal.NAMES
    if demands_order(text) != demands_order(item.question):
        return Refusal.ORDER
    return Refusal.TWICE if text in asked else text


def _intro(given: object, item: QAItem, names: Collection[str]) -> str | Refusal:
    """An opening line says nothing that neither the question nor its former wording says."""
    text = text_of(given, TIMES * max(len(item.intro), len(item.question)), item.intro)
    if isinstance(text, Refusal):
        return text
    new, old = stated(text), stated(f"{item.question}\n{item.intro}")
    if not new[0] <= old[0]:
        return Refusal.DATES
    if not new[1] <= old[1]:
        return Refusal.NUMBERS
    if not set(mentioned(item.intro, names)) <= set(mentioned(text, names)):
        return Refusal.NAMES
    read_as_before = judge(replace(item, intro=text), item.reference).correct
    return text if read_as_before else Refusal.FACTS


def _needles(
    fields: dict[str, Any], item: QAItem, names: Sequence[Collection[str]], refused: list[Refusal]
) -> list[str]:
    """The needles' texts, new where that is safe."""
    given = fields["needles"]
    before = [needle.text for needle in item.needles]
    if not isinstance(given, list) or len(given) != len(before):
        refused += [Refusal.COUNT] * len(before)
        return before
    subject = _subject(fields.get("subject"), item)
    faults: dict[int, Refusal] = {}
    texts = list(before)
    for number, needle in enumerate(item.needles):
        text = _needle(given[number], item, needle, names[number], subject)
        rest = [one for one in before if one != needle.text]
        others = [*texts[:number], *before[:number], *before[number + 1 :]]
        if isinstance(text, Refusal):
            pass
        elif not tells_the_same(text, needle.text, rest, {*names[number], subject or ""} - {""}):
            text = Refusal.FACTS
        elif any(overlap(text, other) for other in others):
            text = Refusal.TWICE
        if isinstance(text, Refusal):
            faults[number] = text
        else:
            texts[number] = text
    for number in _misread(item, texts):
        faults.setdefault(number, Refusal.FACTS)
        texts[number] = before[number]
    if _misread(item, texts):
        faults = {number: faults.get(number, Refusal.FACTS) for number in range(len(texts))}
        texts = before
    refused += faults.values()
    return texts


def _subject(given: object, item: QAItem) -> str | None:
    """The words of a question about steps that each of them must carry; None if there are none."""
    if item.pipeline is not Pipeline.REAL_LOGICAL:
        return ""
    text = given.strip() if isinstance(given, str) else ""
    told = _EMPTY_WORDS.sub("", text) if text.casefold() in item.question.casefold() else ""
    return text if len(re.findall(r"[^\W\d_]", told)) >= (2 if item.lang == "zh" else 3) else None


_EMPTY_WORDS = re.compile(
    r"\b(?:how|what|which|do|does|you|the|an?|to|in|of|is|are|steps?|order|list|it|one|and|for)\b"
    "|怎样|怎么|如何|哪些|什么|步骤|顺序|请|列出|应该|需要",
    re.IGNORECASE,
)
"""Words of a question that name no subject."""


def _needle(
    given: object, item: QAItem, needle: Needle, names: Collection[str], subject: str | None
) -> str | Refusal:
    # A bare step is short: it has to take in the subject, which is a part of the question.
    room = len(item.question) if item.pipeline is Pipeline.REAL_LOGICAL else 0
    text = text_of(given, TIMES * (len(needle.text) + room), needle.text)
    if isinstance(text, Refusal):
        return text
    if subject is None or subject.casefold() not in text.casefold():
        return Refusal.SUBJECT
    new, old = text, needle.text
    if subject:
        named = re.compile(re.escape(subject), re.IGNORECASE)
        new, old = named.sub(" ", new), named.sub(" ", old)
    if fault := changed_facts(new, old):
        return fault
    return text if mentioned(text, names) == mentioned(needle.text, names) else Refusal.NAMES


def _misread(item: QAItem, texts: Sequence[str]) -> set[int]:
    """Needles that the judge takes for another fact now, though not in their former wording.

    An answer that quotes a needle word for word must be right.
    """
    before = _judged(item, [needle.text for needle in item.needles])
    now = _judged(item, texts)
    worse = now - before
    # Something is wrong, but with no needle alone: one too many is seen, or another order.
    return set(range(len(texts))) if -1 in worse and len(worse) == 1 else worse - {-1}


def _judged(item: QAItem, texts: Sequence[str]) -> set[int]:
    """Needles that the judge does not find in an answer that quotes all; -1 if that is wrong."""
    response = "\n".join("- " + " ".join(text.split()) for text in texts)
    verdict = judge(replace(item, order_required=True), response)
    wrong = {one.reference for one in verdict.pairs if not one.same and one.reference is not None}
    return wrong if verdict.correct else wrong | {-1}
