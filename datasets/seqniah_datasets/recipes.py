"""Recipes as files: one JSON object a line, under a manifest that pins them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

from seqniah_datasets import store
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.export import CARD, write_jsonl
from seqniah_datasets.schema import (
    Insertion,
    Needle,
    Origin,
    Pipeline,
    QAItem,
    Recipe,
    StarTask,
    Stray,
    Window,
)

RECIPES = "recipes.jsonl"


def as_json(recipe: Recipe) -> dict[str, Any]:
    """A recipe as JSON fields, in a fixed order."""
    qa = recipe.qa
    strays = [[stray.text, *_joint(stray)] for stray in recipe.strays]
    return {
        "id": recipe.id,
        **asdict(recipe.origin),
        "lang": qa.lang,
        "pipeline": str(qa.pipeline),
        "subject": qa.subject,
        "question": qa.question,
        "order_required": qa.order_required,
        "parties": list(qa.parties),
        "intro": qa.intro,
        "needles": [
            {**asdict(needle), "date": needle.date and needle.date.isoformat()}
            for needle in qa.needles
        ],
        "window": [recipe.window.shard, recipe.window.start, recipe.window.end],
        "insertions": [[place.needle, *_joint(place)] for place in recipe.insertions],
        "before": recipe.before,
        "after": recipe.after,
        "tokenizer": recipe.tokenizer,
        "tokens": recipe.tokens,
        "sha256": recipe.sha256,
        # Only where there are any, as in all recipes that were written before there were.
        **({"strays": strays} if strays else {}),
    }


def _joint(passage: Insertion | Stray) -> list[int | str]:
    """Where it stands and what joins it to its text; what is usual is left out."""
    before = [] if passage.before == "\n" else [passage.before]
    return [passage.at, passage.after, *before]


def from_json(fields: Mapping[str, Any]) -> Recipe:
    """The recipe of JSON fields. Raises `KeyError`, `TypeError` or `ValueError` for others."""
    kind = str(fields["pipeline"])
    qa = QAItem(
        lang="zh" if fields["lang"] == "zh" else "en",
        pipeline=StarTask(kind) if kind in list(StarTask) else Pipeline(kind),
        subject=str(fields["subject"]),
        question=str(fields["question"]),
        intro=str(fields["intro"]),
        needles=tuple(map(_needle, fields["needles"])),
        order_required=bool(fields["order_required"]),
        parties=tuple(map(str, fields["parties"])),
    )
    shard, start, end = fields["window"]
    return Recipe(
        id=str(fields["id"]),
        origin=Origin(int(fields["version"]), str(fields["edition"]), str(fields["source"])),
        qa=qa,
        window=Window(str(shard), int(start), int(end)),
        insertions=tuple(
            Insertion(int(number), int(at), *map(str, ends))
            for number, at, *ends in fields["insertions"]
        ),
        before=str(fields["before"]),
        after=str(fields["after"]),
        tokenizer=str(fields["tokenizer"]),
        tokens=int(fields["tokens"]),
        sha256=str(fields["sha256"]),
        strays=tuple(
            Stray(str(text), int(at), *map(str, ends))
            for text, at, *ends in fields.get("strays", ())
        ),
    )


def _needle(fields: Mapping[str, Any]) -> Needle:
    text, item, event = (str(fields[name]) for name in ("text", "item", "event"))
    return Needle(text, item, event, date.fromisoformat(fields["date"]) if fields["date"] else None)


Fields = Mapping[str, Any]

More = Callable[[Path, Iterator[Fields]], list[str]]
"""Writes more files into the folder given, from the recipes given; returns their paths in it."""


def write(
    folder: Path,
    recipes: Iterable[Fields],
    facts: Mapping[str, object],
    more: More | None = None,
    *,
    replace: bool = False,
) -> int:
    """Write recipes as JSON fields, more files if asked, and the manifest; all or nothing.

    Returns how many. Raises `SeqniahError` when the folder holds an earlier build and `replace`
    is not set, or anything else, which is never touched.
    """
    folder = folder.resolve()
    _refuse_to_lose(folder, replace=replace)
    with store.new_folder(folder) as place:
        count = write_jsonl(place / RECIPES, recipes)
        names = [RECIPES]
        if more:
            with (place / RECIPES).open(encoding="utf-8") as lines:
                names += more(place, map(json.loads, lines))
        store.write_manifest(place / store.MANIFEST, {**facts, "recipes": count}, names)
    return count


def _refuse_to_lose(folder: Path, *, replace: bool) -> None:
    store.sweep(folder)  # An earlier build may stand out of the way of one that was killed.
    if not folder.exists():
        return
    if not folder.is_dir():
        raise SeqniahError(f"{folder} is a file; give a folder.")
    ours: set[Path] = set()
    with suppress(DamagedFile):
        fields = store.read_manifest(folder / store.MANIFEST)
        if "recipes" in fields:
            ours = {Path(store.MANIFEST), *map(Path, fields["files"])}
    places = {Path(), *(place for path in ours for place in path.parents)}
    present = {place / one.name for place in places for one in _inside(folder / place)}
    strangers = sorted(present - ours - places)
    if strangers:
        raise SeqniahError(
            f"{folder} holds other files ({strangers[0]}) and is left alone; give another folder."
        )
    if present and not replace:
        raise SeqniahError(f"{folder} holds an earlier build; pass --replace, or another folder.")


def _inside(place: Path) -> Iterable[Path]:
    return place.iterdir() if place.is_dir() else ()


def _verify(folder: Path) -> None:
    """Compare all files but the card with the manifest. Raises `DamagedFile` at the first wrong."""
    manifest = folder / store.MANIFEST
    for name, entry in store.read_manifest(manifest)["files"].items():
        if name == CARD:
            continue
        if not (folder / name).is_file():
            raise DamagedFile(f"{folder / name} is missing.")
        if store.entries(folder, [name])[name] != entry:
            raise DamagedFile(f"{folder / name} is damaged: it is not what {manifest} describes.")


def read(folder: Path) -> Iterator[Recipe]:
    """Read recipes back, verified. Raises `DamagedFile`, naming file and line."""
    _verify(folder)
    path = folder / RECIPES
    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            try:
                yield from_json(json.loads(line))
            except (KeyError, TypeError, ValueError) as error:
                raise DamagedFile(
                    f"{path}, line {number}, is no recipe of this version ({error!r})."
                ) from error
