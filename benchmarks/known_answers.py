"""Answers with their labels: real ones, ones made by this project, and ones that follow from these.

What follows without a person's label: a right answer with some of its items cut out states just
those that are left, one with an item of another answer is wrong, and an answer to another question,
or text that is no answer, states no item. So the judge is fitted and measured item by item too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import denials

from seqniah_datasets import rng
from seqniah_datasets.corpora import procedural
from seqniah_scorers import rules
from seqniah_scorers.evidence.weigh import Weighed, weigh
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.sequential_niah.judging import bench as judge_bench

HAND = Path(__file__).parent.parent / "tests" / "scorers" / "answers"
FOLDS = 5
PROSE, EXCERPT = 6_000, 900
"""Bytes of prose that are written, and characters of it that are given for an answer."""


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """An answer with its label."""

    set: str
    style: str
    group: str
    """Answers of one group are never on both sides of a fold."""
    case: Case
    right: bool
    stated: Mapping[int, bool] | None = None
    """Whether it states a reference item, by the item's number; None: not known item by item."""


def labelled(path: Path, name: str) -> Iterator[Known]:
    """The answers of a file in the layout of the shared data."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        case = Case(
            row["lang"],
            row["needle_type"],
            row["question"],
            row["reference"],
            row["response"],
            row.get("requires_order"),
            needles=tuple(row.get("needles", ())),
        )
        edited = "/edited" if row.get("response_source") == "edited" else ""
        yield Known(
            name,
            row.get("style", path.stem) + edited,
            row.get("group", row["id"]),
            case,
            row["label"] == "correct",
        )


def made() -> Iterator[Known]:
    """What this project has made itself: counted less, and said apart."""
    for path in sorted(HAND.glob("*.jsonl")):
        yield from labelled(path, "hand")
    for name, kind, every in (("published", "paper", 7), ("harder", "harder", 4)):
        for one in list(judge_bench.made("train", judge_bench.check_kind(kind)))[::every]:
            yield Known(name, one.group, one.case.question, one.case, one.correct)
    for number, (kind, case) in enumerate(denials.made("train", 1_000)):
        yield Known("denials", kind, f"{kind} {number % FOLDS}", case, False)


def weighed(case: Case) -> Weighed | None:
    """All evidence about an answer; None where no item is read from it."""
    items = parse(case.response)
    if not items:
        return None
    return weigh(rules.index(case), items, case, rules.order_required(case))


def places(one: Known) -> list[tuple[int, int]]:
    """Where a right answer states each reference item.

    Empty unless each has a place of its own, and unless these make up most of the answer.
    """
    found = weighed(one.case) if one.right else None
    if found is None:
        return []
    stated = {p.reference: p.answer for p in found.pairs}
    count = len(rules.index(one.case).items)
    if len(stated) < count or len(set(stated.values())) < count:
        return []
    spans = [found.answers[stated[n] or 0].item.span for n in range(count)]
    apart = all(b <= c or d <= a for n, (a, b) in enumerate(spans) for c, d in spans[:n])
    # Code or notes around the items may state them once more.
    most = 2 * sum(end - start for start, end in spans) > len(one.case.response)
    return spans if apart and most else []


def cut(real: Sequence[Known]) -> Iterator[Known]:
    """Right answers of which one item is left, two, half or all but one; all else stays."""
    draws = rng.stream("cut answers")
    for one in real:
        spans = places(one)
        count = len(spans)
        for left in sorted({1, 2, count // 2, count - 1} & set(range(1, count))):
            kept = draws.shuffled(list(range(count)))[:left]
            text = one.case.response
            for start, end in sorted(spans[n] for n in range(count) if n not in kept)[::-1]:
                text = text[:start] + text[end:]
            stated = {n: n in kept for n in range(count)}
            case = replace(one.case, response=text)
            yield Known("cut", one.style, one.group, case, False, stated)


def foreign(real: Sequence[Known]) -> Iterator[Known]:
    """Right answers with an item of another one of the same style: added, or in an item's place."""
    draws = rng.stream("foreign items")
    spans = {one: places(one) for one in real}
    for one in real:
        lenders = [
            other
            for other in real
            if (other.style, other.case.lang, other.case.needle_type)
            == (one.style, one.case.lang, one.case.needle_type)
            and other.case.question != one.case.question
            and spans[other]
        ]
        if not spans[one] or not lenders:
            continue
        lender = draws.shuffled(lenders)[0]
        begin, stop = draws.shuffled(spans[lender])[0]
        line = lender.case.response[begin:stop].strip("\n")
        at = draws.below(len(spans[one]))
        start, end = spans[one][at]
        text = one.case.response
        added = replace(one.case, response=f"{text[:start]}{line}\n{text[start:]}")
        yield Known("padded", one.style, one.group, added, False)
        instead = replace(one.case, response=f"{text[:start]}{line}\n{text[end:].lstrip(chr(10))}")
        stated = {n: n != at for n in range(len(spans[one]))}
        yield Known("replaced", one.style, one.group, instead, False, stated)


def strangers(real: Sequence[Known]) -> Iterator[Known]:
    """Two answers to other questions, a piece of prose and the same in disorder for each answer."""
    draws = rng.stream("answers of strangers")
    for number, one in enumerate(real):
        case = one.case
        kind = case.lang, case.needle_type
        others = [
            other.case.response
            for other in real
            if (other.case.lang, other.case.needle_type) == kind
            and other.case.question != case.question
        ]
        prose = procedural.write(case.lang, PROSE, f"stranger {number}")
        start = draws.below(len(prose) - EXCERPT)
        text = prose[start : start + EXCERPT]
        words, space = (text.split(), " ") if case.lang == "en" else (list(text), "")
        texts = [*draws.shuffled(others)[:2], text, space.join(draws.shuffled(words))]
        stated = dict.fromkeys(range(len(rules.index(case).items)), False)
        for style, response in zip(
            ("another's", "another's", "prose", "words"), texts, strict=True
        ):
            yield Known(
                "strangers", style, one.group, replace(case, response=response), False, stated
            )
