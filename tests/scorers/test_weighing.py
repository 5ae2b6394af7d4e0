"""What evidence is worth: the product of all points, its band of doubt, and wordings of needles."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from math import prod
from pathlib import Path

import pytest

from seqniah_datasets.schema import Lang
from seqniah_scorers import authored, rules
from seqniah_scorers.evidence.weigh import weigh, weights
from seqniah_scorers.evidence.witnesses import Kind
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.verdict import DOUBT, Case, FailureMode

REFERENCE = """The diary says:
- May 2, 2011: I swam in the lake.
- May 5, 2011: I fed the goats behind the barn.
- May 9, 2011: I painted the old gate."""
LINES = REFERENCE.split("\n")[1:]
CASE = Case("en", "temporal", "What does the diary say?", REFERENCE, "\n".join(LINES))
BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def answered(*lines: str) -> Case:
    return replace(CASE, response="\n".join(lines))


def test_the_probability_is_the_product_over_all_points() -> None:
    case = answered(LINES[0], "- May 5, 2011: I fed the hens.", "- May 9, 2011: painting a gate")
    found = weigh(rules.index(case), parse(case.response), case, True)
    assert len(found.points) == 3
    each = [1 / (1 + 2.718281828459045**-point.score) for point in found.points]
    assert found.probability == pytest.approx(prod(each))
    verdict = rules.judge(case)
    assert verdict.probability == found.probability
    assert verdict.correct is (found.probability > 0.5)


@pytest.mark.parametrize("table", ["events", "steps"])
def test_weights_are_of_known_kinds_and_speak_as_they_may(table: str) -> None:
    known = {kind.name.lower() for kind in Kind}
    free = {"pair", "missing", "extra", "meant"}
    fitted = authored.table("evidence/weights.toml")[table]
    assert set(fitted) <= known
    assert all(value < 0 or name in free for name, value in fitted.items())
    assert weights(table == "steps")[Kind.PAIR] > 2


def test_a_copy_is_right_without_doubt() -> None:
    verdict = rules.judge(CASE)
    assert verdict.correct and verdict.probability and verdict.probability > 0.5 + DOUBT
    assert verdict.doubts == () and verdict.failure_modes == ()


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        (LINES[:2], FailureMode.MISSING),
        ([*LINES, "- May 12, 2011: I sold the boat to a baker."], FailureMode.REDUNDANT),
        ([*LINES, LINES[0]], FailureMode.REDUNDANT),
        ([*LINES[:2], LINES[2].replace("May 9", "May 19")], FailureMode.INCORRECT),
        ([*LINES[:2], LINES[2].replace("painted", "burnt")], FailureMode.INCORRECT),
    ],
)
def test_a_fault_among_copies_is_found_and_named(lines: list[str], mode: FailureMode) -> None:
    verdict = rules.judge(answered(*lines))
    assert not verdict.correct
    assert verdict.failure_modes == (mode,)


ROUNDS = """The financing rounds of Larkmoor Inc.:
- On July 22, 2015, Larkmoor Inc. received 12 million US dollars of Series A financing from Kites.
- On May 17, 2018, Larkmoor Inc. received 45 million US dollars of Series B financing from Owls."""
ROUNDS_ZH = """云栈智能获得的融资如下：
- 2016年09月08日，云栈智能获得A轮融资，金额2500万元人民币，投资方为海棠创投。
- 2018年03月27日，云栈智能获得B轮融资，金额1.2亿元人民币，投资方为长桥基金。"""


@pytest.mark.parametrize(
    ("lang", "reference", "response", "wrong"),
    [
        (
            "en",
            ROUNDS,
            "| Round | Date | Amount | Investor |\n|---|---|---|---|\n"
            "| Series A | July 22, 2015 | USD 12 million | Kites |\n"
            "| Series B | May 17, 2018 | USD 45 million | Owls |",
            ("45 million", "54 million"),
        ),
        (
            "en",
            ROUNDS,
            "| Amount | Round | Date | Investor |\n|---|---|---|---|\n"
            "| USD 12 million | Series A | July 22, 2015 | Kites |\n"
            "| USD 45 million | Series B | May 17, 2018 | Owls |",
            ("45 million", "54 million"),
        ),
        (
            "zh",
            ROUNDS_ZH,
            "1. **A轮融资**\n - 日期：2016年09月08日\n"
            " - 金额：2500万元人民币\n - 投资方：海棠创投\n"
            "2. **B轮融资**\n - 日期：2018年03月27日\n - 金额：1.2亿元人民币\n - 投资方：长桥基金",
            ("1.2亿", "2.1亿"),
        ),
    ],
)
def test_an_amount_in_a_cell_is_no_comment(
    lang: Lang, reference: str, response: str, wrong: tuple[str, str]
) -> None:
    question = "Which financing rounds are mentioned?" if lang == "en" else "获得了哪些融资？"
    case = Case(lang, "temporal", question, reference, response)
    assert rules.judge(case).correct
    assert not rules.judge(replace(case, response=response.replace(*wrong))).correct


def test_doubts_name_the_evidence_where_the_probability_is_near_one_half() -> None:
    verdicts = [
        rules.judge(answered(*LINES[:2], f"- May 9, 2011: {told}"))
        for told in ("I painted the old gate", "gave the gate fresh paint", "worked outside")
    ]
    for verdict in verdicts:
        assert verdict.probability is not None
        assert bool(verdict.doubts) is (abs(verdict.probability - 0.5) <= DOUBT)
        assert set(verdict.doubts) <= {str(kind) for kind in Kind}


def test_an_answer_that_quotes_the_needles_is_right_whatever_the_reference_says() -> None:
    asked = "Which actions towards Norvel did Brendel take?"
    reference = "Brendel acted as follows:\n- May 2, 2011: Brendel lauded Norvel.\n" + "\n".join(
        f"- June {day}, 2011: Brendel {did} Norvel."
        for day, did in ((3, "rebuked"), (8, "summoned an envoy of"))
    )
    needles = (
        "On May 2, 2011, warm words for Norvel came from Brendel.",
        "Norvel met with a scolding from Brendel on June 3, 2011.",
        "2011-06-08: the ambassador sent by Norvel was called in by Brendel.",
    )
    case = Case("en", "temporal", asked, reference, "\n".join(needles))
    without, known = rules.judge(case), rules.judge(replace(case, needles=needles))
    assert known.correct and known.probability is not None and without.probability is not None
    assert known.probability > without.probability


def test_what_is_named_in_order_to_be_left_out_is_no_item() -> None:
    line = "- May 7, 2011: I sold a boat (this entry is excluded, it is from another diary)"
    verdict = rules.judge(answered(*LINES, line))
    assert verdict.correct
    assert all(pair.reference is not None for pair in verdict.pairs)


def test_denied_hedged_and_padded_answers_are_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import denials

    wrong = [case for _, case in denials.made("test", 500)]
    passed = [case for case in wrong if rules.judge(case).correct]
    assert len(wrong) > 300
    assert len(passed) <= 0.02 * len(wrong), [case.response[-200:] for case in passed]
    sys.modules.pop("denials")


def test_real_answers_put_aside_from_the_fit_are_judged_as_well(real_data: Path) -> None:
    """Groups whose id ends in 0 to 3 were neither read nor fitted; docs/judge.md has figures."""
    rows = [
        json.loads(line)
        for line in (real_data / "judge_dev_answers.jsonl").read_text("utf-8").splitlines()
    ]
    aside = [row for row in rows if row["group"][-1] in "0123"]
    right = sum(
        rules.judge(
            Case(
                row["lang"],
                row["needle_type"],
                row["question"],
                row["reference"],
                row["response"],
                row["requires_order"],
            )
        ).correct
        is (row["label"] == "correct")
        for row in aside
    )
    assert len(aside) == 94
    assert right >= ASIDE_RIGHT


ASIDE_RIGHT = 72
"""Of 94; what is measured stands in docs/judge.md."""
