"""How many examples the tests of properties try: few each time, many in `make nightly`."""

from __future__ import annotations

import os

from hypothesis import settings

NIGHTLY = 20
"""How many times as many."""

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "steady")
"""By day the same examples on every machine, however busy; at night others each time."""


def examples(few: int) -> int:
    """For a test that names a number of its own."""
    return few * NIGHTLY if PROFILE == "nightly" else few


def load() -> None:
    """Has tests that name no number try as many as usual, or as many as at night."""
    settings.register_profile("steady", deadline=None, derandomize=True)
    settings.register_profile("explore", deadline=None)
    settings.register_profile("nightly", deadline=None, max_examples=100 * NIGHTLY, print_blob=True)
    settings.load_profile(PROFILE)
