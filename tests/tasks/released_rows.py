"""Rows as the authors of Sequential-NIAH release them, made by hand and short."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

Row = dict[str, Any]

STEPS = "Do these:\n1. Soak the beans overnight.\n2. Boil them for an hour.\n3. Season the pot."
DEEDS = (
    "The key interactions were:\n\n- On June 30, 2005, Sudan praised Eritrea.\n"
    "- On October 20, 2005, Sudan hosted a visit.\n- Talks were held on May 25, 2006."
)
DIARY = (
    "The contents are as follows:\n- May 2, 2010：I baked bread.\n- May 9, 2010：I swam.\n"
    "- May 12, 2010：I mended a chair."
)
RECORD = (
    "内容如下：\n- 2006年02月01日：看了电影。\n- 2006年02月04日：学习天文。\n"
    "- 2006年02月06日：听音乐。"
)
PERIODS = "It went so:\n- During Dutch rule, trade began.\n- Later on, railways came."


def md5(number: int, variant: int = 0) -> str:
    return f"{number:032x}{f'_{variant}' if variant else ''}"


def asked(number: int, question: str, reference: str, variant: int = 0) -> Row:
    """A row of `test_data_for_infer.jsonl`; what it says of its length is wrong."""
    label = f"Text {number} of variant {variant}. Nothing is told here."
    return {
        "md5": md5(number, variant),
        "length": "99999",
        "question": f"Document: {label}\n\nQuestion:{question}",
        "ref_answer" if number % 2 else "gt_answer": reference,
        "raw_question": question,
    }


ROWS = [
    asked(1, "How do I cook beans?", STEPS),
    asked(2, "What were the key interactions between Sudan and Eritrea?", DEEDS),
    asked(3, "List the contents of the Diary of Ann Lee in order.", DIARY),
    asked(4, "按日期罗列胡慧聪记事的内容", RECORD),
    asked(5, "How did the island change?", PERIODS),
]

NEEDLES = [
    "Ann Lee's Diary, May 2, 2010: I baked bread.",
    "Diary May 9: I swam.",
    "May 12: a chair.",
]


def built(number: int, meta: Any = None, variant: int = 0, **more: Any) -> Row:
    """A row of a built example, with the last needle first in its text."""
    places = [NEEDLES[2], NEEDLES[0], NEEDLES[1]]
    text = "".join(f"{'x' * 25}\n{one}\n" for one in places) + "y" * 25
    question = "List the contents of the Diary of Ann Lee in order."
    told = {"question": question, "needles": places, "raw_needles": NEEDLES, "ppl": "syn"}
    return {
        "md5": md5(number, variant),
        "length": 1,
        "lang": "en",
        "num_needles": "3",
        "input": f"Document:{text}\n\nPlease answer the question:\n{question}",
        "output": DIARY,
        "text_with_needles": text,
        "meta_QA": told if meta is None else meta,
        "meta_text": "{'raw_text': 'never read'",
        **more,
    }


def write(path: Path, rows: list[Row]) -> Path:
    """A file of rows; packed where its name says so."""
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path
