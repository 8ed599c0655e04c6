"""The text of a cache simulator: set-associative levels with least-recently-used replacement.

A level is an array of i64, as `level_words` writes it: its sets and ways, the address of the next level (0: memory),
the number of lines written back to that level, the number of lines that each buffer has fetched from it, and for every
set its lines, the last used first. A line is 2 * number + 1 if it has been written to, 2 * number if not.

    touch(line):  look through the set, moving every entry one place back, until the line is found;
                  put it in front;  not found: fetch it from the next level, write the last entry back if it was written
"""

from __future__ import annotations

from mochac.codegen.machine import LINE, CacheLevel
from mochac.codegen.templates import template

SETS, WAYS, NEXT, WRITTEN, FETCHED = 0, 1, 2, 3, 4
"""Words of a level; from FETCHED on, one for each buffer, then the sets."""
EMPTY = -2
"""An entry without a line, which has not been written to."""


def level_words(level: CacheLevel, following: int, buffers: int) -> list[int]:
    """The array of an empty level; `following` is the address of the next one."""
    sets = level.n_bytes // (LINE * level.ways)
    return [sets, level.ways, following, 0, *[0] * buffers, *[EMPTY] * (sets * level.ways)]


def cache_model_text(buffers: int) -> str:
    """Functions that touch one line, and all lines of some bytes, on behalf of a buffer."""
    words = {"ways": WAYS, "next": NEXT, "written": WRITTEN, "fetched": FETCHED, "entries": FETCHED + buffers}
    return template("cpu/cache_model.ll.j2").render(line=LINE, **words)
