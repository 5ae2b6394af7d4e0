"""Memory: how much there is, and a refusal before it runs out."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_datasets.store import in_units

VARIABLE = "SEQNIAH_MEMORY"
"""The environment variable with the bytes that may be used, where what the system tells is not."""

_MACHINE = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def available() -> int | None:
    """Bytes that may still be used, of the machine and of a container on it; None if not told.

    Raises `SeqniahError` where the user's own number is none.
    """
    if given := os.environ.get(VARIABLE):
        with suppress(ValueError, OverflowError):
            return int(float(given))
        raise SeqniahError(f"{VARIABLE} is a number of bytes, such as 64e9, not {given!r}.")
    found = []
    with suppress(OSError, ValueError):
        if told := re.search(r"MemAvailable: *([0-9]+) kB", _MACHINE.read_text("ascii")):
            found.append(int(told[1]) * 1024)
    with suppress(OSError, ValueError):  # version 2 of control groups; "max" is no number
        most, used = (int((_GROUP / f"memory.{one}").read_text("ascii")) for one in _USED)
        freed = re.search(r"^inactive_file ([0-9]+)$", (_GROUP / "memory.stat").read_text(), re.M)
        found.append(most - used + int(freed[1] if freed else 0))
    return min(found, default=None)


_USED = ("max", "current")


def refuse_lacking(what: str, needs: Mapping[str, int]) -> None:
    """Raise `SeqniahError` where there are fewer bytes than `what` needs for its parts in all."""
    there, total = available(), sum(needs.values())
    if there is not None and total > there:
        parts = ", ".join(f"{name} {in_units(size)}" for name, size in needs.items() if size)
        raise SeqniahError(
            f"{what} needs about {in_units(total)} of memory ({parts}), and {in_units(there)} are "
            f"available; take fewer documents, another strategy or a larger machine, or set "
            f"{VARIABLE} to the bytes that may be used."
        )
