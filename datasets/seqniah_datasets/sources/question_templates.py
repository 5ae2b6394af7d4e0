"""Questions about an invented person's record, each with its order demand.

About a third demand no order, as in the paper (figures 13 and 14). A month is named once and
cleanly, "in November 2010", so that nobody can take it for one day.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources.tables import table


@dataclass(frozen=True, slots=True)
class QuestionTemplate:
    """One way to ask; slots are {record}, {person} and {month}."""

    question: str
    intro: str
    """First line of the reference answer."""
    order_required: bool
    """Whether the wording demands the order of time."""


Asked = TypeVar("Asked", bound=QuestionTemplate)


def asked(make: type[Asked], raw: dict[str, list[tuple[str, str]]]) -> tuple[Asked, ...]:
    """Ways to ask as a table in questions/ has them: pairs under "ordered" and "free"."""
    return tuple(
        make(*pair, demand == "ordered") for demand, pairs in raw.items() for pair in pairs
    )


TEMPLATES: dict[Lang, tuple[QuestionTemplate, ...]] = {
    lang: asked(QuestionTemplate, table("questions/records.toml")[lang]) for lang in LANGS
}
