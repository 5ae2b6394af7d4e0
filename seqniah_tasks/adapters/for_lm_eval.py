"""Sequential-NIAH as lm-eval sees it: the class behind the YAML of `lm_eval_tasks`."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, ParamSpec, TypeVar

from lm_eval.api.instance import Instance
from lm_eval.api.metrics import mean
from lm_eval.api.task import ConfigurableTask

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.schema import LANGS, Pipeline
from seqniah_datasets.splits import BINS, LONGER_BINS
from seqniah_tasks import budget, terminal
from seqniah_tasks.adapters import lm_eval_judging, lm_eval_options, lm_eval_runs, lm_eval_windows
from seqniah_tasks.adapters.lm_eval_documents import Document, case, documents
from seqniah_tasks.adapters.lm_eval_judging import (
    LENGTH_METRIC,
    Answer,
    Asked,
    answer,
    mean_of_scored,
)
from seqniah_tasks.adapters.lm_eval_options import Judging
from seqniah_tasks.adapters.lm_eval_windows import TooLong
from seqniah_tasks.benchmarks.asking import Prompt, prompt
from seqniah_tasks.benchmarks.noise import SPREAD
from seqniah_tasks.prompts.sequential_niah import answer_start
from seqniah_tasks.records import STRATA_ORDER
from seqniah_tasks.truncation import Fate

log = logging.getLogger("seqniah")

P = ParamSpec("P")
T = TypeVar("T")

STOPS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>")
"""The YAML's own stop sequences: never none, since some servers refuse that; in no answer."""

STOP_AFTER_LIST = "\n\n"
"""What ends the answer of a model that continues text besides: the end of its list."""

_LENGTH_METRICS = tuple(LENGTH_METRIC.format(one.name) for one in (*BINS, *LONGER_BINS))

_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
"""Names under which the harness takes the length of an answer, the foremost first."""

open_benchmark = lru_cache(maxsize=4)(terminal.open_benchmark)
"""One benchmark serves all tasks of a group."""


class Refusal(SeqniahError, SystemExit):
    """A user's mistake. The harness's command ends with its sentence and without a traceback;
    code that calls the harness catches it like any other exception."""

    def __init__(self, message: str) -> None:
        SystemExit.__init__(self, f"seqniah: {message}")


def process_results(document: Document, results: list[Answer]) -> dict[str, Any]:
    """The metrics of one answer, which `SeqniahTask.apply_filters` has judged."""
    return results[0].metrics


class SeqniahTask(ConfigurableTask):  # type: ignore[misc]  # lm_eval is not typed
    """A pipeline and language of a split, or the noise suite; `dataset_kwargs` of the YAML says."""

    def __init__(self, config: dict[str, Any]) -> None:
        """Raises `Refusal` for options that cannot be served."""
        run = lm_eval_runs.calling()
        which = config["dataset_kwargs"]
        metadata = config["metadata"]
        try:
            noise = which.get("suite") == "noise"
            wanted = lm_eval_options.read(metadata, run.model_args, which["split"], noise=noise)
            self._wanted = wanted
            # Whoever only predicts may have no judge yet, nor what asking one takes.
            self._judge = (Judging("rules") if run.only_predicts else wanted.judging).open()
            self._bench = open_benchmark(wanted.options)
        except SeqniahError as error:
            raise Refusal(str(error)) from error
        self._prompts: dict[str, Prompt] = {}
        self._asked: dict[str, Asked] = {}
        self._chat = False
        self._reader = lm_eval_windows.UNKNOWN
        self._instruction = 0
        self._too_long: list[str] = []
        self._alone = True
        self._all_scored = False
        self._bins: list[str] = []
        self._instances: list[Instance] = []
        kept = {name: value for name, value in config.items() if name != "class"}
        facts = {**self._bench.facts(), "scorer": "none" if run.only_predicts else self._judge.name}
        super().__init__(config={**kept, "metadata": {**metadata, **facts}})

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Make the documents. Raises `Refusal` when no sample passes the filters."""
        which = self.config.dataset_kwargs
        lang = next((one for one in LANGS if one == which.get("lang")), None)
        pipeline = Pipeline(which["pipeline"]) if "pipeline" in which else None
        found = documents(self._bench, pipeline, lang)
        if not len(found):
            present = sorted({f"{p.slot.pipeline} {p.slot.lang}" for p in self._bench.plan})
            raise Refusal(
                f"No sample of {self.config.task} passes the filters of --metadata, which leave "
                f"{', '.join(present) or 'nothing'}; name only tasks of these with --tasks, "
                "or widen the filters."
            )
        self.dataset = {"test": found}

    def doc_to_text(self, doc: Document, doc_to_text: Any = None) -> str:
        """Render the prompt of a document."""
        try:
            made = prompt(self._bench, self._bench.find(doc["id"]))
        except SeqniahError as error:
            raise Refusal(str(error)) from error
        self._prompts[doc["id"]] = replace(made, text="")
        return made.text

    def doc_to_prefix(self, doc: Document) -> str | None:
        """What a model that continues text finds at the end: the beginning of a list."""
        return None if self._chat else answer_start(doc["lang"])

    def build_all_requests(self, **given: Any) -> None:
        """Build the requests of this rank.

        Raises `Refusal` before anything is sent when prompts cannot reach the model whole, or when
        the judge that a model's answers are meant for does not answer.
        """
        lm = lm_eval_runs.calling().lm
        self._chat = bool(given.get("apply_chat_template"))
        if given.get("world_size", 1) > 1 and self._wanted.guard.on_overflow == "skip":
            raise Refusal("on_overflow=skip needs a single process; give lengths that fit instead.")
        if lm_eval_windows.needs_chat(lm) and not self._chat:
            raise Refusal(f"{type(lm).__name__} takes chats only; add --apply_chat_template.")
        self._reader = lm_eval_windows.reader(lm, self._wanted.guard.context)
        if lm_eval_windows.needs_text(lm) and self._chat:
            raise Refusal(
                f"{type(lm).__name__} has no chat template without a tokenizer; take --model "
                "local-chat-completions, or give tokenizer=... in --model_args."
            )
        if lm is not None and self._reader.window is None and not self._wanted.options.closed_book:
            lm_eval_options.tell_once(
                f"nothing tells how much {self._reader.name} can read, so no prompt is held "
                "against it; give --metadata context=N"
            )
        instruction = given.get("system_instruction") or ""
        self._instruction = self._bench.corpus.tokenizer.count(instruction)
        self._too_long = []
        processes = given.get("world_size", 1)
        self._alone = processes == 1
        # Of all processes: the harness joins the metrics that the first one has, by name.
        chosen = {name: given[name] for name in ("limit", "samples") if name in given}
        asked = [doc for _, doc in super().doc_iterator(**chosen)]
        if len(asked) < processes:
            raise Refusal(
                f"{self.config.task} has {len(asked)} samples here for {processes} processes, and "
                "each needs one; raise --limit, or start fewer processes."
            )
        self._bins = _bins(asked)
        if not self._only_predicts:
            _or_refuse(lm_eval_judging.check_reachable, self._wanted.judging)
        # The harness keeps requests by the task's name alone, whatever the metadata says.
        super().build_all_requests(**{**given, "cache_requests": False})
        self._leave_out()

    def construct_requests(self, doc: Document, ctx: Any, **given: Any) -> Instance:
        """One request, counted as the model will get it."""
        wishes = dict(self.config.generation_kwargs)
        asked = [wishes.pop(name, None) for name in _LIMITS]
        # The YAML's own length counts only where the user gave none, under whatever name.
        wanted = self._length(next((one for one in (*asked[1:], asked[0]) if one is not None), 0))
        made = self._prompts[doc["id"]]
        counted = self._reader.counted(ctx)
        room = self._reader.room(counted, made.tokens + self._instruction, wanted)
        if room is None:
            self._overflows(doc, counted, wanted)
        # Questions alone are too short to be cut.
        sure = counted is not None or self._wanted.options.closed_book
        fate = Fate.WHOLE if sure else Fate.UNVERIFIED
        self._asked[doc["id"]] = Asked(made, counted, fate)
        instance = super().construct_requests(doc, ctx, **given)
        until = wishes.get("until") or list(STOPS)
        if not self._chat and list(until) == list(STOPS):
            until = [STOP_AFTER_LIST, *STOPS]
        instance.arguments = (ctx, {**wishes, "until": until, "max_gen_toks": room or wanted})
        return instance

    def _length(self, given: Any) -> int:
        """The tokens that an answer may have. Raises `Refusal` when they are too few, or none."""
        try:
            wanted = int(given)
        except (TypeError, ValueError) as error:
            raise Refusal(
                f"The length of an answer is a number of tokens, not {given!r}; pass --gen_kwargs "
                f"max_gen_toks={budget.LEAST_ANSWER} or more, or leave it out."
            ) from error
        model = budget.Model(self._reader.name)
        _or_refuse(budget.budget, model, wanted, "--gen_kwargs max_gen_toks=")
        return wanted

    def _overflows(self, doc: Document, counted: int | None, wanted: int) -> None:
        """Note a prompt that cannot reach the model whole. Raises `Refusal` unless it may be."""
        if self._wanted.guard.on_overflow == "skip":
            self._too_long.append(doc["id"])
            return
        mine = {one["id"] for one in self.eval_docs}
        lengths = [
            (planned.slot.length.name, self._bench.target(planned))
            for planned in self._bench.plan
            if planned.id in mine
        ]
        tokens = self._prompts[doc["id"]].tokens
        too_long = TooLong(doc["id"], self.config.task, tokens, counted, wanted)
        raise Refusal(self._reader.refusal(too_long, lengths))

    def _leave_out(self) -> None:
        """Drop the requests of prompts that do not fit; how many is a metric of its own."""
        if not self._too_long:
            return
        gone = set(self._too_long)
        self._instances = [one for one in self._instances if one.doc["id"] not in gone]
        self._bins = _bins([one.doc for one in self._instances])
        if not self._instances:
            raise Refusal(
                f"No prompt of {self.config.task} fits the window of {self._reader.name} "
                f"({self._reader.window:,} tokens); leave the task out."
            )
        self.config.metadata["left_out"] = len(gone)
        log.warning(
            "seqniah: %s: %d prompts do not fit the window of %s and are left out, unscored: %s",
            *(self.config.task, len(gone), self._reader.name, ", ".join(sorted(gone)[:3])),
        )

    def doc_iterator(self, **given: Any) -> Iterator[tuple[int, Any]]:
        """The documents of this rank, without those that were left out."""
        gone = set(self._too_long)
        for number, doc in super().doc_iterator(**given):
            if doc["id"] in gone:
                continue
            yield number, self.noted(doc) if self._only_predicts else doc

    def noted(self, doc: Document) -> dict[str, Any]:
        """A document with what was noted of its prompt, where no verdict will tell it."""
        asked = self._asked.get(doc["id"])
        return {**doc, "prompt": asked.notes(doc["lang"])} if asked else dict(doc)

    @property
    def _only_predicts(self) -> bool:
        return "bypass" in self._metric_fn_list

    def as_judged(self, instance: Instance) -> str:
        """The answer to a request, with the beginning that a completion prompt gave it."""
        text = str(instance.resps[0]) if instance.resps else ""
        if self._chat:
            return text
        return f"{answer_start(instance.doc['lang']).rpartition(chr(10))[2]}{text}"

    def apply_filters(self) -> list[Instance]:
        """Judge all answers; under --predict_only, only complete them.

        Raises `Refusal` when too many could not be judged. Whatever ends the judging, the
        answers of the run are written first.
        """
        texts = [self.as_judged(one) for one in self._instances]
        if self._only_predicts:
            for one, text in zip(self._instances, texts, strict=True):
                one.filtered_resps = {"none": text}
            return self._instances
        try:
            found = self._judged(texts)
        except BaseException as error:
            kept = self._rescue()
            if isinstance(error, SeqniahError):
                raise Refusal(f"{str(error).rstrip('. ')}. {kept}") from error
            log.error("seqniah: %s", kept)
            raise
        for one, judged in zip(self._instances, found, strict=True):
            one.filtered_resps = {self._wanted.judging.kind: judged}
        return self._instances

    def _judged(self, texts: list[str]) -> list[Answer]:
        docs = [one.doc for one in self._instances]
        cases = [case(doc, text) for doc, text in zip(docs, texts, strict=True)]
        with terminal.progress_bar(counts="samples") as progress:
            found = self._judge.verdicts(cases, progress)
        verdicts = [one.verdict for one in found]
        most = self._wanted.judging.max_unscored
        lm_eval_judging.check_share(verdicts, most, self.config.task)
        # Other processes may have unscored answers that this one, which sums up, does not know of.
        self._all_scored = self._alone and all(one.correct is not None for one in verdicts)
        name, bins = self._judge.name, self._bins
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
        if self._only_predicts:
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


def _bins(documents: Iterable[Mapping[str, Any]]) -> list[str]:
    """The length bins of documents, shortest first."""
    present = {document["length_bin"] for document in documents}
    return [name for name in STRATA_ORDER if name in present]


def _or_refuse(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function whose mistakes are the user's."""
    try:
        return function(*args, **kwargs)
    except SeqniahError as error:
        raise Refusal(str(error)) from error
