"""Sequential-NIAH made harder: inline needles, lures, order always asked for, quoted answers."""

from __future__ import annotations

import in_process
import pytest
from lm_eval_parts import Listener
from lm_eval_parts import run as run_lm_eval

import seqniah
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import Pipeline
from seqniah_scorers.order_demand import demands_order
from seqniah_tasks.baselines import BASELINES

SHORT = {"length": "8k-16k", "limit_per_stratum": 3}


def test_the_preset_sets_what_everybody_is_to_publish() -> None:
    bench = seqniah.load("hard", **SHORT).bench
    assert len(bench.plan) == 18
    for planned in bench.plan:
        assert planned.id.startswith(f"hard-{planned.lang}-8k-16k-n")
        recipe, question = bench.recipe(planned), bench.item(planned).question
        assert recipe.qa.order_required
        kind = "logical" if recipe.qa.pipeline is Pipeline.REAL_LOGICAL else "temporal"
        assert demands_order(question, kind)
        assert len(recipe.strays) == 3
        sample = bench.render(recipe)
        assert bench.tokenizer.count(sample.input) == recipe.tokens
        raw = sample.input.encode()
        for span in sample.spans:
            assert raw[span.start - 1 : span.start] != b"\n"
    facts = bench.facts()
    assert (facts["placement"], facts["lures"], facts["ask_order"]) == ("inline", 3, True)


def test_the_same_options_by_hand_ask_the_same() -> None:
    given = {"placement": "inline", "lures": 3, "ask_order": True}
    preset = seqniah.load("hard", **SHORT)
    by_hand = seqniah.load("test", **SHORT, **given)
    assert [one.id for one in by_hand] == [one.id for one in preset]
    assert by_hand[0].prompt == preset[0].prompt
    assert preset[0].id in in_process.run("show", preset[0].id)


def test_each_option_changes_ids_and_only_what_it_says() -> None:
    usual = seqniah.load("test", **SHORT)
    ids = {usual[0].id}
    for given in ({"placement": "inline"}, {"lures": 1}, {"lures": 2}, {"ask_order": True},
                  {"answer": "quoted"}):  # fmt: skip
        found = seqniah.load("test", **SHORT, **given)
        ids.add(found[0].id)
        for one, other in zip(usual, found, strict=True):
            assert one.reference == other.reference
            assert other.question.startswith(one.question)
            assert (one.question == other.question) or "ask_order" in given
    assert len(ids) == 6


def test_a_question_that_demands_the_order_is_not_told_twice() -> None:
    usual, asking = (seqniah.load("test", **SHORT, ask_order=one).bench for one in (False, True))
    demanded = [usual.qa(planned).order_required for planned in usual.plan]
    assert {True, False} == set(demanded)
    pairs = zip(usual.plan, asking.plan, strict=True)
    same = [usual.qa(one).question == asking.qa(other).question for one, other in pairs]
    assert same == demanded


def test_quoted_asks_for_lines_in_the_texts_own_words_and_judges_the_question_alone() -> None:
    found = seqniah.load("test", **SHORT, answer="quoted")
    for one in found:
        before, question, told = one.prompt.rpartition(one.question)
        assert question and before
        assert told.startswith("\n")
        assert ("word for word" in told) or ("原话" in told)


@pytest.mark.parametrize(
    ("task", "given", "told"),
    [
        ("hard", {"lures": 1}, "The task itself sets lures to 3; leave lures out"),
        ("hard", {"placement": "lines"}, "The task itself sets placement to inline"),
        ("hard", {"ask_order": "0"}, "The task itself sets ask_order to True"),
        ("test", {"lures": 5}, "lures"),
        ("test", {"placement": "inlien"}, "known: lines, inline"),
        ("noise", {"lures": 2, "placement": "inline"}, "drop placement, lures, or run the task"),
    ],
)
def test_options_that_cannot_be_are_refused(task: str, given: dict[str, object], told: str) -> None:
    with pytest.raises(SeqniahError) as error:
        len(seqniah.load(task, **SHORT, **given))
    assert told in str(error.value)


def test_lm_eval_asks_the_same() -> None:
    model = Listener()
    run_lm_eval(model, {**SHORT, "scorer": "rules"}, tasks="seqniah_hard_real_temporal_en", limit=3)
    found = seqniah.load("hard", **SHORT, lang="en", pipeline="real-temporal")
    assert model.prompts == [one.prompt for one in found]
    (document,) = (found.bench.document_facts(one) for one in found.bench.plan[:1])
    words = ["needles inline", "lures: 3", "order always asked for"]
    assert found.benchmark.columns.setups(document) == words
    # What is published has no new field, so that its documents keep their hashes.
    usual = seqniah.load("test", **SHORT).bench
    assert not {"placement", "lures", "answer"} & set(usual.document_facts(usual.plan[0]))


def test_a_text_search_finds_lures_where_there_are_any() -> None:
    right = {}
    for name, given in {"usual": {}, "lures": {"lures": 4}}.items():
        found = seqniah.load("test", length="8k-16k", pipeline="real-temporal",
                             limit_per_stratum=12, **given)  # fmt: skip
        answers = (found.judge(one, BASELINES["lexical"](one.prompt, 10)) for one in found)
        right[name] = sum(bool(one.score) for one in answers)
    assert right["lures"] < right["usual"]
