"""A benchmark is a folder in here; the modules beside them are what all benchmarks share.

Generic code finds benchmarks by the functions of this file and knows none by name.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import lru_cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, NamedTuple

from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.protocol import Bench, Benchmark, ByCase, TaskSpec

__all__ = ["Bench", "Benchmark", "ByCase", "Declared", "TaskSpec"]

ENTRY_POINTS = "seqniah.benchmarks"
"""The group under which other distributions offer benchmarks: the name of a module or package
that has a `BENCHMARK`."""


class Declared(NamedTuple):
    """A task and the benchmark that declares it."""

    benchmark: Benchmark
    spec: TaskSpec


@lru_cache(maxsize=1)
def known() -> dict[str, Benchmark]:
    """All benchmarks by name, the one that early logs do not name first.

    Raises `SeqniahError` when two have one name, or tasks of one name.
    """
    modules = [f"{__name__}.{one.name}" for one in pkgutil.iter_modules(__path__) if one.ispkg]
    modules += sorted(one.value for one in entry_points(group=ENTRY_POINTS))
    found: dict[str, Benchmark] = {}
    tasks: dict[str, str] = {}
    for benchmark in sorted(map(_declared, modules), key=lambda one: not one.unnamed):
        if benchmark.name in found:
            raise SeqniahError(f"Two benchmarks are named {benchmark.name}; uninstall one of them.")
        for spec in benchmark.tasks:
            other = tasks.setdefault(spec.name, benchmark.name)
            if other != benchmark.name:
                raise SeqniahError(f"The task {spec.name} is of {benchmark.name} and of {other}.")
        found[benchmark.name] = benchmark
    return found


def _declared(module: str) -> Benchmark:
    found = getattr(import_module(module.partition(":")[0]), "BENCHMARK", None)
    if not isinstance(found, Benchmark):
        raise SeqniahError(f"The benchmark {module} has no BENCHMARK; declare one, or remove it.")
    return found


def named(name: str) -> Benchmark | None:
    """The benchmark of a name as logs have it; an empty one is that which early logs are of."""
    if name in known():
        return known()[name]
    return next((one for one in known().values() if one.unnamed), None) if not name else None


def of_facts(facts: Mapping[str, Any]) -> Benchmark:
    """The benchmark of a sample's or a run's facts. Raises `SeqniahError` when there is none."""
    name = str(facts.get("benchmark") or "")
    found = named(name)
    if found is None:
        raise SeqniahError(f"There is no benchmark {name!r} here; known: {', '.join(known())}.")
    return found


def tasks() -> dict[str, Declared]:
    """All tasks by name."""
    return {spec.name: Declared(one, spec) for one in known().values() for spec in one.tasks}


def task(name: str) -> Declared:
    """The task of a name. Raises `SeqniahError`, which names the nearest one."""
    found = tasks()
    plain = name.removeprefix("seqniah/")
    if plain in found:
        return found[plain]
    near = get_close_matches(plain, found, n=1)
    hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(found)}."
    raise SeqniahError(f"There is no task {name!r}; {hint}")


@lru_cache(maxsize=4)
def opened(name: str, options: Any) -> Bench[Any]:
    """A task's benchmark with these options, ready for use.

    A harness asks for one again for each task and solver, so the last few stay open. Raises
    `SeqniahError`.
    """
    from seqniah_tasks.terminal import progress_bar

    bench = task(name).spec.open(options)
    with progress_bar() as progress:
        bench.prepare(progress)
    return bench
