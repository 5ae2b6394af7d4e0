"""What any benchmark needs of lm-eval: prompts that reach the model whole, and answers as given.

The harness knows neither the model nor its window when it makes a task's requests; `AskingTask`
finds both, counts every prompt, and completes the answers to prompts that begin one.
"""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lm_eval.api.instance import Instance
from lm_eval.api.task import ConfigurableTask

from datasets import Dataset  # type: ignore[attr-defined]  # the checkout's folder is no package
from seqniah_tasks import budget
from seqniah_tasks.adapters import lm_eval_options, lm_eval_runs, lm_eval_windows
from seqniah_tasks.adapters.lm_eval_noted import Answer, Asked
from seqniah_tasks.adapters.lm_eval_refusal import Refusal, or_refuse
from seqniah_tasks.adapters.lm_eval_windows import TooLong
from seqniah_tasks.benchmarks.asking import Benchmark, Prompt
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.budget import LEAST_ANSWER
from seqniah_tasks.truncation import Fate

log = logging.getLogger("seqniah")

STOPS = ("<|im_end|>", "<|endoftext|>", "<|eot_id|>")
"""The YAML's own stop sequences: never none, since some servers refuse that; in no answer."""

STOP_AFTER_LIST = "\n\n"
"""What ends the answer of a model that continues text besides: the end of its list."""

USUAL_ANSWER = 4_096
"""Tokens that an answer may have where neither the user nor the YAML says, and none is longer."""

_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
"""Names under which the harness takes the length of an answer, the foremost first."""


class AskingTask(ConfigurableTask):  # type: ignore[misc]  # lm_eval is not typed
    """A benchmark as a task of lm-eval. Documents have id, lang, length_bin and reference."""

    def __init__(
        self,
        config: dict[str, Any],
        bench: Benchmark[Any],
        guard: Guard,
        facts: Mapping[str, object],
    ) -> None:
        """`facts` are told in the results beside the metadata."""
        self._bench, self._guard = bench, guard
        self._least = max(LEAST_ANSWER, bench.longest_answer)
        self._usual = max(USUAL_ANSWER, 2 * bench.longest_answer)
        self._prompts: dict[str, Prompt] = {}
        self._asked: dict[str, Asked] = {}
        self._chat = False
        self._reader = lm_eval_windows.UNKNOWN
        self._instruction = 0
        self._too_long: list[str] = []
        self._alone = True
        self._lengths: list[str] = []
        self._instances: list[Instance] = []
        kept = {name: value for name, value in config.items() if name != "class"}
        super().__init__(config={**kept, "metadata": {**config["metadata"], **facts}})

    @abstractmethod
    def made(self) -> Dataset:
        """The task's documents. Raises `Refusal` when no sample passes the filters."""

    @abstractmethod
    def start(self, doc: Any) -> str:
        """The end of the prompt of a model that continues text; its last line begins the answer."""

    @abstractmethod
    def in_order(self, lengths: set[str]) -> list[str]:
        """Names of lengths, the shortest first."""

    @abstractmethod
    def narrower(self, fitting: Sequence[str], first: str, share: float) -> str:
        """What to add to --metadata so that prompts fit, as JSON; empty if nothing does.

        All prompts of the lengths `fitting` fit, and of the sample `first` the `share` told.
        """

    @abstractmethod
    def judged(self, texts: Sequence[str]) -> tuple[str, Sequence[Answer]]:
        """Judge the answers to all instances. Gives the name of the filter first."""

    def before_asking(self) -> None:
        """Raise `Refusal` for what would only fail after hours of generation."""

    def download(self, dataset_kwargs: dict[str, Any] | None = None, **_: Any) -> None:
        """Make the documents. Raises `Refusal` when no sample passes the filters."""
        self.dataset = {"test": self.made()}

    def doc_to_text(self, doc: Any, doc_to_text: Any = None) -> str:
        """Render the prompt of a document."""
        made = or_refuse(lambda: self._bench.prompt(self._bench.find(doc["id"])))
        self._prompts[doc["id"]] = replace(made, text="")
        return made.text

    def doc_to_prefix(self, doc: Any) -> str | None:
        """What a model that continues text finds at the end: the beginning of an answer."""
        return None if self._chat else self.start(doc)

    def build_all_requests(self, **given: Any) -> None:
        """Build the requests of this rank.

        Raises `Refusal` before anything is sent when prompts cannot reach the model whole, or when
        the run could not be judged.
        """
        lm = lm_eval_runs.calling().lm
        self._chat = bool(given.get("apply_chat_template"))
        if given.get("world_size", 1) > 1 and self._guard.on_overflow == "skip":
            raise Refusal("on_overflow=skip needs a single process; give lengths that fit instead.")
        self._meet(lm)
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
        self._lengths = self._present(asked)
        if not self.only_predicts:
            self.before_asking()
        # The harness keeps requests by the task's name alone, whatever the metadata says.
        super().build_all_requests(**{**given, "cache_requests": False})
        self._leave_out()

    def _meet(self, lm: Any) -> None:
        """Learn what the model reads. Raises `Refusal` when it cannot be asked in this form."""
        if lm_eval_windows.needs_chat(lm) and not self._chat:
            raise Refusal(f"{type(lm).__name__} takes chats only; add --apply_chat_template.")
        self._reader = lm_eval_windows.reader(lm, self._guard.context)
        if lm_eval_windows.needs_text(lm) and self._chat:
            raise Refusal(
                f"{type(lm).__name__} has no chat template without a tokenizer; take --model "
                "local-chat-completions, or give tokenizer=... in --model_args."
            )
        if lm is not None and self._reader.window is None and not self._bench.bare:
            lm_eval_options.tell_once(
                f"nothing tells how much {self._reader.name} can read, so no prompt is held "
                "against it; give --metadata context=N"
            )

    def _present(self, documents: Iterable[Mapping[str, Any]]) -> list[str]:
        return self.in_order({document["length_bin"] for document in documents})

    def construct_requests(self, doc: Any, ctx: Any, **given: Any) -> Instance:
        """One request, counted as the model will get it."""
        wishes = dict(self.config.generation_kwargs)
        asked = [wishes.pop(name, None) for name in _LIMITS]
        # The YAML's own length counts only where the user gave none, under whatever name.
        told = (one for one in (*asked[1:], asked[0]) if one is not None)
        wanted = self._length(next(told, self._usual))
        made = self._prompts[doc["id"]]
        counted = self._reader.counted(ctx)
        taken = made.tokens + self._instruction
        room = self._reader.room(counted, taken, wanted, self._least)
        if room is None:
            self._overflows(doc, counted, wanted)
        # Questions alone are too short to be cut.
        sure = counted is not None or self._bench.bare
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
                f"max_gen_toks={self._least} or more, or leave it out."
            ) from error
        model, longest = budget.Model(self._reader.name), self._bench.longest_answer
        or_refuse(budget.budget, model, wanted, "--gen_kwargs max_gen_toks=", longest=longest)
        return wanted

    def _overflows(self, doc: Any, counted: int | None, wanted: int) -> None:
        """Note a prompt that cannot reach the model whole. Raises `Refusal` unless it may be."""
        if self._guard.on_overflow == "skip":
            self._too_long.append(doc["id"])
            return
        mine = {one["id"] for one in self.eval_docs}
        found = [planned for planned in self._bench.plan if planned.id in mine]
        targets = [(planned.length, self._bench.target(planned)) for planned in found]
        place = {name: number for number, name in enumerate(self.in_order({n for n, _ in targets}))}
        targets.sort(key=lambda pair: place[pair[0]])
        tokens = self._prompts[doc["id"]].tokens
        least = min(wanted, self._least)
        too_long = TooLong(doc["id"], self.config.task, tokens, counted, least)
        raise Refusal(self._reader.refusal(too_long, targets, self.narrower))

    def _leave_out(self) -> None:
        """Drop the requests of prompts that do not fit; how many is a metric of its own."""
        if not self._too_long:
            return
        gone = set(self._too_long)
        self._instances = [one for one in self._instances if one.doc["id"] not in gone]
        self._lengths = self._present(one.doc for one in self._instances)
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
            yield number, self.noted(doc) if self.only_predicts else doc

    def noted(self, doc: Any) -> dict[str, Any]:
        """A document with what was noted of its prompt, where no verdict will tell it."""
        asked = self._asked.get(doc["id"])
        return {**doc, "prompt": asked.notes(doc["lang"])} if asked else dict(doc)

    @property
    def only_predicts(self) -> bool:
        """Whether nothing is to be judged (--predict_only)."""
        return "bypass" in self._metric_fn_list

    def as_judged(self, instance: Instance) -> str:
        """The answer to a request, with the beginning that a completion prompt gave it."""
        text = str(instance.resps[0]) if instance.resps else ""
        if self._chat:
            return text
        return f"{self.start(instance.doc).rpartition(chr(10))[2]}{text}"

    def apply_filters(self) -> list[Instance]:
        """Judge all answers; under --predict_only, only complete them. Raises `Refusal`."""
        texts = [self.as_judged(one) for one in self._instances]
        name, found = ("none", texts) if self.only_predicts else self.judged(texts)
        for one, text in zip(self._instances, found, strict=True):
            one.filtered_resps = {name: text}
        return self._instances
