"""The text of a cache simulator: set-associative levels with least-recently-used replacement.

A level is an array of i64, as `level_words` writes it: its sets and ways, the address of the next level (0: memory),
the lines written back to that, the lines fetched from it by each buffer, and for every set its lines, last used first.
A line is 2 * number + 1 if it has been written to, 2 * number if not.

    touch(line):  look through the set, moving every entry one place back, until the line is found;
                  put it in front;  not found: fetch it from the next level, write the last entry back if it was written
"""

from __future__ import annotations

from mochac.codegen.machine import LINE, CacheLevel

SETS, WAYS, NEXT, WRITTEN, FETCHED = 0, 1, 2, 3, 4
"""Words of a level; from FETCHED on, one for each buffer, then the sets."""
EMPTY = -2
"""A place without a line, not written to."""


def level_words(level: CacheLevel, following: int, buffers: int) -> list[int]:
    """The array of an empty level; `following` is the address of the next one."""
    sets = level.n_bytes // (LINE * level.ways)
    return [sets, level.ways, following, 0, *[0] * buffers, *[EMPTY] * (sets * level.ways)]


def cache_model_text(buffers: int) -> str:
    """Functions that touch one line, and all lines of some bytes, on behalf of a buffer."""
    return f"""
define internal void @touch_line(ptr %level, i64 %line, i64 %dirty, i64 %buffer, i1 %fetch) nounwind {{
entry:
  %sets = load i64, ptr %level
  %ways.at = getelementptr i64, ptr %level, i64 {WAYS}
  %ways = load i64, ptr %ways.at
  %set = urem i64 %line, %sets
  %first = mul i64 %set, %ways
  %tags = getelementptr i64, ptr %level, i64 {FETCHED + buffers}
  %entries = getelementptr i64, ptr %tags, i64 %first
  %line.2 = shl i64 %line, 1
  %new = or i64 %line.2, %dirty
  %newest = load i64, ptr %entries
  %newest.line = and i64 %newest, -2
  %hit = icmp eq i64 %newest.line, %line.2
  br i1 %hit, label %again, label %search
again:
  %kept = or i64 %newest, %dirty
  store i64 %kept, ptr %entries
  ret void
search:
  %way = phi i64 [ 1, %entry ], [ %way.next, %other ]
  %moved = phi i64 [ %newest, %entry ], [ %entry.old, %other ]
  %more = icmp ult i64 %way, %ways
  br i1 %more, label %look, label %missed
look:
  %entry.at = getelementptr i64, ptr %entries, i64 %way
  %entry.old = load i64, ptr %entry.at
  store i64 %moved, ptr %entry.at
  %entry.line = and i64 %entry.old, -2
  %found = icmp eq i64 %entry.line, %line.2
  br i1 %found, label %front, label %other
other:
  %way.next = add i64 %way, 1
  br label %search
front:
  %old = or i64 %entry.old, %dirty
  store i64 %old, ptr %entries
  ret void
missed:
  store i64 %new, ptr %entries
  %next.at = getelementptr i64, ptr %level, i64 {NEXT}
  %next = load i64, ptr %next.at
  %next.level = inttoptr i64 %next to ptr
  %memory = icmp eq i64 %next, 0
  br i1 %fetch, label %fetched, label %replace
fetched:
  %counters = getelementptr i64, ptr %level, i64 {FETCHED}
  %counter = getelementptr i64, ptr %counters, i64 %buffer
  %count = load i64, ptr %counter
  %count.1 = add i64 %count, 1
  store i64 %count.1, ptr %counter
  br i1 %memory, label %replace, label %farther
farther:
  call void @touch_line(ptr %next.level, i64 %line, i64 0, i64 %buffer, i1 true)
  br label %replace
replace:
  %was = and i64 %moved, 1
  %written = icmp ne i64 %was, 0
  br i1 %written, label %back, label %done
back:
  %written.at = getelementptr i64, ptr %level, i64 {WRITTEN}
  %lines = load i64, ptr %written.at
  %lines.1 = add i64 %lines, 1
  store i64 %lines.1, ptr %written.at
  br i1 %memory, label %done, label %keep
keep:
  %gone = ashr i64 %moved, 1
  call void @touch_line(ptr %next.level, i64 %gone, i64 1, i64 %buffer, i1 false)
  br label %done
done:
  ret void
}}

define internal void @touch(ptr %level, i64 %at, i64 %bytes, i64 %dirty, i64 %buffer) nounwind {{
entry:
  %end = add i64 %at, %bytes
  %last.byte = sub i64 %end, 1
  %first = udiv i64 %at, {LINE}
  %last = udiv i64 %last.byte, {LINE}
  br label %next
next:
  %line = phi i64 [ %first, %entry ], [ %line.1, %next ]
  call void @touch_line(ptr %level, i64 %line, i64 %dirty, i64 %buffer, i1 true)
  %line.1 = add i64 %line, 1
  %more = icmp ule i64 %line.1, %last
  br i1 %more, label %next, label %done
done:
  ret void
}}

define internal void @touch_if(ptr %level, i64 %at, i64 %bytes, i64 %dirty, i64 %buffer, i1 %active) nounwind {{
entry:
  br i1 %active, label %yes, label %no
yes:
  call void @touch(ptr %level, i64 %at, i64 %bytes, i64 %dirty, i64 %buffer)
  br label %no
no:
  ret void
}}
"""
