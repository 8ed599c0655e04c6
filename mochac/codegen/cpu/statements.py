"""Printer: prints one scheduled Kernel as the body of one LLVM function, with nothing left to optimize.

It expands `unroll` loops, turns `vector` loops into vector instructions, and keeps register locals in SSA values and
phi nodes. It never changes the meaning or the order of the work: that is the schedule's job.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.codegen.analysis.nests import registers_kept
from mochac.codegen.cpu.emitter import TextEmitter, literal, llvm_type
from mochac.codegen.cpu.environment import Environment
from mochac.codegen.cpu.memory import Memory
from mochac.codegen.cpu.registers import LANE_AXES, Key, Registers, masked_lanes, same_guards
from mochac.codegen.cpu.shared_calls import shared_call
from mochac.codegen.cpu.tile_code import TileCode
from mochac.codegen.machine import Machine
from mochac.ir.index import Index
from mochac.ir.kernel import (
    DOT4,
    MULTIPLY_ADDS,
    Accum,
    If,
    Kernel,
    Let,
    Load,
    Loop,
    Prefetch,
    Stmt,
    Store,
    identity,
    walk,
    written_buffers,
)
from mochac.ir.scalar import FUNCTIONS, Reg
from mochac.ir.tile_nests import SPACE
from mochac.ir.types import FLOATS

ZERO = literal(0.0, "f32")
"""Text of 0.0 in either width, as a scalar or in all lanes."""


class Printer:
    """Prints the statements of one kernel.

    Its state is the environment, the current SSA values of register locals, and what is known of memory.
    """

    def __init__(self, kernel: Kernel, bases: dict[str, Reg], emitter: TextEmitter, machine: Machine) -> None:
        self.e = emitter
        self.machine = machine
        self.env = Environment(emitter)
        self.registers = Registers(emitter, {b.name: b for b in kernel.locals if b.space == "register"})
        self.unseen = same_guards(kernel.body, self.registers.buffers)
        self.memory = Memory(self.env, kernel.buffers(), bases)
        tiled = any(b.space == SPACE for b in kernel.locals)
        self.tiles = TileCode(self.env, self.memory) if tiled else None
        self.masks: dict[tuple[str, tuple[object, ...]], str] = {}
        """The mask under which each element of a register local was written last."""
        self.fresh: set[str] = set()
        """Buffers that each lane of the vector loop around sets before it accumulates in them."""
        self.heads: dict[str, Loop | None] = {}
        """The loop whose head each label is, in the order of the text; None of the loop over items."""

    # --- statements --------------------------------------------------------------------------------

    def body(self, statements: tuple[Stmt, ...]) -> None:
        for k, stmt in enumerate(statements):
            if self.tiles is not None:
                self.tiles.configure(statements[k:])
            match stmt:
                case Load():
                    self.env.names[stmt.name] = self.read(stmt.buffer, stmt.index, stmt)
                case Let():
                    shared = shared_call(self.env, stmt)
                    self.env.names[stmt.name] = shared or self.call(stmt.fn, [self.env.operand(a) for a in stmt.args])
                case Accum():
                    self.accum(stmt)
                case Store():
                    self.write(stmt.buffer, stmt.index, self.env.operand(stmt.value), stmt)
                case Loop():
                    self.loop(stmt)
                case If():
                    self.guard(stmt)
                case Prefetch():
                    self.memory.prefetch(stmt)

    def call(self, fn: str, args: list[Reg]) -> Reg:
        """Apply a row of the scalar table to registers; scalars are splatted if other operands are vectors."""
        lanes = max(a.lanes for a in args)
        if lanes > 1:
            args = [self.e.splat(a, lanes) for a in args]
        row = FUNCTIONS[fn]
        result = row.llvm(self.e, *args)
        return Reg(result.text, row.result(tuple(a.dtype for a in args)), result.lanes)

    def read(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> Reg:
        if buffer in self.registers.buffers:
            return self.registers.read(buffer, self.env.register_key(index), self.env.lanes)
        return self.memory.load(buffer, index, stmt)

    def write(self, buffer: str, index: tuple[Index, ...], value: Reg, stmt: Stmt) -> None:
        if buffer not in self.registers.buffers:
            self.memory.store(buffer, index, value, stmt)
            return
        key = self.env.register_key(index)
        if self.env.is_lane(index):
            value = self.e.splat(value, self.env.lanes)
        mask = None if buffer in self.unseen else self.env.mask
        if mask is not None and (value.lanes > 1 or self.masks.get((buffer, key), mask.text) != mask.text):
            before = self.registers.found(buffer, key, Reg("poison", value.dtype, mask.lanes))
            if before is not None:
                value = self.e.select(mask, self.e.splat(value, mask.lanes), self.e.splat(before, mask.lanes))
        self.masks[buffer, key] = mask.text if mask is not None else ""
        self.registers.write(buffer, key, value)

    def accum(self, stmt: Accum) -> None:
        args = [self.env.operand(a) for a in stmt.args]
        shared = self.env.vector.axes and stmt.buffer not in self.fresh and not self.env.is_lane(stmt.index)
        if shared and any(a.lanes > 1 for a in args):
            args = [self.across_lanes(stmt.fn, args)]
            fn = "max" if stmt.fn == "max" else "add"
            mask, self.env.mask = self.env.mask, None
            current = self.read(stmt.buffer, stmt.index, stmt)
            self.write(stmt.buffer, stmt.index, self.combine(fn, args, current), stmt)
            self.env.mask = mask
            return
        current = self.read(stmt.buffer, stmt.index, stmt)
        mask = self.env.mask
        own = self.memory.buffers[stmt.buffer].space != "global"  # in a parameter, other elements follow the last lane
        if own and stmt.fn != "max" and all(self.memory.zero_outside(a, mask) for a in args):
            self.env.mask = None
        self.write(stmt.buffer, stmt.index, self.combine(stmt.fn, args, current), stmt)
        self.env.mask = mask

    def combine(self, fn: str, args: list[Reg], current: Reg) -> Reg:
        lanes = max([current.lanes, *(a.lanes for a in args)])
        if lanes > 1:
            args = [self.e.splat(a, lanes) for a in args]
            current = self.e.splat(current, lanes)
        if fn in MULTIPLY_ADDS:
            return self.call(fn, [*args, current])
        if fn == "add":
            if ZERO in current.text:  # start with the first term: 0 + x differs from x only in the sign of zero
                return args[0]
            return self.e.binary("fadd" if current.dtype in FLOATS else "add", args[0], current)
        return self.call(fn, [args[0], current])

    def across_lanes(self, fn: str, args: list[Reg]) -> Reg:
        """Combine all lanes into one number by halves: a fixed tree, so that the bits are always the same. Lanes are
        filled up to a power of two."""
        value = self.e.splat(args[0], self.env.lanes)
        if fn == "fma":
            value = self.call("mul", [value, self.e.splat(args[1], self.env.lanes)])
        elif fn in DOT4:
            nothing = self.e.const(0, "i32", self.env.lanes)
            value = self.call(fn, [value, self.e.splat(args[1], self.env.lanes), nothing])
        elif fn == "dot2":
            zeros = self.e.const(0.0, "f32", self.env.lanes)
            value = self.call(fn, [value, self.e.splat(args[1], self.env.lanes), zeros])
        idle = self.e.const(identity(fn, value.dtype).value, value.dtype, self.env.lanes)
        if self.env.mask is not None:
            value = self.e.select(self.env.mask, value, idle)
        if missing := (1 << (value.lanes - 1).bit_length()) - value.lanes:
            value = self.e.shuffle(value, idle, list(range(value.lanes + missing)))
        fold = "max" if fn == "max" else "add"
        while value.lanes > 2:
            half = value.lanes // 2
            low = self.e.shuffle(value, value, list(range(half)))
            high = self.e.shuffle(value, value, list(range(half, value.lanes)))
            value = self.combine(fold, [high], low)
        first, second = (
            self.e.emit(f"extractelement {llvm_type(value.dtype, 2)} {value.text}, i64 {k}", value.dtype)
            for k in (0, 1)
        )
        return self.combine(fold, [second], first)

    # --- control -----------------------------------------------------------------------------------

    def loop(self, loop: Loop) -> None:
        if loop.run == "vector":
            self.vector_loop(loop)
        elif loop.run == "tile":
            assert self.tiles is not None, f"kernel with tile loop {loop.var} has no sums in tile registers"
            self.tiles.nest(loop)
        elif loop.run == "unroll":
            self.unrolled_loop(loop)
        elif loop.at:
            self.single_iteration(loop)
        else:
            self.serial_loop(loop)

    def unrolled_loop(self, loop: Loop) -> None:
        bounds = self.env.constant_range(loop)
        assert bounds is not None, f"unrolled loop {loop.var} has run-time limits"
        again = self.machine.from_memory and registers_kept(loop) > self.machine.registers
        for k in range(*bounds):
            if again:
                self.memory.load_again(loop.body)
            self.env.fix(loop.var, k)
            self.body(loop.body)
        self.env.consts.pop(loop.var, None)

    def vector_loop(self, loop: Loop) -> None:
        bounds = self.env.constant_range(loop)
        assert bounds is not None and bounds[0] == 0 and len(self.env.vector.axes) < len(LANE_AXES), (
            f"vector {loop.var}"
        )
        if bounds[1] == 1:
            self.unrolled_loop(loop)
            return
        outer, self.env.vector = self.env.vector, self.env.vector.inside(loop.var, bounds[1])
        fresh, self.fresh = self.fresh, {s.buffer for s in walk(loop.body) if isinstance(s, Store)}
        self.env.ranges[loop.var] = (0, bounds[1] - 1)
        self.body(loop.body)
        self.env.vector, self.fresh = outer, fresh

    def serial_loop(self, loop: Loop) -> None:
        bounds = self.env.constant_range(loop)
        if bounds is not None:
            if bounds[1] <= bounds[0]:
                return
            if bounds[1] == bounds[0] + 1:
                self.env.fix(loop.var, bounds[0])
                self.body(loop.body)
                del self.env.consts[loop.var]
                return
            lo, hi = (Reg(str(bound), self.e.word) for bound in bounds)
            self.counted_loop(loop, lo, hi, bounds, skip=False)
            return
        lo = self.env.limit(loop.lo, "smax")
        hi = self.env.limit(loop.hi, "smin")
        self.counted_loop(loop, lo, hi, self.env.dynamic_range(loop), skip=True)

    def single_iteration(self, loop: Loop) -> None:
        """The iteration whose number equals a value, as a branch; NaN, fractions and numbers outside of the range run
        no iteration."""
        lo, hi = loop.lo.const, loop.hi.const
        assert lo is not None and hi is not None, f"limits of {loop.var}, which runs at a number"
        e, value = self.e, self.env.names[loop.at]
        assert value.lanes == 1, f"lanes of {loop.var}, which runs at a number"
        real = value.dtype in FLOATS
        first, last = (e.const(float(k) if real else k, value.dtype) for k in (lo, hi - 1))
        compare, ordered = ("fcmp", "o") if real else ("icmp", "u" if value.dtype[0] in "ub" else "s")
        conds = [e.compare(compare, ordered + "ge", value, first), e.compare(compare, ordered + "le", value, last)]
        number = e.select(e.binary("and", *conds), value, first)
        counter = self.call(f"to_{e.word}", [number])
        if real:
            conds.append(e.compare("fcmp", "oeq", self.call(f"to_{value.dtype}", [counter]), value))

        def enter(depth: int) -> None:
            self.env.vars[loop.var] = (counter, depth)
            self.env.ranges[loop.var] = (lo, hi - 1)

        self.memory.forget(loop.body)
        self.branch(conds, loop.body, enter)
        del self.env.vars[loop.var]

    def counted_loop(self, loop: Loop, lo: Reg, hi: Reg, bounds: tuple[int, int], skip: bool) -> None:
        """A loop whose counter and loop-carried register locals are phi nodes; `skip`: its range may be empty.

        An element is carried if the body reads the value that it has at the start of an iteration. Iterations of an
        `each` loop have their own elements of the locals that they write, so after it these are as before.
        """
        registers, private = self.registers, loop.kind == "each"
        self.memory.forget(loop.body)
        buffers = written_buffers(loop.body)
        wide, before = {} if private else masked_lanes(loop.body), registers.of(buffers)
        before = {k: self.widened(reg, wide.get(k[0], 1)) if reg.lanes == 1 else reg for k, reg in before.items()}
        with self.e.loop(loop.var, lo, hi, skip) as inner:
            self.heads[inner.label] = loop
            self.env.vars[loop.var] = (inner.counter, inner.depth)
            self.env.ranges[loop.var] = bounds if skip else (bounds[0], bounds[1] - 1)
            phis = {} if private else {k: Reg(self.e.name(), reg.dtype, reg.lanes) for k, reg in before.items()}
            registers.replace(buffers, phis)
            with registers.loop(buffers, private) as opened:
                self.body(loop.body)
            now = registers.of(buffers)
            read = {key: (phi, before[key]) for key, phi in phis.items() if registers.was_read(phi)} | opened.entering
            inner.carried = [
                (phi, registers.use(first), self.widened(now.get(key, phi), phi.lanes))
                for key, (phi, first) in read.items()
            ]
            last = {} if private else {key: reg for key, reg in now.items() if key in read or reg != phis.get(key)}
            inner.last = [(self._before(before, key, reg) if skip else reg, reg) for key, reg in last.items()]
            del self.env.vars[loop.var]
        registers.replace(buffers, before | dict(zip(last, inner.results, strict=True)))

    def _before(self, values: dict[Key, Reg], key: Key, like: Reg) -> Reg:
        """The value of an element before a loop or guard that may be skipped."""
        return self.registers.use(values[key] if key in values else self.registers.earlier(key, like))

    def item_loop(self, lo: Reg, hi: Reg, body: tuple[Stmt, ...], enter: Callable[[int, Reg], None]) -> None:
        """The loop over a thread's items: run-time range, nothing carried; `enter` defines the loop variables."""
        buffers = written_buffers(body)
        with self.e.loop("items", lo, hi) as inner, self.registers.loop(buffers, private=True):
            self.heads[inner.label] = None
            enter(inner.depth, inner.counter)
            self.body(body)
        self.registers.replace(buffers, {})

    def guard(self, stmt: If) -> None:
        """Drop conditions that always hold, turn lane-dependent ones into masks and the others into branches."""
        uniform: list[Reg] = []
        mask = self.env.mask
        for cond in stmt.conds:
            bounds = cond.bounds(self.env.ranges)
            if bounds is not None and bounds[0] >= 0:
                continue
            if bounds is not None and bounds[1] < 0:
                return
            value, offsets = self.env.uniform(cond)
            if offsets:
                lane_mask = self.lane_mask(value, offsets)
                mask = lane_mask if mask is None else self.e.binary("and", mask, lane_mask)
            else:
                uniform.append(self.e.compare("icmp", "sge", value, Reg("0", self.e.word)))
        outer, self.env.mask = self.env.mask, mask
        if uniform:
            self.branch(uniform, stmt.body)
        else:
            self.body(stmt.body)
        self.env.mask = outer

    def lane_mask(self, value: Reg, offsets: tuple[int, ...]) -> Reg:
        if not value.text.startswith("%"):
            base = int(value.text)
            bits = ", ".join(f"i1 {'true' if base + offset >= 0 else 'false'}" for offset in offsets)
            return Reg(f"<{bits}>", "bool", self.env.lanes)
        wide = self.e.binary("add", self.e.splat(value, self.env.lanes), self.e.numbers(self.e.word, offsets))
        return self.e.compare("icmp", "sge", wide, Reg("zeroinitializer", self.e.word, self.env.lanes))

    def branch(self, conds: list[Reg], body: tuple[Stmt, ...], enter: Callable[[int], None] | None = None) -> None:
        """Run a body where all conditions hold; `enter` defines its variables, given the depth of its scope."""
        e = self.e
        condition = conds[0]
        for other in conds[1:]:
            condition = e.binary("and", condition, other)
        then, done, before = e.label("then"), e.label("endif"), e.block
        lines = e.scopes[-1].lines
        start = len(lines)
        e.line(f"br i1 {condition.text}, label %{then}, label %{done}")
        buffers = written_buffers(body)
        first = self.registers.of(buffers)
        e.start_block(then)
        with e.scope() as scope, self.registers.inside():
            if enter is not None:
                enter(scope.depth)
            self.body(body)
            now = self.registers.of(buffers)
            now = {key: self.widened(reg, first[key].lanes if key in first else 1) for key, reg in now.items()}
            e.line(f"br label %{done}")
        after = lines[start:]
        del lines[start:]
        turned = {buffer for buffer, index in first if (buffer, index) not in now}
        joined = {key: (self._before(first, key, reg), reg) for key, reg in now.items() if key[0] not in turned}
        joined = {key: (self.widened(reg, other.lanes), other) for key, (reg, other) in joined.items()}
        lines.extend([*after, *scope.head, *scope.lines])
        tail = e.block
        e.start_block(done)
        self.registers.replace(
            buffers, {k: a if a.text == b.text else e.phi(a, before, b, tail) for k, (a, b) in joined.items()}
        )

    def widened(self, a: Reg, lanes: int) -> Reg:
        """Widen a local that is a scalar on one path into a join or a loop, and a vector on the other."""
        return self.e.splat(a, lanes) if lanes > a.lanes else a
