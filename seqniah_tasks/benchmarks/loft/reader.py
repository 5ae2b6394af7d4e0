"""`seqniah/bm25`: answers from the prompt alone, by the words that query and candidates share.

The floor: it ranks the candidates of a prompt by BM25 and lists the ids of the best; of RAG it
names what the best sentence writes in capitals, of examples what the nearest one is answered with.
"""

from __future__ import annotations

import re
from functools import lru_cache

from seqniah_datasets.search.sparse import SparseIndex
from seqniah_datasets.search.words import STOP_WORDS

LISTED = 5
"""Ids that it lists: as many as any measure counts."""

_CANDIDATE = re.compile(
    r"^ID: (\S+) \| (?:TITLE: (.*?) \| )?CONTENT: (.*?) \| END ID: \1$", re.M | re.S
)
_EXAMPLE = re.compile(r"\nOutput: (\[.*\])\n")
_QUERY = re.compile(r"^(?:query|claim): ", re.M)
_WORD = re.compile(r"\w+")
_NAME = re.compile(r"\b[A-Z0-9][\w'’.-]*(?: (?:of|the|de|and)? ?[A-Z0-9][\w'’.-]*)*")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def bm25(prompt: str, top_k: int) -> str:
    """An answer in the form that prompts ask for; `top_k` does not matter."""
    end = prompt.rfind(" | END ID: ")
    if end < 0:
        return _by_example(prompt)
    end = prompt.find("\n", end) + 1
    titles, texts, ids, index = _read(prompt[:end])
    query = _asked(prompt[end:])
    best = index.search(query, LISTED).numbers.tolist() or [0]
    if "Final Answer: ['answer" not in prompt[: prompt.find(" | CONTENT: ")]:
        listed = [ids[number] for number in best]
        shown = "".join(f"TITLE: {titles[n]} | ID: {ids[n]}\n" for n in best if titles[n])
        return f"{_unbracketed(shown)}Final Answer: {listed}"
    return f"Final Answer: {[_span(query, titles[best[0]], texts[best[0]])]}"


def _unbracketed(text: str) -> str:
    """Without brackets, of which the released parser would read the first."""
    return text.translate(str.maketrans("[]", "()"))


@lru_cache(maxsize=2)
def _read(candidates: str) -> tuple[list[str], list[str], list[str], SparseIndex]:
    """Titles, texts and ids, and an index of them; the same for all queries over one corpus."""
    ids, titles, texts = [], [], []
    for found in _CANDIDATE.finditer(candidates):
        ids.append(found[1])
        titles.append(found[2] or "")
        texts.append(found[3])
    index = SparseIndex.build(
        (f"{title}\n{text}" for title, text in zip(titles, texts, strict=True)) if ids else [""]
    )
    return titles or [""], texts or [""], ids or ["0"], index


def _asked(tail: str) -> str:
    """The last query, and those of the turns before it where there are some."""
    last = tail[tail.rfind("\n====== ") + 1 :] if "\n====== " in tail else tail
    parts = _QUERY.split(last)
    lines = parts[-1].rstrip().splitlines()
    if len(lines) > 1 and lines[-1].endswith(":"):
        lines = lines[:-1]
    return " ".join(lines)


def _span(query: str, title: str, text: str) -> str:
    """What the best sentence names that the query does not, or the title."""
    asked = {word.lower() for word in _WORD.findall(query)}

    def shared(sentence: str) -> int:
        return len(asked & {word.lower() for word in _WORD.findall(sentence)})

    best = max(_SENTENCE_END.split(text), key=shared)
    for name in _NAME.findall(best):
        words = {word.lower() for word in _WORD.findall(name)}
        if not words & asked and not words <= STOP_WORDS:
            return str(name).rstrip(".")
    return title or best[:80]


def _by_example(prompt: str) -> str:
    """Of examples with outputs, the nearest one's; nothing without any."""
    parts = _EXAMPLE.split(prompt)
    if len(parts) < 3:
        return "Final Answer: []"
    inputs, outputs = parts[0:-1:2], parts[1::2]
    index = _of_inputs(tuple(inputs))
    found = index.search(parts[-1], 1).numbers.tolist() or [0]
    return f"Output: {outputs[found[0]]}"


@lru_cache(maxsize=2)
def _of_inputs(inputs: tuple[str, ...]) -> SparseIndex:
    return SparseIndex.build(inputs)
