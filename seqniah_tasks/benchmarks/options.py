"""Options declared once: a field of a frozen dataclass, with its default, reader and help.

From these fields follow the signature and docstring of a task in inspect, what lm-eval takes as
metadata, `-T` of the command line, and the table in the documentation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from difflib import get_close_matches
from inspect import Parameter
from typing import Any, Literal, TypeVar

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.verdict import DOUBT
from seqniah_tasks.benchmarks import reading
from seqniah_tasks.benchmarks.reading import Given, Reader

T = TypeVar("T")

_SAME: Any = object()


def option(default: Any, read: Reader, help: str, *, shown: Any = _SAME) -> Any:
    """A field that users set. `shown` is the default as a user would write it, where it differs:
    None, if it is nothing or follows from others."""
    usual = None if default in ("", (), frozenset()) else default
    told = usual if shown is _SAME else shown
    return field(default=default, metadata={"read": read, "help": help, "shown": told})


def _own(*kinds: type) -> list[Field[Any]]:
    return [one for kind in kinds for one in fields(kind) if "read" in one.metadata]


def names(*kinds: type) -> tuple[str, ...]:
    """Names of all options, each once."""
    return tuple(dict.fromkeys(one.name for one in _own(*kinds)))


def read(kind: type[T], given: Mapping[str, Any], fixed: Mapping[str, Any] | None = None) -> T:
    """Options from what a user wrote, which may hold others' too; `fixed` fields are set as given.

    A class may complete its values from those that were given (`complete`). Raises
    `SeqniahError` for a value that cannot be.
    """
    values = dict(fixed or {})
    for one in _own(kind):
        if one.name in given:
            written, shown = given[one.name], _shown(one, fixed or {})
            # True is no number, though it is equal to 1.
            if written != shown or type(written) is not type(shown):
                wanted = one.metadata["read"](one.name, written)
                if values.setdefault(one.name, wanted) != wanted:
                    raise SeqniahError(
                        f"The task itself sets {one.name} to {values[one.name]}; leave "
                        f"{one.name} out, or take another task."
                    )
    complete = getattr(kind, "complete", None)
    return kind(**(complete(values) if complete else values))


def refuse_unknown(given: Iterable[str], known: Iterable[str], of: str) -> None:
    """Raise `SeqniahError` for a name that is none of the known ones, naming the nearest."""
    known = tuple(known)
    for name in given:
        if name not in known:
            near = get_close_matches(name, known, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}."
            raise SeqniahError(f"{of} has no option {name!r}; {hint}")


def _shown(one: Field[Any], fixed: Mapping[str, Any]) -> Any:
    """The default that users see, or what the task itself sets."""
    return fixed.get(one.name, one.metadata["shown"])


def parameters(*kinds: type, fixed: Mapping[str, Any]) -> list[Parameter]:
    """The options as parameters of a function, with the defaults that users see; `fixed` ones
    have the values that the task itself sets."""
    return [
        Parameter(one.name, Parameter.KEYWORD_ONLY, default=_shown(one, fixed), annotation=Given)
        for one in _own(*kinds)
    ]


@dataclass(frozen=True, slots=True)
class OptionRow:
    """A line of the table of options."""

    name: str
    default: str
    """As a user would write it; empty: none."""
    help: str


def table(*kinds: type) -> list[OptionRow]:
    """All options with their defaults and help, in their order."""
    return [
        OptionRow(one.name, _written(one.metadata["shown"]), one.metadata["help"])
        for one in _own(*kinds)
    ]


def _written(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def help_of(summary: str, *kinds: type) -> str:
    """A docstring: the summary, then each option with its help."""
    lines = [f"        {one.name}: {one.help}" for one in table(*kinds)]
    return "\n".join([summary, "", "    Args:", *lines, "    "])


# Options of a run, whatever the benchmark.


@dataclass(frozen=True, slots=True)
class Guard:
    """What a run does about prompts that do not fit a model."""

    on_overflow: Literal["refuse", "skip"] = option(
        "refuse",
        reading.one_of("refuse", "skip"),
        "When a prompt cannot fit the model: refuse, or skip (it stays unscored).",
    )
    context: int | None = option(
        None, reading.whole_from(1), "The model's window in tokens, where nothing else tells it."
    )


SCORERS = ("auto", "rules", "judge", "cascade")
"""Who judges answers that are lists; auto is the grader where there is one, else the rules."""


@dataclass(frozen=True, slots=True)
class JudgeOptions:
    """Who judges answers that are lists of items."""

    scorer: str = option(
        "auto",
        reading.one_of(*SCORERS),
        "rules; judge (the grader role's model); cascade (rules, and the grader where they are "
        "unsure); auto (judge with a grader role, else rules).",
    )
    judge_prompt: str = option(
        "",
        reading.text,
        "A file with a prompt of your own for the grader; it holds {question}, {reference}, "
        "{response} and {delimiter}.",
    )
    doubt: float = option(
        DOUBT,
        reading.share,
        "How far from one half a probability of the rules may be for cascade to ask, 0 to 0.5.",
    )
    embeddings: str = option(
        "", reading.text, "A model2vec model, a folder or a name on the hub, for the rule judge."
    )
