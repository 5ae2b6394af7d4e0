"""Counting-Stars: from options to skies, stars, questions, prompts and verdicts (2403.11802).

A sample is a function of its key: language, length, stars, task, repeat and seed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from seqniah_datasets import rendering, rng, spread
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.corpora.joined import shared
from seqniah_datasets.errors import CorpusError
from seqniah_datasets.rulers import Sky
from seqniah_datasets.schema import Lang, Needle, Origin, QAItem, Recipe, Sample, StarAsk, StarTask
from seqniah_datasets.sources import stars
from seqniah_datasets.sources.stars import PLAYERS, Player
from seqniah_datasets.spread import Layout, Placed, Skies, Spread
from seqniah_tasks.benchmarks.counting_stars import prompts
from seqniah_tasks.benchmarks.counting_stars.options import USUAL_LENGTH, StarOptions
from seqniah_tasks.benchmarks.counting_stars.questions import Asked, PlannedStars, draw
from seqniah_tasks.benchmarks.haystacks import LICENCE, HaystackBench
from seqniah_tasks.benchmarks.protocol import Facts, Item, Prefixes
from seqniah_tasks.benchmarks.reading import length_name

VERSION = 2
"""Of the benchmark's bytes; any change of a recipe or prompt raises it."""

NAME, TITLE = "counting-stars", "Counting-Stars"

_ONE_SKY = "questions about one sky share all of it"
_ONE_BEGINNING = "skies of one language begin alike, up to the first star"

_STEPS = (1_000, 100)
"""To which a length is rounded down that is advised: the first one of which it has ten or more."""

_TOLD = 4
"""Given numbers that a run's set-up names."""

_SPARE = 2
"""Tokens of a character or word, at most, in choosing a document that is long enough."""


class CountingStars(HaystackBench[PlannedStars]):
    """The benchmark with one set of options."""

    benchmark = NAME
    options: StarOptions

    _last: tuple[tuple[rng.Key, ...], Layout] | None = None
    """The layout made last, by the key of its sky."""

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from."""
        return rng.digest(*(self._digests[lang] for lang in sorted(self.options.lang))).hex()

    @cached_property
    def _digests(self) -> dict[Lang, str]:
        """The same of each language, so that its samples have their ids whatever else is asked."""
        o = self.options
        corpora = self.corpus.tokenizer.digest, self.corpus.digest
        shape = o.m, str(o.task), o.players, o.order, o.snap, o.unit, len(o.numbers), *o.numbers
        keys = {
            lang: (NAME, VERSION, o.seed, *corpora, skies.sky.shard, *shape)
            for lang, skies in self._skies.items()
        }
        return {lang: rng.digest(*key).hex() for lang, key in keys.items()}

    @cached_property
    def plan(self) -> list[PlannedStars]:
        """What is asked: both languages and all lengths mixed, questions about one sky together."""
        o = self.options
        return [
            PlannedStars(self._id(lang, length, repeat, ask), lang, length, repeat, ask)
            for repeat in range(1, o.repeats + 1)
            for length in _mixed(o.lengths)
            for lang in o.lang
            for ask in o.ask
        ]

    def _id(self, lang: Lang, length: int, repeat: int, ask: StarAsk) -> str:
        o, digest = self.options, self._digests[lang][:6]
        asked = f"-{ask}" if o.task is StarTask.PLAYERS else ""
        return f"stars-{lang}-{length_name(length)}-m{o.m}-{o.task}{asked}-r{repeat}-{digest}"

    @property
    def name(self) -> str:
        """The benchmark and its edition."""
        return f"{NAME}-{self.options.edition}"

    @property
    def title(self) -> str:
        """Edition and set-up."""
        setup = self.setup()
        return f"{TITLE} {self.options.edition}" + (f" ({setup})" if setup else "")

    @property
    def longest_answer(self) -> int:
        """A token for each digit of the numbers asked for, commas, name and braces."""
        o = self.options
        digits = len(str(max((4 * o.m, *o.numbers))))
        most = max(-(-o.m * ask.players // o.players) for ask in o.ask)
        return most * (digits + 2) + 64

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        o = self.options
        return {
            "benchmark": NAME,
            "version": VERSION,
            "edition": o.edition,
            "split": "test",
            "digest": self.digest,
            "corpus": self.corpus.spec,
            "corpus_digest": self.corpus.digest,
            "tokenizer": o.tokenizer,
            "tokenizer_digest": self.corpus.tokenizer.digest,
            "seed": o.seed,
            "order": o.order,
            "numbers": list(o.numbers),
            "task": str(o.task),
            "stars": o.m,
            "intervals": o.n,
            "max_length": o.max_length,
            "unit": o.unit,
            "snap": o.snap,
            "repeats": o.repeats,
            "players": o.players,
            "setup": self.setup(),
        }

    @property
    def licence(self) -> str:
        """That of the project, unless the sky is of a user's corpus."""
        return LICENCE if self.options.corpus == DEFAULT_CORPUS else ""

    def setup(self) -> str:
        """What makes it another test than the plain one, in words; empty if nothing does."""
        o = self.options
        unusual = {
            str(o.task): o.task is StarTask.REASONING,
            f"{o.players} players": o.task is StarTask.PLAYERS,
            self._given(): bool(o.numbers),
            f"snap {o.snap}": o.snap != "sentence",
            f"length in {o.unit}": o.unit != "tokens",
            f"seed {o.seed}": o.seed != 0,
            f"up to {length_name(o.max_length)}": o.max_length != USUAL_LENGTH,
        }
        return ", ".join(word for word, holds in unusual.items() if holds)

    def _given(self) -> str:
        """The given numbers in short, so that runs on others have another name."""
        numbers = self.options.numbers
        told = " ".join(map(str, numbers[:_TOLD])) + (" ..." if len(numbers) > _TOLD else "")
        return f"numbers {told} ({rng.digest(*numbers).hex()[:6]})"

    def asked(self, planned: PlannedStars) -> Asked:
        """The stars of a sample's sky and its question. Raises `SeqniahError` when none can be."""
        return draw(self.options, planned, self._free[planned.lang], self._key(planned))

    @cached_property
    def _free(self) -> dict[Lang, list[Player]]:
        """Who may count in a language's sky: animals of which the text itself does not speak."""
        found: dict[Lang, list[Player]] = {}
        for lang, skies in self._skies.items():
            sky = skies.sky
            wanted = PLAYERS[lang] if self.options.task is StarTask.PLAYERS else PLAYERS[lang][:1]
            found[lang] = [one for one in wanted if not sky.holds(one.name, len(sky.text))]
            if len(found[lang]) < self.options.players:
                fewer = ", or fewer players" if len(wanted) > 1 else ""
                others = ", or of other animals that count" if fewer else ""
                raise CorpusError(
                    f"The corpus {self.corpus.spec} itself speaks of a {wanted[0].name}{others}; "
                    f"give another corpus{fewer}."
                )
        return found

    def _key(self, planned: PlannedStars) -> tuple[rng.Key, ...]:
        """Of a sky; what is asked of it does not enter."""
        o = self.options
        return NAME, VERSION, o.seed, str(o.task), planned.lang, planned.tokens, planned.repeat

    def recipe(self, planned: PlannedStars) -> Recipe:
        """Raises `CorpusError` when the corpus is too short, `SeqniahError` if stars do not fit."""
        wanted, sky = self._wanted(planned), self._skies[planned.lang]
        return spread.recipe(wanted, sky, self._layout(planned))

    def _layout(self, planned: PlannedStars) -> Layout:
        """Of all that is asked of one sky the same: room is made for the longest question."""
        key, last = self._key(planned), self._last
        if last and last[0] == key:
            return last[1]
        asks = StarAsk if self.options.task is StarTask.PLAYERS else (planned.ask,)
        count = self.corpus.tokenizer.count
        wanted = [self._wanted(replace(planned, ask=ask)) for ask in asks]
        longest = max(wanted, key=lambda one: count(one.frame.after))
        found = spread.layout(longest, self._skies[planned.lang])
        self._last = key, found
        return found

    def _wanted(self, planned: PlannedStars) -> Spread:
        asked, o = self.asked(planned), self.options
        placed: list[Placed] = []
        needles: list[Needle] = []
        for star in asked.stars:
            text, named = stars.sentence(planned.lang, star), star.player in asked.players
            placed.append(Placed(text, len(needles) if named else None))
            if named:
                needles.append(Needle(text, str(star.number), str(star.number), None))
        qa = QAItem(
            lang=planned.lang,
            pipeline=o.task,
            subject=asked.players[0].name,
            question=asked.question,
            intro=asked.reference,
            needles=tuple(needles),
            order_required=True,
        )
        return Spread(
            id=planned.id,
            origin=Origin(VERSION, o.edition, f"stars {self._digests[planned.lang][:12]}"),
            qa=qa,
            stars=tuple(placed),
            frame=prompts.frame(asked.question),
            length=planned.tokens,
            snap=o.snap,
            unit=o.unit,
            task=o.task,
        )

    @cached_property
    def _skies(self) -> dict[Lang, Skies]:
        o = self.options
        long = o.max_length * (1 if o.unit == "tokens" else _SPARE)
        found = {lang: shared(self.corpus, lang, long) for lang in o.lang}
        return {lang: Skies(Sky(*document), o.unit, lang) for lang, document in found.items()}

    def render(self, recipe: Recipe) -> Sample:
        """The finished prompt of a recipe."""
        return rendering.render(recipe, self._skies[recipe.qa.lang].sky.corpus)

    def item(self, planned: PlannedStars) -> Item:
        """Question and reference, and what logs keep of the sample."""
        asked = self.asked(planned)
        return Item(asked.question, asked.reference, asked.facts(planned, self.options))

    def document_facts(self, planned: PlannedStars) -> dict[str, Any]:
        """What an answer can be judged by."""
        item = self.item(planned)
        return {**item.texts, **item.facts}

    @property
    def lengths(self) -> tuple[str, ...]:
        """Those of the options."""
        return tuple(map(length_name, self.options.lengths))

    def narrower(self, fitting: Sequence[str]) -> Facts:
        """The longest length that fits; it makes other lengths, so another test."""
        return {"max_length": fitting[-1]}

    narrower_is_another = True

    def narrower_than(self, fitting: Sequence[str], first: PlannedStars, share: float) -> Facts:
        """The longest length with which all prompts fit, about."""
        most = int(first.tokens * share)
        for step in _STEPS:
            if most >= 10 * step:
                return {"max_length": most // step * step}
        return {}

    def answer_start(self, planned: PlannedStars) -> str:
        """The beginning of a JSON object."""
        asked = self.asked(planned)
        return prompts.answer_start(planned.lang, planned.ask, asked.key)

    def tokens(self, planned: PlannedStars) -> int:
        """How many tokens the prompt will have, or a few more."""
        if self.options.unit == "tokens":
            return planned.tokens
        return self.recipe(planned).tokens

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `SeqniahError` when stars and sky do not go together."""
        if self.corpus.eager:
            self.corpus.prepare(progress)
        by_length = sorted(self.plan, key=lambda planned: planned.tokens)
        for lang in self.options.lang:
            of_lang = [planned for planned in by_length if planned.lang == lang]
            # The longest first: where the sky is too short for it, that is what is told.
            for planned in (of_lang[-1], of_lang[0]):
                self.recipe(planned)

    def prefixes(self, planned: Sequence[PlannedStars]) -> Prefixes:
        """What prompts have in common with those before them.

        The same sky: all but the question. Another one of the language: the text up to the first
        star of the shorter one, an M-th of it. Stars that are the same by chance are not counted.
        """
        found = 0
        skies: set[tuple[Lang, int, int]] = set()
        longest: defaultdict[Lang, int] = defaultdict(int)
        for one in planned:
            sky, text = self._sky_tokens(one)
            key = one.lang, one.tokens, one.repeat
            found += sky if key in skies else min(text, longest[one.lang]) // self.options.m
            skies.add(key)
            longest[one.lang] = max(text, longest[one.lang])
        players = self.options.task is StarTask.PLAYERS
        return Prefixes(found, f"{_ONE_SKY}, and {_ONE_BEGINNING}" if players else _ONE_BEGINNING)

    def _sky_tokens(self, planned: PlannedStars) -> tuple[int, int]:
        """Tokens of a prompt's sky, and of its text alone; about, taking all stars for alike."""
        asked, count = self.asked(planned), self.tokenizer.count
        sky = self.tokens(planned) - count(prompts.frame(asked.question).after)
        middle = asked.stars[len(asked.stars) // 2]
        star = count(f"\n{stars.sentence(planned.lang, middle)}")
        return sky, max(0, sky - len(asked.stars) * star)


def _mixed(lengths: tuple[int, ...]) -> list[int]:
    """All lengths, so ordered that any first part has long and short ones (van der Corput)."""

    def halved(number: int) -> int:
        return int(f"{number:020b}"[::-1], 2)

    longest_first = lengths[::-1]
    return [longest_first[number] for number in sorted(range(len(lengths)), key=halved)]
