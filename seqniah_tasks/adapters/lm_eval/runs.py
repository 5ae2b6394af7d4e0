"""What lm-eval knows of a run and does not tell its tasks: the model, its arguments, the output.

A task must fit prompts to the model, and tell the model's arguments from its own, which the harness
merges. Both stand in its callers: `lm_eval.evaluator.simple_evaluate` and `evaluate`.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from traceback import walk_stack
from typing import Any

from lm_eval.api.model import CachingLM
from lm_eval.utils import simple_parse_args_string

_EVALUATOR = "lm_eval.evaluator"


@dataclass(frozen=True, slots=True)
class Run:
    """The run in which a task is made or asked."""

    lm: Any | None
    """The harness's model object; None outside a run."""
    model_args: Mapping[str, Any] = field(default_factory=dict)
    """What was given as --model_args."""
    folder: Path = Path()
    """Where samples files will be written; the current folder where none will be."""
    only_predicts: bool = False
    """Whether nothing is to be judged (--predict_only)."""
    tasks: Mapping[str, Any] = field(default_factory=dict)
    """The run's tasks by name, once they are asked."""


def calling() -> Run:
    """The run that called the caller; an empty one where lm-eval did not."""
    known: dict[str, Any] = {}
    for frame, _ in walk_stack(sys._getframe(1)):
        if frame.f_globals.get("__name__") == _EVALUATOR:
            # The nearest function knows best: it has the model as it will be asked.
            known = {**frame.f_locals, **known}
    lm = known.get("lm")
    given = known.get("model_args") or {}
    return Run(
        lm=lm.lm if isinstance(lm, CachingLM) else lm,
        model_args=simple_parse_args_string(given) if isinstance(given, str) else dict(given),
        folder=_folder(known.get("evaluation_tracker")),
        only_predicts=bool(known.get("predict_only")),
        tasks=known.get("eval_tasks") or {},
    )


def _folder(tracker: Any) -> Path:
    """As the harness's tracker chooses it."""
    output = getattr(tracker, "output_path", None)
    if not output:
        return Path()
    if Path(output).suffix == ".json":
        return Path(output).parent
    return Path(output) / str(tracker.general_config_tracker.model_name_sanitized)
