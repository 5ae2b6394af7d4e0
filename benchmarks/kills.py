"""kill -9 at any moment: does half a file ever stand under a final name, and does a repeat fix it?

Each command runs once undisturbed, in a new folder with a new cache: this tells how long it takes,
when something stands there under a hidden name, and what it leaves. Then it is killed with all its
processes, half of the times at any moment and half while something is being written; what stands
is compared with what is known, and the command is given once more in the same place.

    python benchmarks/kills.py --kills 20
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from killing import hidden, kill, said, standing, start

from seqniah_datasets.corpora import procedural

DRAWS = 200
"""Moments drawn for a command at most; one that comes after its end kills nothing."""

Verdicts = dict[tuple[str, int], dict[str, tuple[str, str | None]]]
"""By id and epoch, what each scorer says."""


@dataclass(frozen=True, slots=True)
class Attack:
    """A command to kill, and what it leaves that is whole or absent."""

    name: str
    words: tuple[str, ...]
    deep: int = 1
    """Parts of the path of what appears at once: 1 for `out`, 2 for `out/tables`."""

    def unit(self, path: str) -> str:
        """What appears at once with a file."""
        parts = Path(path).parts
        if parts[0] == "cache":
            return path if parts[-1].startswith("tokens-") else str(Path(*parts[:4]))
        return str(Path(*parts[: self.deep]))


@dataclass(frozen=True, slots=True)
class Whole:
    """What a run that nobody killed took and left."""

    seconds: float
    lives: list[float]
    """How long each hidden temporary was there, in the order of their appearance."""
    files: dict[str, str]
    """Digests of the files, by their paths."""
    verdicts: Verdicts
    said: str
    """What the command printed."""


@dataclass(slots=True)
class Count:
    """What became of the kills of one command."""

    kills: int = 0
    writing: int = 0
    wrong: int = 0
    repeated: int = 0
    leftovers: int = 0
    finished: int = 0
    """Samples that stood in the logs of killed runs, with the verdicts known."""
    faults: list[str] = field(default_factory=list)


def verdicts(log: EvalLog) -> Verdicts:
    return {
        (str(one.id), one.epoch): {
            name: (repr(score.value), score.answer) for name, score in (one.scores or {}).items()
        }
        for one in log.samples or ()
    }


def logs(place: Path) -> list[EvalLog]:
    """All logs of inspect there, the newest first. Raises what the reader does."""
    return [read_eval_log(one) for one in list_eval_logs(str(place / "logs"))]


def run_whole(attack: Attack, place: Path) -> Whole:
    seen: dict[Path, list[float]] = {}
    began = time.perf_counter()
    process = start(attack.words, place)
    while process.poll() is None:
        now = time.perf_counter()
        for path in hidden(place):
            seen.setdefault(path, [now, now])[1] = now
        time.sleep(0.0003)
    if process.returncode:
        sys.exit(f"{attack.name} fails without any kill: {said(place, 'errors')}")
    lives = [last - first for first, last in seen.values()]
    judged = verdicts(logs(place)[0]) if (place / "logs").exists() else {}
    seconds = time.perf_counter() - began
    return Whole(seconds, lives, standing(place), judged, said(place))


def wrong(attack: Attack, place: Path, whole: Whole) -> list[str]:
    """What stands there that is not whole, or not what is known."""
    found = standing(place)
    bad = [path for path, digest in found.items() if whole.files.get(path) != digest]
    units: dict[str, set[str]] = defaultdict(set)
    for path in whole.files:
        units[attack.unit(path)].add(path)
    for unit, paths in units.items():
        if (missing := paths - found.keys()) and missing != paths:
            bad.append(f"{unit} without {min(missing)}")
    return bad


def read_logs(place: Path, whole: Whole, count: Count) -> list[str]:
    """What is wrong with the logs of a killed run; counts its finished samples."""
    try:
        for log in logs(place):
            for name, verdict in verdicts(log).items():
                if whole.verdicts.get(name) != verdict:
                    return [f"{name} has another verdict in the log"]
                count.finished += 1
    except Exception as error:  # whatever a reader raises of a file that it cannot read
        return [f"a log cannot be read ({type(error).__name__}: {error})"]
    return []


def repeat(attack: Attack, place: Path, whole: Whole) -> list[str]:
    """Give the command again, as its user would. Returns what is wrong then."""
    words = attack.words
    try:
        there = logs(place) if words[0] == "inspect" else []
    except Exception:
        return ["a log that cannot be read cannot be taken up again"]
    if there:
        if there[0].status == "success":  # killed after all was done
            return []
        path = there[0].location.removeprefix("file://")
        words = ("inspect", "eval-retry", path, "--log-dir", "logs", "--display", "none")
    process = start(words, place)
    if process.wait():
        return [f"the repeat ended with {process.returncode}: {said(place, 'errors')[-500:]}"]
    if attack.words[0] == "inspect":
        last = logs(place)[0]
        alike = last.status == "success" and verdicts(last) == whole.verdicts
        return [] if alike else [f"the retry is a {last.status} with other verdicts"]
    if said(place) != whole.said:
        return [f"the repeat says something else: {said(place)!r}"]
    return [] if standing(place) == whole.files else ["the repeat left other bytes"]


def attacked(attack: Attack, place: Path, kills: int, seed: int) -> Count:
    draw = random.Random(f"{seed} {attack.name}")
    whole, count = run_whole(attack, place), Count()
    for number in range(DRAWS):
        if count.kills == kills:
            break
        shutil.rmtree(place)
        nth, after = 0, draw.random() * whole.seconds
        if number % 2 and whole.lives:
            # By turns any of them, and one that is written for long.
            weights = [life + 1e-4 for life in whole.lives] if number % 4 == 1 else None
            nth = draw.choices(range(1, len(whole.lives) + 1), weights)[0]
            after = draw.random() * whole.lives[nth - 1]
        if not kill(attack.words, place, nth, after):
            continue
        moment = f"{attack.name}, kill {count.kills}, {after:.4f} s after " + (
            f"temporary {nth} of {len(whole.lives)}" if nth else "its start"
        )
        count.kills += 1
        half = hidden(place)
        count.writing += bool(half)
        bad = wrong(attack, place, whole) + read_logs(place, whole, count)
        count.wrong += bool(bad)
        worse = repeat(attack, place, whole)
        count.repeated += not worse
        left = sorted(map(str, hidden(place)))
        left += [
            str(one) for one in (place / "tmp").iterdir() if one.stem not in ("said", "errors")
        ]
        count.leftovers += len(left)
        count.faults += [f"{moment}: {what}" for what in (*bad, *worse, *left)]
    return count


def prepare(inputs: Path, samples: int) -> None:
    """Texts to index, and a log with its answers as cases, many times over."""
    (inputs / "texts").mkdir(parents=True)
    for lang in ("en", "zh"):  # of a size for which workers index, each one of them
        text = procedural.write(lang, 17_000_000, 7_000)
        (inputs / "texts" / f"{lang}.txt").write_text(text, "utf-8")
    words = ("inspect", "eval", "seqniah/test", "--model", "seqniah/lexical", "--display", "none")
    more = ("--limit", str(samples), "-T", "length=8k-16k", "--log-dir", "logs")
    if start((*words, *more), inputs).wait():
        sys.exit(said(inputs, "errors"))
    rows: list[dict[str, Any]] = [
        {
            "lang": one.metadata["lang"],
            "needle_type": one.metadata["pipeline"].rpartition("-")[2],
            "question": one.input,
            "reference": one.target,
            "response": one.output.completion,
        }
        for one in logs(inputs)[0].samples or ()
    ]
    with (inputs / "cases.jsonl").open("w", encoding="utf-8") as file:
        for number in range(1_000):
            row = {"id": f"{number}", **rows[number % len(rows)]}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")


def attacks(inputs: Path, samples: int) -> list[Attack]:
    answers, build = str(inputs / "logs"), "limit_per_stratum=1"
    words = ("inspect", "eval", "seqniah/test", "--model", "seqniah/lexical")
    evaluate = (*words, "--limit", str(samples), "-T", "length=8k-16k")
    into = ("--out", "out")
    found = {
        "index": ("index", str(inputs / "texts")),
        "show": ("show", "0"),
        "build": ("build", "test", "-T", build, "--materialize", "parquet", "--replace", *into),
        "records": ("records", answers, "--out", "out.parquet"),
        "score": ("score", "cases", "--in", str(inputs / "cases.jsonl"), "--out", "out.jsonl"),
    }
    return [
        *(Attack(name, ("seqniah", *given)) for name, given in found.items()),
        Attack("report", ("seqniah", "report", answers, *into), deep=2),
        Attack("inspect eval", (*evaluate, "--log-dir", "logs", "--display", "none")),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--samples", type=int, default=24, help="of the runs of inspect")
    parser.add_argument("--only", help="name of one command")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    heads = (
        "command",
        "kills",
        "while writing",
        "wrong or half",
        "repeated",
        "leftovers",
        "finished",
    )
    print(*(f"{head:>14}" for head in heads))
    with tempfile.TemporaryDirectory() as root:
        inputs = Path(root).resolve() / "inputs"
        prepare(inputs, asked.samples)
        for attack in attacks(inputs, asked.samples):
            if asked.only in (None, attack.name):
                one = attacked(attack, inputs.with_name("place"), asked.kills, asked.seed)
                figures = one.kills, one.writing, one.wrong, one.repeated, one.leftovers
                cells = (attack.name, *figures, one.finished)
                print(*(f"{cell:>14}" for cell in cells))
                print(*(f"    {fault}\n" for fault in one.faults), sep="", end="", flush=True)
                shutil.rmtree(inputs.with_name("place"))


if __name__ == "__main__":
    main()
