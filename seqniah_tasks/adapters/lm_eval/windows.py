"""How much a model of lm-eval can read, and whether a prompt will reach it whole.

Most of the harness's models cut the beginning of a prompt that leaves no room for the answer, with
its needles and no more than a log line. So each is counted before it is sent, by the model's own
tokenizer or, where it has none, by the run's.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from seqniah_tasks.budget import OVERHEAD
from seqniah_tasks.served import served_window

if TYPE_CHECKING:
    from lm_eval.models.api_models import TemplateAPI

_CONTEXT = "--metadata context={}"

_MARK = 1
"""A token that a tokenizer may put before a prompt."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What is known of a model as the reader of prompts."""

    name: str
    option: str
    """The option that sets its window, with braces for the number; empty where none does."""
    window: int | None
    """Tokens of prompt and answer together; None if unknown."""
    count: Callable[[str], int] | None
    """Counts a whole context in the model's own tokens; None where it has no tokenizer here."""

    def counted(self, context: Any) -> int | None:
        """Tokens of a context as it will be sent; None if that cannot be told."""
        # Chats for a server are no text yet; its own template is still to come.
        return self.count(context) if self.count and type(context) is str else None

    def room(self, counted: int | None, tokens: int, wanted: int, least: int) -> int | None:
        """Tokens of answer to ask for beside a prompt; None if it does not fit.

        `counted` is the context in the model's tokens, `tokens` the prompt in the run's. Only
        `wanted` or `least` are answers: prompts with different wishes are asked one after another.
        """
        if self.window is None:
            return wanted
        used = taken(counted, tokens)
        for answer in (wanted, min(wanted, least)):
            if used + answer <= self.window:
                return answer
        return None


def taken(counted: int | None, tokens: int) -> int:
    """What a prompt takes of a window: in the model's tokens, or else in the run's."""
    return tokens + OVERHEAD if counted is None else counted + _MARK


UNKNOWN = Reader("the model", "", None, None)
"""A model of which nothing is known."""


def misfit(lm: Any, chat: bool) -> str:
    """Why a model cannot be asked in chats, or without; empty where it can."""
    # Here and below: a model of this kind has loaded its client already, others need none.
    from lm_eval.models.openai_completions import LocalChatCompletion, LocalCompletionsAPI

    name = type(lm).__name__
    if isinstance(lm, LocalChatCompletion):
        return "" if chat else f"{name} takes chats only; add --apply_chat_template."
    if chat and isinstance(lm, LocalCompletionsAPI) and not lm.tokenized_requests:
        return (
            f"{name} has no chat template without a tokenizer; take --model "
            "local-chat-completions, or give tokenizer=... in --model_args."
        )
    return ""


def reader(lm: Any, context: int | None = None) -> Reader:
    """The reader that a model is; `context` is the window that the user gave."""
    from lm_eval.models.api_models import TemplateAPI

    if lm is None:
        return replace(UNKNOWN, window=context)
    name = type(lm).__name__
    if isinstance(lm, TemplateAPI) and not lm.tokenized_requests:
        return Reader(str(lm.model or name), _CONTEXT, context or _served(lm), None)
    told = (getattr(lm, "max_length", None), _cutting(lm))
    known = min((one for one in told if isinstance(one, int) and one), default=None)
    if context and (known is None or context < known):
        return Reader(name, _CONTEXT, context, _counter(lm))
    return Reader(name, _option(lm), known, _counter(lm))


def _option(lm: Any) -> str:
    """The one of --model_args, under the name that the model's own class takes."""
    # A client may pass on to its base class what only that one names.
    makers = [vars(kind).get("__init__") for kind in type(lm).__mro__]
    taken = {name for made in makers if made for name in inspect.signature(made).parameters}
    found = [name for name in ("max_model_len", "max_length") if name in taken]
    return f"--model_args {found[0]}={{}}" if found else ""


def _cutting(lm: Any) -> Any:
    """Where the tokenizer itself cuts, if it was told to."""
    cuts = getattr(lm, "truncation", False)
    return getattr(getattr(lm, "tokenizer", None), "model_max_length", None) if cuts else None


def _counter(lm: Any) -> Callable[[str], int] | None:
    encode: Any = getattr(lm, "tok_encode", None)
    # Some models hand the text back, or a list of texts.
    tried = encode("a b") if encode else None
    whole = isinstance(tried, list) and all(isinstance(token, int) for token in tried)
    return (lambda text: len(encode(text))) if whole and tried else None


def _served(lm: TemplateAPI) -> int | None:
    """The window as the server lists it, where the model's address is that of a server's API."""
    address = urlsplit(str(lm.base_url or ""))
    path = address.path.rstrip("/")
    ends = [end for end in ("/chat/completions", "/completions") if end in path]
    if not ends or address.scheme not in ("http", "https"):
        return None
    url = address._replace(path=path.rpartition(ends[0])[0], query="", fragment="").geturl()
    return served_window(url, str(lm.model), lm.api_key or None)
