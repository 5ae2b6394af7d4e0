"""What is known of released samples without their prompts: worked out once a file, then kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from seqniah_datasets import kept, released, rng
from seqniah_datasets.corpora.base import Progress
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.released import Row
from seqniah_datasets.schema import Lang, LengthBin, NoiseType, Pipeline
from seqniah_datasets.sources import files
from seqniah_datasets.splits import GROUPS
from seqniah_datasets.store import cache_root
from seqniah_datasets.tokens import Tokenizer
from seqniah_scorers import rules
from seqniah_scorers.order_demand import demands_order
from seqniah_scorers.reading.answers import Item, parse
from seqniah_tasks.benchmarks.sequential_niah.options import LENGTHS, SHORTER, UNKNOWN
from seqniah_tasks.benchmarks.sequential_niah.score import needle_type

VERSION = 1
"""Of what is kept; any change of it raises this."""

BINS = (SHORTER, *LENGTHS)

READING = "Reading released samples"

_RECORD = re.compile(
    r"\b(?:diary|journal|record|daily summary|documentary)\b|日记|记录|纪实|记事|每日纪要",
    re.IGNORECASE,
)
"""What a question about an invented person's record calls it (paper, section 3.1.1)."""

_ENTRY = re.compile(r"- [^：\n]{4,40}：.+")
"""A line of the reference to such a question."""

_STEP = re.compile(r"\s*\d+\s*[.)、．].+")
"""A line of the reference to a question about steps."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One released sample without its prompt."""

    id: str
    lang: Lang
    pipeline: str
    """One of the three, or "unknown"."""
    length: str
    """Name of the bin that its tokens lie in."""
    tokens: int
    """Of the prompt, in the run's encoding; exact."""
    sha256: str
    """Of the prompt in UTF-8."""
    question: str
    reference: str
    needles: int
    """Items of the reference."""
    order_required: bool
    noise: NoiseType | None
    variant: int
    """Number of the variant within its type, from 1; 0: it is none."""
    base: str
    """Id of the sample that it is a variant of, or its own."""
    file: str
    """As the user named it."""
    copy: str
    """Where it is read: the file itself, or what was unpacked of it."""
    where: str
    """The words "FILE, line N"."""
    offset: int
    """Bytes of the copy before its line."""
    size: int
    """Bytes of its line."""

    @property
    def needle_group(self) -> str:
        """Name of the paper's range of needle counts; empty below the least."""
        return next((one.name for one in reversed(GROUPS) if one.low <= self.needles), "")

    @property
    def row(self) -> Row:
        """All of the sample, read anew. Raises `SeqniahError` where the file has changed."""
        line = files.line_at(Path(self.copy), self.offset, self.size, self.where)
        try:
            found = released.row(line)
        except SeqniahError:
            found = None
        if found is None or _sha256(found.prompt) != self.sha256:
            raise SeqniahError(f"{self.where}, is not what it was; start the run again.")
        return found


def entries(
    paths: Sequence[Path], tokenizer: Tokenizer, progress: Progress | None = None
) -> list[Entry]:
    """The samples of some files, in their order.

    Raises `SeqniahError` for a line that is no sample, one that comes twice, and no line at all.
    """
    found: list[Entry] = []
    for path in released.find(paths):
        of_file = _of_file(path, tokenizer, progress)
        if not of_file:
            raise SeqniahError(f"{path} holds no sample; name a file with one JSON object a line.")
        found += of_file
    _refuse_twice(((one.id, one) for one in found), "its md5")
    variants = (one for one in found if one.noise)
    _refuse_twice(((f"{one.base} {one.noise} {one.variant}", one) for one in variants), "a variant")
    return found


def _refuse_twice(named: Iterable[tuple[str, Entry]], what: str) -> None:
    seen: dict[str, Entry] = {}
    for name, one in named:
        first = seen.setdefault(name, one)
        if first is not one:
            raise SeqniahError(f"{one.where}, has {what} of {first.where}; drop one of the two.")


def _of_file(path: Path, tokenizer: Tokenizer, progress: Progress | None) -> list[Entry]:
    """As kept, or read and kept: counting the tokens of a whole split takes minutes."""
    # The rules read the references.
    basis = VERSION, rules.VERSION, files.digest_of(path), tokenizer.digest
    file = cache_root() / released.FOLDER / f"{rng.digest(*basis).hex()}.json"
    copy = str(released.plain(path))
    found = _kept(file)
    if found is None:
        found = _read(path, Path(copy), tokenizer, progress)
        kept.write(file, [asdict(one) for one in found])
    # The same file may lie elsewhere by now.
    return [
        replace(one, file=str(path), copy=copy, where=one.where.replace(one.file, str(path), 1))
        for one in found
    ]


def _kept(path: Path) -> list[Entry] | None:
    found = kept.read(path)
    return found and [
        Entry(**{**fields, "noise": NoiseType(fields["noise"]) if fields["noise"] else None})
        for fields in found
    ]


def _read(path: Path, copy: Path, tokenizer: Tokenizer, progress: Progress | None) -> list[Entry]:
    total, found = copy.stat().st_size, []
    for line in files.lines(copy, path):
        row = released.row(line)
        tokens = tokenizer.count(row.prompt)
        items = parse(row.reference, trusted=True)
        if not items:
            raise SeqniahError(
                f"{line.where}: the reference has no item; it needs an intro, then one bulleted "
                "or numbered line an item."
            )
        pipeline = pipeline_of(row, items)
        done = line.offset + len(line.raw)
        found.append(
            Entry(
                id=row.md5,
                lang=row.lang,
                pipeline=pipeline,
                length=_bin(tokens, line.where).name,
                tokens=tokens,
                sha256=_sha256(row.prompt),
                question=row.question,
                reference=row.reference,
                needles=len(items),
                order_required=demands_order(row.question, needle_type(pipeline)),
                noise=row.noise,
                variant=row.variant,
                base=row.base,
                file=str(path),
                copy=str(copy),
                where=line.where,
                offset=line.offset,
                size=len(line.raw),
            )
        )
        if progress:
            progress(READING, done, total)
    return found


def pipeline_of(row: Row, items: Sequence[Item]) -> str:
    """What the row says, or else what question and reference leave no doubt of."""
    if row.pipeline:
        return str(row.pipeline)
    lines = [line for line in row.reference.splitlines()[1:] if line.strip()]
    dated = [one.date is not None and None not in one.date.key() for one in items]
    titled, entries = bool(_RECORD.search(row.question)), all(map(_ENTRY.fullmatch, lines))
    if all(dated) and titled == entries:
        return str(Pipeline.SYNTHETIC_TEMPORAL if titled else Pipeline.REAL_TEMPORAL)
    if not any(one.date for one in items) and all(map(_STEP.fullmatch, lines)):
        return str(Pipeline.REAL_LOGICAL)
    return UNKNOWN


def _bin(tokens: int, where: str) -> LengthBin:
    for one in BINS:
        if one.low <= tokens < one.high:
            return one
    raise SeqniahError(
        f"{where}: the prompt has {tokens:,} tokens, above the longest bin, {BINS[-1].name}; "
        "drop the line."
    )


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
