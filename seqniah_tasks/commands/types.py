"""What several commands take, each with its help, how a task is chosen, and how JSON is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, is_dataclass
from functools import wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.protocol import Command, Facts, TaskSpec
from seqniah_tasks.judging.judges import Judge
from seqniah_tasks.judging.opening import open_judge

TEST = "test"
"""The task that is meant where none is named."""

TaskName = Annotated[
    str, typer.Argument(metavar="[TASK]", help="A task as harnesses name it; see seqniah options.")
]
Given = Annotated[
    list[str] | None,
    typer.Option(
        "-T",
        metavar="NAME=VALUE",
        help="An option of the task, as in inspect; may be repeated. seqniah options lists them.",
    ),
]
TokenizerName = Annotated[
    str, typer.Option(help="cl100k_base, o200k_base, qwen, or the path of a tokenizer file.")
]
Seed = Annotated[int, typer.Option(help="Of everything drawn.")]
Grader = Annotated[str, typer.Option(help="The cascade's model, as inspect names it.")]
JudgePrompt = Annotated[
    Path | None, typer.Option("--prompt", help="A template of your own for the model judge.")
]
MaxConnections = Annotated[
    int | None, typer.Option("--max-connections", min=1, help="Requests under way at once.")
]
JudgeName = Annotated[
    str, typer.Option("--judge", help="rules, cascade, or a model as inspect names it.")
]
VerdictsFile = Annotated[
    Path, typer.Option("--out", help="File of verdicts to write, one a line (.jsonl).")
]
Embeddings = Annotated[
    str, typer.Option(help="A model2vec model for the rules: a folder, or a name on the hub.")
]
Threshold = Annotated[
    float,
    typer.Option(help="Of the score at the shortest length, kept up to the effective length."),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON for a script.")]


@dataclass(frozen=True, slots=True)
class Judging:
    """What a judge is opened with beside its name."""

    grader: Grader = ""
    prompt: JudgePrompt = None
    max_connections: MaxConnections = None
    embeddings: Embeddings = ""

    def open(self, judge: str) -> Judge:
        """The judge of a name. Raises `SeqniahError` like `open_judge`."""
        return open_judge(
            judge,
            grader=self.grader,
            template=self.prompt,
            max_connections=self.max_connections,
            embeddings=self.embeddings,
        )


def values(given: Iterable[str] | None) -> dict[str, Any]:
    """Options from words like name=value, read as inspect reads them: lists, numbers, true.

    Raises `SeqniahError` for a word that is no such pair.
    """
    found: dict[str, Any] = {}
    for word in given or ():
        name, equals, written = word.partition("=")
        if not equals:
            raise SeqniahError(f"An option is given as -T NAME=VALUE, not as -T {word}.")
        found[name.replace("-", "_")] = _value(written)
    return found


def _value(written: str) -> Any:
    if not written:
        return None
    try:
        return json.loads(written)
    except ValueError:
        parts = written.split(",")
        return parts if len(parts) > 1 else written


def chosen(spec: TaskSpec, given: Facts, unless: Facts | None = None) -> Any:
    """A task's options from what a user wrote; where that is silent, what `unless` says holds.

    Raises `SeqniahError`, which names the nearest option for one that there is not.
    """
    known = options.names(spec.options)
    options.refuse_unknown(given, known, f"The task {spec.name}")
    return options.read(spec.options, {**(unless or {}), **given}, spec.fixed)


def spread(command: Command) -> Command:
    """A command that takes the fields of each dataclass it asks for, as they are annotated."""
    own = signature(command, eval_str=True).parameters
    kinds = [name for name, one in own.items() if is_dataclass(one.annotation)]
    fields = {name: signature(own[name].annotation, eval_str=True).parameters for name in kinds}

    @wraps(command)
    def called(**given: Any) -> None:
        for name in kinds:
            given[name] = own[name].annotation(**{one: given.pop(one) for one in fields[name]})
        command(**given)

    taken = [one for name in own for one in fields.get(name, {name: own[name]}).values()]
    alike = [one.replace(kind=Parameter.KEYWORD_ONLY) for one in taken]
    called.__signature__ = Signature(alike)  # type: ignore[attr-defined]
    return called


def tell(
    as_json: bool, fields: Callable[..., object], show: Callable[..., None], *found: Any
) -> None:
    """Print what was found: its fields for a script, or as `show` puts it on the terminal."""
    if as_json:
        print_json(fields(*found))
    else:
        show(Console(highlight=False), *found)


def print_json(fields: object) -> None:
    """Print fields for a script."""
    typer.echo(json.dumps(fields, ensure_ascii=False, indent=1))
