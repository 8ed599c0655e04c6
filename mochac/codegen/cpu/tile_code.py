"""Prints nests of tile registers (ir/tile_nests.py): one instruction of AMX each.

    ldtilecfg         where sums are cleared: rows, and bytes of a row, of each of the eight registers
    tilezero acc
    tileloadd a, tileloadd b, tdpbf16ps acc, a, b        for every block of terms
    tilestored acc

LLVM allocates no tile registers: the code names them by number, so that what is printed is what runs. From where sums
are cleared until they are stored, each tile has a number of its own, with its shape. A factor is loaded once in a body.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from mochac.codegen.cpu.addresses import strides
from mochac.codegen.cpu.environment import Environment
from mochac.codegen.cpu.memory import Memory
from mochac.ir.index import Index
from mochac.ir.kernel import Load, Loop, Stmt, Store, walk
from mochac.ir.scalar import Reg
from mochac.ir.schedule import ScheduleError
from mochac.ir.tile_nests import REGISTERS, TileNest, TileOperand, tile_nest

ITEM = 4
"""Bytes of a number, and of a pair."""
CONFIG_BYTES, ROW_BYTES_AT, ROWS_AT = 64, 16, 48
"""Layout of what ldtilecfg reads; its first byte is 1."""
Place = tuple[str, tuple[Index, ...]]
"""A buffer, and the first element of a tile."""


class TileCode:
    """The tile registers of a kernel that is printed."""

    def __init__(self, env: Environment, memory: Memory) -> None:
        self.env, self.e, self.memory = env, env.e, memory
        self.numbers: dict[Place, int] = {}
        self.shapes: list[tuple[int, int]] = []
        self.inside: set[int] = set()
        """Statements inside of those that the shapes are set for."""
        self.regions = 0

    def configure(self, statements: tuple[Stmt, ...]) -> None:
        """If the first of the statements that follow clears sums: number the tiles that are used until these are
        stored, and set the shapes of the registers.

        Raises:
            ScheduleError: there are too few registers.
        """
        statements = _region(statements)
        if not statements or id(statements[0]) in self.inside:
            return
        self.inside = {id(inner) for s in statements if isinstance(s, Loop) for inner in walk(s.body)}
        self.numbers, self.shapes, self.regions = {}, [], self.regions + 1
        consts = {var: Index.of(k) for var, k in self.env.consts.items()}
        for nest, fixed in _nests(statements, consts):
            for operand in nest.operands:
                place = _place(operand, fixed)
                if self.numbers.setdefault(place, len(self.shapes)) == len(self.shapes):
                    self.shapes.append(operand.shape)
        if len(self.shapes) > REGISTERS:
            raise ScheduleError(f"{len(self.shapes)} tiles are in use together, but there are {REGISTERS} registers")
        config = _config(self.shapes)
        name = f"@tiles_{hashlib.blake2b(config, digest_size=8).hexdigest()}"
        text = "".join(f"\\{byte:02X}" for byte in config)
        self.e.declare(f'{name} = private unnamed_addr constant [{CONFIG_BYTES} x i8] c"{text}", align {CONFIG_BYTES}')
        self._call("ldtilecfg", "ptr", f"ptr {name}")

    def nest(self, loop: Loop) -> None:
        """Print the instructions of a nest."""
        nest = tile_nest(loop)
        assert nest is not None, f"tile loop {loop.var}"
        sums = self._number(nest.sums)
        if nest.is_product:
            left, right = map(self._loaded, nest.moved)
            self._call("tdpbf16ps", "i8 immarg, i8 immarg, i8 immarg", f"i8 {sums}, i8 {left}, i8 {right}")
        elif nest.moved:
            (target,) = nest.moved
            self._call("tilestored64", "i8 immarg, ptr, i64", f"i8 {sums}, {self._rows(target)}")
            self.e.forget_loaded(target.buffer)
        else:
            self._call("tilezero", "i8 immarg", f"i8 {sums}")

    def release(self) -> None:
        """Leave the registers, so that the system need not save them."""
        if self.regions:
            self._call("tilerelease", "", "")

    def _loaded(self, operand: TileOperand) -> int:
        """The register of a factor, which is loaded if it is not there."""
        number = self._number(operand)
        key = ("tile", self.regions, number)
        if self.e.loaded(operand.buffer, key) is None:
            self._call("tileloadd64", "i8 immarg, ptr, i64", f"i8 {number}, {self._rows(operand)}")
            self.e.remember_loaded(operand.buffer, key, Reg(str(number), "i8"))
        return number

    def _number(self, operand: TileOperand) -> int:
        number = self.numbers.get(_place(operand, {var: Index.of(k) for var, k in self.env.consts.items()}))
        if number is None:
            raise ScheduleError(f"a tile of %{operand.buffer} is used where no sums have begun")
        return number

    def _rows(self, operand: TileOperand) -> str:
        """Address of the first row, and bytes from one row to the next."""
        for loop in (operand.row, operand.column):
            self.env.fix(loop.var, 0)
        pointer, _, _ = self.memory.address(operand.buffer, operand.index, operand.stmt)
        for loop in (operand.row, operand.column):
            del self.env.consts[loop.var]
        steps = strides(self.memory.buffers[operand.buffer].type)
        pitch = sum(i.coefficient(operand.row.var) * step for i, step in zip(operand.index, steps, strict=True))
        return f"ptr {pointer.text}, i64 {ITEM * pitch}"

    def _call(self, name: str, takes: str, args: str) -> None:
        symbol = f"@llvm.x86.{name}"
        self.e.declare(f"declare void {symbol}({takes})")
        self.e.line(f"call void {symbol}({args})")


def _region(statements: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """The statements from a first one that clears sums to the one that stores them; none if the first clears none."""
    if not statements or not _begins(statements[0], Store):
        return ()
    end = next((k for k, s in enumerate(statements[1:], 1) if _begins(s, Store)), len(statements))
    return statements[: 1 + max(k for k in range(end) if k == 0 or _begins(statements[k], Load))]


def _begins(stmt: Stmt, use: type[Store] | type[Load]) -> bool:
    """Whether a statement is a nest, in unrolled loops at most, that clears sums (Store) or moves them (Load)."""
    while isinstance(stmt, Loop) and stmt.run == "unroll":
        stmt = stmt.body[0]
    nest = tile_nest(stmt) if isinstance(stmt, Loop) and stmt.run == "tile" else None
    return nest is not None and isinstance(nest.sums.stmt, use)


def _nests(statements: tuple[Stmt, ...], consts: dict[str, Index]) -> Iterator[tuple[TileNest, dict[str, Index]]]:
    """The nests of a body in the order of the printed code, with the variables that are constants there."""
    for stmt in statements:
        if not isinstance(stmt, Loop):
            continue
        if stmt.run == "tile":
            nest = tile_nest(stmt)
            assert nest is not None, f"tile loop {stmt.var}"
            yield nest, consts
        elif stmt.run == "unroll" or stmt.extent == 1:
            for k in range(stmt.lo.const or 0, stmt.hi.const or 0):
                yield from _nests(stmt.body, {**consts, stmt.var: Index.of(k)})
        else:
            yield from _nests(stmt.body, consts)


def _place(operand: TileOperand, consts: dict[str, Index]) -> Place:
    first = {**consts, operand.row.var: Index(), operand.column.var: Index()}
    return operand.buffer, tuple(i.substitute(first) for i in operand.index)


def _config(shapes: list[tuple[int, int]]) -> bytes:
    """What ldtilecfg reads.

    >>> _config([(16, 14)])[0], _config([(16, 14)])[16], _config([(16, 14)])[48]
    (1, 56, 16)
    """
    config = bytearray(CONFIG_BYTES)
    config[0] = 1
    for k, (rows, elements) in enumerate(shapes):
        config[ROW_BYTES_AT + 2 * k] = ITEM * elements
        config[ROWS_AT + k] = rows
    return bytes(config)
