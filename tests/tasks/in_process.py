"""The `seqniah` command in this process, as a user types it."""

from __future__ import annotations

import contextlib
import io
import subprocess
from collections.abc import Sequence
from unittest import mock

from seqniah_tasks.cli import main


def run(*words: str, code: int = 0) -> str:
    """What the command says: on standard output, or where it fails as it should, of errors."""
    ended = done(words, COLUMNS="100")
    assert ended.returncode == code, ended.stdout + ended.stderr
    return ended.stderr if code else ended.stdout


def done(words: Sequence[str], **env: str) -> subprocess.CompletedProcess[str]:
    """How the command ended, with these variables besides those that there are."""
    out, err = io.StringIO(), io.StringIO()
    ended: str | int | None = 0
    with (
        mock.patch("sys.argv", ["seqniah", *words]),
        mock.patch.dict("os.environ", env),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as exit:
            ended = exit.code
    code = ended if isinstance(ended, int) else int(ended is not None)
    return subprocess.CompletedProcess(list(words), code, out.getvalue(), err.getvalue())
