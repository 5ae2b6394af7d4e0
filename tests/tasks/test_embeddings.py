"""The optional embeddings of the rule judge, with a real static model made on the spot."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from inspect_ai import eval as run_eval
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from typer.testing import CliRunner

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers import rules
from seqniah_scorers.embedding import cosines
from seqniah_scorers.verdict import Case
from seqniah_tasks.adapters.inspect import logs as inspect_logs
from seqniah_tasks.cli import app
from seqniah_tasks.judging.embeddings import open_embedding
from seqniah_tasks.judging.opening import open_judge

model2vec = pytest.importorskip("model2vec")

ALIKE = (("glazed", "vitrified"), ("urn", "amphora"), ("kiln", "furnace"), ("brittle", "fragile"))
"""Pairs that the model has one vector for; the rules' own tables know none of them."""
REFERENCE = """The workshop's log says:
- March 3, 2012：We glazed the urn.
- March 9, 2012：We swept the yard with brooms.
- March 14, 2012：We counted the crates."""
RETOLD = """1. March 3, 2012: They vitrified an amphora.
2. March 9, 2012: They swept the yard with brooms.
3. March 14, 2012: They counted the crates."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a model with a few dozen words."""
    words = ["[UNK]", *(word for pair in ALIKE for word in pair)]
    words += ["yard", "brooms", "swept", "counted", "crates", "scattered", "feathers", "log"]
    small = ["the", "we", "they", "an", "with", "did", "not", "sweep"]
    words += small
    vectors = np.eye(len(words), dtype=np.float32)
    for word in ("[UNK]", *small):
        vectors[words.index(word)] = 0  # small and unknown words have no direction
    for one, other in ALIKE:
        vectors[words.index(other)] = vectors[words.index(one)]
    tokenizer = Tokenizer(WordLevel({word: n for n, word in enumerate(words)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    folder = tmp_path_factory.mktemp("static-model")
    model2vec.StaticModel(vectors, tokenizer, normalize=True).save_pretrained(str(folder))
    return str(folder)


def _case(response: str) -> Case:
    return Case("en", "temporal", "What does the log say?", REFERENCE, response)


def test_vectors_tell_likeness(model: str) -> None:
    embedding = open_embedding(model)
    same, other = cosines(embedding, ["glazed urn", "swept yard"], "vitrified amphora")
    assert same == pytest.approx(1.0, abs=1e-3)
    assert other == pytest.approx(0.0, abs=1e-3)
    assert cosines(embedding, [], "vitrified") == []


def test_items_that_share_no_word_are_found_to_be_the_same(model: str) -> None:
    assert rules.judge(_case(RETOLD)).correct is False
    verdict = rules.judge(_case(RETOLD), open_embedding(model))
    assert verdict.correct is True, verdict.reason
    assert verdict.doubts, "what only vectors tell is not sure"


@pytest.mark.parametrize(
    "changed",
    [
        RETOLD.replace("March 3", "March 4"),
        RETOLD.replace("vitrified an amphora", "scattered feathers"),
        RETOLD.replace("swept the yard", "did not sweep the yard"),
        RETOLD.partition("\n3.")[0],
        RETOLD + "\n4. March 20, 2012: They scattered feathers.",
    ],
)
def test_a_change_stays_a_change(model: str, changed: str) -> None:
    assert rules.judge(_case(changed), open_embedding(model)).correct is False


def test_the_judge_names_its_embeddings(model: str, tmp_path: Path) -> None:
    assert open_judge("rules", embeddings=model).name == f"rules {rules.VERSION} with {model}"
    rows = tmp_path / "cases.jsonl"
    row: dict[str, Any] = {"id": "1", "lang": "en", "needle_type": "temporal"}
    row |= {"question": "What does the log say?", "reference": REFERENCE, "response": RETOLD}
    rows.write_text(json.dumps(row), "utf-8")
    out = tmp_path / "verdicts.jsonl"
    words = ["score", "cases", "--in", str(rows), "--out", str(out), "--embeddings", model]
    done = CliRunner().invoke(app(), words)
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text("utf-8"))["correct"] is True


def test_a_run_with_embeddings_says_so(model: str, tmp_path: Path) -> None:
    log = run_eval(
        "seqniah/test",
        model="seqniah/lexical",
        limit=1,
        log_dir=str(tmp_path),
        display="log",
        task_args={"length": "8k-16k", "embeddings": model},
    )[0]
    assert log.status == "success", log.error
    record = inspect_logs.read_run(Path(log.location))
    assert record.scorer == f"rules {rules.VERSION} with {model}"


def test_a_model_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(SeqniahError, match="cannot be loaded"):
        open_embedding(str(tmp_path / "nowhere"))


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "model2vec", None)
    with pytest.raises(SeqniahError, match=r"seqniah\[embed\]"):
        open_embedding("some/model")


def test_embeddings_are_for_the_rules_alone(model: str) -> None:
    with pytest.raises(SeqniahError, match="for the rules"):
        open_judge("openai-api/judge/x", embeddings=model)
