"""The `seqniah` command."""

from __future__ import annotations

import io
import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks.protocol import Command
from seqniah_tasks.commands import judges, records, report, runs, samples, scoring


class Told(TyperCommand):
    """A command that tells what Ctrl-C leaves behind."""

    def invoke(self, ctx: Any) -> Any:
        """Run it; one that is interrupted ends with code 130."""
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, RuntimeError) as error:
            # Classes that were being made put another error around it.
            if not isinstance(error.__cause__ or error, KeyboardInterrupt):
                raise
            out = ctx.params.get("out")
            kept = out is not None and Path(out).exists()
            left = f"{out} holds only what is whole" if kept else "nothing written"
            typer.echo(f"seqniah: Interrupted; {left}.", err=True)
            raise typer.Exit(130) from None


class OfTask(Told):
    """A command about a task, whose options are no options of the command."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Tell who gives an option of a task as one of the command where it belongs."""
        known = {"--help", *(name for one in self.params for name in one.opts)}
        for word in args:
            name = word.partition("=")[0]
            if name.startswith("--") and name not in known:
                ctx.fail(
                    f"No such option: {name}. Options of a task are given as -T name=value, after "
                    "its name: seqniah build dev -T lang=en. seqniah options lists them."
                )
        return super().parse_args(ctx, args)


class Commands(TyperGroup):
    """All commands; the name of a task is none."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name, if there is one."""
        found = super().get_command(ctx, cmd_name)
        task = cmd_name.replace("-", "_")
        if found is None and task in benchmarks.tasks():
            ctx.fail(f"{task} is a task; say what to do with it: seqniah build {task}.")
        return found


def _told(wanted: bool) -> None:
    if wanted:
        runs.version()
        raise typer.Exit


def _first(
    version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_told, help="Print versions and exit."),
    ] = False,
) -> None:
    """Options of the command itself."""


OF_TASKS: tuple[Command, ...] = (samples.build, samples.stats, samples.show, runs.estimate)

COMMANDS: tuple[Command, ...] = (
    *(samples.options, samples.index, runs.serve, runs.summary, runs.invalidate, runs.doctor),
    *(runs.version, records.records, report.report, runs.lm_eval_path),
)
"""In the order of --help; a new command is a function in `commands` and an entry here."""

GROUPS: dict[str, tuple[str, dict[str, Command]]] = {
    "score": (
        "Judge responses that were made anywhere.",
        {"cases": scoring.cases, "lm-eval": scoring.lm_eval},
    ),
    "judge": (
        "Make data for judges; measure, train and serve one.",
        {"train": judges.train, "serve": judges.serve},
    ),
}
"""Commands of two words: what the first one is about, and the second ones by name."""


@lru_cache(maxsize=1)
def app() -> typer.Typer:
    """All commands, those of benchmarks among them. Raises `SeqniahError` like `known`."""
    made = typer.Typer(
        cls=Commands,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    about = "Build, look at and check the samples of benchmarks, for inspect and lm-eval."
    made.callback(help=about)(_first)
    for command in OF_TASKS:
        made.command(cls=OfTask)(command)
    for command in COMMANDS:
        made.command(cls=Told)(command)
    groups = {word: (about, dict(commands)) for word, (about, commands) in GROUPS.items()}
    for benchmark in benchmarks.known().values():
        for name, command in benchmark.commands().items():
            word, _, second = name.rpartition(" ")
            if word:
                groups.setdefault(word, (f"{benchmark.title}.", {}))[1][second] = command
            else:
                made.command(name, cls=Told)(command)
    made.command(context_settings=runs.PASSED_ON, add_help_option=False)(runs.lm_eval)
    for word, (about, commands) in groups.items():
        group = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=about)
        for second, command in sorted(commands.items()):
            group.command(second, cls=Told)(command)
        made.add_typer(group, name=word)
    return made


@lru_cache(maxsize=1)
def command() -> Any:
    """What `app` makes, parsed once; a call runs it with the words of the process."""
    return typer.main.get_command(app())


def main() -> None:
    """Run the command; a user's mistake is one sentence, and SEQNIAH_DEBUG=1 shows all of it."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that cannot show 中 still gets \u4e2d
            stream.reconfigure(errors="backslashreplace")
    try:
        command()()
    except SeqniahError as error:
        if os.environ.get("SEQNIAH_DEBUG"):
            raise
        typer.echo(f"seqniah: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
