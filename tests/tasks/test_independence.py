"""Samples of the embedded corpus share hardly any text; the whole split is measured nightly."""

from __future__ import annotations

from itertools import combinations

import pytest

import seqniah
from seqniah_datasets.schema import LANGS

RUN = {"en": 100, "zh": 30}
"""Characters of a run that counts as shared."""


@pytest.mark.parametrize("lang", LANGS)
def test_no_two_samples_share_more_than_a_hundredth_of_their_text(lang: str) -> None:
    texts = {}
    for task in ("test", "dev", "train"):
        bench = seqniah.load(task, lang=lang, length="16k-32k")
        for _, sample in zip(range(4), bench, strict=False):
            texts[sample.id] = sample.prompt
    assert len(texts) == 12
    run = RUN[lang]
    starts = {name: _runs(text, run) for name, text in texts.items()}
    for one, other in combinations(texts, 2):
        # The frame of the question is every prompt's; it is shorter than the hundredth allowed.
        known = set(starts[other])
        covered, last = 0, -run
        for place, found in enumerate(starts[one]):
            if found in known:
                covered += min(run, place - last)
                last = place
        assert covered <= 0.01 * len(texts[one]), (one, other)


def _runs(text: str, length: int) -> list[str]:
    return [text[place : place + length] for place in range(len(text) - length + 1)]
