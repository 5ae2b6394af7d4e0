"""Real events: wordings, direction, division among splits, runs, and files that are wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Pipeline, QAItem, Split, Wish
from seqniah_datasets.sources import tables
from seqniah_datasets.sources.base import Demand, divide
from seqniah_datasets.sources.event_pool import EventPool, allot
from seqniah_datasets.splits import GROUPS

SOME, MORE = GROUPS[0], GROUPS[1]


def _tsv(folder: Path, *rows: tuple[str, str, str, str], name: str = "events.tsv") -> Path:
    path = folder / name
    path.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")
    return path


def _jsonl(folder: Path, *rows: object, name: str = "deals.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    return path


def _history(a: str, relation: str, b: str, *days: str) -> list[tuple[str, str, str, str]]:
    return [(a, relation, b, day) for day in days]


def _mixed(a: str, b: str, *days: str) -> list[tuple[str, str, str, str]]:
    """Two relations in turn, since of one only three in a row are told."""
    return [(a, ("Demand", "Reject")[n % 2], b, day) for n, day in enumerate(days)]


def _served(pool: EventPool, lang: Lang, *wishes: Wish, seed: int = 0) -> list[QAItem]:
    """What all splits together give, each asked for the same."""
    found: list[QAItem] = []
    for split in SPLITS:
        supply = pool.supply(Demand(lang, split, seed, wishes))
        found += [supply.item(n) for n in range(len(wishes)) if supply.needles(n) is not None]
    return found


# From facts to questions.


def test_direction_is_kept(tmp_path: Path) -> None:
    days = ("2005-01-03", "2006-02-04", "2007-03-05")
    rows = _history("France", "Accuse", "Japan", *days)
    rows += _history("Japan", "Apologize", "France", *days)
    pool = EventPool([_tsv(tmp_path, *rows)])
    for lang in LANGS:
        found = _served(pool, lang, Wish(SOME, 3), Wish(SOME, 3))
        assert len(found) == 2
        for item in found:
            accuses = item.subject.startswith(("France", "法国"))
            a, b = ("France", "Japan") if lang == "en" else ("法国", "日本")
            relation = "Accuse" if accuses else "Apologize"
            told = {
                clause.format(a=a if accuses else b, b=b if accuses else a)
                for clause in tables.relations(lang)[relation]
            }
            assert {needle.event for needle in item.needles} <= told
            assert [needle.date and needle.date.isoformat() for needle in item.needles] == [*days]


def test_days_are_distinct_and_rising_whatever_the_order_of_the_file(tmp_path: Path) -> None:
    days = ("2009-05-01", "2006-01-31", "2009-05-01", "2005-12-02", "2007-07-07")
    rows = _history("France", "Consult", "Japan", *days)
    rows += _history("France", "Demand", "Japan", "2009-05-01", "2006-01-31")
    (item,) = _served(EventPool([_tsv(tmp_path, *rows)]), "en", Wish(SOME, 5))
    assert [needle.date for needle in item.needles] == sorted(map(date.fromisoformat, {*days}))


def test_a_pair_with_two_facts_or_with_itself_asks_nothing(tmp_path: Path) -> None:
    rows = _history("France", "Consult", "Japan", "2005-01-01", "2005-01-02")
    rows += _history("Italy", "Consult", "Italy", "2005-01-01", "2005-01-02", "2005-01-03")
    rows += _history("Spain", "Consult", "Italy", "2005-01-01", "2005-01-01", "2005-01-01")
    pool = EventPool([_tsv(tmp_path, *rows)])
    assert all(not _served(pool, lang, Wish(SOME, 3)) for lang in LANGS)


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> EventPool:
    """1,200 pairs with 3 to 26 days, both directions for every third."""
    rows: list[tuple[str, str, str, str]] = []
    for pair in range(1_200):
        a, b = f"Actor {pair}", f"Rival {pair}"
        days = [(date(2005, 1, 1) + timedelta(40 * n + pair % 39)) for n in range(3 + pair % 24)]
        rows += _mixed(a, b, *(day.isoformat() for day in days))
        if pair % 3 == 0:
            rows += _history(b, "Demand", a, *(day.isoformat() for day in days[:4]))
    return EventPool([_tsv(tmp_path_factory.mktemp("big"), *rows)])


def test_a_pair_is_in_one_split_whatever_the_seed_and_direction(big: EventPool) -> None:
    homes: dict[frozenset[str], set[Split]] = {}
    wishes = tuple(Wish(SOME, 3 + n % 3) for n in range(300))
    for seed in (0, 1, 2):
        for split in SPLITS:
            supply = big.supply(Demand("en", split, seed, wishes))
            for serial in range(300):
                if supply.needles(serial) is not None:
                    pair = frozenset(supply.item(serial).subject.split(", "))
                    homes.setdefault(pair, set()).add(split)
    assert len(homes) > 600
    assert all(len(splits) == 1 for splits in homes.values())


def test_periods_of_one_history_are_disjoint_and_no_question_comes_twice(big: EventPool) -> None:
    wishes = tuple(Wish(MORE if n % 2 else SOME, 6 + n % 5 if n % 2 else 4) for n in range(900))
    supply = big.supply(Demand("en", "dev", 1, wishes))
    spans: dict[str, list[tuple[date, date]]] = {}
    questions: list[str] = []
    for serial in range(900):
        if supply.needles(serial) is None:
            continue
        item = supply.item(serial)
        first, last = item.needles[0].date, item.needles[-1].date
        assert first and last
        spans.setdefault(item.subject, []).append((first, last))
        questions.append(item.question)
    assert any(len(found) > 1 for found in spans.values())  # long histories are cut
    for found in spans.values():
        found.sort()
        for (_, end), (start, _) in zip(found, found[1:], strict=False):  # noqa: RUF007
            assert end < start
    assert len(set(questions)) == len(questions)
    assert supply.reused == 0


def test_a_history_cut_in_parts_is_asked_to_the_day(big: EventPool) -> None:
    wishes = (Wish(SOME, 3),) * 900
    supply = big.supply(Demand("en", "dev", 0, wishes))
    sizes = {one.subject: len(one.facts) for one in big.chronicles if one.lang == "en"}
    cut = 0
    for serial in range(900):
        if supply.needles(serial) is not None and sizes[supply.item(serial).subject] > 3:
            cut += 1
            question = supply.item(serial).question
            assert re.search(r"(?i)from \w+ \d+, \d{4} to \w+ \d+, \d{4} \(both", question)
    assert cut


def test_reuse_fills_every_gap_and_counts_what_it_gives_again(tmp_path: Path) -> None:
    rows = _mixed("France", "Japan", *(f"2005-{month:02d}-01" for month in range(1, 8)))
    pool = EventPool([_tsv(tmp_path, *rows)])
    wishes = (Wish(SOME, 3), Wish(MORE, 7), Wish(SOME, 5), Wish(GROUPS[2], 12))
    split = pool.split_of[pool.chronicles[0].key]
    strict = pool.supply(Demand("en", split, 0, wishes))
    loose = pool.supply(Demand("en", split, 0, wishes, reuse=True))
    assert [strict.needles(n) for n in range(4)] == [None, 7, None, None]
    assert (strict.reused, loose.reused) == (0, 2)
    assert [loose.needles(n) for n in range(4)] == [3, 7, 5, None]
    with pytest.raises(LookupError):
        strict.item(0)


# Runs, for any pool.


@st.composite
def _demands(draw: st.DrawFn) -> tuple[dict[int, int], list[Wish]]:
    pool = draw(st.dictionaries(st.integers(0, 40), st.integers(3, 40), max_size=12))
    groups = draw(st.lists(st.sampled_from(GROUPS), max_size=25))
    return pool, [Wish(group, draw(st.integers(group.low, group.high))) for group in groups]


@settings(deadline=None)
@given(_demands(), st.booleans())
def test_runs_are_disjoint_of_the_right_length_and_none_is_withheld(
    asked: tuple[dict[int, int], list[Wish]], reuse: bool
) -> None:
    pool, wishes = asked
    given_out, reused = allot(pool, wishes, reuse=reuse)
    assert len(given_out) == len(wishes)
    first_time, _ = allot(pool, wishes, reuse=False)
    assert reused == sum(
        before is None and after is not None
        for before, after in zip(first_time, given_out, strict=True)
    )
    taken: Counter[tuple[int, int]] = Counter()
    for wish, run, fresh in zip(wishes, given_out, first_time, strict=True):
        if run is None:
            continue
        number, first, count = run
        assert first >= 0 and first + count <= pool[number]
        assert wish.group.low <= count <= wish.needles <= wish.group.high
        if fresh is not None:
            assert run == fresh
            taken.update((number, fact) for fact in range(first, first + count))
    assert max(taken.values(), default=1) == 1
    for number, facts in pool.items():
        free = "".join("-" if (number, fact) in taken else "o" for fact in range(facts))
        left = max(map(len, free.split("-")))
        for wish, run in zip(wishes, given_out, strict=True):
            assert run is not None or left < wish.group.low
    if reuse:
        assert all(
            run is not None or max(pool.values(), default=0) < wish.group.low
            for wish, run in zip(wishes, given_out, strict=True)
        )


@settings(deadline=None)
@given(st.integers(0, 400), st.integers(0, 2**16))
def test_a_small_pool_serves_test_before_dev_before_train(subjects: int, salt: int) -> None:
    found = [(f"{salt}-{n}", "en", 5) for n in range(subjects)]
    homes = Counter(divide(found, Pipeline.REAL_TEMPORAL).values())  # type: ignore[arg-type]
    wanted = 20 + 47 + 46 + 37  # Table: test, English, real events, 3-5 needles
    assert homes["test"] == min(subjects, wanted)
    assert not homes["train"] or homes["dev"] == 22 + 38 + 37 + 44


def test_the_division_does_not_hang_on_the_order_of_the_file(tmp_path: Path) -> None:
    rows = [
        row
        for n in range(60)
        for row in _history(f"A{n}", "Consult", f"B{n}", "2005-01-01", "2006-01-01", "2007-01-01")
    ]
    there = EventPool([_tsv(tmp_path, *rows)]).split_of
    back = EventPool([_tsv(tmp_path, *reversed(rows), name="back.tsv")]).split_of
    assert there == back


def test_an_event_coded_again_within_days_is_told_once(tmp_path: Path) -> None:
    days = ("2005-01-01", "2005-01-03", "2005-01-06", "2005-02-01", "2005-03-01")
    rows = _history("France", "Consult", "Japan", *days)
    (english,) = (c for c in EventPool([_tsv(tmp_path, *rows)]).chronicles if c.lang == "en")
    assert [str(fact.date) for fact in english.facts] == ["2005-01-01", "2005-02-01", "2005-03-01"]


def test_of_one_relation_three_in_a_row_are_told(tmp_path: Path) -> None:
    days = [f"2005-{month:02d}-01" for month in range(1, 10)]
    rows = _history("France", "Consult", "Japan", *days[:6])
    rows += _history("France", "Demand", "Japan", *days[6:8])
    rows += _history("France", "Consult", "Japan", days[8])
    (english,) = (c for c in EventPool([_tsv(tmp_path, *rows)]).chronicles if c.lang == "en")
    assert [str(fact.date) for fact in english.facts] == [*days[:3], *days[6:]]


@pytest.mark.parametrize(("grave", "facts"), [(2, 3), (3, 6)])
def test_lone_grave_events_are_not_believed(tmp_path: Path, grave: int, facts: int) -> None:
    rows = _history("France", "Occupy territory", "Japan", *(f"2005-0{n}-01" for n in range(1, 4)))
    rows = rows[:grave] + _history(
        "France", "Demand", "Japan", *(f"2006-0{n}-01" for n in (1, 2, 3))
    )
    (english,) = (c for c in EventPool([_tsv(tmp_path, *rows)]).chronicles if c.lang == "en")
    assert len(english.facts) == facts


def test_a_country_and_its_own_organs_are_no_pair(tmp_path: Path) -> None:
    days = ("2005-01-01", "2005-02-01", "2005-03-01")
    rows = [
        *_history("Police (Egypt)", "Consult", "Egypt", *days),
        *_history("Egypt", "Consult", "Police (Egypt)", *days),
        *_history("Egypt", "Consult", "Police (France)", *days),
    ]
    found = {c.names["b"] for c in EventPool([_tsv(tmp_path, *rows)]).chronicles if c.lang == "en"}
    assert len(found) == 1 and "France" in found.pop()


# Files that are wrong, and files that come twice.


def test_a_relation_is_worded_in_every_language_or_refused(tmp_path: Path) -> None:
    for relation in tables.relations("en"):
        days = ("2005-01-01", "2005-02-02", "2005-03-03")
        pool = EventPool([_tsv(tmp_path, *_history("France", relation, "Japan", *days))])
        assert [len(_served(pool, lang, Wish(SOME, 3))) for lang in LANGS] == [1, 1]


GOOD = "France\tConsult\tJapan\t2005-01-02\n"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("France\tConsult\t2005-01-01", "3 fields"),
        ("France\tConsult\t\t2005-01-01", "3 fields"),
        ("France\tConsult\tJapan\t2005-01-01\tmore", "5 fields"),
        ("France\tConsult\tJapan\t2005-02-30", "'2005-02-30' is no date"),
        ("France\tConsult\tJapan\tyesterday", "'yesterday' is no date"),
        ("France\tDance with\tJapan\t2005-01-01", "'Dance with' has no wording"),
    ],
)
def test_a_bad_line_is_named_in_one_sentence(tmp_path: Path, line: str, what: str) -> None:
    path = tmp_path / "bad.tsv"
    path.write_text(f"{GOOD}\n{line}\n{GOOD}", "utf-8")
    with pytest.raises(SeqniahError) as caught:
        _ = EventPool([path]).chronicles
    told = str(caught.value)
    assert f"{path}, line 3" in told and what in told
    assert told.endswith(".") and "\n" not in told


def test_other_files_and_missing_ones_are_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match=r"events\.csv is no temporal knowledge graph"):
        EventPool([tmp_path / "events.csv"])
    with pytest.raises(SeqniahError, match=r"gone\.tsv is not there"):
        EventPool([tmp_path / "gone.tsv"])
    (tmp_path / "latin.tsv").write_bytes(GOOD.encode() + "Curaçao\t".encode("latin-1"))
    with pytest.raises(SeqniahError, match=r"latin\.tsv, line 2, is not UTF-8"):
        _ = EventPool([tmp_path / "latin.tsv"]).chronicles


def test_a_file_given_twice_asks_nothing_twice(tmp_path: Path) -> None:
    path = _tsv(
        tmp_path, *_history("France", "Consult", "Japan", *(f"2005-0{n}-01" for n in (1, 2, 3)))
    )
    found = _served(EventPool([path, path]), "en", Wish(SOME, 3), Wish(SOME, 3))
    assert len(found) == 1


def test_one_history_in_two_files_is_one_history(tmp_path: Path) -> None:
    # ICEWS05-15 itself comes in three files.
    odd = _history("France", "Consult", "Japan", *(f"2005-0{n}-01" for n in (1, 3, 5, 7)))
    even = _history("France", "Demand", "Japan", *(f"2005-0{n}-01" for n in (2, 4, 6, 8)))
    files = [_tsv(tmp_path, *odd, name="train.tsv"), _tsv(tmp_path, *even, name="valid.tsv")]
    (item,) = _served(EventPool(files), "en", Wish(MORE, 8))
    assert len(item.needles) == 8


def test_the_digest_follows_the_content_and_supply_no_hash_seed(tmp_path: Path) -> None:
    rows = [
        (f"A{n}", relation, f"B{n}", f"2005-0{month}-01")
        for n in range(40)
        for month in range(1, 8)
        for relation in ("Consult", "Demand", "Accuse")
    ]
    path = _tsv(tmp_path, *rows)
    before = EventPool([path]).digest
    script = (
        "import sys, hashlib; from pathlib import Path\n"
        "from seqniah_datasets.schema import NeedleGroup, Wish\n"
        "from seqniah_datasets.sources.base import Demand\n"
        "from seqniah_datasets.sources.event_pool import EventPool\n"
        "pool = EventPool([Path(sys.argv[1])])\n"
        "supply = pool.supply(Demand('en', 'test', 0, (Wish(NeedleGroup('3-5', 3, 5), 4),) * 9))\n"
        "text = repr([supply.item(n) for n in range(9)])\n"
        "print(pool.digest, hashlib.sha256(text.encode()).hexdigest())\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", script, str(path)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(told) == 1 and before in told.pop()
    assert EventPool([_tsv(tmp_path, *rows[1:], name="other.tsv")]).digest != before
