"""Composed events: what the banks promise, and how they are dealt to records."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache
from typing import Any

import pytest

from seqniah_datasets import splits
from seqniah_datasets.schema import LANGS, SPLITS, Lang, Pipeline, Split
from seqniah_datasets.sources import events, open_sources
from seqniah_datasets.sources.base import Demand
from seqniah_datasets.sources.tables import lines
from seqniah_datasets.sources.wording import MONTHS

SOURCE = open_sources()[Pipeline.SYNTHETIC_TEMPORAL]

FUNCTION: dict[Lang, str] = {
    "en": (
        "a an the i me my mine myself you your he him his she her it its we us our they them their "
        "this that these those who whom whose which what some any no none every each all both half "
        "one two three four five six seven eight nine ten eleven twelve dozen few many much more "
        "most less least several other another such same own and or but nor so yet if as than then "
        "when while until till before after since because though although whether where how why of "
        "to in on at by for with without from into onto out off over under above below behind "
        "beside between among through across along around past near up down back away against "
        "towards during within outside inside about like not never only just still even again once "
        "twice almost nearly too very quite rather there here was were is are be been being had "
        "has have did do does done could would should might must can will got get went came "
        "let made"
    ),
    "zh": (
        "的了着过在把被让给跟和与同替为从到向往对用以按照趁沿由于是有没不也都还又才就却竟只再便很"
        "太更最这那其我他她它们自己谁一二两三四五六七八九十百千几半多少个只条张把本件场次回遍趟天"
        "里上下前后中外内边旁时会要得地来去起出进完成好见住如若但而且或并及等所每某另别之者么呢吧"
        "啊吗"
    ),
}
"""What a skeleton keeps beside the verb; all else is masked."""


@cache
def _raw(lang: Lang) -> dict[events.Frame, str]:
    """The frames with their texts."""
    texts = [line for line in lines(f"events_{lang}.txt") if not line.startswith("#")]
    return {events._frame(text): text.partition("\t")[0] for text in texts}


@cache
def _told(lang: Lang, split: Split) -> list[tuple[events.Frame, str]]:
    """The frame and the event of each needle of a split."""
    wishes = splits.wishes(split, lang, Pipeline.SYNTHETIC_TEMPORAL, 0)
    demand = Demand(lang, split, 0, wishes)
    bank = events.of_split(lang, split)
    tickets, _ = SOURCE.allot(demand)
    return [
        (bank[number], bank[number].event(which))
        for ticket in tickets
        if ticket
        for number, which in zip(ticket[:-1:2], ticket[1::2], strict=True)
    ]


@pytest.mark.parametrize("lang", LANGS)
def test_the_frames_are_many_and_of_the_agreed_form(lang: Lang) -> None:
    raw = _raw(lang)
    assert len(raw) >= 290
    assert sum(frame.count for frame in raw) >= 15_000
    for frame, text in raw.items():
        assert len(re.findall(r"\{!", text)) == 1, text
        assert frame.count >= 60 and len(frame.months) >= 3, text
        assert all(len(set(part)) == len(part) for part in frame.parts), text
        for number in (0, frame.count // 2, frame.count - 1):
            event = frame.event(number)
            assert not re.search(rf"\d|[{{}}|!]|  |\b(?:{'|'.join(MONTHS)})\b", event), event
            assert event.count("." if lang == "en" else "。") == 1, event
            assert event.endswith("." if lang == "en" else "。"), event
            assert event[0] == event[0].upper(), event


@pytest.mark.parametrize("lang", LANGS)
def test_every_event_of_a_frame_is_another(lang: Lang) -> None:
    for frame in events.frames(lang):
        some = range(0, frame.count, max(1, frame.count // 200))
        assert len({frame.event(number) for number in some}) == len(some), frame


@pytest.mark.parametrize("lang", LANGS)
def test_every_month_has_events_enough_in_every_split(lang: Lang) -> None:
    for split in SPLITS:
        for month in range(1, 13):
            fit = [one for one in events.of_split(lang, split) if month in one.months]
            assert len(fit) >= 15 + 6, (split, month, "for a record and its lures")


@pytest.mark.parametrize("lang", LANGS)
def test_no_frame_and_no_event_is_in_two_splits(lang: Lang) -> None:
    homes: defaultdict[str, set[str]] = defaultdict(set)
    for split in SPLITS:
        for _, event in _told(lang, split):
            homes[event].add(split)
    assert not [event for event, found in homes.items() if len(found) > 1]
    dealt = Counter(frame for split in SPLITS for frame in events.of_split(lang, split))
    assert dealt == Counter(events.frames(lang))


@pytest.mark.parametrize("lang", LANGS)
def test_no_event_is_told_more_than_three_times_in_a_split(lang: Lang) -> None:
    for split in SPLITS:
        assert max(Counter(event for _, event in _told(lang, split)).values()) <= 3
    assert max(Counter(event for _, event in _told(lang, "test")).values()) == 1


def _skeleton(lang: Lang, text: str, event: str) -> str:
    """An event with all masked but its verb and function words."""
    verbs = next(iter(re.findall(r"\{!([^}]*)\}", text))).split("|")
    verb = max((one for one in verbs if one in event), key=len)
    kept = set(FUNCTION[lang] if lang == "zh" else FUNCTION[lang].split())
    if lang == "zh":
        before, _, after = event.partition(verb)
        masked = ["".join(one if one in kept else "_" for one in part) for part in (before, after)]
        return re.sub("_+", "_", verb.join(masked))
    kept |= set(verb.lower().split())
    words = re.findall(r"[a-z'-]+", event.lower())
    return re.sub(r"_(?: _)+", "_", " ".join(one if one in kept else "_" for one in words))


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("lang", LANGS)
def test_no_skeleton_carries_more_than_half_a_percent_of_a_split(lang: Lang, split: Split) -> None:
    told = _told(lang, split)
    found = Counter(_skeleton(lang, _raw(lang)[frame], event) for frame, event in told)
    (name, most), *_ = found.most_common(1)
    assert most <= 0.005 * len(told), (name, most / len(told))


@pytest.mark.parametrize("lang", LANGS)
def test_records_have_a_frame_once_and_fit_their_month(lang: Lang) -> None:
    wishes = splits.wishes("test", lang, Pipeline.SYNTHETIC_TEMPORAL, 3)
    supply = SOURCE.supply(Demand(lang, "test", 3, wishes))
    bank = {
        frame.event(number): frame
        for frame in events.of_split(lang, "test")
        for number in range(frame.count)
    }
    for serial in range(0, len(wishes), 3):
        needles = supply.item(serial).needles
        frames = [bank[needle.event] for needle in needles]
        assert len(set(frames)) == len(frames)
        for frame, needle in zip(frames, needles, strict=True):
            assert needle.date and needle.date.month in frame.months


def test_what_is_dealt_follows_from_the_key_alone() -> None:
    wanted: list[tuple[int, int]] = [(1 + n % 12, 3 + n % 13) for n in range(60)]

    def dealt(*key: Any) -> list[tuple[int, ...]]:
        return list(events.deal(*key, wanted))

    assert dealt("en", "dev", 0) == dealt("en", "dev", 0) != dealt("en", "dev", 1)
    longer = list(events.deal("en", "dev", 0, [*wanted, (3, 15)]))
    assert longer[:60] == dealt("en", "dev", 0)
