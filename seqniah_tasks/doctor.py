"""What is well and what is not with an installation: the checks of `checks/`, one after the other.

No check writes anything that stays, indexes a corpus, or asks the network, but for the judge's
endpoint where there is one. A further check is a function and a line in `CHECKS`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from importlib.resources import files
from pathlib import Path

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora import DEFAULT_CORPUS
from seqniah_tasks.checks import around, installed, kept
from seqniah_tasks.checks.base import Check, Finding, Setting, State

CHECKS: dict[str, Check] = {
    "Python": installed.python,
    "packages": installed.packages,
    "inspect": installed.inspect,
    "lm-eval": installed.lm_eval,
    "rank files": installed.ranks,
    "fast engine": installed.fast_engine,
    "cache": kept.cache,
    "indexes": kept.indexes,
    "leftovers": kept.leftovers,
    "tokenizer": kept.tokenizer,
    "corpus": kept.corpus,
    "judge": around.judge,
    "API keys": around.keys,
    "terminal": around.terminal,
    "variables": around.variables,
}
"""Names to checks, in the order in which they are printed."""


def setting(
    corpus: str = DEFAULT_CORPUS, tokenizer: str = tokens.DEFAULT_TOKENIZER, judge_url: str = ""
) -> Setting:
    """This process and this machine, with what the user chose."""
    return Setting(
        corpus=corpus,
        tokenizer=tokenizer,
        judge_url=judge_url or os.environ.get("JUDGE_BASE_URL", ""),
        environ=os.environ,
        cache=store.cache_root(),
        path=tuple(sys.path),
        ranks=Path(str(files("seqniah_datasets") / "ranks")),
        encoding=getattr(sys.stdout, "encoding", None) or "ascii",
    )


def examine(setting: Setting, checks: Mapping[str, Check] = CHECKS) -> list[Finding]:
    """What all checks find, in their order."""
    found: list[Finding] = []
    for name, check in checks.items():
        try:
            found += [Finding(name, *said) for said in check(setting)]
        except Exception as error:  # a check that breaks must not hide the others
            what = f"cannot be told ({type(error).__name__}: {error})"
            found.append(Finding(name, State.PROBLEM, what, "Mend that, or report it as a bug."))
    return found


def exit_code(findings: Iterable[Finding]) -> int:
    """1 where there is a problem, else 0."""
    return int(any(one.state is State.PROBLEM for one in findings))
