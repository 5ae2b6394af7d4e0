"""An estimate on the terminal: a table of the prompts, then a line for each question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from seqniah_tasks.estimate import ANSWER_FACTOR, Estimate, LengthEstimate
from seqniah_tasks.kinds import ranges, span

_TRIFLE = 0.01
"""Dollars below which a cost is not spelt out."""

_MOST_ROWS = 16
"""Of the table; more lengths are grouped with their neighbours."""


_FACTS = (
    *("benchmark", "title", "split", "tokenizer", "samples", "epochs", "requests"),
    *("prompt_tokens", "prefix_tokens"),
)


def as_json(found: Estimate) -> dict[str, object]:
    """An estimate as JSON fields; what is unknown is null."""
    model = found.budget.model if found.budget else None
    return {
        **{name: getattr(found, name) for name in _FACTS},
        "bins": [asdict(one) for one in found.bins],
        "output_tokens": found.output_tokens,
        "output_assumed": not found.output_given,
        "most_output_tokens": found.most_output,
        "model": asdict(model) if model else None,
        "least_answer": found.budget.least if found.budget else None,
        "over": found.over if model and model.window else None,
        "price": asdict(found.price) if found.price else None,
        "cost": found.cost,
        "most_cost": found.most_cost,
        "speed": asdict(found.speed) if found.speed else None,
        "seconds": found.seconds,
    }


def print_estimate(console: Console, found: Estimate) -> None:
    """Print an estimate."""
    of = f", {found.budget.model.name}" if found.budget else ""
    console.print()
    console.print(Text(f"{found.title}{of}", style="bold"))
    about = (
        f"Before the run; nothing was asked. Tokens are about right, and {found.tokenizer}'s; the "
        "model's own count may differ (-T tokenizer= takes its tokenizer.json).\n"
    )
    console.print(Text(about, "dim"))
    console.print(_table(found))
    console.print()
    lines = Table.grid(padding=(0, 2, 0, 0))
    lines.add_column(style="bold", no_wrap=True)
    lines.add_column(overflow="fold")
    for label, text in estimate_lines(found):
        lines.add_row(label, Text(text))
    console.print(lines)


def _table(found: Estimate) -> Table:
    window = found.budget is not None and found.budget.model.window is not None
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False)
    table.add_column("length")
    titles = ["samples", "prompt tokens", "longest", *(["too long"] if window else [])]
    for title in titles:
        table.add_column(title, justify="right")
    rows = _grouped(found.bins)
    if len(rows) > 1:
        rows.append(_together("all", found.bins))
    for one in rows:
        cells = [f"{one.samples:,}", _rounded(one.prompt_tokens), _rounded(one.longest)]
        style = "bold" if one.name == "all" else ""
        table.add_row(one.name, *[*cells, f"{one.over:,}"][: len(titles)], style=style)
    return table


def _grouped(bins: Sequence[LengthEstimate]) -> list[LengthEstimate]:
    """Each length, or neighbours together where there are more than a screen takes."""
    by_name = {one.name: one for one in bins}
    groups = ranges(list(by_name), _MOST_ROWS)
    return [_together(span(names), [by_name[name] for name in names]) for names in groups]


def _together(name: str, bins: Sequence[LengthEstimate]) -> LengthEstimate:
    return LengthEstimate(
        name=name,
        samples=sum(one.samples for one in bins),
        requests=sum(one.requests for one in bins),
        prompt_tokens=sum(one.prompt_tokens for one in bins),
        longest=max(one.longest for one in bins),
        most=max(one.most for one in bins),
        over=sum(one.over for one in bins),
    )


def _rounded(tokens: int) -> str:
    """A count to three figures; it is not known any better."""
    return f"{round(tokens, min(0, 3 - len(str(tokens)))):,}"


def estimate_lines(found: Estimate) -> list[tuple[str, str]]:
    """What is asked of an estimate, and the answers."""
    return [
        ("Requests", _requests(found)),
        ("Output", _output(found)),
        ("Cost", _cost(found)),
        ("Caching", _caching(found)),
        ("Time", _time(found)),
        ("Window", _window(found)),
    ]


def _requests(found: Estimate) -> str:
    asked = f"{found.requests:,}, with about {_rounded(found.prompt_tokens)} prompt tokens in all"
    told = []
    if (rounds := found.requests / found.samples / found.epochs) > 1:
        told.append(f"up to {rounds:g} rounds a sample, all of them counted")
    if found.epochs > 1:
        told.append(f"{found.epochs} epochs; the table counts each sample once")
    return f"{asked} ({'; '.join(told)})" if told else asked


def _output(found: Estimate) -> str:
    in_rounds = found.requests > found.samples * found.epochs
    each = f"{found.output_tokens / found.requests:,.0f} {'a reply' if in_rounds else 'an answer'}"
    assumed = f"{ANSWER_FACTOR:g} times the mean of the references"
    if in_rounds:
        assumed = f"an answer {assumed}, and a paragraph for each round before it"
    why = f"{each}, as given" if found.output_given else f"{each}, assumed: {assumed}"
    if found.budget is None:
        thoughts = "the thoughts of a reasoning model add to it"
    elif found.budget.model.reasoning:
        thoughts = "this is a reasoning model, and its thoughts add to it"
    else:
        thoughts = "if the model thinks first, its thoughts add to it"
    return f"about {_rounded(found.output_tokens)} tokens ({why}); {thoughts}"


def _cost(found: Estimate) -> str:
    if found.price is None or found.cost is None:
        whose = f"no price of {found.budget.model.name} is known" if found.budget else "unknown"
        return f"{whose}; give --input-price and --output-price, in dollars a million tokens"
    price = found.price
    if not price.input and not price.output:
        return f"nothing ({price.source})"
    rate = f"{price.source}: ${price.input:g} in, ${price.output:g} out a million tokens"
    for one in price.longer:
        rate += f"; prompts above {one.above:,} tokens ${one.input:g} in, ${one.output:g} out"
    text = f"about {_dollars(found.cost)} ({rate})"
    if found.most_cost and found.budget:
        most = f"{_dollars(found.most_cost)} if every answer ran to its limit"
        text += f"; {most} of {found.budget.wanted:,} tokens"
    return text


def _dollars(amount: float) -> str:
    return "less than $0.01" if 0 < amount < _TRIFLE else f"${amount:,.2f}"


def _caching(found: Estimate) -> str:
    again = "; only later epochs repeat prompts, and no discount is counted for them"
    none = "none to hope for: {why}" + (again if found.epochs > 1 else "")
    if found.prefixes is None:
        return none.format(why="every prompt begins with a haystack of its own")
    if not found.prefix_tokens:
        return none.format(why="no two prompts begin alike")
    share = 100 * found.prefix_tokens / found.prompt_tokens
    few = f"{share:.0f} %" if share >= 1 else "less than 1 %"
    whole = ", and later epochs repeat prompts whole" if found.epochs > 1 else ""
    return (
        f"a server that keeps prefixes reads about {_rounded(found.prefix_tokens)} prompt tokens "
        f"({few}) fewer where questions come one after another: {found.prefixes.why}{whole}; no "
        "discount is counted"
    )


def _time(found: Estimate) -> str:
    if found.speed is None or found.seconds is None:
        return (
            "unknown; give --tokens-per-second, the prompt tokens that one connection gets read, "
            "and --max-connections"
        )
    speed = found.speed
    each = f"{speed.tokens_per_second:,.10g} tokens a second"
    many = speed.connections > 1
    rate = f"{speed.connections:,} connections, each {each}" if many else f"one connection, {each}"
    return f"about {_duration(found.seconds)} to read the prompts ({rate}); writing comes on top"


def _duration(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 1:
        return f"{math.ceil(seconds)} s"
    days, minutes = divmod(minutes, 24 * 60)
    hours, minutes = divmod(minutes, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "min")]
    return " ".join(f"{count:,} {unit}" for count, unit in parts if count)


def _window(found: Estimate) -> str:
    if found.budget is None:
        return "give --model NAME to see whether the prompts fit"
    name, window = found.budget.model.name, found.budget.model.window
    if window is None:
        return f"that of {name} is unknown; give --context, in tokens"
    room = f"{window:,} tokens of {name} beside {found.budget.least:,} of answer"
    if not found.over:
        return f"every prompt fits the {room}"
    way = f"run with {found.narrower}" if found.narrower else "use a model with a larger window"
    do = "does" if found.over == 1 else "do"
    return (
        f"{found.over:,} of {found.samples:,} prompts {do} not fit the {room}; {way}, or with "
        "-T on_overflow=skip to leave them unscored (the figures above count them)"
    )
