"""Options that several commands take, each with its help, and how JSON is printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

Split = Annotated[str, typer.Option(help="test, dev or train.")]
Lang = Annotated[str, typer.Option(help="en, zh, or both: en,zh.")]
Pipelines = Annotated[str, typer.Option(help="Pipelines, as a comma list.")]
Length = Annotated[str, typer.Option(help="Length bins, e.g. 8k-16k,16k-32k.")]
Needles = Annotated[str, typer.Option(help="A number from 3 to 15, or a range: 3-5, 6-10, 11-15.")]
CorpusSpec = Annotated[
    str | None,
    typer.Option("--corpus", help="procedural, a folder of texts, or hub:OWNER/NAME@REVISION."),
]
Seed = Annotated[int, typer.Option(help="Of everything drawn.")]
TokenizerName = Annotated[
    str, typer.Option(help="cl100k_base, o200k_base, qwen, or the path of a tokenizer file.")
]
OrderName = Annotated[str, typer.Option(help="shuffled, or sorted: needles in true order.")]
EditionName = Annotated[
    str, typer.Option("--edition", help="open: embedded sources; paper: --tkg, --qa and the hub.")
]
GraphPaths = Annotated[
    str, typer.Option("--tkg", help="ICEWS (.tsv) and FEG (.jsonl) files, for the paper edition.")
]
QAPaths = Annotated[
    str, typer.Option("--qa", help="Questions of your own (.jsonl), for the paper edition.")
]
OnShortfall = Annotated[
    str, typer.Option("--shortfall", help="When questions are too few: refuse, smaller, reuse.")
]
PerStratum = Annotated[
    int | None, typer.Option(help="At most so many samples of each language, pipeline and length.")
]
Grader = Annotated[str, typer.Option(help="The cascade's model, as inspect names it.")]
JudgePrompt = Annotated[
    Path | None, typer.Option("--prompt", help="A template of your own for the model judge.")
]
MaxConnections = Annotated[
    int | None, typer.Option("--max-connections", min=1, help="Requests under way at once.")
]
Embeddings = Annotated[
    str, typer.Option(help="A model2vec model for the rules: a folder, or a name on the hub.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


def print_json(fields: object) -> None:
    """Print fields for a script."""
    typer.echo(json.dumps(fields, ensure_ascii=False, indent=1))
