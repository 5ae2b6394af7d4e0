"""Logs as they come: of runs that go on or were stopped, scored twice, damaged, or made to harm."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, score
from inspect_ai import eval as run_eval
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log

import seqniah
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.adapters.inspect import (
    logs as inspect_table,
)
from seqniah_tasks.adapters.inspect import (
    summaries as inspect_samples,
)
from seqniah_tasks.adapters.inspect import (
    summaries as inspect_summaries,
)
from seqniah_tasks.commands import logs as given_logs
from seqniah_tasks.commands.report import _shown, report
from seqniah_tasks.records import Record
from seqniah_tasks.report.runs import Study, study

PART = {"lang": "en", "pipeline": "real-logical", "length": "8k-16k"}
COUNT = 4

HEADER, SUMMARIES, START = "header.json", "summaries.json", "_journal/start.json"


def _inspected(folder: Path, model: str = "seqniah/lexical", **more: Any) -> Path:
    options = {"task_args": PART, "limit": COUNT, **more}
    log = run_eval("seqniah/test", model=model, log_dir=str(folder), display="log", **options)[0]
    assert log.status == "success", log.error
    return Path(log.location)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _inspected(tmp_path_factory.mktemp("logs"))


@pytest.fixture(scope="module")
def twice(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of two epochs."""
    return _inspected(tmp_path_factory.mktemp("twice"), epochs=2)


def _rewritten(log: Path, path: Path, change: Callable[[str, bytes], bytes | None]) -> Path:
    """The log with other members; None leaves one out."""
    with zipfile.ZipFile(log) as source, zipfile.ZipFile(path, "w") as target:
        for name in source.namelist():
            if (raw := change(name, source.read(name))) is not None:
                target.writestr(name, raw, zipfile.ZIP_DEFLATED)
    return path


def _without(*names: str) -> Callable[[str, bytes], bytes | None]:
    return lambda name, raw: None if name in names else raw


def _put(member: str, text: bytes) -> Callable[[str, bytes], bytes | None]:
    return lambda name, raw: text if name == member else raw


def _fields(header: EvalLog) -> dict[str, Any]:
    """But for where the log is, and what is left out for its size."""
    assert not header.samples
    # As text, since what is not a number is not even like itself.
    return json.loads(header.model_dump_json(exclude={"reductions", "location", "samples"}))


def _same_header(path: Path) -> EvalLog:
    header = inspect_summaries.read_header(path)
    assert _fields(header) == _fields(read_eval_log(str(path), header_only=True))
    return header


def _alike(rows: list[Record]) -> list[Record]:
    return [replace(one, source="") for one in rows]


# The header and the rows of every kind of log


def test_the_header_of_a_finished_log_is_as_inspect_reads_it(log: Path, twice: Path) -> None:
    for path in (log, twice):
        header = _same_header(path)
        assert header.status == "success" and header.results is not None


def test_of_a_run_that_goes_on_the_samples_so_far_are_rows(log: Path, tmp_path: Path) -> None:
    going = _rewritten(log, tmp_path / "going.eval", _without(HEADER, SUMMARIES))
    assert _same_header(going).status == "started"
    assert _alike(inspect_table.read(going)) == _alike(inspect_table.read(log))


def test_a_run_that_was_stopped_has_rows_of_what_it_did(log: Path, tmp_path: Path) -> None:
    whole = read_eval_log(str(log))
    samples = (whole.samples or [])[:2]
    path = tmp_path / "stopped.eval"
    stopped = whole.model_copy(
        update={"status": "cancelled", "samples": samples, "results": None, "reductions": None}
    )
    write_eval_log(stopped, str(path))
    assert _same_header(path).status == "cancelled"
    ids = {str(sample.id) for sample in samples}
    kept = [one for one in inspect_table.read(log) if one.id in ids]
    assert len(kept) == 2
    assert _alike(inspect_table.read(path)) == _alike(kept)


@pytest.mark.parametrize("reducer", ["mean", "mode", "max", "at_least_1", "pass_at_1"])
def test_a_reducer_of_epochs_changes_no_row(tmp_path: Path, reducer: str, twice: Path) -> None:
    path = _inspected(tmp_path, epochs=Epochs(2, reducer))
    assert _same_header(path).eval.config.epochs_reducer == [reducer]
    rows, others = inspect_table.read(path), inspect_table.read(twice)
    assert len(rows) == 2 * COUNT
    assert Counter(one.id for one in rows) == Counter({one.id: 2 for one in rows})
    assert [(one.id, one.epoch, one.correct) for one in rows] == [
        (one.id, one.epoch, one.correct) for one in others
    ]
    (run,) = study({path: rows}).runs
    assert run.share.of == COUNT, "epochs are no further samples"


def test_epochs_of_which_one_differs_count_by_halves(twice: Path, tmp_path: Path) -> None:
    rows = [replace(one, correct=True) for one in inspect_table.read(twice)]
    first = rows[0].id
    rows = [
        replace(one, correct=False) if (one.id, one.epoch) == (first, 2) else one for one in rows
    ]
    share = study({twice: rows}).runs[0].share
    assert (share.hits, share.of) == (COUNT - 0.5, COUNT)


def test_of_a_log_scored_twice_the_last_verdicts_count(log: Path, tmp_path: Path) -> None:
    again = score(read_eval_log(str(log)), seqniah.rules(), action="append", display="log")
    for sample in again.samples or []:
        # As though the rules had been others at the first time.
        assert sample.scores and set(sample.scores) >= {"rules", "rules1"}
        sample.scores["rules"].value = "I"
        sample.scores["rules1"].value = "C"
        for number, name in enumerate(("rules", "rules1"), 1):
            told = {"order_analysis": f"Order {number}.", "eval_analysis": f"Answer {number}."}
            told["judged_by"] = "model"
            sample.scores[name].metadata = {**(sample.scores[name].metadata or {}), **told}
    path = tmp_path / "again.eval"
    write_eval_log(again, str(path))
    assert len(_same_header(path).eval.scorers or []) > len(_same_header(log).eval.scorers or [])
    rows = inspect_table.read(path)
    assert {one.correct for one in rows} == {True}
    assert {one.analysis for one in inspect_samples.transcripts(path, rows)} == {
        "Order 2.\n\nAnswer 2."
    }


def test_metrics_of_nothing_are_no_hindrance(log: Path, tmp_path: Path) -> None:
    whole = read_eval_log(str(log))
    assert whole.results
    for one in whole.results.scores:
        for metric in one.metrics.values():
            metric.value = float("nan")
    path = tmp_path / "nan.eval"
    write_eval_log(whole, str(path))
    assert _same_header(path).results is not None
    assert _alike(inspect_table.read(path)) == _alike(inspect_table.read(log))


def test_a_sample_that_was_run_again_counts_once_by_its_last_answer(
    log: Path, tmp_path: Path
) -> None:
    def change(name: str, raw: bytes) -> bytes:
        if name != SUMMARIES:
            return raw
        found = json.loads(raw)
        last = json.loads(json.dumps(found[0]))
        found[0]["scores"]["rules"]["value"] = "I"
        last["scores"]["rules"]["value"] = "C"
        return json.dumps([*found, last]).encode()

    path = _rewritten(log, tmp_path / "requeued.eval", change)
    rows = inspect_table.read(path)
    assert len(rows) == COUNT
    first = json.loads(zipfile.ZipFile(path).read(SUMMARIES))[0]["id"]
    assert [one.correct for one in rows if one.id == first] == [True]


# Damaged and hostile ones


def test_without_its_header_a_log_is_read_by_its_journal(log: Path, tmp_path: Path) -> None:
    path = _rewritten(log, tmp_path / "headless.eval", _without(HEADER))
    assert _same_header(path).status == "started"
    assert _alike(inspect_table.read(path)) == _alike(inspect_table.read(log))
    bare = _rewritten(log, tmp_path / "bare.eval", _without(HEADER, START))
    with pytest.raises(SeqniahError, match=r"bare\.eval is not a readable log of inspect"):
        inspect_table.read(bare)


@pytest.mark.parametrize(
    ("member", "text"),
    [
        (HEADER, b""),
        (HEADER, b"\x00\xff"),
        (HEADER, b'{"eval": 3}'),
        (HEADER, b"[" * 200_000),
        (HEADER, b"null"),
        (SUMMARIES, b""),
        (SUMMARIES, b"{}"),
        (SUMMARIES, b"[3]"),
        (SUMMARIES, b'[{"id": "x"}]'),
        (SUMMARIES, b"[" * 200_000),
        (SUMMARIES, b'[{"id": "x", "epoch": 1' + b"0" * 5_000 + b"}]"),
    ],
)
def test_a_damaged_member_is_told_in_one_sentence(
    log: Path, tmp_path: Path, member: str, text: bytes
) -> None:
    path = _rewritten(log, tmp_path / "bad.eval", _put(member, text))
    for read in (given_logs.read, lambda paths: report(list(paths), tmp_path / "report")):
        with pytest.raises(SeqniahError, match=r"bad\.eval.*; move (it|the log) away") as error:
            read([path])
        assert "\n" not in str(error.value) and len(str(error.value)) < len(str(path)) + 400
    assert not (tmp_path / "report").exists()


def test_a_log_that_would_fill_the_memory_is_refused_unread(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = {one.filename: one.file_size for one in zipfile.ZipFile(log).infolist()}
    inside = [size for name, size in sizes.items() if name.startswith("samples/")]
    beside = sum(sizes.values()) - sum(inside)
    # Zeros pack to a thousandth, so that a small file may hold any amount of them.
    packed = _rewritten(
        log,
        tmp_path / "packed.eval",
        lambda name, raw: raw + b" " * 30_000_000 if name == HEADER else raw,
    )
    assert packed.stat().st_size < log.stat().st_size + 1_000_000
    monkeypatch.setattr(inspect_summaries, "_MOST_STORED", beside)
    monkeypatch.setattr(inspect_summaries, "_MOST_SAMPLE", max(inside))
    assert len(inspect_table.read(log)) == COUNT, "what is just allowed is read"
    with pytest.raises(SeqniahError, match=rf"more than {beside:,} bytes beside its samples"):
        inspect_table.read(packed)
    monkeypatch.setattr(inspect_summaries, "_MOST_SAMPLE", max(inside) - 1)
    with pytest.raises(SeqniahError, match="one of its samples has more than"):
        inspect_table.read(log)


def test_a_size_that_is_a_lie_lets_nothing_through(log: Path, tmp_path: Path) -> None:
    packed = _rewritten(
        log,
        tmp_path / "packed.eval",
        lambda name, raw: raw + b" " * 5_000_000 if name == HEADER else raw,
    )
    raw = packed.read_bytes()
    (size,) = [
        one.file_size for one in zipfile.ZipFile(packed).infolist() if one.filename == HEADER
    ]
    told, lie = size.to_bytes(4, "little"), (1_000).to_bytes(4, "little")
    assert raw.count(told) >= 1
    packed.write_bytes(raw.replace(told, lie))
    with pytest.raises(SeqniahError, match="is not a readable log of inspect"):
        inspect_table.read(packed)


# What commands make of logs


def test_of_files_named_twice_and_in_folders_nothing_is_twice(log: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.eval"
    link.symlink_to(log)
    found = given_logs.read([link, log, log.parent])
    assert list(found) == [log.resolve()]
    assert {one.source for one in found[log.resolve()]} == {str(link)}, "as it was given first"


def test_examples_are_shared_out_among_runs(log: Path, tmp_path: Path) -> None:
    files: dict[Path, list[Record]] = {}
    for number, wrong in enumerate((1, COUNT, COUNT)):
        # Only what is said of the verdict is changed, so that the texts are the log's.
        rows = inspect_table.read(log)
        files[Path(f"{number}.eval")] = [
            replace(one, model=f"m{number}", correct=place >= wrong)
            for place, one in enumerate(rows)
        ]
    found = study(files)

    def counts(most: int) -> dict[str | None, int]:
        shown = _shown(found.runs, most)
        assert {one.row.correct for one in shown} <= {False}
        assert all(one.question and one.reference for one in shown)
        return dict(Counter(one.row.model for one in shown))

    assert counts(0) == {}
    assert counts(1) == {"m0": 1}
    assert counts(3) == {"m0": 1, "m1": 1, "m2": 1}
    # What one run lacks is the others'.
    assert counts(6) == {"m0": 1, "m1": 3, "m2": 2}
    assert counts(100) == {"m0": 1, "m1": COUNT, "m2": COUNT}


def test_texts_are_of_the_log_that_a_row_was_read_from(log: Path, tmp_path: Path) -> None:
    whole = read_eval_log(str(log))
    for sample in whole.samples or []:
        sample.output.completion = "Of the other log."
    other = tmp_path / "other.eval"
    write_eval_log(whole, str(other))
    files = {
        path: [replace(one, model=name, correct=False) for one in inspect_table.read(path)]
        for path, name in ((log, "a"), (other, "b"))
    }
    shown = _shown(study(files).runs, 2 * COUNT)
    assert Counter((one.row.model, one.response == "Of the other log.") for one in shown) == {
        ("a", False): COUNT,
        ("b", True): COUNT,
    }


def test_the_command_says_what_it_read(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = read_eval_log(str(log))
    samples = whole.samples or []
    for number, sample in enumerate(samples):
        assert sample.scores
        sample.scores["rules"].value = "C" if number else float("nan")
    path = tmp_path / "part.eval"
    write_eval_log(whole, str(path))
    report([path], tmp_path / "out", examples=0, title="A & B")
    assert capsys.readouterr().out.splitlines() == [
        f"seqniah/lexical: 100.0% of {COUNT - 1}, 1 unscored",
        f"Open {tmp_path / 'out' / 'index.html'}",
    ]
    for value, told in (
        ("I", f"seqniah/lexical: 0.0% of {COUNT}"),
        (float("nan"), f"seqniah/lexical: nothing scored, {COUNT} unscored"),
    ):
        for sample in samples:
            assert sample.scores
            sample.scores["rules"].value = value
        write_eval_log(whole, str(path))
        report([path], tmp_path / "out", examples=0, title="A & B")
        assert capsys.readouterr().out.splitlines()[0] == told


def test_two_parts_of_one_name_are_refused(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from seqniah_tasks.benchmarks.sequential_niah import report as declared
    from seqniah_tasks.benchmarks.sequential_niah.report import overview
    from seqniah_tasks.report import building

    def again(found: Study) -> Any:
        made = overview.section(found)
        assert made
        return replace(made, name="again", figures=())

    twice = replace(declared.REPORT, sections=(overview.section, again))
    monkeypatch.setattr(declared, "REPORT", twice)
    with pytest.raises(ValueError, match="two parts of the report are named runs"):
        building.build({log: inspect_table.read(log)}, "Twice")
