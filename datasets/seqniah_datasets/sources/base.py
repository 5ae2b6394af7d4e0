"""What a source of questions is."""

from __future__ import annotations

from typing import Protocol

from seqniah_datasets.schema import Lang, Pipeline, QAItem, Split


class Source(Protocol):
    """Makes the question and the needles of one sample."""

    @property
    def pipeline(self) -> Pipeline:
        """The pipeline whose samples it serves."""

    @property
    def digest(self) -> str:
        """Names everything that the items follow from; hexadecimal digits."""

    def item(self, lang: Lang, split: Split, serial: int, needles: int, seed: int) -> QAItem:
        """The QA of the sample with running number `serial` among its split and language.

        Items of different splits, or of different serials, never share their subject.
        """
