"""A report on disk: whole, over an earlier one, and over nothing else."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.csv_files import csv_cell
from seqniah_tasks.report.drawing import Drawn
from seqniah_tasks.report.files import MARK, check, write
from seqniah_tasks.report.parts import Column, Kind, Table

PAGE = f"<!doctype html><html><head>{MARK}</head></html>"


def _table(name: str, *cells: str | float | None) -> Table:
    columns = Column("run", "run"), Column("share", "share", Kind.SHARE)
    return Table(name, "A table", columns, ((cells[0], cells[1]),))


def test_page_figures_and_tables_are_written(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "report"
    write(
        out, PAGE, {"accuracy": Drawn("", b"<svg/>", lambda: b"png")}, [_table("runs", "a, b", 0.1)]
    )
    assert (out / "index.html").read_text("utf-8") == PAGE
    assert (out / "figures" / "accuracy.svg").read_bytes() == b"<svg/>"
    assert (out / "figures" / "accuracy.png").read_bytes() == b"png"
    with (out / "tables" / "runs.csv").open(newline="", encoding="utf-8") as file:
        assert list(csv.reader(file)) == [["run", "share"], ["a, b", "0.1"]]


def test_an_earlier_report_gives_way_with_all_its_figures(tmp_path: Path) -> None:
    write(tmp_path, PAGE, {"old": Drawn("", b"", bytes)}, [_table("old", "a", 1.0)])
    write(tmp_path, PAGE, {"new": Drawn("", b"", bytes)}, [])
    found = {str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*") if one.is_file()}
    assert found == {"index.html", "figures/new.svg", "figures/new.png"}


@pytest.mark.parametrize("name", ["notes.txt", "index.html"])
def test_a_folder_of_other_things_is_left_alone(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("mine", "utf-8")
    with pytest.raises(SeqniahError, match="other things than a report"):
        write(tmp_path, PAGE, {}, [])
    assert [one.name for one in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text("utf-8") == "mine"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "report"
    file.write_text("mine", "utf-8")
    with pytest.raises(SeqniahError, match="is a file"):
        check(file)


def test_half_a_surrogate_pair_stays_an_escape(tmp_path: Path) -> None:
    write(tmp_path, PAGE + "\ud800", {}, [_table("runs", "\udfff", 0.5)])
    assert (tmp_path / "index.html").read_text("utf-8").endswith(r"\ud800")
    assert r"\udfff" in (tmp_path / "tables" / "runs.csv").read_text("utf-8")


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"])
def test_no_spreadsheet_calculates_a_cell(start: str) -> None:
    assert csv_cell(f"{start}HYPERLINK(1)") == f"'{start}HYPERLINK(1)"


def test_numbers_are_numbers_and_lists_are_json() -> None:
    assert [csv_cell(one) for one in (-0.5, 3, None, True, [0.5], "a=b")] == [
        "-0.5", "3", "", "true", "[0.5]", "a=b",
    ]  # fmt: skip
    assert [csv_cell(one) for one in (0, 0.0, False, [], "")] == ["0", "0.0", "false", "[]", ""]


def test_a_file_has_the_names_of_columns_and_no_picture_that_is_not_there(tmp_path: Path) -> None:
    table = Table("runs", "Runs", (Column("item_recall", "Item recall", Kind.SHARE),), ((0.0,),))
    write(tmp_path, PAGE, {"one": Drawn("", b"<svg/>", None)}, [table])
    assert (tmp_path / "tables" / "runs.csv").read_bytes() == b"item_recall\n0.0\n"
    assert [path.name for path in (tmp_path / "figures").iterdir()] == ["one.svg"]


def test_a_page_that_quotes_the_mark_is_no_report(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text(f"<!doctype html><p>{'x' * 3_000}{MARK}", "utf-8")
    with pytest.raises(SeqniahError, match="other things than a report"):
        check(tmp_path)


def test_an_empty_folder_is_as_good_as_a_new_one(tmp_path: Path) -> None:
    check(tmp_path)
    check(tmp_path / "new")


LIMITED = """
import resource, signal, sys
from pathlib import Path
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.report.drawing import Drawn
from seqniah_tasks.report.files import MARK, write
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
if sys.argv[2] == "killed":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
try:
    page = f"<!doctype html>{MARK}{'x' * 50_000}"
    write(Path(sys.argv[1]), page, {"new": Drawn("", b"", bytes)}, [])
except SeqniahError as error:
    sys.exit(str(error))
"""


def _limited(out: Path, how: str) -> subprocess.CompletedProcess[str]:
    """Write a report where no file may have more than 10,000 bytes: the page fails, or kills."""
    return subprocess.run(
        [sys.executable, "-c", LIMITED, str(out), how],
        capture_output=True, encoding="utf-8", timeout=60,
    )  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="no limits of files here")
def test_a_report_that_cannot_be_written_leaves_nothing_and_the_next_one_comes(
    tmp_path: Path,
) -> None:
    failed = _limited(tmp_path / "report", "failed")
    assert failed.returncode == 1
    assert "index.html cannot be written" in failed.stderr
    assert list(tmp_path.iterdir()) == []
    write(tmp_path / "report", PAGE, {}, [])


@pytest.mark.skipif(os.name != "posix", reason="no limits of files here")
@pytest.mark.parametrize("how", ["failed", "killed"])
def test_an_earlier_report_stays_whole_when_the_next_cannot_be_written(
    tmp_path: Path, how: str
) -> None:
    write(tmp_path, PAGE, {"old": Drawn("", b"", bytes)}, [_table("old", "a", 1.0)])
    _limited(tmp_path, how)
    assert (tmp_path / "index.html").read_text("utf-8") == PAGE
    assert {path.name for path in tmp_path.glob("*/*.*") if path.parent.name[0] != "."} == {
        "old.svg", "old.png", "old.csv",
    }  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="no limits of files here")
def test_what_a_killed_report_left_is_its_own(tmp_path: Path) -> None:
    killed = _limited(tmp_path, "killed")
    assert killed.returncode == -signal.SIGXFSZ
    assert [path.name[0] for path in tmp_path.iterdir()] == [".", ".", "."]
    write(tmp_path, PAGE, {}, [])
    found = {path.name for path in tmp_path.iterdir()}
    assert found == {"index.html", "figures", "tables"}
