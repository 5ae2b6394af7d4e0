"""The samples that the authors of Sequential-NIAH have released, read as they are.

Files hold JSON lines, plain or packed with gzip, in one of two layouts. Rows to be asked have
`md5`, `question` (the whole prompt), `ref_answer` or `gt_answer`, and `raw_question`. Built rows
have `md5`, `input`, `output` and `meta_QA`, and may have `lang`, `text_with_needles` and
`noise_type`. Lengths and counts that rows claim are not read.
"""

from __future__ import annotations

import ast
import gzip
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from seqniah_datasets.corpora import unpacking
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Lang, NoiseType, Pipeline
from seqniah_datasets.sources import files, qa_pool
from seqniah_datasets.sources.files import Line
from seqniah_datasets.store import cache_root, new_file

FOLDER = "released"
"""Of the cache, for what is made of released files."""

PATTERNS = ("*.jsonl", "*.jsonl.gz")
"""Names of the files that are read of a folder."""

PIPELINES = {**qa_pool.PIPELINES, "open": Pipeline.REAL_LOGICAL}

_LAYOUTS = (
    "released rows have md5, question, raw_question and ref_answer or gt_answer, or md5, input, "
    "output and meta_QA"
)

_ID = re.compile(r"(?P<base>[0-9a-f]{32})(?:_(?P<number>[1-9][0-9]?))?")

_MOVED = {"little_moving": NoiseType.TM, "large_moving": NoiseType.SM, "order": NoiseType.RO}
_ADDED = re.compile(r"(?:syn|tkg|open)_[123](?:\+2)?")
"""What `noise_type` says where a passage was added."""

VARIANTS = 3
"""Of each type of noise: the released numbers 1 to 12 are those of TM, SM, RO and SN."""

_GZIP = b"\x1f\x8b"
_PART = 1 << 20

_MOST_LITERAL = 1_000_000
"""Characters of a Python literal that is read; those of released rows have a few thousand."""

_MOST_NESTED = 20

_QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)
_PLAIN = re.compile(r"(?:[\s\[\](){},:.\w]|-\d)*")
"""What a literal may have outside its texts: no sums and no chains of signs."""


@dataclass(frozen=True, slots=True)
class Row:
    """One released sample."""

    md5: str
    """Its name: 32 hexadecimal digits, of a variant with its number behind them."""
    prompt: str
    question: str
    """The question alone."""
    reference: str
    lang: Lang
    pipeline: Pipeline | None
    """None where the row does not tell it."""
    noise: NoiseType | None
    """None of a sample as it is, and of a variant of a type that is not known."""
    needles: tuple[str, ...]
    """In true order; empty where the row does not tell them."""
    document: str
    """The text with its needles; empty where the row does not tell it."""

    @property
    def base(self) -> str:
        """The sample that it is a variant of, or itself."""
        return self.md5.partition("_")[0] if self.noise else self.md5

    @property
    def variant(self) -> int:
        """Number of the variant within its type, from 1; 0: it is none."""
        return (int(self.md5.partition("_")[2]) - 1) % VARIANTS + 1 if self.noise else 0


def find(given: Sequence[Path]) -> list[Path]:
    """The files that are meant, those of folders by name.

    Raises `SeqniahError` for a path that is not there, and a folder without such files.
    """
    found: list[Path] = []
    for path in given:
        if path.is_dir():
            inside = {one for pattern in PATTERNS for one in path.rglob(pattern) if one.is_file()}
            if not inside:
                raise SeqniahError(
                    f"{path} holds no file named {' or '.join(PATTERNS)}; name the file itself."
                )
            found += sorted(inside)
        elif not path.is_file():
            raise SeqniahError(f"{path} is not there; data= is a released file, or its folder.")
        else:
            found.append(path)
    return found


def plain(path: Path) -> Path:
    """The file itself; of a packed one, its copy in the cache, unpacked once.

    Raises `SeqniahError` where it cannot be read, ends early, or swells as no text does.
    """
    try:
        with path.open("rb") as stream:
            if stream.read(len(_GZIP)) != _GZIP:
                return path
    except OSError as error:
        raise SeqniahError(f"{path} cannot be read: {error.strerror or error}.") from error
    copy = cache_root() / FOLDER / f"{files.digest_of(path)}.jsonl"
    if not copy.exists():
        with new_file(copy) as temporary, temporary.open("wb") as out:
            out.writelines(_unpacked(path))
    return copy


def _unpacked(path: Path) -> Iterator[bytes]:
    packed, most, done = path.stat().st_size, unpacking.ratio(), 0
    with gzip.open(path) as stream:
        while True:
            try:
                part = stream.read(_PART)
            except EOFError as error:
                raise SeqniahError(
                    f"{path} ends early; it was cut, or is still being written: copy it anew."
                ) from error
            except (gzip.BadGzipFile, zlib.error) as error:
                raise SeqniahError(f"{path} is not readable gzip: {error}; copy it anew.") from None
            if not part:
                return
            done += len(part)
            unpacking.refuse_swelling(done, packed, most, str(path))
            yield part


def row(line: Line) -> Row:
    """The sample of a line. Raises `SeqniahError` that names the line and what it lacks."""
    where = line.where
    try:
        fields = line.fields
    except SeqniahError as error:
        if line.raw.endswith(b"\n"):
            raise
        raise SeqniahError(
            f"{where}, the last one, is not whole; the file was cut: copy it anew."
        ) from error
    md5 = _text(where, fields, "md5")
    named = _ID.fullmatch(md5)
    if named is None:
        raise SeqniahError(
            f"{where}: md5 is 32 hexadecimal digits, of a variant with _ and its number behind "
            f"them, not {md5[:60]!r}."
        )
    built = "input" in fields
    meta = _meta(where, fields) if built else {}
    question = _text(where, meta, "question") if built else _text(where, fields, "raw_question")
    answer = "output" if built else "ref_answer" if "ref_answer" in fields else "gt_answer"
    prompt = _text(where, fields, "input" if built else "question")
    return Row(
        md5=md5,
        prompt=prompt,
        question=question,
        reference=_text(where, fields, answer),
        lang=_lang(where, fields, question),
        pipeline=PIPELINES.get(str(meta.get("ppl"))),
        noise=_noise(named["number"], fields.get("noise_type")),
        needles=_needles(where, meta, prompt) if built else (),
        document=str(fields.get("text_with_needles") or ""),
    )


def _text(where: str, fields: Mapping[str, Any], name: str) -> str:
    value = fields.get(name)
    if not isinstance(value, str) or not value.strip():
        raise SeqniahError(f"{where}, has no {name}; {_LAYOUTS}.")
    return value


def _lang(where: str, fields: Mapping[str, Any], question: str) -> Lang:
    given = fields.get("lang")
    if given is None:
        return "zh" if re.search(r"[\u4e00-\u9fff]", question) else "en"
    for lang in LANGS:
        if given == lang:
            return lang
    raise SeqniahError(f"{where}: lang is {' or '.join(LANGS)}, not {str(given)[:60]!r}.")


def _noise(number: str | None, told: object) -> NoiseType | None:
    """The type that the row tells; where it tells none, that of its number."""
    if number is None:
        return None
    if isinstance(told, str) and told:
        return NoiseType.SN if _ADDED.fullmatch(told) else _MOVED.get(told)
    types = dict(enumerate(NoiseType))
    return types.get((int(number) - 1) // VARIANTS)


def _needles(where: str, meta: Mapping[str, Any], prompt: str) -> tuple[str, ...]:
    """The needles in true order; none where only another order is told.

    Raises `SeqniahError` where the prompt has none of the needles that the row tells.
    """
    placed, ordered = _texts(meta.get("needles")), _texts(meta.get("raw_needles"))
    if not any(one in prompt for one in placed):
        raise SeqniahError(f"{where}: the prompt holds no needle of meta_QA; drop the line.")
    return ordered if sorted(ordered) == sorted(placed) else ()


def _texts(given: Any) -> tuple[str, ...]:
    listed = given if isinstance(given, list) else []
    return tuple(one for one in listed if isinstance(one, str) and one.strip())


def _meta(where: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a row tells of its question: an object, or one as JSON or as Python writes it."""
    given = fields.get("meta_QA")
    found = _literal(given) if isinstance(given, str) else given
    if not isinstance(found, dict):
        raise SeqniahError(f"{where}, has no meta_QA that can be read; {_LAYOUTS}.")
    return found


def _literal(given: str) -> Any:
    """A value from JSON or a Python literal; None where it is none, too long or too deep."""
    if len(given) > _MOST_LITERAL:
        return None
    bare = _QUOTED.sub("", given)
    depth = deepest = 0
    for one in bare:
        depth += (one in "[({") - (one in "])}")
        deepest = max(deepest, depth)
    if deepest > _MOST_NESTED:
        return None
    try:
        return json.loads(given)
    except ValueError:
        pass
    try:
        return ast.literal_eval(given) if _PLAIN.fullmatch(bare) else None
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
