"""Sentence ends against a table marked by hand, and the properties that hold for any bytes."""

from __future__ import annotations

import mmap
import os
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seqniah_datasets.segment import segment

# A bar stands at each sentence end. The marks were set by reading, before the code ran. Where a
# text is ambiguous the table asks for no end, as the module promises.
ENGLISH = {
    "plain": "He left.| She stayed.|",
    "question": "Is it true?| It is.|",
    "exclamation": "Stop!| It is late.|",
    "one-sentence": "He left.|",
    "no-terminator": "He left",
    "empty": "",
    "only-stop": ".",
    "only-spaces": "  \n\n ",
    "two-spaces": "He left.|  She stayed.|",
    "tab": "He left.|\tShe stayed.|",
    "trailing-newline": "He left.|\n",
    "interrobang": "He left?!| She stayed.|",
    "run-of-marks": "No!!!| Yes.|",
    "paragraph": "He left.|\n\nshe stayed.|",
    "windows-paragraph": "He left.|\r\n\r\nshe stayed.|",
    "heading": "A short history\n\nHe left.|",
    "heading-last": "He left.|\n\nThe end",
    "wrapped-line": "He left.|\nShe stayed.|",
    "wrapped-line-goes-on": "He paid approx.\nfive pounds.|",
    "wrapped-quote-goes-on": '"Why?"\nhe asked.|',
    "wrapped-initial": "He met J.\nSmith.|",
    "wrapped-title": "He met Mr.\nSmith.|",
    "wrapped-no-stop": "He left\nthe house.|",
    "bullet-list": "- First thing.|\n- second thing.|",
    "star-list": "* First thing.|\n* second thing.|",
    "dash-goes-on": '"Why?"\n--he asked.|',
    "decimal": "It cost 3.14 pounds.|",
    "decimal-long": "The value 83.634 rose.|",
    "decimal-end": "It cost 3.14.| He paid.|",
    "thousands": "It cost 1,000.50 or 1.000.000 in all.|",
    "version": "Use 2.0.1 now.|",
    "version-end": "Use version 2.0.1.| It is new.|",
    "time-of-day": "At 10.30 he left.|",
    "section-number": "See section 4.2.1 below.|",
    "section-heading": "4.2. Results\n\nHe left.|",
    "chapter-heading": "Chapter 4. The war\n\nHe left.|",
    "roman-heading": "CHAPTER IV. The war\n\nHe left.|",
    "roman-heading-alone": "CHAPTER IV.\n\nHe left.|",
    "year-end": "The war began in 1812.| He left.|",
    "year-end-paragraph": "It was 1812.|\n\nhe left.|",
    "king": "King Louis XIV. Later he left.|",
    "mr": "He met Mr. Smith.|",
    "mrs": "He met Mrs. Smith.|",
    "dr": "He met Dr. Smith.|",
    "prof": "He met Prof. Smith.|",
    "st": "He saw St. Petersburg.|",
    "vs": "It was Smith vs. Jones.|",
    "etc-middle": "He had pens, etc. and left.|",
    "etc-capital": "He had pens, etc. She left.|",
    "etc-end": "He had pens, etc.|",
    "etc-paragraph": "He had pens, etc.|\n\nShe left.|",
    "eg": "Buy fruit, e.g. Apples.|",
    "ie": "The king, i.e. Louis, left.|",
    "cf": "See cf. Smith.|",
    "no-number": "He took No. 5 today.|",
    "no-number-lower": "He took no. 5 today.|",
    "no-answer": "He said no.| She left.|",
    "fig-number": "See Fig. 3 below.|",
    "fig-letter": "See Fig. A below.|",
    "sect-number": "See Sect. 3 below.|",
    "prop-number": "See Prop. 3 below.|",
    "page-number": "See p. 12 below.|",
    "pages": "See pp. 12 and 13.|",
    "volume": "See Vol. II of it.|",
    "approx": "It is approx. 5 miles.|",
    "inc": "He works at Acme Inc. She left.|",
    "ltd": "Acme Ltd. Builders left.|",
    "co": "Smith & Co. Builders left.|",
    "corp": "Acme Corp. Builders left.|",
    "jr": "John Smith Jr. Builders left.|",
    "sr": "John Smith Sr. left.|",
    "gen": "He met Gen. Smith.|",
    "col": "He met Col. Smith.|",
    "capt": "He met Capt. Smith.|",
    "lt-col": "He met Lt. Col. Smith.|",
    "sgt": "He met Sgt. Smith.|",
    "capitals-title": "HE MET CAPT. SMITH.|",
    "bros": "He joined Warner Bros. Pictures.|",
    "rev": "He met Rev. Smith.|",
    "hon": "He met Hon. Smith.|",
    "january": "On Jan. 5 he left.|",
    "february-year": "In Feb. 1812 he left.|",
    "december": "On Dec. The fifth he left.|",
    "monday": "On Mon. The fifth he left.|",
    "am": "At 5 a.m. he left.|",
    "pm-capital": "At 5 p.m. He left.|",
    "us-noun": "The U.S. Army left.|",
    "un": "The U.N. Charter is old.|",
    "uk-end": "He lives in the U.K.|",
    "phd": "He has a Ph.D. She left.|",
    "initials": "It is by J. R. R. Tolkien.|",
    "initials-joined": "It is by J.R.R. Tolkien.|",
    "initial-quoted": "“J. Smith left.”|",
    "initial-quoted-straight": "It said 'J. Smith left.'|",
    "et-al": "Smith et al. The rest left.|",
    "unlisted-vowelless": "He met Wm. Smith and Mssrs. Brown.|",
    "unlisted-unit": "It took 5 hrs. He left.|",
    "acronym": "It uses HTML.| He left.|",
    "accented-word": "He met Borís.| She left.|",
    "accented-name": "He met Natásha Rostóv.| She left.|",
    "contraction": "He said he won't.| She left.|",
    "contraction-curly": "He said he won’t.| She left.|",
    "possessive-curly": "It was Rostóv’s.| She left.|",
    "plural-year": "It was the 1990s.| She left.|",
    "ellipsis-lower": "He was... gone.|",
    "ellipsis-upper": "He was... She left.|",
    "ellipsis-typographic": "He was… She left.|",
    "ellipsis-paragraph": "He was...|\n\nshe left.|",
    "ellipsis-question": "He was...?| She left.|",
    "ellipsis-four": "He was.... She left.|",
    "ellipsis-spaced": "He was . . . Gone.|",
    "leaders": "The war ........ 5\n\nHe left.|",
    "file-name": "Open readme.txt now.|",
    "file-name-upper": "Open annex_3.PDF now.|",
    "file-name-end": "Open annex_3.toml.| It is long.|",
    "file-name-vowelless": "Open annex_3.pdf. It is long.|",
    "url": "See https://www.example.org/a.html?q=B&x=1 now.|",
    "url-end": "See www.example.org.| It is long.|",
    "mail": "Write to j.smith@example.org today.|",
    "dotted-call": "Call np.take(a) or a.b.C now.|",
    "no-space": "He left.She stayed.|",
    "hidden-file": "Open .Profile now.|",
    "stop-after-space": "He left . She stayed.|",
    "list-number": "1. First thing\n2. Second thing\n",
    "list-number-indented": "He left.|\n\n   12. Second thing\n",
    "list-letter": "a. First thing\nB. Second thing\n",
    "list-roman": "ii. First thing\niii. Second thing\n",
    "list-inline": "He gave two: 1. It is raining.| 2. It is cold.|",
    "lower-follows": "He left. and she stayed.|",
    "quote-double": '"He left."| She stayed.|',
    "quote-typographic": "“He left.”| She stayed.|",
    "quote-single": "‘He left.’| She stayed.|",
    "quote-guillemet": "«He left.»| She stayed.|",
    "quote-nested": "“He said ‘I left.’”| She stayed.|",
    "quote-opens-next": "He left.| “She stayed.”|",
    "quote-opens-straight": 'He left.| "She stayed."|',
    "quote-quote": "“Why?”| “Because.”|",
    "quote-opens-lower": "He left. “so he said”",
    "quote-detached": 'He left. " She stayed.|',
    "asked-lower": '"Why?" he asked.|',
    "asked-lower-typographic": "“Stop!” he cried.|",
    "asked-name": '"Why?" Peter asked.|',
    "asked-title": "“Stop!” Prince Andrew cried.|",
    "asked-footnote": "“Stop!” *(2) Peter cried.|",
    "asked-aside": "“Stop!” (Peter cried it.)|",
    "asked-i": "“Why?” I asked.|",
    "asked-new-sentence": "“Why?”| The others left.|",
    "asked-pronoun": "“Stop!”| They left.|",
    "asked-paragraph": "“Why?”|\n\nPeter left.|",
    "inside-quote": "“Was he well?| When did he leave?” and so on.|",
    "bracket": "(He left.)| She stayed.|",
    "bracket-square": "[He left.]| She stayed.|",
    "bracket-opens": "He left.| (She stayed.)|",
    "bracket-exclamation": "He ate (yes!) Peter's cake.|",
    "bracket-reference": "He left (see p. 5).| She stayed.|",
    "stop-after-quote": "He said “no”.| She left.|",
    "stop-after-bracket": "He left (at 5 a.m.).| She stayed.|",
    "comma-after-quote": "“Really?”, he said.|",
    "emphasis": "He said _no._| She left.|",
    "bold": "**He left.**| She stayed.|",
    "digit-follows": "He left at night.| 5 men stayed.|",
    "digit-both": "He has 5. 6 men stayed.|",
    "percent": "It rose 5%.| She left.|",
    "nbsp-after-title": "He met Mr.\u00a0Smith.|",
    "nbsp-between": "He left.|\u00a0She stayed.|",
    "accented-capital": "He left.| Élan is rare.|",
}
CHINESE = {
    "zh-plain": "他走了。|她留下。|",
    "zh-question": "他走了吗？|她留下。|",
    "zh-exclamation": "他走了！|她留下。|",
    "zh-run": "他走了！？|她留下。|",
    "zh-no-terminator": "他走了",
    "zh-comma": "他走了，她留下。|",
    "zh-semicolon": "他走了；她留下。|",
    "zh-colon": "他说：她留下。|",
    "zh-enumeration": "天、地、人都在。|",
    "zh-paragraph": "他走了。|\n\n她留下。|",
    "zh-line": "他走了。|\n她留下。|",
    "zh-indented": "他走了。|\n    她留下。|",
    "zh-ideographic-space": "他走了。|\n\u3000\u3000她留下。|",
    "zh-heading": "第一回 开卷\n\n他走了。|",
    "zh-heading-last": "他走了。|\n\n第二回",
    "zh-quote-stop": "他说：“我走了。”|她留下。|",
    "zh-quote-corner": "他说：「我走了。」|她留下。|",
    "zh-quote-double-corner": "他说：『我走了。』|她留下。|",
    "zh-quote-single": "他说：‘我走了。’|她留下。|",
    "zh-quote-nested": "他说：“她说‘我走了。’”|她留下。|",
    "zh-quote-line": "他说：“我走了！”|\n她留下。|",
    "zh-quote-end": "他说：“你走吗？”|",
    "zh-asked": "“你走吗？”他说。|",
    "zh-cried": "“快走！”她喊道，他没动。|",
    "zh-asked-aside": "“快走！”（他喊）没人动。|",
    "zh-adverb": "他“啊！”地叫了一声。|",
    "zh-attribute": "他听到“我走了。”的回答。|",
    "zh-and-so-on": "故曰“我走了。”云云。|",
    "zh-quote-comma": "“我走了。”，他说。|",
    "zh-quote-quote": "“你走吗？”|“我走。”|",
    "zh-quote-quote-corner": "「你走吗？」|「我走。」|",
    "zh-quote-opens": "他走了。“她留下。”|",
    "zh-quote-opens-corner": "他走了。|「她留下。」|",
    "zh-quote-opens-line": "他走了。|\n“她留下。”|",
    "zh-quote-swapped": "他笑道。”我走了。”|",
    "zh-quote-straight-unsure": '他说："我走了。"她留下。|',
    "zh-quote-straight-line": '他说："我走了。"|\n她留下。|',
    "zh-quoted-mark": "句号“。”和叹号“！”都有。|",
    "zh-stop-after-quote": "他说“我走了”。|她留下。|",
    "zh-mark-after-quote": "他说“我走了”！|她留下。|",
    "zh-bracket": "（他走了。）|她留下。|",
    "zh-bracket-asked": "他（走了吗？）没有动。|",
    "zh-bracket-opens": "他走了。|（她留下。）|",
    "zh-bracket-black": "【他走了。】|她留下。|",
    "zh-title-mark": "他看了《你是谁？》这本书。|",
    "zh-title-opens": "他走了。|《石头记》在此。|",
    "zh-ellipsis": "他走了……她留下。|",
    "zh-ellipsis-line": "他走了……|\n她留下。|",
    "zh-ellipsis-end": "他走了……|",
    "zh-ellipsis-quote-end": "他说：“我走了……”|",
    "zh-ellipsis-quote-line": "他说：“我走了……”|\n她留下。|",
    "zh-ellipsis-quote-goes-on": "“我走了……”他说。|",
    "zh-ellipsis-stop": "他走了……。|她留下。|",
    "zh-ellipsis-mark": "他走了……！|她留下。|",
    "zh-ellipsis-dots": "他走了...她留下。|",
    "zh-ellipsis-circles": "他走了。。。她留下。|",
    "zh-dash": "天哪！——他走了。|",
    "zh-decimal": "长3.14米，重83.634斤。|",
    "zh-version": "请用2.0.1版。|",
    "zh-list-number": "1. 他走了\n2. 她留下\n",
    "zh-list-number-tight": "1.他走了。|\n2.她留下。|",
    "zh-ascii-marks": "他走了!|她留下吗?|他说。|",
    "zh-ascii-asked": "“快走!”他说。|",
    "zh-ascii-stop-tight": "他走了.她留下。|",
    "zh-ascii-stop-space": "他走了.| 她留下。|",
    "zh-fullwidth-stop": "他走了．她留下。|",
    "zh-space": "他走了。| 她留下。|",
    "zh-space-asked": "“快走！” 他说。|",
    "zh-entity": "他走了。&#039;她留下。|",
    "zh-character-ends-82": "他看了梂。|她留下。|",
    "zh-four-byte": "他看了𠀀。|𠀀在此。|",
    "ja-kana": "そうですあ。|はい。|",
    "mixed-english-after": "他走了。|He left.|",
    "mixed-lower-after": "他走了。|iPhone在此。|",
    "mixed-chinese-after": "He left.| 她留下。|",
    "mixed-chinese-tight": "He left.她留下。|",
    "mixed-abbreviation": "他见了Mr. 王。|",
    "mixed-digit-after": "他走了。|3人留下。|",
    "mixed-word-before": "他用HTML。|她留下。|",
    "mixed-file": "请打开readme.txt。|",
    "mixed-url": "请看www.example.org/a?b=c。|",
    "mixed-quote": "He said “我走了。”| She left.|",
}
TABLE = ENGLISH | CHINESE

# Pieces that meet in every order, so that rules meet each other.
PIECES = [
    *(
        "He left",
        "Mr",
        "etc",
        "no",
        "14",
        "IV",
        "don't",
        "The",
        "...",
        "他走了",
        "……",
        "  ",
        "\n\n",
    ),
    *"3Jéx ..!?…”“\"')(*-,\n\t道的あ𠀀。。！？」「，\u3000·",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
BYTES = st.one_of(
    st.binary(max_size=200),
    st.lists(st.sampled_from(list(b"\xe3\x80\x82\xef\xbc\x81\n .A")), max_size=60).map(bytes),
    TEXTS.map(str.encode),
)


def marked(case: str) -> tuple[bytes, list[int]]:
    parts = case.encode().split(b"|")
    return b"".join(parts), np.cumsum([len(part) for part in parts[:-1]], dtype=int).tolist()


def show(text: bytes, ends: list[int]) -> str:
    """The text with a bar at each end, so that a failure reads like the table."""
    cuts = [0, *ends, len(text)]
    return b"|".join(text[a:b] for a, b in pairwise(cuts)).decode()


def real(name: str) -> bytes:
    root = os.environ.get("SEQNIAH_REAL_DATA")
    path = Path(root or "") / "corpora" / name
    if not root or not path.is_file():
        pytest.skip(f"set SEQNIAH_REAL_DATA to a folder that holds corpora/{name}")
    return path.read_bytes()


def starts_character(text: bytes, offset: int) -> bool:
    return offset == len(text) or text[offset] & 0xC0 != 0x80


@pytest.mark.parametrize("case", TABLE.values(), ids=TABLE.keys())
def test_ends_are_those_marked_by_hand(case: str) -> None:
    text, _ = marked(case)
    assert show(text, segment(text).ends.tolist()) == case


def test_the_table_is_large() -> None:
    assert len(ENGLISH) >= 80
    assert len(CHINESE) >= 60


ANCHORED = {
    "plain": "He left^. She stayed^!",
    "digit": "It cost 3.14^. He paid^?",
    "quoted": "“He left^.” She stayed^.",
    "run": "He left^?! She stayed^...?",
    "after-bracket": "He left (at 5 a.m.). She stayed^.",
    "after-quote": "He said “no”. She left^.",
    "not-an-end": "He met Mr. Smith^.",
    "accent": "He met René. She left^.",
    "ideograph": "他走了^。她留下^！",
    "ideograph-quoted": "他说：“我走了^。”她留下^……",
    "first-and-last-ideograph": "一^。龥^。",
    "outside-ideographs": "㐀。𠀀。あ。",
    "letter-before-wide": "他用HTML^。",
}


@pytest.mark.parametrize("case", ANCHORED.values(), ids=ANCHORED.keys())
def test_anchors_stand_between_a_letter_and_the_terminator(case: str) -> None:
    text, expected = marked(case.replace("^", "|"))
    assert segment(text).anchors.tolist() == expected


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_is_read(kind: type) -> None:
    text, expected = marked(TABLE["plain"])
    assert segment(kind(text)).ends.tolist() == expected


def test_arrays_and_maps_are_read(tmp_path: Path) -> None:
    text, expected = marked(TABLE["zh-plain"])
    assert segment(np.frombuffer(text, np.uint8)).ends.tolist() == expected
    (tmp_path / "text").write_bytes(text)
    with (tmp_path / "text").open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        assert segment(memoryview(mapped)).ends.tolist() == expected
    assert segment(np.memmap(tmp_path / "text", np.uint8, "r")).ends.tolist() == expected


def test_only_bytes_are_read() -> None:
    with pytest.raises(TypeError, match="1-d uint8"):
        segment(np.zeros(3, np.int64))
    with pytest.raises(TypeError, match="1-d uint8"):
        segment(np.zeros((3, 3), np.uint8))


@settings(deadline=None)
@given(BYTES)
def test_any_bytes_give_increasing_offsets_in_range(text: bytes) -> None:
    ends, cuts = segment(text)
    for offsets in (ends, cuts):
        assert offsets.dtype == np.int64
        assert (np.diff(offsets) > 0).all()
        assert ((offsets > 0) & (offsets <= len(text))).all()


@settings(deadline=None)
@given(TEXTS)
def test_offsets_are_on_character_boundaries(string: str) -> None:
    text = string.encode()
    ends, cuts = segment(text)
    assert all(starts_character(text, end) for end in ends.tolist())
    for cut in cuts.tolist():
        assert text[cut:].decode()[0] in ".!?。！？…"
        left = text[:cut].decode()[-1]
        assert (left.isascii() and left.isalnum()) or "\u4e00" <= left <= "\u9fa5"


@settings(deadline=None)
@given(TEXTS)
def test_a_point_between_digits_is_no_end(string: str) -> None:
    text = string.encode()
    for end in segment(text).ends.tolist():
        before, after = text[end - 2 : end], text[end : end + 1]
        assert not (before[-1:] == b"." and before[:1].isdigit() and after.isdigit())


@settings(deadline=None)
@given(BYTES, st.integers(1, 12))
def test_blocks_do_not_change_the_result(text: bytes, block: int) -> None:
    whole, blocks = segment(text), segment(text, block=block)
    assert whole.ends.tolist() == blocks.ends.tolist()
    assert whole.anchors.tolist() == blocks.anchors.tolist()


@pytest.mark.parametrize("block", [1, 7, 64, 255, 256, 257])
def test_blocks_do_not_change_long_runs(block: int) -> None:
    runs = (b"." * 700, b" " * 700, b"\n" * 700, b"!" * 700, b'"' * 700, "。".encode() * 300)
    text = b"He left." + b"".join(b"Yes." + run + b" The end." for run in runs)
    assert segment(text, block=block).ends.tolist() == segment(text).ends.tolist()


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_paragraphs_do_not_change_each_other(first: str, second: str) -> None:
    a, b = (first + "He left.").encode(), second.encode()
    joined = segment(a + b"\n\n" + b)
    for whole, left, right in zip(joined, segment(a), segment(b), strict=True):
        assert whole.tolist() == [*left.tolist(), *(right + len(a) + 2).tolist()]


def test_table_entries_do_not_change_each_other() -> None:
    finished = [marked(case) for case in TABLE.values() if case.endswith("|")]
    text, expected = b"", list[int]()
    for part, ends in finished:
        expected += [len(text) + end for end in ends]
        text += part + b"\n\n"
    assert show(text, segment(text).ends.tolist()) == show(text, expected)


REAL = ["en/war_and_peace.txt", "zh/story_of_the_stone.txt"]


@pytest.mark.parametrize("name", REAL)
def test_real_text_holds_the_properties(name: str) -> None:
    text = real(name)
    ends, cuts = segment(text)
    assert ends.size > 25_000
    assert all(starts_character(text, end) for end in ends.tolist())
    assert segment(text, block=100_003).ends.tolist() == ends.tolist()
    assert np.isin(cuts, ends).sum() == 0
    for title in (b"Mr.", b"Mrs.", b"Dr.", b"St."):
        assert not any(text[max(end - 5, 0) : end].split()[-1:] == [title] for end in ends.tolist())


def test_most_paragraphs_of_real_prose_are_found() -> None:
    """Paragraphs after a full stop are ends for certain, without judging any sentence."""
    text = real(REAL[0])
    sure = [i for i in range(1, len(text)) if text[i : i + 2] == b"\n\n" and text[i - 1] in b".!?"]
    assert np.isin(sure, segment(text).ends).mean() > 0.97
