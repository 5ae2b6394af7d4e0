"""Samples files of lm-eval, read back so that their answers can be judged and summed up.

They come from --log_samples or --predict_only, or a run whose judging failed, and are not trusted.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, cast

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks, generation
from seqniah_tasks.adapters.lm_eval import tasks
from seqniah_tasks.benchmarks.protocol import Benchmark
from seqniah_tasks.kinds import SHARE, is_name
from seqniah_tasks.truncation import Fate

MOST_LINE = 64_000_000
"""Bytes of a line, which holds a whole prompt."""

_NAME = re.compile(
    r"samples_(?P<task>.+)_(?P<date>\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(?:\.\d+)?)"
    r"(?P<unjudged>_unjudged(?P<rank>\d*))?\.jsonl"
)


def _patterns() -> list[str]:
    """Names of files of our tasks, among all that a run writes."""
    return [f"samples_*{stem}*.jsonl" for stem in tasks.stems()]


@dataclass(frozen=True, slots=True)
class SamplesFile:
    """A samples file, with what its name tells and the results file that stands beside it."""

    path: Path
    model: str
    """As the harness names it, or the name of the folder."""
    task: str = ""
    """Empty where the file was renamed."""
    date: str = ""
    """Of the run, so that dates sort as text; empty where the file was renamed."""
    rank: int | None = None
    """Of the process whose answers were saved from a failed run; None for the harness's files."""
    status: str = "unknown"
    """success, error for a run whose judging failed, or unknown without results."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the run says of the benchmark; empty without results."""
    generation: str | None = None
    """How the model was asked to answer, e.g. "temperature=0.7"; None: not told."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One line of a samples file."""

    file: SamplesFile
    line: int
    """Counted from 1."""
    benchmark: Benchmark
    document: Mapping[str, Any]
    """Good by what the benchmark declares of it; what is not declared is as the file has it."""
    response: str | None
    """The answer as a run judges it; None where none came."""
    fate: Fate
    """What the run noted of the prompt; unverified where it noted nothing."""
    depths: tuple[float, ...]
    """Of the needles in the prompt, 0 to 1, in true order; none where none were noted."""
    judged: Mapping[str, Any] | None
    """The verdict as the run wrote it, of which the prompt alone was checked; None without one."""


def below(folder: Path) -> list[Path]:
    """The samples files of our tasks in a folder and those below it."""
    found = {path for pattern in _patterns() for path in folder.rglob(pattern)}
    return sorted(path for path in found if path.is_file())


def find(given: Sequence[Path]) -> tuple[list[SamplesFile], list[Path]]:
    """The samples files given, or in folders the last run of each model and task; and those left
    out for newer ones. Raises `SeqniahError` when there is nothing to judge.
    """
    chosen: dict[Path, SamplesFile] = {}
    older: dict[Path, Path] = {}
    for path in given:
        if path.is_dir():
            inside = [_about(one) for one in below(path)]
            if not inside:
                raise SeqniahError(
                    f"No samples file of a seqniah task ({' or '.join(_patterns())}) is in {path}; "
                    "run lm_eval with --log_samples and --output_path."
                )
            newest = _newest(inside)
            chosen |= {path.resolve(): file for path, file in newest.items()}
            older |= {file.path.resolve(): file.path for file in inside if file.path not in newest}
        elif path.is_file():
            chosen[path.resolve()] = _about(path)
        else:
            raise SeqniahError(
                f"There is no {path}; give samples files of lm-eval, or a folder of them."
            )
    return list(chosen.values()), [path for real, path in older.items() if real not in chosen]


def _newest(files: Sequence[SamplesFile]) -> dict[Path, SamplesFile]:
    groups: dict[tuple[Path, str, str], list[SamplesFile]] = {}
    for file in sorted(files, key=lambda file: file.date):
        # A file that was renamed stands for itself.
        key = file.path.parent, file.model, file.task or file.path.name
        groups.setdefault(key, []).append(file)
    found: list[SamplesFile] = []
    for group in groups.values():
        # Each process of a failed run has saved answers of its own.
        failed = group[-1].rank is not None
        found += {file.rank: file for file in group if (file.rank is not None) == failed}.values()
    return {file.path: file for file in sorted(found, key=lambda file: file.path)}


def _about(path: Path) -> SamplesFile:
    """Raises `SeqniahError` when the results beside the file are damaged."""
    folder = path.resolve().parent
    named = _NAME.fullmatch(path.name)
    if named is None:
        return SamplesFile(path, folder.name)
    task, date = named["task"], named["date"]
    if named["unjudged"]:
        return SamplesFile(path, folder.name, task, date, int(named["rank"] or 0), "error")
    # Its name begins as --output_path says.
    beside = sorted(folder.glob(f"*_{date}.json"))
    if not beside:
        return SamplesFile(path, folder.name, task, date)
    results = _results(beside[0])
    model, facts = results.get("model_name"), results
    for name in ("configs", task, "metadata"):
        inner = facts.get(name)
        facts = inner if isinstance(inner, dict) else {}
    model = model if model and is_name(model) else folder.name
    config = results["config"] if isinstance(results.get("config"), dict) else {}
    told = generation.words(_pairs(config.get("gen_kwargs")), _pairs(config.get("model_args")))
    return SamplesFile(path, str(model), task, date, None, "success", facts, told)


def _pairs(given: object) -> dict[str, Any]:
    """Arguments as the harness keeps them: as they were given, a=1,b=2, or read."""
    if isinstance(given, str):
        parts = (one.partition("=") for one in given.split(","))
        return {name.strip(): value for name, _, value in parts}
    return given if isinstance(given, dict) else {}


def _results(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(MOST_LINE))
    except (OSError, ValueError, RecursionError) as error:
        raise SeqniahError(
            f"The results {path}, which name the model, cannot be read ({error}); fix the file, "
            "or move it away to do without."
        ) from error
    return found if isinstance(found, dict) else {}


def read(file: SamplesFile) -> list[Sample]:
    """All samples of a file. Raises `SeqniahError` that names file, line and field."""
    found = [sample(file, number, raw) for number, raw in lines(file.path)]
    if not found:
        raise SeqniahError(f"{file.path} holds no sample; give a file that lm-eval wrote.")
    return found


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Lines that hold anything, by number from 1. Raises `SeqniahError`, also of one too long."""
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(iter(partial(file.readline, MOST_LINE + 1), b""), 1):
                if len(raw) > MOST_LINE:
                    raise SeqniahError(
                        f"{path}, line {number} has more than {MOST_LINE:,} bytes, which is no "
                        "sample; drop the line."
                    )
                # Some editors begin a file with a mark.
                if (line := raw.removeprefix(BOM_UTF8)).strip():
                    yield number, line
    except OSError as error:
        raise SeqniahError(f"The samples {path} cannot be read: {error.strerror}.") from error


def sample(file: SamplesFile, number: int, raw: bytes) -> Sample:
    """One of the `lines` of a file. Raises `SeqniahError` that names file, line and field."""
    where = f"{file.path}, line {number}"
    try:
        row = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise SeqniahError(f"{where} is not JSON ({error}); drop the line.") from error
    if not isinstance(row, dict):
        raise SeqniahError(f"{where} is no JSON object, as a sample of lm-eval is.")
    doc = row.get("doc")
    named = doc.get("benchmark") if isinstance(doc, dict) else None
    benchmark = benchmarks.named(named) if named and isinstance(named, str) else None
    if benchmark is None or not isinstance(doc, dict):
        known = file.task and not any(stem in file.task for stem in tasks.stems())
        what = f"is a sample of {file.task}, not" if known else "is no sample"
        patterns = " or ".join(_patterns())
        raise SeqniahError(f"{where} {what} of a seqniah task; give files like {patterns}.")
    wrong = tasks.fault(benchmark, doc)
    if wrong:
        raise _wrong(where, doc, f"doc.{wrong[0]}", wrong[1])
    fate, depths = _notes(where, row, doc.get("needles"))
    response = _response(where, row)
    return Sample(file, number, benchmark, doc, response, fate, depths, row.get("judged"))


def prompts(samples: Iterable[Sample]) -> Iterator[str]:
    """The prompt of each sample, read from its file again, so that one is held at a time; empty
    where the file has none. The samples of a file are in its order. Raises like `lines`."""
    for path, own in groupby(samples, key=lambda one: one.file.path):
        rows = lines(path)
        for one in own:
            raw = next((raw for number, raw in rows if number == one.line), b"{}")
            try:
                given = json.loads(raw)["arguments"]["gen_args_0"]["arg_0"]
            except (ValueError, RecursionError, LookupError, TypeError):
                given = ""
            yield prompt(given)


def prompt(context: object) -> str:
    """The words of a context, as the harness asks or as its files have it: a text, or a chat as
    JSON in a tuple or a list; empty where it is anything else."""
    if isinstance(context, str):
        return context
    try:
        (chat,) = cast(Sequence[Any], context)
        words = json.loads(chat)[-1]["content"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return words if isinstance(words, str) else ""


def _wrong(where: str, fields: Mapping[str, Any], name: str, what: str) -> SeqniahError:
    field = name.rpartition(".")[2]
    if field not in fields:
        return SeqniahError(f"{where}: {name} is missing; it is {what}.")
    shown = repr(fields[field])
    return SeqniahError(f"{where}: {name} is {what}, not {shown[:60]}{'...' * (len(shown) > 60)}.")


def _response(where: str, row: Mapping[str, Any]) -> str | None:
    """The answer with what a run adds before it is judged, where the file has it so."""
    judged = row.get("filtered_resps", [])
    if not isinstance(judged, list) or not all(isinstance(one, str) for one in judged):
        raise _wrong(where, row, "filtered_resps", "a list of texts")
    if judged:
        return str(judged[0])
    given = row.get("resps")
    if not isinstance(given, list) or not all(isinstance(one, list) for one in given):
        raise _wrong(where, row, "resps", "a list of lists")
    texts = [text for one in given for text in one]
    if not all(isinstance(text, str) for text in texts):
        raise _wrong(where, row, "resps", "a list of lists of texts")
    return str(texts[0]) if texts else None


def _notes(where: str, row: Mapping[str, Any], needles: Any) -> tuple[Fate, tuple[float, ...]]:
    """What the run noted of the prompt: beside its verdict, or without one in the document."""
    name, fields = ("judged", row) if "judged" in row else ("prompt", row["doc"])
    told = fields.get(name, {})
    if not isinstance(told, dict):
        raise _wrong(where, fields, name, "an object")
    fate = told.get("prompt_fate", Fate.UNVERIFIED)
    if fate not in tuple(Fate):
        raise _wrong(where, told, f"{name}.prompt_fate", " or ".join(Fate))
    depths = told.get("needle_depths", [])
    if not isinstance(depths, list) or not all(map(SHARE.holds, depths)):
        raise _wrong(where, told, f"{name}.needle_depths", "a list of numbers from 0 to 1")
    if type(needles) is int and len(depths) not in (0, needles):
        raise _wrong(where, told, f"{name}.needle_depths", f"a list of {needles}")
    return Fate(fate), tuple(map(float, depths))
