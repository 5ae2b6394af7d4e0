"""The quota table against what the paper prints, and the fair order of samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from seqniah_datasets import splits
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Pipeline, Split
from seqniah_datasets.splits import Slot

# Table 2 of the paper (arXiv 2504.04713 v2).
LANGUAGES: dict[Split, dict[str, int]] = {
    "train": {"en": 5_400, "zh": 4_600},
    "dev": {"en": 1_015, "zh": 985},
    "test": {"en": 1_085, "zh": 915},
}
# Table 1.
PIPELINES = {
    ("en", "synthetic-temporal"): 3_000,
    ("zh", "synthetic-temporal"): 3_000,
    ("en", "real-temporal"): 3_003,
    ("zh", "real-temporal"): 2_011,
    ("en", "real-logical"): 1_497,
    ("zh", "real-logical"): 1_489,
}
LENGTHS = {
    ("en", "8k-16k"): 1_000,
    ("en", "16k-32k"): 2_000,
    ("en", "32k-64k"): 2_000,
    ("en", "64k-128k"): 2_500,
    ("zh", "8k-16k"): 750,
    ("zh", "16k-32k"): 1_750,
    ("zh", "32k-64k"): 1_750,
    ("zh", "64k-128k"): 2_250,
}
# Table 6: samples of the test split by length and number of needles (3-5, 6-10, >10).
NEEDLES = {
    "8k-16k": (79, 110, 31),
    "16k-32k": (195, 309, 106),
    "32k-64k": (187, 304, 119),
    "64k-128k": (158, 305, 97),
}


@pytest.mark.parametrize("split", SPLITS)
def test_languages_of_a_split(split: Split) -> None:
    found: Counter[str] = Counter()
    for cell in splits.cells(split):
        found[cell.lang] += cell.count
    assert found == LANGUAGES[split]


def test_pipelines_and_lengths_over_all_splits() -> None:
    pipelines: Counter[tuple[str, str]] = Counter()
    lengths: Counter[tuple[str, str]] = Counter()
    for split in SPLITS:
        for cell in splits.cells(split):
            pipelines[cell.lang, str(cell.pipeline)] += cell.count
            lengths[cell.lang, cell.length.name] += cell.count
    assert pipelines == PIPELINES
    assert lengths == LENGTHS


def test_needles_by_length_in_the_test_split() -> None:
    found: Counter[tuple[str, str]] = Counter()
    for cell in splits.cells("test"):
        found[cell.length.name, cell.group.name] += cell.count
    for length, counts in NEEDLES.items():
        assert tuple(found[length, group] for group in ("3-5", "6-10", ">10")) == counts


def test_bins_are_half_open_and_leave_128_000_out() -> None:
    assert [(one.low, one.high) for one in splits.BINS] == [
        (8_000, 16_000),
        (16_000, 32_000),
        (32_000, 64_000),
        (64_000, 128_000),
    ]


@pytest.mark.parametrize("split", SPLITS)
def test_every_sample_of_a_split_comes_once(split: Split) -> None:
    found = splits.slots(split, tuple(Pipeline), 0)
    assert len({(slot.lang, slot.pipeline, slot.serial) for slot in found}) == len(found)
    cells = Counter((slot.lang, slot.pipeline, slot.length, slot.group) for slot in found)
    for cell in splits.cells(split):
        assert cells[cell.lang, cell.pipeline, cell.length, cell.group] == cell.count


def _shares(slots: Sequence[Slot], field: str) -> dict[str, float]:
    counts = Counter(str(getattr(slot, field)) for slot in slots)
    return {value: count / len(slots) for value, count in counts.items()}


@pytest.mark.parametrize("limit", [10, 20, 50, 137, 400])
@pytest.mark.parametrize("pipelines", [tuple(Pipeline), (Pipeline.SYNTHETIC_TEMPORAL,)])
def test_any_first_part_is_a_fair_miniature(limit: int, pipelines: tuple[Pipeline, ...]) -> None:
    found = splits.slots("test", pipelines, 0)
    for field in ("lang", "pipeline", "length", "group"):
        whole, part = _shares(found, field), _shares(found[:limit], field)
        for value, wanted in whole.items():
            # At most one and a half samples away from the exact share.
            assert abs(part.get(value, 0.0) - wanted) * limit <= 1.5, (field, value)


def test_the_order_depends_on_seed_only_within_cells() -> None:
    one, two = (splits.slots("test", tuple(Pipeline), seed) for seed in (0, 1))
    cells = [
        [(slot.lang, slot.pipeline, slot.length, slot.group) for slot in s] for s in (one, two)
    ]
    assert cells[0] == cells[1]
    assert [slot.serial for slot in one] != [slot.serial for slot in two]


def test_needle_counts_lie_in_their_group_and_fill_it() -> None:
    wishes = splits.wishes("test", "en", Pipeline.SYNTHETIC_TEMPORAL, 0)
    assert {wish.needles for wish in wishes} == set(range(3, 16))
    assert all(wish.group.low <= wish.needles <= wish.group.high for wish in wishes)


@pytest.mark.parametrize(
    ("pipeline", "most_often", "highest"),
    [(Pipeline.REAL_TEMPORAL, 6, 10), (Pipeline.REAL_LOGICAL, 5, 15)],
)
@pytest.mark.parametrize("lang", LANGS)
def test_needle_counts_have_the_observed_mode(
    lang: Lang, pipeline: Pipeline, most_often: int, highest: int
) -> None:
    wishes = splits.wishes("train", lang, pipeline, 0)
    counts = Counter(wish.needles for wish in wishes)
    assert counts.most_common(1)[0][0] == most_often
    assert (min(counts), max(counts)) == (3, highest)


def test_there_is_a_wish_for_every_sample_of_the_quota_table() -> None:
    for split in SPLITS:
        wishes = {
            (lang, pipeline): splits.wishes(split, lang, pipeline, 0)
            for lang in LANGS
            for pipeline in Pipeline
        }
        for slot in splits.slots(split, tuple(Pipeline), 0):
            assert wishes[slot.lang, slot.pipeline][slot.serial].group == slot.group


def test_longer_bins_ask_the_shortest_bins_questions_again() -> None:
    longer = splits.LONGER_BINS
    found = splits.slots("test", tuple(Pipeline), 0, longer)
    assert len(found) == 2_000 + 3 * 220
    short = {(s.lang, s.pipeline, s.serial, s.group) for s in found if s.length == splits.BINS[0]}
    for one in longer:
        again = {(s.lang, s.pipeline, s.serial, s.group) for s in found if s.length == one}
        assert again == short
