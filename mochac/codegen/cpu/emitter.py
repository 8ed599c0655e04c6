"""Emitter of LLVM IR text, one instruction at a time, in nested scopes.

The printer (statements.py) drives it, and the rows of the scalar table use it as ir.scalar.Emitter. A scope is one loop
body: a head for the loop-invariant address arithmetic of that level, and lines in program order.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np

from mochac.codegen.cpu.instructions import LANES, dot4, high_product, replaced
from mochac.codegen.cpu.loop_steps import LoopSteps, Moving
from mochac.ir.scalar import Reg
from mochac.ir.types import DTYPES, FLOATS

LLVM_TYPES = {"f32": "float", "f64": "double", "bool": "i1", "ptr": "ptr", "bf16x2": "i32"} | {
    f"{sign}{bits}": f"i{bits}" for sign in "iu" for bits in (8, 16, 32, 64)
}
ANY = -1
"""A lane of a shuffle's result that is not used."""
INTRINSIC_SUFFIX = {**LLVM_TYPES, "f32": "f32", "f64": "f64"}


def llvm_type(dtype: str, lanes: int = 1) -> str:
    """LLVM's spelling of an element or vector type."""
    element = LLVM_TYPES[dtype]
    return element if lanes == 1 else f"<{lanes} x {element}>"


def literal(value: float | int | bool, dtype: str) -> str:
    """A constant as LLVM text; floats as exact hexadecimal doubles after rounding to `dtype`.

    >>> literal(0.1, "f32"), literal(True, "bool"), literal(3, "i32")
    ('0x3FB99999A0000000', 'true', '3')
    """
    if dtype == "bool":
        return "true" if value else "false"
    if dtype in FLOATS:
        with np.errstate(over="ignore"):
            rounded = float(DTYPES[dtype].type(value))
        return f"0x{struct.unpack('<Q', struct.pack('<d', rounded))[0]:016X}"
    return str(int(value))


def _phi(a: Reg, block_a: str, b: Reg, block_b: str) -> str:
    return f"phi {llvm_type(a.dtype, a.lanes)} [ {a.text}, %{block_a} ], [ {b.text}, %{block_b} ]"


@dataclass
class Scope:
    """Code of one loop level, and the values already computed in it.

    Attributes:
        counter: the loop's variable.
        counts: whether code reads it.
        moving: the pointers that move with it.
        loaded: values loaded in it, by buffer.
    """

    depth: int
    head: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    known: dict[object, Reg] = field(default_factory=dict)
    counter: Reg | None = None
    counts: bool = False
    moving: list[Moving] = field(default_factory=list)
    loaded: dict[str, dict[object, Reg]] = field(default_factory=dict)


@dataclass
class CountedLoop:
    """A loop being printed.

    Attributes:
        counter: the loop variable.
        label: of the block at its head.
        depth: depth of the scope of the body.
        carried: values at the start of the body, each with its value before the loop and at the end of the body; set
            by whoever prints the body.
        last: values that are read after the loop, each before the loop and at the end of the body; set by whoever
            prints the body.
        results: these values after the loop.
    """

    label: str
    counter: Reg
    depth: int
    carried: Sequence[tuple[Reg, Reg, Reg]] = ()
    last: Sequence[tuple[Reg, Reg]] = ()
    results: tuple[Reg, ...] = ()


class TextEmitter:
    """Appends instructions to the innermost scope and computes identical addresses only once.

    Args:
        fma: the CPU has fused multiply-adds.
        by_element: its vector instructions take an element of a register as an operand for all lanes (NEON).
        indexed: its addresses are a base, an index and a displacement (x86).
        word: the type of loop variables and of what is added to addresses: "i64", or "i32" for addresses of 32 bits.
        lacks: what has no instruction: (name of an intrinsic, dtype).
        dots: its instructions for products of bytes (instructions.py); "": none.
        vector_bytes: of the vectors of these instructions.
        bfloat16: it has the instructions of AVX512_BF16.
    """

    def __init__(
        self,
        fma: bool = True,
        by_element: bool = False,
        indexed: bool = True,
        word: str = "i64",
        lacks: frozenset[tuple[str, str]] = frozenset(),
        dots: str = "",
        vector_bytes: int = 64,
        bfloat16: bool = False,
    ) -> None:
        self.scopes: list[Scope] = [Scope(0)]
        self.declares: set[str] = set()
        self.block = "entry"
        self._n = 0
        self.fused = fma
        self.by_element = by_element
        self.indexed = indexed
        self.word = word
        self.lacks = lacks
        self.dots, self.vector_bytes = dots, vector_bytes
        self.bfloat16 = bfloat16
        self.rows: dict[tuple[str, str], tuple[Reg, Reg]] = {}
        """The row whose even and odd elements are the two values, as two vectors."""

    def name(self) -> str:
        self._n += 1
        return f"%v{self._n}"

    def label(self, stem: str) -> str:
        self._n += 1
        return f"{stem}{self._n}"

    def line(self, text: str) -> None:
        self.scopes[-1].lines.append("  " + text)

    def start_block(self, label: str) -> None:
        self.scopes[-1].lines.append(f"{label}:")
        self.block = label

    @contextmanager
    def scope(self) -> Iterator[Scope]:
        """Collect what is printed inside in a new scope; the caller then places its text."""
        inner = Scope(self.scopes[-1].depth + 1)
        self.scopes.append(inner)
        try:
            yield inner
        finally:
            self.scopes.pop()

    def phi(self, a: Reg, block_a: str, b: Reg, block_b: str) -> Reg:
        """The phi node of `a`, coming from one block, and `b`, coming from the other."""
        return self.emit(_phi(a, block_a, b, block_b), a.dtype, a.lanes)

    @contextmanager
    def loop(self, stem: str, lo: Reg, hi: Reg, skip: bool = True) -> Iterator[CountedLoop]:
        """for counter in lo..hi, with the body printed inside.

        The first iteration is unconditional unless `skip` says that the range may be empty. Whether the loop counts its
        counter or something that moves with it is known when its body has been printed (loop_steps.py).
        """
        head, done, before = self.label(f"{stem}.loop"), self.label(f"{stem}.done"), self.block
        entered = len(self.scopes[-1].lines)
        if skip:
            go = self.emit(f"icmp slt {self.word} {lo.text}, {hi.text}", "bool")
            self.line(f"br i1 {go.text}, label %{head}, label %{done}")
        else:
            self.line(f"br label %{head}")
        counter = Reg(self.name(), self.word)
        steps = LoopSteps(self.name, lo, hi, self.word)
        self.start_block(head)
        with self.scope() as scope:
            scope.counter = counter
            loop = CountedLoop(head, counter, scope.depth)
            yield loop
            steps.count(counter if scope.counts else None, scope.moving, self.indexed)
            scope.lines += steps.tail
            again = self.emit(steps.again, "bool")
            self.line(f"br i1 {again.text}, label %{head}, label %{done}")
            tail = self.block
        for phi, first, following in (*steps.phis, *loop.carried):
            self.line(f"{phi.text} = {_phi(first, before, following, tail)}")
        self.scopes[-1].lines[entered:entered] = steps.before
        self.scopes[-1].lines += [*steps.head, *scope.head, *scope.lines]
        self.start_block(done)
        loop.results = tuple(self.phi(a, before, b, tail) if skip else b for a, b in loop.last)

    def at_head(self, depth: int, key: object, instruction: str, dtype: str = "") -> Reg:
        """Place a pure instruction at the head of the scope of `depth`, once per key."""
        scope = self.scopes[depth]
        reg = scope.known.get(key)
        if reg is None:
            reg = Reg(self.name(), dtype or self.word)
            scope.head.append(f"  {reg.text} = {instruction}")
            scope.known[key] = reg
        return reg

    def counted(self, depth: int, counter: Reg) -> Reg:
        """A variable of the scope of `depth`, as an operand."""
        scope = self.scopes[depth]
        scope.counts = scope.counts or counter is scope.counter
        return counter

    def moved(self, depth: int, key: object, pointer: Reg, counter: Reg, n_bytes: int) -> Reg:
        """The pointer moved by a multiple of a variable of the scope of `depth`, once per key."""
        scope = self.scopes[depth]
        if counter is not scope.counter:
            by = self.at_head(depth, ("mul", counter.text, n_bytes), f"mul nsw {self.word} {counter.text}, {n_bytes}")
            return self.at_head(depth, key, f"getelementptr i8, ptr {pointer.text}, {self.word} {by.text}", "ptr")
        reg = scope.known[key] = Reg(self.name(), "ptr")
        scope.moving.append(Moving(reg, pointer, n_bytes))
        return reg

    def known_at(self, depth: int, key: object) -> Reg | None:
        """A value placed at the head of the loop scope of `depth`."""
        return self.scopes[depth].known.get(key)

    def known(self, key: object) -> Reg | None:
        """A value remembered in this scope or an enclosing one."""
        for scope in reversed(self.scopes):
            reg = scope.known.get(key)
            if reg is not None:
                return reg
        return None

    def remember(self, key: object, reg: Reg) -> Reg:
        self.scopes[-1].known[key] = reg
        return reg

    def once(self, key: object, make: Callable[[], Reg]) -> Reg:
        """A value computed when first needed, then remembered."""
        return self.known(key) or self.remember(key, make())

    def loaded(self, buffer: str, key: object) -> Reg | None:
        """A value loaded from a buffer in this scope or an enclosing one, since the buffer was last written."""
        for scope in reversed(self.scopes):
            reg = scope.loaded.get(buffer, {}).get(key)
            if reg is not None:
                return reg
        return None

    def remember_loaded(self, buffer: str, key: object, reg: Reg) -> Reg:
        self.scopes[-1].loaded.setdefault(buffer, {})[key] = reg
        return reg

    def forget_loaded(self, buffer: str) -> None:
        """Forget values loaded from a buffer, which is written now."""
        for scope in self.scopes:
            scope.loaded.pop(buffer, None)

    def emit(self, instruction: str, dtype: str, lanes: int = 1) -> Reg:
        reg = Reg(self.name(), dtype, lanes)
        self.scopes[-1].lines.append(f"  {reg.text} = {instruction}")
        return reg

    def declare(self, text: str) -> None:
        self.declares.add(text)

    # --- ir.scalar.Emitter -------------------------------------------------------------------------

    def const(self, value: float | int, dtype: str, lanes: int = 1) -> Reg:
        text = literal(value, dtype)
        if lanes == 1:
            return Reg(text, dtype)
        element = LLVM_TYPES[dtype]
        return Reg(f"splat ({element} {text})", dtype, lanes)

    def binary(self, opcode: str, a: Reg, b: Reg) -> Reg:
        return self.emit(f"{opcode} {llvm_type(a.dtype, a.lanes)} {a.text}, {b.text}", a.dtype, a.lanes)

    def unary(self, opcode: str, a: Reg) -> Reg:
        return self.emit(f"{opcode} {llvm_type(a.dtype, a.lanes)} {a.text}", a.dtype, a.lanes)

    def intrinsic(self, name: str, *args: Reg) -> Reg:
        if name == "fma" and not self.fused:
            name = "fmuladd"
        first = args[0]
        if (name, first.dtype) in self.lacks:
            return replaced(self, name, args)
        suffix = INTRINSIC_SUFFIX[first.dtype] if first.lanes == 1 else f"v{first.lanes}{INTRINSIC_SUFFIX[first.dtype]}"
        type = llvm_type(first.dtype, first.lanes)
        symbol = f"@llvm.{name}.{suffix}"
        extra = name in ("abs", "ctlz", "cttz")
        self.declare(f"declare {type} {symbol}({', '.join([type] * len(args) + ['i1'] * extra)})")
        operands = ", ".join([f"{llvm_type(a.dtype, a.lanes)} {a.text}" for a in args] + ["i1 false"] * extra)
        return self.emit(f"call {type} {symbol}({operands})", first.dtype, first.lanes)

    def compare(self, opcode: str, predicate: str, a: Reg, b: Reg) -> Reg:
        return self.emit(f"{opcode} {predicate} {llvm_type(a.dtype, a.lanes)} {a.text}, {b.text}", "bool", a.lanes)

    def select(self, mask: Reg, a: Reg, b: Reg) -> Reg:
        type = llvm_type(a.dtype, a.lanes)
        instruction = f"select {llvm_type('bool', mask.lanes)} {mask.text}, {type} {a.text}, {type} {b.text}"
        return self.emit(instruction, a.dtype, a.lanes)

    def cast(self, opcode: str, a: Reg, dtype: str) -> Reg:
        source, target = llvm_type(a.dtype, a.lanes), llvm_type(dtype, a.lanes)
        if source == target:
            return Reg(a.text, dtype, a.lanes)
        return self.emit(f"{opcode} {source} {a.text} to {target}", dtype, a.lanes)

    def dot4(self, a: Reg, b: Reg, c: Reg, signed: bool) -> Reg | None:
        return dot4(self, self.dots, self.vector_bytes, (a, b, c), signed) if self.dots else None

    def mul_high(self, a: Reg, b: Reg) -> Reg | None:
        return high_product(self, a, b) if self.indexed and a.lanes in LANES else None

    def paired(self, first: Reg, second: Reg) -> Reg:
        row = self.rows.get((first.text, second.text))
        if row is not None and first.lanes in (4, 8, 16):
            return self._as_pairs(self._shortened(*row))
        return self._in_registers(self._paired, 4, "bf16x2", first, second)

    def _paired(self, first: Reg, second: Reg) -> Reg:
        """One instruction rounds both vectors, and one shuffle makes pairs."""
        n, short = first.lanes, self._shortened(first, second)
        turns = ", ".join(f"i32 {k + half}" for k in range(n) for half in (0, n))
        narrow = f"<{2 * n} x bfloat>"
        order = f"{narrow} {short.text}, {narrow} poison, <{2 * n} x i32> <{turns}>"
        return self._as_pairs(self.emit(f"shufflevector {order}", "bf16", 2 * n))

    def _shortened(self, low: Reg, high: Reg) -> Reg:
        """Two vectors, rounded, one after the other."""
        n, wide, narrow = low.lanes, llvm_type("f32", low.lanes), f"<{2 * low.lanes} x bfloat>"
        symbol = f"@llvm.x86.avx512bf16.cvtne2ps2bf16.{32 * n}"
        self.declare(f"declare {narrow} {symbol}({wide}, {wide})")
        return self.emit(f"call {narrow} {symbol}({wide} {high.text}, {wide} {low.text})", "bf16", 2 * n)

    def _as_pairs(self, short: Reg) -> Reg:
        n = short.lanes // 2
        return self.emit(f"bitcast <{2 * n} x bfloat> {short.text} to {llvm_type('bf16x2', n)}", "bf16x2", n)

    def dot2(self, a: Reg, b: Reg, c: Reg) -> Reg:
        return self._in_registers(self._dot2, 4, "f32", c, a, b)

    def _dot2(self, c: Reg, a: Reg, b: Reg) -> Reg:
        pairs, sums = f"<{2 * c.lanes} x bfloat>", llvm_type("f32", c.lanes)
        symbol = f"@llvm.x86.avx512bf16.dpbf16ps.{32 * c.lanes}"
        self.declare(f"declare {sums} {symbol}({sums}, {pairs}, {pairs})")
        first, second = (
            self.once(
                ("pairs", x.text, x.lanes),
                lambda x=x: self.emit(f"bitcast {llvm_type('u32', x.lanes)} {x.text} to {pairs}", "pairs", x.lanes),
            )
            for x in (a, b)
        )
        return self.emit(
            f"call {sums} {symbol}({sums} {c.text}, {pairs} {first.text}, {pairs} {second.text})", "f32", c.lanes
        )

    def _in_registers(self, compute: Callable[..., Reg], least: int, dtype: str, *args: Reg) -> Reg:
        """Compute in whole registers of `least` to 16 lanes: fewer lanes are filled up, more are divided.

        What fills them is not specified. LLVM then keeps fewer lanes in a whole register, too, so that filling it costs
        nothing: copies of a lane would cost a shuffle for each sum (Zen 4, 100 x 500 x 250 in pairs: 0.91 of the time).
        """
        lanes = args[0].lanes
        width = min(16, max(least, 1 << (lanes - 1).bit_length()))
        if lanes == width:
            return compute(*args)
        parts = [compute(*(self._lanes_from(a, first, width) for a in args)) for first in range(0, lanes, width)]
        if lanes == 1:
            return self.emit(f"extractelement {llvm_type(dtype, width)} {parts[0].text}, i64 0", dtype)
        whole = parts[0]
        for part in parts[1:]:
            count = whole.lanes + width
            part = self.shuffle(part, part, [min(k, width - 1) for k in range(whole.lanes)])
            whole = self.shuffle(whole, part, list(range(count)))
        return self.shuffle(whole, whole, list(range(lanes))) if whole.lanes > lanes else whole

    def _lanes_from(self, a: Reg, first: int, width: int) -> Reg:
        """A register with some lanes of a vector, or with a scalar in all of them."""
        if a.lanes == 1:
            return self.splat(a, width)
        return self.shuffle(a, a, [k if k < a.lanes else ANY for k in range(first, first + width)])

    # --- vectors -----------------------------------------------------------------------------------

    def splat(self, a: Reg, lanes: int) -> Reg:
        """A vector with a scalar in every lane.

        Where instructions take an element as an operand, the scalar is frozen, which costs nothing: LLVM then does not
        merge its load and the copies into one instruction (LD1R), which would use an issue slot of a multiply-add.
        """
        if a.lanes == lanes:
            return a
        if not a.text.startswith("%"):
            return Reg(f"splat ({LLVM_TYPES[a.dtype]} {a.text})", a.dtype, lanes)
        reg = self.known(("splat", a.text, lanes))
        if reg is not None:
            return reg
        key, type = ("splat", a.text, lanes), llvm_type(a.dtype, lanes)
        if self.by_element:
            a = self.emit(f"freeze {LLVM_TYPES[a.dtype]} {a.text}", a.dtype)
        first = self.emit(f"insertelement {type} poison, {LLVM_TYPES[a.dtype]} {a.text}, i64 0", a.dtype, lanes)
        wide = self.emit(
            f"shufflevector {type} {first.text}, {type} poison, <{lanes} x i32> zeroinitializer", a.dtype, lanes
        )
        return self.remember(key, wide)

    def shuffle(self, a: Reg, b: Reg, picks: list[int]) -> Reg:
        """Lanes selected from a (0..n-1) and b (n..2n-1), and ANY of which nothing is specified."""
        mask = ", ".join("i32 poison" if p == ANY else f"i32 {p}" for p in picks)
        type = llvm_type(a.dtype, a.lanes)
        return self.emit(
            f"shufflevector {type} {a.text}, {type} {b.text}, <{len(picks)} x i32> <{mask}>", a.dtype, len(picks)
        )

    def numbers(self, dtype: str, values: Sequence[int]) -> Reg:
        """A constant vector of integers."""
        element = LLVM_TYPES[dtype]
        return Reg("<" + ", ".join(f"{element} {v}" for v in values) + ">", dtype, len(values))
