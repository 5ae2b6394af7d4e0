"""A model as judge, through inspect-ai: bounded, cached, counted, and never the wrong model.

Only replies with a verdict are kept, for good: a run judged again asks for what is missing.
"""

from __future__ import annotations

import hashlib
import re
import time
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import lru_cache
from typing import Literal

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.model import (
    CachePolicy,
    ChatMessageUser,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    ResponseSchema,
    model_roles,
)
from inspect_ai.model._cache import CacheEntry, cache_fetch, cache_store
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.util import JSONSchema, LimitExceededError

from seqniah_scorers import model_judge, replies
from seqniah_scorers.cascade import certain
from seqniah_scorers.replies import Reply
from seqniah_scorers.verdict import Case, NeedleType, Verdict
from seqniah_tasks.adapters.inspect import models as inspect_models

GRADER = "grader"
"""The role of the model that judges."""

_MEANT = ("judge", "scorer")
"""Roles that somebody may give it instead; other roles are for solvers of the user's own."""

NO_GRADER = (
    "asks a model, which must be named: add --model-role grader=MODEL, for instance "
    "grader=openai-api/judge/NAME with JUDGE_BASE_URL and JUDGE_API_KEY, or take scorer=rules."
)
"""To stand after the name of a scorer; the model under test is never asked instead."""

MAX_TOKENS, MAX_TOKENS_THINKING = 4_096, 16_384
"""What a judge may write unless its configuration says otherwise; thoughts count as well."""

MAX_RETRIES = 6
"""How often inspect asks again unless told otherwise, waiting twice as long each time."""

_ATTEMPT, _ATTEMPT_DOWN = 600, 60
"""Seconds that one attempt may take; the same of a server that seems to be down."""

_PATIENCE = 3
"""Calls that may fail one after the other before a server counts as down."""

_REFUSABLE = {
    "response_schema": ("response_format", "json_schema", "guided", "structured", "schema"),
    "temperature": ("temperature",),
}
"""Options that a server may refuse, and words of the refusal."""


@dataclass(slots=True)
class _Known:
    """What earlier calls have shown of a server."""

    refused: set[str] = field(default_factory=set)
    """Options that it does not take."""
    failed: int = 0
    """Calls in a row that no attempt brought through."""
    thinks: bool | None = None
    """Whether inspect's tables say that it thinks before it answers; None: not looked up yet."""


_known: dict[tuple[str, str | None], _Known] = {}


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of asking a model once."""

    reply: Reply
    """With the problem where there is no label."""
    failed: bool
    """Whether there was no reply at all."""
    input_tokens: int
    """As the provider reports them; 0 when the reply was kept."""
    output_tokens: int
    """The same of what was written."""
    cost: float | None
    """In US dollars, where inspect knows the price."""
    seconds: float
    """Until the reply was there, waiting and retries included."""
    cached: bool
    """Whether the reply was kept from an earlier call."""


def bound() -> Model | None:
    """The grader as the run has it. Raises `PrerequisiteError` when there are several."""
    found = model_roles().get(GRADER)
    if isinstance(found, list):
        raise PrerequisiteError(
            f"One model judges, not {len(found)}; give --model-role grader= a single one."
        )
    return found


def refuse_misspelt_roles() -> None:
    """Raise `PrerequisiteError` for a role that was meant to judge, and would be ignored."""
    for name in model_roles():
        near = get_close_matches(name.lower(), (GRADER, *_MEANT), n=1, cutoff=0.8)
        if name != GRADER and near:
            raise PrerequisiteError(
                f"No model has the role {name!r} here: the one that judges is {GRADER}; "
                f"write --model-role {GRADER}=MODEL."
            )


def grader(scorer: str) -> Model:
    """The grader. Raises `PrerequisiteError`, which says what to pass, when there is none."""
    found = bound()
    if found is None:
        raise PrerequisiteError(f"The scorer {scorer} {NO_GRADER}")
    return found


def judge_name(scorer: str, model: Model | str, by_rules: str) -> str:
    """A judge that asks a model, as logs and reports call it."""
    return f"cascade: {by_rules}, {model}" if scorer == "cascade" else f"judge: {model}"


def model_of(judge: str) -> str:
    """The model of a judge that `judge_name` has named."""
    return judge.removeprefix("judge: ").rpartition(", ")[2]


def same_model(one: Model, other: Model) -> bool:
    """Whether two roles are played by the same model of the same server."""
    return str(one) == str(other) and one.api.base_url == other.api.base_url


async def ask(model: Model, case: Case, template: str | None = None) -> Asked:
    """Have the model judge a case. Only limits of the run are raised, never its failures."""
    prompt = model_judge.ask(case, template)
    entry = _entry(model, prompt)
    if _caching(model) and (kept := cache_fetch(entry)):
        reply = _read(kept, case)
        if reply.label is not None:
            return Asked(reply, False, 0, 0, None, 0.0, True)
    started = time.monotonic()
    try:
        output = await _generate(model, prompt, case)
    except (LimitExceededError, PrerequisiteError):
        raise
    except Exception as error:  # providers raise what they like, after inspect's retries
        problem = f"The judge {model} did not answer: {in_short(error)}"
        return Asked(Reply(None, "", "", problem), True, 0, 0, None, _since(started), False)
    reply = _read(output, case)
    if reply.label is not None and _caching(model):
        cache_store(entry, output)
    read, wrote = spent(output.usage)
    cost = output.usage.total_cost if output.usage else None
    return Asked(reply, False, read, wrote, cost, _since(started), False)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 3)


def _read(output: ModelOutput, case: Case) -> Reply:
    why = {
        "model_length": "The case does not fit the judge's context window.",
        "content_filter": "The judge's provider refused the case.",
    }.get(output.stop_reason if not output.empty else "stop")
    if why:
        return Reply(None, "", "", why)
    cut_off = not output.empty and output.stop_reason == "max_tokens"
    return replies.read(output.completion, case, cut_off=cut_off)


async def _generate(model: Model, prompt: str, case: Case) -> ModelOutput:
    """Ask, and ask again without what the server does not take."""
    known = _known.setdefault((str(model), model.api.base_url), _Known())
    while True:
        config = _config(model, case, known)
        try:
            output = await model.generate(prompt, config=config, cache=False)
        except LimitExceededError:
            raise
        except Exception as error:
            refused = _refused(error, config)
            if refused is None:
                known.failed += _is_down(error)
                raise
            known.refused.add(refused)
        else:
            known.failed = 0
            return output


def _config(model: Model, case: Case, known: _Known) -> GenerateConfig:
    """What a call adds to the model's own configuration, which counts where it says something."""
    own, run = model.config, active_generate_config()
    config = GenerateConfig()
    if own.temperature is None and "temperature" not in known.refused:
        config.temperature = 0
    if own.max_tokens is None:
        if known.thinks is None:
            known.thinks = inspect_models.limits_of(model, 1).reasoning
        config.max_tokens = MAX_TOKENS_THINKING if known.thinks else MAX_TOKENS
    if own.max_retries is None and run.max_retries is None:
        config.max_retries = MAX_RETRIES
    if own.attempt_timeout is None:
        config.attempt_timeout = _ATTEMPT
    if own.response_schema is None and "response_schema" not in known.refused:
        config.response_schema = schema(case.lang, case.needle_type)
    if known.failed >= _PATIENCE:
        # One attempt a case shows whether the server is back, and the run still ends.
        config.max_retries = 0
        config.attempt_timeout = min(own.attempt_timeout or _ATTEMPT, _ATTEMPT_DOWN)
    return config


@lru_cache(maxsize=4)
def schema(lang: Literal["en", "zh"], needle_type: NeedleType) -> ResponseSchema:
    """The form of a verdict on such cases, for providers that hold a reply to it."""
    wanted = JSONSchema.model_validate(model_judge.schema(Case(lang, needle_type, "", "", "")))
    return ResponseSchema(name="verdict", json_schema=wanted, strict=True)


def _refused(error: Exception, config: GenerateConfig) -> str | None:
    """The option that a server does not take, by what it says; None for any other failure."""
    if _status(error) not in (400, 415, 422):
        return None
    said = _message(error).casefold()
    for option, words in _REFUSABLE.items():
        if getattr(config, option) is not None and any(word in said for word in words):
            return option
    return None


def _is_down(error: Exception) -> bool:
    """Whether a failure is the server's rather than this one request's."""
    status = _status(error)
    return status is None or status >= 429 or status in (401, 403, 404, 408)


def _status(error: BaseException) -> int | None:
    status = getattr(_cause(error), "status_code", None)
    return status if isinstance(status, int) else None


def _cause(error: BaseException) -> BaseException:
    """The failure of the last attempt, where inspect tells only that all of them failed."""
    last = getattr(error, "last_attempt", None)
    inner = last.exception() if last is not None else None
    return inner if isinstance(inner, BaseException) else error


def _message(error: BaseException) -> str:
    cause = _cause(error)
    # The error itself repeats the whole request.
    return str(getattr(cause, "provider_message", None) or cause)


def in_short(error: BaseException) -> str:
    """One line of an error, as a reason that stands in reports."""
    text = re.sub(r"\[/?[a-z]+\]", "", _message(error))  # inspect marks up its messages
    words = " ".join(text.split()) or type(_cause(error)).__name__
    return words if len(words) <= 300 else f"{words[:297]}..."


def _caching(model: Model) -> bool:
    """Whether replies are kept; `cache=false` of the run or the role says no."""
    return active_generate_config().cache is not False and model.config.cache is not False


def _entry(model: Model, prompt: str) -> CacheEntry:
    """Where a reply is kept: by prompt, model and its configuration, for all runs and epochs."""
    scopes = {"seqniah": f"judge {model_judge.PROMPT_VERSION}"}
    return CacheEntry(
        base_url=model.api.base_url,
        config=model.config,
        input=[ChatMessageUser(content=prompt)],
        model=str(model),
        policy=CachePolicy(expiry=None, per_epoch=False, scopes=scopes),
        tool_choice=None,
        tools=[],
    )


def spent(usage: ModelUsage | None) -> tuple[int, int]:
    """Tokens read and written, as the provider reports them."""
    if usage is None:
        return 0, 0
    cached = (usage.input_tokens_cache_read or 0) + (usage.input_tokens_cache_write or 0)
    return usage.input_tokens + cached, usage.output_tokens


def template_name(template: str | None) -> str:
    """The prompt as logs name it."""
    if template is None:
        return f"built-in, version {model_judge.PROMPT_VERSION}"
    return f"sha256 {hashlib.sha256(template.encode()).hexdigest()}"


def asks_model(case: Case, by_rules: Verdict, doubt: float | None) -> bool:
    """Whether a case goes to the model; one without any text never does.

    `doubt` is the cascade's, see `certain`; None: the model judges all.
    """
    if not model_judge.answer(case).strip():
        return False
    return doubt is None or not certain(by_rules, doubt)
