"""HaystackCraft's dynamic task: each round over a pile that the latest question has found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from seqniah_datasets.corpora.base import Progress
from seqniah_tasks.benchmarks.haystackcraft import prompts, publishing, rounds
from seqniah_tasks.benchmarks.haystackcraft.bench import HaystackCraft, gold_ranks
from seqniah_tasks.benchmarks.haystackcraft.laying import PlannedPile
from seqniah_tasks.benchmarks.haystackcraft.options import RoundOptions
from seqniah_tasks.benchmarks.haystackcraft.prompts import Frame
from seqniah_tasks.benchmarks.haystackcraft.rounds import Laid, Rules, State
from seqniah_tasks.benchmarks.protocol import Exchange, Item, Step

REPLY_TOKENS = 256
"""Of a summary and a refined question, as estimates assume: a paragraph."""


class DynamicHaystackCraft(HaystackCraft):
    """The dynamic benchmark with one set of options; a sample's prompt is that of its first round,
    and its facts tell of it.
    """

    options: RoundOptions

    @property
    def rules(self) -> Rules:
        """How many rounds there are, and how replies are read."""
        return Rules.of(self.options.rounds, self.options.profile)

    @property
    def _own_key(self) -> tuple[str, ...]:
        return self.options.rounds, self.options.show_question

    def item(self, planned: PlannedPile) -> Item:
        """The question and its answer."""
        item = super().item(planned)
        return replace(item, facts={**item.facts, "rounds": self.options.rounds})

    def _frame(self, planned: PlannedPile) -> Frame:
        return self._frame_of(State(planned.asked.text, planned.asked.text))

    def _frame_of(self, state: State) -> Frame:
        both = self.options.show_question == "both" and state.query != state.question
        questions = (state.question, state.query) if both else (state.query,)
        task = self.rules.task(state.number)
        return prompts.of_round(self.options.profile, task, questions, state.summaries)

    def laid(self, planned: PlannedPile, state: State) -> Laid:
        """The prompt of a round: the golds, and what its query finds while there is room.

        What the model found before has its place in any case, as the golds have: where these
        alone are too long, the prompt is `overfull`.
        """
        ranking = self.rankings.of_query(state.query, planned.strategy)
        shown = self._laying.shown(planned, ranking, self._frame_of(state))
        articles = self.collection.library.articles
        facts = {
            "documents": [articles[number].id for number in shown.numbers],
            "gold_ranks": gold_ranks(planned.asked, ranking),
            "overfull": shown.pile.overfull,
            "prompt_tokens": shown.prompt.tokens,
        }
        return Laid(shown.prompt, facts)

    def prepare(self, progress: Progress | None = None) -> None:
        """Raises `SeqniahError` also where only the questions themselves can be ranked for."""
        super().prepare(progress)
        for strategy in self.options.strategy:
            self.rankings.of_query("A refined question?", strategy)

    def layout(self, place: Path) -> list[str]:
        """Questions, documents and links as they were published."""
        return publishing.documents(place, self.asked, self.collection.library)

    def exchanges(self, planned: PlannedPile) -> list[Exchange]:
        """A round each; that a model may answer before the last one is not counted on."""
        first, rounds_ = self.tokens(planned), self.rules.rounds
        # Lengths are of whole prompts; the golds alone have the summaries beside them.
        grown = 0 if planned.tokens else REPLY_TOKENS
        return [
            Exchange(first + grown * past, None if past == rounds_ - 1 else REPLY_TOKENS)
            for past in range(rounds_)
        ]

    def setup(self) -> str:
        """What makes it another test than the usual one, in words."""
        o = self.options
        told = [
            super().setup(),
            rounds.named(o.rounds),
            "both questions shown" if o.show_question == "both" else "",
        ]
        return ", ".join(filter(None, told))

    def facts(self) -> dict[str, object]:
        """What names the samples' bytes in logs and manifests."""
        o = self.options
        return {**super().facts(), "rounds": o.rounds, "show_question": o.show_question}


def follow(bench: Any, planned: PlannedPile, state: State | None, reply: str) -> Step:
    """What follows from the reply to a round of a sample; `state`: None after the first one."""
    assert isinstance(bench, DynamicHaystackCraft)

    def lay(of: State) -> Laid:
        return bench.laid(planned, of)

    at = state or rounds.begin(planned.asked.text, lay)
    return rounds.follow(bench.rules, at, reply, lay)
