"""Register locals during printing: the SSA value that each element currently holds.

The statement printer reads and writes elements here; loops ask which elements need phi nodes.
"""

from __future__ import annotations

from collections.abc import Collection

from mochac.codegen.cpu.emitter import TextEmitter, llvm_type
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Load, Loop, Stmt, Store, written_buffers
from mochac.ir.scalar import Reg
from mochac.ir.schedule import ScheduleError

Key = tuple[str, tuple[object, ...]]

LANE_AXES = ("lane", "outer lane")
"""Names of the lane axes in an index, the inner one first."""


class Registers:
    """Current values of the elements of all register locals; an index consists of constants and at most one "lane"."""

    def __init__(self, emitter: TextEmitter, buffers: dict[str, Buffer]) -> None:
        self.e = emitter
        self.buffers = buffers
        self._values: dict[Key, Reg] = {}
        self._lane_axes: dict[str, set[int]] = {}
        """The axes along which elements of a buffer may be held as lanes."""

    def has(self, buffer: str, index: tuple[object, ...]) -> bool:
        return (buffer, index) in self._values

    def read(self, buffer: str, index: tuple[object, ...], lanes: int, is_lane: bool) -> Reg:
        value = self._values.get((buffer, index))
        if value is None and len(index) == 2:
            value = self._transposed(buffer, index, lanes) if is_lane else self._picked(buffer, index)
        elif value is None and len(index) > 2:
            value = self._exchanged(buffer, index, lanes)
        if value is not None:
            return value
        return self.e.const(0, self.buffers[buffer].type.dtype, lanes if is_lane else 1)

    def _transposed(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """A column of a tile that was written row by row: transpose the whole tile, then take the column."""
        along = index.index("lane")
        rows = {k[1][along]: r for k, r in self._values.items() if k[0] == buffer and k[1][1 - along] == "lane"}
        if not rows:
            return self._gathered(buffer, index, lanes)
        for column, value in enumerate(transposed(self.e, rows, lanes)):
            key: list[object] = [column, column]
            key[along] = "lane"
            self._hold((buffer, tuple(key)), value)
        if (buffer, index) not in self._values:
            raise ScheduleError(f"local %{buffer} is read along two vector loops, but written along one")
        return self._values[buffer, index]

    def _exchanged(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """Inner lanes along another dimension than they were written along: transpose the tile of all rows and take a
        column.

        Outer lanes stay in place, so every run of inner lanes is transposed by itself.
        """
        into = index.index("lane") if "lane" in index else -1
        for along in (k for k, i in enumerate(index) if isinstance(i, int) and into >= 0):
            first = _put(_put(index, into, 0), along, "lane")
            rows = {k[into]: r for (n, k), r in self._values.items() if n == buffer and _put(k, into, 0) == first}
            if rows:
                size = self.buffers[buffer].type.shape[along]
                count = lanes * size // rows[0].lanes  # further rows are those of an earlier, larger tile
                held: dict[object, Reg] = {k: row for k, row in rows.items() if isinstance(k, int) and k < count}
                for column, value in enumerate(transposed_runs(self.e, held, size, lanes)):
                    self._hold((buffer, _put(index, along, column)), value)
                return self._values[buffer, index]
        return None

    def _gathered(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """A column of a tile of width one, whose elements were written one by one."""
        along = index.index("lane")
        parts = {k: self._values.get((buffer, (k, index[1]) if along == 0 else (index[0], k))) for k in range(lanes)}
        vector: Reg | None = None
        for k, part in parts.items():
            if part is not None:
                type, before = llvm_type(part.dtype, lanes), vector.text if vector else "poison"
                text = f"insertelement {type} {before}, {llvm_type(part.dtype)} {part.text}, i64 {k}"
                vector = self.e.emit(text, part.dtype, lanes)
        return vector

    def _picked(self, buffer: str, index: tuple[object, ...]) -> Reg | None:
        """One element of a row or column that is held as a vector."""
        for axis in (0, 1):
            row = self._values.get((buffer, ("lane", index[1]) if axis == 0 else (index[0], "lane")))
            if row is not None:
                text = f"extractelement {llvm_type(row.dtype, row.lanes)} {row.text}, i64 {index[axis]}"
                return self.e.emit(text, row.dtype)
        return None

    def write(self, buffer: str, index: tuple[object, ...], value: Reg) -> None:
        if "lane" in index:
            self._forget_transposed(buffer, index.index("lane"))
        self._hold((buffer, index), Reg(value.text, self.buffers[buffer].type.dtype, value.lanes))

    def _hold(self, key: Key, value: Reg) -> None:
        self._values[key] = value
        if "lane" in key[1]:
            self._lane_axes.setdefault(key[0], set()).add(key[1].index("lane"))

    def _forget_transposed(self, buffer: str, along: int) -> None:
        """A row of a tile changes: forget the columns taken from the tile."""
        if self._lane_axes.get(buffer, set()) <= {along}:
            return
        self._lane_axes[buffer] = {along}
        for key in [k for k in self._values if k[0] == buffer and "lane" in k[1] and k[1].index("lane") != along]:
            del self._values[key]

    def current(self, key: Key, default: Reg | None = None) -> Reg:
        return self._values[key] if default is None else self._values.get(key, default)

    def update(self, values: dict[Key, Reg]) -> None:
        for key, value in values.items():
            self._hold(key, value)

    def changed(self, body: tuple[Stmt, ...]) -> dict[Key, Reg]:
        """Elements that exist now and that a body may write."""
        written = written_buffers(body)
        return {key: reg for key, reg in self._values.items() if key[0] in written}

    def carried(self, body: tuple[Stmt, ...]) -> dict[Key, Reg]:
        """Loop-carried elements of a body: those it reads before it writes them."""
        needed = {b for b in written_buffers(body) if b in self.buffers and read_before_write(body, b)}
        return {key: reg for key, reg in self._values.items() if key[0] in needed}

    def keep_only_known(self, body: tuple[Stmt, ...], known: dict[Key, Reg]) -> None:
        """After a body, forget the elements it wrote except `known` ones; a loop's own are private to an iteration."""
        written = written_buffers(body)
        for key in [k for k in self._values if k[0] in written and k not in known]:
            del self._values[key]


def read_before_write(body: tuple[Stmt, ...], buffer: str) -> bool:
    """Whether a body may read `buffer` before it stores to it; a guarded store (under an If) counts as a read."""
    return _first_access(body, buffer, guarded=False) != "write"


def _first_access(body: tuple[Stmt, ...], buffer: str, guarded: bool) -> str | None:
    for stmt in body:
        first: str | None = None
        match stmt:
            case Load() | Accum() if stmt.buffer == buffer:
                return "read"
            case Store() if stmt.buffer == buffer:
                return "read" if guarded else "write"
            case Loop():
                first = _first_access(stmt.body, buffer, guarded)
            case If():
                first = _first_access(stmt.body, buffer, True)
            case _:
                pass
        if first is not None:
            return first
    return None


def same_guards(body: tuple[Stmt, ...], names: Collection[str]) -> set[str]:
    """Buffers whose accesses all have the same index and the same guard: nobody sees the lanes the guard excludes."""
    guards: dict[str, set[object]] = {}
    _guards(body, (), names, guards)
    return {name for name, ways in guards.items() if len(ways) == 1}


def _guards(
    body: tuple[Stmt, ...], conds: tuple[Index, ...], names: Collection[str], guards: dict[str, set[object]]
) -> None:
    for stmt in body:
        match stmt:
            case Load() | Store() | Accum() if stmt.buffer in names:
                guards.setdefault(stmt.buffer, set()).add((stmt.index, conds))
            case Loop():
                _guards(stmt.body, conds, names, guards)
            case If():
                _guards(stmt.body, (*conds, *stmt.conds), names, guards)
            case _:
                pass


def _put(key: tuple[object, ...], at: int, value: object) -> tuple[object, ...]:
    return (*key[:at], value, *key[at + 1 :])


def transposed(e: TextEmitter, rows: dict[object, Reg], lanes: int) -> list[Reg]:
    """Transpose a tile given as rows: log2(n) rounds, each exchanging blocks of a power of two between pairs of rows.

    Rows may be shorter than `lanes`, and some may be missing (their lanes are unspecified).
    """
    first = next(iter(rows.values()))
    n = 1 << (max(lanes, first.lanes) - 1).bit_length()
    blank = Reg("poison", first.dtype, n)
    tile = _exchange_rounds(e, [_widened(e, rows[k], n) if k in rows else blank for k in range(n)], n)
    return [e.shuffle(t, t, list(range(lanes))) if lanes < n else t for t in tile]


def transposed_runs(e: TextEmitter, rows: dict[object, Reg], size: int, lanes: int) -> list[Reg]:
    """Transpose tiles that lie side by side: every run of `size` lanes of the rows is one row of a tile.

    `size` is a power of two, `lanes` the number of lanes wanted. With fewer rows, the runs of the result are shorter.
    """
    width = next(iter(rows.values())).lanes
    blank = Reg("poison", next(iter(rows.values())).dtype, width)
    tile = _exchange_rounds(e, [rows.get(k, blank) for k in range(size)], width)
    kept = lanes * size // width
    picks = [k for k in range(width) if k % size < kept]
    return [e.shuffle(t, t, picks) if kept < size else t for t in tile]


def _exchange_rounds(e: TextEmitter, tile: list[Reg], width: int) -> list[Reg]:
    span = 1
    while span < len(tile):
        low = [j if not j & span else width + (j ^ span) for j in range(width)]
        high = [j | span if not j & span else width + j for j in range(width)]
        for i in (i for i in range(len(tile)) if not i & span):
            a, b = tile[i], tile[i | span]
            if a.text == b.text == "poison":
                continue
            tile[i], tile[i | span] = e.shuffle(a, b, low), e.shuffle(a, b, high)
        span *= 2
    return tile


def _widened(e: TextEmitter, row: Reg, n: int) -> Reg:
    return row if row.lanes == n else e.shuffle(row, row, [min(k, row.lanes - 1) for k in range(n)])
