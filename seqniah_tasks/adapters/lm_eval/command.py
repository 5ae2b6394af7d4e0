"""The `lm_eval` command with the tasks of this package, wherever lm-eval is installed.

lm-eval looks for tasks in its own folder alone. The wheel puts a copy of ours there, but not where
lm-eval is a checkout; and an installation for development has a copy of its own day. Finding out
imports nothing of lm-eval.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.lm_eval import tasks


class Copy(StrEnum):
    """How the tasks in lm-eval's own folder compare with those of this package."""

    SAME = "same"
    OTHER = "other"
    """Of another version of this package, or incomplete."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Harness:
    """An installed lm-eval."""

    folder: Path
    """The package `lm_eval`."""
    hidden_by: Path | None
    """A folder of the same name that holds no code, and that Python takes for the package."""
    finder: Any = field(default=None, compare=False)
    """The one of `sys.meta_path` that finds it."""

    def copy(self) -> Copy:
        """Read the copy of the tasks, byte for byte."""
        place = self.folder / "tasks" / "seqniah"
        if not place.is_dir():
            return Copy.NONE
        return Copy.SAME if _contents(place) == _contents(tasks.folder()) else Copy.OTHER


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*yaml") if path.is_file()}


def installed(path: Sequence[str]) -> Harness | None:
    """The lm-eval that Python finds in these folders, or would find if nothing hid it.

    A checkout that was installed with `pip install -e` is found by a finder of its own, which
    Python asks last: any folder `lm_eval` in `path` comes before it, be it without code.
    """
    hidden_by: Path | None = None
    for finder in sys.meta_path:
        spec = finder.find_spec("lm_eval", list(path))
        if spec is None:
            continue
        if spec.origin:
            return Harness(Path(spec.origin).parent, hidden_by, finder)
        hidden_by = hidden_by or next(map(Path, spec.submodule_search_locations or ()), None)
    return None


def run(words: Sequence[str]) -> None:
    """Do what `lm_eval WORDS` does, with the tasks of this package. Raises `SeqniahError`."""
    harness = installed(sys.path)
    if harness is None:
        raise SeqniahError("lm_eval cannot be imported; run pip install lm-eval.")
    if harness.hidden_by:
        sys.meta_path.remove(harness.finder)
        sys.meta_path.insert(0, harness.finder)
    from lm_eval._cli import HarnessCLI
    from lm_eval.utils import setup_logging

    setup_logging()
    sys.argv = ["lm_eval", *words]
    cli = HarnessCLI()
    given = cli.parse_args()
    tasks.refuse_rounds(getattr(given, "tasks", None) or ())
    if hasattr(given, "include_path") and harness.copy() is not Copy.SAME:
        # As a list: the command takes one folder, what it hands it to takes several. The user's
        # come last, since later ones count before earlier ones.
        given.include_path = [str(tasks.folder()), *_include_path(given)]
    try:
        cli.execute(given)
    except SystemExit as ended:
        # Our refusals are errors of this package too, which the caller would tell once more.
        raise SystemExit(ended.code) from None


def _include_path(given: argparse.Namespace) -> list[str]:
    """The folders that the user names, on the command line or else in the file of --config."""
    found: Any = given.include_path
    if not found and getattr(given, "config", None):
        from lm_eval.config.evaluate_config import EvaluatorConfig

        found = EvaluatorConfig.load_yaml_config(given.config).get("include_path")
    return [] if not found else list(found) if isinstance(found, list) else [str(found)]
