"""Folders of LOFT's data sets made of real texts, which the tests of runs and of corpora read."""

from __future__ import annotations

import csv
import io
import json
import re
import sqlite3
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from seqniah_datasets.loft import corpora, released, sandbox
from seqniah_datasets.loft.schema import Passage
from seqniah_datasets.tokens import tokenizer

CHINOOK = Path(__file__).parents[1] / "data" / "chinook_questions.toml"

Json = dict[str, Any]


def rows(path: Path, found: Sequence[object]) -> None:
    """Write an array, or JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".json":
        path.write_text(json.dumps(found), "utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")


def candidate(one: Passage, id: str) -> str:
    """A candidate as prompts have it."""
    return f"ID: {id} | TITLE: {one.title} | CONTENT: {one.text} | END ID: {id}\n"


def _questions(real: Path) -> list[Json]:
    found: list[Json] = json.loads((real / "multihop/musique_train_100.json").read_text("utf-8"))
    return found


def musique(real: Path, folder: Path) -> Path:
    """MuSiQue's questions over its passages and 2Wiki's, as BEIR has it."""
    ids: dict[tuple[str, str], str] = {}
    for name in ("musique_train_corpus", "2wiki_corpus"):
        for one in json.loads((real / "multihop" / f"{name}.json").read_text("utf-8")):
            ids.setdefault((one["title"], one["text"]), f"d{len(ids)}")
    asked = _questions(real)
    texts = [{"_id": id, "title": title, "text": text} for (title, text), id in ids.items()]
    rows(folder / "corpus.jsonl", texts)
    rows(folder / "queries.jsonl", [{"_id": q["id"], "text": q["question"]} for q in asked])
    lines = [
        f"{one['id']}\t{ids[p['title'], p['paragraph_text']]}\t1\n"
        for one in asked
        for p in one["paragraphs"]
        if p["is_supporting"]
    ]
    (folder / "qrels").mkdir()
    (folder / "qrels" / "test.tsv").write_text(f"q\tc\ts\n{''.join(lines)}", "utf-8")
    return folder


def in_lofts_layout(real: Path, folder: Path) -> Path:
    """MuSiQue at 32k as retrieval and as RAG, Chinook as Spider and SParC, two tasks of BBH."""
    _hops(real, folder)
    _tables(real / "sql" / "chinook.sqlite", folder)
    for name in ("date_understanding", "web_of_lies"):
        given = json.loads((real / "icl" / f"bbh_{name}.json").read_text("utf-8"))["examples"]
        place = folder / "icl" / name / "32k"
        rows(place / "corpus.json", given[:40])
        rows(place / "dev_queries.json", given[40:50])
    return folder


def _hops(real: Path, folder: Path) -> None:
    source = released.own(musique(real, folder / "beir"), "retrieval", 0)
    made = corpora.build(source, 32_000, candidate, tokenizer())
    texts = [
        {"pid": one.pid, "title_text": one.title, "passage_text": one.text}
        for one in made.passages.values()
    ]
    said = {one["id"]: [one["answer"], *one["answer_aliases"]] for one in _questions(real)}
    for task in ("retrieval", "rag"):
        place = folder / task / "musique" / "32k"
        rows(place / "corpus.jsonl", texts)
        for split, queries in made.queries.items():
            found = []
            for one in queries:
                pairs = [[pid, 1] for pid in one.golds[0]]
                answers = pairs if task == "retrieval" else said[one.qid]
                told = {"qid": one.qid, "query_text": one.turns[0], "answers": answers}
                found.append({**told, "metadata": {"qrels": pairs}})
            rows(place / f"{split}_queries.jsonl", found)


def _tables(path: Path, folder: Path) -> None:
    """A question's database are the tables that its SQL names: all of Chinook is 200,000 tokens."""
    base = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    named = base.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    tables = {name: _csv(base.execute(f'SELECT * FROM "{name}"')) for (name,) in named}
    base.close()
    found: dict[str, list[Json]] = {"spider": [], "sparc": []}
    queries = tomllib.loads(CHINOOK.read_text("utf-8"))["queries"]
    answers = iter(sandbox.all_rows(path, [sql for one in queries for sql in one["sql"]]))
    for number, one in enumerate(queries):
        many, turns = len(one["turns"]) > 1, [next(answers) for _ in one["turns"]]
        pids = [n for n in tables if any(re.search(rf"\b{n}\b", sql) for sql in one["sql"])]
        told = {"candidate_pids": pids, "db_id": "+".join(pids), "sql_query": one["sql"]}
        asked = one["turns"] if many else one["turns"][0]
        row = {"qid": f"chinook-{number}", "query_text": asked, "metadata": told}
        row["answers"] = turns if many else turns[0]
        found["sparc" if many else "spider"].append(row)
    for name, asked in found.items():
        texts = [
            {"pid": pid, "title_text": pid, "passage_text": text} for pid, text in tables.items()
        ]
        rows(folder / "sql" / name / "32k" / "corpus.jsonl", texts)
        rows(folder / "sql" / name / "32k" / "dev_queries.jsonl", asked)


def _csv(found: sqlite3.Cursor) -> str:
    out = io.StringIO()
    heads = [column[0] for column in found.description]
    csv.writer(out, lineterminator="\n").writerows([heads, *found])
    return out.getvalue().rstrip("\n")


def corpus(folder: Path, name: str) -> list[Json]:
    """The candidates of a data set at 32k."""
    lines = (folder / name / "32k" / "corpus.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def asked(folder: Path, name: str) -> list[Json]:
    """The rows of a data set's questions at 32k."""
    (path,) = (folder / name / "32k").glob("dev_queries.*")
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        return [{"qid": str(number), **one} for number, one in enumerate(json.loads(text))]
    return [json.loads(line) for line in text.splitlines()]
