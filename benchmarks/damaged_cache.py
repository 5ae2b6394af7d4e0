"""One flipped byte in the cache: is a prompt ever changed in silence?

Each round flips one byte of one file of a corpus's index, or empties or cuts the file, and makes
prompts as a new process would. They must be those of the whole index, or an error must say why.

    python benchmarks/damaged_cache.py --rounds 1000
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import tempfile
from collections import Counter
from pathlib import Path

from seqniah_datasets.corpora import procedural
from seqniah_datasets.errors import SeqniahError
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options

SAMPLES = 3


def prompts(texts: Path) -> list[tuple[str, str]]:
    """Id and digest of some prompts, from what lies in the cache."""
    options = {"corpus": str(texts), "lang": "en", "length": "8k-16k", "limit_per_stratum": 1}
    bench = SequentialNiah(read_options(**options))
    return [(one.id, bench.prompt(one).sha256) for one in bench.plan[:SAMPLES]]


def damage(raw: bytes, draw: random.Random) -> tuple[str, bytes]:
    """What is done to a file, and what it holds then."""
    how = draw.choices(("flipped", "cut", "emptied"), (18, 1, 1))[0]
    if how == "flipped" and raw:
        place = draw.randrange(len(raw))
        return how, raw[:place] + bytes([raw[place] ^ (1 << draw.randrange(8))]) + raw[place + 1 :]
    return how, raw[: len(raw) // 2] if how == "cut" else b""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    found: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as place:
        root = Path(place)
        os.environ["SEQNIAH_CACHE"] = str(root / "cache")
        (root / "texts").mkdir()
        (root / "texts" / "en.txt").write_text(procedural.write("en", 90_000, 900), "utf-8")
        right = prompts(root / "texts")
        shutil.copytree(root / "cache", root / "whole")
        names = sorted(
            path.relative_to(root / "whole")
            for path in (root / "whole").rglob("*")
            if path.is_file() and path.suffix != ".lock"
        )
        for _ in range(asked.rounds):
            name = draw.choice(names)
            whole = (root / "whole" / name).read_bytes()
            how, damaged = damage(whole, draw)
            (root / "cache" / name).write_bytes(damaged)
            try:
                made = prompts(root / "texts")
            except SeqniahError:
                found[f"{how}, refused in a sentence"] += 1
            except Exception as error:
                found[f"{how}, TRACEBACK: {type(error).__name__}"] += 1
            else:
                healed = (root / "cache" / name).read_bytes() == whole
                what = "healed" if healed else "left, prompts the same"
                found[f"{how}, {what if made == right else f'SILENT: {name}'}"] += 1
            shutil.rmtree(root / "cache")
            shutil.copytree(root / "whole", root / "cache")
    print(f"{asked.rounds:,} rounds over {len(names)} files, {len(right)} prompts each")
    for what, count in sorted(found.items()):
        print(f"{count:6,} {what}")


if __name__ == "__main__":
    main()
