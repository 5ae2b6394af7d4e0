"""The page's colours, light and dark; those of the figures are theirs."""

from __future__ import annotations

from collections.abc import Mapping

from seqniah_tasks.report.drawing.theme import THEME

PAGE = {
    "--soft": ("#f3f5f7", "#1f242a"),
    "--line": ("#dde1e6", "#343b44"),
    "--edge": ("#8b939e", "#76808c"),
    "--shade": ("#cfd5dc", "#000000"),
    "--link": ("#0b5cad", "#7ab8ff"),
    "--focus": ("#0b5cad", "#7ab8ff"),
    "--warn": ("#b76e00", "#d99a2b"),
    "--warn-soft": ("#fff8eb", "#2a2213"),
    "--found": ("#00694f", "#4fd1a5"),
    "--changed": ("#8a5100", "#f0b35a"),
    "--missing": ("#b3261e", "#ff8a80"),
    "--misplaced": ("#6a3fa0", "#c7a6ff"),
    "--redundant": ("#4b5563", "#b6bec9"),
}
"""By name of the variable: light and dark."""


def theme(mode: str) -> Mapping[str, str]:
    """All variables of light or dark."""
    own = {name: colours[mode == "dark"] for name, colours in PAGE.items()}
    return {**THEME[mode], **own}


def variables() -> str:
    """As CSS: by the reader's system, by the page's own choice, and light on paper."""
    light, dark = (
        f"color-scheme:{mode};" + "".join(f"{name}:{told};" for name, told in theme(mode).items())
        for mode in ("light", "dark")
    )
    # The last of equally specific rules holds.
    return (
        f":root{{{light}}}\n"
        f'@media (prefers-color-scheme:dark){{:root:not([data-theme="light"]){{{dark}}}}}\n'
        f':root[data-theme="dark"]{{{dark}}}\n'
        f"@media print{{:root:root{{{light}}}}}\n"
    )
