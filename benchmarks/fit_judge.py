"""Fit what evidence is worth to the rule judge, and measure it on answers that it has not seen.

    python benchmarks/fit_judge.py --cases judge_dev_answers.jsonl --own judge_own_answers.jsonl
    python benchmarks/fit_judge.py ... --unseen    # and the groups put aside
    python benchmarks/fit_judge.py ... --write     # the weights, to evidence/weights.toml
    python benchmarks/fit_judge.py ... --ablate    # each kind left out in turn (minutes)

The weights maximise the likelihood of labels, with a light pull to a prior; evidence that can only
speak against an answer stays negative. Real answers count most. All figures are cross-validated:
no answer is judged by weights that were fitted on its group. Groups whose id ends in 0 to 3 are
put aside: neither read nor fitted.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import denials
import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from seqniah_scorers import rules
from seqniah_scorers.evidence import weigh
from seqniah_scorers.evidence.witnesses import Kind
from seqniah_scorers.reading.answers import parse
from seqniah_scorers.verdict import DOUBT, Case
from seqniah_tasks.benchmarks.sequential_niah.judging import bench as judge_bench

HAND = Path(__file__).parent.parent / "tests" / "scorers" / "answers"
WEIGHTS = Path(weigh.__file__).with_name("weights.toml")
ASIDE = "0123"
"""How the ids of groups end that are put aside."""
FOLDS = 5
PULL = 0.05
"""Strength of the pull to the prior."""
COUNTS = {"dev": 4.0, "own": 4.0, "hand": 1.0, "harder": 0.4, "published": 0.2, "denials": 0.4}
"""What an answer of a set counts in the fit."""
PRIOR = {
    Kind.PAIR: 4.0, Kind.MISSING: -2.0, Kind.ELSEWHERE: 3.0, Kind.EXTRA: -1.0,
    Kind.ORDER: -3.0, Kind.WITHDRAWN: -4.0, Kind.OTHER_DATE: -4.0,
    Kind.OPPOSED: -2.0, Kind.NUMBER: -2.0, Kind.HEDGED: -3.0, Kind.COPY_CHANGED: -3.0,
    # Of these no answer tells.
    Kind.BROKEN: -5.0, Kind.MEANT: 0.85,
}  # fmt: skip
"""Of the others -0.5."""
FREE = {
    Kind.PAIR, Kind.MISSING, Kind.ELSEWHERE, Kind.EXTRA, Kind.MEANT,
}  # fmt: skip
"""Evidence that may speak for an answer."""
UNWEIGHED = {Kind.TOLD}
"""Evidence that only tells how nearly an item is a copy."""
KINDS = tuple(Kind)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Known:
    """An answer with its label."""

    set: str
    style: str
    group: str
    """Answers of one group are never on both sides of a fold."""
    case: Case
    right: bool


@dataclass(frozen=True, slots=True)
class Points:
    """The evidence of many answers, a row a point."""

    evidence: Floats
    owner: npt.NDArray[np.int64]
    """Number of the answer that a row belongs to."""
    readable: npt.NDArray[np.bool_]
    """Answers with items; others are wrong whatever the weights."""

    def probabilities(self, weights: Floats) -> Floats:
        losses = np.logaddexp(0, -self.evidence @ weights)
        total = np.bincount(self.owner, losses, minlength=len(self.readable))
        return np.where(self.readable, np.exp(-total), 0.0)


def labelled(path: Path, name: str) -> Iterator[Known]:
    """The answers of a file in the layout of the shared data."""
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        case = Case(
            row["lang"],
            row["needle_type"],
            row["question"],
            row["reference"],
            row["response"],
            row.get("requires_order"),
            needles=tuple(row.get("needles", ())),
        )
        edited = "/edited" if row.get("response_source") == "edited" else ""
        yield Known(
            name,
            row.get("style", path.stem) + edited,
            row.get("group", row["id"]),
            case,
            row["label"] == "correct",
        )


def made() -> Iterator[Known]:
    """What this project has made itself: counted less, and said apart."""
    for path in sorted(HAND.glob("*.jsonl")):
        yield from labelled(path, "hand")
    for name, kind, every in (("published", "paper", 7), ("harder", "harder", 4)):
        for one in list(judge_bench.made("train", judge_bench.check_kind(kind)))[::every]:
            yield Known(name, one.group, one.case.question, one.case, one.correct)
    for number, (kind, case) in enumerate(denials.made("train", 1_000)):
        yield Known("denials", kind, f"{kind} {number % FOLDS}", case, False)


def points(known: Sequence[Known], steps: bool) -> Points:
    """All evidence about these answers, of which all are about steps or none is."""
    rows: list[list[float]] = []
    owner: list[int] = []
    readable: list[bool] = []
    for number, one in enumerate(known):
        items = parse(one.case.response)
        readable.append(bool(items))
        if items:
            refs = rules.index(one.case)
            assert refs.steps is steps
            found = weigh.weigh(refs, items, one.case, rules.order_required(one.case))
            for point in found.points:
                rows.append([point.evidence.get(kind, 0.0) for kind in KINDS])
                owner.append(number)
    return Points(np.array(rows), np.array(owner), np.array(readable))


def fit(found: Points, right: npt.NDArray[np.bool_], counts: Floats, kept: Sequence[int]) -> Floats:
    """The weights of the kinds kept; the others are 0."""
    prior = np.array([PRIOR.get(KINDS[k], -0.5) for k in kept])
    bounds = [(-12.0, 12.0 if KINDS[k] in FREE else 0.0) for k in kept]
    rows = np.isin(found.owner, np.flatnonzero((counts > 0) & found.readable))
    evidence, owner = found.evidence[rows][:, kept], found.owner[rows]

    def loss(weights: Floats) -> tuple[float, Floats]:
        scores = evidence @ weights
        total = np.bincount(owner, np.logaddexp(0, -scores), minlength=len(right)) + 1e-9
        each = np.where(right, total, -np.log(-np.expm1(-total)))
        slope = np.where(right, 1.0, -1 / np.expm1(np.minimum(total, 500)))
        by_row = (counts * slope)[owner] / -(1 + np.exp(np.clip(scores, -500, 500)))
        value = float((counts * np.where(found.readable, each, 0)).sum())
        pull = weights - prior
        return value + PULL * float(pull @ pull), evidence.T @ by_row + 2 * PULL * pull

    best = minimize(loss, prior, jac=True, method="L-BFGS-B", bounds=bounds)
    weights = np.zeros(len(KINDS))
    weights[list(kept)] = best.x
    return weights


def fold_of(group: str) -> int:
    return int.from_bytes(hashlib.sha256(group.encode()).digest()[:4], "big") % FOLDS


def cross_validated(
    known: Sequence[Known], kept: Sequence[int]
) -> tuple[Floats, dict[bool, Floats]]:
    """Every answer's probability by weights that have not seen its group; the weights of all."""
    out = np.zeros(len(known))
    weights: dict[bool, Floats] = {}
    for steps in (False, True):
        mine = [n for n, one in enumerate(known) if (one.case.needle_type == "logical") is steps]
        some = [known[n] for n in mine]
        if steps not in _POINTS:
            _POINTS[steps] = points(some, steps)
        found = _POINTS[steps]
        right = np.array([one.right for one in some])
        counts = np.array([COUNTS[one.set] for one in some])
        folds = np.array([fold_of(one.group) for one in some])
        for fold in range(FOLDS):
            seen = fit(found, right, np.where(folds == fold, 0.0, counts), kept)
            mask = folds == fold
            out[np.array(mine)[mask]] = found.probabilities(seen)[mask]
        weights[steps] = fit(found, right, counts, kept)
    return out, weights


_POINTS: dict[bool, Points] = {}
"""Evidence about the answers at hand, by whether they are about steps."""


def show(known: Sequence[Known], probabilities: Floats) -> None:
    """Accuracy with an interval by groups, doubts, and how well probabilities are calibrated."""
    tables: dict[str, list[int]] = defaultdict(list)
    for number, one in enumerate(known):
        tables[one.set].append(number)
        if one.set in ("dev", "own"):
            tables[f"{one.set}: {one.style}"].append(number)
            tables[f"{one.set}: {one.case.lang}"].append(number)
            tables[f"{one.set}: {'diaries' if one.style.startswith('diary') else 'others'}"].append(
                number
            )
    print(
        f"{'':<26}{'answers':>8}{'right':>8}{'95 %':>16}{'doubted':>9}{'err sure':>9}{'+grader':>9}"
    )
    for name in sorted(tables):
        numbers = np.array(tables[name])
        right = np.array([known[n].right for n in numbers])
        p = probabilities[numbers]
        good = (p > 0.5) == right
        sure = np.abs(p - 0.5) > DOUBT
        low, high = interval([known[n].group for n in numbers], good)
        err = 1 - good[sure].mean() if sure.any() else 0.0
        print(
            f"{name:<26}{len(numbers):>8}{good.mean():>8.1%}{f'{low:.1%} to {high:.1%}':>16}"
            f"{1 - sure.mean():>9.1%}{err:>9.1%}{(good | ~sure).mean():>9.1%}"
        )
    real = [n for n, one in enumerate(known) if one.set == "dev"]
    if real:
        labels = np.array([known[n].right for n in real])
        error = calibration(probabilities[real], labels)
        print(f"expected calibration error on dev, ten bins: {error:.3f}")


def interval(groups: Sequence[str], good: npt.NDArray[np.bool_]) -> tuple[float, float]:
    """A 95 % interval of the share that is good, groups resampled."""
    names = sorted(set(groups))
    place = {name: n for n, name in enumerate(names)}
    hits, sizes = np.zeros(len(names)), np.zeros(len(names))
    for group, one in zip(groups, good, strict=True):
        hits[place[group]] += one
        sizes[place[group]] += 1
    picks = np.random.default_rng(0).integers(0, len(names), (2_000, len(names)))
    shares = hits[picks].sum(1) / sizes[picks].sum(1)
    return float(np.quantile(shares, 0.025)), float(np.quantile(shares, 0.975))


def calibration(p: Floats, right: npt.NDArray[np.bool_]) -> float:
    """Expected calibration error over ten bins of probability."""
    bins = np.minimum((p * 10).astype(int), 9)
    return float(
        sum(
            abs(p[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
            for b in range(10)
            if (bins == b).any()
        )
    )


def write(weights: dict[bool, Floats], files: Sequence[str]) -> None:
    """The weights as TOML, rounded to hundredths; zeros are left out."""
    lines = [
        "# What each kind of evidence is worth, in logarithms of odds; kinds that are not here: 0.",
        f"# Fitted by benchmarks/fit_judge.py on {', '.join(files)}",
        "# and on what this project has made itself; see docs/judge.md.",
    ]
    for steps, name in ((False, "events"), (True, "steps")):
        lines += ["", f"[{name}]"]
        lines += [
            f"{kind.name.lower()} = {value:.2f}"
            for kind, value in zip(KINDS, weights[steps], strict=True)
            if abs(value) >= 0.005
        ]
    WEIGHTS.write_text("\n".join(lines) + "\n", "utf-8")


def ablate(known: Sequence[Known], base: Floats, kept: Sequence[int]) -> None:
    """What leaving out a kind does to the number of answers judged rightly."""
    names = sorted(COUNTS)
    labels = np.array([one.right for one in known])
    sets = np.array([one.set for one in known])
    before = (base > 0.5) == labels
    print(f"{'left out':<18}" + "".join(f"{name:>11}" for name in names))
    for left in kept:
        if KINDS[left] in (Kind.PAIR, Kind.MISSING, Kind.EXTRA):
            continue
        p, _ = cross_validated(known, [k for k in kept if k != left])
        good = (p > 0.5) == labels
        change = [int(good[sets == name].sum() - before[sets == name].sum()) for name in names]
        print(f"{KINDS[left].name.lower():<18}" + "".join(f"{one:>+11}" for one in change))


def main() -> None:
    """Fit, and print what docs/judge.md tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--own", type=Path)
    for name in ("unseen", "write", "ablate"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    real = [one for path in given.cases for one in labelled(path, "dev")]
    known = [one for one in real if one.group[-1] not in ASIDE]
    known += labelled(given.own, "own") if given.own else []
    known += made()
    every = [number for number, kind in enumerate(KINDS) if kind not in UNWEIGHED]
    p, weights = cross_validated(known, every)
    show(known, p)
    if given.write:
        write(weights, [path.name for path in (*given.cases, *([given.own] if given.own else []))])
    if given.unseen:
        print("\nPut aside, by these weights:")
        aside = [one for one in real if one.group[-1] in ASIDE]
        later = np.zeros(len(aside))
        for steps in (False, True):
            mine = [
                n for n, one in enumerate(aside) if (one.case.needle_type == "logical") is steps
            ]
            later[mine] = points([aside[n] for n in mine], steps).probabilities(weights[steps])
        show(aside, later)
    started = time.process_time()
    for one in real:
        rules.judge(one.case)
    print(f"{len(real) / (time.process_time() - started):,.0f} verdicts a processor second")
    if given.ablate:
        ablate(known, p, every)


if __name__ == "__main__":
    main()
