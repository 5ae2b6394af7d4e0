"""Commands about lm-eval: its own command with the tasks of this package, and where they lie."""

from __future__ import annotations

import typer

from seqniah_tasks.adapters.lm_eval import command, tasks

PASSED_ON = {"ignore_unknown_options": True, "allow_extra_args": True}
"""What makes typer leave the words of a command as they are; its --help must be off as well."""


def lm_eval(context: typer.Context) -> None:
    """Run the lm_eval command of this environment; it then knows the tasks, as seqniah."""
    command.run(context.args)


def lm_eval_path() -> None:
    """Print the folder of the tasks, for --include_path of an lm_eval that does not know them."""
    typer.echo(tasks.folder())
