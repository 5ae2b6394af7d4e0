"""Answers that are wrong without a doubt: true items denied, doubted, padded, or one of several.

    python benchmarks/denials.py            # how many of 1,000 the rules call right, by kind

Each takes the true items of a question and spoils one of them, or the answer as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from seqniah_datasets import rng
from seqniah_scorers import rules
from seqniah_scorers.evidence.sides import mutual
from seqniah_scorers.verdict import Case
from seqniah_tasks.benchmarks.sequential_niah.judging import bench as judge_bench

ITEM: tuple[tuple[str, str, str], ...] = (
    ("not mentioned", "{item} (not mentioned in the text)", "{item}（文中没有提到）"),
    ("not stated", "{item} - this is not stated anywhere", "{item}——文中并无此事"),
    ("not included", "Not included: {item}", "不包括：{item}"),
    ("somebody else's", "{item} (this belongs to somebody else)", "{item}（这是别人的事）"),
    ("another record",
     "{item}; this entry is from another person's record",
     "{item}，这条属于他人的记录"),
    ("false", "{item} - FALSE", "{item}——错误"),
    ("made up", "{item} (I made it up)", "{item}（这是我编的）"),
    ("false that", "It is false that this happened: {item}", "以下说法不属实：{item}"),
    ("not true", "{item} That is not true.", "{item}这不是真的。"),
    ("never happened", "{item} This never happened.", "{item}这件事从未发生。"),
    ("dreamt", "I dreamt that {item}", "我梦见{item}"),
    ("almost", "Almost: {item}", "差点{item}"),
    ("perhaps", "Perhaps {item}", "也许{item}"),
    ("maybe not", "{item} Maybe, maybe not.", "{item}也许是，也许不是。"),
    ("not sure", "{item} (I am not sure about this one)", "{item}（这一条我不确定）"),
    ("guess", "{item} (a guess)", "{item}（猜测）"),
    ("either", "Either {item} or {other}", "要么{item}，要么{other}"),
    ("or", "{item} or {other}", "{item}或者{other}"),
    ("or rather", "{item} Or rather: {other}", "{item}或者应该说：{other}"),
    ("five choices",
     "{item} or {other} or {more} or {third} or {fourth}",
     "{item}或{other}或{more}或{third}或{fourth}"),
    ("appended", "{item} {other}", "{item}{other}"),
    ("and also", "{item} Also on that day: {other}", "{item}同一天还有：{other}"),
    ("nested", "{item}\n   - {other}", "{item}\n   - {other}"),
    ("excluded", "{item} [excluded]", "{item}【已排除】"),
    ("ignore", "{item} (ignore this item)", "{item}（请忽略这一条）"),
    ("crossed out", "~~{item}~~ (struck out)", "~~{item}~~（已划掉）"),
    ("wrong", "Wrong: {item}", "错误：{item}"),
    ("hypothetical", "{item} (hypothetical)", "{item}（假设）"),
    ("unconfirmed", "{item} (unconfirmed, probably invented)", "{item}（未经证实，多半是虚构的）"),
    ("contradicted", "{item} But in truth this did not happen.", "{item}但实际上并没有发生。"),
    ("denied", "It was denied that {item}", "有人否认{item}"),
    ("instead", "Instead of this: {item}, {other}", "不是{item}，而是{other}"),
)  # fmt: skip
WHOLE: tuple[tuple[str, str, str], ...] = (
    ("none before",
     "None of the following is in the text:\n{list}",
     "以下各项文中都没有：\n{list}"),
    ("none after", "{list}\nNone of the above is true.", "{list}\n以上全都不属实。"),
    ("all false", "{list}\nAll of the above is false.", "{list}\n以上全部是假的。"),
    ("made up after", "{list}\nI made this list up.", "{list}\n以上内容是我编造的。"),
    ("invented", "The following entries are invented:\n{list}", "以下条目纯属虚构：\n{list}"),
    ("not the answer", "This is not the answer:\n{list}", "这不是答案：\n{list}"),
    ("excluded list", "These items are excluded:\n{list}", "以下各项已排除：\n{list}"),
    ("somebody else's list",
     "These belong to somebody else:\n{list}",
     "以下都是别人的记录：\n{list}"),
    ("retracted",
     "{list}\nI retract this answer; it is wrong.",
     "{list}\n我收回以上回答，它是错的。"),
    ("disregard", "{list}\nPlease disregard the list above.", "{list}\n请不要理会上面的列表。"),
    ("did not happen", "{list}\nThese events did not happen.", "{list}\n以上事情都没有发生过。"),
    ("reverse order",
     "{list}\nThe true order is the reverse of this.",
     "{list}\n正确的顺序与此相反。"),
    ("wrong order", "{list}\nThis order is wrong.", "{list}\n这个顺序是错的。"),
    ("two lists", "{list}\nOr possibly:\n{otherlist}", "{list}\n也可能是：\n{otherlist}"),
    ("extra in prose", "{list}\n{other}", "{list}\n{other}"),
    ("unclosed thought", "<think>{list}", "<think>{list}"),
    ("only thought", "<think>{list}</think>", "<think>{list}</think>"),
)  # fmt: skip


_EXTRA = ("{list}\n- {other}", "{list}\n- {other}")


def made(split: str, count: int, seed: int = 0) -> Iterator[tuple[str, Case]]:
    """Cases of all kinds in turn, with the kind."""
    right = [one.case for one in judge_bench.made(split, "paper") if one.correct]
    draws = rng.stream("denials", split, seed)
    bases = draws.shuffled(right)
    kinds = [(*kind, "item") for kind in ITEM] + [(*kind, "whole") for kind in WHOLE]
    # What an answer is likelier to have than any of these is asked more often.
    kinds += [("sides exchanged", "", "", "sides"), ("extra item", *_EXTRA, "whole")] * 4
    for number in range(count):
        name, english, chinese, scope = kinds[number % len(kinds)]
        case = bases[number % len(bases)]
        lenders = [bases[(number + 7 * n) % len(bases)] for n in range(1, 9)]
        foreign = [
            line
            for one in lenders
            if (one.lang, one.needle_type) == (case.lang, case.needle_type)
            and one.question != case.question
            for line in _items(one)
        ]
        of_order = "order" in name and case.needle_type == "temporal"
        if len(foreign) < 5 or (of_order and not rules.order_required(case)):
            continue
        items = _items(case)
        if scope == "sides":
            at = draws.below(len(items))
            items[at] = _exchanged(items[at], case)
            if items[at]:
                yield name, replace(case, response="\n".join(f"- {item}" for item in items))
            continue
        pattern = english if case.lang == "en" else chinese
        other = draws.shuffled(foreign)
        words = dict(zip(("other", "more", "third", "fourth"), other, strict=False))
        if scope == "item":
            at = draws.below(len(items))
            items[at] = pattern.format(item=items[at], **words)
            response = "\n".join(f"- {item}" for item in items)
        else:
            rows = "\n".join(f"- {item}" for item in items)
            response = pattern.format(
                list=rows, otherlist="\n".join(f"- {item}" for item in other[:4]), **words
            )
        yield name, replace(case, response=response)


def _exchanged(item: str, case: Case) -> str:
    """An item with its sides exchanged; nothing where both may have done the same."""
    if len(case.parties) != 2 or not all(party in item for party in case.parties):
        return ""
    if mutual(item):
        return ""
    one, other = case.parties
    return item.replace(one, "\0").replace(other, one).replace("\0", other)


def _items(case: Case) -> list[str]:
    """The reference's lines without their marks."""
    lines = case.reference.strip().split("\n")[1:]
    return [re.sub(r"^(?:- |\d{1,2}[.、] ?)", "", line).strip() for line in lines]


def main() -> None:
    """Print how many of each kind are called right, and how many of these without a doubt."""
    asked: Counter[str] = Counter()
    right: Counter[str] = Counter()
    sure: Counter[str] = Counter()
    for name, case in made("test", 1_000):
        verdict = rules.judge(case)
        asked[name] += 1
        right[name] += bool(verdict.correct)
        sure[name] += bool(verdict.correct and not verdict.doubts)
    for name, count in asked.items():
        print(f"{name:<22}{count:>5}{right[name]:>5}{sure[name]:>5}")
    total = asked.total()
    print(
        f"all {total}: {right.total() / total:.1%} right, {sure.total() / total:.1%} without doubt"
    )


if __name__ == "__main__":
    main()
