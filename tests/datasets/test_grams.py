"""The proof of absence: never wrong, and seldom missing."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from seqniah_datasets.corpora import procedural
from seqniah_datasets.corpora.grams import bitmap, is_absent
from seqniah_datasets.sources.tables import lines


@given(st.binary(min_size=1, max_size=400), st.data())
def test_what_is_there_is_never_called_absent(text: bytes, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    assert not is_absent(text[start:end], bitmap(memoryview(text)).data)


@given(st.binary(max_size=14), st.binary(max_size=100))
def test_a_phrase_too_short_for_a_proof_may_be_there(phrase: bytes, text: bytes) -> None:
    assert not is_absent(phrase, bitmap(memoryview(text)).data)


def test_nearly_every_absent_event_is_proved_absent() -> None:
    for lang in ("en", "zh"):
        text = procedural.write("en" if lang == "en" else "zh", 400_000, 907).encode()
        marks = bitmap(memoryview(text)).data
        events = [event.encode() for event in lines(f"events_{lang}.txt")]
        proved = [is_absent(event, marks) for event in events]
        assert sum(proved) > 0.95 * len(events)
        assert not any(
            event in text for event, absent in zip(events, proved, strict=True) if absent
        )
