"""Makes, when the wheel is built, what lm-eval must read of benchmarks that were added here.

What comes with the package has its YAML in `seqniah_tasks/lm_eval_tasks`. Only for a further
benchmark is anything made, and only then does the build need what the package needs.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_FOLDER = Path("seqniah_tasks", "lm_eval_tasks")
_IN_LM_EVAL = "lm_eval/tasks/seqniah"


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the YAML that the package's own folder lacks."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the benchmarks that were added are imported with; nothing if there are none."""
        return list(self.metadata.core.dependencies) if self._added() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the files beside the build. An editable install keeps them with lm-eval alone."""
        if not self._added():
            return
        places = [_IN_LM_EVAL] if version == "editable" else [_IN_LM_EVAL, _FOLDER.as_posix()]
        self._made = tempfile.TemporaryDirectory(prefix="seqniah-lm-eval-")
        for folder in ("", "datasets", "scorers"):
            sys.path.insert(0, str(Path(self.root, folder)))
        from seqniah_tasks.adapters.lm_eval import tasks

        for name, text in tasks.texts().items():
            if Path(self.root, _FOLDER, name).exists():
                continue
            for place in places:
                path = Path(self._made.name, place, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, "utf-8")
                build_data["force_include"][str(path)] = f"{place}/{name}"

    def _added(self) -> bool:
        """Whether there is a benchmark of whose tasks the package's own folder knows nothing."""
        folders = Path(self.root, "seqniah_tasks", "benchmarks").glob("*/__init__.py")
        names = (path.parent.name for path in folders)
        return any(not Path(self.root, _FOLDER, f"_{name}_yaml").exists() for name in names)
