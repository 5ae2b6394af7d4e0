"""HaystackCraft as it was published: the questions over their ready contexts, as they are.

A sample's id follows from the bytes of the files that it is read from, wherever these lie.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from seqniah_datasets import kept, rng, store
from seqniah_datasets.articles import contexts, folder, published
from seqniah_datasets.articles.contexts import Context, Contexts
from seqniah_datasets.articles.pile import GAP
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.search.base import Retriever
from seqniah_datasets.sources import files
from seqniah_datasets.tokens import tokenizer
from seqniah_tasks.benchmarks.haystackcraft.bench import HaystackCraft
from seqniah_tasks.benchmarks.haystackcraft.collection import Asked, Collection, Folder
from seqniah_tasks.benchmarks.haystackcraft.dynamic import DynamicHaystackCraft
from seqniah_tasks.benchmarks.haystackcraft.laying import NAME, VERSION, PlannedPile, written
from seqniah_tasks.benchmarks.haystackcraft.options import PileOptions, RoundOptions
from seqniah_tasks.benchmarks.protocol import Item, Prompt, prompt_of
from seqniah_tasks.benchmarks.reading import length_name

EDITION = "paper"


def opened(options: PileOptions) -> HaystackCraft:
    """The static benchmark in the edition of the options."""
    return PaperHaystackCraft(options) if options.edition == EDITION else HaystackCraft(options)


def opened_in_rounds(options: RoundOptions) -> DynamicHaystackCraft:
    """The dynamic one."""
    return PaperRounds(options) if options.edition == EDITION else DynamicHaystackCraft(options)


def _edition(place: Path) -> str:
    """What files in the published layout hold: of a build, what it was built from."""
    with suppress(DamagedFile):
        fields = store.read_manifest(place.parent / store.MANIFEST)
        if fields.get("benchmark") == NAME:
            return str(fields.get("edition"))
    return EDITION


class _Published(HaystackCraft):
    """What both tasks have in common over published files."""

    @cached_property
    def _release(self) -> published.Release:
        return published.release(self.options.data)

    def setup(self) -> str:
        """What makes it another test than the usual one, in words."""
        name = self.collection.name
        told = "published data" if name == EDITION else f"as built from {name}"
        return ", ".join(filter(None, (told, super().setup())))

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        return {**super().facts(), "corpus": self.collection.name}

    @property
    def licence(self) -> str:
        """That of the hub's data set; a copy may be of anything."""
        return published.LICENCE if self.options.data.startswith(published.HUB) else ""


class _Questions(Collection):
    """Published questions without the documents, so that nothing can be searched: the numbers of
    golds are places in `golds`."""

    lang = "en"

    def __init__(self, place: Path) -> None:
        self.name = _edition(place)
        paths = [place / name for name in published.QUESTIONS]
        self._questions = folder.read_questions(paths)
        self._digest = rng.digest(*map(files.digest_of, paths)).hex()
        known = dict.fromkeys(gold for one in self._questions for gold in one.golds)
        self.golds = tuple(known)

    @cached_property
    def questions(self) -> Sequence[Asked]:
        """Those of both files, in order."""
        numbers = {gold: number for number, gold in enumerate(self.golds)}
        return [
            Asked(one.id, one.text, one.answer, one.aliases, tuple(numbers[id] for id in one.golds))
            for one in self._questions
        ]

    @property
    def digest(self) -> str:
        """Of the files."""
        return self._digest

    @property
    def corpus_digest(self) -> str:
        """The same, since there are no documents."""
        return self._digest

    def retriever(self, strategy: str) -> Retriever:
        """Raises `SeqniahError`."""
        raise SeqniahError("Ready contexts are not searched; take corpus= for documents.")


class PaperHaystackCraft(_Published):
    """The static task over ready contexts."""

    @cached_property
    def _names(self) -> dict[tuple[str, int], str]:
        """The file of each strategy and length, with slashes. Golds alone are taken from the
        smallest one, since all have them whole."""
        found = {}
        for strategy in self.options.strategy:
            known = self._release.sizes(strategy)
            for tokens in self.options.length:
                if tokens and tokens not in (*known, *published.SIZES):
                    there = ", ".join(length_name(one) for one in known if one)
                    raise SeqniahError(
                        f"There are no contexts of {tokens:,} tokens by {strategy} in "
                        f"{self.options.data}; give of these lengths: {there}."
                    )
                found[strategy, tokens] = contexts.place(strategy, tokens or known[0])
        return found

    @cached_property
    def _place(self) -> Path:
        return self._release.folder([*published.QUESTIONS, *self._names.values()])

    @cached_property
    def _files(self) -> dict[str, Contexts]:
        return {name: Contexts(self._place / name) for name in self._names.values()}

    @cached_property
    def collection(self) -> _Questions:
        """The questions. Raises `SeqniahError` when files are missing, or cannot be read."""
        return _Questions(self._place)

    @cached_property
    def digest(self) -> str:
        """Names everything that the samples' bytes follow from but what their ids tell."""
        return self._named(sorted(one.digest for one in self._files.values()))

    def _digest_of(self, strategy: str, tokens: int) -> str:
        """The same of the samples that one file has the contexts of."""
        return self._named([self._files[self._names[strategy, tokens]].digest])

    def _named(self, digests: Sequence[str]) -> str:
        key = self.options.profile, self.tokenizer.digest, self.collection.digest
        return rng.digest(NAME, VERSION, EDITION, *key, *digests).hex()

    def _golds(self, asked: Asked) -> list[str]:
        return [self.collection.golds[number] for number in asked.golds]

    def _context(self, planned: PlannedPile) -> Context:
        """That of a sample; where it asks for golds alone, without the other documents."""
        golds = self._golds(planned.asked)
        file = self._files[self._names[planned.strategy, planned.tokens]]
        found = file.of(planned.asked.id, golds)
        return found if planned.tokens else found.only(golds)

    def item(self, planned: PlannedPile) -> Item:
        """The question and its answer."""
        asked, context = planned.asked, self._context(planned)
        golds = self._golds(asked)
        return Item(
            asked.text,
            asked.answer,
            {
                **self._told(planned),
                "gold_titles": list(map(context.title, golds)),
                "gold_ranks": context.ranks(golds),
                "overfull": planned.tokens > 0 and context.overfull(golds),
            },
        )

    def prompt(self, planned: PlannedPile) -> Prompt:
        """What a model is asked. Raises `SeqniahError` where the file has changed."""
        text, depths = self._text(planned)
        return replace(prompt_of(text, tokenizer=self.tokenizer), depths=depths)

    def _text(self, planned: PlannedPile) -> tuple[str, tuple[float, ...]]:
        """The same and how deep each gold begins."""
        context = self._context(planned)
        order = context.orders[planned.permutation]
        articles = [context.texts[id] + GAP for id in order]
        return written(self._frame(planned), order, articles, self._golds(planned.asked))

    @property
    def tokenizer(self) -> Any:
        """The run's."""
        return tokenizer(self.options.tokenizer)

    @cached_property
    def _counted(self) -> dict[tuple[str, int], dict[str, int]]:
        return {}

    def tokens(self, planned: PlannedPile) -> int:
        """Exact for the order by rank, and about as many in others."""
        setting = planned.strategy, planned.tokens
        if setting not in self._counted:
            self._counted[setting] = self._counts(*setting)
        return self._counted[setting][planned.asked.id]

    def _counts(self, strategy: str, tokens: int) -> dict[str, int]:
        """Tokens of the prompts of a setting, in the order by rank, by question: worked out once a
        file, and then kept."""
        golds = () if tokens else ("golds",)
        name = rng.digest("tokens", self._digest_of(strategy, tokens), *golds).hex()
        file = store.cache_root() / NAME / f"{name}.json"
        found: dict[str, int] = kept.read(file) or {}
        missing = [one for one in self.asked if one.id not in found]
        for asked in missing:
            text, _ = self._text(self._planned(asked, 0, strategy, tokens))
            (found[asked.id],) = self.tokenizer.counts([text])
        if missing:
            with suppress(SeqniahError):  # then the next run counts again
                kept.write(file, found)
        return found

    def layout(self, place: Path) -> list[str]:
        """None: it is there."""
        return []

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `SeqniahError` where files are missing, or lack a question that is asked."""
        asked = [one.id for one in self.asked]
        for number, file in enumerate(self._files.values(), 1):
            file.check(asked)
            if progress:
                progress("Looking through contexts", number, len(self._files))


class _Documents(Folder):
    """Published documents and links, with the questions of the dynamic task."""

    def __init__(self, place: Path) -> None:
        super().__init__(place, questions=[place / published.ROUNDS])
        self.name = _edition(place)


class PaperRounds(_Published, DynamicHaystackCraft):
    """The dynamic task over the published documents."""

    @cached_property
    def collection(self) -> _Documents:
        """Raises `SeqniahError` when files are missing, or cannot be read."""
        names = published.ROUNDS, folder.DOCUMENTS, folder.EDGES
        return _Documents(self._release.folder(names))
