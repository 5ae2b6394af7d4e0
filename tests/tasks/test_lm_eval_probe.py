"""The probe before a run of lm-eval: it finds servers that cut prompts and report no tokens."""

from __future__ import annotations

import json
from pathlib import Path

import in_process
import pytest
from lm_eval_parts import TASK, Json, Listener, run, samples

from seqniah_tasks.adapters.lm_eval.solve import UNSEEN, Refusal
from seqniah_tasks.benchmarks.sequential_niah.bench import SequentialNiah
from seqniah_tasks.benchmarks.sequential_niah.options import read_options
from seqniah_tasks.serve import Counter, Faults, running

ASKED: Json = {"length": "8k-16k,16k-32k", "lang": "en", "limit_per_stratum": 1}
PROBED = {**ASKED, "probe": True}
CHAT, TEXT = ("local-chat-completions", "/chat/completions"), ("local-completions", "/completions")


def _sizes() -> list[int]:
    """Exact tokens of the prompts, the shortest first."""
    bench = SequentialNiah(read_options(**ASKED))
    found = [bench.tokens(one) for one in bench.plan if one.slot.pipeline == "real-logical"]
    assert len(found) == 2
    return sorted(found)


def _run(
    faults: Faults, counter: Counter, metadata: Json, client: tuple[str, str] = CHAT
) -> list[Json]:
    model, path = client
    more = {} if client == CHAT else {"tokenizer_backend": "none"}
    with running(faults, counter=counter) as url:
        given = {"model": "lexical", "base_url": url + path, "max_retries": 1, **more}
        chat = client == CHAT
        return samples(run(model, metadata, model_args=given, chat=chat, limit=None))


@pytest.mark.parametrize("client", [CHAT, TEXT], ids=["chat", "text"])
@pytest.mark.parametrize("side", ["left", "middle", "right"])
def test_a_server_that_cuts_in_silence_ends_the_run(side: str, client: tuple[str, str]) -> None:
    short, long = _sizes()
    counter = Counter()
    faults = Faults(truncate=(short + long) // 2, truncate_side=side, no_usage=True)
    with pytest.raises(Refusal) as error:
        _run(faults, counter, PROBED, client)
    told = str(error.value)
    assert f"of a prompt of {long:,} tokens (16k-32k, en), but all of {short:,} tokens" in told
    assert '--metadata \'{"length": "8k-16k"}\'' in told
    assert counter.answered == 2  # two probes, and no sample


def test_a_server_that_cuts_every_prompt_is_told_from_a_model_that_cannot_find_words() -> None:
    with pytest.raises(Refusal, match=r"but all of a short prompt.*pass a shorter length"):
        _run(Faults(truncate=2_000), Counter(), PROBED)
    model = Listener()
    with pytest.raises(Refusal, match=r"The probe tells nothing of Listener.*leave probe out"):
        run(model, PROBED)
    assert len(model.prompts) == 3  # either length, and a prompt with nothing but the words


@pytest.mark.parametrize("client", [CHAT, TEXT], ids=["chat", "text"])
def test_what_a_probe_shows_to_be_read_is_whole(client: tuple[str, str]) -> None:
    counter = Counter()
    rows = _run(Faults(no_usage=True), counter, PROBED, client)
    assert [row["judged"]["prompt_fate"] for row in rows] == ["whole"] * 2
    assert not any("prompt_note" in row["judged"] for row in rows)
    assert counter.answered == 3
    # It takes no more room than the prompt whose place it takes.
    assert counter.prompt_tokens < sum(_sizes()) + max(_sizes()) + 100


def test_without_a_probe_file_and_summary_say_that_a_cut_would_not_show(tmp_path: Path) -> None:
    rows = _run(Faults(truncate=9_000), Counter(), ASKED)
    assert [row["judged"]["prompt_note"] for row in rows] == [UNSEEN] * 2
    file = tmp_path / f"samples_{TASK}_2026-01-01T00-00-00.000000.jsonl"
    file.write_text("".join(json.dumps(row, default=str) + "\n" for row in rows), "utf-8")
    said = " ".join(in_process.run("score", "lm-eval", str(file)).split())
    assert "2 unverified: lm-eval passes on no token counts of this server" in said
    assert "--metadata '{\"probe\": true}'" in said
