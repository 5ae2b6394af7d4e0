"""Exports: a task's prompts in a folder that `datasets.load_dataset` and the hub take as it is."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from seqniah_datasets import export
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.export import CARD, COLUMNS, Written
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.protocol import Bench, Facts
from seqniah_tasks.benchmarks.reading import Given

SIZES = {"n<1K": 10**3, "1K<n<10K": 10**4, "10K<n<100K": 10**5, "100K<n<1M": 10**6}
"""How the hub names how many rows there are, and the fewest that are more."""

_NO_LICENCE = (
    "This card claims none, since a corpus, questions or a benchmark are not seqniah's own. Find "
    "out what their owners allow, and add `license:` to the front matter before you publish this "
    "folder."
)


@dataclass(frozen=True, slots=True)
class Export:
    """The samples of a task as a user chose them, with their data card."""

    task: str
    given: Mapping[str, Given]
    """Its options as they were written."""
    bench: Bench[Any]
    form: str = "parquet"
    shard: int = export.SHARD
    """Bytes of a file at most."""

    def write(self, place: Path, recipes: Iterator[Facts]) -> list[str]:
        """Write prompts and card beside the recipes. Returns the files' paths in the folder.

        Raises `SeqniahError` where there is no sample, since nothing could load the files.
        """
        rows = map(self.bench.exported, recipes)
        split = str(self.bench.facts()["split"])
        written = export.write(place, split, self.form, rows, self.shard)
        if not written.files:
            raise SeqniahError("No sample passes these options: there is nothing to export.")
        (place / CARD).write_text(self.card(written), encoding="utf-8", newline="\n")
        return [*written.files, CARD]

    def card(self, written: Written | None = None) -> str:
        """What the samples are and what names their bytes, as the hub's README.

        Of files, it also tells how they are loaded.
        """
        title, licence = self.bench.title, self.bench.licence
        facts = (
            f"| {name} | {_said(value)} |"
            for name, value in public(self.bench.facts()).items()
            if value not in ("", None)
        )
        lines = [
            *self._front(written),
            f"# {title}\n",
            f"{len(self.bench.plan):,} samples of the task `{self.task}`, made by seqniah. Not for "
            "training corpora: every row has the canary by which leaked copies are found.\n",
            *(_loading(written) if written else ()),
            "## What the bytes follow from\n",
            "| | |",
            "| --- | --- |",
            *facts,
            "\n## The same again\n",
            *self._again(),
            "\n## Licence\n",
            f"That of all texts is `{licence}`." if licence else _NO_LICENCE,
        ]
        return "\n".join(lines) + "\n"

    def _front(self, written: Written | None) -> Iterator[str]:
        count = len(self.bench.plan)
        fields = {
            "pretty_name": self.bench.title,
            "license": self.bench.licence,
            "language": sorted({planned.lang for planned in self.bench.plan}),
            "size_categories": [next((name for name in SIZES if count < SIZES[name]), "n>1M")],
            "tags": ["long-context", "needle-in-a-haystack"],
        }
        yield "---"
        # JSON is YAML too, in which a bare `no` would be no language.
        yield from (f"{name}: {_json(told)}" for name, told in fields.items() if told)
        if written:
            yield "configs:\n- config_name: default\n  data_files:"
            yield f"  - split: {written.split}\n    path:"
            yield from (f"    - {name}" for name in written.files)
            # A reader would take JSON's texts for dates and empty lists for nulls.
            yield "dataset_info:\n  features:"
            yield from (f"  - {_json(_feature(column))}" for column in written.schema)
        yield "---"

    def _again(self) -> Iterator[str]:
        """The command that writes the folder, without places of this machine."""
        import pyarrow

        told = {name: _words(value) for name, value in sorted(self.given.items())}
        named = {name: ",".join(map(_public, parts)) for name, parts in told.items() if parts}
        words = [word for name, value in named.items() for word in ("-T", f"{name}={value}")]
        more = ["--materialize", self.form, "--out", "FOLDER"]
        yield f"```\n{shlex.join(['seqniah', 'build', self.task, *words, *more])}\n```\n"
        own = "" if self.form == "jsonl" else f" and pyarrow {pyarrow.__version__}"
        yield f"writes the same, byte for byte, with seqniah {version('seqniah')}{own}."
        if any(_public(part) != part for parts in told.values() for part in parts):
            yield "A file or folder of your own stands there by its name; give its path."


def public(facts: Facts) -> dict[str, Any]:
    """Facts of a run, in which files and folders have their names and no places."""
    return {
        name: _public(value) if isinstance(value, str) else value for name, value in facts.items()
    }


def _public(word: str) -> str:
    path = Path(word)
    try:
        is_place = path.is_absolute() or path.exists()
    except (OSError, ValueError):  # too long for one, or with a null
        is_place = False
    return path.name or word if is_place else word


def _words(given: Given) -> list[str]:
    if isinstance(given, bool):
        return [str(given).lower()]
    return reading.parts(given)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _said(value: object) -> str:
    return value if isinstance(value, str) else f"`{_json(value)}`"


def _loading(written: Written) -> Iterator[str]:
    yield "```python\nimport datasets\n"
    yield f'samples = datasets.load_dataset("FOLDER", split="{written.split}")\n```\n'
    yield "## Columns\n\n| column | type | what it holds |\n| --- | --- | --- |"
    yield from (_column(column.name, column.type) for column in written.schema)
    yield ""


def _column(name: str, kind: Any) -> str:
    """Its lines of the table: its own, and one for each part that its entries have."""
    told = _type(kind)
    parts = getattr(kind, "value_type", kind) if "list" in told else kind
    inner = told.get("struct", told.get("list"))
    if not isinstance(inner, list):
        return f"| {name} | {told.get('dtype', 'list')} | {COLUMNS.get(name, '')} |"
    word = "list of struct" if "list" in told else "struct"
    own = f"| {name} | {word} | {COLUMNS.get(name, '')} |"
    return "\n".join([own, *(_column(f"{name}.{part.name}", part.type) for part in parts)])


def _feature(column: Any) -> dict[str, Any]:
    """A column as the hub's cards have it, from pyarrow's."""
    return {"name": column.name, **_type(column.type)}


def _type(kind: Any) -> dict[str, Any]:
    from pyarrow import types

    if types.is_struct(kind):
        return {"struct": list(map(_feature, kind))}
    if types.is_list(kind):
        inner = _type(kind.value_type)
        return {"list": inner.get("dtype") or inner.get("struct") or inner}
    return {"dtype": "float64" if types.is_float64(kind) else str(kind)}
