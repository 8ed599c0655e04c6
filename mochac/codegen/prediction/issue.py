"""Cycles that a core needs for the instructions of a scheduled kernel if all data are in its nearest cache.

A body without loops is counted as the printer prints it: unrolled loops expanded, vector loops as lanes of a register,
each element loaded once. It takes as long as its busiest resource (live.py): arithmetic units, shuffles, loads,
stores, the width of issue, or the chain of multiply-adds into one accumulator, each of which waits for the one before.
Values that do not fit the registers (live.py) are stored and loaded again.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import gcd
from typing import Any

import numpy as np

from mochac.codegen.analysis.nests import registers_kept
from mochac.codegen.cpu.addresses import Lanes, consecutive, every_second, repeats, runs, strides
from mochac.codegen.machine import LINE, Machine
from mochac.codegen.prediction.function_counts import Counted, dot4_counts, instructions, shared_instructions
from mochac.codegen.prediction.lines import IndexNumbers, fixed
from mochac.codegen.prediction.live import Instructions, Live, LiveValue
from mochac.ir.executed import Env, Executed, holds
from mochac.ir.index import Index
from mochac.ir.kernel import (
    DOT4,
    Accum,
    Body,
    Const,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Operand,
    Prefetch,
    Store,
    loaded_buffers,
    walk,
)
from mochac.ir.kernel_rules import name_dtypes
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.tile_nests import TileOperand, tile_nest
from mochac.ir.types import DTYPES, FLOATS, PAIRS

LOOP = 2
"""Instructions at the end of a loop: the counter and the branch; addresses are folded into loads."""
SHORT_LOOP = 4
"""The branch at the end of a loop with fewer iterations is predicted correctly."""
SEPARATE_PAIRS = 2.0
"""A sum of pairs without an instruction for them is two multiply-adds in sequence."""
MASKED = 64
"""Bytes of vectors that have masks, and operations that take a number from memory for all lanes."""
BROADCAST = 16
"""Bytes that a load instruction can repeat throughout a register."""


def cycles(kernel: Kernel, machine: Machine) -> float:
    """Cycles of all iterations together, on one core."""
    return Executed(_Bodies(kernel, machine).cost).count(kernel.body, {})


def loop_cycles(kernel: Kernel, machine: Machine) -> list[float]:
    """The cycles of each loop, in the order of the kernel's text: those of all its iterations together, inner loops
    included. They are 0 for loops that are unrolled or run as lanes.
    """
    counted: Any = Executed(_ByLoop(kernel, machine).cost).count(kernel.body, {})
    return counted[1:].tolist()


class _Bodies:
    def __init__(self, kernel: Kernel, machine: Machine) -> None:
        self.buffers, self.machine = kernel.buffers(), machine
        self.dtypes = name_dtypes(kernel.body, self.buffers)
        self.lanes_of = _register_lanes(kernel.body)
        self.pieces = lru_cache(maxsize=None)(self._pieces)
        self.registers = lru_cache(maxsize=None)(self._registers)
        self.call = lru_cache(maxsize=None)(self._call)
        self.element = lru_cache(maxsize=None)(self._element)
        self.again: dict[int, bool] = {}
        self.indices = IndexNumbers()
        self.inside = lru_cache(maxsize=None)(Lanes.inside)

    def _pieces(self, buffer: str, index: tuple[Index, ...], lanes: Lanes) -> tuple[float, int]:
        """Accesses to memory, and shuffles that put pieces together, of one access of some lanes. A vector that crosses
        the end of a line counts as two."""
        type = self.buffers[buffer].type
        place = sum((i * s for i, s in zip(index, strides(type), strict=True)), Index())
        offsets = lanes.offsets({v: place.coefficient(v) for v in lanes.names})
        if not offsets:
            return 1, 0
        if consecutive(offsets):
            item = DTYPES[type.dtype].itemsize
            size = min(len(offsets) * item, self.machine.vector_bytes)
            start = gcd(size, *(c * item for v, c in place.terms if v not in lanes.names), place.const * item)
            return self.vectors(len(offsets), type.dtype) * (1 + (size - start) / LINE), 0
        if repeats(offsets):
            return 1, 1
        if every_second(offsets):
            return 2 * self.vectors(len(offsets), type.dtype), 1
        size = runs(offsets)
        n = len({offsets[k] for k in range(0, len(offsets), size)})
        return n, n if n > 1 or size * DTYPES[type.dtype].itemsize < BROADCAST else 0

    def _element(self, buffer: str, place: int) -> tuple[int, object]:
        """The number of an element where all variables are 0, and the terms in them."""
        known, terms = self.indices.fixed[place]
        return sum(c * s for c, s in zip(known, strides(self.buffers[buffer].type), strict=True)), terms

    def vectors(self, lanes: int, dtype: str) -> int:
        """Number of registers that hold this many lanes."""
        return max(1, -(-lanes * DTYPES[dtype].itemsize // self.machine.vector_bytes))

    def _registers(self, dtype: str, lanes: int) -> int:
        """Number of vector registers of a value. Numbers that are no lanes are in them if they are real; masks of
        AVX-512 have registers of their own."""
        if lanes == 1:
            return int(dtype in FLOATS or dtype == PAIRS)
        if dtype == "bool":
            return 0 if self.machine.vector_bytes == MASKED else self.vectors(lanes, "i32")
        return self.vectors(lanes, dtype)

    def loaded_again(self, loop: Loop) -> bool:
        """Whether each iteration of an unrolled loop loads what it reads, since registers for it are lacking."""
        if id(loop) not in self.again:
            kept = registers_kept(loop) if self.machine.from_memory else 0
            self.again[id(loop)] = kept > self.machine.registers
        return self.again[id(loop)]

    def _call(self, fn: str, dtypes: tuple[str, ...], wide: int) -> tuple[str, int, int]:
        """Dtype and registers of a function's result, and how many vectors it is computed for."""
        dtype = FUNCTIONS[fn].result(dtypes)
        return dtype, self.registers(dtype, wide), max(self.vectors(wide, d) for d in dtypes)

    def wait(self, fn: str) -> float:
        """How many times as long as after a multiply-add the next term waits."""
        if fn != "dot2":
            return 1.0
        return self.machine.pair_latency / self.machine.latency if self.machine.pair_products else SEPARATE_PAIRS

    def cost(self, count: Executed, body: Body, env: Env) -> Any:
        """Cycles of a body: its own instructions, then the loops in it."""
        straight = _Straight(self, count, env)
        straight.add(body, {}, Lanes())
        straight.work.other += LOOP
        straight.work.spills = straight.live.spills(self.machine.registers)
        return self.total(straight.work.cycles(self.machine)) + straight.loops

    def total(self, cycles: float) -> Any:
        """The cost of a body without loops."""
        return cycles

    def loop(self, stmt: Loop, end: float, inside: Any) -> Any:
        """The cost of a loop: of its end and of its body."""
        return end + inside


class _ByLoop(_Bodies):
    """Counts cycles as arrays: element 0 is the body; the others are the kernel's loops, by number."""

    def __init__(self, kernel: Kernel, machine: Machine) -> None:
        super().__init__(kernel, machine)
        self.numbers = {id(loop): k for k, loop in enumerate(s for s in walk(kernel.body) if isinstance(s, Loop))}

    def total(self, cycles: float) -> np.ndarray:
        """The cycles of a body without loops."""
        return np.array([cycles, *[0.0] * len(self.numbers)])

    def loop(self, stmt: Loop, end: float, inside: np.ndarray | float) -> np.ndarray:
        """The cycles of a body are those of the loop around it."""
        counted = self.total(end) + inside
        counted[1 + self.numbers[id(stmt)]] += counted[0]
        return counted


class _Straight:
    """Counts the instructions of one body."""

    def __init__(self, of: _Bodies, count: Executed, env: Env) -> None:
        self.of, self.count, self.env = of, count, env
        self.work = Instructions()
        self.loops: Any = 0.0
        self.seen: set[tuple[Any, ...]] = set()
        self.prefetched: dict[object, dict[int, int]] = {}
        self.names: dict[str, tuple[str, int]] = {}
        self.called: dict[tuple[Operand, ...], list[str]] = {}
        self.live = Live()
        self.mask: str = ""

    def define(self, name: str, dtype: str, lanes: int, value: LiveValue) -> None:
        """From here on, a name is another value."""
        self.names[name] = dtype, lanes
        self.live.names[name] = value
        for args in [args for args in self.called if name in args]:
            del self.called[args]

    def add(self, body: Body, consts: Env, lanes: Lanes) -> None:
        for stmt in body:
            match stmt:
                case Load():
                    self.load(stmt, consts, lanes)
                case Let():
                    self.let(stmt, consts, lanes)
                case Accum():
                    self.accumulate(stmt, consts, lanes)
                case Store():
                    self.store(stmt, consts, lanes)
                case Prefetch():
                    self.prefetch(stmt, consts)
                case Loop(run="unroll"):
                    env, again = {**self.env, **consts}, self.of.loaded_again(stmt)
                    for k in range(max(stmt.lo.values(env)), min(stmt.hi.values(env))):
                        if again:
                            self.load_again(stmt)
                        self.add(stmt.body, {**consts, stmt.var: k}, lanes)
                case Loop(run="vector"):
                    n = stmt.extent or 1
                    inner = ({**consts, stmt.var: 0}, lanes) if n == 1 else (consts, self.of.inside(lanes, stmt.var, n))
                    self.add(stmt.body, *inner)
                case Loop(run="tile"):
                    self.tile(stmt, consts)
                case Loop():
                    end = 0 if (stmt.extent or SHORT_LOOP) < SHORT_LOOP else self.of.machine.restart
                    self.loops = self.loops + self.of.loop(stmt, end, self.count.inside(stmt, {**self.env, **consts}))
                case If():
                    if self.holds(stmt, consts, lanes):
                        self.guarded(stmt, consts, lanes)

    def tile(self, loop: Loop, consts: Env) -> None:
        """Count a nest of tile registers. A row that is loaded or stored is an access, and a factor is loaded once."""
        nest = tile_nest(loop)
        assert nest is not None, f"tile loop {loop.var}"
        if not nest.is_product:
            self.work.stores += sum(map(self.rows, nest.moved))
            self.work.other += 1
            return
        for operand in nest.moved:
            at = (operand.buffer, self.of.indices.number(operand.index, consts))
            if at not in self.seen:
                self.seen.add(at)
                self.work.loads += self.rows(operand)
        self.work.tiles += 1
        sums = nest.sums.buffer, self.of.indices.number(nest.sums.index, consts)
        self.work.chains[sums] += self.of.machine.tile_latency / self.of.machine.latency

    def rows(self, operand: TileOperand) -> float:
        """Accesses of a tile's rows."""
        rows, elements = operand.shape
        return rows * self.of.pieces(operand.buffer, operand.index, Lanes().inside(operand.column.var, elements))[0]

    def guarded(self, stmt: If, consts: Env, lanes: Lanes) -> None:
        """The body of a condition. If it holds for some lanes only, a mask says for which."""
        before = self.mask
        if _uses(stmt.conds, lanes):
            self.mask = str(self.of.indices.number(stmt.conds, consts))
        self.add(stmt.body, consts, lanes)
        self.mask = before

    def holds(self, stmt: If, consts: Env, lanes: Lanes) -> bool:
        """Whether any lane meets the conditions."""
        env = {**self.env, **consts}
        if not _uses(stmt.conds, lanes):
            return holds(stmt, env)
        every = product(*(range(n) for _, n in lanes.axes))
        return any(holds(stmt, env | dict(zip(lanes.names, at, strict=True))) for at in every)

    # -- memory and registers -----------------------------------------------------------------------------------------

    def load(self, stmt: Load, consts: Env, lanes: Lanes) -> None:
        buffer = self.of.buffers[stmt.buffer]
        wide = lanes.count if _uses(stmt.index, lanes) else 1
        at = (stmt.buffer, self.of.indices.number(stmt.index, consts))
        self.define(stmt.name, buffer.type.dtype, wide, self.read(at, wide))
        if at in self.seen:
            return
        self.seen.add(at)
        if buffer.space == "register":
            self.exchange(stmt, lanes)
            return
        self.work.loads += self.pieces(stmt.buffer, stmt.index, lanes)
        if self.mask and wide > 1:
            self.live.use(self.mask, self.of.registers("bool", wide))

    def load_again(self, loop: Loop) -> None:
        """What the loop reads is not kept from its last iteration, as in codegen/cpu/memory.py."""
        buffers = loaded_buffers(loop.body)
        places = {at for at in self.seen if at[0] in buffers}
        self.seen -= places
        self.live.forget(places)

    def read(self, at: tuple[str, Any], wide: int) -> LiveValue:
        """The value at a place, which may be in a register."""
        buffer = self.of.buffers[at[0]]
        registers = self.of.registers(buffer.type.dtype, wide)
        if buffer.space == "register":
            return self.live.element(at, registers)
        whole = wide > 1 and not self.mask
        folds = self.of.machine.from_memory and (whole or self.of.machine.vector_bytes == MASKED)
        return self.live.load(at, registers, folds)

    def use(self, operand: Operand, type: tuple[str, int]) -> None:
        """An operand of a type is used."""
        if isinstance(operand, str):
            self.live.use(operand, self.of.registers(*type))

    def prefetch(self, stmt: Prefetch, consts: Env) -> None:
        """Elements less than a line apart are prefetched once, as in codegen/cpu/memory.py."""
        at, terms = self.of.element(stmt.buffer, self.of.indices.number(stmt.index, consts))
        line = LINE // DTYPES[self.of.buffers[stmt.buffer].type.dtype].itemsize
        by_line, number = self.prefetched.setdefault((stmt.buffer, stmt.write, stmt.l2, terms), {}), at // line
        if all(abs(at - by_line.get(k, at + line)) >= line for k in (number - 1, number, number + 1)):
            by_line[number] = at
            self.work.loads += 1

    def pieces(self, buffer: str, index: tuple[Index, ...], lanes: Lanes) -> float:
        """Accesses to memory of one access of some lanes; their shuffles are counted."""
        accesses, shuffles = self.of.pieces(buffer, index, lanes)
        self.work.shuffles += shuffles
        return accesses

    def exchange(self, stmt: Load, lanes: Lanes) -> None:
        """Count the shuffles of lanes that are read along another dimension of a local than they were written along."""
        read, written = _lane_dimensions(stmt.index, lanes.names), self.of.lanes_of.get(stmt.buffer, set())
        if read and written and read not in written:
            shape = self.of.buffers[stmt.buffer].type.shape
            moved = [shape[k] for k in read if all(k not in way for way in written)]
            self.work.shuffles += sum(max(1, (n - 1).bit_length()) for n in moved)

    def store(self, stmt: Store, consts: Env, lanes: Lanes) -> None:
        """A value that is stored to a register is there already, unless it becomes that of many lanes."""
        buffer = self.of.buffers[stmt.buffer]
        if buffer.space != "register":
            self.use(stmt.value, self.type(stmt.value, lanes))
            self.work.stores += self.pieces(stmt.buffer, stmt.index, lanes)
            return
        dtype, wide = self.type(stmt.value, lanes)
        value = self.live.names.get(stmt.value) if isinstance(stmt.value, str) else None
        if value is None or (wide == 1 and _uses(stmt.index, lanes)):
            self.use(stmt.value, (dtype, wide))
            value = self.live.define(self.of.registers(dtype, lanes.count if _uses(stmt.index, lanes) else wide))
        self.live.elements[stmt.buffer, self.of.indices.number(stmt.index, consts)] = value

    # -- arithmetic ---------------------------------------------------------------------------------------------------

    def let(self, stmt: Let, consts: Env, lanes: Lanes) -> None:
        types = [self.type(a, lanes) for a in stmt.args]
        dtypes = tuple([t for t, _ in types])
        wide = max([n for _, n in types], default=1)
        dtype, registers, vectors = self.of.call(stmt.fn, dtypes, wide)
        for operand, type in zip(stmt.args, types, strict=True):
            self.use(operand, type)
        self.define(stmt.name, dtype, wide, self.live.define(registers))
        if self.shares(stmt, types, consts, lanes):
            return
        before = self.called.setdefault(stmt.args, []) if FUNCTIONS[stmt.fn].approximated else []
        counted = instructions(stmt.fn, dtypes, tuple(before), self.of.machine.pair_products > 0)
        before.append(stmt.fn)
        self.work.add(counted, vectors)

    def shares(self, stmt: Let, types: list[tuple[str, int]], consts: Env, lanes: Lanes) -> bool:
        """Count a call that shares work with its neighbours (codegen/cpu/shared_calls.py), once for all of them; false
        if it shares none."""
        shared, last = FUNCTIONS[stmt.fn].shared, stmt.args[-1]
        if shared is None or not isinstance(last, Index):
            return False
        (const,), (terms,) = fixed((last,), consts)
        rest = tuple((var, c) for var, c in terms if var not in lanes.names)
        offsets = lanes.offsets({var: c for var, c in terms if var in lanes.names})
        if any(c % shared.size for _, c in rest) or (offsets and any(n > 1 for _, n in types[:-1])):
            return False
        block, at = divmod(const, shared.size)
        blocks = frozenset((at + offset) // shared.size for offset in offsets) or frozenset({0})
        count = max(len(blocks), *(n for _, n in types[:-1]))
        if offsets:
            self.work.shuffles += 4 * self.of.vectors(len(offsets), "u32")  # pairs of results, and picks from them
        key = (stmt.fn, stmt.args[:-1], rest, block, blocks)
        if key not in self.seen:
            self.seen.add(key)
            known = tuple(isinstance(a, Const) for a in stmt.args[:-1])
            dtypes = (*(dtype for dtype, _ in types[:-1]), "i32")
            self.work.add(shared_instructions(stmt.fn, dtypes, known), self.of.vectors(count, "u64"))
        return True

    def type(self, operand: Operand, lanes: Lanes) -> tuple[str, int]:
        if isinstance(operand, str):  # a name of an outer body stands for all its lanes
            return self.names.get(operand) or (self.of.dtypes[operand], 1)
        if isinstance(operand, Const):
            return operand.dtype, 1
        return "i32", lanes.count if _uses((operand,), lanes) else 1

    def accumulate(self, stmt: Accum, consts: Env, lanes: Lanes) -> None:
        buffer = self.of.buffers[stmt.buffer]
        types = [self.type(a, lanes) for a in stmt.args]
        wide = max(n for _, n in types)
        whole = _uses(stmt.index, lanes)
        n = self.of.vectors(lanes.count if whole else wide, buffer.type.dtype)
        dtypes, machine = (*(dtype for dtype, _ in types), buffer.type.dtype), self.of.machine
        if stmt.fn in DOT4:
            self.work.add(dot4_counts(machine.byte_products), n)
        elif stmt.fn == "dot2" and machine.pair_products:
            self.work.products += n * machine.multiply_adds / machine.pair_products
        else:
            self.work.add(_accumulation(stmt.fn, dtypes), n)
        if wide > 1 and not whole:
            self.work.shuffles += 2 * (wide - 1).bit_length()
            self.work.arithmetic += (wide - 1).bit_length()
        for operand, type in zip(stmt.args, types, strict=True):
            self.use(operand, type)
        if buffer.space == "register":
            at = (stmt.buffer, self.of.indices.number(stmt.index, consts))
            self.work.chains[at] += self.of.wait(stmt.fn)
            self.live.accumulate(at, self.of.registers(buffer.type.dtype, lanes.count if whole else 1))
            return
        self.work.loads += self.pieces(stmt.buffer, stmt.index, lanes)
        self.work.stores += self.pieces(stmt.buffer, stmt.index, lanes)


def _accumulation(fn: str, dtypes: tuple[str, ...]) -> Counted:
    """Instructions that add a term to an accumulator."""
    if fn == "dot2":
        return instructions(fn, dtypes)
    return Counted(products=1) if fn == "fma" else Counted(arithmetic=1)


def _uses(index: tuple[Index, ...], lanes: Lanes) -> bool:
    if not lanes.axes:
        return False
    names = lanes.names
    for i in index:
        for var, _ in i.terms:
            if var in names:
                return True
    return False


def _lane_dimensions(index: tuple[Index, ...], names: tuple[str, ...]) -> frozenset[int]:
    return frozenset(k for k, i in enumerate(index) if any(i.coefficient(var) for var in names))


def _register_lanes(body: Body) -> dict[str, set[frozenset[int]]]:
    """The dimensions of each register local that lanes are stored along."""
    found: dict[str, set[frozenset[int]]] = {}

    def visit(body: Body, names: tuple[str, ...]) -> None:
        for stmt in body:
            if isinstance(stmt, (Loop, If)):
                visit(stmt.body, (*names, stmt.var) if isinstance(stmt, Loop) and stmt.run == "vector" else names)
            elif isinstance(stmt, (Store, Accum)) and (along := _lane_dimensions(stmt.index, names)):
                found.setdefault(stmt.buffer, set()).add(along)

    visit(body, ())
    return found
