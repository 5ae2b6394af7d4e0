"""Every example runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import command_line
import lm_eval_yaml
import pytest
from lm_eval._cli import HarnessCLI
from lm_eval.config.evaluate_config import EvaluatorConfig

from seqniah_tasks.adapters.lm_eval.judge import read

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted(path for path in (ROOT / "examples").iterdir() if path.suffix in (".py", ".sh"))
LARGE = ("lm_eval_base.sh", "lm_eval_vllm.sh")
"""Examples that load a model; a base model is run in test_lm_eval_hf.py."""


@pytest.mark.parametrize(
    "path", [path for path in EXAMPLES if path.name not in LARGE], ids=lambda path: path.name
)
def test_an_example_runs(path: Path, texts: Path, tmp_path: Path) -> None:
    folders = command_line.folder(), Path(sys.executable).parent, os.environ["PATH"]
    env = {
        **os.environ,
        "PATH": os.pathsep.join(map(str, folders)),
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


@pytest.mark.parametrize("name", LARGE)
def test_an_example_with_a_model_says_what_lm_eval_takes(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lm_eval.tasks._index.TaskIndex._iter_yaml_files", lm_eval_yaml.found)
    words = 'lm_eval() { printf \'%s\\0\' "$@"; }; source "$0"'
    shown = subprocess.run(
        ["bash", "-c", words, str(ROOT / "examples" / name)],
        cwd=tmp_path, capture_output=True, encoding="utf-8", check=True,
    )  # fmt: skip
    given = HarnessCLI()._parser.parse_args(shown.stdout.split("\0")[:-1])
    config = EvaluatorConfig.from_cli(given)
    assert config.process_tasks(config.metadata).match_tasks(["seqniah"]) == ["seqniah"]
    assert config.tasks == ["seqniah"]
    assert config.log_samples
    read("seqniah_real_logical_en", config.metadata, config.model_args)


def test_the_readme_shows_the_python_example_as_it_is() -> None:
    code = (ROOT / "examples" / "five_lines.py").read_text("utf-8").partition('"""\n\n')[2]
    assert code.strip() in (ROOT / "README.md").read_text("utf-8")
