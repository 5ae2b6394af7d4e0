"""Two parties that change places, and sentences that only look as if they did."""

from __future__ import annotations

import pytest

from seqniah_scorers.comparing.exchange import changed_places

EN = ("Ostmark", "the parliament of Velunia")
ZH = ("奥斯马克", "维卢尼亚议会")


def _named(text: str) -> str:
    return text.format(a=EN[0], b=EN[1], B=EN[1].capitalize().replace("velunia", "Velunia"))


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("{a} criticised {b}.", "{B} criticised {a}"),
        ("{a} came under attack from {b}", "{B} came under attack from {a}."),
        ("{a} asked {b} to negotiate", "{B} asked {a} to negotiate"),
        ("On May 3, 2001, {a} hosted {b} on a visit.", "On 3 May 2001 {b} hosted {a} on a visit."),
        ("{a} expressed a willingness to meet {b}", "{B} expressed a willingness to meet {a}"),
    ],
)
def test_an_exchange_is_seen_in_english(reference: str, answer: str) -> None:
    reference, answer = _named(reference), _named(answer)
    assert changed_places(reference, answer, EN)
    assert changed_places(reference, answer, (EN[1], EN[0]))
    assert not changed_places(reference, reference, EN)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [
        ("奥斯马克批评维卢尼亚议会。", "维卢尼亚议会批评奥斯马克"),
        ("奥斯马克向维卢尼亚议会道歉", "维卢尼亚议会向奥斯马克道歉"),
        ("奥斯马克表示愿与维卢尼亚议会合作", "维卢尼亚议会表示愿与奥斯马克合作"),
        (
            "2001年5月3日，奥斯马克遭到维卢尼亚议会指责。",
            "2001年5月3日，维卢尼亚议会遭到奥斯马克指责。",
        ),
    ],
)
def test_an_exchange_is_seen_in_chinese(reference: str, answer: str) -> None:
    assert changed_places(reference, answer, ZH)
    assert not changed_places(reference, reference, ZH)


@pytest.mark.parametrize(
    ("reference", "answer", "parties"),
    [
        ("{a} visited {b}", "{B} was visited by {a}", EN),
        ("{a} praised {b}", "{B} received praise from {a}", EN),
        ("{a} held talks with {b}", "{B} held talks with {a}", EN),
        ("{a} criticised {b}", "It criticised the parliament", EN),
        ("奥斯马克指责维卢尼亚议会", "维卢尼亚议会受到奥斯马克指责", ZH),
        ("奥斯马克与维卢尼亚议会举行谈判", "维卢尼亚议会与奥斯马克举行谈判", ZH),
        ("奥斯马克批评维卢尼亚议会", "对维卢尼亚议会，奥斯马克提出批评", ZH),
    ],
)
def test_what_states_the_same_is_no_exchange(
    reference: str, answer: str, parties: tuple[str, str]
) -> None:
    assert not changed_places(_named(reference), _named(answer), parties)
