"""Loads and stores of the printer: scalar, vector, masked, strided.

The statement printer owns one. Loop-invariant address arithmetic goes to the head of the loop that knows it; a value
loaded once is not loaded again until its buffer is written. It knows no loops.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mochac.codegen.cpu.addresses import Place, place
from mochac.codegen.cpu.emitter import INTRINSIC_SUFFIX, llvm_type
from mochac.ir.index import Index
from mochac.ir.kernel import Prefetch, Stmt, written_buffers
from mochac.ir.scalar import Emitter, Reg
from mochac.ir.types import DTYPES

if TYPE_CHECKING:
    from mochac.codegen.cpu.statements import Printer


class Memory:
    """Global buffers and scratch locals of one kernel being printed; `bases` are their pointers."""

    def __init__(self, printer: Printer, bases: dict[str, Reg]) -> None:
        self.p = printer
        self.e = printer.e
        self.bases = bases
        self._zeroed: dict[str, str] = {}
        self._places: dict[int, tuple[Stmt, Place, dict[str, tuple[int, int]]]] = {}

    def forget(self, body: tuple[Stmt, ...]) -> None:
        """A loop over `body` begins: values of buffers it writes must be loaded again."""
        for buffer in written_buffers(body):
            self.e.forget(("load", buffer))

    # --- addresses ---------------------------------------------------------------------------------

    def _place(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> Place:
        """The affine place of an access; found once per statement unless ranges matter (a batch index)."""
        known = self._places.get(id(stmt))
        if known is not None and known[1].block_index is None:
            return known[1]
        ranges = {**self.p.ranges, **{v: (c, c) for v, c in self.p.consts.items()}}
        found = place(self.p.buffers[buffer], index, ranges)
        self._places[id(stmt)] = (stmt, found, ranges)
        return found

    def address(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> tuple[Reg, int, object]:
        """Pointer to the element of lane 0, elements between lanes, and a key that names the place."""
        where = self._place(buffer, index, stmt)
        size = DTYPES[self.p.buffers[buffer].type.dtype].itemsize
        const, lane_step, terms = where.const, 0, []
        for var, coefficient in where.terms:
            if var in self.p.consts:
                const += coefficient * self.p.consts[var]
            elif var == self.p.lane:
                lane_step += coefficient
            else:
                terms.append((self.p.vars[var][1], var, coefficient))
        terms.sort()
        pointer = self.bases[buffer]
        key: tuple[object, ...] = ("ptr", buffer)
        for depth, var, coefficient in terms:
            counter = self.p.vars[var][0]
            key = (*key, counter.text, coefficient)
            step = self.e.at_head(
                depth, ("mul", counter.text, coefficient * size), f"mul nsw i64 {counter.text}, {coefficient * size}"
            )
            pointer = self.e.at_head(depth, key, f"getelementptr i8, ptr {pointer.text}, i64 {step.text}", "ptr")
        if where.block_index is not None:
            pointer, extra = self._block_address(pointer, where, size)
            key = (*key, *extra)
        key = (*key, "+", const)
        if const:
            known = self.e.known(key)
            if known is None:
                known = self.e.emit(f"getelementptr i8, ptr {pointer.text}, i64 {const * size}", "ptr")
                self.e.remember(key, known)
            pointer = known
        return pointer, lane_step, key

    def _block_address(self, pointer: Reg, where: Place, size: int) -> tuple[Reg, tuple[object, ...]]:
        """A batch index that is not cut by the loops: block and lane by shift and mask."""
        assert where.block_index is not None
        index, step = self.p.uniform(where.block_index)
        assert not step, "a vector loop over an uncut batch index of blocked storage"
        block = self.e.binary("udiv", index, Reg(str(where.lanes), "i64"))
        inside = self.e.binary("urem", index, Reg(str(where.lanes), "i64"))
        far = self.e.binary("mul", block, Reg(str(where.block_stride), "i64"))
        offset = self.e.binary("mul", self.e.binary("add", far, inside), Reg(str(size), "i64"))
        return self.e.emit(f"getelementptr i8, ptr {pointer.text}, i64 {offset.text}", "ptr"), (offset.text,)

    def zero_outside(self, reg: Reg, mask: Reg | None) -> bool:
        """Whether a value is known to be 0 in lanes that a mask leaves out, so that adding it there does nothing."""
        return mask is not None and self._zeroed.get(reg.text) == mask.text

    # --- access ------------------------------------------------------------------------------------

    def load(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> Reg:
        dtype = self.p.buffers[buffer].type.dtype
        pointer, step, key = self.address(buffer, index, stmt)
        lanes = self.p.lanes if step else 1
        mask = self.p.mask
        memo = ("load", buffer, key, step, lanes, mask.text if mask and step else "")
        known = self.e.known(memo)
        if known is not None:
            return known
        if not step:
            value = self.e.emit(f"load {_memory_type(dtype)}, ptr {pointer.text}, align {_align(dtype, 1)}", dtype)
        elif step == 1:
            value = self._load_vector(pointer, dtype, lanes, self._alignment(buffer, index, stmt))
        else:
            value = self._gather(pointer, dtype, lanes, step)
        if mask is not None and step:
            self._zeroed[value.text] = mask.text
        return self.e.remember(memo, _from_memory(self.e, value))

    def _alignment(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> int:
        """Whole vectors where blocked values and scratch, which begin on a cache line, are reached vector by vector."""
        held, lanes = self.p.buffers[buffer], self.p.lanes
        where = self._place(buffer, index, stmt)
        const = where.const + sum(c * self.p.consts.get(v, 0) for v, c in where.terms)
        steps = [c for v, c in where.terms if v not in self.p.consts and v != self.p.lane]
        aligned = (held.type.lanes or held.space == "scratch") and not any(n % lanes for n in (const, *steps))
        return _align(held.type.dtype, lanes if aligned and not lanes & (lanes - 1) else 1)

    def _load_vector(self, pointer: Reg, dtype: str, lanes: int, align: int) -> Reg:
        type = _memory_type(dtype, lanes)
        if self.p.mask is None:
            return self.e.emit(f"load {type}, ptr {pointer.text}, align {align}", dtype, lanes)
        if part := self._part(lanes):
            short = self.e.emit(
                f"load {_memory_type(dtype, part)}, ptr {pointer.text}, align {_align(dtype, 1)}", dtype, part
            )
            return self._with_zeros(short, lanes)
        symbol = f"@llvm.masked.load.v{lanes}{_suffix(dtype)}.p0"
        self.e.declare(f"declare {type} {symbol}(ptr, i32, <{lanes} x i1>, {type})")
        mask = self.p.mask.text
        return self.e.emit(
            f"call {type} {symbol}(ptr {pointer.text}, i32 {align}, <{lanes} x i1> {mask}, {type} zeroinitializer)",
            dtype,
            lanes,
        )

    def _part(self, lanes: int) -> int:
        """Lanes of the shorter vector that a mask leaves, where it is known and lets through a power of two from the
        first on; else 0. Masked stores are slow on some CPUs, and later loads wait for them."""
        assert self.p.mask is not None
        kept = [bit == "i1 true" for bit in self.p.mask.text.strip("<>").split(", ")]
        n = sum(kept)
        return n if len(kept) == lanes and all(kept[:n]) and n & (n - 1) == 0 and 1 < n < lanes else 0

    def _with_zeros(self, short: Reg, lanes: int) -> Reg:
        zeros = self.e.const(0, short.dtype, short.lanes)
        return self.e.shuffle(short, zeros, [min(k, short.lanes) for k in range(lanes)])

    def _pointers(self, pointer: Reg, dtype: str, lanes: int, step: int) -> Reg:
        offsets = self.e.iota("i64", lanes, step * DTYPES[dtype].itemsize)
        return self.e.emit(f"getelementptr i8, ptr {pointer.text}, <{lanes} x i64> {offsets.text}", "ptr", lanes)

    def _mask_text(self, lanes: int) -> str:
        return self.p.mask.text if self.p.mask is not None else "splat (i1 true)"

    def _gather(self, pointer: Reg, dtype: str, lanes: int, step: int) -> Reg:
        type = _memory_type(dtype, lanes)
        symbol = f"@llvm.masked.gather.v{lanes}{_suffix(dtype)}.v{lanes}p0"
        self.e.declare(f"declare {type} {symbol}(<{lanes} x ptr>, i32, <{lanes} x i1>, {type})")
        where = self._pointers(pointer, dtype, lanes, step)
        return self.e.emit(
            f"call {type} {symbol}(<{lanes} x ptr> {where.text}, i32 {_align(dtype, 1)}, "
            f"<{lanes} x i1> {self._mask_text(lanes)}, {type} zeroinitializer)", dtype, lanes,
        )  # fmt: skip

    def store(self, buffer: str, index: tuple[Index, ...], value: Reg, stmt: Stmt) -> None:
        dtype = self.p.buffers[buffer].type.dtype
        pointer, step, _ = self.address(buffer, index, stmt)
        self.e.forget(("load", buffer))
        if not step:
            assert value.lanes == 1, f"lanes of a vector stored to one element of {buffer}"
            value = _to_memory(self.e, value)
            self.e.line(f"store {_memory_type(dtype)} {value.text}, ptr {pointer.text}, align {_align(dtype, 1)}")
            return
        lanes = self.p.lanes
        value = _to_memory(self.e, self.e.splat(value, lanes))
        type = _memory_type(dtype, lanes)
        if step != 1:
            symbol = f"@llvm.masked.scatter.v{lanes}{_suffix(dtype)}.v{lanes}p0"
            self.e.declare(f"declare void {symbol}({type}, <{lanes} x ptr>, i32, <{lanes} x i1>)")
            where = self._pointers(pointer, dtype, lanes, step)
            self.e.line(
                f"call void {symbol}({type} {value.text}, <{lanes} x ptr> {where.text}, i32 {_align(dtype, 1)}, "
                f"<{lanes} x i1> {self._mask_text(lanes)})"
            )
            return
        align = self._alignment(buffer, index, stmt)
        if self.p.mask is None:
            self.e.line(f"store {type} {value.text}, ptr {pointer.text}, align {align}")
            return
        if part := self._part(lanes):
            short = self.e.shuffle(value, value, list(range(part)))
            self.e.line(f"store {_memory_type(dtype, part)} {short.text}, ptr {pointer.text}, align {_align(dtype, 1)}")
            return
        symbol = f"@llvm.masked.store.v{lanes}{_suffix(dtype)}.p0"
        self.e.declare(f"declare void {symbol}({type}, ptr, i32, <{lanes} x i1>)")
        self.e.line(
            f"call void {symbol}({type} {value.text}, ptr {pointer.text}, i32 {align}, "
            f"<{lanes} x i1> {self.p.mask.text})"
        )

    def prefetch(self, stmt: Prefetch) -> None:
        pointer, _, _ = self.address(stmt.buffer, stmt.index, stmt)
        self.e.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        self.e.line(f"call void @llvm.prefetch.p0(ptr {pointer.text}, i32 {int(stmt.write)}, i32 3, i32 1)")


def _memory_type(dtype: str, lanes: int = 1) -> str:
    return llvm_type("i8" if dtype == "bool" else dtype, lanes)


def _suffix(dtype: str) -> str:
    return INTRINSIC_SUFFIX["i8" if dtype == "bool" else dtype]


def _align(dtype: str, lanes: int) -> int:
    return DTYPES[dtype].itemsize * lanes


def _from_memory(e: Emitter, value: Reg) -> Reg:
    """Booleans are bytes in memory, bits in registers."""
    if value.dtype != "bool":
        return value
    byte = Reg(value.text, "i8", value.lanes)
    return e.compare("icmp", "ne", byte, Reg("zeroinitializer" if value.lanes > 1 else "0", "i8", value.lanes))


def _to_memory(e: Emitter, value: Reg) -> Reg:
    return e.cast("zext", value, "i8") if value.dtype == "bool" else value
