"""Benchmarks as lm-eval sees them: the class behind the YAML of `lm_eval_tasks`.

Prompts reach the model whole or not at all (solve.py); all answers are judged together (score.py).
"""

from __future__ import annotations

import logging
import math
import shlex
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.metrics import mean
from lm_eval.api.task import ConfigurableTask

from datasets import Dataset  # type: ignore[attr-defined]  # the checkout's folder is no package
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.lm_eval import judge, probe, runs, score, tasks
from seqniah_tasks.adapters.lm_eval.judge import Judging
from seqniah_tasks.adapters.lm_eval.samples import prompt
from seqniah_tasks.adapters.lm_eval.score import Answer, mean_of_scored
from seqniah_tasks.adapters.lm_eval.solve import Asking, Refusal, or_refuse
from seqniah_tasks.benchmarks.protocol import Facts, Suite
from seqniah_tasks.judging.judges import Judge
from seqniah_tasks.terminal import progress_bar

log = logging.getLogger("seqniah")


class SeqniahTask(ConfigurableTask):  # type: ignore[misc]  # lm_eval is not typed
    """A task that a benchmark declares; `dataset_kwargs` of the YAML names it.

    Documents have id, lang, length_bin, question and reference, and what else they declare.
    """

    def __init__(self, config: dict[str, Any]) -> None:
        """Raises `Refusal` for options that cannot be served."""
        run = runs.calling()
        name = config["dataset_kwargs"]["task"]
        self._wanted = or_refuse(judge.read, name, config["metadata"], run.model_args)
        spec, self._benchmark = self._wanted.spec, self._wanted.benchmark
        # Where nothing is judged there may be no judge yet, nor what asking one takes.
        judging = self._wanted.judging
        asked = Judging(scorer="rules") if judging and run.only_predicts else judging
        self._judge: Judge | None = or_refuse(asked.open) if asked else None
        self._bench = or_refuse(benchmarks.opened, spec.name, self._wanted.options)
        self._asking = Asking(config["task"], spec.name, self._bench, self._wanted.sending)
        self._all_scored = judging is None
        self._alone = True
        self._lengths: list[str] = []
        self._instances: list[Instance] = []
        judges = score.judge_name(self._benchmark, self._judge)
        facts = {**self._bench.facts(), "scorer": "none" if run.only_predicts else judges}
        kept = {name: value for name, value in config.items() if name != "class"}
        super().__init__(config={**kept, "metadata": {**config["metadata"], **facts}})

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Make the documents. Raises `Refusal` when no sample passes the filters."""
        made, only = or_refuse(tasks.documents, self._bench), self._wanted.task.only
        found = [one for one in made if all(one[name] == only[name] for name in only)]
        if not found:
            present = sorted({" ".join(str(one[name]) for name in only) for one in made})
            raise Refusal(
                f"No sample of {self.config.task} passes the filters of --metadata, which leave "
                f"{', '.join(present) or 'nothing'}; name only tasks of these with --tasks, "
                "or widen the filters."
            )
        self.dataset = {"test": Dataset.from_list(found)}

    def doc_to_text(self, doc: Any, doc_to_text: Any = None) -> str:
        """Render the prompt of a document. Raises `Refusal` for one that lm-eval cannot send."""
        return self._asking.text(doc["id"])

    def doc_to_prefix(self, doc: Any) -> str | None:
        """What a model that continues text finds at the end: the beginning of an answer."""
        return self._asking.start(doc["id"])

    def build_all_requests(self, **given: Any) -> None:
        """Build the requests of this rank. Raises `Refusal`, before anything is sent, when prompts
        cannot reach the model whole, or the run could not be judged.
        """
        processes = given.get("world_size", 1)
        self._alone = processes == 1
        if not self._alone and self._wanted.sending.on_overflow == "skip":
            raise Refusal("on_overflow=skip needs a single process; give lengths that fit instead.")
        chat = bool(given.get("apply_chat_template"))
        lm, instruction = runs.calling().lm, given.get("system_instruction") or ""
        self._asking.meet(lm, chat, instruction)
        # Of all processes: the harness joins the metrics that the first one has, by name.
        chosen = {name: given[name] for name in ("limit", "samples") if name in given}
        asked = [doc for _, doc in super().doc_iterator(**chosen)]
        if len(asked) < processes:
            raise Refusal(
                f"{self.config.task} has {len(asked)} samples here for {processes} processes, and "
                "each needs one; raise --limit, or start fewer processes."
            )
        self._lengths = self._asking.in_order({doc["length_bin"] for doc in asked})
        if self._wanted.judging and not self.only_predicts:
            or_refuse(judge.check_reachable, self._wanted.judging)
        # The harness keeps requests by the task's name alone, whatever the metadata says.
        super().build_all_requests(**{**given, "cache_requests": False})
        self._leave_out()
        if self._wanted.sending.probe and lm is not None:
            sent = {one.doc["id"]: one.args[1] for one in self._instances}
            self._asking.probe(probe.Prober(lm, chat, instruction), sent)

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> Instance:
        """One request, counted as the model will get it."""
        instance = super().construct_requests(doc, ctx, **given)
        wishes = self._asking.wishes(doc["id"], ctx, self.config.generation_kwargs, self.eval_docs)
        instance.arguments = (ctx, wishes)
        return instance

    def _leave_out(self) -> None:
        """Drop the requests of prompts that do not fit; how many is a metric of its own."""
        gone = set(self._asking.too_long)
        if not gone:
            return
        self._instances = [one for one in self._instances if one.doc["id"] not in gone]
        log.warning("seqniah: %s", self._asking.left_out(bool(self._instances)))
        self._lengths = self._asking.in_order({one.doc["length_bin"] for one in self._instances})
        self.config.metadata["left_out"] = len(gone)

    def doc_iterator(self, **given: Any) -> Iterator[tuple[int, Any]]:
        """The documents of this rank, without those that were left out."""
        gone = set(self._asking.too_long)
        for number, doc in super().doc_iterator(**given):
            if doc["id"] not in gone:
                yield number, self.noted(doc) if self.only_predicts else doc

    def noted(self, doc: Any) -> dict[str, Any]:
        """A document with what was noted of its prompt, where no verdict will tell it."""
        asked = self._asking.asked.get(doc["id"])
        return {**doc, "prompt": asked.notes(doc["lang"])} if asked else dict(doc)

    @property
    def only_predicts(self) -> bool:
        """Whether nothing is to be judged (--predict_only)."""
        return "bypass" in self._metric_fn_list

    def as_judged(self, instance: Instance) -> str:
        """The answer to a request, with the beginning that a completion prompt gave it."""
        text = str(instance.resps[0]) if instance.resps else ""
        return self._asking.whole(instance.doc["id"], text)

    def apply_filters(self) -> list[Instance]:
        """Judge all answers; under --predict_only, only complete them. Raises `Refusal` when too
        many could not be judged; whatever ends the judging, answers are written first.
        """
        texts = [self.as_judged(one) for one in self._instances]
        judging, found = self._wanted.judging, texts
        name = "none" if self.only_predicts else judging.scorer if judging else "rules"
        if not self.only_predicts:
            try:
                found = list(self._judged(texts))
            except BaseException as error:
                kept = self._rescue()
                if isinstance(error, SeqniahError):
                    raise Refusal(f"{str(error).rstrip('. ')}. {kept}") from error
                log.error("seqniah: %s", kept)
                raise
        for one, text in zip(self._instances, found, strict=True):
            one.filtered_resps = {name: text}
        return self._instances

    def _judged(self, texts: Sequence[str]) -> list[Answer]:
        docs: list[Facts] = [one.doc for one in self._instances]
        notes = [self._asking.asked[doc["id"]] for doc in docs]
        words = prompt if score.reads_prompt(self._benchmark) else lambda context: ""
        answers = (
            score.answered(one.doc, text, asked.prompt.depths, words(one.args[0]))
            for one, text, asked in zip(self._instances, texts, notes, strict=True)
        )
        with progress_bar(counts="samples") as progress:
            found = score.judged(self._benchmark, self._judge, answers, progress)
        if self._wanted.judging:
            score.check_share(found, self._wanted.judging.max_unscored, self.config.task)
            # Other processes may have unscored answers that this one, which sums up, cannot know.
            self._all_scored = self._alone
        self._all_scored &= all(one.scored.score is not None for one in found)
        lengths, left_out = self._lengths, len(self._asking.too_long)
        return [
            score.answer(text, self._benchmark, doc, one, asked, lengths, left_out)
            for text, doc, one, asked in zip(texts, docs, found, notes, strict=True)
        ]

    def _rescue(self) -> str:
        run = runs.calling()
        written = score.rescue(run.tasks, run.folder, getattr(run.lm, "rank", 0))
        if not written:
            return "There were no answers yet."
        names = " ".join(shlex.quote(str(path)) for path in written)
        return f"The answers are kept; judge them with: seqniah score lm-eval {names}"

    def aggregation(self) -> dict[str, Callable[..., Any]]:
        """How the harness sums up each metric."""
        if self.only_predicts:
            return dict(super().aggregation())
        # The harness knows the standard error of its own mean alone, and of independent samples.
        sure = self._all_scored and not self._clustered
        whole, suite = mean if sure else mean_of_scored, self._suite
        first, *others = tasks.of(self._benchmark).metrics
        return {
            first.name: whole,
            **{one.name: whole if one.always else mean_of_scored for one in others},
            tasks.UNSCORED: mean,
            "judged": score.count_judged,
            "left_out": lambda _: len(self._asking.too_long),
            **({name: _of_suite(suite, name) for name in suite.names} if suite else {}),
            **dict.fromkeys(self._by_length, mean_of_scored),
        }

    def higher_is_better(self) -> dict[str, bool]:
        """Whether a metric is better when it is higher; `judged` is a count."""
        suite = self._suite
        more = {name: not suite.lower_is_better(name) for name in suite.names} if suite else {}
        return {**super().higher_is_better(), **dict.fromkeys(self._by_length, True), **more}

    @cached_property
    def _by_length(self) -> list[str]:
        return list(map(tasks.of(self._benchmark).by_length.format, self._bench.lengths))

    @cached_property
    def _clustered(self) -> bool:
        """Whether samples are no independent draws."""
        cluster = self._benchmark.scoring.cluster
        return cluster is not None and len(set(self.eval_docs[cluster.trait])) < len(self.eval_docs)

    @cached_property
    def _suite(self) -> Suite | None:
        """None where the samples are not of it."""
        suite = self._benchmark.scoring.suite
        return suite if suite and suite.outcome(self.eval_docs[0], None) is not None else None


def _of_suite(suite: Suite, name: str) -> Callable[[Sequence[Any]], float]:
    return lambda outcomes: suite.figures(outcomes).get(name, math.nan)
