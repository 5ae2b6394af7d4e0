"""SQL that others wrote runs in a child that can only read, within limits."""

from __future__ import annotations

import sqlite3
import time
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.loft import sandbox, sandboxed

_QUESTIONS = Path(__file__).parents[1] / "data" / "chinook_questions.toml"

_LONG = "SELECT group_concat(a.name) FROM word a"
_COUNTING = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c)"

_ATTACKS = {
    "attach": ("ATTACH 'other.db' AS other", "not authorized"),
    "copy": ("VACUUM INTO 'copy.db'", "authoriz"),
    "pragma": ("PRAGMA journal_mode = delete", "not authorized"),
    "pragma table": ("SELECT * FROM pragma_table_info('word')", "not authorized|prohibited"),
    "schema": ("SELECT sql FROM sqlite_master", "prohibited"),
    "extension": ("SELECT load_extension('./evil')", "load_extension"),
    "insert": ("INSERT INTO word VALUES (7, 'x')", "not authorized"),
    "update": ("UPDATE word SET name = 'x'", "not authorized"),
    "delete": ("DELETE FROM word", "not authorized"),
    "drop": ("DROP TABLE word", "not authorized"),
    "create": ("CREATE TABLE other (a)", "not authorized"),
    "temporary": ("CREATE TEMP TABLE other AS SELECT 1", "not authorized"),
    "transaction": ("BEGIN", "not authorized"),
    "two": ("SELECT 1; SELECT 2", "one statement"),
    "nothing": ("-- SELECT 1", "asks for nothing"),
    "recursion": (f"{_COUNTING} SELECT count(*) FROM c", "more than 1 s"),
    "rows": (f"{_COUNTING} SELECT n FROM c", "more than 1 s|more than 4,000,000 bytes"),
    "product": (f"{_LONG}, word b, word c, word d", "too big|more than 1 s"),
    "sorting": (
        "SELECT a.name FROM word a, word b, word c ORDER BY a.name || b.name || c.name",
        "more than 1 s|memory",
    ),
    "printf": ("SELECT printf('%.*c', 900000000, 'x')", "printf"),
    "format": ("SELECT format('%.*c', 900000000, 'x')", "format"),
    "blob": ("SELECT length(randomblob(900000000))", "randomblob"),
    "zeros": ("SELECT length(zeroblob(900000000))", "zeroblob"),
    "growth": (
        "WITH t(x) AS (SELECT group_concat(name) FROM word) "
        "SELECT replace(replace(x, 'o', x), 'w', x) FROM t",
        "too big",
    ),
    "brackets": (f"SELECT {'(' * 50_000}1{')' * 50_000}", "overflow|depth|too large"),
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("a b?c#d%e") / "words?.sqlite"
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE word (id INTEGER, name TEXT, share REAL, raw BLOB)")
        made.executemany(
            "INSERT INTO word VALUES (?, ?, ?, ?)",
            [(number, f"word {number}", number / 4, None) for number in range(1_000)],
        )
        made.execute("INSERT INTO word VALUES (-1, ?, NULL, ?)", ("zwölf\n'quoted'", b"\x00\xff"))
    made.close()
    return path


@pytest.mark.parametrize("name", _ATTACKS)
def test_attacks_are_refused_or_stopped_in_one_sentence(base: Path, name: str) -> None:
    sql, why = _ATTACKS[name]
    before, began = base.read_bytes(), time.monotonic()
    with pytest.raises(sandbox.Refused, match=why) as refused:
        sandbox.rows(base, sql)
    assert time.monotonic() - began < 15
    assert "\n" not in str(refused.value) and len(str(refused.value)) < 400
    assert base.read_bytes() == before
    assert [one.name for one in base.parent.iterdir()] == [base.name]


def test_rows_have_sqlites_types(base: Path) -> None:
    first = "SELECT id, name, share, raw FROM word WHERE id IN (-1, 2) ORDER BY id"
    assert sandbox.all_rows(base, [first, "SELECT count(*), avg(id) FROM word WHERE id >= 0"]) == [
        [(-1, "zwölf\n'quoted'", None, "00ff"), (2, "word 2", 0.5, None)],
        [(1_000, 499.5)],
    ]


def test_a_child_that_does_not_end_is_ended(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "_PATIENCE", 0.5 - sandbox.SECONDS)
    with pytest.raises(sandbox.Refused, match="stopped as they take too long: WITH RECURSIVE"):
        sandbox.rows(base, _ATTACKS["recursion"][0])


def test_no_database(tmp_path: Path, base: Path) -> None:
    with pytest.raises(SeqniahError, match="There is no database "):
        sandbox.rows(tmp_path / "none.sqlite", "SELECT 1")
    (tmp_path / "text.sqlite").write_text("no database at all", encoding="utf-8")
    with pytest.raises(sandbox.Refused, match="not a database"):
        sandbox.rows(tmp_path / "text.sqlite", "SELECT * FROM word")


def test_limits_are_left_out_where_the_platform_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resource", None)  # so its import fails
    sandboxed._limited(1, 0)  # a limit of one byte would end this process


def test_chinook_can_be_asked(real_data: Path) -> None:
    path = real_data / "sql" / "chinook.sqlite"
    queries = tomllib.loads(_QUESTIONS.read_text(encoding="utf-8"))["queries"]
    assert all(len(one["turns"]) == len(one["sql"]) for one in queries)
    sizes = Counter(len(one["turns"]) > 1 for one in queries for _ in one["turns"])
    assert sizes == {False: 27, True: 13}
    sqls = [sql for one in queries for sql in one["sql"]]
    found = sandbox.all_rows(path, sqls)
    plain = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    plain.execute("PRAGMA reverse_unordered_selects = ON")  # no answer hangs on an order
    for sql, rows in zip(sqls, found, strict=True):
        assert Counter(rows) == Counter(plain.execute(sql).fetchall()), sql
        assert 1 <= len(rows) <= 20 and all(cell is not None for row in rows for cell in row), sql
    plain.close()
