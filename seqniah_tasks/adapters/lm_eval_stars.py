"""Counting-Stars as lm-eval sees it: the class behind the YAML of `lm_eval_tasks`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from lm_eval.api.metrics import mean

from datasets import Dataset  # type: ignore[attr-defined]  # the checkout's folder is no package
from seqniah_datasets.schema import StarAsk
from seqniah_tasks.adapters import lm_eval_options, lm_eval_runs
from seqniah_tasks.adapters.lm_eval_asking import AskingTask
from seqniah_tasks.adapters.lm_eval_judging import count_judged
from seqniah_tasks.adapters.lm_eval_noted import Answer, mean_of_scored
from seqniah_tasks.adapters.lm_eval_refusal import or_refuse
from seqniah_tasks.adapters.lm_eval_star_documents import StarDocument, documents
from seqniah_tasks.adapters.lm_eval_star_judging import LENGTH_METRIC, answer
from seqniah_tasks.adapters.opened import open_benchmark
from seqniah_tasks.benchmarks.star_questions import length_name
from seqniah_tasks.prompts.counting_stars import answer_start
from seqniah_tasks.star_records import JUDGE

_STEPS = (1_000, 100)
"""To which a length is rounded down that is advised: the first one of which it has ten or more."""


class StarsTask(AskingTask):
    """The samples of one language; `dataset_kwargs` of the YAML says which."""

    def __init__(self, config: dict[str, Any]) -> None:
        """Raises `Refusal` for options that cannot be served."""
        run = lm_eval_runs.calling()
        lang = config["dataset_kwargs"]["lang"]
        wanted = or_refuse(lm_eval_options.read_stars, config["metadata"], run.model_args, lang)
        self._stars = or_refuse(open_benchmark, wanted.options)
        self._names = [length_name(length) for length in wanted.options.lengths]
        facts = {**self._stars.facts(), "scorer": "none" if run.only_predicts else JUDGE}
        super().__init__(config, self._stars, wanted.guard, facts)

    def made(self) -> Dataset:
        """The samples of the language."""
        return or_refuse(documents, self._stars)

    def start(self, doc: StarDocument) -> str:
        """The beginning of a JSON object."""
        return answer_start(doc["lang"], StarAsk(doc["ask"]), doc["asked"][0])

    def in_order(self, lengths: set[str]) -> list[str]:
        """The lengths, shortest first."""
        return [name for name in self._names if name in lengths]

    def narrower(self, fitting: Sequence[str], first: str, share: float) -> str:
        """The longest length with which all prompts fit, about."""
        most = int(self._stars.find(first).tokens * share)
        for step in _STEPS:
            if most >= 10 * step:
                return json.dumps({"max_length": most // step * step})
        return ""

    def judged(self, texts: Sequence[str]) -> tuple[str, Sequence[Answer]]:
        """Score all answers."""
        left_out = len(self._too_long)
        return "rules", [
            answer(text, one.doc, self._asked[one.doc["id"]], self._lengths, left_out)
            for text, one in zip(texts, self._instances, strict=True)
        ]

    def aggregation(self) -> dict[str, Callable[..., float]]:
        """How the harness sums up each metric."""
        if self.only_predicts:
            return dict(super().aggregation())
        found: dict[str, Callable[..., float]] = {
            "score": mean,
            "position": mean_of_scored,
            "precision": mean_of_scored,
            "confusion": mean_of_scored,
            "unscored": mean,
            "judged": count_judged,
            "left_out": lambda _: len(self._too_long),
        }
        return found | dict.fromkeys(self._length_metrics, mean_of_scored)

    def higher_is_better(self) -> dict[str, bool]:
        """Whether a metric is better when it is higher."""
        return {**super().higher_is_better(), **dict.fromkeys(self._length_metrics, True)}

    @property
    def _length_metrics(self) -> list[str]:
        return [LENGTH_METRIC.format(name) for name in self._names]
