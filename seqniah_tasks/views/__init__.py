"""What the command line prints, one file a view."""

from __future__ import annotations

from seqniah_tasks.views.margins import margins, margins_table, shortfall_lines
from seqniah_tasks.views.sample import print_sample
from seqniah_tasks.views.summary import as_json as summary_as_json
from seqniah_tasks.views.summary import print_summary

__all__ = [
    "margins",
    "margins_table",
    "print_sample",
    "print_summary",
    "shortfall_lines",
    "summary_as_json",
]
