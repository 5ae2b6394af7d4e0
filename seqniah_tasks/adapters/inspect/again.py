"""Answers of a log that no judge can score, marked so that inspect asks for them again."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai.log import ProvenanceData, invalidate_samples, read_eval_log, write_eval_log

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import new_file
from seqniah_tasks.adapters.inspect import logs
from seqniah_tasks.adapters.inspect.score import JUDGE_FAILED, JUDGE_UNREADABLE
from seqniah_tasks.adapters.inspect.summaries import read_header, read_summaries, verdict_keys

_OF_JUDGES = (JUDGE_FAILED, JUDGE_UNREADABLE)


def invalidate(path: Path) -> int:
    """Mark the answers without a score in a log that has ended, but for those whose judge failed;
    `inspect eval-retry` then asks for these alone. Returns how many.

    Raises `SeqniahError` for what is no log of a task, and where nothing is to be asked again.
    """
    unscored = {
        (row.epoch or 1, row.id)
        for row in logs.read(path)
        if row.correct is None and row.score is None and row.finished
    }
    header = read_header(path)
    key = verdict_keys(header)[-1]
    uuids = [
        str(one.fields["uuid"])
        for one in read_summaries(path)
        if one.place in unscored and one.score(key).get("reason") not in _OF_JUDGES
    ]
    if not uuids:
        raise SeqniahError(
            f"No answer of {path} is without a score for want of a reply or of a whole prompt; "
            "nothing is to be asked again."
        )
    why = ProvenanceData(author="seqniah", reason="The answer cannot be scored; asked again.")
    marked = invalidate_samples(read_eval_log(str(path)), uuids, why)
    with TemporaryDirectory(prefix="seqniah-") as folder, new_file(path) as place:
        # inspect has temporary files of its own beside what it writes.
        made = Path(folder) / path.name
        write_eval_log(marked, str(made))
        shutil.copyfile(made, place)
    return len(uuids)
