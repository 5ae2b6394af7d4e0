"""A user's mistakes, as a run of lm-eval ends with them."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from seqniah_datasets.errors import SeqniahError

P = ParamSpec("P")
T = TypeVar("T")


class Refusal(SeqniahError, SystemExit):
    """A user's mistake. The harness's command ends with its sentence and without a traceback;
    code that calls the harness catches it like any other exception."""

    def __init__(self, message: str) -> None:
        SystemExit.__init__(self, f"seqniah: {message}")


def or_refuse(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function whose mistakes are the user's. Raises `Refusal` for them."""
    try:
        return function(*args, **kwargs)
    except SeqniahError as error:
        raise Refusal(str(error)) from error
