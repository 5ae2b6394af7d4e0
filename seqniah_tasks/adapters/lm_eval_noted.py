"""What a run of lm-eval notes of a prompt, and how an answer carries what was found of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_tasks.benchmarks.asking import Prompt
from seqniah_tasks.truncation import Fate, Sent, noted


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run notes of a prompt."""

    prompt: Prompt
    """Without its text, which the harness keeps."""
    sent: int | None
    """Tokens of the whole context in the model's own encoding; None where it has none here."""
    fate: Fate

    def notes(self, lang: str) -> dict[str, object]:
        """What the samples file says of it, under the names that a log of inspect has."""
        sent = Sent(lang, self.prompt.tokens, self.sent or 0)
        depths = list(self.prompt.depths)
        return {
            "prompt_sha256": self.prompt.sha256,
            "needle_depths": depths,
            **noted(sent, self.fate),
        }


class Answer(str):
    """An answer as the harness logs it, with what was found of it."""

    metrics: dict[str, Any]


def process_results(document: Mapping[str, Any], results: Sequence[Answer]) -> dict[str, Any]:
    """The metrics of one answer, which its task has judged with all others."""
    return results[0].metrics


def mean_of_scored(values: Sequence[float | None]) -> float:
    """The mean without what is not a number; not a number of nothing."""
    scored = [value for value in values if value is not None and not math.isnan(value)]
    return sum(scored) / len(scored) if scored else math.nan
