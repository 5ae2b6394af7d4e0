"""What any judge of lists is, and the one that asks no model: the rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Literal, Protocol

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import model_judge, rules
from seqniah_scorers.embedding import Embedding
from seqniah_scorers.verdict import Case, Verdict

By = Literal["rules", "model"]

JUDGING = "Judging"

_REPORTED = 100
"""Verdicts of the rule judge between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict, and what it took."""

    verdict: Verdict
    by: By
    """Who decided, or failed to."""
    input_tokens: int
    """Read by the model, as its provider reports them; 0 where it was not asked, or cached."""
    output_tokens: int
    """Written by the model."""
    by_rules: Verdict | None = None
    """What the rules said of an answer that the model decided."""


@dataclass(frozen=True, slots=True)
class Server:
    """An OpenAI-compatible server that judges, where no variable of inspect names it."""

    url: str
    """Up to and with /v1."""
    key: str


class Judge(Protocol):
    """Gives a verdict on every case; one that cannot be had is unscored, with the reason."""

    @property
    def name(self) -> str:
        """The judge as reports call it: "rules 2", "judge: MODEL", "cascade: rules 2, MODEL"."""

    def verdicts(self, cases: Sequence[Case], progress: Progress | None = None) -> list[Judged]:
        """One verdict a case, in their order. Raises `SeqniahError` if no model can be asked."""


class RuleJudge:
    """The rules alone."""

    def __init__(self, embedding: Embedding | None = None) -> None:
        self.name = f"rules {rules.VERSION}{f' with {embedding.name}' if embedding else ''}"
        self._judge = lru_cache(maxsize=64)(partial(rules.judge, embedding=embedding))

    def verdict(self, case: Case) -> Verdict:
        """The verdict on one case; asked for again, it is remembered."""
        return self._judge(case)

    def verdicts(self, cases: Sequence[Case], progress: Progress | None = None) -> list[Judged]:
        """One verdict a case, in their order."""
        found: list[Judged] = []
        for case in cases:
            found.append(Judged(self.verdict(case), "rules", 0, 0))
            if progress and (len(found) % _REPORTED == 0 or len(found) == len(cases)):
                progress(JUDGING, len(found), len(cases))
        return found


@lru_cache(maxsize=4)
def open_rules(embeddings: str = "") -> RuleJudge:
    """The rules, with the embedding model of this name if one is given.

    Raises `SeqniahError` when that model cannot be had.
    """
    if not embeddings:
        return RuleJudge()
    from seqniah_tasks.judging.embeddings import open_embedding

    return RuleJudge(open_embedding(embeddings))


def read_template(path: Path) -> str:
    """A user's own prompt. Raises `SeqniahError` when it cannot be read or used."""
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise SeqniahError(
            f"The judge prompt {path} cannot be read: {why}; name a text file."
        ) from error
    fault = model_judge.template_fault(text)
    if fault:
        known = ", ".join(f"{{{name}}}" for name in model_judge.PLACEHOLDERS)
        raise SeqniahError(f"The judge prompt {path} {fault}; it must hold {known}, and no other.")
    return text
