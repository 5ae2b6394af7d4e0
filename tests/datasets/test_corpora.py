"""Corpora: what is read, what is refused, and indexes that are whole or absent."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest
import zstandard

from seqniah_datasets import store, tokens
from seqniah_datasets.corpora import corpus, folder, index, packed, procedural, worker
from seqniah_datasets.corpora.index import SourceDocument
from seqniah_datasets.corpora.language import language_of
from seqniah_datasets.corpora.readers import reader_of
from seqniah_datasets.errors import CorpusError, SeqniahError
from seqniah_datasets.schema import LANGS

ENGLISH = "The mill of the town stood by the water. It was old, and it was loud. " * 40
CHINESE = "镇上的磨坊在河边。它很旧，也很吵。" * 60
PORTUGUESE = "O moinho da cidade ficava perto do rio. Era velho e fazia muito barulho. " * 40


def _texts(path: Path, cache: Path) -> list[str]:
    opened = corpus(str(path), root=cache)
    found: list[str] = []
    for shard in opened.shards():
        one = opened.open(shard.key)
        edges = one.documents.tolist()
        found += [bytes(one.text[a:b]).decode() for a, b in pairwise(edges)]
    return found


def test_every_kind_of_file_is_read_in_the_order_of_paths(tmp_path: Path) -> None:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    (tmp_path / "a.txt").write_text(ENGLISH, "utf-8")
    rows = [{"text": ENGLISH + "2"}, {"content": CHINESE}, {"document": CHINESE + "4"}]
    lines = "\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (tmp_path / "b" / "deep" / "x.jsonl").write_text(lines, "utf-8")
    table = pyarrow.table({"id": [1, 2], "text": [ENGLISH + "5", CHINESE + "6"]})
    pyarrow.parquet.write_table(table, tmp_path / "c.parquet")
    (tmp_path / "ignored.md").write_text("no", "utf-8")
    wanted = [ENGLISH, ENGLISH + "2", CHINESE, CHINESE + "4", ENGLISH + "5", CHINESE + "6"]
    assert _texts(tmp_path, tmp_path / "cache") == wanted


def test_line_ends_marks_and_accents_are_normalised(tmp_path: Path) -> None:
    raw = "\ufeffThe cafe\u0301 of the town.\r\nIt is old.\rEnd."
    (tmp_path / "a.txt").write_bytes(raw.encode())
    assert _texts(tmp_path, tmp_path / "c") == ["The caf\u00e9 of the town.\nIt is old.\nEnd."]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"good\nbad \xff\xfe", r"a\.txt, line 2, is not UTF-8"),
        ("a.jsonl", b'{"text": "x"}\n{"text"\n', r"a\.jsonl, line 2 is not JSON"),
        ("a.jsonl", b'{"text": "x"}\n\n{"title": 1}\n', r"a\.jsonl, line 3 has no text"),
        ("a.jsonl", b'{"text": "\xff"}', r"a\.jsonl, line 1, is not UTF-8"),
        ("a.jsonl", b'{"text": "half \\ud800"}', r"a\.jsonl, line 1 holds half a surrogate"),
        ("a.parquet", b"PAR1 no", r"a\.parquet is not a readable parquet file"),
    ],
)
def test_unreadable_files_are_named_with_the_line(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(CorpusError, match=message):
        _texts(tmp_path, tmp_path / "cache")


def test_a_parquet_file_without_a_text_column_names_the_columns_it_may_have(tmp_path: Path) -> None:
    pyarrow.parquet.write_table(pyarrow.table({"body": ["x"]}), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match="text, content, document"):
        _texts(tmp_path, tmp_path / "cache")


@pytest.mark.parametrize(
    ("column", "values", "row"),
    [
        ("text", ["good", None], 2),
        ("content", [1, 2], 1),
        ("document", [["a"], ["b"]], 1),
        ("text", [b"good", b"bytes"], 1),
        ("段落", ['[{"内容": "好"}]', "3"], 2),
        ("meta_text", [{"raw_text": "good"}, {"raw_text": None}], 2),
    ],
)
def test_a_row_of_a_table_without_text_is_named_with_its_column(
    tmp_path: Path, column: str, values: list[object], row: int
) -> None:
    pyarrow.parquet.write_table(pyarrow.table({column: values}), tmp_path / "a.parquet")
    with pytest.raises(CorpusError, match=rf"a\.parquet, row {row} has no text.* column {column} "):
        _texts(tmp_path, tmp_path / "cache")


@pytest.mark.parametrize("lost", [1, 20, 600])
def test_a_cut_zstandard_file_is_told_to_end_early(tmp_path: Path, lost: int) -> None:
    rows = [json.dumps({"text": f"{ENGLISH} Part {number}."}) for number in range(400)]
    packed = zstandard.ZstdCompressor().compress("\n".join(rows).encode())
    assert len(packed) > 2 * lost
    (tmp_path / "a.jsonl.zst").write_bytes(packed[:-lost])
    with pytest.raises(CorpusError, match=r"a\.jsonl\.zst ends early; it was cut"):
        _texts(tmp_path, tmp_path / "cache")


def test_a_cut_zstandard_file_of_one_block_is_told_to_end_early(tmp_path: Path) -> None:
    packed = zstandard.ZstdCompressor().compress(json.dumps({"text": ENGLISH}).encode())
    (tmp_path / "a.jsonl.zst").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(CorpusError, match=r"a\.jsonl\.zst ends early; it was cut"):
        corpus(str(tmp_path), root=tmp_path / "cache").candidates("en", 100)


def _swelling(path: Path, rows: int) -> None:
    """A file of one text again and again, of 1 MB a row."""
    row = json.dumps({"text": ENGLISH * (1_000_000 // len(ENGLISH))}).encode() + b"\n"
    with path.open("wb") as file, zstandard.ZstdCompressor(level=1).stream_writer(file) as out:
        for _ in range(rows):
            out.write(row)


def test_a_file_that_swells_as_no_text_is_refused_early(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _swelling(tmp_path / "a.jsonl.zst", 300)
    texts, path = reader_of("a.jsonl.zst"), tmp_path / "a.jsonl.zst"
    assert texts
    seen = 0
    with path.open("rb") as file, pytest.raises(CorpusError) as refused:
        for document in texts(file, "a.jsonl.zst", pytest.fail):
            seen += len(document.text)
    assert 60_000_000 < seen < 70_000_000
    assert "unpacks to more than 200 times its size" in str(refused.value)
    assert "SEQNIAH_UNPACK_RATIO" in str(refused.value)
    monkeypatch.setenv("SEQNIAH_UNPACK_RATIO", "1e6")
    with path.open("rb") as file:
        assert sum(1 for _ in texts(file, "a.jsonl.zst", pytest.fail)) == 300
    monkeypatch.setenv("SEQNIAH_UNPACK_RATIO", "much")
    with (
        path.open("rb") as file,
        pytest.raises(CorpusError, match="is a number from 1, not 'much'"),
    ):
        next(texts(file, "a.jsonl.zst", pytest.fail))


def test_a_table_that_swells_as_no_text_is_refused(tmp_path: Path) -> None:
    column = pyarrow.array([ENGLISH * (1_000_000 // len(ENGLISH))] * 90)
    pyarrow.parquet.write_table(
        pyarrow.table({"text": column}), tmp_path / "a.parquet", compression="zstd"
    )
    with pytest.raises(CorpusError, match=r"a\.parquet unpacks to more than 200 times"):
        _texts(tmp_path, tmp_path / "cache")


def test_a_small_file_may_swell(tmp_path: Path) -> None:
    _swelling(tmp_path / "a.jsonl.zst", 50)
    assert (tmp_path / "a.jsonl.zst").stat().st_size * 1_000 < 50_000_000
    opened = corpus(str(tmp_path), root=tmp_path / "cache")
    assert sum(1 for _ in opened.shards()[0].documents()) == 50


@pytest.mark.parametrize("name", ["missing", "empty", "blank"])
def test_a_missing_or_empty_corpus_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "blank").mkdir()
    (tmp_path / "blank" / "a.txt").touch()
    with pytest.raises(CorpusError, match=name):
        corpus(str(tmp_path / name), root=tmp_path)


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        (ENGLISH, "en"),
        (CHINESE, "zh"),
        (PORTUGUESE, None),
        ("これは日本語の文章です。町の水車小屋は川のそばにあった。" * 40, None),
        ("Wörter und noch mehr Wörter stehen hier in der Mitte des Textes. " * 40, None),
        (CHINESE + " the of and " * 3, "zh"),
        ("12 34 ??", None),
    ],
)
def test_the_language_of_a_document(text: str, lang: str | None) -> None:
    assert language_of(text) == lang


def test_documents_of_other_languages_are_left_out_and_counted(tmp_path: Path) -> None:
    for name, text in (("en", ENGLISH), ("zh", CHINESE), ("pt", PORTUGUESE)):
        (tmp_path / f"{name}.txt").write_text(text, "utf-8")
    opened = corpus(str(tmp_path), root=tmp_path / "cache")
    assert isinstance(opened, folder.FolderCorpus)
    assert opened.counts() == {"en": 1, "zh": 1, "other": 1}
    assert len(opened.candidates("en", 100)) == 1


def test_advice_names_only_a_language_that_is_there(tmp_path: Path) -> None:
    for name, text in (("en", ENGLISH), ("pt", PORTUGUESE)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(text, "utf-8")
    with pytest.raises(CorpusError, match=r"no document in Chinese; .* with -T lang=en"):
        corpus(str(tmp_path / "en"), root=tmp_path / "cache").candidates("zh", 100)
    with pytest.raises(CorpusError, match=r"no document in Chinese; add some\.$"):
        corpus(str(tmp_path / "pt"), root=tmp_path / "cache").candidates("zh", 100)


def test_a_document_that_is_too_short_is_named_with_its_tokens(tmp_path: Path) -> None:
    (tmp_path / "short.txt").write_text(ENGLISH, "utf-8")
    opened = corpus(str(tmp_path), root=tmp_path / "cache")
    count = tokens.tokenizer().count(ENGLISH)
    with pytest.raises(CorpusError, match=rf"9,000 tokens.*short\.txt, has {count}\..*-T length="):
        opened.candidates("en", 9_000)
    with pytest.raises(CorpusError, match=r"no document in Chinese.*-T lang=en"):
        opened.candidates("zh", 10)


def test_the_digest_follows_the_content_and_not_the_place(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.txt").write_text(ENGLISH, "utf-8")
    digests = [corpus(str(tmp_path / name), root=tmp_path).digest for name in ("one", "two")]
    assert digests[0] == digests[1]
    (tmp_path / "two" / "a.txt").write_text(ENGLISH + "More.", "utf-8")
    assert corpus(str(tmp_path / "two"), root=tmp_path).digest != digests[0]


def test_small_files_share_a_shard_and_large_ones_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_GROUP", 5_000)
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text(ENGLISH[:2_000], "utf-8")
    (tmp_path / "9.txt").write_text(ENGLISH * 3, "utf-8")
    shards = corpus(str(tmp_path), root=tmp_path / "c").shards()
    assert [shard.key for shard in shards] == ["00000", "00001", "00002"]
    assert [shard.size for shard in shards] == [4_000, 4_000, len(ENGLISH) * 3]


class _Broken:
    """A shard whose reading breaks off, as by Ctrl-C."""

    key, fingerprint, size = "broken", "1", 10

    def documents(self) -> Iterator[SourceDocument]:
        yield SourceDocument(ENGLISH, "first")
        raise KeyboardInterrupt


def test_an_interrupted_index_leaves_nothing_that_looks_whole(tmp_path: Path) -> None:
    counter = tokens.tokenizer()
    with pytest.raises(KeyboardInterrupt):
        index.make_index(tmp_path / "broken", _Broken(), counter)
    assert list(tmp_path.iterdir()) == []
    assert not index.is_indexed(tmp_path / "broken", _Broken(), counter)


def _one_shard(tmp_path: Path) -> tuple[Path, index.Shard]:
    (tmp_path / "texts").mkdir(exist_ok=True)
    (tmp_path / "texts" / "a.txt").write_text(ENGLISH, "utf-8")
    opened = corpus(str(tmp_path / "texts"), root=tmp_path)
    shard = opened.shards()[0]
    assert isinstance(shard, index.Shard)
    opened.open(shard.key)
    return opened.folder / shard.key, shard


@pytest.mark.parametrize("name", ["text", "ends.npy", "manifest.json", "tokens"])
@pytest.mark.parametrize("how", ["cut", "changed", "gone"])
def test_a_damaged_index_is_made_again(tmp_path: Path, name: str, how: str) -> None:
    place, shard = _one_shard(tmp_path)
    counts = index.open_index(place, shard, tokens.tokenizer()).counts.tolist()
    file = next(place.glob(f"{name}*.npy")) if name == "tokens" else place / name
    raw = file.read_bytes()
    if how == "gone":
        file.unlink()
    else:
        file.write_bytes(raw[:-7] if how == "cut" else raw[:-1] + bytes([raw[-1] ^ 1]))
    again = index.open_index(place, shard, tokens.tokenizer())
    assert bytes(again.text) == ENGLISH.encode()
    assert again.counts.tolist() == counts
    assert file.read_bytes() == raw or name == "manifest.json"


@pytest.mark.parametrize("how", ["flipped", "emptied", "gone"])
@pytest.mark.parametrize(
    "name", ["languages.npy", "documents.npy", "manifest.json", "tokens-*.documents.npy",
             "tokens-*.json"],
)  # fmt: skip
def test_facts_of_a_damaged_index_are_those_of_the_whole_one(
    tmp_path: Path, name: str, how: str
) -> None:
    place, shard = _one_shard(tmp_path)
    before = index.read_facts(place, shard, tokens.tokenizer())
    (file,) = place.glob(name)
    raw = file.read_bytes()
    # Of a manifest a digit of a digest, which leaves it readable.
    at = raw.index(b'"sha256": "') + 20 if file.suffix == ".json" else len(raw) - 1
    flipped = b"0" if raw[at : at + 1] != b"0" else b"1"
    file.write_bytes(raw[:at] + flipped + raw[at + 1 :] if how == "flipped" else b"")
    if how == "gone":
        file.unlink()
    after = index.read_facts(place, shard, tokens.tokenizer())
    assert after.digest == before.digest
    assert after.languages.tolist() == before.languages.tolist()
    assert after.document_tokens.tolist() == before.document_tokens.tolist()
    assert bytes(index.open_index(place, shard, tokens.tokenizer()).text) == ENGLISH.encode()


def test_other_content_of_the_same_size_and_time_is_indexed_anew(tmp_path: Path) -> None:
    _one_shard(tmp_path)
    file = tmp_path / "texts" / "a.txt"
    stamp = file.stat().st_mtime_ns
    other = ENGLISH.swapcase()
    file.write_text(other, "utf-8")
    os.utime(file, ns=(stamp, stamp))
    assert _texts(tmp_path / "texts", tmp_path) == [other]


def test_a_changed_source_file_is_indexed_anew(tmp_path: Path) -> None:
    _one_shard(tmp_path)
    (tmp_path / "texts" / "a.txt").write_text(ENGLISH + "The end of it.", "utf-8")
    assert _texts(tmp_path / "texts", tmp_path) == [ENGLISH + "The end of it."]


def test_a_second_tokenizer_reuses_the_text(tmp_path: Path) -> None:
    place, shard = _one_shard(tmp_path)
    stamp = (place / "text").stat().st_mtime_ns
    other = index.open_index(place, shard, tokens.tokenizer("qwen"))
    assert (place / "text").stat().st_mtime_ns == stamp
    assert int(other.document_tokens[0]) == tokens.tokenizer("qwen").count(ENGLISH)


def test_prepare_resumes_where_it_was_broken_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "_GROUP", 1_000)
    (tmp_path / "t").mkdir()
    for number in range(3):
        (tmp_path / "t" / f"{number}.txt").write_text(f"{ENGLISH}Part {number} ends.", "utf-8")
    opened = corpus(str(tmp_path / "t"), root=tmp_path)
    opened.open("00001")
    reports: list[tuple[int, int]] = []
    opened.prepare(lambda what, done, total: reports.append((done, total)))
    assert len(reports) == 2
    assert reports[-1][0] == reports[-1][1]
    opened.prepare(lambda what, done, total: pytest.fail("nothing was left to do"))


UNGUARDED = """
import sys
from pathlib import Path
from seqniah_datasets.corpora import corpus
opened = corpus(root=Path(sys.argv[1]))
print(*opened._index(["en-a-100k", "zh-a-100k", "zh-b-100k"], 10**9))
"""


def test_an_unguarded_script_indexes_in_parallel_to_the_same_bytes(tmp_path: Path) -> None:
    # A multiprocessing pool would run the script again in every worker, and again in theirs.
    command = [sys.executable, "-", str(tmp_path / "together")]
    done = subprocess.run(
        command, input=UNGUARDED, capture_output=True, encoding="utf-8", timeout=100
    )
    assert sorted(done.stdout.split()) == ["en-a-100k", "zh-a-100k", "zh-b-100k"], done.stderr
    alone, together = (corpus(root=tmp_path / name) for name in ("alone", "together"))
    alone.ensure("zh-b-100k")
    (one,), (other,) = (list(where.folder.rglob("zh-b-100k")) for where in (alone, together))
    assert one.read_bytes() == other.read_bytes()


def test_a_worker_that_cannot_go_on_says_why(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_bytes(b"bad \xff")
    done = worker.index_in_parallel(["00000"], str(tmp_path), "cl100k_base", tmp_path / "root", 1)
    with pytest.raises(CorpusError, match=r"a\.txt, line 1, is not UTF-8"):
        list(done)


def test_threads_that_want_one_shard_at_once_all_get_it(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    (tmp_path / "t" / "a.txt").write_text(ENGLISH, "utf-8")
    opened = [corpus(str(tmp_path / "t"), root=tmp_path) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda one: bytes(one.open("00000").text), opened))
    assert found == [ENGLISH.encode()] * 8


def test_a_cache_that_can_only_be_read_serves(tmp_path: Path) -> None:
    place, shard = _one_shard(tmp_path)
    for lock in place.parent.glob(".*.lock"):
        lock.unlink()
    place.parent.chmod(0o500)
    try:
        assert bytes(index.open_index(place, shard, tokens.tokenizer()).text) == ENGLISH.encode()
    finally:
        place.parent.chmod(0o700)


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(SeqniahError, match="disk is full"),
        store.new_file(tmp_path / "x") as place,
    ):
        place.write_text("half", "utf-8")
        raise OSError(28, "No space left on device")
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SeqniahError, match=r"file.*cannot be written"):
        corpus(root=tmp_path / "file").open("en-x-2k")


@pytest.mark.parametrize("lang", LANGS)
def test_procedural_documents_are_a_function_of_their_key(lang: str) -> None:
    one = "en" if lang == "en" else "zh"
    text = procedural.write(one, 30_000, 7)
    assert text == procedural.write(one, 30_000, 7) != procedural.write(one, 30_000, 11)
    assert 30_000 <= len(text.encode()) < 60_000
    assert language_of(text) == lang


def test_a_longer_document_begins_like_a_shorter_one() -> None:
    short, long = (procedural.write("zh", size, "x-1") for size in (30_000, 90_000))
    assert long.startswith(short.rstrip())


def test_the_procedural_corpus_is_made_as_needed(tmp_path: Path) -> None:
    opened = corpus(root=tmp_path)
    assert len(opened.candidates("en", 127_000)) == 1 and not opened.folder.exists()
    opened.open("zh-x-5k")
    assert [path.name for path in opened.folder.rglob("*") if path.is_file()] == ["zh-x-5k"]
    with pytest.raises(CorpusError, match="'fr-x-5k'"):
        opened.open("fr-x-5k")


@pytest.mark.parametrize("encoding", sorted(tokens.ENCODINGS))
def test_shared_documents_are_long_enough(encoding: str, tmp_path: Path) -> None:
    opened = corpus(tokenizer=encoding, root=tmp_path)
    for lang in LANGS:
        for wanted in (1, 1_000, 33_000):
            (ref,) = opened.candidates(lang, wanted)
            assert int(opened.open(ref.shard).document_tokens[0]) >= wanted
    with pytest.raises(CorpusError, match="tokens, not 90,000,000"):
        opened.candidates("en", 90_000_000)


def test_no_needle_person_is_in_the_procedural_corpus() -> None:
    from seqniah_datasets.sources.tables import lines

    words = set(re.findall(r"[\w'-]+", procedural.write("en", 1_200_000, 1)))
    for bank in ("surnames_en.txt", "given_names_en.txt"):
        assert not words.intersection(lines(bank))
    chinese = procedural.write("zh", 1_200_000, 1)
    whole = {
        family + given
        for family in lines("surnames_zh.txt")
        for given in lines("given_names_zh.txt")
    }
    assert not whole.intersection(re.findall(r"(?=([\u4e00-\u9fff]{3}))", chinese))


INDEX = """
import sys
from pathlib import Path
from seqniah_datasets.corpora import corpus
if __name__ == "__main__":
    opened = corpus(root=Path(sys.argv[1]))
    for key in opened._index([f"en-x-{number}-160k" for number in range(40)], 10**9):
        print(key, flush=True)
"""


def test_ctrl_c_ends_a_parallel_index_and_the_next_one_goes_on(tmp_path: Path) -> None:
    (tmp_path / "index.py").write_text(INDEX, "utf-8")
    command = [sys.executable, str(tmp_path / "index.py"), str(tmp_path / "cache")]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout
    for _ in range(3):
        assert process.stdout.readline()
    process.send_signal(signal.SIGINT)
    process.stdout.read()
    assert process.wait(timeout=30) != 0
    opened = corpus(root=tmp_path / "cache")
    files = [path for path in opened.folder.rglob("*") if path.is_file()]
    done = [path for path in files if path.name.endswith("-160k") and path.name[0] != "."]
    assert 3 <= len(done) < 40
    for path in done:
        assert packed.read(path).document_tokens.sum() > 100_000
    assert len(files) - len(done) <= 2  # at most one a worker, swept by whoever writes it next


KILLED = """
import os, signal, sys
from pathlib import Path
from seqniah_datasets import tokens
from seqniah_datasets.corpora import index
def documents():
    yield index.SourceDocument("The mill. " * 1_000, "first")
    os.kill(os.getpid(), signal.SIGKILL)
index.make_index(Path(sys.argv[1]), index.Shard("0", "1", 10, documents), tokens.tokenizer())
"""


def test_leftovers_of_a_killed_writer_are_swept(tmp_path: Path) -> None:
    place, shard = _one_shard(tmp_path)
    (place / "manifest.json").unlink()
    killed = subprocess.run([sys.executable, "-c", KILLED, str(place)], timeout=100)
    assert killed.returncode == -signal.SIGKILL
    assert len([path for path in place.parent.glob(f".{place.name}.*") if path.is_dir()]) == 1
    index.make_index(place, shard, tokens.tokenizer())
    assert not [path for path in place.parent.glob(f".{place.name}.*") if path.is_dir()]
    assert bytes(index.open_index(place, shard, tokens.tokenizer()).text) == ENGLISH.encode()
