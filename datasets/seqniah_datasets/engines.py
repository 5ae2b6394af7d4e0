"""The optional fast engine for long texts: gigatoken, where it is installed (extra `fast`).

It must give the very tokens of the reference engine on a text of awkward cases before it is used.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from seqniah_datasets import store

Ids = npt.NDArray[np.uint32]
Encode = Callable[[bytes], Ids]

SCHEMES = {"cl100k_base": "cl100k", "o200k_base": "o200k", "qwen": "qwen2"}
"""Our names of encodings to gigatoken's names of their splitting."""

AWKWARD = (
    "It's 12345 o'clock!!\r\n\r\n  Größe ½ 中文，“好”。\t x  \n end   He'LL re-do <|endoftext|> it."
    "\u3000全角 e\u0301 \U0001f469\u200d\U0001f467 ١٢٣ \u0e44\u0e17\u0e22 U.S.A. 3.14 a_b/c//d"
    " ……！？ \n\n\n\t\t  ﬁ Ⅳ ªº ''s"
)
"""Every kind of piece that the encodings' patterns tell apart."""

_log = logging.getLogger(__name__)


def fast_encoder(name: str, ranks: bytes, reference: Encode) -> Encode | None:
    """The fast engine of an encoding with its rank file; None where there is none or not exact."""
    if name not in SCHEMES or importlib.util.find_spec("gigatoken") is None:
        return None
    try:
        import gigatoken

        # The engine wants to read the ranks from disk.
        path = store.cache_root() / "ranks" / f"{name}.tiktoken"
        if not path.is_file() or path.stat().st_size != len(ranks):
            with store.new_file(path) as place:
                place.write_bytes(ranks)
        engine = gigatoken.Tokenizer.from_tiktoken(
            path, pretokenizer=SCHEMES[name], special_tokens={}
        )
        encode: Encode = engine.encode
        sample = (AWKWARD * 3).encode()
        if np.array_equal(encode(sample), reference(sample)):
            return encode
        _log.warning("gigatoken's tokens differ from tiktoken's in %s; it is not used.", name)
    except Exception as error:  # it is optional: whatever it raises is no reason to stop
        _log.warning("gigatoken cannot be used (%s); tiktoken is.", error)
    return None
