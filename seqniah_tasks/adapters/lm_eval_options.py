"""What a user asks of the tasks in lm-eval: --metadata, and the judge named by the environment.

The harness merges --model_args into the metadata. Where a name means something to both, such as
`tokenizer` or `seed`, what stands in --model_args is the model's: two models are always asked the
same samples.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from inspect import signature
from pathlib import Path
from typing import Any, Literal

from seqniah_datasets.errors import SeqniahError, UnknownName
from seqniah_tasks.benchmarks import noise as noise_suite
from seqniah_tasks.benchmarks.counting_options import STAR_NAMES, StarOptions, star_options_of
from seqniah_tasks.benchmarks.options import (
    Guard,
    Options,
    options_of,
    read_bases,
    read_guard,
    read_options,
)
from seqniah_tasks.judging.judges import Judge, Server, open_judge

log = logging.getLogger("seqniah")

MODEL, URL, KEY = ("SEQNIAH_JUDGE_MODEL", "SEQNIAH_JUDGE_BASE_URL", "SEQNIAH_JUDGE_API_KEY")
"""Variables that name a judge: the model, its OpenAI-compatible server, and the server's key."""

MAX_UNSCORED = 0.05
"""The share of answers without verdict above which a run fails, unless told otherwise."""

CONNECTIONS = 32
"""Requests to the judge under way at once, unless told otherwise."""

SAMPLES = frozenset(signature(read_options).parameters) - {"split"}
GUARD = frozenset(signature(read_guard).parameters)
JUDGING = frozenset(
    {
        *("scorer", "judge_prompt", "embeddings", "judge_model", "judge_base_url"),
        *("judge_connections", "max_unscored"),
    }
)
BASES = "bases"
"""How many samples get variants, in the noise suite."""

NAMES = SAMPLES | GUARD | JUDGING | {BASES}
"""All that --metadata takes."""

STARS = (frozenset(STAR_NAMES) - {"lang"}) | GUARD
"""All that it takes for Counting-Stars."""

SCORERS = ("auto", "rules", "judge", "cascade")

Kind = Literal["rules", "judge", "cascade"]


@dataclass(frozen=True, slots=True)
class Judging:
    """Who judges a run, and how much of it may stay without verdict."""

    kind: Kind
    model: str = ""
    """As its server names it, or without a server as inspect does; empty for the rules."""
    url: str = ""
    prompt: Path | None = None
    """The user's own prompt."""
    embeddings: str = ""
    connections: int = CONNECTIONS
    max_unscored: float = MAX_UNSCORED

    def open(self) -> Judge:
        """Raises `SeqniahError` when the judge cannot be had."""
        server = Server(self.url, os.environ.get(KEY) or "none") if self.url else None
        return open_judge(
            self.model if self.kind == "judge" else self.kind,
            grader=self.model if self.kind == "cascade" else "",
            template=self.prompt,
            max_connections=self.connections if self.model else None,
            embeddings=self.embeddings,
            server=server if self.model else None,
        )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a task is to be."""

    options: Options
    guard: Guard
    judging: Judging


def read(
    metadata: Mapping[str, Any],
    model_args: Mapping[str, Any],
    split: str,
    *,
    noise: bool = False,
) -> Wanted:
    """What is wanted, from the harness's metadata; with `noise`, of the noise suite.

    Raises `SeqniahError` for a value that is none, and for a name that is nearly one of ours.
    """
    given = _given("Sequential-NIAH", metadata, model_args, NAMES)
    bases = read_bases(given.get(BASES, noise_suite.BASES)) if noise else 0
    return Wanted(
        replace(options_of(given, split), bases=bases),
        read_guard(**{name: given[name] for name in GUARD if name in given}),
        read_judging(given, os.environ),
    )


@dataclass(frozen=True, slots=True)
class WantedStars:
    """What a task of Counting-Stars is to be."""

    options: StarOptions
    guard: Guard


def read_stars(
    metadata: Mapping[str, Any], model_args: Mapping[str, Any], lang: str
) -> WantedStars:
    """What is wanted of Counting-Stars in a language. Raises like `read`."""
    if "lang" in metadata and "lang" not in model_args:
        raise SeqniahError(
            "The language is the task's; leave lang out of --metadata, and name counting_stars_en "
            "or counting_stars_zh with --tasks."
        )
    given = _given("Counting-Stars", metadata, model_args, STARS)
    return WantedStars(
        star_options_of({**given, "lang": lang}),
        read_guard(**{name: given[name] for name in GUARD if name in given}),
    )


def _given(
    benchmark: str,
    metadata: Mapping[str, Any],
    model_args: Mapping[str, Any],
    names: frozenset[str],
) -> dict[str, Any]:
    """The options of these names. Raises `SeqniahError` for a name that is nearly one of them."""
    given: dict[str, Any] = {}
    for name, value in metadata.items():
        if name in model_args and value == model_args[name]:
            if name in names:
                tell_once(
                    f"{name}={value} of --model_args is the model's; the samples keep their own"
                )
        elif name in names:
            given[name] = value
        elif name in NAMES | STARS:
            tell_once(
                f"{name} of --metadata changes nothing in {benchmark}, which has no such option"
            )
        elif near := get_close_matches(name, sorted(names), n=1, cutoff=0.8):
            raise SeqniahError(
                f"--metadata has {name!r}, which seqniah does not know; did you mean {near[0]!r}?"
            )
    return given


@lru_cache(maxsize=64)
def tell_once(message: str) -> None:
    """Warn, but once: each task of a group meets the same options."""
    log.warning("seqniah: %s", message)


def read_judging(given: Mapping[str, Any], environ: Mapping[str, str]) -> Judging:
    """Who judges: what was given counts before the environment. Raises like `read`."""
    model = str(given.get("judge_model") or environ.get(MODEL, "")).strip()
    url = _api(str(given.get("judge_base_url") or environ.get(URL, "")).strip())
    scorer = given.get("scorer", "auto")
    if scorer not in SCORERS:
        raise UnknownName("scorer", str(scorer), list(SCORERS))
    if url and not model:
        raise SeqniahError(
            f"The judge's server {url} is named, but not its model; set {MODEL}, or judge_model "
            "in --metadata, to the name under which it serves one."
        )
    if scorer in ("judge", "cascade") and not model:
        raise SeqniahError(
            f"The scorer {scorer} asks a model, which must be named: set {MODEL} and {URL}, "
            "or judge_model and judge_base_url in --metadata."
        )
    prompt = given.get("judge_prompt")
    kind: Kind = "cascade" if model else "rules"
    for one in ("rules", "judge", "cascade"):
        if scorer == one:
            kind = one
    if prompt and kind == "rules":
        raise SeqniahError("judge_prompt is for a model that judges; name one, or leave it out.")
    asks = kind != "rules"
    return Judging(
        kind,
        model=model if asks else "",
        url=url if asks else "",
        prompt=Path(str(prompt)).absolute() if prompt else None,
        embeddings=str(given.get("embeddings") or "") if kind != "judge" else "",
        connections=_connections(given.get("judge_connections", CONNECTIONS)),
        max_unscored=_share(given.get("max_unscored", MAX_UNSCORED)),
    )


def _api(url: str) -> str:
    """The server's address up to /v1, also from that of one of its endpoints."""
    return url.rstrip("/").removesuffix("/chat/completions").rstrip("/")


def _connections(given: Any) -> int:
    text = str(given).strip()
    if not text.isdecimal() or int(text) < 1:
        raise SeqniahError(f"judge_connections is a whole number from 1, not {given!r}.")
    return int(text)


def _share(given: Any) -> float:
    try:
        share = float(given)
    except (TypeError, ValueError):
        share = math.nan
    if not 0 <= share <= 1:
        raise SeqniahError(f"max_unscored is a share from 0 to 1, not {given!r}.")
    return share
