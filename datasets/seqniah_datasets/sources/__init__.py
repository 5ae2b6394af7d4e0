"""Sources of questions, and which of them an edition of the benchmark takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import Pipeline
from seqniah_datasets.sources import qa_pool
from seqniah_datasets.sources.base import Source
from seqniah_datasets.sources.event_pool import EventPool
from seqniah_datasets.sources.invented_world import InventedWorld
from seqniah_datasets.sources.qa_pool import DemandsOrder
from seqniah_datasets.sources.real_logical import AuthoredProcedures
from seqniah_datasets.sources.synthetic_temporal import SyntheticTemporal

Edition = Literal["open", "paper", "released"]
EDITIONS: tuple[Edition, ...] = ("open", "paper", "released")
"""open: sources embedded here. paper: the paper's kind of sources, from files of the user.
released: no sources, but the authors' own samples as they are."""

Sources = Mapping[Pipeline, Source]


def open_sources() -> Sources:
    """The embedded sources of the open edition."""
    found: list[Source] = [SyntheticTemporal(), InventedWorld(), AuthoredProcedures()]
    return {source.pipeline: source for source in found}


def paper_sources(
    tkg: Sequence[Path],
    qa: Sequence[Path],
    demands_order: DemandsOrder,
    wanted: Sequence[Pipeline] = (),
) -> Sources:
    """The sources of the paper edition; a pipeline that is in a file of `qa` comes from there.

    What neither `tkg` nor `qa` gives is embedded, but for real events. Raises `SeqniahError` when
    there are none of these although they are `wanted` (no pipelines mean all), or when a file is
    not as it should be.
    """
    found = dict(open_sources())
    del found[Pipeline.REAL_TEMPORAL]
    if tkg:
        found[Pipeline.REAL_TEMPORAL] = EventPool(tkg)
    found.update(qa_pool.read(qa, demands_order))
    if Pipeline.REAL_TEMPORAL not in found and (not wanted or Pipeline.REAL_TEMPORAL in wanted):
        raise SeqniahError(
            "The paper edition asks about real events: pass tkg= with the path of ICEWS (.tsv) "
            "or FEG (.jsonl) or both as a comma list, or qa= with such questions of your own; or "
            "leave them out with pipeline=."
        )
    return {pipeline: found[pipeline] for pipeline in Pipeline if pipeline in found}
