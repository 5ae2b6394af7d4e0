"""What a fault of the harder set is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from seqniah_datasets.schema import Lang, QAItem
from seqniah_scorers import authored
from seqniah_scorers.making.draws import Draws
from seqniah_scorers.making.telling import Line, Telling
from seqniah_scorers.verdict import FailureMode


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an answer."""

    lines: tuple[Line, ...]
    """The items as the answer tells them."""
    modes: tuple[FailureMode, ...]
    what: str
    """The fault in one sentence, in the language of the question."""
    touched: frozenset[int] = frozenset()
    """Indices of reference items whose words must stay as they are now."""
    closing: str = ""
    """Stands behind the items."""


Maker = Callable[[Telling, Sequence[QAItem], Draws], Fault | None]


def told(lang: Lang, fault: str, **slots: object) -> str:
    """What is wrong, in the words of faults.toml."""
    pattern: str = authored.table("making/faults.toml")[fault][lang]
    return pattern.format(**slots)


def changed(telling: Telling, at: int, line: Line, what: str) -> Fault:
    """One item with another content."""
    lines = list(telling.lines)
    lines[at] = line
    return Fault(tuple(lines), (FailureMode.INCORRECT,), what, frozenset({at}))
