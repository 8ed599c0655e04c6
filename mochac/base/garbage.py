"""garbage: switch off Python's search for garbage cycles while objects are made that stay.

To look through what an import or a plan makes takes longer than to make it, again and again as it grows: a tenth of the
time until a program's first step.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """A context without searches for garbage: objects that become unreachable in cycles stay until the next search."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextmanager
def lasting() -> Iterator[None]:
    """Like `uncollected`, for objects that stay: only the rare searches through old objects look through them.

    Where the program has frozen objects (gc.freeze), what is made counts as young, since gc.unfreeze would free all.
    """
    with uncollected():
        yield
        if not gc.get_freeze_count():
            gc.freeze()
            gc.unfreeze()  # to the old objects
