"""Sequential-NIAH as lm-eval sees it: the class behind the YAML of `lm_eval_tasks`."""

from __future__ import annotations

import json
import logging
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from lm_eval.api.metrics import mean

from datasets import Dataset  # type: ignore[attr-defined]  # the checkout's folder is no package
from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Pipeline
from seqniah_datasets.splits import BINS, LONGER_BINS
from seqniah_tasks import terminal
from seqniah_tasks.adapters import lm_eval_judging, lm_eval_options, lm_eval_runs
from seqniah_tasks.adapters.lm_eval_asking import AskingTask
from seqniah_tasks.adapters.lm_eval_documents import Document, case, documents
from seqniah_tasks.adapters.lm_eval_judging import LENGTH_METRIC, answer
from seqniah_tasks.adapters.lm_eval_noted import Answer, mean_of_scored
from seqniah_tasks.adapters.lm_eval_options import Judging
from seqniah_tasks.adapters.lm_eval_refusal import Refusal, or_refuse
from seqniah_tasks.adapters.opened import open_benchmark
from seqniah_tasks.benchmarks.noise import SPREAD
from seqniah_tasks.prompts.sequential_niah import answer_start
from seqniah_tasks.records import STRATA_ORDER

log = logging.getLogger("seqniah")

_LENGTH_METRICS = tuple(LENGTH_METRIC.format(one.name) for one in (*BINS, *LONGER_BINS))


class SeqniahTask(AskingTask):
    """A pipeline and language of a split, or the noise suite; `dataset_kwargs` of the YAML says."""

    def __init__(self, config: dict[str, Any]) -> None:
        """Raises `Refusal` for options that cannot be served."""
        run = lm_eval_runs.calling()
        which = config["dataset_kwargs"]
        noise = which.get("suite") == "noise"
        try:
            wanted = lm_eval_options.read(
                config["metadata"], run.model_args, which["split"], noise=noise
            )
            # Whoever only predicts may have no judge yet, nor what asking one takes.
            self._judge = (Judging("rules") if run.only_predicts else wanted.judging).open()
            bench = open_benchmark(wanted.options)
        except SeqniahError as error:
            raise Refusal(str(error)) from error
        self._wanted, self._niah = wanted, bench
        self._all_scored = False
        facts = {**bench.facts(), "scorer": "none" if run.only_predicts else self._judge.name}
        super().__init__(config, bench, wanted.guard, facts)

    def made(self) -> Dataset:
        """The samples of the task. Raises `Refusal` when none passes the filters."""
        which = self.config.dataset_kwargs
        lang = next((one for one in LANGS if one == which.get("lang")), None)
        pipeline = Pipeline(which["pipeline"]) if "pipeline" in which else None
        found = documents(self._niah, pipeline, lang)
        if not len(found):
            present = sorted({f"{p.slot.pipeline} {p.slot.lang}" for p in self._niah.plan})
            raise Refusal(
                f"No sample of {self.config.task} passes the filters of --metadata, which leave "
                f"{', '.join(present) or 'nothing'}; name only tasks of these with --tasks, "
                "or widen the filters."
            )
        return found

    def start(self, doc: Document) -> str:
        """The beginning of a list."""
        return answer_start(doc["lang"])

    def in_order(self, lengths: set[str]) -> list[str]:
        """The length bins, shortest first."""
        return [name for name in STRATA_ORDER if name in lengths]

    def narrower(self, fitting: Sequence[str], first: str, share: float) -> str:
        """The bins that fit."""
        return json.dumps({"length": ",".join(fitting)}) if fitting else ""

    def before_asking(self) -> None:
        """Raise `Refusal` when the judge does not answer that a model's answers are meant for."""
        or_refuse(lm_eval_judging.check_reachable, self._wanted.judging)

    def judged(self, texts: Sequence[str]) -> tuple[str, Sequence[Answer]]:
        """Judge all answers.

        Raises `Refusal` when too many could not be judged. Whatever ends the judging, the
        answers of the run are written first.
        """
        try:
            return self._wanted.judging.kind, self._verdicts(texts)
        except BaseException as error:
            kept = self._rescue()
            if isinstance(error, SeqniahError):
                raise Refusal(f"{str(error).rstrip('. ')}. {kept}") from error
            log.error("seqniah: %s", kept)
            raise

    def _verdicts(self, texts: Sequence[str]) -> list[Answer]:
        docs = [one.doc for one in self._instances]
        cases = [case(doc, text) for doc, text in zip(docs, texts, strict=True)]
        with terminal.progress_bar(counts="samples") as progress:
            found = self._judge.verdicts(cases, progress)
        verdicts = [one.verdict for one in found]
        most = self._wanted.judging.max_unscored
        lm_eval_judging.check_share(verdicts, most, self.config.task)
        # Other processes may have unscored answers that this one, which sums up, does not know of.
        self._all_scored = self._alone and all(one.correct is not None for one in verdicts)
        name, bins = self._judge.name, self._lengths
        return [
            answer(text, doc, judged, name, self._asked[doc["id"]], bins, len(self._too_long))
            for text, doc, judged in zip(texts, docs, found, strict=True)
        ]

    def _rescue(self) -> str:
        run = lm_eval_runs.calling()
        rank = getattr(run.lm, "rank", 0)
        files = lm_eval_judging.rescue(run.tasks, run.folder, rank)
        if not files:
            return "There were no answers yet."
        names = " ".join(shlex.quote(str(path)) for path in files)
        return f"The answers are kept; judge them with: seqniah score lm-eval {names}"

    def aggregation(self) -> dict[str, Callable[..., float]]:
        """How the harness sums up each metric."""
        if self.only_predicts:
            return dict(super().aggregation())
        # The harness knows the standard error of its own mean alone.
        whole = mean if self._all_scored else mean_of_scored
        found: dict[str, Callable[..., float]] = {
            "acc": whole,
            "item_recall": whole,
            "item_precision": whole,
            "order_agreement": mean_of_scored,
            "unscored": mean,
            "judged": lm_eval_judging.count_judged,
            "left_out": lambda _: len(self._too_long),
            **lm_eval_judging.noise_aggregation(),
        }
        return found | dict.fromkeys(_LENGTH_METRICS, mean_of_scored)

    def higher_is_better(self) -> dict[str, bool]:
        """Whether a metric is better when it is higher; `judged` is a count."""
        noise = lm_eval_judging.NOISE_METRICS if self._wanted.options.bases else ()
        more = {name: not name.startswith(SPREAD) for name in noise}
        return {**super().higher_is_better(), **dict.fromkeys(_LENGTH_METRICS, True), **more}
