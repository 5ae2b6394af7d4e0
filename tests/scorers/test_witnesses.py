"""Each witness by itself: what it sees, and what it must not see."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from seqniah_scorers import authored
from seqniah_scorers.evidence import context, witnesses
from seqniah_scorers.evidence.sides import two_sides
from seqniah_scorers.evidence.witnesses import Kind, Pair
from seqniah_scorers.evidence.words import Vocabulary, read, stem
from seqniah_scorers.reading.cues import is_excluded
from seqniah_scorers.text import plain

NOTHING = read("")


def pair(
    ref: str,
    answer: str,
    *,
    asked: str = "",
    others: str = "",
    parties: tuple[str, ...] = (),
    comments: str = "",
) -> Pair:
    words = read(answer)
    return Pair(
        read(ref), words, words, answer, comments, read(asked), read(others).bag, (), parties
    )


def seen(kind: Kind, one: Pair) -> float:
    return witnesses.heard(one).get(kind, 0.0)


TABLE: list[tuple[Kind, str, str, bool]] = [
    (Kind.LOST, "I fed the goats and the hens", "fed the goats", True),
    (Kind.LOST, "I fed the goats", "He fed the goats", False),
    (Kind.LOST, "在阳台上种了薄荷", "在阳台上种薄荷", False),
    (Kind.NUMBER, "Wait for ten minutes", "Wait for twelve minutes", True),
    (Kind.NUMBER, "Wait for ten minutes", "Wait for 10 minutes in a warm place", False),
    (Kind.NUMBER, "审批需要一个月", "审批需要三个月", True),
    (Kind.NUMBER, "骑车二十公里", "骑车20公里", False),
    (Kind.NUMBER_NEAR, "I read three books", "I read books on 4 days", True),
    (Kind.REPLACED, "We met Anna in Paris", "We met Boris in Paris", True),
    (Kind.REPLACED, "看了《茶馆》", "看了《雷雨》", True),
    (Kind.REPLACED, "I cooked a fish soup", "He cooked a bean soup", True),
    (Kind.REPLACED, "I bought a bicycle", "He purchased a bike", False),
    (Kind.REPLACED, "在网上买了新衣服", "在网上卖了新衣服", True),
    (Kind.REPLACED, "I fed the goats", "Fed the goats in the morning", False),
    (Kind.NEGATED, "I caught the train", "I did not catch the train", True),
    (Kind.NEGATED, "I missed nothing", "I missed nothing", False),
    (Kind.NEGATED, "赶上了火车", "没有赶上火车", True),
    (Kind.NEGATED, "不仅买了书", "买了书", False),
    (Kind.OPPOSED, "I swam in the morning", "I swam in the evening", True),
    (Kind.OPPOSED, "I swam in the morning", "I swam one morning", False),
    (Kind.OPPOSED, "放宽制裁", "收紧制裁", True),
    (Kind.HEDGED, "I fed the goats", "I fed the goats (not mentioned in the text)", True),
    (Kind.HEDGED, "I fed the goats", "It is false that I fed the goats", True),
    (Kind.HEDGED, "I fed the goats", "Either I fed the goats or I fed the hens", True),
    (Kind.HEDGED, "Maybe it rained", "Maybe it rained", False),
    (Kind.HEDGED, "喂了山羊", "喂了山羊，但其实没有发生", True),
    (Kind.ADDED, "I fed the goats", "I fed the goats. I sold a boat to the mayor", True),
    (Kind.ADDED, "I fed the goats", "She fed the goats", False),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "ref", "answer", "there"), TABLE)
def test_what_a_witness_sees(kind: Kind, ref: str, answer: str, there: bool) -> None:
    assert (seen(kind, pair(ref, answer)) > 0) is there


@pytest.mark.parametrize(
    ("ref", "answer", "turned"),
    [
        ("Chile visited Peru.", "Peru visited Chile.", True),
        ("Chile accused Peru.", "Peru was accused by Chile.", False),
        ("Chile accused Peru.", "Chile was accused by Peru.", True),
        ("Peru faced an accusation from Chile.", "Chile accused Peru.", False),
        ("Chile negotiated with Peru.", "Peru negotiated with Chile.", False),
        ("Chile wanted to negotiate with Peru.", "Peru wanted to negotiate with Chile.", True),
        ("Chile accused Peru.", "accused Peru", False),
        ("Chile accused Peru.", "Chile came under accusation from Peru.", True),
        ("Chile appealed to Peru.", "An appeal from Chile reached Peru.", False),
        ("Chile praised Peru.", "Words of praise for Peru came from Chile.", False),
        ("Chile made demands of Peru.", "Peru faced Chile's demands.", False),
        ("Chile refused a request from Peru.", "Chile refused a request made by Peru.", False),
        ("A statement was made about Peru by Chile.", "Peru made a statement about Chile.", True),
        ("Chile hosted a visit from Peru.", "Peru visited Chile.", False),
        ("Chile hosted a visit from Peru.", "Peru hosted a visit from Chile.", True),
        ("Chile and Peru signed a letter.", "Peru and Chile signed a letter.", False),
    ],
)
def test_who_acts_on_whom(ref: str, answer: str, turned: bool) -> None:
    one = pair(ref, answer, parties=("Chile", "Peru"))
    assert (seen(Kind.TURNED, one) > 0) is turned


@pytest.mark.parametrize(
    ("ref", "answer", "turned"),
    [
        ("智利威胁秘鲁。", "智利受到秘鲁的威胁。", True),
        ("智利威胁秘鲁。", "秘鲁遭到智利威胁。", False),
        ("智利批评秘鲁。", "智利对秘鲁提出批评。", False),
        ("秘鲁被智利起诉。", "秘鲁对智利提起诉讼。", True),
        ("秘鲁面临智利的要求。", "智利向秘鲁提出要求。", False),
        ("智利接待了秘鲁的来访。", "秘鲁接待了智利的来访。", True),
        ("智利接待了秘鲁的来访。", "秘鲁访问了智利，由智利接待。", False),
    ],
)
def test_who_acts_on_whom_in_chinese(ref: str, answer: str, turned: bool) -> None:
    one = pair(ref, answer, parties=("智利", "秘鲁"))
    assert (seen(Kind.TURNED, one) > 0) is turned


def test_words_of_another_item_count_only_in_the_place_of_own_ones() -> None:
    swapped = pair("I fed the goats at dawn", "I fed the hens at dawn", others="I sold the hens")
    assert seen(Kind.BORROWED, swapped) > 0
    kept = pair("I fed the goats", "I fed the goats and hens", others="I sold the hens")
    assert seen(Kind.BORROWED, kept) == 0


def test_a_copy_says_nothing_against_itself() -> None:
    for text in ("I fed the goats, maybe not all.", "没有赶上火车，差点迟到。"):
        assert witnesses.heard(pair(text, text)) == {Kind.PAIR: 1.0}


def test_a_change_weighs_more_the_more_closely_the_others_are_copied() -> None:
    heard = witnesses.heard(pair("I cooked a fish soup", "He cooked a bean soup"))
    beside_copies = context.among_copies(heard, 1.0, 1.0, 1.0)
    beside_paraphrases = context.among_copies(heard, 1.0, 0.3, 1.0)
    assert beside_copies[Kind.COPY_REPLACED] > 0.9
    assert beside_paraphrases[Kind.COPY_REPLACED] < 0.01


def test_two_sides_are_the_questions_names_that_most_items_have() -> None:
    items = ["Sudan accused Eritrea.", "Eritrea hosted Sudan.", "Sudan visited Eritrea."]
    assert two_sides(items, "What happened between Sudan and Eritrea?") == ("Sudan", "Eritrea")
    assert two_sides(items, "What happened?") == ()
    joint = ["Both sides talked.", "The two countries signed.", *items]
    assert two_sides(joint, "What happened between Sudan and Eritrea?") == ("Sudan", "Eritrea")
    zh = ["越南访问了菲律宾。", "菲律宾接待了越南。"]
    assert two_sides(zh, "越南与菲律宾有哪些互动？") == ("越南", "菲律宾")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("negotiated", "negotiations"),
        ("bought", "purchase"),
        ("favourite", "favorite"),
        ("criticised", "denounced"),
        ("children", "kids"),
    ],
)
def test_words_of_one_meaning_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_traditional_characters_are_read_as_simplified_ones() -> None:
    assert read("鍛鍊身體").bag == read("锻炼身体").bag


def test_a_gram_that_most_items_have_tells_little() -> None:
    items = [read(f"Chile {verb} Peru.") for verb in ("visited", "accused", "praised")]
    known = Vocabulary(items, NOTHING)
    named, told = read("Chile and Peru"), read("praised")
    assert known.covered(2, known.marks(named)[0]) < known.covered(2, known.marks(told)[0])


def test_whatever_a_cue_finds_has_a_word_that_tells_of_it() -> None:
    # Witnesses look for cues only where such a word stands.
    named = ("negation_en", "negation_zh", "hedge", "brief", "unstated")
    cues = list(map(authored.patterns("evidence/cues.toml"), named))
    found = 0
    for path in sorted((Path(__file__).parent / "answers").glob("*.jsonl")):
        for row in map(json.loads, path.open(encoding="utf-8")):
            for line in plain(row["response"]).splitlines():
                if is_excluded(line) or any(cue.search(line.lower()) for cue in cues):
                    found += 1
                    assert read(line).doubtful, line
    assert found > 400
