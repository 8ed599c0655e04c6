"""Prints scheduled kernels as one LLVM module: a function per distinct kernel, named by the hash of its text.

Equal kernels, such as those of equal layers, share a function. Its signature is the ABI of runtime/cpu/executor.py:
`void @symbol(ptr args, i64 lo, i64 hi, ptr scratch)` runs the items [lo, hi) of the flattened `parallel` loops. Where
addresses have 32 bits, so do `lo` and `hi`.

Blocks are named after loops (KernelCode.heads), and LLVM writes the names of blocks into its assembly. `with_loops`
adds comments from them to text for people only: code that is compiled, and its hash, stay as they are.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from mochac.base.errors import InternalError
from mochac.base.records import record
from mochac.codegen.cpu.emitter import TextEmitter
from mochac.codegen.cpu.environment import ITEMS
from mochac.codegen.cpu.statements import Printer
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Buffer, Kernel, Loop, Stmt, walk
from mochac.ir.nest import band
from mochac.ir.scalar import Reg
from mochac.ir.tile_nests import SPACE

SCRATCH_ALIGN = 64
STACK_ALIGN = 16
"""Bytes that the stack is aligned to where a function begins, by the ABIs of x86-64 and AArch64."""


@record
class KernelCode:
    """Printed code of one kernel: function text, symbol, items of its parallel loops, scratch bytes per thread.

    Attributes:
        heads: the numbers of loops by the labels of the blocks at their heads. Loops are counted in the order of the
            kernel's text; the loop over items has the number of the outermost parallel loop.
    """

    symbol: str
    text: str
    declares: frozenset[str]
    items: int
    scratch_bytes: int
    heads: tuple[tuple[str, int], ...] = ()


def print_kernel(kernel: Kernel, target: CpuTarget) -> KernelCode:
    """LLVM IR text of one scheduled kernel.

    Raises:
        InternalError: the kernel was scheduled for a GPU, or for tile registers that the CPU lacks.
    """
    if kernel.threads or any(b.space in ("shared", "device", "counter") for b in kernel.locals):
        raise InternalError(f"kernel @{kernel.name} is scheduled for a GPU (it has thread loops or shared memory)")
    if not target.tiles and any(b.space == SPACE for b in kernel.locals):
        raise InternalError(f"kernel @{kernel.name} is scheduled for tile registers, which {target.name} lacks")
    arm, x86 = target.arch == "aarch64", target.arch == "x86_64"
    e = TextEmitter(target.fma, arm, x86, target.word, target.lacks, *target.dots, target.bfloat16)
    bases, scratch_bytes = _bases(kernel, e)
    printer = Printer(kernel, bases, e, target.machine)
    nests = [band((stmt,), run="parallel") for stmt in kernel.body]
    if not all(nests):
        nests = [[]]
    items = 0
    for threads in nests:
        inner = threads[-1].body if threads else kernel.body
        count = math.prod(loop.extent or 0 for loop in threads)
        lo, hi = _share(e, items, count, len(nests) > 1)
        _item_loop(printer, threads, inner, lo, hi)
        items += count
    if printer.tiles is not None:
        printer.tiles.release()
    e.line("ret void")
    top = e.scopes[0]
    body = "\n".join(["entry:", *top.head, *top.lines])
    symbol = "k_" + hashlib.blake2b((target.name + body).encode(), digest_size=8).hexdigest()
    attributes = " ".join(["nounwind", *_frame(target)])
    text = f"define void @{symbol}(ptr %args, {e.word} %lo, {e.word} %hi, ptr %scratch) {attributes} {{\n{body}\n}}\n"
    heads = tuple(_numbered(kernel, printer.heads, [threads[0] for threads in nests if threads]))
    return KernelCode(symbol, text, frozenset(e.declares), items, scratch_bytes, heads)


def _frame(target: CpuTarget) -> list[str]:
    """A frame pointer where vectors are wider than the alignment of the stack. Without one, LLVM cannot align the stack
    for vectors that it spills; most then lie across two cache lines, from where AMD's cores forward no store to a load.
    Tiles of 14 x 2 accumulators took 2.2 or 6.1 ms, depending on the caller's stack (AVX2 code on Zen 5)."""
    return ['"frame-pointer"="all"'] if target.vector_bytes > STACK_ALIGN else []


def _numbered(kernel: Kernel, heads: Mapping[str, Loop | None], parallel: Sequence[Loop]) -> Iterator[tuple[str, int]]:
    """Labels of loops' heads with the loops' numbers; the loops over items are those of the nests, in order."""
    numbers = {id(loop): k for k, loop in reversed([*enumerate(s for s in walk(kernel.body) if isinstance(s, Loop))])}
    items = iter(parallel)
    for label, loop in heads.items():
        source = next(items, None) if loop is None else loop
        if source is not None:
            yield label, numbers[id(source)]


def _bases(kernel: Kernel, e: TextEmitter) -> tuple[dict[str, Reg], int]:
    """Pointers of global buffers (loaded from the argument array) and of scratch locals."""
    bases: dict[str, Reg] = {}
    for k, buffer in enumerate((*kernel.inputs, *kernel.outputs)):
        if buffer.name in bases:
            continue
        where = e.at_head(0, ("arg", k), f"getelementptr inbounds ptr, ptr %args, {e.word} {k}", "ptr")
        bases[buffer.name] = e.at_head(
            0, ("base", k), f"load ptr, ptr {where.text}, align {4 if e.word == 'i32' else 8}", "ptr"
        )
    offset = 0
    for buffer in kernel.locals:
        if buffer.space == "scratch":
            key = ("scratch", buffer.name)
            bases[buffer.name] = e.at_head(0, key, f"getelementptr i8, ptr %scratch, {e.word} {offset}", "ptr")
            offset += _scratch_bytes(buffer)
    return bases, offset


def _scratch_bytes(buffer: Buffer) -> int:
    return -(-buffer.type.storage_bytes // SCRATCH_ALIGN) * SCRATCH_ALIGN


def _share(e: TextEmitter, first: int, count: int, several: bool) -> tuple[Reg, Reg]:
    """This thread's share [lo, hi) of a nest whose items are first..first+count-1 among those of the kernel."""
    lo, hi = Reg("%lo", e.word), Reg("%hi", e.word)
    if not several:
        return lo, hi
    begin = e.intrinsic("smax", e.binary("sub", lo, Reg(str(first), e.word)), Reg("0", e.word))
    end = e.intrinsic("smin", e.binary("sub", hi, Reg(str(first), e.word)), Reg(str(count), e.word))
    return begin, end


def _item_loop(printer: Printer, threads: list[Loop], inner: tuple[Stmt, ...], first: Reg, end: Reg) -> None:
    """for item in [lo, hi): split the item into the variables of the parallel loops, the last one fastest. Addresses
    that move evenly from item to item, like those of an array's elements, need no variables."""
    e, env = printer.e, printer.env
    wide = [loop for loop in threads if loop.extent != 1]

    def enter(depth: int, counter: Reg) -> None:
        def rest(k: int) -> Reg:
            """The number that the variables up to the k-th form together."""
            if k == len(wide) - 1:
                return counter
            after = rest(k + 1)
            return e.at_head(depth, ("div", wide[k + 1].var), f"udiv {e.word} {after.text}, {wide[k + 1].extent}")

        def value(k: int) -> Reg:
            var, low, reg = wide[k].var, wide[k].lo.const, rest(k)
            if len(wide) > 1 or low:
                e.counted(depth, counter)
            if k:
                reg = e.at_head(depth, ("rem", var), f"urem {e.word} {reg.text}, {wide[k].extent}")
            return e.at_head(depth, ("low", var), f"add nuw nsw {e.word} {reg.text}, {low}") if low else reg

        for loop in threads:
            low, extent = loop.lo.const or 0, loop.extent or 0
            if extent == 1:
                env.fix(loop.var, low)
            else:
                env.count(loop.var, low, low + extent - 1)
        env.later = {loop.var: (partial(value, k), depth) for k, loop in enumerate(wide)}
        env.vars[ITEMS] = (counter, depth)
        env.items = () if any(loop.lo.const for loop in wide) else tuple((loop.var, loop.extent or 0) for loop in wide)

    printer.item_loop(first, end, inner, enter)


def print_module(codes: list[KernelCode]) -> str:
    """One module of all distinct functions and the intrinsics they declare."""
    functions = {code.symbol: code.text for code in codes}
    declares = sorted(set().union(*(code.declares for code in codes))) if codes else []
    return "\n".join([*declares, "", *functions.values()])


_LABEL = re.compile(r"^(?:(?P<ir>[\w.$-]+):|\.?L?(?:BB\w+:|# %bb\.\d+:).*# %(?P<asm>[\w.$-]+))\s*$")


def with_loops(text: str, kernel: Kernel, code: KernelCode, comment: str) -> str:
    """The text with a comment behind every label of a loop's head: "; loop 3: sum f_i in 0..16".

    Args:
        kernel: as scheduled; its loops are counted from 0 in the order of its text.
        comment: how a comment begins.
    """
    loops = [str(s).removesuffix(" {") for s in walk(kernel.body) if isinstance(s, Loop)]
    heads = dict(code.heads)

    def noted(line: str) -> str:
        found = _LABEL.match(line)
        number = heads.get(found["ir"] or found["asm"]) if found else None
        return line if number is None else f"{line}  {comment} loop {number}: {loops[number]}"

    return "\n".join(map(noted, text.split("\n")))
