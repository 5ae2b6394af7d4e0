"""Every example runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".sh"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_an_example_runs(path: Path, texts: Path, tmp_path: Path) -> None:
    here = str(Path(sys.executable).parent)
    env = {
        **os.environ,
        "PATH": f"{here}{os.pathsep}{os.environ['PATH']}",
        "CORPUS": str(texts),
        "LIMIT": "2",
        "INSPECT_DISPLAY": "plain",
    }
    command = [sys.executable, str(path)] if path.suffix == ".py" else ["bash", str(path)]
    done = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


def test_the_readme_shows_the_python_example_as_it_is() -> None:
    code = (ROOT / "examples" / "five_lines.py").read_text("utf-8").partition('"""\n\n')[2]
    assert code.strip() in (ROOT / "README.md").read_text("utf-8")
