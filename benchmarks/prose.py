"""What docs/corpus.md tells of the embedded corpus: how varied it is, beside texts of your own.

    python benchmarks/prose.py                                 # 128,000 tokens of either language
    python benchmarks/prose.py novel.txt roman.txt             # the same of these

A sentence opens alike that has its first five words (Chinese: eight characters) in common with
four others of 500,000 characters, with numbers masked, and in English names too: words with a
capital that the text never writes small. Counted are sentences of eight words (twelve characters).
"""

from __future__ import annotations

import re
import sys
import zlib
from collections import Counter
from pathlib import Path

from seqniah_datasets import tokens
from seqniah_datasets.corpora import procedural
from seqniah_datasets.corpora.language import language_of
from seqniah_datasets.schema import LANGS

TOKENS = 128_000
CHARACTERS = 500_000
OFTEN = 5
"""Sentences that open alike from which on they count."""


def measured(text: str) -> str:
    """One line of figures."""
    english = language_of(text) == "en"
    part = text[: int(len(text) * TOKENS / max(tokens.tokenizer().count(text), TOKENS))]
    raw = part.encode()
    units = part.split() if english else [sign for sign in part if not sign.isspace()]
    grams = [tuple(units[at : at + 8]) for at in range(len(units) - 7)]
    return (
        f"zlib-9 {len(raw) / len(zlib.compress(raw, 9)):.2f}, "
        f"distinct 8-grams {len(set(grams)) / len(grams):.1%}, "
        f"sentences that open alike {_alike(text[:CHARACTERS], english):.1%} "
        f"(of {min(len(text), CHARACTERS):,} characters)"
    )


def _alike(text: str, english: bool) -> float:
    text = re.sub(r"\d+|[一二三四五六七八九十百千]+(?=[^一二三四五六七八九十百千])", "#", text)
    if english:
        small = set(re.findall(r"\b[a-z]+", text))
        text = re.sub(
            r"\b[A-Z][a-z]+\b", lambda word: word[0] if word[0].lower() in small else "#", text
        )
    least, opening = (8, 5) if english else (12, 8)
    sentences = [
        one.split() if english else list(one)
        for one in re.split(r"(?<=[.!?])\s+|(?<=[。！？])|\n+", text)
    ]
    openings = Counter(tuple(one[:opening]) for one in sentences if len(one) >= least)
    often = sum(count for count in openings.values() if count >= OFTEN)
    return often / max(openings.total(), 1)


def main() -> None:
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            print(f"{name}: {measured(Path(name).read_text('utf-8'))}")
        return
    for lang in LANGS:
        print(f"embedded, {lang}: {measured(procedural.write(lang, 1_600_000, 'prose'))}")


if __name__ == "__main__":
    main()
