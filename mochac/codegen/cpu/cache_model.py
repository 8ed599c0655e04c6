"""A cache simulator: set-associative levels with least-recently-used replacement. Native functions.

A level is an array of i64, as `level_words` writes it: its sets and ways, the address of the next level (0: memory),
the number of lines written back to that level, the number of buffers, the number of lines that each buffer has fetched
from it, and for every set its lines, the last used first. A line is 2 * number + 1 if it has been written to,
2 * number if not.
"""

from __future__ import annotations

from functools import cache

from mochac.codegen.machine import LINE, CacheLevel
from mochac.codegen.native.llvm_text import llvm_text
from mochac.codegen.native.values import Words, i64

SETS, WAYS, NEXT, WRITTEN, BUFFERS, FETCHED = 0, 1, 2, 3, 4, 5
"""Words of a level; from FETCHED on, one for each buffer, then the sets."""
EMPTY = -2
"""An entry without a line, which has not been written to."""


def level_words(level: CacheLevel, following: int, buffers: int) -> list[int]:
    """The array of an empty level; `following` is the address of the next one."""
    sets = level.n_bytes // (LINE * level.ways)
    return [sets, level.ways, following, 0, buffers, *[0] * buffers, *[EMPTY] * (sets * level.ways)]


def touch_line(level: Words, line: i64, dirty: i64, buffer: i64, fetch: bool) -> None:
    """Access a line: put it in front of its set; if it is not there, fetch it, and write back the one that leaves."""
    entries = level.at(FETCHED + level[BUFFERS] + line % level[SETS] * level[WAYS])
    entry = entries[0]
    if entry & -2 == line << 1:
        entries[0] = entry | dirty
        return
    for way in range(1, level[WAYS]):
        moved = entry
        entry = entries[way]
        entries[way] = moved
        if entry & -2 == line << 1:
            entries[0] = entry | dirty
            return
    entries[0] = line << 1 | dirty
    further = level[NEXT]
    if fetch:
        level.at(FETCHED)[buffer] += 1
        if further != 0:
            touch_line(Words(further), line, 0, buffer, True)
    if entry & 1 != 0:
        level[WRITTEN] += 1
        if further != 0:
            touch_line(Words(further), entry >> 1, 1, buffer, False)


def touch(level: Words, at: i64, n_bytes: i64, dirty: i64, buffer: i64) -> None:
    """Access all lines of some bytes on behalf of a buffer."""
    for line in range(at // LINE, (at + n_bytes - 1) // LINE + 1):
        touch_line(level, line, dirty, buffer, True)


def touch_if(level: Words, at: i64, n_bytes: i64, dirty: i64, buffer: i64, active: bool) -> None:
    """Access the bytes of an active lane."""
    if active:
        touch(level, at, n_bytes, dirty, buffer)


@cache
def cache_model_text() -> str:
    """LLVM text of `touch` and `touch_if`."""
    return llvm_text([touch, touch_if])
