"""How much a model of lm-eval can read, and whether a prompt will reach it whole.

Most of the harness's models cut a prompt that leaves no room for the answer, at its beginning and
with no more than a log line; where needles stand there, they are lost. So every prompt is counted
by the model's own tokenizer before it is sent, or, where the model has none, by the run's.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from lm_eval.models.api_models import TemplateAPI
from lm_eval.models.openai_completions import LocalChatCompletion

from seqniah_tasks.adapters.inspect_models import served_window
from seqniah_tasks.budget import LEAST_ANSWER, OVERHEAD
from seqniah_tasks.records import STRATA_ORDER

_MARK = 1
"""A token that a tokenizer may put before a prompt."""


@dataclass(frozen=True, slots=True)
class TooLong:
    """A prompt that cannot reach a model whole."""

    id: str
    task: str
    tokens: int
    """Of the prompt, in the run's encoding."""
    counted: int | None
    """Of the whole context, in the model's own."""
    wanted: int
    """Tokens of answer that were wished for."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What is known of a model as the reader of prompts."""

    name: str
    argument: str
    """The one of --model_args that sets its window; empty where none does."""
    window: int | None
    """Tokens of prompt and answer together; None if unknown."""
    count: Callable[[str], int] | None
    """Counts a whole context in the model's own tokens; None where it has no tokenizer here."""

    def counted(self, context: Any) -> int | None:
        """Tokens of a context as it will be sent; None if that cannot be told."""
        # Chats for a server are no text yet; its own template is still to come.
        if self.count is None or type(context) is not str:
            return None
        return self.count(context)

    def room(self, counted: int | None, tokens: int, wanted: int) -> int | None:
        """Tokens of answer to ask for beside a prompt; None if it does not fit.

        `counted` is the context in the model's tokens, `tokens` the prompt in the run's. There are
        two answers only, `wanted` and the least that does, since the harness asks prompts with
        different wishes one after the other.
        """
        if self.window is None:
            return wanted
        taken = tokens + OVERHEAD if counted is None else counted + _MARK
        for answer in (wanted, min(wanted, LEAST_ANSWER)):
            if taken + answer <= self.window:
                return answer
        return None

    def refusal(self, first: TooLong, lengths: Sequence[tuple[str, int]]) -> str:
        """Why a run cannot be, and the ways out.

        `first` is the prompt met first, `lengths` the bin and the tokens of each prompt of the
        task; how many do not fit follows from what the first one takes in the model's tokens.
        """
        total: Counter[str] = Counter()
        over: Counter[str] = Counter()
        for name, tokens in lengths:
            counted = first.counted and tokens * first.counted // first.tokens
            total[name] += 1
            over[name] += self.room(counted, tokens, first.wanted) is None
        order = [name for name in STRATA_ORDER if name in total]
        counts = ", ".join(f"{over[name]:,} of {total[name]:,} samples in {name}" for name in order)
        fitting = ",".join(name for name in order if not over[name])
        ways = [
            *(
                [f"--model_args {self.argument}=N if the model can read more"]
                if self.argument
                else ()
            ),
            *([f'--metadata \'{{"length": "{fitting}"}}\''] if fitting else ()),
            '--metadata \'{"on_overflow": "skip"}\' to leave such samples out, unscored',
        ]
        return (
            f"The prompt of {first.id} has {first.counted or first.tokens:,} tokens; with "
            f"{min(first.wanted, LEAST_ANSWER):,} for the answer that is more than the "
            f"{self.window:,} of {self.name}, and needles would be cut off unseen. So it is with "
            f"about {counts} of {first.task}. Pass {', or '.join(ways)}."
        )


def needs_chat(lm: Any) -> bool:
    """Whether a model takes chats only, which lm-eval makes with --apply_chat_template."""
    return isinstance(lm, LocalChatCompletion)


def reader(lm: Any, context: int | None = None) -> Reader:
    """The reader that a model is; `context` is the window that the user gave."""
    if lm is None:
        return Reader("the model", "", context, None)
    name = type(lm).__name__
    if isinstance(lm, TemplateAPI) and not lm.tokenized_requests:
        window = context or _served(lm)
        return Reader(str(lm.model or name), "", window, None)
    window = getattr(lm, "max_length", None)
    known = window if isinstance(window, int) else None
    return Reader(name, _argument(lm), _least(known, context, _cutting(lm)), _counter(lm))


def _argument(lm: Any) -> str:
    taken = inspect.signature(type(lm).__init__).parameters
    return next((one for one in ("max_model_len", "max_length") if one in taken), "")


def _cutting(lm: Any) -> int | None:
    """Where the tokenizer itself cuts, if it was told to."""
    if not getattr(lm, "truncation", False):
        return None
    length = getattr(getattr(lm, "tokenizer", None), "model_max_length", None)
    return length if isinstance(length, int) else None


def _least(*windows: int | None) -> int | None:
    return min((one for one in windows if one), default=None)


def _counter(lm: Any) -> Callable[[str], int] | None:
    encode = getattr(lm, "tok_encode", None)
    if encode is None:
        return None

    def count(text: str) -> int:
        return len(encode(text))

    # Some models hand the text back, or a list of texts.
    tried = encode("a b")
    whole = isinstance(tried, list) and all(isinstance(token, int) for token in tried)
    return count if whole and tried else None


def _served(lm: TemplateAPI) -> int | None:
    """The window as the server lists it, where the model's address is that of a server's API."""
    address = urlsplit(str(lm.base_url or ""))
    base, slash, _ = address.path.rstrip("/").rpartition("/chat/completions")
    if not slash:
        base, slash, _ = address.path.rstrip("/").rpartition("/completions")
    if not slash or address.scheme not in ("http", "https"):
        return None
    url = address._replace(path=base, query="", fragment="").geturl()
    return served_window(url, str(lm.model), lm.api_key or None)
