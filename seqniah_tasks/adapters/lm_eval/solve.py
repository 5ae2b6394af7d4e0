"""Prompts on their way to a model of lm-eval: whole, counted, and begun for one that continues."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeVar

from seqniah_datasets.errors import SeqniahError, visible
from seqniah_tasks import benchmarks, budget
from seqniah_tasks.adapters.lm_eval import judge, probe, windows
from seqniah_tasks.adapters.lm_eval.tasks import STOPS
from seqniah_tasks.benchmarks.options import Guard
from seqniah_tasks.benchmarks.protocol import Bench, Prompt
from seqniah_tasks.budget import LEAST_ANSWER
from seqniah_tasks.truncation import Fate, Sent, noted

STOP_AFTER_LIST = "\n\n"
"""What ends the answer of a model that continues text besides: the end of its list."""

USUAL_ANSWER = 4_096
"""Tokens that an answer may have where neither the user nor the YAML says, and none is longer."""

UNSEEN = "lm-eval passes on no token counts of this server: that it cut the prompt would not show"
"""What a samples file says of a prompt that nobody knows to have been read whole."""

_LIMITS = ("max_gen_toks", "max_new_tokens", "max_tokens", "max_completion_tokens")
"""Names under which the harness takes the length of an answer, the foremost first."""

P = ParamSpec("P")
T = TypeVar("T")


class Refusal(SeqniahError, SystemExit):
    """A user's mistake. The harness's command ends with its sentence and without a traceback;
    code that calls the harness catches it like any other exception."""

    def __init__(self, message: str) -> None:
        SystemExit.__init__(self, visible(f"seqniah: {message}"))


def or_refuse(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function whose mistakes are the user's. Raises `Refusal` for them."""
    try:
        return function(*args, **kwargs)
    except SeqniahError as error:
        raise Refusal(str(error)) from error


@dataclass(frozen=True, slots=True)
class Asked:
    """What a run notes of a prompt."""

    prompt: Prompt
    """Without its words, which the harness keeps."""
    sent: int | None
    """Tokens of the whole context in the model's own encoding; None where it has none here."""
    fate: Fate

    def notes(self, lang: str) -> dict[str, object]:
        """What the samples file says of it, under the names that a log of inspect has."""
        sent = Sent(lang, self.prompt.tokens, self.sent or 0)
        return {
            "prompt_sha256": self.prompt.sha256,
            "needle_depths": list(self.prompt.depths),
            **noted(sent, self.fate),
            "prompt_fate": str(self.fate),  # No other prompt has a say in it.
            **({"prompt_note": UNSEEN} if self.fate is Fate.UNVERIFIED else {}),
        }


class Asking:
    """The prompts of a task's samples, by id, and the model that reads them, which the harness
    does not know yet when it makes a task's requests.
    """

    def __init__(self, task: str, spec: str, bench: Bench[Any], guard: Guard) -> None:
        """`task` is the name that lm-eval has for it, `spec` that of inspect."""
        self._task, self._spec, self._bench, self._guard = task, spec, bench, guard
        self._least = max(LEAST_ANSWER, bench.longest_answer)
        self._usual = max(USUAL_ANSWER, 2 * bench.longest_answer)
        self._prompts: dict[str, Prompt] = {}
        self._reader = windows.UNKNOWN
        self._instruction = 0
        self.chat = False
        """Whether the model takes chats; else it continues text."""
        self.asked: dict[str, Asked] = {}
        self.too_long: list[str] = []
        """Ids of prompts that will not be sent."""

    def meet(self, lm: Any, chat: bool, instruction: str) -> None:
        """Learn what the model reads. Raises `Refusal` when it cannot be asked in this form."""
        self.chat = chat
        if fault := windows.misfit(lm, chat):
            raise Refusal(fault)
        self._reader = windows.reader(lm, self._guard.context)
        if lm is not None and self._reader.window is None and not self._bench.bare:
            judge.tell_once(
                f"nothing tells how much {self._reader.name} can read, so no prompt is held "
                "against it; give --metadata context=N"
            )
        self._instruction = self._bench.tokenizer.count(instruction)
        self.too_long = []

    def text(self, sample_id: str) -> str:
        """The words of a prompt. Raises `Refusal` for one that lm-eval cannot send."""
        planned = or_refuse(lambda: self._bench.find(sample_id))
        made = or_refuse(lambda: self._bench.prompt(planned))
        rounds = benchmarks.task(self._spec).spec.rounds
        if (rounds and self._bench.in_rounds(planned)) or not made.is_text:
            raise Refusal(
                f"{self._task} asks in several turns or with pictures or sound, which lm-eval "
                f"cannot send; run it with inspect eval seqniah/{self._spec}."
            )
        self._prompts[sample_id] = replace(made, turns=(), prefix="")
        return made.text

    def start(self, sample_id: str) -> str | None:
        """What a model that continues text finds at the end: the beginning of an answer."""
        return None if self.chat else self._bench.answer_start(self._bench.find(sample_id))

    def whole(self, sample_id: str, text: str) -> str:
        """An answer with the beginning that a prompt gave it."""
        return (self.start(sample_id) or "").rpartition("\n")[2] + text

    def in_order(self, lengths: Collection[str]) -> list[str]:
        """Names of lengths, the shortest first."""
        return [name for name in self._bench.lengths if name in lengths]

    def wishes(
        self, sample_id: str, context: Any, wishes: Mapping[str, Any], docs: Any
    ) -> dict[str, Any]:
        """How the harness is to ask, from how it was told to; the context is counted and noted.
        Raises `Refusal` where it does not fit; `docs` are all of the task, as a table.
        """
        wishes = dict(wishes)
        # The YAML's own length counts only where the user gave none, under whatever name.
        limits = [wishes.pop(name, None) for name in _LIMITS]
        told = (one for one in (*limits[1:], limits[0]) if one is not None)
        wanted = self._length(next(told, self._usual))
        made = self._prompts[sample_id]
        counted = self._reader.counted(context)
        room = self._reader.room(counted, made.tokens + self._instruction, wanted, self._least)
        if room is None:
            self._overflows(sample_id, counted, wanted, docs)
        # Questions alone are too short to be cut.
        sure = counted is not None or self._bench.bare
        self.asked[sample_id] = Asked(made, counted, Fate.WHOLE if sure else Fate.UNVERIFIED)
        until = wishes.get("until") or list(STOPS)
        if not self.chat and list(until) == list(STOPS):
            until = [STOP_AFTER_LIST, *STOPS]
        return {**wishes, "until": until, "max_gen_toks": room or wanted}

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

    def _overflows(self, sample_id: str, counted: int | None, wanted: int, docs: Any) -> None:
        """Note a prompt that cannot reach the model whole. Raises `Refusal` unless it may be."""
        if self._guard.on_overflow == "skip":
            self.too_long.append(sample_id)
            return
        bench, reader = self._bench, self._reader
        least, tokens = min(wanted, self._least), self._prompts[sample_id].tokens
        total: Counter[str] = Counter()
        over: Counter[str] = Counter()
        place = bench.lengths.index
        for planned in sorted(map(bench.find, docs["id"]), key=lambda one: place(one.length)):
            total[planned.length] += 1
            # How many do not fit follows from what this one takes in the model's tokens.
            size = bench.tokens(planned)
            as_read = counted and size * counted // tokens
            over[planned.length] += reader.room(as_read, size, least, least) is None
        share = max(0, (reader.window or 0) - least) / windows.taken(counted, tokens)
        fitting = [name for name in total if not over[name]]
        options = bench.narrower_than(fitting, bench.find(sample_id), share)
        ways = [
            *([f"{reader.option.format('N')} if the model can read more"] if reader.option else ()),
            *([f"--metadata '{json.dumps(options)}'"] if options else ()),
            '--metadata \'{"on_overflow": "skip"}\' to leave such samples out, unscored',
        ]
        counts = budget.counts(total, over, " samples", ",")
        raise Refusal(
            f"The prompt of {sample_id} has {counted or tokens:,} tokens; with {least:,} for the "
            f"answer that is more than the {reader.window:,} of {reader.name}, and needles would "
            f"be cut off unseen. So it is with about {counts} of {self._task}. "
            f"Pass {', or '.join(ways)}."
        )

    def probe(self, prober: probe.Prober, sent: Mapping[str, Mapping[str, Any]]) -> None:
        """Prove that prompts are read whole; `sent` are wishes by id. Raises `Refusal` if not."""
        if fault := or_refuse(probe.fault, prober, self._bench, self._reader.name, sent):
            raise Refusal(fault)
        for name in sent:
            self.asked[name] = replace(self.asked[name], fate=Fate.WHOLE)

    def left_out(self, left: bool) -> str:
        """What the log says of prompts that are not sent. Raises `Refusal` where none is left."""
        name, named = self._reader.name, ", ".join(sorted(self.too_long)[:3])
        if not left:
            raise Refusal(
                f"No prompt of {self._task} fits the window of {name} "
                f"({self._reader.window:,} tokens); leave the task out."
            )
        return (
            f"{self._task}: {len(self.too_long)} prompts do not fit the window of {name} and are "
            f"left out, unscored: {named}"
        )
