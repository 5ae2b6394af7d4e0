"""Sequential-NIAH's tasks in lm-eval: by split, pipeline and language, and the noise suite."""

from __future__ import annotations

from itertools import product

from seqniah_datasets.schema import LANGS, NEEDLE_ORDERS, SPLITS, NoiseType, Pipeline
from seqniah_datasets.splits import GROUPS
from seqniah_tasks.benchmarks.protocol import LmEval, LmEvalGroup, LmEvalTask, Metric
from seqniah_tasks.benchmarks.sequential_niah.options import LENGTHS, SHORTER, UNKNOWN
from seqniah_tasks.benchmarks.sequential_niah.score import FIGURES
from seqniah_tasks.kinds import COUNT, FILLED_NAME, FLAG, POSITIVE, TEXTS, choice

_PREFIX = {"test": "seqniah", "dev": "seqniah_dev", "hard": "seqniah_hard"}
"""How names of a task's parts begin."""

_LANGUAGES = {"en": "English", "zh": "Chinese"}


def _name(split: str, *parts: str) -> str:
    return "_".join([_PREFIX[split], *(part.replace("-", "_") for part in parts)])


def _task(split: str, pipeline: str, lang: str) -> LmEvalTask:
    test = split == "test"
    return LmEvalTask(
        name=_name(split, pipeline, lang),
        alias=f"{'' if test else f'{split}, '}{pipeline} {lang}",
        task=split,
        only={"pipeline": pipeline, "lang": lang},
        tags=("longcxt", "seqniah") if test else (),
    )


def _group(alias: str, split: str, *part: str) -> LmEvalGroup:
    """The tasks of a split, of a language or pipeline or all."""
    tasks = [
        _name(split, pipeline, lang)
        for lang, pipeline in product(LANGS, Pipeline)
        if not part or part[0] in (lang, pipeline)
    ]
    return LmEvalGroup(name=_name(split, *part), alias=alias, tasks=tuple(tasks))


LM_EVAL = LmEval(
    tasks=(
        *(_task(split, one, lang) for split, lang, one in product(_PREFIX, LANGS, Pipeline)),
        LmEvalTask(name="seqniah_noise", alias="Sequential-NIAH, noise suite", task="noise"),
        LmEvalTask(
            name="seqniah_released",
            alias="Sequential-NIAH, released samples",
            task="test",
            fixed={"edition": "released"},
        ),
    ),
    groups=(
        LmEvalGroup(
            name="seqniah",
            alias="Sequential-NIAH",
            tasks=tuple(_name("test", lang) for lang in LANGS),
        ),
        *(_group(_LANGUAGES[lang], "test", lang) for lang in LANGS),
        *(_group(f"Sequential-NIAH, {one}", "test", one) for one in Pipeline),
        _group("Sequential-NIAH, development split", "dev"),
        _group("Sequential-NIAH, made harder", "hard"),
    ),
    metrics=(
        Metric(name="acc"),
        # Fewer than two needles found have no order.
        *(Metric(name=one, figure=one, always=one != "order_agreement") for one in FIGURES),
    ),
    aggregated=("acc", "item_recall", "item_precision"),
    by_length="acc_{}",
    run_facts=("benchmark", "version", "edition", "tokenizer", "corpus", "order", "closed_book"),
    fields={
        "order": choice(*NEEDLE_ORDERS),
        "closed_book": FLAG,
        "split": choice(*SPLITS),
        "lang": choice(*LANGS),
        "length_bin": choice(*(one.name for one in (SHORTER, *LENGTHS))),
        "pipeline": choice(*Pipeline, UNKNOWN),
        "needle_group": choice("", *(one.name for one in GROUPS)),
        "needles": POSITIVE,
        "order_required": FLAG,
        "parties": TEXTS,
        "needle_texts": TEXTS,
        "in_suite": FLAG,
        "base": FILLED_NAME,
        "noise": choice("", *NoiseType),
        "variant": COUNT,
    },
    later=frozenset({"needle_texts"}),
)
