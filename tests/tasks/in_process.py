"""The `seqniah` command in this process, as a user types it."""

from __future__ import annotations

import contextlib
import io
from unittest import mock

from seqniah_tasks.cli import main


def run(*words: str, code: int = 0) -> str:
    """What the command says: on standard output, or where it fails as it should, of errors."""
    out, err = io.StringIO(), io.StringIO()
    ended: str | int | None = 0
    with (
        mock.patch("sys.argv", ["seqniah", *words]),
        mock.patch.dict("os.environ", {"COLUMNS": "100"}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit:
            ended = exit.code
    assert (ended or 0) == code, out.getvalue() + err.getvalue()
    return err.getvalue() if code else out.getvalue()
