"""Register locals during printing: the SSA value that each element currently holds.

The statement printer reads and writes elements here; loops ask which elements need phi nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from types import MappingProxyType

from mochac.codegen.cpu.emitter import TextEmitter, llvm_type
from mochac.ir.index import Index
from mochac.ir.kernel import Accum, Buffer, If, Load, Loop, Stmt, Store
from mochac.ir.scalar import Reg
from mochac.ir.schedule import ScheduleError

Key = tuple[str, tuple[object, ...]]

LANE_AXES = ("lane", "outer lane")
"""Names of the lane axes in an index, the inner one first."""


@dataclass
class OpenLoop:
    """A loop whose body is being printed.

    Attributes:
        buffers: the buffers that the body writes.
        private: each iteration has its own elements, those that it writes before it reads them.
        entering: elements that were first written in an earlier iteration, each with its value at the start of an
            iteration and before the loop.
    """

    buffers: set[str]
    private: bool
    entering: dict[Key, tuple[Reg, Reg]] = field(default_factory=dict)


class Registers:
    """Values of the elements of all register locals; an index consists of constants and at most one "lane".

    Elements have the orientation in which they were written last: along one axis they are lanes of vectors. Vectors
    along another axis are derived from them, and are valid until the local is written again.
    """

    def __init__(self, emitter: TextEmitter, buffers: dict[str, Buffer]) -> None:
        self.e = emitter
        self.buffers = buffers
        self._values: dict[Key, Reg] = {}
        self._derived: dict[str, dict[tuple[object, ...], Reg]] = {}
        self._read: set[str] = set()
        """Texts of the values that were read."""
        self._loops: list[OpenLoop] = []

    def found(self, buffer: str, index: tuple[object, ...], like: Reg) -> Reg | None:
        """The current value of an element with this index; None if it has not been written."""
        value = self._known(buffer, index) or self.earlier((buffer, index), like)
        return None if value.text == "poison" else self.use(value)

    def read(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg:
        """The current value of an element, or of a row of elements.

        Raises:
            ScheduleError: it was not written before, or is read along two vector loops but written along one.
        """
        value = self._known(buffer, index) or self._derive(buffer, index, lanes)
        if value is None:
            like = Reg("poison", self.buffers[buffer].type.dtype, lanes if "lane" in index else 1)
            value = self.earlier((buffer, index), like)
        if value.text == "poison":
            raise _unwritten(buffer, index)
        return self.use(value)

    def _known(self, buffer: str, index: tuple[object, ...]) -> Reg | None:
        return self._values.get((buffer, index)) or self._derived.get(buffer, {}).get(index)

    def _derive(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        if "lane" not in index:
            return self._picked(buffer, index)
        return self._transposed(buffer, index, lanes) if len(index) == 2 else self._exchanged(buffer, index, lanes)

    def _rows(self, buffer: str, matches: Callable[[tuple[object, ...]], bool], axis: int) -> dict[object, Reg]:
        """The values of a local whose index matches, by their place along an axis; all of them count as read."""
        found = [(index, reg) for (name, index), reg in self._values.items() if name == buffer and matches(index)]
        return {index[axis]: self.use(reg) for index, reg in found}

    def _transposed(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """A column of a tile that was written row by row: transpose the whole tile, then take the column."""
        along = index.index("lane")
        rows = self._rows(buffer, lambda i: i[1 - along] == "lane", along)
        if not rows:
            return self._gathered(buffer, index, lanes)
        columns = self._derived.setdefault(buffer, {})
        for column, value in enumerate(transposed(self.e, rows, lanes)):
            columns[_put((column, column), along, "lane")] = value
        if index not in columns:
            raise ScheduleError(f"local %{buffer} is read along two vector loops, but written along one")
        return columns[index]

    def _exchanged(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """Inner lanes along another dimension than they were written along: transpose the tile of all rows and take a
        column.

        Outer lanes stay in place, so every run of inner lanes is transposed by itself.
        """
        into = index.index("lane")
        for along in (k for k, i in enumerate(index) if isinstance(i, int)):
            first = _put(_put(index, into, 0), along, "lane")
            rows = self._rows(buffer, lambda i, first=first: _put(i, into, 0) == first, into)
            if rows:
                size = self.buffers[buffer].type.shape[along]
                count = lanes * size // rows[0].lanes  # further rows are those of an earlier, larger tile
                tile_rows: dict[object, Reg] = {k: row for k, row in rows.items() if isinstance(k, int) and k < count}
                columns = self._derived.setdefault(buffer, {})
                for column, value in enumerate(transposed_runs(self.e, tile_rows, size, lanes)):
                    columns[_put(index, along, column)] = value
                return columns[index]
        return None

    def _gathered(self, buffer: str, index: tuple[object, ...], lanes: int) -> Reg | None:
        """A column of a tile of width one, whose elements were written one by one."""
        along = index.index("lane")
        parts = self._rows(buffer, lambda i: i[along] != "lane" and i[1 - along] == index[1 - along], along)
        vector: Reg | None = None
        for k in (k for k in range(lanes) if k in parts):
            part = parts[k]
            type, before = llvm_type(part.dtype, lanes), vector.text if vector else "poison"
            text = f"insertelement {type} {before}, {llvm_type(part.dtype)} {part.text}, i64 {k}"
            vector = self.e.emit(text, part.dtype, lanes)
        return vector

    def _picked(self, buffer: str, index: tuple[object, ...]) -> Reg | None:
        """One element of a row that is held as a vector."""
        for axis, lane in enumerate(index):
            row = self._values.get((buffer, _put(index, axis, "lane")))
            if row is not None and isinstance(lane, int) and lane < row.lanes:
                text = f"extractelement {llvm_type(row.dtype, row.lanes)} {self.use(row).text}, i64 {lane}"
                return self.e.emit(text, row.dtype)
        return None

    def write(self, buffer: str, index: tuple[object, ...], value: Reg) -> None:
        derived = self._derived.pop(buffer, {})
        if "lane" in index:
            self._turn(buffer, index.index("lane"), derived)
        self._values[buffer, index] = Reg(value.text, self.buffers[buffer].type.dtype, value.lanes)

    def _turn(self, buffer: str, along: int, derived: dict[tuple[object, ...], Reg]) -> None:
        """Elements are lanes along this axis from now on: vectors along others are replaced by those derived from
        them."""
        others = [i for name, i in self._values if name == buffer and "lane" in i and i.index("lane") != along]
        for index in others:
            del self._values[buffer, index]
        if others:
            self._values.update({(buffer, i): reg for i, reg in derived.items() if i.index("lane") == along})

    # --- where paths join --------------------------------------------------------------------------

    def of(self, buffers: set[str]) -> dict[Key, Reg]:
        """Current values of these locals."""
        return {key: reg for key, reg in self._values.items() if key[0] in buffers}

    def was_read(self, value: Reg) -> bool:
        return value.text in self._read

    def use(self, value: Reg) -> Reg:
        """Note that a value is read."""
        self._read.add(value.text)
        return value

    def earlier(self, key: Key, like: Reg) -> Reg:
        """The value of an element that the current iterations of the enclosing loops have not written, but earlier ones
        may have; poison if none can have."""
        return self._entering(key, like, len(self._loops))

    def _entering(self, key: Key, like: Reg, depth: int) -> Reg:
        """Its value at the start of an iteration of the innermost loop, of the outer `depth`, that writes it."""
        level = next((k for k in reversed(range(depth)) if key[0] in self._loops[k].buffers), None)
        if level is None or self._loops[level].private:
            return Reg("poison", like.dtype, like.lanes)
        entering = self._loops[level].entering
        if key not in entering:
            entering[key] = Reg(self.e.name(), like.dtype, like.lanes), self._entering(key, like, level)
        return entering[key][0]

    @contextmanager
    def loop(self, buffers: set[str], private: bool) -> Iterator[OpenLoop]:
        """A context in which the body of a loop is printed, which writes `buffers`."""
        self._loops.append(OpenLoop(buffers, private))
        with self.inside():
            yield self._loops[-1]
        for key in self._loops.pop().entering:
            if key not in self._values:
                raise _unwritten(*key)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """A context in which the body of a loop or guard is printed. Vectors derived in it are forgotten afterwards;
        `replace` also forgets those of what it writes."""
        derived = {name: dict(vectors) for name, vectors in self._derived.items()}
        yield
        self._derived = derived

    def replace(self, buffers: set[str], values: dict[Key, Reg]) -> None:
        """Set the elements of these locals to `values`, and forget their other elements."""
        for key in self.of(buffers):
            del self._values[key]
        for buffer in buffers:
            self._derived.pop(buffer, None)
        self._values.update(values)


def _unwritten(buffer: str, index: tuple[object, ...]) -> ScheduleError:
    place = ", ".join(map(str, index))
    return ScheduleError(f"local %{buffer} is read at [{place}], where nothing was written before")


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


def masked_lanes(
    body: tuple[Stmt, ...], lanes: Mapping[str, int] = MappingProxyType({}), masked: bool = False
) -> dict[str, int]:
    """The lanes of buffers that are written in some lanes only: the others keep what they have."""
    found: dict[str, int] = {}
    for stmt in body:
        inner: dict[str, int] = {}
        match stmt:
            case Loop():
                inside = {**lanes, stmt.var: stmt.extent or 1} if stmt.run == "vector" else lanes
                inner = masked_lanes(stmt.body, inside, masked)
            case If():
                own = any(var in lanes for cond in stmt.conds for var in cond.vars)
                inner = masked_lanes(stmt.body, lanes, masked or own)
            case Store() if masked:
                inner = {stmt.buffer: prod(lanes.values())}
            case _:
                pass
        for buffer, n in inner.items():
            found[buffer] = max(n, found.get(buffer, 1))
    return found


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
