"""What is kept on this machine: the cache folder, the corpora in it, those that were chosen."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora import corpus as open_corpus
from seqniah_datasets.corpora import index, packed, procedural
from seqniah_datasets.corpora.hub import HubCorpus
from seqniah_datasets.corpora.procedural import ProceduralCorpus
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_tasks.checks.base import Said, Setting, State

ROOM = 512_000_000
"""Free bytes that suffice for the embedded corpus, several times over."""

_NAMED = 3
"""Parts of an index, or files, that a finding names."""

_ANEW = "Nothing need be done: what is damaged is made again when it is next used."


def cache(setting: Setting) -> Iterator[Said]:
    place = setting.cache
    try:
        while not place.exists() and place != place.parent:
            place = place.parent
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError as error:
        what = f"{setting.cache} cannot be written ({error.strerror or error})"
        yield State.PROBLEM, what, "Set SEQNIAH_CACHE to a folder that can be written."
        return
    free = shutil.disk_usage(place).free
    size = store.in_units(store.size_of(setting.cache))
    here = f"{size} there" if place == setting.cache else "not made yet"
    what = f"{setting.cache} ({here}, {store.in_units(free)} free)"
    if free < ROOM:
        todo = "Free some space, or set SEQNIAH_CACHE to a folder on another disk."
        yield State.NOTE, what, todo
    else:
        yield State.OK, what, ""


def indexes(setting: Setting) -> Iterator[Said]:
    """Each corpus in the cache. Sizes alone are compared; opening an index compares digests."""
    stale: list[Path] = []
    current = f"procedural-{procedural.digest()[:12]}"
    folders = [path for path in _folders(setting.cache / "corpora") if path.name != "hub-revisions"]
    for folder in folders:
        if folder.name.startswith("procedural-") and folder.name != current:
            stale.append(folder)
        else:
            yield _index(folder)
    if stale:
        size = store.in_units(sum(map(store.size_of, stale)))
        what = f"{len(stale)} of other versions of the embedded corpus, {size}"
        todo = f"To free the space, delete every procedural-* in {stale[0].parent} but {current}."
        yield State.NOTE, what, todo
    if not folders:
        todo = "To save the first run the time, run seqniah index."
        yield State.NOTE, "none yet; a run indexes what it needs", todo


def _folders(place: Path) -> list[Path]:
    if not place.is_dir():
        return []
    return sorted(path for path in place.iterdir() if path.is_dir() and path.name[0] != ".")


def _index(folder: Path) -> Said:
    from_hub = folder.name.startswith("hub-")
    if folder.name.startswith("procedural-"):
        parts = sorted(path for path in folder.glob("*/*") if path.name[0] != ".")
        bad = [part.name for part in parts if not packed.is_whole(part)]
    else:
        parts = _folders(folder / "index" if from_hub else folder)
        bad = [part.name for part in parts if not _is_part_whole(part)]
    if from_hub and not _is_whole(folder / "texts" / "snapshot"):
        bad.insert(0, "texts")
    what = f"{folder.name}: {len(parts):,} {'part' if len(parts) == 1 else 'parts'}"
    if not bad:
        return State.OK, f"{what}, all whole", ""
    more = f" and {len(bad) - _NAMED:,} more" if len(bad) > _NAMED else ""
    return State.NOTE, f"{what}, incomplete or damaged: {', '.join(bad[:_NAMED])}{more}", _ANEW


def _is_part_whole(part: Path) -> bool:
    counted = sorted(part.glob("tokens-*.json"))
    return bool(counted) and all(map(_is_whole, [part / store.MANIFEST, *counted]))


def _is_whole(manifest: Path) -> bool:
    """Whether the files that a manifest names are there in their sizes."""
    try:
        entries = store.read_manifest(manifest)["files"]
        assert isinstance(entries, dict)
        return all(
            (manifest.parent / Path(name).name).stat().st_size == entry["size"]
            for name, entry in entries.items()
        )
    except (DamagedFile, OSError, LookupError, TypeError):
        return False


def leftovers(setting: Setting) -> Iterator[Said]:
    """What killed commands left half-written, in the cache and in the working folder."""
    here = Path.cwd()
    found = [*store.below(setting.cache), *here.glob(".*"), *here.glob("*/.*")]
    left = sorted({path.resolve() for path in found if store.is_left(path)})
    if not left:
        yield State.OK, "nothing that is half-written in the cache or in this folder", ""
        return
    named = ", ".join(map(str, left[:_NAMED]))
    more = f" and {len(left) - _NAMED:,} more" if len(left) > _NAMED else ""
    size = store.in_units(sum(map(store.size_of, left)))
    what = f"{len(left):,} left half-written by killed commands, {size}: {named}{more}"
    yield State.NOTE, what, "Delete them, or let the next command that writes the same do so."


def tokenizer(setting: Setting) -> Iterator[Said]:
    try:
        found = tokens.tokenizer(setting.tokenizer)
    except SeqniahError as error:
        todo = f"Give another with --tokenizer, e.g. {tokens.DEFAULT_TOKENIZER}, or fix this one."
        yield State.PROBLEM, str(error), todo
    else:
        yield State.OK, f"{found.name} ({found.digest[:12]})", ""


def corpus(setting: Setting) -> Iterator[Said]:
    """The chosen corpus; neither indexed nor fetched."""
    if setting.corpus.startswith(HubCorpus.prefix):
        yield _hub(setting)
        return
    try:
        tokens.tokenizer(setting.tokenizer)
    except SeqniahError:
        yield State.NOTE, "not looked at, since the tokenizer cannot be used", ""
        return
    try:
        opened = open_corpus(setting.corpus, setting.tokenizer, setting.cache)
        shards = opened.shards()
    except SeqniahError as error:
        yield State.PROBLEM, str(error), "Give another with --corpus, or fix this one."
        return
    if isinstance(opened, ProceduralCorpus):
        yield State.OK, f"{setting.corpus}: written as samples need it", ""
        return
    done = sum(index.is_indexed(opened.folder / s.key, s, opened.tokenizer) for s in shards)
    what = f"{setting.corpus}: {done:,} of {len(shards):,} parts indexed with {setting.tokenizer}"
    if done == len(shards):
        yield State.OK, f"{what}; complete", ""
    else:
        todo = "To index it before the first run does, run seqniah index with its path."
        yield State.NOTE, f"{what}; not complete", todo


def _hub(setting: Setting) -> Said:
    repo, _, revision = setting.corpus.removeprefix(HubCorpus.prefix).partition("@")
    if repo.count("/") != 1:
        what = f"{setting.corpus} is no data set of the hub"
        return State.PROBLEM, what, "Write hub:OWNER/NAME or hub:OWNER/NAME@REVISION."
    commit = revision[:12] if len(revision) == 40 else "*"
    name = f"hub-{repo.replace('/', '-')}-{commit}"
    for folder in (setting.cache / "corpora").glob(name):
        if _is_whole(folder / "texts" / "snapshot"):
            return State.OK, f"{setting.corpus}: fetched, in {folder.name}", ""
    if setting.environ.get("HF_HUB_OFFLINE", "").upper() in ("1", "TRUE", "YES", "ON"):
        what = f"{setting.corpus} is not fetched, and HF_HUB_OFFLINE is set"
        return State.PROBLEM, what, "Unset HF_HUB_OFFLINE for the first run."
    todo = f"Run seqniah index {setting.corpus} where there is a network, or let the run do it."
    return State.NOTE, f"{setting.corpus} is not fetched yet", todo
