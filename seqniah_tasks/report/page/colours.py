"""The page's colours, light and dark; those of the figures are theirs."""

from __future__ import annotations

from collections.abc import Mapping

from seqniah_tasks.report.drawing.theme import THEME

PAGE = {
    "light": {
        "--soft": "#f3f5f7",
        "--line": "#dde1e6",
        "--edge": "#8b939e",
        "--shade": "#cfd5dc",
        "--link": "#0b5cad",
        "--focus": "#0b5cad",
        "--warn": "#b76e00",
        "--warn-soft": "#fff8eb",
        "--found": "#00694f",
        "--changed": "#8a5100",
        "--missing": "#b3261e",
        "--misplaced": "#6a3fa0",
        "--redundant": "#4b5563",
    },
    "dark": {
        "--soft": "#1f242a",
        "--line": "#343b44",
        "--edge": "#76808c",
        "--shade": "#000000",
        "--link": "#7ab8ff",
        "--focus": "#7ab8ff",
        "--warn": "#d99a2b",
        "--warn-soft": "#2a2213",
        "--found": "#4fd1a5",
        "--changed": "#f0b35a",
        "--missing": "#ff8a80",
        "--misplaced": "#c7a6ff",
        "--redundant": "#b6bec9",
    },
}
"""By mode: name of the variable to colour."""


def theme(mode: str) -> Mapping[str, str]:
    """All variables of light or dark."""
    return {**THEME[mode], **PAGE[mode]}


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
