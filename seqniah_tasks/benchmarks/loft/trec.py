"""Rankings and golds as TREC has them, for other people's evaluators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import new_file
from seqniah_tasks.benchmarks.loft.judged import Judged

_BLANK = re.compile(r"[\s%]")


def write(folder: Path, found: Sequence[Judged]) -> None:
    """Write `run.trec` and `qrels.trec`, each whole or not at all.

    A turn is a topic, `qid-turn` in a conversation. Repeated ids stand once, at their first rank;
    blanks in ids are told as in addresses, since blanks divide the fields. Raises `SeqniahError`.
    """
    if folder.exists() and not folder.is_dir():
        raise SeqniahError(f"{folder} is a file; --trec is a folder.")
    run, qrels = [], []
    for topic, ranked, golds in _topics(found):
        ids = list(dict.fromkeys(ranked))
        for rank, id in enumerate(ids, 1):
            run.append(f"{topic} Q0 {_field(id)} {rank} {len(ids) - rank + 1} seqniah\n")
        qrels += [f"{topic} 0 {_field(id)} 1\n" for id in dict.fromkeys(golds)]
    for name, lines in (("run.trec", run), ("qrels.trec", qrels)):
        with new_file(folder / name) as temporary:
            temporary.write_bytes("".join(lines).encode("utf-8", "backslashreplace"))


def _topics(found: Sequence[Judged]) -> Iterator[tuple[str, list[str], list[str]]]:
    for one in found:
        for turn, (ranked, golds) in enumerate(one.rankings):
            qid = _field(str(one.query.qid))
            yield (qid if len(one.rankings) == 1 else f"{qid}-{turn}"), ranked, golds


def _field(id: str) -> str:
    """A name without blanks, its own for every id."""
    return _BLANK.sub(lambda sign: f"%{ord(sign[0]):02X}", id) or "%"
