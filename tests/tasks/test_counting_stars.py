"""Counting-Stars from options to prompts, references and verdicts, read back from the prompts."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from seqniah_datasets import recipes, rendering, tokens
from seqniah_datasets.corpora import procedural
from seqniah_datasets.errors import CorpusError, SeqniahError
from seqniah_datasets.schema import LANGS, Lang, StarAsk, StarTask
from seqniah_scorers.stars import StarCase, judge
from seqniah_tasks.benchmarks.counting_stars.bench import CountingStars
from seqniah_tasks.benchmarks.counting_stars.options import read_star_options
from seqniah_tasks.benchmarks.counting_stars.questions import PlannedStars, case_of
from seqniah_tasks.benchmarks.reading import length_name

TASKS: list[dict[str, Any]] = [
    {"task": "searching"},
    {"task": "searching", "order": "shuffled"},
    {"task": "searching", "numbers": "90,7,33,1000000,2,51,8,14"},
    {"task": "reasoning"},
    {"task": "players"},
    {"task": "players", "players": 2, "order": "increasing"},
]
NAMES = [" ".join(map(str, task.values()))[:24] for task in TASKS]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def _bench(texts: Path, cache: Path, **given: Any) -> CountingStars:
    wanted = {"m": 8, "n": 2, "max_length": 3_000, "corpus": str(texts), **given}
    return CountingStars(read_star_options(**wanted), cache)


def _case(bench: CountingStars, planned: PlannedStars, response: str) -> StarCase:
    return case_of(bench.item(planned).facts, response)


STAR: dict[Lang, str] = {
    "en": r"^The (little \w+) counted (\d+) ★(?:, noticed[^\n]*? it was (\d+) ★)?\.$",
    "zh": r"^(小\w+?)数了(\d+)颗★(?:，发觉\w*，[^\n]*?是(\d+)颗★)?。$",
}


def _stars(lang: Lang, prompt: str) -> list[tuple[str, int, int | None]]:
    """Who counted how many, rightly and by mistake, as a reader of the prompt finds it."""
    found = []
    for name, first, second in re.findall(STAR[lang], prompt, re.MULTILINE):
        found.append((name, int(second or first), int(first) if second else None))
    return found


def _answer(lang: Lang, ask: StarAsk, prompt: str) -> dict[str, int | list[int]]:
    """The true answer, worked out from nothing but the prompt."""
    question = prompt.rsplit("\n\n", 1)[1]
    counted = _stars(lang, prompt)
    asked = {name for name, *_ in counted if re.search(rf"{name}(?!\w*\":)", question)}
    assert len(asked) == (2 if ask is StarAsk.ORDER else 1)
    mine = [right for name, right, _ in counted if name in asked]
    (form,) = re.findall(r'\{"([^"]+)": (x|\[x, x, x, \.\.\.\])\}$', question)
    key, listed = form
    assert (listed != "x") == (ask in (StarAsk.LIST, StarAsk.ORDER))
    by_ask: dict[StarAsk, int | list[int]] = {StarAsk.SUM: sum(mine), StarAsk.LARGEST: max(mine)}
    return {key: by_ask.get(ask, mine)}


@pytest.mark.parametrize("given", TASKS, ids=NAMES)
def test_references_and_cases_are_what_the_prompt_says(
    texts: Path, cache: Path, given: dict[str, Any]
) -> None:
    bench = _bench(texts, cache, **given)
    for planned in bench.plan:
        prompt = bench.prompt(planned).text
        counted = _stars(planned.lang, prompt)
        assert len(counted) == prompt.rsplit("\n\n", 1)[0].count("★") / (
            2 if given["task"] == "reasoning" else 1
        )
        assert len(counted) == len({right for _, right, _ in counted}) == 8
        reference = bench.item(planned).reference
        assert json.loads(reference) == _answer(planned.lang, planned.ask, prompt)
        case = _case(bench, planned, reference)
        key = next(iter(json.loads(reference)))
        names = {one.name for one in bench.asked(planned).players}
        assert case.asked == (key,)
        assert case.right == tuple(right for name, right, _ in counted if name in names)
        assert case.wrong == tuple(wrong for *_, wrong in counted if wrong is not None)
        others: dict[str, list[int]] = {}
        for name, right, _ in counted:
            if name not in names:
                others.setdefault(name, []).append(right)
        assert sorted(map(list, case.others)) == sorted(others.values())
        assert (case.task, case.ask) == (bench.options.task, planned.ask)


@pytest.mark.parametrize("given", TASKS, ids=NAMES)
def test_the_reference_scores_in_full_and_another_sample_s_does_not(
    texts: Path, cache: Path, given: dict[str, Any]
) -> None:
    bench = _bench(texts, cache, **given)
    for planned in bench.plan:
        verdict = judge(_case(bench, planned, bench.item(planned).reference))
        assert (verdict.score, verdict.correct, verdict.failure_modes) == (1.0, True, ())
        if planned.ask in (StarAsk.LIST, StarAsk.ORDER):
            assert verdict.position == verdict.precision == 1.0
            assert set(verdict.credits) == {1.0}
        assert verdict.confusion == (0.0 if given["task"] == "players" else None)
        assert judge(_case(bench, planned, "")).score == 0
        assert judge(_case(bench, planned, '{"x": [999999]}')).score == 0


def test_mistaken_and_other_players_numbers_are_told_apart(texts: Path, cache: Path) -> None:
    bench = _bench(texts, cache, task="reasoning")
    case = _case(bench, bench.plan[0], "")
    wrong = judge(_case(bench, bench.plan[0], str(list(case.wrong))))
    assert wrong.score == 0.25
    bench = _bench(texts, cache, task="players", ask="list")
    case = _case(bench, bench.plan[0], "")
    other = judge(_case(bench, bench.plan[0], str(list(case.others[0]))))
    assert (other.score, other.confusion) == (0.0, 1.0)


@pytest.mark.parametrize("given", TASKS, ids=NAMES)
@pytest.mark.parametrize("snap", ["none", "word", "sentence"])
def test_prompts_are_exact_and_reproducible(
    texts: Path, cache: Path, given: dict[str, Any], snap: str
) -> None:
    bench, again = (_bench(texts, cache, snap=snap, **given) for _ in range(2))
    count = tokens.tokenizer().count
    longest: dict[str, int] = {}
    for planned, other in zip(bench.plan, reversed(again.plan), strict=True):
        prompt = bench.prompt(planned)
        assert prompt.tokens == count(prompt.text) <= planned.tokens
        assert prompt.sha256 == hashlib.sha256(prompt.text.encode()).hexdigest()
        # Whatever was asked for before.
        again.prompt(other)
        assert again.prompt(again.find(planned.id)) == prompt
        recipe, raw = bench.recipe(planned), prompt.text.encode()
        for span in rendering.spans(recipe):
            assert raw[span.start : span.end].decode() == recipe.qa.needles[span.needle].text
        assert len(prompt.depths) == len(_case(bench, planned, "").right)
        assert list(prompt.depths) == sorted(prompt.depths)
        sky = f"{planned.lang}{planned.tokens}"
        longest[sky] = max(longest.get(sky, 0), prompt.tokens)
    if snap == "none":
        assert {one.tokens: longest[f"{one.lang}{one.tokens}"] for one in bench.plan} == {
            1_500: 1_500,
            3_000: 3_000,
        }


@pytest.mark.parametrize("snap", ["none", "sentence"])
def test_all_questions_about_players_share_their_sky(texts: Path, cache: Path, snap: str) -> None:
    bench = _bench(texts, cache, task="players", snap=snap)
    skies: dict[tuple[str, int], set[str]] = {}
    for planned in bench.plan:
        sky, _ = bench.prompt(planned).text.rsplit("\n\n", 1)
        skies.setdefault((planned.lang, planned.tokens), set()).add(sky)
    assert len(skies) == 4
    assert all(len(texts) == 1 for texts in skies.values())


def test_a_sky_does_not_depend_on_what_else_is_asked(texts: Path, cache: Path) -> None:
    every = _bench(texts, cache, task="players")
    for ask in StarAsk:
        alone = _bench(texts, cache, task="players", ask=str(ask), lang="zh")
        for planned in alone.plan:
            assert alone.recipe(planned) == every.recipe(every.find(planned.id))


def test_lengths_and_repeats_share_the_beginning_of_the_sky(texts: Path, cache: Path) -> None:
    bench = _bench(texts, cache, n=4, repeats=2)
    for lang in LANGS:
        found = [bench.prompt(one).text for one in bench.plan if one.lang == lang]
        first = min(text.index("★") for text in found) - 40
        assert first > 5
        assert len({text[:first] for text in found}) == 1
        assert len(set(found)) == 8
    one, two = (bench.find(bench.plan[0].id.replace("-r1-", f"-r{n}-")) for n in (1, 2))
    assert _case(bench, one, "").right != _case(bench, two, "").right


def _digests(bench: CountingStars) -> set[str]:
    return {planned.id.rsplit("-", 1)[1] for planned in bench.plan if planned.lang == "en"}


OTHER_BYTES: list[dict[str, Any]] = [
    {"m": 9},
    {"task": "reasoning"},
    {"task": "players", "players": 2},
    {"task": "players", "players": 3},
    {"order": "shuffled"},
    {"numbers": "1,2,3,4,5,6,7,9"},
    {"numbers": "1,2,3,4,5,6,7,8"},
    {"snap": "none"},
    {"snap": "word"},
    {"unit": "words"},
    {"unit": "characters"},
    {"seed": 1},
    {"tokenizer": "qwen"},
    {"corpus": "procedural"},
]

SAME_BYTES: list[dict[str, Any]] = [
    {"n": 1},
    {"n": 4},
    {"max_length": 6_000, "n": 4},
    {"repeats": 2},
    {"lang": "en"},
    {"lang": "zh,en"},
]


def test_ids_change_with_everything_that_changes_bytes(texts: Path, cache: Path) -> None:
    found = [_digests(_bench(texts, cache, **given)) for given in [{}, *OTHER_BYTES]]
    assert all(len(digests) == 1 for digests in found)
    assert len(set.union(*found)) == len(found)
    digests = [_bench(texts, cache, **given).digest for given in [{}, *OTHER_BYTES]]
    assert len(set(digests)) == len(digests)


@pytest.mark.parametrize("given", SAME_BYTES)
def test_and_with_nothing_else(texts: Path, cache: Path, given: dict[str, Any]) -> None:
    plain, other = _bench(texts, cache), _bench(texts, cache, **given)
    shared = {one.id for one in plain.plan} & {one.id for one in other.plan}
    both = {(one.lang, one.tokens) for one in plain.plan} & {
        (one.lang, one.tokens) for one in other.plan
    }
    assert len(shared) == len(both) > 0
    for one in shared:
        mine, theirs = plain.recipe(plain.find(one)), other.recipe(other.find(one))
        assert (mine.sha256, mine.window, mine.insertions) == (
            *(theirs.sha256, theirs.window),
            theirs.insertions,
        )


def test_another_text_has_other_ids(texts: Path, cache: Path, tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    for lang in LANGS:
        text = (texts / f"{lang}.txt").read_text("utf-8")
        (tmp_path / "texts" / f"{lang}.txt").write_text(f"{text[:-9]}\n", "utf-8")
    assert not _digests(_bench(texts, cache)) & _digests(_bench(tmp_path / "texts", cache))


@pytest.mark.parametrize("given", [*TASKS, {"repeats": 3}], ids=[*NAMES, "repeats"])
def test_ids_are_unique_and_name_the_sample(
    texts: Path, cache: Path, given: dict[str, Any]
) -> None:
    bench = _bench(texts, cache, n=5, **given)
    asks = 4 if given.get("task") == "players" else 1
    assert (
        len({one.id for one in bench.plan})
        == len(bench.plan)
        == 10 * asks * given.get("repeats", 1)
    )
    for number, planned in enumerate(bench.plan):
        assert bench.find(planned.id) == bench.find(str(number)) == planned
        assert f"-{planned.lang}-{planned.length}-m8-" in planned.id
        assert f"-r{planned.repeat}-" in planned.id
    for unknown in ("", "stars", "-1", str(len(bench.plan)), bench.plan[0].id[:-1] + "x"):
        with pytest.raises(SeqniahError, match=r"No sample .*other options make other ids\.$"):
            bench.find(unknown)


@pytest.mark.parametrize(
    ("length", "name"),
    [(4_000, "4k"), (4_096, "4096"), (500, "500"), (1_000_000, "1000k"), (1_500, "1500")],
)
def test_lengths_are_named_as_reports_write_them(length: int, name: str) -> None:
    assert length_name(length) == PlannedStars("x", "en", length, 1, StarAsk.LIST).length == name


def test_any_first_part_of_the_plan_has_long_and_short_ones(texts: Path, cache: Path) -> None:
    bench = _bench(texts, cache, n=32, max_length=32_000, task="players", repeats=2)
    lengths = list(dict.fromkeys(planned.tokens for planned in bench.plan))
    for parts in (1, 2, 4, 8, 16, 32):
        assert {(length - 1) * parts // 32_000 for length in lengths[:parts]} == set(range(parts))
    # Questions about one sky follow each other, so that its prefix is still cached.
    skies = [(one.repeat, one.tokens, one.lang) for one in bench.plan]
    assert [skies[row] for row in range(0, len(skies), 4)] == list(dict.fromkeys(skies))
    assert {one.lang for one in bench.plan[:8]} == set(LANGS)


def test_the_facts_tell_what_was_run(texts: Path, cache: Path) -> None:
    bench = _bench(texts, cache, task="players", snap="none", seed=7)
    facts = bench.facts()
    assert facts == {
        "benchmark": "counting-stars",
        "version": 2,
        "edition": "8-2-shuffled",
        "split": "test",
        "digest": bench.digest,
        "corpus": str(texts),
        "corpus_digest": bench.corpus.digest,
        "tokenizer": "cl100k_base",
        "tokenizer_digest": tokens.tokenizer().digest,
        "seed": 7,
        "order": "shuffled",
        "numbers": [],
        "task": "players",
        "stars": 8,
        "intervals": 2,
        "max_length": 3_000,
        "unit": "tokens",
        "snap": "none",
        "repeats": 1,
        "players": 4,
        "setup": "4 players, snap none, seed 7, up to 3k",
    }
    json.dumps(facts)
    assert CountingStars(read_star_options()).setup() == ""
    given = [CountingStars(read_star_options(numbers=one)) for one in ("8,3,7", "9,4,6")]
    assert [one.setup()[:15] for one in given] == ["numbers 8 3 7 (", "numbers 9 4 6 ("]
    assert given[0].facts()["numbers"] == [8, 3, 7]
    assert _bench(texts, cache, unit="words", task="reasoning").setup() == (
        "reasoning, length in words, up to 3k"
    )


@pytest.mark.parametrize(
    "given",
    [
        {"m": 900},
        {"m": 900, "task": "players", "players": 2, "ask": "order"},
        {"m": 900, "task": "players", "players": 9, "ask": "sum,list"},
        {"m": 4, "numbers": "999999999,1,2,3"},
    ],
)
def test_the_longest_answer_has_room_for_a_token_a_character(given: dict[str, Any]) -> None:
    bench = CountingStars(read_star_options(n=1, lang="en", **given))
    longest = max(len(bench.item(planned).reference) for planned in bench.plan)
    assert longest <= bench.longest_answer <= 2 * longest + 64


def test_recipes_render_the_same_after_a_file(texts: Path, cache: Path, tmp_path: Path) -> None:
    bench = _bench(texts, cache, task="players")
    made = [bench.recipe(planned) for planned in bench.plan]
    recipes.write(tmp_path / "out", map(recipes.as_json, made), bench.facts())
    read = list(recipes.read(tmp_path / "out"))
    assert read == made
    for recipe, planned in zip(read, bench.plan, strict=True):
        assert recipe.qa.pipeline is StarTask.PLAYERS
        assert rendering.render(recipe, bench.corpus).input == bench.prompt(planned).text


SPEAKS: dict[Lang, str] = {
    "en": "The little penguin counted 5 ★. ",
    "zh": "小企鹅数了5颗★。",
}


@pytest.mark.parametrize("lang", LANGS)
def test_a_text_that_speaks_of_the_player_itself_is_refused(
    tmp_path: Path, cache: Path, lang: Lang
) -> None:
    text = procedural.write(lang, 30_000, 4)
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(text + SPEAKS[lang] + text[:9_000], "utf-8")
    name = {"en": "little penguin", "zh": "小企鹅"}[lang]
    for task in ("searching", "reasoning"):
        with pytest.raises(CorpusError, match=rf"itself speaks of a {name}.* another corpus"):
            _bench(tmp_path / "texts", cache, lang=lang, task=task).prepare()
    # Among players others count.
    bench = _bench(tmp_path / "texts", cache, lang=lang, task="players", repeats=4, ask="list")
    for planned in bench.plan:
        assert name not in {star.player.name for star in bench.asked(planned).stars}
        json_answer = bench.item(planned).reference
        assert json.loads(json_answer) == _answer(lang, planned.ask, bench.prompt(planned).text)


def test_empty_and_blank_documents_are_no_sky(tmp_path: Path, cache: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("", "utf-8")
    (folder / "b.txt").write_text(" \n\n \t \n" * 900, "utf-8")
    for number in range(12):
        (folder / f"c{number}.txt").write_text(procedural.write("en", 2_000, number), "utf-8")
    bench = _bench(folder, cache, lang="en")
    bench.prepare()
    for planned in bench.plan:
        prompt = bench.prompt(planned)
        assert prompt.tokens == tokens.tokenizer().count(prompt.text)
        assert not prompt.text.startswith((" ", "\n"))
        assert len(_stars("en", prompt.text)) == 8
    with pytest.raises(CorpusError, match="no document in Chinese"):
        _bench(folder, cache).prepare()


def test_a_corpus_that_is_too_short_is_found_out_before_the_run(texts: Path, cache: Path) -> None:
    with pytest.raises(
        CorpusError, match=r"has [\d,]+ tokens for the sky, and [\d,]+ are wanted; give a longer"
    ):
        _bench(texts, cache, max_length="1m").prepare()
    with pytest.raises(SeqniahError, match=r"8 stars do not fit into 100 tokens"):
        _bench(texts, cache, max_length=200).prepare()
    with pytest.raises(SeqniahError, match="too close together"):
        _bench(texts, cache, task="reasoning", numbers="1,2,3,4,5,6,7,8").prepare()
