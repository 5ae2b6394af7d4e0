"""How a step is told: a sentence that carries the subject and reveals no place in the order."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources.tables import table
from seqniah_datasets.sources.wording import capital


@dataclass(frozen=True, slots=True)
class Lead:
    """A pattern with the slots {subject}, {gerund} and {step}."""

    pattern: str

    def tell(self, subject: str, gerund: str, step: str) -> str:
        """The needle of a step."""
        return capital(self.pattern.format(subject=subject, gerund=gerund, step=step))


_TEXTS = table("questions/steps.toml")

LEADS: dict[Lang, tuple[Lead, ...]] = {
    lang: tuple(map(Lead, _TEXTS[lang]["leads"])) for lang in LANGS
}
QUESTIONS: dict[Lang, tuple[str, ...]] = {lang: tuple(_TEXTS[lang]["questions"]) for lang in LANGS}
INTROS: dict[Lang, tuple[str, ...]] = {lang: tuple(_TEXTS[lang]["intros"]) for lang in LANGS}
