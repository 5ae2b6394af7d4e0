"""Fit what evidence is worth to the rule judge, and measure it on answers that it has not seen.

    python benchmarks/fit_judge.py --cases judge_dev_answers.jsonl --own judge_own_answers.jsonl
    python benchmarks/fit_judge.py ... --unseen    # and the groups put aside
    python benchmarks/fit_judge.py ... --write     # the weights, to evidence/weights.toml
    python benchmarks/fit_judge.py ... --ablate    # each kind left out in turn (minutes)

The weights maximise the likelihood of labels, with a light pull to a prior; evidence that can only
speak against an answer stays negative. Real answers count most. All figures are cross-validated:
no answer is judged by weights that were fitted on its group. Groups whose id ends in 0 to 3 are
put aside: neither read nor fitted. Where it is known which items an answer states, each item is
fitted and measured as an answer of its own, since recall and the picture by depth hang on them.
"""

from __future__ import annotations

import argparse
import hashlib
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from known_answers import FOLDS, Known, cut, foreign, labelled, made, strangers, weighed
from scipy.optimize import minimize

from seqniah_scorers import rules
from seqniah_scorers.evidence import weigh
from seqniah_scorers.evidence.witnesses import Kind
from seqniah_scorers.verdict import DOUBT

WEIGHTS = Path(weigh.__file__).with_name("weights.toml")
ASIDE = "0123"
"""How the ids of groups end that are put aside."""
PULL = 0.05
"""Strength of the pull to the prior."""
COUNTS = {
    "dev": 4.0, "own": 4.0, "hand": 1.0, "cut": 1.0, "padded": 3.0, "replaced": 0.5,
    "harder": 0.4, "denials": 0.4, "published": 0.2, "strangers": 0.2,
}  # fmt: skip
"""What an answer of a set counts in the fit."""
ITEMS = 1.5
"""What all its items count together, where they are known."""
PRIOR = {
    Kind.PAIR: 4.0, Kind.MISSING: -2.0, Kind.EXTRA: -1.0,
    Kind.ORDER: -3.0, Kind.WITHDRAWN: -4.0, Kind.OTHER_DATE: -4.0,
    Kind.OPPOSED: -2.0, Kind.NUMBER: -2.0, Kind.HEDGED: -3.0, Kind.COPY_CHANGED: -3.0,
    # Of these no answer tells.
    Kind.BROKEN: -5.0, Kind.MEANT: 0.85,
}  # fmt: skip
"""Of the others -0.5."""
FREE = {
    Kind.PAIR, Kind.MISSING, Kind.EXTRA, Kind.MEANT,
}  # fmt: skip
"""Evidence that may speak for an answer."""
UNWEIGHED = {Kind.TOLD}
"""Evidence that only tells how nearly an item is a copy."""
KINDS = tuple(Kind)

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Points:
    """The evidence of many answers, a row a point."""

    evidence: Floats
    owner: npt.NDArray[np.int64]
    """Number of the answer that a row belongs to."""
    readable: npt.NDArray[np.bool_]
    """Answers with items; others are wrong whatever the weights."""
    items: tuple[tuple[Known, bool], ...]
    """The last answers are items: the answer each is looked for in, and whether it is there."""

    def probabilities(self, weights: Floats) -> Floats:
        losses = np.logaddexp(0, -self.evidence @ weights)
        total = np.bincount(self.owner, losses, minlength=len(self.readable))
        return np.where(self.readable, np.exp(-total), 0.0)


def points(known: Sequence[Known], steps: bool) -> Points:
    """All evidence about these answers, of which all are about steps or none is.

    Behind the answers come their reference items that are known to be stated or not, each as an
    answer of its own.
    """
    rows: list[list[float]] = []
    owner: list[int] = []
    readable: list[bool] = []
    items: list[tuple[Known, bool]] = []
    item_rows: list[list[float]] = []
    for number, one in enumerate(known):
        found = weighed(one.case)
        readable.append(found is not None)
        for point in found.points if found else ():
            row = [point.evidence.get(kind, 0.0) for kind in KINDS]
            rows.append(row)
            owner.append(number)
            if one.stated and point.reference is not None:
                items.append((one, one.stated[point.reference]))
                item_rows.append(row)
    owner += range(len(known), len(known) + len(items))
    readable += [True] * len(items)
    evidence = np.array(rows + item_rows)
    return Points(evidence, np.array(owner), np.array(readable), tuple(items))


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


@dataclass(frozen=True, slots=True)
class Judged:
    """Probabilities by weights that have not seen the group."""

    answers: Floats
    items: tuple[tuple[tuple[Known, bool], float], ...]
    """Answer and whether it states the item, and the probability that it does."""
    weights: dict[bool, Floats]
    """Fitted on all answers."""


def cross_validated(known: Sequence[Known], kept: Sequence[int]) -> Judged:
    """Every answer's probability and every known item's, by the kinds of evidence kept."""
    out = np.zeros(len(known))
    items: list[tuple[tuple[Known, bool], float]] = []
    weights: dict[bool, Floats] = {}
    for steps in (False, True):
        mine = of_kind(known, steps)
        some = [known[n] for n in mine]
        if steps not in _POINTS:
            _POINTS[steps] = points(some, steps)
        found = _POINTS[steps]
        right = np.array([one.right for one in some] + [there for _, there in found.items])
        counts = [COUNTS[one.set] for one in some]
        counts += [ITEMS / len(one.stated or ()) for one, _ in found.items]
        groups = [one.group for one in (*some, *(one for one, _ in found.items))]
        folds = np.array([fold_of(group) for group in groups])
        p = np.zeros(len(right))
        for fold in range(FOLDS):
            seen = fit(found, right, np.where(folds == fold, 0.0, counts), kept)
            p[folds == fold] = found.probabilities(seen)[folds == fold]
        out[mine] = p[: len(some)]
        items += zip(found.items, p[len(some) :].tolist(), strict=True)
        weights[steps] = fit(found, right, np.array(counts), kept)
    return Judged(out, tuple(items), weights)


def of_kind(known: Sequence[Known], steps: bool) -> list[int]:
    """The numbers of the answers about steps, or of the others."""
    return [n for n, one in enumerate(known) if (one.case.needle_type == "logical") is steps]


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


def show_items(items: Sequence[tuple[tuple[Known, bool], float]]) -> None:
    """How many reference items are called stated of those that are, and of those that are not."""
    tables: dict[str, tuple[list[float], list[float]]] = defaultdict(lambda: ([], []))
    for (one, stated), p in items:
        kind = "steps" if one.case.needle_type == "logical" else "events"
        tables[f"{one.set}: {kind}, {one.case.lang}"][not stated].append(p > 0.5)
    print(f"{'':<26}{'stated':>8}{'called so':>11}{'not stated':>12}{'called so':>11}")
    for name, both in sorted(tables.items()):
        cells = [(len(one), f"{np.mean(one):.1%}" if one else "") for one in both]
        (yes, yes_share), (no, no_share) = cells
        print(f"{name:<26}{yes:>8}{yes_share:>11}{no:>12}{no_share:>11}")


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
        p = cross_validated(known, [k for k in kept if k != left]).answers
        good = (p > 0.5) == labels
        change = [int(good[sets == name].sum() - before[sets == name].sum()) for name in names]
        print(f"{KINDS[left].name.lower():<18}" + "".join(f"{one:>+11}" for one in change))


def by_weights(known: Sequence[Known], weights: dict[bool, Floats]) -> Judged:
    """Probabilities of answers that the weights were not fitted on."""
    out = np.zeros(len(known))
    items: list[tuple[tuple[Known, bool], float]] = []
    for steps in (False, True):
        mine = of_kind(known, steps)
        some = [known[n] for n in mine]
        found = points(some, steps)
        p = found.probabilities(weights[steps])
        out[mine] = p[: len(some)]
        items += zip(found.items, p[len(some) :].tolist(), strict=True)
    return Judged(out, tuple(items), weights)


def main() -> None:
    """Fit, and print what docs/judge.md tells."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=Path, nargs="+", required=True)
    parser.add_argument("--own", type=Path)
    for name in ("unseen", "write", "ablate"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    every = [one for path in given.cases for one in labelled(path, "dev")]
    real = [one for one in every if one.group[-1] not in ASIDE]
    real += labelled(given.own, "own") if given.own else []
    known = [*real, *cut(real), *foreign(real), *strangers(real), *made()]
    kept = [number for number, kind in enumerate(KINDS) if kind not in UNWEIGHED]
    found = cross_validated(known, kept)
    show(known, found.answers)
    show_items(found.items)
    if given.write:
        files = [*given.cases, *([given.own] if given.own else [])]
        write(found.weights, [path.name for path in files])
    if given.unseen:
        print("\nPut aside, by these weights:")
        aside = [one for one in every if one.group[-1] in ASIDE]
        aside += [*cut(aside), *foreign(aside), *strangers(aside)]
        later = by_weights(aside, found.weights)
        show(aside, later.answers)
        show_items(later.items)
    started = time.process_time()
    for one in every:
        rules.judge(one.case)
    print(f"{len(every) / (time.process_time() - started):,.0f} verdicts a processor second")
    if given.ablate:
        ablate(known, found.answers, kept)


if __name__ == "__main__":
    main()
