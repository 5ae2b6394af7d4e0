"""Is everything installed that a run needs, and as it was published?"""

from __future__ import annotations

import gzip
import hashlib
import platform
import re
import shlex
import sys
import zlib
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution

from seqniah_datasets import tokens
from seqniah_tasks.adapters.lm_eval import command as lm_eval_cli
from seqniah_tasks.checks.base import Said, Setting, State

REPORTED = ("inspect-ai", "lm-eval", "tiktoken", "tokenizers")
"""Required packages whose versions are always told."""

_REINSTALL = "Reinstall seqniah: pip install --force-reinstall --no-deps seqniah."


def python(setting: Setting) -> Iterator[Said]:
    yield State.OK, f"{platform.python_version()}, {sys.executable}, {platform.platform()}", ""


def packages(setting: Setting) -> Iterator[Said]:
    own = _installed("seqniah", setting.path)
    if own is None:
        todo = "Run pip install seqniah, or pip install -e . in its folder."
        yield State.PROBLEM, "the code of seqniah is here, but it is not installed", todo
        return
    told = [f"seqniah {own.version}"]
    for wanted in own.requires or ():
        match = re.fullmatch(r"([\w.-]+) *>= *([\d.]+)", wanted)
        if match is None:  # of an extra
            continue
        name, least = match.groups()
        there = _installed(name, setting.path)
        todo = f"Run pip install '{name}>={least}'."
        if there is None:
            yield State.PROBLEM, f"{name} is missing", todo
        elif _numbers(there.version) < _numbers(least):
            yield State.PROBLEM, f"{name} {there.version} is older than {least}", todo
        elif name in REPORTED:
            told.append(f"{name} {there.version}")
    yield State.OK, ", ".join(told), ""


def _installed(name: str, path: Sequence[str]) -> Distribution | None:
    return next(iter(Distribution.discover(name=name, path=list(path))), None)


def _numbers(version: str) -> list[int]:
    match = re.match(r"\d+(?:\.\d+)*", version)
    numbers = [int(part) for part in match[0].split(".")] if match else []
    while numbers and not numbers[-1]:  # 2.0 is 2
        numbers.pop()
    return numbers


def _can_import(name: str, path: Sequence[str]) -> bool:
    """Whether a module is found, without running it; one that only seems a package is none."""
    specs = (finder.find_spec(name, list(path)) for finder in sys.meta_path)
    return any(spec is not None and spec.origin for spec in specs)


def inspect(setting: Setting) -> Iterator[Said]:
    own = _installed("seqniah", setting.path)
    entries = own.entry_points.select(group="inspect_ai", name="seqniah") if own else ()
    face = next((entry.value for entry in entries), None)
    if not _can_import("inspect_ai", setting.path):
        yield State.PROBLEM, "inspect_ai cannot be imported", "Run pip install inspect-ai."
    elif face is None or not _can_import(face, setting.path):
        yield State.PROBLEM, "inspect does not see the tasks: they are not registered", _REINSTALL
    else:
        yield State.OK, "sees the tasks, as seqniah/test, seqniah/dev and seqniah/train", ""


def lm_eval(setting: Setting) -> Iterator[Said]:
    found = lm_eval_cli.installed(setting.path)
    if found is None:
        yield State.PROBLEM, "lm_eval cannot be imported", "Run pip install lm-eval."
        return
    copy = found.copy()
    if found.hidden_by:
        checkout = shlex.quote(str(found.folder.parent))
        yield (
            State.PROBLEM,
            f"the lm_eval command fails: {found.hidden_by}, which holds no code, hides the "
            f"checkout {found.folder}",
            f"Run seqniah lm-eval instead; to fix lm_eval itself, run pip install --no-deps -e "
            f"{checkout} --config-settings editable_mode=compat.",
        )
    elif copy is lm_eval_cli.Copy.NONE:
        yield (
            State.NOTE,
            f"does not see the tasks: {found.folder} has no copy of them",
            'Run seqniah lm-eval instead of lm_eval, or add --include_path "$(seqniah '
            'lm-eval-path)".',
        )
    elif copy is lm_eval_cli.Copy.OTHER:
        yield (
            State.NOTE,
            f"sees the tasks of another version: {found.folder / 'tasks' / 'seqniah'}",
            "Run seqniah lm-eval instead of lm_eval, or install seqniah again as it was installed.",
        )
    else:
        yield State.OK, "sees the tasks, as seqniah, seqniah_dev and their parts", ""


def ranks(setting: Setting) -> Iterator[Said]:
    bad = False
    for name, encoding in tokens.ENCODINGS.items():
        path = setting.ranks / f"{name}.tiktoken.gz"
        try:
            digest = hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest()
            wrong = "" if digest == encoding.sha256 else "is not what was published"
        except (OSError, EOFError, zlib.error) as error:
            wrong = f"cannot be read ({error})"
        if wrong:
            bad = True
            yield State.PROBLEM, f"{path} {wrong}", _REINSTALL
    if not bad:
        yield State.OK, f"{', '.join(tokens.ENCODINGS)}: as published", ""


def fast_engine(setting: Setting) -> Iterator[Said]:
    fast = _installed("gigatoken", setting.path)
    if fast is None:
        todo = "To index large corpora faster, run pip install 'seqniah[fast]'."
        yield State.NOTE, "gigatoken is not installed; tiktoken counts everything", todo
    else:
        yield State.OK, f"gigatoken {fast.version}, used where its tokens are tiktoken's", ""
