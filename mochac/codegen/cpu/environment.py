"""Environment: what is known at the statement being printed, and the indices that are computed from it.

The statement printer updates it as it enters and leaves loops; loads, stores and shared calls read it.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from mochac.codegen.cpu.addresses import Lanes
from mochac.codegen.cpu.emitter import TextEmitter
from mochac.codegen.cpu.registers import LANE_AXES
from mochac.ir.index import Index, Limit
from mochac.ir.kernel import Const, Loop, Operand
from mochac.ir.scalar import Reg

ITEMS = "*items"
"""The variable that counts a thread's items: all parallel loops as one."""


class Environment:
    """Values, loop variables and lanes at one point of a kernel.

    Attributes:
        e: the emitter.
        names: the kernel's named values.
        consts: variables of unrolled loops.
        ranges: inclusive ranges of all loop variables, those of unrolled loops included.
        vars: variables of loops that are printed as loops, each with the depth of the scope that defines it.
        later: such variables that are computed when they are first read.
        items: the parallel loops around, outer first, each with its extent, if they all count from 0.
        vector: the enclosing vector loops.
        mask: the active lanes; None: all of them.
    """

    def __init__(self, emitter: TextEmitter) -> None:
        self.e = emitter
        self.names: dict[str, Reg] = {}
        self.consts: dict[str, int] = {}
        self.ranges: dict[str, tuple[int, int]] = {}
        self.vars: dict[str, tuple[Reg, int]] = {}
        self.later: dict[str, tuple[Callable[[], Reg], int]] = {}
        self.items: tuple[tuple[str, int], ...] = ()
        self.vector = Lanes()
        self.mask: Reg | None = None

    def fix(self, var: str, value: int) -> None:
        """From here on, a loop variable is this constant."""
        self.consts[var] = value
        self.ranges[var] = (value, value)

    def count(self, var: str, first: int, last: int) -> None:
        """From here on, a loop variable takes all values of a range; forget the constant that it was in an earlier
        nest."""
        self.consts.pop(var, None)
        self.ranges[var] = (first, last)

    def variable(self, var: str) -> tuple[Reg, int]:
        """A variable of `vars`."""
        if var in self.later:
            compute, depth = self.later.pop(var)
            self.vars[var] = (compute(), depth)
        return self.vars[var]

    def along_items(self, terms: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
        """The terms of an index; those of all parallel loops become one term in ITEMS if the index moves evenly from
        item to item."""
        steps = dict(terms)
        names = [var for var, _ in self.items]
        if len(names) < 2 or not all(var in steps for var in names):
            return terms
        if any(steps[a] != steps[b] * extent for (a, _), (b, extent) in pairwise(self.items)):
            return terms
        return (*((v, c) for v, c in terms if v not in names), (ITEMS, steps[names[-1]]))

    def operand(self, operand: Operand) -> Reg:
        """The value of an operand at this point."""
        if isinstance(operand, str):
            return self.names[operand]
        if isinstance(operand, Const):
            return self.e.const(operand.value, operand.dtype)
        return self.index_value(operand)

    def index_value(self, index: Index) -> Reg:
        """An index as an i32, one per lane if it depends on the lane."""
        uniform, offsets = self.uniform(index)
        if not uniform.text.startswith("%"):
            narrow = Reg(uniform.text, "i32")
        else:
            narrow = self.e.once(("i32", uniform.text), lambda: self.e.cast("trunc", uniform, "i32"))
        if not offsets:
            return narrow
        return self.e.once(
            ("lanes", narrow.text, offsets),
            lambda: self.e.binary("add", self.e.splat(narrow, self.lanes), self.e.numbers("i32", offsets)),
        )

    @property
    def lanes(self) -> int:
        """Lanes of the enclosing vector loops, 1 outside of them."""
        return self.vector.count

    def uniform(self, index: Index) -> tuple[Reg, tuple[int, ...]]:
        """The lane-independent part of an index as a word, and the offset of each lane (empty if there is none)."""
        terms, const, offsets = self.parts(index)
        return self.affine(terms, const), offsets

    def parts(self, index: Index) -> tuple[list[tuple[str, int]], int, tuple[int, ...]]:
        """The run-time variables of an index with their coefficients, its constant, and the offset of each lane."""
        const, steps, terms = index.const, {}, []
        for var, coefficient in index.terms:
            if var in self.consts:
                const += coefficient * self.consts[var]
            elif var in self.vector.names:
                steps[var] = coefficient
            else:
                terms.append((var, coefficient))
        return terms, const, self.vector.offsets(steps)

    def affine(self, terms: list[tuple[str, int]], const: int) -> Reg:
        """const + sum(coefficient * run-time variable), computed at the outermost loop where all of it is known."""
        total: Reg | None = None
        depth = 0
        key: tuple[object, ...] = ("affine",)
        for var, coefficient in sorted(terms, key=lambda t: self.variable(t[0])[1]):
            reg, var_depth = self.variable(var)
            depth = max(depth, var_depth)
            product = self.e.counted(var_depth, reg)
            if coefficient != 1:
                product = self.e.at_head(
                    depth, ("mul", reg.text, coefficient), f"mul nsw {self.e.word} {reg.text}, {coefficient}"
                )
            key = (*key, reg.text, coefficient)
            total = (
                product
                if total is None
                else self.e.at_head(depth, key, f"add nsw {self.e.word} {total.text}, {product.text}")
            )
        if total is None:
            return Reg(str(const), self.e.word)
        if const:
            total = self.e.at_head(depth, (*key, "+", const), f"add nsw {self.e.word} {total.text}, {const}")
        return total

    def constant_range(self, loop: Loop) -> tuple[int, int] | None:
        """The range of a loop if it is constant once the variables of unrolled loops are known."""
        lows, highs = self._values(loop.lo), self._values(loop.hi)
        return None if lows is None or highs is None else (max(lows), min(highs))

    def _values(self, limit: Limit) -> list[int] | None:
        """The candidates of a limit if only variables of unrolled loops occur in them."""
        values: list[int] = []
        for index, divisor in limit.candidates:
            value = index.const
            for var, coefficient in index.terms:
                if var not in self.consts:
                    return None
                value += coefficient * self.consts[var]
            values.append(-(-value // divisor))
        return values

    def dynamic_range(self, loop: Loop) -> tuple[int, int]:
        """An inclusive range that certainly contains the variable of a dynamic loop."""

        def side(limit: Limit, low: bool) -> int:
            ends = []
            for index, divisor in limit.candidates:
                bounds = index.bounds(self.ranges)
                if bounds is not None:
                    ends.append(-(-bounds[0 if low else 1] // divisor))
            return max(ends) if low else min(ends) - 1

        return side(loop.lo, True), side(loop.hi, False)

    def limit(self, limit: Limit, combine: str) -> Reg:
        """The value of a dynamic loop limit."""
        word = self.e.word
        result: Reg | None = None
        for index, divisor in limit.candidates:
            value, _ = self.uniform(index)
            if divisor > 1:
                shift = 1 << 20
                raised = self.e.binary("add", value, Reg(str(divisor - 1 + divisor * shift), word))
                value = self.e.binary(
                    "sub", self.e.binary("udiv", raised, Reg(str(divisor), word)), Reg(str(shift), word)
                )
            result = value if result is None else self.e.intrinsic(combine, result, value)
        assert result is not None
        return result

    def is_lane(self, index: tuple[Index, ...]) -> bool:
        """Whether an element differs from lane to lane."""
        names = self.vector.names
        return bool(names) and any([var in names for i in index for var, _ in i.terms])

    def register_key(self, index: tuple[Index, ...]) -> tuple[object, ...]:
        """The key of an element of a register local: along each axis a constant or the name of a lane axis."""
        vectors = self.vector.names
        key: list[object] = []
        for i in index:
            fixed, axis = i.const, len(vectors)
            for var, coefficient in i.terms:
                if var in vectors:
                    axis = min(axis, len(vectors) - 1 - vectors.index(var))
                else:
                    fixed += coefficient * self.consts.get(var, 0)
            key.append(fixed if axis == len(vectors) else LANE_AXES[axis])
        return tuple(key)
