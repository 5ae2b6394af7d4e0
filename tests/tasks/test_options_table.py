"""Options are declared once: command line and documentation say what the declarations say."""

from __future__ import annotations

import json
from dataclasses import MISSING, fields
from pathlib import Path

import pytest
from in_process import run

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.benchmarks import options
from seqniah_tasks.benchmarks.protocol import ByCase
from seqniah_tasks.commands.types import chosen, values

PAGE = Path(__file__).parents[2] / "docs" / "options.md"
TASKS = list(benchmarks.tasks())


def test_the_page_is_the_one_that_the_command_prints() -> None:
    assert run("options", "--markdown") == PAGE.read_text("utf-8"), (
        "write it anew: seqniah options --markdown > docs/options.md"
    )


@pytest.mark.parametrize("name", TASKS)
def test_a_task_s_table_has_every_option_once_with_its_default_and_help(name: str) -> None:
    benchmark, spec = benchmarks.task(name)
    kinds = [spec.options, options.Guard]
    if isinstance(benchmark.scoring.by, ByCase):
        kinds.append(options.JudgeOptions)
    listed = [row for part in json.loads(run("options", name, "--json")) for row in part["options"]]
    declared = [one for kind in kinds for one in fields(kind) if "help" in one.metadata]
    assert [row["name"] for row in listed] == [one.name for one in declared]
    assert len({row["name"] for row in listed}) == len(listed)
    for row, one in zip(listed, declared, strict=True):
        shown = one.metadata["shown"]
        assert row["help"] == one.metadata["help"].strip()
        assert row["help"].endswith(".")
        written = str(shown).lower() if isinstance(shown, bool) else str(shown)
        assert row["default"] == ("" if shown is None else written)
        assert one.default is not MISSING
        # A default as a user would write it means the default.
        if shown is not None:
            assert one.metadata["read"](one.name, shown) == one.default


@pytest.mark.parametrize("name", TASKS)
def test_the_command_line_takes_the_options_of_a_task_and_no_others(name: str) -> None:
    spec = benchmarks.task(name).spec
    rows = (row for row in options.table(spec.options) if row.name not in spec.fixed)
    told = {row.name: row.default for row in rows if row.default}
    words = [f"{option}={default}" for option, default in told.items()]
    assert chosen(spec, values(words)) == chosen(spec, {})
    own = options.names(spec.options)
    for one in {*options.names(options.Guard), "split", "nothing"}.difference(own):
        with pytest.raises(SeqniahError, match=f"The task {name} has no option '{one}'; "):
            chosen(spec, {one: "1"})


def test_all_tasks_stand_in_the_table() -> None:
    shown = json.loads(run("options", "--json"))
    assert [name for part in shown if not part["title"] for name in part["tasks"]] == TASKS
    printed = run("options")
    assert all(name in printed for name in TASKS)
