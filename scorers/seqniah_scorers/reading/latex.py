"""LaTeX in an answer, taken off so that its words stay."""

from __future__ import annotations

import re

_COMMAND = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|mathrm|mathbf|mathit|boxed|emph|underline|fbox)\s?\{"
)
_ENVIRONMENT = re.compile(r"\\(?:begin|end)\{\w{1,20}\*?\}(?:\[\w{0,9}\]|\{\w{0,9}\})?")
_ITEM = re.compile(r"^\s*\\item\b(?:\[[^\]]{0,20}\])?\s*")
_BREAK = re.compile(r"\\\\(?:\[\w{1,6}\])?|\\newline\b")
_SIGNS = re.compile(r"\\[\[\]()]|\\(?:quad|qquad|hline|par|;|,)|\$\$?(?!\s?\d)")


def without_latex(line: str) -> list[str]:
    """The line's words; more than one line where it holds line breaks of its own."""
    if "\\" not in line:
        return [_SIGNS.sub("", line)]
    parts = _BREAK.split(line) if _COMMAND.search(line) or _ENVIRONMENT.search(line) else [line]
    return [_words(part) for part in parts]


def _words(line: str) -> str:
    line = _SIGNS.sub("", line)
    found = _COMMAND.search(line) or _ENVIRONMENT.search(line)
    line = _ITEM.sub("- ", _ENVIRONMENT.sub("", _COMMAND.sub("", line)))
    if found:
        line = line.replace("{", "").replace("}", "")
    return line.lstrip("&")
