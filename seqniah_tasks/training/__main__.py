"""`python -m seqniah_tasks.training` is `seqniah judge train`: what `accelerate launch` starts."""

from __future__ import annotations

import os
import sys

import typer

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.commands.judges import train


def main() -> None:
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(train)
    try:
        app()
    except SeqniahError as error:
        if os.environ.get("SEQNIAH_DEBUG"):
            raise
        if os.environ.get("LOCAL_RANK", "0") == "0":  # once, not from every process
            typer.echo(f"seqniah: {error}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main()
