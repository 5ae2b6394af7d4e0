"""The benchmarks as `estimate` sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.schema import Lang, StarTask
from seqniah_datasets.sources import stars
from seqniah_tasks.benchmarks.counting_stars import CountingStars
from seqniah_tasks.benchmarks.options import LENGTHS, Options
from seqniah_tasks.benchmarks.sequential_niah import Planned, SequentialNiah
from seqniah_tasks.benchmarks.star_questions import PlannedStars, length_name
from seqniah_tasks.budget import these_lengths
from seqniah_tasks.estimate import Prefixes, Subject
from seqniah_tasks.prompts import counting_stars as prompts


def sequential_niah(options: Options) -> Subject[Planned]:
    """A split. The corpus of the options is not opened: lengths and questions do not depend on it.

    Raises `SeqniahError` when sources are missing or of the wrong kind.
    """
    bench = SequentialNiah(replace(options, corpus=DEFAULT_CORPUS))
    return Subject(
        bench=bench,
        title=f"Sequential-NIAH, {options.split} split",
        lengths=tuple(one.name for one in LENGTHS),
        reference=lambda planned: bench.qa(planned).reference,
        narrower=these_lengths,
        prefixes=None,
    )


def counting_stars(bench: CountingStars) -> Subject[PlannedStars]:
    """Skies and questions about them; the corpus is opened, since players are chosen by its text.

    Raises `CorpusError` when it is not there.
    """
    options, setup = bench.options, bench.setup()
    return Subject(
        bench=bench,
        title=f"Counting-Stars {options.edition}" + (f" ({setup})" if setup else ""),
        lengths=tuple(map(length_name, options.lengths)),
        reference=bench.reference,
        narrower=lambda fitting: f"-T max_length={fitting[-1]} (other lengths, another test)",
        prefixes=lambda planned: star_prefixes(bench, planned),
    )


_ONE_SKY = "questions about one sky share all of it"
_ONE_BEGINNING = "skies of one language begin alike, up to the first star"


def star_prefixes(bench: CountingStars, planned: Sequence[PlannedStars]) -> Prefixes:
    """What prompts of Counting-Stars have in common with those before them.

    The same sky: all but the question. Another one of the language: the text up to the first star
    of the shorter one, an M-th of it. Stars that are the same by chance are not counted.
    """
    found = 0
    skies: set[tuple[Lang, int, int]] = set()
    longest: dict[Lang, int] = {}
    for one in planned:
        sky, text = _sky_tokens(bench, one)
        key = one.lang, one.tokens, one.repeat
        found += sky if key in skies else min(text, longest.get(one.lang, 0)) // bench.options.m
        skies.add(key)
        longest[one.lang] = max(text, longest.get(one.lang, 0))
    players = bench.options.task is StarTask.PLAYERS
    return Prefixes(found, f"{_ONE_SKY}, and {_ONE_BEGINNING}" if players else _ONE_BEGINNING)


def _sky_tokens(bench: CountingStars, planned: PlannedStars) -> tuple[int, int]:
    """Tokens of a prompt's sky, and of its text alone; about, taking all stars for alike."""
    asked, count = bench.asked(planned), bench.corpus.tokenizer.count
    sky = bench.target(planned) - count(prompts.frame(asked.question).after)
    middle = asked.stars[len(asked.stars) // 2]
    star = count(f"\n{stars.sentence(planned.lang, middle)}")
    return sky, max(0, sky - len(asked.stars) * star)
