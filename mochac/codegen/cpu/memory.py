"""Loads and stores of the printer: scalar, vector, masked, strided.

Loop-invariant address arithmetic goes to the head of the loop where it is known. A loaded value is reused until its
buffer is written.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from mochac.codegen.cpu.addresses import Address, address_of, consecutive, every_second, known_bits, repeats, runs
from mochac.codegen.cpu.emitter import INTRINSIC_SUFFIX, llvm_type
from mochac.codegen.cpu.environment import Environment
from mochac.codegen.machine import LINE
from mochac.ir.index import Index
from mochac.ir.kernel import Buffer, Prefetch, Stmt, loaded_buffers, written_buffers
from mochac.ir.scalar import Emitter, Reg
from mochac.ir.types import DTYPES


class _Known(NamedTuple):
    """The address of a statement, kept alive, inside of parallel loops."""

    stmt: Stmt
    items: tuple[tuple[str, int], ...]
    address: Address


class Memory:
    """Access to the global buffers and scratch locals of the kernel being printed; `bases` are their pointers."""

    def __init__(self, env: Environment, buffers: dict[str, Buffer], bases: dict[str, Reg]) -> None:
        self.env = env
        self.e = env.e
        self.buffers = buffers
        self.bases = bases
        self._sizes = {name: DTYPES[b.type.dtype].itemsize for name, b in buffers.items()}
        self._zeroed: dict[str, str] = {}
        self._addresses: dict[int, _Known] = {}

    def forget(self, body: tuple[Stmt, ...]) -> None:
        """Call when a loop over `body` begins: values of the buffers it writes must be loaded again."""
        for buffer in written_buffers(body):
            self.e.forget_loaded(buffer)

    def load_again(self, body: tuple[Stmt, ...]) -> None:
        """Have `body` load what it reads, although it may be in registers: LLVM moves no loads across a fence."""
        for buffer in loaded_buffers(body):
            self.e.forget_loaded(buffer)
        self.e.line('fence syncscope("singlethread") seq_cst')

    # --- addresses ---------------------------------------------------------------------------------

    def _affine(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> Address:
        """The address of an access, computed once per statement and nest unless it depends on ranges (a batch index).
        Nests of a kernel may share statements."""
        items = self.env.items
        known = self._addresses.get(id(stmt))
        if known is not None and known.items is items and known.address.block_index is None:
            return known.address
        address = address_of(self.buffers[buffer], index, self.env.ranges)
        address = replace(address, terms=self.env.along_items(address.terms))
        self._addresses[id(stmt)] = _Known(stmt, items, address)
        return address

    def address(
        self, buffer: str, index: tuple[Index, ...], stmt: Stmt
    ) -> tuple[Reg, tuple[int, ...], tuple[object, ...]]:
        """Pointer to the element of lane 0, the offset of every lane in elements (empty if all lanes share the
        element), and a key that identifies the address."""
        pointer, const, offsets, key = self._near(buffer, index, stmt)
        key = (*key, "+", const)
        if const:
            known = self.e.known(key)
            if known is None:
                known = self.e.emit(
                    f"getelementptr i8, ptr {pointer.text}, {self.e.word} {const * self._sizes[buffer]}", "ptr"
                )
                self.e.remember(key, known)
            pointer = known
        return pointer, offsets, key

    def _near(
        self, buffer: str, index: tuple[Index, ...], stmt: Stmt
    ) -> tuple[Reg, int, tuple[int, ...], tuple[object, ...]]:
        """An address without its constant: pointer, constant in elements, offsets of lanes, key of the pointer."""
        where = self._affine(buffer, index, stmt)
        size = self._sizes[buffer]
        consts, vectors = self.env.consts, self.env.vector.names
        const, terms = where.const, []
        steps: dict[str, int] = {}
        for var, coefficient in where.terms:
            if var in consts:
                const += coefficient * consts[var]
            elif var in vectors:
                steps[var] = coefficient
            else:
                terms.append((self.env.variable(var)[1], var, coefficient))
        terms.sort()
        pointer = self.bases[buffer]
        key: tuple[object, ...] = ("ptr", buffer)
        for depth, var, coefficient in terms:
            counter = self.env.variable(var)[0]
            key = (*key, counter.text, coefficient)
            pointer = self.e.known_at(depth, key) or self.e.moved(depth, key, pointer, counter, coefficient * size)
        if where.block_index is not None:
            pointer, extra = self._block_address(pointer, where, size)
            key = (*key, *extra)
        return pointer, const, self.env.vector.offsets(steps), key

    def _block_address(self, pointer: Reg, where: Address, size: int) -> tuple[Reg, tuple[object, ...]]:
        """The address for a batch index that no loop has split: block and lane by shift and mask."""
        assert where.block_index is not None
        index, offsets = self.env.uniform(where.block_index)
        assert not offsets, "a vector loop over an uncut batch index of blocked storage"
        word = self.e.word
        block = self.e.binary("udiv", index, Reg(str(where.lanes), word))
        inside = self.e.binary("urem", index, Reg(str(where.lanes), word))
        far = self.e.binary("mul", block, Reg(str(where.block_stride), word))
        offset = self.e.binary("mul", self.e.binary("add", far, inside), Reg(str(size), word))
        return self.e.emit(f"getelementptr i8, ptr {pointer.text}, {word} {offset.text}", "ptr"), (offset.text,)

    def zero_outside(self, reg: Reg, mask: Reg | None) -> bool:
        """Whether a value is known to be 0 in the lanes that a mask excludes, so that adding it there does nothing."""
        return mask is not None and self._zeroed.get(reg.text) == mask.text

    # --- access ------------------------------------------------------------------------------------

    def load(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> Reg:
        dtype = self.buffers[buffer].type.dtype
        stored = "u8" if dtype == "bool" else dtype
        pointer, offsets, key = self.address(buffer, index, stmt)
        mask = self.env.mask
        masked = mask is not None and (bool(offsets) or not self._exists(buffer, index))
        memo = (key, offsets, mask.text if mask and masked else "")
        known = self.e.loaded(buffer, memo)
        if known is not None:
            return known
        if not offsets:
            if mask is not None and masked:
                pointer = self._if_any(mask, pointer, self.bases[buffer])
            value = self.e.emit(f"load {_memory_type(stored)}, ptr {pointer.text}, align {_align(stored, 1)}", stored)
        elif consecutive(offsets):
            lanes = len(offsets)
            value = self._load_vector(pointer, stored, lanes, self._alignment(buffer, index, stmt), mask)
        elif (first := self._neighbours(buffer, key, offsets, mask)) is not None:
            value = self._load_between(first, pointer, stored)
        else:
            value = self._load_pieces(pointer, stored, offsets) or self._gather(pointer, stored, offsets)
        if mask is not None and offsets:
            self._zeroed[value.text] = mask.text
        return self.e.remember_loaded(buffer, memo, _from_memory(self.e, value, dtype))

    def _exists(self, buffer: str, index: tuple[Index, ...]) -> bool:
        """Whether an element exists wherever the loops go, even if a mask excludes all lanes."""
        bounds = [i.bounds(self.env.ranges) for i in index]
        sides = zip(bounds, self.buffers[buffer].type.shape, strict=True)
        return all(b is not None and b[0] >= 0 and b[1] < extent for b, extent in sides)

    def _if_any(self, mask: Reg, pointer: Reg, other: Reg) -> Reg:
        """`pointer` if the mask lets any lane through, else `other`."""
        symbol = f"@llvm.vector.reduce.or.v{mask.lanes}i1"
        self.e.declare(f"declare i1 {symbol}(<{mask.lanes} x i1>)")
        some = self.e.emit(f"call i1 {symbol}(<{mask.lanes} x i1> {mask.text})", "bool")
        return self.e.emit(f"select i1 {some.text}, ptr {pointer.text}, ptr {other.text}", "ptr")

    def _alignment(self, buffer: str, index: tuple[Index, ...], stmt: Stmt) -> int:
        """Alignment of an access: whole vectors where it steps through blocked values or scratch vector by vector,
        since these begin on a cache line."""
        target, lanes = self.buffers[buffer], self.env.lanes
        where = self._affine(buffer, index, stmt)
        aligned = bool(target.type.lanes or target.space == "scratch") and not lanes & (lanes - 1)
        const = where.const
        for var, coefficient in where.terms:
            if var in self.env.consts:
                const += coefficient * self.env.consts[var]
            elif coefficient % lanes and var not in self.env.vector.names:
                aligned = False
        return _align(target.type.dtype, lanes if aligned and not const % lanes else 1)

    def _load_pieces(self, pointer: Reg, dtype: str, offsets: tuple[int, ...]) -> Reg | None:
        """Load by short loads where lanes form runs of consecutive elements, or where adjacent lanes share elements."""
        bits, lanes = known_bits(self.env.mask), len(offsets)
        if every_second(offsets):
            return self._load_halves(pointer, dtype, lanes, self.env.mask)
        if self.env.mask is not None and bits is None:
            return None
        if (times := repeats(offsets)) and bits is None:
            row = self._load_vector(pointer, dtype, lanes // times, _align(dtype, 1), None)
            return self.e.shuffle(row, row, [k // times for k in range(lanes)])
        size = runs(offsets)
        if size == 1:
            return None
        loaded: dict[object, Reg] = {}
        value: Reg | None = None
        for first in range(0, lanes, size):
            part = bits[first : first + size] if bits else ()
            if (offsets[first], part) not in loaded:
                loaded[offsets[first], part] = self._load_run(pointer, dtype, offsets[first], size, part)
            wide = self.e.shuffle(run := loaded[offsets[first], part], run, [k % size for k in range(lanes)])
            if len(loaded) == 1:
                value = wide
            elif value is not None:
                inside = range(first, first + size)
                value = self.e.shuffle(value, wide, [k + lanes if k in inside else k for k in range(lanes)])
        return value

    def _neighbours(
        self, buffer: str, key: tuple[object, ...], offsets: tuple[int, ...], mask: Reg | None
    ) -> Reg | None:
        """The loaded elements in front of these, if lanes access every second element of a row."""
        if mask is not None or not every_second(offsets):
            return None
        *place, const = key
        assert isinstance(const, int)
        return self.e.loaded(buffer, ((*place, const - 1), offsets, ""))

    def _load_between(self, first: Reg, pointer: Reg, dtype: str) -> Reg:
        """Every second element, those between the lanes of `first`, from two vectors that hold both."""
        size, lanes = DTYPES[dtype].itemsize, first.lanes
        begin = self._moved(pointer, -size)
        low, high = (
            self._load_vector(at, dtype, lanes, _align(dtype, 1), None)
            for at in (begin, self._moved(begin, lanes * size))
        )
        second = self.e.shuffle(low, high, [2 * k + 1 for k in range(lanes)])
        self.e.rows[first.text, second.text] = low, high
        return second

    def _load_halves(self, pointer: Reg, dtype: str, lanes: int, mask: Reg | None) -> Reg:
        """Every second element, from two vectors, of which the second ends with the last of these elements."""
        last = self._moved(pointer, (lanes - 1) * DTYPES[dtype].itemsize)
        masks = [self._spread(mask, first) if mask else None for first in (0, lanes - 1)]
        low, high = (
            self._load_vector(at, dtype, lanes, _align(dtype, 1), own)
            for at, own in zip((pointer, last), masks, strict=True)
        )
        return self.e.shuffle(low, high, [2 * k if 2 * k < lanes else 2 * k + 1 for k in range(lanes)])

    def _spread(self, mask: Reg, first: int) -> Reg:
        """The mask of every second element, for the elements from `first` on; those in between are left out."""
        bits, places = known_bits(mask), range(first, first + mask.lanes)
        if bits:
            return Reg(_bits_text(tuple(k % 2 == 0 and bits[k // 2] for k in places)), "bool", mask.lanes)
        none = Reg("zeroinitializer", "bool", mask.lanes)
        picks = [k // 2 if k % 2 == 0 else mask.lanes for k in places]
        return self.e.once(("spread", mask.text, first), lambda: self.e.shuffle(mask, none, picks))

    def _load_run(self, pointer: Reg, dtype: str, offset: int, size: int, bits: tuple[bool, ...]) -> Reg:
        at = self._moved(pointer, offset * DTYPES[dtype].itemsize)
        mask = None if all(bits) else Reg(_bits_text(bits), "bool", size)
        return self._load_vector(at, dtype, size, _align(dtype, 1), mask)

    def _moved(self, pointer: Reg, n_bytes: int) -> Reg:
        if not n_bytes:
            return pointer
        return self.e.emit(f"getelementptr i8, ptr {pointer.text}, {self.e.word} {n_bytes}", "ptr")

    def _load_vector(self, pointer: Reg, dtype: str, lanes: int, align: int, mask: Reg | None) -> Reg:
        type = _memory_type(dtype, lanes)
        if mask is None:
            return self.e.emit(f"load {type}, ptr {pointer.text}, align {align}", dtype, lanes)
        if part := self._part(mask):
            short = self.e.emit(
                f"load {_memory_type(dtype, part)}, ptr {pointer.text}, align {_align(dtype, 1)}", dtype, part
            )
            return self._with_zeros(short, lanes)
        symbol = f"@llvm.masked.load.v{lanes}{_suffix(dtype)}.p0"
        self.e.declare(f"declare {type} {symbol}(ptr, i32, <{lanes} x i1>, {type})")
        return self.e.emit(
            f"call {type} {symbol}(ptr {pointer.text}, i32 {align}, <{lanes} x i1> {mask.text}, "
            f"{type} zeroinitializer)",
            dtype,
            lanes,
        )

    def _part(self, mask: Reg) -> int:
        """Lanes of a shorter vector that can replace a masked one: their number if the mask is known and lets through
        a power of two from the first lane on, else 0. Masked stores are slow on some CPUs, and delay later loads."""
        kept = known_bits(mask) or ()
        n, lanes = sum(kept), len(kept)
        return n if all(kept[:n]) and n & (n - 1) == 0 and 1 < n < lanes else 0

    def _with_zeros(self, short: Reg, lanes: int) -> Reg:
        zeros = self.e.const(0, short.dtype, short.lanes)
        return self.e.shuffle(short, zeros, [min(k, short.lanes) for k in range(lanes)])

    def _pointers(self, pointer: Reg, dtype: str, offsets: tuple[int, ...]) -> Reg:
        places = self.e.numbers(self.e.word, [o * DTYPES[dtype].itemsize for o in offsets])
        return self.e.emit(
            f"getelementptr i8, ptr {pointer.text}, <{len(offsets)} x {self.e.word}> {places.text}", "ptr", len(offsets)
        )

    def _mask_text(self) -> str:
        return self.env.mask.text if self.env.mask is not None else "splat (i1 true)"

    def _gather(self, pointer: Reg, dtype: str, offsets: tuple[int, ...]) -> Reg:
        lanes = len(offsets)
        type = _memory_type(dtype, lanes)
        symbol = f"@llvm.masked.gather.v{lanes}{_suffix(dtype)}.v{lanes}p0"
        self.e.declare(f"declare {type} {symbol}(<{lanes} x ptr>, i32, <{lanes} x i1>, {type})")
        where = self._pointers(pointer, dtype, offsets)
        return self.e.emit(
            f"call {type} {symbol}(<{lanes} x ptr> {where.text}, i32 {_align(dtype, 1)}, "
            f"<{lanes} x i1> {self._mask_text()}, {type} zeroinitializer)", dtype, lanes,
        )  # fmt: skip

    def store(self, buffer: str, index: tuple[Index, ...], value: Reg, stmt: Stmt) -> None:
        dtype = self.buffers[buffer].type.dtype
        pointer, offsets, _ = self.address(buffer, index, stmt)
        self.e.forget_loaded(buffer)
        if not offsets:
            assert value.lanes == 1, f"lanes of a vector stored to one element of {buffer}"
            value = _to_memory(self.e, value)
            self.e.line(f"store {_memory_type(dtype)} {value.text}, ptr {pointer.text}, align {_align(dtype, 1)}")
            return
        lanes = len(offsets)
        value = _to_memory(self.e, self.e.splat(value, lanes))
        if consecutive(offsets):
            self._store_vector(pointer, dtype, value, self._alignment(buffer, index, stmt), self.env.mask)
        elif (size := runs(offsets)) > 1 and (self.env.mask is None or known_bits(self.env.mask)):
            self._store_runs(pointer, dtype, value, offsets, size)
        else:
            self._scatter(pointer, dtype, value, offsets)

    def _store_vector(self, pointer: Reg, dtype: str, value: Reg, align: int, mask: Reg | None) -> None:
        type = _memory_type(dtype, value.lanes)
        if mask is None:
            self.e.line(f"store {type} {value.text}, ptr {pointer.text}, align {align}")
            return
        if part := self._part(mask):
            short = self.e.shuffle(value, value, list(range(part)))
            self.e.line(f"store {_memory_type(dtype, part)} {short.text}, ptr {pointer.text}, align {_align(dtype, 1)}")
            return
        symbol = f"@llvm.masked.store.v{value.lanes}{_suffix(dtype)}.p0"
        self.e.declare(f"declare void {symbol}({type}, ptr, i32, <{value.lanes} x i1>)")
        self.e.line(
            f"call void {symbol}({type} {value.text}, ptr {pointer.text}, i32 {align}, "
            f"<{value.lanes} x i1> {mask.text})"
        )

    def _store_runs(self, pointer: Reg, dtype: str, value: Reg, offsets: tuple[int, ...], size: int) -> None:
        bits = known_bits(self.env.mask) or (True,) * len(offsets)
        for first in range(0, len(offsets), size):
            part = bits[first : first + size]
            at = self._moved(pointer, offsets[first] * DTYPES[dtype].itemsize)
            piece = self.e.shuffle(value, value, list(range(first, first + size)))
            mask = None if all(part) else Reg(_bits_text(part), "bool", size)
            self._store_vector(at, dtype, piece, _align(dtype, 1), mask)

    def _scatter(self, pointer: Reg, dtype: str, value: Reg, offsets: tuple[int, ...]) -> None:
        lanes = len(offsets)
        type = _memory_type(dtype, lanes)
        symbol = f"@llvm.masked.scatter.v{lanes}{_suffix(dtype)}.v{lanes}p0"
        self.e.declare(f"declare void {symbol}({type}, <{lanes} x ptr>, i32, <{lanes} x i1>)")
        where = self._pointers(pointer, dtype, offsets)
        self.e.line(
            f"call void {symbol}({type} {value.text}, <{lanes} x ptr> {where.text}, i32 {_align(dtype, 1)}, "
            f"<{lanes} x i1> {self._mask_text()})"
        )

    def prefetch(self, stmt: Prefetch) -> None:
        """Prefetch the line of an element, unless an element less than a line away has been prefetched. No line is left
        out, since loops continue with the next elements."""
        _, const, _, key = self._near(stmt.buffer, stmt.index, stmt)
        line = LINE // self._sizes[stmt.buffer]
        here = ("prefetch", stmt.write, stmt.l2, key)
        if any(self.e.known((*here, n)) for n in range(const - line + 1, const + line)):
            return
        pointer, _, _ = self.address(stmt.buffer, stmt.index, stmt)
        self.e.remember((*here, const), pointer)
        self.e.declare("declare void @llvm.prefetch.p0(ptr, i32, i32, i32)")
        locality = 2 if stmt.l2 else 3
        self.e.line(f"call void @llvm.prefetch.p0(ptr {pointer.text}, i32 {int(stmt.write)}, i32 {locality}, i32 1)")


def _memory_type(dtype: str, lanes: int = 1) -> str:
    return llvm_type("i8" if dtype == "bool" else dtype, lanes)


def _bits_text(bits: tuple[bool, ...]) -> str:
    return "<" + ", ".join(f"i1 {'true' if b else 'false'}" for b in bits) + ">"


def _suffix(dtype: str) -> str:
    return INTRINSIC_SUFFIX["i8" if dtype == "bool" else dtype]


def _align(dtype: str, lanes: int) -> int:
    return DTYPES[dtype].itemsize * lanes


def _from_memory(e: Emitter, value: Reg, dtype: str) -> Reg:
    """Booleans are bytes in memory and bits in registers."""
    if dtype != "bool":
        return value
    return e.compare("icmp", "ne", value, e.const(0, value.dtype, value.lanes))


def _to_memory(e: Emitter, value: Reg) -> Reg:
    return e.cast("zext", value, "i8") if value.dtype == "bool" else value
