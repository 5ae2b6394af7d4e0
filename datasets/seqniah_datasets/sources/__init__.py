"""Sources of questions, one file a pipeline."""

from __future__ import annotations

from seqniah_datasets.schema import Pipeline
from seqniah_datasets.sources.base import Source
from seqniah_datasets.sources.synthetic_temporal import SyntheticTemporal

SOURCES: dict[Pipeline, Source] = {source.pipeline: source for source in (SyntheticTemporal(),)}
"""The sources that stand for the pipelines; splits hold only what is listed here."""
