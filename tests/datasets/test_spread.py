"""Stars in a sky: once each, in order, even, at exact offsets, in a prompt of the exact length."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
import tokenizers
from how_many import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import decoders, models, normalizers, pre_tokenizers, trainers

from seqniah_datasets import rendering, rng, spread, tokens
from seqniah_datasets.corpora import corpus, procedural
from seqniah_datasets.corpora.haystacks import DocumentRef
from seqniah_datasets.errors import CorpusError, SeqniahError
from seqniah_datasets.haystack import Frame
from seqniah_datasets.rulers import Sky
from seqniah_datasets.schema import LANGS, Lang, Needle, Origin, QAItem, Recipe, StarTask
from seqniah_datasets.segment import segment
from seqniah_datasets.sources import stars
from seqniah_datasets.sources.stars import PLAYERS, Star
from seqniah_datasets.spread import SNAPS, Placed, Skies, Snap, Spread, Unit

FRAME = {
    "en": Frame("", "\n\nHow many ★ did the little penguin count? List all numbers."),
    "zh": Frame("", "\n\n小企鹅每次数了多少颗★？请列出所有数字。"),
}


def _wanted(
    lang: Lang,
    many: int,
    length: int,
    snap: Snap = "none",
    unit: Unit = "tokens",
    task: StarTask = StarTask.SEARCHING,
    players: int = 1,
) -> Spread:
    """What is wanted of a prompt; only the first player's stars are asked for."""
    key = ("test", lang, many, length)
    right = stars.numbers(many, "increasing", rng.stream(*key))
    wrong = (
        stars.mistakes(right, rng.stream(*key, "m"))
        if task is StarTask.REASONING
        else [None] * many
    )
    owners = stars.dealt(many, players, rng.stream(*key, "d"))
    placed: list[Placed] = []
    needles: list[Needle] = []
    for number, owner, mistake in zip(right, owners, wrong, strict=True):
        text = stars.sentence(lang, Star(number, PLAYERS[lang][owner], mistake))
        placed.append(Placed(text, None if owner else len(needles)))
        if not owner:
            needles.append(Needle(text, str(number), str(number), None))
    qa = QAItem(lang, task, PLAYERS[lang][0].name, "?", "", tuple(needles), order_required=True)
    return Spread(
        "one", Origin(1, "test", "test"), qa, placed, FRAME[lang], length, snap, unit, task
    )


def _skies(path: Path, lang: Lang, unit: Unit = "tokens", encoding: str = "cl100k_base") -> Skies:
    opened = corpus(str(path), encoding, path.parent / "cache")
    return Skies(Sky(opened, opened.candidates(lang, 1)[0]), unit, lang)


def _made(wanted: Spread, skies: Skies) -> Recipe:
    return spread.recipe(wanted, skies, spread.layout(wanted, skies))


def _places(prompt: str, document: bytes, wanted: Spread) -> tuple[list[int], int]:
    """Where the stars stand, in bytes of the document, and where it ends; read from the prompt.

    Fails unless every star stands there once, in order and on a line of its own, and what is left
    is the beginning of the document.
    """
    body = prompt.encode()
    assert body.startswith(wanted.frame.before.encode())
    assert body.endswith(wanted.frame.after.encode())
    body = body[len(wanted.frame.before.encode()) : -len(wanted.frame.after.encode())]
    found: list[int] = []
    passed = 0
    for star in wanted.stars:
        line = f"\n{star.text}".encode()
        assert body.count(line) == 1
        before, _, body = body.partition(line)
        assert document[passed : passed + len(before)] == before
        passed += len(before)
        found.append(passed)
        assert not body or body[:1] == b"\n"
        if document[passed : passed + 1] != b"\n":
            body = body[1:]
    assert document[passed : passed + len(body)] == body
    return found, passed + len(body)


def _check(wanted: Spread, skies: Skies, encoding: str = "cl100k_base") -> tuple[list[int], int]:
    """Everything that holds of any prompt; returns what `_places` does."""
    made, opened = _made(wanted, skies), skies.sky.corpus
    sample = rendering.render(made, opened)
    document = bytes(skies.sky.text)
    places, end = _places(sample.input, document, wanted)
    assert made.tokens == sample.tokens == tokens.tokenizer(encoding).count(sample.input)
    assert made.sha256 == hashlib.sha256(sample.input.encode()).hexdigest()
    assert made.window.end - made.window.start == end
    raw = sample.input.encode()
    asked = [star.text for star in wanted.stars if star.needle is not None]
    assert [raw[span.start : span.end].decode() for span in sample.spans] == asked
    depths = [
        at / end for at, star in zip(places, wanted.stars, strict=True) if star.needle is not None
    ]
    assert [span.depth for span in sample.spans] == pytest.approx(depths, abs=1e-9)
    return places, end


@lru_cache(maxsize=32)
def _cuts(document: bytes, unit: Unit, encoding: str) -> list[int]:
    """Where each unit of the document ends, told without the rulers."""
    text = document.decode()
    if unit == "characters":
        return list(accumulate(len(char.encode()) for char in text))
    if unit == "words":
        return [len(text[: word.end()].encode()) for word in re.finditer(r"\S+", text)]
    counter = tokens.tokenizer(encoding)
    assert isinstance(counter, tokens.BytePairTokenizer)
    engine = counter._engine
    ends = accumulate(map(len, engine.decode_tokens_bytes(engine.encode_ordinary(text))))
    # A token may end within a character.
    text = [(end, document[max(0, end - 3) : end]) for end in ends]
    return [end - len(tail) + len(_whole(tail)) for end, tail in text]


def _whole(tail: bytes) -> bytes:
    """Without a character at the end that is not whole; it may begin within one."""
    body = tail.lstrip(bytes(range(0x80, 0xC0)))
    return tail[: len(tail) - len(body)] + body.decode(errors="ignore").encode()


def _assert_even(places: Sequence[int], ideal: Sequence[int], slack: int = 0) -> None:
    """None is further from its ideal place than half the way to the next ideal one."""
    borders = [0, *ideal, 2 * ideal[-1]]
    for number, at in enumerate(places):
        low, middle, high = borders[number : number + 3]
        assert (low + middle) / 2 - 1 - slack <= at <= (middle + high) / 2 + slack


@pytest.mark.parametrize("encoding", list(tokens.ENCODINGS))
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("snap", SNAPS)
@pytest.mark.parametrize(("many", "length"), [(8, 1_000), (32, 4_000), (16, 7_777), (64, 9_600)])
def test_stars_are_even_in_a_prompt_of_the_right_length(
    texts: Path, lang: Lang, encoding: str, snap: Snap, many: int, length: int
) -> None:
    wanted = _wanted(lang, many, length, snap)
    skies = _skies(texts, lang, encoding=encoding)
    places, end = _check(wanted, skies, encoding)
    assert places[-1] == end
    document, made = bytes(skies.sky.text), _made(wanted, skies)
    cuts = _cuts(document, "tokens", encoding)
    whole = sum(cut <= end for cut in cuts)
    ideal = [cuts[whole * (place + 1) // many - 1] for place in range(many - 1)]
    _assert_even(places, [*ideal, end])
    if snap == "none":
        assert made.tokens == length
        # Stars but the last are off by what was added to it, at most.
        for at, right in zip(places, ideal, strict=False):
            assert abs(at - right) < 120
        return
    ends = [0, *segment(document).ends.tolist()]
    longest = max(high - low for low, high in pairwise(ends))
    short = length - made.tokens
    assert 0 <= short <= (longest if snap == "sentence" else 12)
    if snap == "sentence":
        _assert_after_sentences(places, [*ideal, end], ends, document)
    else:
        _assert_between_words(places, document)


def _assert_after_sentences(
    places: Sequence[int], ideal: Sequence[int], ends: Sequence[int], document: bytes
) -> None:
    """Wherever a sentence ends well within half a step, the star follows one."""
    past = {end + len(document[end:]) - len(document[end:].lstrip(b" \t")) for end in ends}
    borders = [0, *ideal, ideal[-1]]
    for number, at in enumerate(places[:-1]):
        low, middle, high = borders[number : number + 3]
        near = [one for one in past if (low + middle) / 2 + 1 < one < (middle + high) / 2 - 1]
        assert at in past or not near
        # The place aimed at is known to a token: of two ends as far from it, either may be taken.
        assert not near or abs(at - middle) <= min(abs(one - middle) for one in near) + 6
        assert not document[at:].startswith((b" ", b"\t"))
    # The sky itself ends likewise, if that does not cost it more than half a step.
    step = ideal[-1] / len(ideal)
    assert places[-1] in ends or not [end for end in ends if 0 < places[-1] - end < step / 2 - 99]


def _assert_between_words(places: Sequence[int], document: bytes) -> None:
    letter = re.compile(r"[A-Za-z0-9À-ɏ]")
    for at in places:
        before, after = (
            document[:at].decode()[-1:],
            document[at : at + 40].decode(errors="ignore")[:1],
        )
        assert not (letter.match(before) and letter.match(after)), (before, after)


@settings(max_examples=examples(25), deadline=None)
@given(
    lang=st.sampled_from(LANGS),
    many=st.integers(1, 90),
    length=st.integers(600, 12_000),
    snap=st.sampled_from(SNAPS),
    task=st.sampled_from(list(StarTask)),
    encoding=st.sampled_from(list(tokens.ENCODINGS)),
)
@example(  # hardly a character a star
    lang="zh", many=34, length=601, snap="none", task=StarTask.PLAYERS, encoding="cl100k_base"
)
def test_any_number_of_stars_stands_once_each_in_any_length(
    texts: Path, lang: Lang, many: int, length: int, snap: Snap, task: StarTask, encoding: str
) -> None:
    players = min(many, 3) if task is StarTask.PLAYERS else 1
    wanted = _wanted(lang, many, length, snap, task=task, players=players)
    skies = _skies(texts, lang, encoding=encoding)
    try:
        _check(wanted, skies, encoding)
    except SeqniahError as error:
        assert "do not fit" in str(error)
        count = tokens.tokenizer(encoding).count
        least = sum(count(star.text) + 1 for star in wanted.stars) + count(wanted.frame.after)
        assert least + 3 * many > length, "they do fit"
        return
    made = _made(wanted, skies)
    assert made.tokens <= length
    if snap == "none" and many > 4:
        assert made.tokens == length
    elif snap == "none":
        # A character has up to three tokens, and a mark before it one with the line break: with
        # "，\n" 597 tokens and with "，病\n" 601, there is no prompt of 598 to 600.
        assert made.tokens >= length - 3


def test_the_length_in_english_that_a_few_characters_more_did_not_reach(texts: Path) -> None:
    # Tokens of Qwen are words here; with one star a character more or less decides.
    skies = _skies(texts, "en", encoding="qwen")
    for length in range(4_270, 4_300):
        assert (
            _made(_wanted("en", 32, length, players=4, task=StarTask.PLAYERS), skies).tokens
            == length
        )


# As released: the sky has int(L x factor) units; star i follows the (i + 1)-th of its M-ths.
RELEASED: list[tuple[Lang, Unit, StarTask, float]] = [
    ("en", "words", StarTask.SEARCHING, 0.82),
    ("en", "words", StarTask.REASONING, 0.815),
    ("zh", "characters", StarTask.SEARCHING, 0.725),
    ("zh", "characters", StarTask.REASONING, 0.72),
    ("en", "characters", StarTask.SEARCHING, 1.0),
]


@pytest.mark.parametrize(("lang", "unit", "task", "factor"), RELEASED)
@pytest.mark.parametrize(("many", "length"), [(32, 4_000), (7, 8_000), (16, 12_345)])
def test_published_units_give_the_released_sizes_and_places(
    texts: Path, lang: Lang, unit: Unit, task: StarTask, factor: float, many: int, length: int
) -> None:
    wanted = _wanted(lang, many, length, "none", unit, task)
    skies = _skies(texts, lang, unit)
    places, end = _check(wanted, skies)
    size = int(length * factor)
    cuts = _cuts(bytes(skies.sky.text), unit, "cl100k_base")
    assert end == cuts[size - 1]
    assert places == [cuts[size // many * (place + 1) - 1] for place in range(many)]


@pytest.mark.parametrize(("lang", "unit", "task", "factor"), RELEASED)
def test_published_sizes_are_those_of_the_released_arithmetic(
    lang: Lang, unit: Unit, task: StarTask, factor: float
) -> None:
    for parts in (16, 32):
        for part in range(1, parts + 1):
            length = 128_000 * part // parts
            assert spread.published_size(length, unit, lang, task) == int(length * factor)


@pytest.mark.parametrize(("lang", "unit"), [("en", "words"), ("zh", "characters")])
@pytest.mark.parametrize("snap", ["word", "sentence"])
def test_snapped_stars_of_published_units_are_even_too(
    texts: Path, lang: Lang, unit: Unit, snap: Snap
) -> None:
    skies = _skies(texts, lang, unit)
    places, _ = _check(_wanted(lang, 16, 8_000, snap, unit), skies)
    cuts = _cuts(bytes(skies.sky.text), unit, "cl100k_base")
    step = spread.published_size(8_000, unit, lang, StarTask.SEARCHING) // 16
    _assert_even(places, [cuts[step * (place + 1) - 1] for place in range(16)])
    _assert_between_words(places, bytes(skies.sky.text))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A tokenizer.json whose counts add up at sentence ends, and one whose counts do not."""
    found: dict[str, Path] = {}
    written = [procedural.write(lang, 20_000, 903) for lang in LANGS]
    for name in ("byte-level", "metaspace"):
        trained = tokenizers.Tokenizer(models.BPE())
        if name == "byte-level":
            trained.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
            trained.decoder = decoders.ByteLevel()
        else:
            trained.normalizer = normalizers.Sequence(
                [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
            )
        alphabet = pre_tokenizers.ByteLevel.alphabet() if name == "byte-level" else []
        trainer = trainers.BpeTrainer(
            vocab_size=2_000, initial_alphabet=alphabet, show_progress=False
        )
        trained.train_from_iterator(written, trainer)
        found[name] = tmp_path_factory.mktemp(name) / "tokenizer.json"
        trained.save(str(found[name]))
    return found


@pytest.mark.parametrize("name", ["byte-level", "metaspace"])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("snap", SNAPS)
def test_tokenizer_files_are_as_exact(
    texts: Path, files: dict[str, Path], name: str, lang: Lang, snap: Snap
) -> None:
    encoding = str(files[name])
    assert tokens.tokenizer(encoding).exact_cuts == (name == "byte-level")
    skies = _skies(texts, lang, encoding=encoding)
    wanted = _wanted(lang, 16, 3_000, snap)
    places, _ = _check(wanted, skies, encoding)
    steps = [high - low for low, high in pairwise([0, *places])]
    assert min(steps) > 0
    assert max(steps) < 3 * sum(steps) / len(steps)
    short = wanted.length - _made(wanted, skies).tokens
    assert 0 <= short <= {"none": 2, "word": 12, "sentence": 200}[snap]


def test_lengths_share_the_beginning_of_the_sky(texts: Path) -> None:
    skies = _skies(texts, "zh")
    found = [
        rendering.render(_made(_wanted("zh", 8, length), skies), skies.sky.corpus).input
        for length in (2_000, 4_000, 8_000)
    ]
    for shorter, longer in pairwise(found):
        first = shorter.index("★") - 40
        assert first > 100
        assert longer[:first] == shorter[:first]


HOSTILE = {
    "run": "The end of the mill was near. " * 30
    + "a" * 4_000
    + " and it was the end of the town. " * 300,
    "line": "the mill of the town stood by the water and it was old " * 700,
    "heading": "The mill. It was old. "
    + "the mill of the town stood by the water and it was old " * 700,
    "emoji": (
        "The mill of the town " + "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 9 + " was old. "
    )
    * 150,
    "lines": "the mill\n\n\nof the town\n" * 900,
    "blanks": ("The mill was old." + " " * 70 + "\t\n It was loud. And the rest of it was.\n")
    * 200,
    "combining": "The mill to\u0323\u0301\u0308wn is e\u0301sume\u0301 \u0915\u094d\u0937\u093f. "
    * 200,
    "mixed": "The mill of the town, 镇上的磨坊, was old.它很旧。And it was loud! " * 150,
}


@pytest.mark.parametrize("name", list(HOSTILE))
@pytest.mark.parametrize("snap", SNAPS)
@pytest.mark.parametrize("many", [1, 8, 40])
def test_awkward_skies_hold_their_stars_too(
    tmp_path: Path, name: str, snap: Snap, many: int
) -> None:
    (tmp_path / "sky.txt").write_text(HOSTILE[name], "utf-8")
    opened = corpus(str(tmp_path / "sky.txt"), root=tmp_path / "cache")
    skies = Skies(Sky(opened, DocumentRef("00000", 0)), "tokens", "en")
    wanted = _wanted("en", many, 2_400, snap)
    places, end = _check(wanted, skies)
    assert places[-1] == end
    assert len(set(places)) == many
    made = _made(wanted, skies)
    assert made.tokens <= 2_400
    # A sentence that is longer than half a step must not shrink the sky.
    assert made.tokens > 2_400 * (1 - 0.6 / many) - 16


def test_a_sky_of_just_the_length_serves(tmp_path: Path) -> None:
    text = ("The mill of the town stood by the water. It was old, and it was loud. " * 200).strip()
    (tmp_path / "sky.txt").write_text(text, "utf-8")
    skies = _skies(tmp_path / "sky.txt", "en")
    for snap in SNAPS:
        made = _made(_wanted("en", 2, skies.sky.tokens, snap), skies)
        assert skies.sky.tokens - 40 < made.tokens <= skies.sky.tokens


def test_a_sky_that_is_too_short_is_named(tmp_path: Path) -> None:
    (tmp_path / "sky.txt").write_text("The mill of the town stood by the water. " * 50, "utf-8")
    skies = _skies(tmp_path / "sky.txt", "en")
    for snap in SNAPS:
        with pytest.raises(
            CorpusError, match=r"sky\.txt has \d+ tokens for the sky.* max_length\.$"
        ):
            spread.layout(_wanted("en", 4, 2_000, snap), skies)
    for unit in ("words", "characters"):
        skies = _skies(tmp_path / "sky.txt", "en", unit)  # type: ignore[arg-type]
        with pytest.raises(CorpusError, match=rf"has [\d,]+ {unit} for the sky"):
            spread.layout(_wanted("en", 4, 5_000, "none", unit), skies)  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", ["tokens", "words", "characters"])
def test_too_many_stars_are_refused_with_the_way_out(texts: Path, unit: Unit) -> None:
    skies = _skies(texts, "en", unit)
    many = 400 if unit == "words" else 500
    with pytest.raises(
        SeqniahError, match=rf"^{many} stars do not fit into 480 {unit} .*fewer stars \(m\).*\.$"
    ):
        spread.layout(_wanted("en", many, 480, "none", unit), skies)
