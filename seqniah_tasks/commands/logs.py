"""What commands are given to read: logs of either harness, files of verdicts, or folders."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.commands.scoring import tell_of_older
from seqniah_tasks.records import Record
from seqniah_tasks.terminal import progress_bar

LOGS = (
    "Logs of inspect, samples files of lm-eval, what seqniah score wrote, or folders: "
    "the last run of each model and task."
)
"""What the argument of such commands is, for --help."""


@contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector of reference cycles, which rows are not in.

    It would walk all of them over and over: reading 20,000 takes 1.9 s instead of 3.5.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


@uncollected()
def read(given: Sequence[Path]) -> dict[Path, list[Record]]:
    """The rows of each file, by its whole path, in the order given; a bar shows how far it is.

    Says on standard error which files of folders were left out for newer ones. Raises
    `SeqniahError` for what is no log, and for a folder without any.
    """
    chosen: dict[Path, list[Record]] = {}
    older: dict[Path, Path] = {}
    with progress_bar(counts="parts") as progress:
        for number, path in enumerate(given):
            progress(f"Reading {path.name or path}", number, len(given))
            if path.is_dir():
                found, left_out = _of_folder(path, progress)
            else:
                found, left_out = {path: _of_file(path)}, []
            for file, rows in found.items():
                chosen.setdefault(file.resolve(), rows)
            older |= {file.resolve(): file for file in left_out}
    tell_of_older([path for real, path in older.items() if real not in chosen])
    return chosen


def _of_folder(folder: Path, progress: Progress) -> tuple[dict[Path, list[Record]], list[Path]]:
    # With the harnesses' libraries, which other commands do without.
    from seqniah_tasks.adapters.inspect import logs

    found, older = logs.read_newest(folder, progress)
    if any(folder.rglob("*.jsonl")):
        from seqniah_tasks.adapters.lm_eval import logs as of_lm_eval
        from seqniah_tasks.adapters.lm_eval import samples

        # Without any it raises, and there may be logs of inspect.
        if samples.below(folder):
            files, others = samples.find([folder])
            for number, file in enumerate(files):
                progress(f"Reading {file.path.name}", number, len(files))
                found[file.path] = of_lm_eval.read(file)
            older += others
    if not found:
        raise SeqniahError(
            f"No log of a seqniah task with a sample in it is in {folder}, neither of inspect nor "
            "of lm-eval (samples_*.jsonl, with --log_samples); give another folder, or files."
        )
    return found, older


def _of_file(path: Path) -> list[Record]:
    if not path.is_file():
        raise SeqniahError(f"There is no {path}; give logs, or a folder of them.")
    if path.suffix in (".eval", ".json"):
        from seqniah_tasks.adapters.inspect import logs

        rows = logs.read(path)
        if not rows:
            raise SeqniahError(f"The log {path} has no sample yet; leave it out.")
        return rows
    if path.suffix != ".jsonl":
        raise SeqniahError(
            f"{path} is no log by its name; give logs of inspect (.eval or .json), or samples "
            "files of lm-eval and verdicts of seqniah score (.jsonl)."
        )
    from seqniah_tasks.adapters.lm_eval import logs as of_lm_eval
    from seqniah_tasks.adapters.lm_eval import samples

    if of_lm_eval.is_verdicts(path):
        return of_lm_eval.read_verdicts(path)
    (file,), _ = samples.find([path])
    return of_lm_eval.read(file)
