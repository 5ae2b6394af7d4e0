"""Recipe files and exports: read back as written, whole or absent, checked."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import anywhere
import pyarrow.ipc
import pyarrow.parquet
import pytest

from seqniah_datasets import export, recipes, rendering
from seqniah_datasets.corpora import corpus
from seqniah_datasets.corpora.base import Corpus
from seqniah_datasets.errors import DamagedFile, SeqniahError
from seqniah_datasets.haystack import Frame, Order
from seqniah_datasets.schema import LengthBin, NeedleGroup, Origin, Recipe, Wish
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.synthetic_temporal import SyntheticTemporal


@pytest.fixture(scope="module")
def opened(texts: Path, cache: Path) -> Corpus:
    return corpus(str(texts), root=cache)


@pytest.fixture(scope="module")
def made(opened: Corpus) -> list[Recipe]:
    five = Wish(NeedleGroup("5", 5, 5), 5)
    return [
        anywhere.build(
            SyntheticTemporal()
            .supply(Demand("zh" if number % 2 else "en", "dev", 0, (five,) * 6))
            .item(number),
            Order(
                f"r-{number}",
                Origin(0, "open", "test 000000"),
                ("recipes", number),
                LengthBin("1k-2k", 1_000, 2_000),
                "shuffled",
            ),
            Frame("T\n", "\n\nQ"),
            opened,
        )
        for number in range(6)
    ]


def fields(given: Sequence[Recipe]) -> list[recipes.Fields]:
    return [recipes.as_json(one) for one in given]


def test_recipes_are_read_back_as_they_were(made: list[Recipe], tmp_path: Path) -> None:
    assert recipes.write(tmp_path / "out", fields(made), {"seed": 0}) == 6
    assert list(recipes.read(tmp_path / "out")) == made


def test_writing_twice_gives_the_same_bytes(made: list[Recipe], tmp_path: Path) -> None:
    for name in ("a", "b"):
        recipes.write(tmp_path / name, fields(made), {"seed": 0})
    for name in ("recipes.jsonl", "manifest.json"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_rebuild_replaces_recipes_and_nothing_else(made: list[Recipe], tmp_path: Path) -> None:
    recipes.write(tmp_path / "out", fields(made), {})
    with pytest.raises(SeqniahError, match="out holds an earlier build; pass --replace"):
        recipes.write(tmp_path / "out", fields(made[:2]), {})
    recipes.write(tmp_path / "out", fields(made[:2]), {}, replace=True)
    assert list(recipes.read(tmp_path / "out")) == made[:2]
    (tmp_path / "out" / "notes.txt").touch()
    with pytest.raises(SeqniahError, match=r"out holds other files \(notes\.txt\)"):
        recipes.write(tmp_path / "out", fields(made), {}, replace=True)
    (tmp_path / "photos").mkdir()
    (tmp_path / "photos" / "dear.jpg").touch()
    with pytest.raises(SeqniahError, match="photos holds other files"):
        recipes.write(tmp_path / "photos", fields(made), {})
    assert (tmp_path / "photos" / "dear.jpg").exists()


def test_a_build_that_breaks_off_leaves_what_was_there(made: list[Recipe], tmp_path: Path) -> None:
    def breaking() -> Iterator[recipes.Fields]:
        yield recipes.as_json(made[0])
        raise KeyboardInterrupt

    recipes.write(tmp_path / "out", fields(made), {})
    with pytest.raises(KeyboardInterrupt):
        recipes.write(tmp_path / "out", breaking(), {}, replace=True)
    assert list(recipes.read(tmp_path / "out")) == made
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("name", ["recipes.jsonl", "manifest.json"])
def test_a_damaged_recipe_folder_is_named(made: list[Recipe], tmp_path: Path, name: str) -> None:
    recipes.write(tmp_path, fields(made), {})
    path = tmp_path / name
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DamagedFile, match=name.replace(".", r"\.")):
        list(recipes.read(tmp_path))


def test_a_line_of_another_version_is_named(made: list[Recipe], tmp_path: Path) -> None:
    from seqniah_datasets import store

    recipes.write(tmp_path, fields(made), {})
    path = tmp_path / "recipes.jsonl"
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    del rows[2]["window"]
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    store.write_manifest(tmp_path / "manifest.json", {"recipes": 6}, ["recipes.jsonl"])
    with pytest.raises(DamagedFile, match=r"recipes\.jsonl, line 3, is no recipe"):
        list(recipes.read(tmp_path))


@pytest.mark.parametrize("name", ["data/x-0", "more.txt"])
def test_other_files_of_a_build_are_verified_and_replaced_too(
    made: list[Recipe], tmp_path: Path, name: str
) -> None:
    def more(place: Path, given: Iterator[recipes.Fields]) -> list[str]:
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text("".join(str(one["id"]) for one in given), "utf-8")
        return [name]

    folder = tmp_path / "out"
    recipes.write(folder, fields(made), {}, more)
    assert list(recipes.read(folder)) == made
    recipes.write(folder, fields(made[:2]), {}, more, replace=True)
    assert (folder / name).read_text("utf-8") == "r-0r-1"
    stranger = (folder / name).with_name("notes.txt")
    stranger.touch()
    with pytest.raises(SeqniahError, match=r"out holds other files \((data/)?notes\.txt\)"):
        recipes.write(folder, fields(made), {}, more, replace=True)
    stranger.unlink()
    (folder / name).write_text("r-0r-2", "utf-8")
    with pytest.raises(DamagedFile, match=f"{name} is damaged"):
        list(recipes.read(folder))
    (folder / name).unlink()
    with pytest.raises(DamagedFile, match=f"{name} is missing"):
        list(recipes.read(folder))


def _read_back(folder: Path, form: str) -> list[dict[str, object]]:
    (path,) = folder.rglob(f"data/dev-00000-of-00001.{form}")
    if form == "jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    if form == "parquet":
        rows: list[dict[str, object]] = pyarrow.parquet.read_table(path).to_pylist()
        return rows
    with pyarrow.OSFile(str(path)) as file:
        rows = pyarrow.ipc.open_stream(file).read_all().to_pylist()
    return rows


@pytest.mark.parametrize("form", list(export.FORMATS))
def test_exports_hold_the_prompt_and_where_its_needles_are(
    made: list[Recipe], opened: Corpus, tmp_path: Path, form: str
) -> None:
    samples = [rendering.render(recipe, opened) for recipe in made]
    export.write(tmp_path, "dev", form, map(export.row, samples))
    rows = _read_back(tmp_path, form)
    assert rows == [export.row(sample) for sample in samples]
    for row, sample in zip(rows, samples, strict=True):
        assert row["input"] == sample.input
        assert row["canary"] == export.CANARY
        assert export.CANARY not in sample.input


@pytest.mark.parametrize("form", list(export.FORMATS))
def test_an_export_that_breaks_off_leaves_no_file_under_its_name(tmp_path: Path, form: str) -> None:
    def breaking() -> Iterator[export.Row]:
        yield {"id": "r-0", "input": "a text"}
        yield {"id": "r-1", "input": "a text"}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export.write(tmp_path, "dev", form, breaking(), most=1)
    assert not list(tmp_path.rglob("dev-*"))


@pytest.mark.parametrize("form", list(export.FORMATS))
def test_a_file_takes_what_the_bound_allows_and_no_more(tmp_path: Path, form: str) -> None:
    rows = [{"id": f"r-{n}", "input": "x" * (90_000 if n == 3 else 9_000)} for n in range(12)]
    written = export.write(tmp_path, "dev", form, rows, most=30_000)
    paths = [tmp_path / name for name in written.files]
    # Of 9,190 bytes and the canary's, three rows fit; the long one stands alone.
    assert [path.name for path in paths] == [f"dev-{n:05d}-of-00005.{form}" for n in range(5)]
    assert paths == sorted(tmp_path.rglob("*.*"))
    sizes = [path.stat().st_size for path in paths]
    assert max(size for number, size in enumerate(sizes) if number != 1) <= 30_000


@pytest.mark.parametrize("form", list(export.FORMATS))
def test_rows_of_other_benchmarks_are_written_as_they_are(tmp_path: Path, form: str) -> None:
    given = [{"id": f"r-{n}", "input": "a text", "rounds": [n, n + 1]} for n in range(70)]
    export.write(tmp_path, "dev", form, given)
    rows = _read_back(tmp_path, form)
    assert rows == [{**one, "canary": export.CANARY} for one in given]
