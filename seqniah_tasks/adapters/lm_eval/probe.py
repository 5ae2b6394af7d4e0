"""Asking a model, before a run, for words that stand across a prompt as long as the run's longest.

A server behind a chat API may cut prompts in silence, and lm-eval does not pass on how many tokens
it says it read. A model that gives the words back has read the prompt where they stand.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from lm_eval.api.instance import Instance

from seqniah_tasks.benchmarks.protocol import Bench

_DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Where the words stand. Cuts take the start, or grow from the middle, or take the question."""

_QUESTION = (
    'Do not answer any question above. The text holds {count} lines that begin with "The password '
    'here is". List the passwords of all these lines, one a line, and nothing else.'
)
_ANSWER = "\nPasswords:"
"""What a model that continues text finds at the end."""


@dataclass(frozen=True, slots=True)
class Prober:
    """Who is asked, and how."""

    lm: Any
    """The harness's model object."""
    chat: bool
    """Whether it takes chats; else it continues text."""
    instruction: str
    """What the system is told; empty for nothing."""

    def lost(self, text: str, wishes: Mapping[str, Any]) -> str:
        """Depths of the words across a text that do not come back, e.g. "0 %, 25 %"."""
        words = [hashlib.sha256(f"{depth} {text}".encode()).hexdigest()[:8] for depth in _DEPTHS]
        asked = _with_words(text, words)
        if self.chat:
            system = [{"role": "system", "content": self.instruction}] if self.instruction else []
            context = self.lm.apply_chat_template([*system, {"role": "user", "content": asked}])
        else:
            context = "\n\n".join(filter(None, (self.instruction, asked))) + _ANSWER
        request = Instance("generate_until", {}, (context, dict(wishes)), 0)
        (said,) = self.lm.generate_until([request], disable_tqdm=True)
        found = zip(_DEPTHS, words, strict=True)
        return ", ".join(f"{100 * depth:g} %" for depth, word in found if word not in str(said))


def fault(
    prober: Prober, bench: Bench[Any], name: str, sent: Mapping[str, Mapping[str, Any]]
) -> str:
    """Why prompts are not sure to be read whole; empty where all words come back of the longest in
    each language. `sent` are the wishes of prompts by id, `name` is the model's.
    """
    by_length: dict[str, dict[str, Any]] = {}
    for planned in sorted(map(bench.find, sent), key=bench.tokens):
        by_length.setdefault(planned.lang, {})[planned.length] = planned
    for _, longest in sorted(by_length.items()):
        *shorter, most = longest.values()
        lost = prober.lost(bench.prompt(most).text, sent[most.id])
        if not lost:
            continue
        read = next(
            (
                one
                for one in reversed(shorter)
                if not prober.lost(bench.prompt(one).text, sent[one.id])
            ),
            None,
        )
        if read is None and prober.lost("", sent[most.id]):
            return (
                f"The probe tells nothing of {name}, which does not give back words of a short "
                "prompt either; leave probe out of --metadata."
            )
        way, known = "pass a shorter length", "a short prompt"
        if read is not None:
            fitting = bench.lengths[: bench.lengths.index(read.length) + 1]
            way, known = f"--metadata '{json.dumps(bench.narrower(fitting))}'", _size(bench, read)
        return (
            f"{name} does not give back the words at {lost} of a prompt of {_size(bench, most)}, "
            f"but all of {known}. The server cuts prompts, or the model does not read so far: "
            f"give it a larger window, or {way}, or leave probe out."
        )
    return ""


def _size(bench: Bench[Any], planned: Any) -> str:
    return f"{bench.tokens(planned):,} tokens ({planned.length}, {planned.lang})"


def _with_words(text: str, words: Sequence[str]) -> str:
    """The text with the words in it, and the question; its end makes room for them."""
    question = _QUESTION.format(count=len(words))
    lines = [f"The password here is {word}." for word in words]
    text = text[: max(0, len(text) - len(question) - sum(map(len, lines)))]
    ends = [max(text.find("\n", int(depth * len(text))), 0) for depth in _DEPTHS[1:-1]]
    parts = [text[start:end].strip("\n") for start, end in pairwise([0, 0, *ends, len(text)])]
    mixed = [part for pair in zip(parts, lines, strict=True) for part in pair]
    return "\n\n".join([*filter(None, mixed), question])
