"""Exact token counts with no network.

The rank files of three encodings travel with the package and are verified at load; any
`tokenizer.json` or SentencePiece model can be given by path. A count is that of plain text:
no special token is added or recognised.
"""

from __future__ import annotations

import binascii
import gzip
import hashlib
import tomllib
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise, product
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from seqniah_datasets.engines import Encode, Ids, fast_encoder
from seqniah_datasets.errors import DamagedFile, SeqniahError, UnknownName

if TYPE_CHECKING:
    import sentencepiece
    import tokenizers

DEFAULT_TOKENIZER = "cl100k_base"
"""The encoding in which the paper measures length."""

Offsets = npt.NDArray[np.int64]


class Tokenizer(ABC):
    """Counts tokens of one vocabulary."""

    name: str
    """As `tokenizer()` takes it; for a file, its path as given."""
    digest: str
    """SHA-256 of the vocabulary's bytes: the name that enters recipes and caches."""
    exact_cuts: bool
    """Text may be cut before a sentence terminator that follows a letter or digit, and the
    counts of the parts add up. False: only a whole text's count is exact."""
    line_cuts = False
    """So it may between a line break and a letter or digit."""

    @abstractmethod
    def count(self, text: str) -> int:
        """Tokens of `text`."""

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each of many short texts."""
        return list(map(self.count, texts))

    def token_ends(self, text: bytes) -> Offsets:
        """Where each token of `text` ends, in bytes; a token may end within a character.

        Exact for encodings that travel with the package, else as if all were of one length.
        """
        count = self.count(text.decode("utf-8"))
        return np.arange(1, count + 1, dtype=np.int64) * len(text) // max(1, count)

    @abstractmethod
    def prefix_counts(self, text: bytes, cuts: Offsets) -> Offsets:
        """Tokens before each of the increasing byte offsets `cuts`, and, last, of all of `text`.

        Exact if `exact_cuts`, where -1 marks a cut inside a token; else to about a token a cut.
        """


class _Encoding(NamedTuple):
    """A byte-pair encoding; see ranks/encodings.toml."""

    sha256: str
    pattern: str


_TABLE = (files("seqniah_datasets") / "ranks" / "encodings.toml").read_text("utf-8")
ENCODINGS = {name: _Encoding(**raw) for name, raw in tomllib.loads(_TABLE).items()}
"""Names to encodings, in the order of the table."""

_BLOCK = 1 << 19
"""Bytes encoded at once: the engine's regular expressions dislike very long texts. Beyond so many
in all, the fast engine is worth opening."""


class BytePairTokenizer(Tokenizer):
    """An encoding whose rank file travels with the package."""

    exact_cuts = line_cuts = True

    def __init__(self, name: str) -> None:
        import tiktoken

        encoding = ENCODINGS[name]
        self.name, self.digest = name, encoding.sha256
        ranks = _ranks(_rank_file(name, encoding.sha256))
        self._engine = tiktoken.Encoding(
            name, pat_str=encoding.pattern, mergeable_ranks=ranks, special_tokens={}
        )
        self._asked = 0
        lengths = np.fromiter(map(len, ranks), np.int64, len(ranks))
        self._bytes_of = np.zeros(max(ranks.values()) + 1, np.int64)
        self._bytes_of[np.fromiter(ranks.values(), np.int64, len(ranks))] = lengths

    def count(self, text: str) -> int:
        try:
            if len(text) <= _BLOCK:
                return len(self._engine.encode_ordinary(text))
            return len(self._engine.encode_to_numpy(text, disallowed_special=()))
        except BaseException as error:
            raise _unless_panic(error) from None

    def _encode(self, text: bytes) -> Ids:
        try:
            return np.array(self._engine.encode_ordinary(text.decode("utf-8")), np.uint32)
        except BaseException as error:
            raise _unless_panic(error) from None

    @cached_property
    def _encode_long(self) -> Encode:
        """The engine for long texts: the fast one if there is one, else the reference."""
        ranks = _rank_file(self.name, self.digest)
        return fast_encoder(self.name, ranks, self._encode) or self._encode

    def _encode_any(self, text: bytes) -> Ids:
        """By the fast engine once much was asked for."""
        self._asked += len(text)
        return self._encode(text) if self._asked <= _BLOCK else self._encode_long(text)

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [len(self._encode_any(one.encode("utf-8"))) for one in texts]

    def token_ends(self, text: bytes) -> Offsets:
        return np.cumsum(self._bytes_of[self._encode_any(text)])

    def prefix_counts(self, text: bytes, cuts: Offsets) -> Offsets:
        counts = np.empty(len(cuts) + 1, np.int64)
        done = first = tokens = 0
        while True:
            last = int(np.searchsorted(cuts, done + _BLOCK))
            end = int(cuts[last]) if last < len(cuts) else len(text)
            ids = self._encode_long(text[done:end])
            edges = np.cumsum(self._bytes_of[ids])
            wanted = cuts[first:last] - done
            before = np.searchsorted(edges, wanted)
            on_edge = edges[np.minimum(before, len(edges) - 1)] == wanted if len(edges) else True
            counts[first:last] = np.where(on_edge, tokens + before + 1, -1)
            counts[first:last][wanted == 0] = tokens
            tokens += len(ids)
            if last >= len(cuts):
                counts[-1] = tokens
                return counts
            counts[last] = tokens
            done, first = end, last + 1


def _unless_panic(error: BaseException) -> BaseException:
    """The error to raise: a million blanks in a row are too much for the engine."""
    if type(error).__name__ != "PanicException" and "Regex error" not in str(error):
        return error
    return SeqniahError(
        "A text holds so long a run of blanks, or of characters of one kind, that its tokens "
        "cannot be counted; take the document out of the corpus."
    )


def _rank_file(name: str, sha256: str) -> bytes:
    place = files("seqniah_datasets") / "ranks" / f"{name}.tiktoken.gz"
    try:
        raw = gzip.decompress(place.read_bytes())
    except (OSError, EOFError, zlib.error) as error:
        raise DamagedFile(
            f"The rank file {place} cannot be read ({error}); reinstall seqniah."
        ) from error
    if hashlib.sha256(raw).hexdigest() != sha256:
        raise DamagedFile(
            f"The rank file {place} is damaged (its SHA-256 is not {sha256[:12]}...); "
            "reinstall seqniah."
        )
    return raw


def _ranks(raw: bytes) -> dict[bytes, int]:
    lines = (line.split() for line in raw.splitlines() if line)
    return {binascii.a2b_base64(token): int(rank) for token, rank in lines}


class _PartsTokenizer(Tokenizer):
    """A tokenizer that is only asked how many tokens each of several texts has."""

    def _read(self, path: Path) -> bytes:
        """The bytes of the vocabulary, after which the tokenizer is named."""
        try:
            vocabulary = path.read_bytes()
        except OSError as error:
            raise SeqniahError(
                f"The tokenizer file {path} cannot be read: {error.strerror}."
            ) from error
        self.name, self.digest = str(path), hashlib.sha256(vocabulary).hexdigest()
        return vocabulary

    @abstractmethod
    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text."""

    def count(self, text: str) -> int:
        return self.counts([text])[0]

    def prefix_counts(self, text: bytes, cuts: Offsets) -> Offsets:
        edges = [0, *cuts.tolist(), len(text)]
        parts = [text[start:end].decode("utf-8") for start, end in pairwise(edges)]
        return np.cumsum(np.array(self.counts(parts), np.int64))

    def _adds_up(self) -> bool:
        """Whether counts add up at every cut of a table of awkward neighbours."""
        texts = zip(*((left + right, left, right) for left, right in _PAIRS), strict=True)
        counts = (self.counts(column) for column in texts)
        return all(whole == left + right for whole, left, right in zip(*counts, strict=True))


_LEFT = ("The end", " A 1999", "x", "It's U.S.A", "他们走了", "，好", "3.14", "don't", "é", "ABC")
_RIGHT = (
    *(". Next one", ".", '." He', "!\n\nNew", "...and", "。他", "！”他", "？\n", "…… 好"),
    *(".com is", ".\u201d She", "?!\r\nx", "。。", ".)", ". ", ".5"),
)
_PAIRS = tuple(product(_LEFT, _RIGHT))


class HuggingFaceTokenizer(_PartsTokenizer):
    """A `tokenizer.json`."""

    def __init__(self, path: Path) -> None:
        import tokenizers

        vocabulary = self._read(path)
        try:
            self._engine: tokenizers.Tokenizer = tokenizers.Tokenizer.from_buffer(vocabulary)
        except Exception as error:  # the library raises bare Exception
            raise SeqniahError(f"{path} is not a usable tokenizer.json: {error}.") from error
        self._engine.no_truncation()
        self._engine.no_padding()
        self._engine.encode_special_tokens = True  # they are plain text here
        self.exact_cuts = self._parts_text() and self._adds_up()

    def _parts_text(self) -> bool:
        """Whether text is parted at every cut before any merge: the reason that counts add up."""
        # Sums over a table can only disprove that they do.
        parting = self._engine.pre_tokenizer
        return parting is not None and all(
            len(left) in {end for _, (_, end) in parting.pre_tokenize_str(left + right)}
            for left, right in _PAIRS
        )

    def counts(self, texts: Sequence[str]) -> list[int]:
        encoded = self._engine.encode_batch_fast(list(texts), add_special_tokens=False)
        return [len(one.ids) for one in encoded]


class SentencePieceTokenizer(_PartsTokenizer):
    """A SentencePiece `.model` file."""

    exact_cuts = False  # spaces are glued to what follows, and a dummy one stands in front

    def __init__(self, path: Path) -> None:
        import sentencepiece

        vocabulary = self._read(path)
        self._engine: sentencepiece.SentencePieceProcessor = sentencepiece.SentencePieceProcessor()
        try:
            self._engine.LoadFromSerializedProto(vocabulary)
        except RuntimeError as error:
            raise SeqniahError(f"{path} is not a usable SentencePiece model.") from error

    def counts(self, texts: Sequence[str]) -> list[int]:
        return [len(ids) for ids in self._engine.EncodeAsIds(list(texts))]


_OPENING = Lock()
"""Held while a tokenizer is opened: threads that ask for one at once must not each open their own,
which takes tens of MB and tenths of a second apiece."""


def tokenizer(name: str = DEFAULT_TOKENIZER) -> Tokenizer:
    """The tokenizer of a name or path.

    `name` is one of `ENCODINGS`, the path of a `tokenizer.json`, of a folder that holds one,
    or of a SentencePiece `.model`. Raises `UnknownName`, `SeqniahError` for a file that cannot
    be used, and `DamagedFile` when a rank file is not what was published.
    """
    with _OPENING:
        return _opened(name)


@lru_cache(maxsize=8)
def _opened(name: str) -> Tokenizer:
    if name in ENCODINGS:
        return BytePairTokenizer(name)
    path = Path(name).expanduser()
    if path.is_dir() and (path / "tokenizer.json").is_file():
        path = path / "tokenizer.json"
    if path.suffix == ".json" and path.is_file():
        return HuggingFaceTokenizer(path)
    if path.suffix == ".model" and path.is_file():
        return SentencePieceTokenizer(path)
    known = [*ENCODINGS, "a path to tokenizer.json", "a path to a SentencePiece .model"]
    raise UnknownName("tokenizer", name, known)
