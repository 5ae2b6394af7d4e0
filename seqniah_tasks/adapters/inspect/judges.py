"""A model as judge outside a run of inspect-ai: many cases at once, each with its verdict."""

from __future__ import annotations

from collections.abc import Sequence

import anyio
import anyio.lowlevel
from inspect_ai.model import GenerateConfig, Model, get_model

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge
from seqniah_scorers.verdict import Case
from seqniah_tasks.adapters.inspect.judge import (
    ask,
    asks_model,
    in_short,
)
from seqniah_tasks.judging.judges import JUDGING, Judged, RuleJudge, Server

MAX_WAITING = 64
"""Cases under way at once unless told otherwise; inspect decides how many of them are sent."""


class ModelJudge:
    """A model outside a run of inspect, alone or behind the rules."""

    def __init__(
        self,
        model: str,
        template: str | None,
        max_connections: int | None,
        first: RuleJudge,
        server: Server | None = None,
        *,
        cascade: bool,
    ) -> None:
        self.name = f"cascade: {first.name}, {model}" if cascade else f"judge: {model}"
        self._rules = first
        self._cascade = cascade
        self._template = template
        self._model_name = model
        self._server = server
        self._config = GenerateConfig(max_connections=max_connections)
        self._model: Model | None = self._opened()

    def verdicts(self, cases: Sequence[Case], progress: Progress | None = None) -> list[Judged]:
        """One verdict a case, in their order. Raises `SeqniahError` if the model cannot be had."""
        return anyio.run(self._judge_all, cases, progress)

    async def _judge_all(self, cases: Sequence[Case], progress: Progress | None) -> list[Judged]:
        # A client belongs to the loop that it was first used in, so each call has its own.
        model, self._model = self._model or self._opened(), None
        found: dict[int, Judged] = {}
        stopped: list[Exception] = []
        waiting = iter(range(len(cases)))

        async def work() -> None:
            for number in waiting:  # shared: each worker takes the next
                try:
                    found[number] = await self._judge(model, cases[number])
                except Exception as error:
                    stopped.append(error)
                    group.cancel_scope.cancel()
                    return
                if progress:
                    progress(JUDGING, len(found), len(cases))

        # Not all at once: what a call is allowed to try depends on how the last ones went.
        workers = min(self._config.max_connections or MAX_WAITING, len(cases))
        async with model, anyio.create_task_group() as group:
            for _ in range(workers):
                group.start_soon(work)
        if stopped:
            raise SeqniahError(f"{self._model_name} cannot judge: {in_short(stopped[0])}")
        return [found[number] for number in range(len(cases))]

    async def _judge(self, model: Model, case: Case) -> Judged:
        by_rules = self._rules.verdict(case)
        if not asks_model(case, by_rules, cascade=self._cascade):
            await anyio.lowlevel.checkpoint()
            return Judged(by_rules, "rules", 0, 0)
        asked = await ask(model, case, self._template)
        verdict = model_judge.verdict(by_rules, asked.reply)
        return Judged(verdict, "model", asked.input_tokens, asked.output_tokens, by_rules)

    def _opened(self) -> Model:
        server = self._server
        try:
            return get_model(
                self._model_name,
                config=self._config,
                base_url=server.url if server else None,
                api_key=server.key if server else None,
                memoize=False,
            )
        except Exception as error:  # inspect and its providers raise what they like
            raise SeqniahError(
                f"The model {self._model_name} cannot be used as a judge: {in_short(error)}"
            ) from error
