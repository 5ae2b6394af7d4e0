"""Counting-Stars' tasks in lm-eval, one a language."""

from __future__ import annotations

from seqniah_datasets.schema import LANGS, SPLITS, StarAsk, StarTask
from seqniah_tasks.benchmarks.counting_stars.record import FIGURES
from seqniah_tasks.benchmarks.protocol import Facts, LmEval, LmEvalGroup, LmEvalTask, Metric
from seqniah_tasks.kinds import FILLED_NAME, NAME_OR_NONE, NUMBERS, POSITIVE, Kind, choice, list_of

_ALIASES = {"en": "English", "zh": "Chinese"}


def _fault(document: Facts) -> tuple[str, str] | None:
    """What fits no sample, though each field is good by itself."""
    count = document["needles"]
    if len(document["right"]) != count:
        return "right", f"a list of {count} numbers, one for each of needles"
    reasoning = document["pipeline"] == StarTask.REASONING
    if len(document["wrong"]) != (count if reasoning else 0):
        return "wrong", "as long a list as right in the task reasoning, else empty"
    return None


LM_EVAL = LmEval(
    tasks=tuple(
        LmEvalTask(
            name=f"counting_stars_{lang}",
            alias=_ALIASES[lang],
            task="counting_stars",
            fixed={"lang": (lang,)},
            tags=("longcxt",),
        )
        for lang in LANGS
    ),
    groups=(
        LmEvalGroup(
            name="counting_stars",
            alias="Counting-Stars",
            tasks=tuple(f"counting_stars_{lang}" for lang in LANGS),
        ),
    ),
    metrics=(
        Metric(name="score"),
        *(Metric(name=name, figure=name, higher_is_better=name != "confusion") for name in FIGURES),
    ),
    aggregated=("score", "position", "confusion"),
    run_facts=("benchmark", "version", "edition", "tokenizer", "corpus", "setup", "split"),
    fields={
        "setup": NAME_OR_NONE,
        "split": choice(*SPLITS),
        "lang": choice(*LANGS),
        "length_bin": FILLED_NAME,
        "stars": POSITIVE,
        "pipeline": choice(*StarTask),
        "ask": choice(*StarAsk),
        "length": POSITIVE,
        "needles": POSITIVE,
        "repeat": POSITIVE,
        "right": NUMBERS,
        "wrong": NUMBERS,
        "others": Kind(
            "", list_of(NUMBERS.holds), "a list of lists of whole numbers from 1", tuple
        ),
        "asked": Kind("", list_of(FILLED_NAME.holds, 8), "a list of names, at most 8", tuple),
    },
    fault=_fault,
)
