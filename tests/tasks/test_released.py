"""Released samples: how files are read, what is derived of their rows, and what is refused."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from released_rows import NEEDLES, ROWS, asked, built, md5, write

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import NoiseType
from seqniah_datasets.tokens import tokenizer
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.sequential_niah.options import NoiseOptions, read_options
from seqniah_tasks.benchmarks.sequential_niah.released.bench import Released, ReleasedSuite
from seqniah_tasks.benchmarks.sequential_niah.released.index import Entry


def _bench(data: Path | str, **given: Any) -> Released:
    return Released(read_options(edition="released", data=str(data), **given))


def _by_id(bench: Released) -> dict[str, Entry]:
    return {one.id: one for one in bench.plan}


# What is known of a row.


def test_prompts_are_the_released_ones_and_counted(tmp_path: Path) -> None:
    bench = _bench(write(tmp_path / "rows.jsonl", [*ROWS, built(9)]))
    found = _by_id(bench)
    assert found.keys() == {*map(md5, (1, 2, 3, 4, 5, 9))}
    for row in [*ROWS, built(9)]:
        text = row.get("input") or row["question"]
        prompt = bench.prompt(found[row["md5"]])
        assert prompt.text == text
        assert prompt.tokens == tokenizer("cl100k_base").count(text)
        assert prompt.sha256 == hashlib.sha256(text.encode()).hexdigest()
    other = _bench(tmp_path / "rows.jsonl", tokenizer="qwen")
    chinese = next(one for one in other.plan if one.lang == "zh")
    assert chinese.tokens == tokenizer("qwen").count(ROWS[3]["question"])


def test_what_rows_do_not_tell_is_derived(tmp_path: Path) -> None:
    found = _by_id(_bench(write(tmp_path / "rows.jsonl", [*ROWS, built(9)])))
    assert {int(name, 16): (one.lang, one.pipeline, one.needles, one.order_required)
            for name, one in found.items()} == {
        1: ("en", "real-logical", 3, True),
        2: ("en", "real-temporal", 3, False),
        3: ("en", "synthetic-temporal", 3, True),
        4: ("zh", "synthetic-temporal", 3, True),
        5: ("en", "unknown", 2, False),
        9: ("en", "synthetic-temporal", 3, True),
    }  # fmt: skip
    assert {one.length for one in found.values()} == {"0k-8k"}
    assert [found[md5(n)].needle_group for n in (1, 5)] == ["3-5", ""]


@pytest.mark.parametrize("meta", [lambda told: told, json.dumps, str], ids=["dict", "json", "repr"])
def test_depths_are_told_where_each_needle_stands_once(
    tmp_path: Path, meta: Callable[[Any], Any]
) -> None:
    told = built(9)["meta_QA"]
    once = built(1, meta(told))
    twice = built(2, meta(told))
    twice["text_with_needles"] += NEEDLES[0]
    reworded = built(3, meta({**told, "raw_needles": ["a", "b", "c"]}))
    bench = _bench(write(tmp_path / "rows.jsonl", [once, twice, reworded]))
    one, two, three = (bench.prompt(_by_id(bench)[md5(n)]).depths for n in (1, 2, 3))
    # Four stretches of 25 letters, and a line break on either side of each of three needles.
    assert one == (round(53 / 106, 4), round(80 / 106, 4), round(26 / 106, 4))
    assert two == three == ()


@pytest.mark.parametrize(
    ("number", "told", "noise", "variant"),
    [
        (1, None, NoiseType.TM, 1),
        (6, None, NoiseType.SM, 3),
        (8, None, NoiseType.RO, 2),
        (12, None, NoiseType.SN, 3),
        (13, None, None, 0),
        (18, None, None, 0),
        (2, "little_moving", NoiseType.TM, 2),
        (7, "order", NoiseType.RO, 1),
        (3, "syn_1+2", NoiseType.SN, 3),
        (3, "something new", None, 0),
    ],
)
def test_variants_are_of_the_type_that_row_or_number_tell(
    tmp_path: Path, number: int, told: str | None, noise: NoiseType | None, variant: int
) -> None:
    rows = [built(9, variant=number, noise_type=told), built(8, variant=1)]
    path = write(tmp_path / "rows.jsonl", rows)
    plan = ReleasedSuite(
        options.read(NoiseOptions, {"edition": "released", "data": str(path)}, {"split": "test"})
    ).plan
    found = {one.id: (one.noise, one.variant, one.base) for one in plan}
    expected = {md5(8, 1): (NoiseType.TM, 1, md5(8))}
    if noise:
        expected[md5(9, number)] = (noise, variant, md5(9))
    assert found == expected


# Files.


def test_folders_and_packed_files_hold_the_same(tmp_path: Path) -> None:
    plain = _by_id(_bench(write(tmp_path / "a" / "rows.jsonl", ROWS)))
    packed = _bench(write(tmp_path / "b" / "rows.jsonl.gz", ROWS))
    write(tmp_path / "c" / "x.jsonl", ROWS[:2])
    write(tmp_path / "c" / "deep" / "y.jsonl.gz", ROWS[2:])
    folder = _bench(tmp_path / "c")
    for bench in (packed, folder):
        found = _by_id(bench)
        assert found.keys() == plain.keys()
        for name, one in found.items():
            assert bench.prompt(one).text == plain[name].row.prompt
    assert packed.facts()["corpus"] == "rows.jsonl.gz"
    raw = (tmp_path / "b" / "rows.jsonl.gz").read_bytes()
    assert packed.facts()["corpus_digest"] == hashlib.sha256(raw).hexdigest()
    assert folder.facts()["corpus"] == "y.jsonl.gz, x.jsonl"


def test_what_was_read_is_kept_and_found_again_elsewhere(tmp_path: Path) -> None:
    first = _bench(write(tmp_path / "a" / "rows.jsonl", ROWS)).plan
    moved = write(tmp_path / "b" / "other.jsonl", ROWS)
    reads: list[str] = []
    again = _bench(moved)
    again.prepare(lambda what, done, total: reads.append(what))
    assert not reads
    assert [one.id for one in again.plan] == [one.id for one in first]
    assert {one.file for one in again.plan} == {str(moved)}
    assert all(one.row.md5 == one.id for one in again.plan)


def test_a_file_that_changes_under_a_run_is_noticed(tmp_path: Path) -> None:
    path = write(tmp_path / "rows.jsonl", ROWS)
    bench = _bench(path)
    last = next(one for one in bench.plan if one.id == md5(5))
    write(path, [asked(1, "How do I cook more beans?", ROWS[0]["ref_answer"]), *ROWS[1:]])
    with pytest.raises(SeqniahError, match=r"rows.jsonl, line 5, is not what it was"):
        bench.prompt(last)


# Which samples.


def test_filters_and_fair_order(tmp_path: Path) -> None:
    more = [asked(n, "How do I cook beans?", ROWS[0]["ref_answer"]) for n in range(11, 31, 2)]
    path = write(tmp_path / "rows.jsonl", [*more, *ROWS])
    plan = _bench(path).plan
    assert len(plan) == 15
    # Each first part has all strata.
    assert len({(one.lang, one.pipeline) for one in plan[:5]}) == 5
    assert {one.id for one in _bench(path, lang="zh").plan} == {md5(4)}
    assert {one.id for one in _bench(path, pipeline="real-temporal").plan} == {md5(2)}
    assert {one.id for one in _bench(path, needles="3-5").plan} == {
        one.id for one in plan if one.id != md5(5)
    }
    assert not _bench(path, length="8k-16k").plan
    assert len(_bench(path, limit_per_stratum=2).plan) == 6


# What is refused, each in a sentence.


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"edition": "released"}, "pass data="),
        ({"data": "x.jsonl"}, "add edition=released"),
        *(
            ({"edition": "released", "data": "x.jsonl", name: value}, f"edition=released.*{name}=")
            for name, value in {
                "corpus": "texts",
                "seed": 1,
                "order": "sorted",
                "tkg": "a.tsv",
                "qa": "a.jsonl",
                "closed_book": True,
            }.items()
        ),
    ],
)
def test_options_that_exclude_each_other(given: dict[str, Any], told: str) -> None:
    with pytest.raises(SeqniahError, match=told):
        read_options(**given)


def _without(name: str) -> bytes:
    return (
        json.dumps({key: value for key, value in ROWS[0].items() if key != name}).encode() + b"\n"
    )


_GOOD = json.dumps(ROWS[0]).encode() + b"\n"
_PACKED = gzip.compress(_GOOD * 9, mtime=0)
_DEEP = "[" * 90 + "]" * 90
_EMPTY = {**built(9)["meta_QA"], "needles": []}


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"", "holds no sample"),
        (b"\n \n", "holds no sample"),
        (_GOOD + _without("md5"), "line 2, has no md5"),
        (_without("raw_question"), "line 1, has no raw_question"),
        (_without("ref_answer"), "line 1, has no gt_answer"),
        (_without("question"), "line 1, has no question"),
        (_GOOD + _GOOD, "line 2, has its md5 of .*line 1; drop one"),
        (_GOOD + _GOOD[:40], "line 2, the last one, is not whole; the file was cut"),
        (_GOOD[:40] + b"\n" + _GOOD, "line 1, is not JSON"),
        (b"[]\n", "line 1, is no JSON object"),
        (_GOOD.decode().encode("utf-16"), "is not UTF-8|is not JSON"),
        ('{"md5": "中"}\n'.encode("gb18030"), "line 1, is not UTF-8"),
        (json.dumps({**ROWS[0], "md5": "7"}).encode() + b"\n", "md5 is 32 hexadecimal digits"),
        (json.dumps({**ROWS[0], "ref_answer": "?"}).encode() + b"\n", "reference has no item"),
        (json.dumps(built(9, _EMPTY)).encode() + b"\n", "holds no needle of meta_QA"),
        (json.dumps(built(9, "not [a literal")).encode() + b"\n", "no meta_QA that can be read"),
        (json.dumps(built(9, f"{{'a': {_DEEP}}}")).encode() + b"\n", "no meta_QA that can be read"),
        (json.dumps(built(9, "{'a': " + "-" * 9 + "1}")).encode() + b"\n", "no meta_QA"),
        (json.dumps(built(9, lang="pt")).encode() + b"\n", "lang is en or zh, not 'pt'"),
        (_PACKED[:-20], "ends early; it was cut"),
        (_PACKED[:-8] + bytes(8), "is not readable gzip"),
    ],
    ids=lambda given: given if isinstance(given, str) else "raw",
)
def test_bad_files_are_named_with_their_line(tmp_path: Path, raw: bytes, told: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(raw)
    with pytest.raises(SeqniahError, match=told) as caught:
        _bench(path).prepare()
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_paths(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match=r"nowhere.jsonl is not there"):
        _bench(tmp_path / "nowhere.jsonl").prepare()
    with pytest.raises(SeqniahError, match="holds no file named"):
        _bench(tmp_path).prepare()


def test_one_variant_twice_is_refused(tmp_path: Path) -> None:
    rows = [built(9, variant=10), built(9, variant=1, noise_type="syn_1")]
    with pytest.raises(SeqniahError, match=r"line 2, has a variant of .*line 1"):
        _bench(write(tmp_path / "rows.jsonl", rows)).prepare()


# The authors' own files.


def test_the_real_examples_tell_where_their_needles_are(real_data: Path) -> None:
    names = [real_data / "qa_official" / f"NIAH_{lang}.jsonl" for lang in ("en", "zh")]
    bench = _bench(",".join(map(str, names)))
    found = {}
    for one in bench.plan:
        depths = bench.prompt(one).depths
        assert len(depths) == one.needles
        text, needles = one.row.document, one.row.needles
        by_place = sorted(needles, key=text.index)
        assert sorted(needles, key=dict(zip(needles, depths, strict=True)).__getitem__) == by_place
        found[one.id[:4]] = one.lang, one.pipeline, one.needles, one.order_required
    assert found == {
        "ec67": ("en", "synthetic-temporal", 12, True),
        "d076": ("en", "real-temporal", 8, False),
        "0b06": ("zh", "real-temporal", 4, False),
        "76ae": ("zh", "synthetic-temporal", 8, True),
    }
