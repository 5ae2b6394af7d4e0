"""`python -m seqniah_tasks`, and the `seqniah` command: also Ctrl-C while it loads is one line."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command."""
    try:
        from seqniah_tasks.cli import main as run

        run()
    except KeyboardInterrupt:
        sys.stderr.write("seqniah: Interrupted; nothing written.\n")
        sys.exit(130)


if __name__ == "__main__":
    main()
