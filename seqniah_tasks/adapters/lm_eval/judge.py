"""What a user asks of the tasks in lm-eval: --metadata, and the judge named by the environment.

The harness merges --model_args into the metadata. A name that means something to both, such as
`tokenizer` or `seed`, is the model's there: two models are always asked the same samples.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import lru_cache
from pathlib import Path
from typing import Any

import httpx

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks import benchmarks
from seqniah_tasks.adapters.lm_eval import tasks
from seqniah_tasks.benchmarks import options, reading
from seqniah_tasks.benchmarks.options import Guard, JudgeOptions, option
from seqniah_tasks.benchmarks.protocol import Benchmark, ByCase, LmEvalTask, TaskSpec
from seqniah_tasks.judging.judges import Judge, Server
from seqniah_tasks.judging.opening import open_judge

log = logging.getLogger("seqniah")

_OF_HARNESS = ("version", "config_source")
"""What the harness itself keeps among the metadata."""

MODEL, URL, KEY = ("SEQNIAH_JUDGE_MODEL", "SEQNIAH_JUDGE_BASE_URL", "SEQNIAH_JUDGE_API_KEY")
"""Variables that name a judge: the model, its OpenAI-compatible server, and the server's key."""

_SECONDS = 10.0
"""How long the judge's server may take to say that it is there."""

LATER = "or add --predict_only and judge later with seqniah score lm-eval"


def _name(what: str, given: Any) -> str:
    return str(given or "").strip()


def _api(what: str, given: Any) -> str:
    """The server's address up to /v1, also from that of one of its endpoints."""
    return _name(what, given).rstrip("/").removesuffix("/chat/completions").rstrip("/")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging(JudgeOptions):
    """Who judges a run, and how much of it may stay without verdict.

    From `read_judging` the scorer is never auto, and the rest is empty where it is not for it.
    """

    judge_model: str = option(
        "",
        _name,
        f"The model that judges, as its server names it, or without a server as inspect does; "
        f"else {MODEL}.",
        shown=None,
    )
    judge_base_url: str = option("", _api, f"Its OpenAI-compatible server; else {URL}.", shown=None)
    judge_connections: int = option(
        32, reading.whole_from(1), "Requests to the judge under way at once."
    )
    max_unscored: float = option(
        0.05, reading.share, "The share of answers without verdict above which a run fails."
    )

    def open(self) -> Judge:
        """Raises `SeqniahError` when the judge cannot be had."""
        model, url = self.judge_model, self.judge_base_url
        return open_judge(
            model if self.scorer == "judge" else self.scorer,
            grader=model if self.scorer == "cascade" else "",
            template=Path(self.judge_prompt).absolute() if self.judge_prompt else None,
            max_connections=self.judge_connections if model else None,
            embeddings=self.embeddings,
            doubt=self.doubt,
            server=Server(url, os.environ.get(KEY) or "none") if url else None,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sending(Guard):
    """What a run does about prompts that may not reach a model whole."""

    probe: bool = option(
        False,
        reading.flag,
        "First ask for words across the longest prompt; a server that cuts it ends the run.",
    )


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a task is to be."""

    benchmark: Benchmark
    spec: TaskSpec
    task: LmEvalTask
    options: Any
    """Of the benchmark."""
    sending: Sending
    judging: Judging | None
    """None where no judge is asked."""


def read(name: str, metadata: Mapping[str, Any], model_args: Mapping[str, Any]) -> Wanted:
    """What is wanted of a task of lm-eval, from the harness's metadata. Raises `SeqniahError` for
    a wrong value, a name that is nearly one of ours, and an option that the task itself sets.
    """
    benchmark, spec, task = tasks.declared(name)
    fixed = {**spec.fixed, **task.fixed}
    given = _given(benchmark, metadata, model_args, fixed)
    return Wanted(
        benchmark,
        spec,
        task,
        options.read(spec.options, given, fixed),
        options.read(Sending, given),
        read_judging(given, os.environ) if isinstance(benchmark.scoring.by, ByCase) else None,
    )


def _names(benchmark: Benchmark) -> tuple[str, ...]:
    """All that --metadata takes for tasks of a benchmark."""
    judging = (Judging,) if isinstance(benchmark.scoring.by, ByCase) else ()
    return options.names(*(spec.options for spec in benchmark.tasks), Sending, *judging)


def _given(
    benchmark: Benchmark,
    metadata: Mapping[str, Any],
    model_args: Mapping[str, Any],
    fixed: Collection[str],
) -> dict[str, Any]:
    """The options that a benchmark has. Raises like `read`."""
    names = _names(benchmark)
    others = {one for other in benchmarks.known().values() for one in _names(other)}
    given: dict[str, Any] = {}
    for name, value in metadata.items():
        if name in model_args and value == model_args[name]:
            if name in names:
                tell_once(
                    f"{name}={value} of --model_args is the model's; the samples keep their own"
                )
        elif name in names and name in fixed:
            named = " or ".join(tasks.siblings(benchmark, name, value))
            raise SeqniahError(
                f"The task itself says what {name} is; leave {name} out of --metadata"
                + (f", and name {named} with --tasks." if named else ".")
            )
        elif name in names:
            given[name] = value
        elif name in others:
            tell_once(
                f"{name} of --metadata changes nothing in {benchmark.title}, which has no such "
                "option"
            )
        elif near := get_close_matches(name, sorted(names), n=1, cutoff=0.8):
            raise SeqniahError(
                f"--metadata has {name!r}, which seqniah does not know; did you mean {near[0]!r}?"
            )
        elif name not in _OF_HARNESS:
            tell_once(f"--metadata has {name[:60]!r}, which changes nothing in seqniah's tasks")
    return given


@lru_cache(maxsize=64)
def tell_once(message: str) -> None:
    """Warn, but once: each task of a group meets the same options."""
    log.warning("seqniah: %s", message)


def read_judging(given: Mapping[str, Any], environ: Mapping[str, str]) -> Judging:
    """Who judges: what was given counts before the environment. Raises like `read`."""
    filled = {name: value for name, value in given.items() if value not in (None, "")}
    wanted = options.read(
        Judging, {"judge_model": environ.get(MODEL), "judge_base_url": environ.get(URL), **filled}
    )
    scorer, model, url = wanted.scorer, wanted.judge_model, wanted.judge_base_url
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
    if scorer == "auto":
        scorer = "judge" if model else "rules"
    if scorer == "rules":
        if wanted.judge_prompt:
            raise SeqniahError(
                "judge_prompt is for a model that judges; name one, or leave it out."
            )
        model = url = ""
    return replace(
        wanted,
        scorer=scorer,
        judge_model=model,
        judge_base_url=url,
        embeddings=wanted.embeddings if scorer != "judge" else "",
    )


def check_reachable(judging: Judging, otherwise: str = LATER) -> None:
    """Raise `SeqniahError` when the judge's server is not there, before hours of generation."""
    url = judging.judge_base_url
    if not url:
        return
    key = os.environ.get(KEY, "").strip()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    try:
        status = httpx.get(f"{url}/models", headers=headers, timeout=_SECONDS).status_code
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        # Only the kind of error: its text may hold the key.
        raise SeqniahError(
            f"The judge's server {url} does not answer ({type(error).__name__}); "
            f"start it, {otherwise}."
        ) from error
    if status in (401, 403):
        raise SeqniahError(
            f"The judge's server {url} refuses the key ({status}); set {KEY}, {otherwise}."
        )
