"""Which prompts were cut, told from what providers report; and room for the answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import budget
from seqniah_tasks.truncation import ENOUGH, Fate, Sent, fates, final_fates, noted

LENGTHS = [8_000 + 3_000 * step for step in range(40)]


def _run(window: int | None, ratio: float = 1.0, lang: str = "en") -> list[Sent]:
    """What a server with another encoding reports, cutting at `window` of its tokens."""
    full = [int(length * ratio) + 30 for length in LENGTHS]  # 30 for its chat template
    seen = [min(count, window) if window else count for count in full]
    return [Sent(lang, length, count) for length, count in zip(LENGTHS, seen, strict=True)]


@pytest.mark.parametrize("ratio", [0.55, 0.8, 1.3, 1.7])
def test_whole_prompts_are_whole_in_any_encoding(ratio: float) -> None:
    found = fates(_run(None, ratio))
    assert found[:ENOUGH] == [Fate.UNVERIFIED] * ENOUGH
    assert set(found[ENOUGH:]) == {Fate.WHOLE}


def test_equal_counts_prove_a_prompt_whole_however_few_there_are() -> None:
    assert fates([Sent("en", 9_000, 9_000)]) == [Fate.WHOLE]
    assert fates([Sent("en", 9_000, 9_030)]) == [Fate.UNVERIFIED]
    # A chat template adds the same to every prompt.
    assert set(fates(_run(None))) == {Fate.WHOLE}
    assert fates(_run(None)[:2]) == [Fate.WHOLE] * 2
    # Among prompts that a template is added to, one without it lost as many.
    assert fates([*_run(None)[:4], Sent("en", 50_000, 44_000)])[4] is Fate.UNVERIFIED


@pytest.mark.parametrize("window", [32_768, 65_536, 100_000])
@pytest.mark.parametrize("ratio", [0.7, 1.0, 1.4])
def test_prompts_cut_in_silence_are_found(window: int, ratio: float) -> None:
    run = _run(window, ratio)
    for prompt, fate in zip(run, fates(run), strict=True):
        full = prompt.exact * ratio + 30
        if full <= window:
            assert fate is not Fate.CUT
        elif full > window * 1.02:
            assert fate is Fate.CUT, prompt


def test_a_window_below_all_prompts_is_found_by_its_plateau() -> None:
    found = fates(_run(4_096))
    # The shortest might have had just that many tokens; all others cannot.
    assert set(found[1:]) == {Fate.CUT}


def test_languages_are_compared_each_with_itself() -> None:
    english, chinese = _run(None, 1.0), _run(None, 0.6, "zh")
    assert Fate.CUT not in fates([*english, *chinese])


def test_a_provider_that_reports_nothing_leaves_all_unverified() -> None:
    assert set(fates([Sent("en", length, 0) for length in LENGTHS])) == {Fate.UNVERIFIED}


@given(st.permutations(range(len(LENGTHS))))
def test_the_order_of_samples_does_not_matter(order: list[int]) -> None:
    run = _run(50_000)
    found = fates(run)
    assert fates([run[place] for place in order]) == [found[place] for place in order]


def test_what_a_run_noted_is_judged_again_with_all_samples() -> None:
    run = _run(40_000)
    notes = [{"lang": one.lang, **noted(one, Fate.UNVERIFIED)} for one in run]
    assert not any("prompt_fate" in one for one in notes)
    assert final_fates(notes) == fates(run)
    # Logs of earlier versions told what was known when a sample was asked.
    early = [{**one, "prompt_fate": "whole"} for one in notes]
    assert final_fates(early) == fates(run)
    for settled in (Fate.SKIPPED, Fate.CUT):
        notes[0] = {"lang": "en", **noted(run[0], settled)}
        assert final_fates(notes)[0] is settled
    bare = {"lang": "en", **noted(Sent("en", 200, 0), Fate.WHOLE)}
    assert final_fates([*notes, bare])[-1] is Fate.WHOLE
    assert final_fates([{}, {"lang": "en"}]) == [Fate.UNVERIFIED] * 2


LARGE = budget.Model("m", window=131_072)


@pytest.mark.parametrize(
    ("model", "asked", "prompt", "output"),
    [
        (budget.Model("m"), None, 100_000, 16_384),  # nothing known: the default
        (LARGE, None, 100_000, 16_384),
        (LARGE, None, 125_000, 131_072 - 125_000 - 128),  # less, so that both fit
        (LARGE, 4_000, 100_000, 4_000),
        (budget.Model("m", 400_000, 128_000, True), None, 100_000, 32_768),
        (budget.Model("m", 200_000, 4_096), None, 100_000, 4_096),
    ],
)
def test_output_tokens(model: budget.Model, asked: int | None, prompt: int, output: int) -> None:
    allowed = budget.budget(model, asked)
    assert allowed.fits(prompt)
    assert allowed.output(prompt) == output


@pytest.mark.parametrize(
    ("model", "least"), [(budget.Model("m"), 2_048), (budget.Model("m", reasoning=True), 8_192)]
)
def test_a_budget_below_the_minimum_is_refused(model: budget.Model, least: int) -> None:
    with pytest.raises(SeqniahError, match=f"pass --max-tokens {least} or more"):
        budget.budget(model, least - 1)
    assert budget.budget(model, least).wanted == least


def test_prompts_that_cannot_fit_are_counted_by_bin() -> None:
    allowed = budget.budget(budget.Model("small", window=32_768), None)
    prompts = [("8k-16k", 12_000), ("16k-32k", 20_000), ("16k-32k", 31_000), ("32k-64k", 40_000)]
    with pytest.raises(SeqniahError) as error:
        budget.check_fit(allowed, prompts)
    message = str(error.value)
    assert "The window of small (32,768 tokens)" in message
    assert "0 of 1 in 8k-16k, 1 of 2 in 16k-32k, 1 of 1 in 32k-64k" in message
    assert "-T length=8k-16k, or -T on_overflow=skip" in message
    budget.check_fit(allowed, prompts[:2])


def test_where_nothing_fits_a_larger_window_is_advised() -> None:
    allowed = budget.budget(budget.Model("tiny", window=4_096), None)
    with pytest.raises(SeqniahError, match="use a model with a larger window"):
        budget.check_fit(allowed, [("8k-16k", 12_000)])


def test_of_many_lengths_the_first_too_long_is_told_and_an_option_of_the_benchmarks_own() -> None:
    allowed = budget.budget(budget.Model("small", window=32_768), None, longest=9_000)
    prompts = [(f"{length}k", length * 1_000) for length in range(4, 40, 4)]
    with pytest.raises(SeqniahError) as error:
        budget.check_fit(allowed, prompts, lambda fitting: {"most": fitting[-1]})
    assert "and 9,000 tokens of answer for 4 samples (4 of 9, from 24k on)" in str(error.value)
    assert "pass -T most=20k, or -T on_overflow=skip" in str(error.value)


def test_the_edge_of_a_plateau_is_cut_where_nothing_speaks_for_it() -> None:
    run = [Sent("en", exact, 16_000) for exact in (17_523, 20_000, 25_000, 30_000)]
    assert set(fates(run)) == {Fate.CUT}
    shorter = [Sent("en", 9_000 + n, 9_000 + n) for n in range(2)]
    assert fates([*shorter, *run])[2] is Fate.CUT
    just_fits = Sent("en", 16_000, 16_000)
    assert fates([*shorter, just_fits, *run[1:]])[2] is not Fate.CUT
