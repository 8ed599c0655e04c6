"""CUDA C of exchanges between ranks: functions that follow a plan's kernels in its module.

The halves of an exchange copy the values of a bucket to where they lie one behind the other, and their sums from
there. In between, NCCL moves values between devices (runtime/cuda/exchange.py). For sums in order, a bucket is cut into
a slice for each of R ranks; every rank gets its slice of all of them, adds them up, and sends the sums to all:

    sums[i] = tree(rows[0][i], ..., rows[R - 1][i]),  tree(a0 .. ak-1) = tree(a0 .. ak/2-1) + tree(ak/2 .. ak-1)

So elements are added by the balanced tree of the op rank_sum, as on a CPU (codegen/cpu/exchange.py); the order of
NCCL's own sums depends on the number of ranks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate

from mochac.base.records import record
from mochac.codegen.cuda.target import CudaTarget, beginning, early_parameters
from mochac.codegen.generator import EXCHANGES, ranks_of
from mochac.ir.grids import WARP
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, RANK_SUM, Launch, Plan
from mochac.ir.types import DTYPES, TensorType

BLOCK = 256
_C = {"f32": "float", "f64": "double"}


@record
class RankSum:
    """The sum of a bucket over the ranks: the type of its elements, their number, and that of the ranks."""

    dtype: str
    elems: int
    ranks: int

    @property
    def slice_elems(self) -> int:
        """Elements that a rank adds up; the last ranks may have fewer.

        >>> RankSum("f32", 10, 4).slice_elems
        3
        """
        return -(-self.elems // self.ranks)

    def count(self, rank: int) -> int:
        """The elements of a rank's slice.

        >>> [RankSum("f32", 10, 4).count(rank) for rank in range(4)]
        [3, 3, 3, 1]
        """
        return max(0, min(self.slice_elems, self.elems - rank * self.slice_elems))

    @property
    def elem_bytes(self) -> int:
        """Size of an element."""
        return DTYPES[self.dtype].itemsize

    @property
    def bytes(self) -> int:
        """Size of the bucket."""
        return self.elems * self.elem_bytes

    @property
    def slice_bytes(self) -> int:
        """Size of a slice."""
        return self.slice_elems * self.elem_bytes

    @property
    def symbol(self) -> str:
        """The name of the function that adds up."""
        return f"mochac_add_{self.ranks}_ranks_{self.dtype}_{self.slice_elems}"

    @property
    def grid(self) -> int:
        """Number of its blocks."""
        return -(-self.slice_elems // BLOCK)


@record
class Half:
    """A half of an exchange: the types of the values that it copies, and whether it is the first half.

    Attributes:
        bucket: the number of the exchange.
    """

    bucket: int
    starts: bool
    types: tuple[TensorType, ...]

    @property
    def symbol(self) -> str:
        """The name of the function."""
        return f"mochac_{EXCHANGE_START if self.starts else EXCHANGE_WAIT}_{self.bucket}"

    @property
    def grid(self) -> int:
        """Number of its blocks."""
        return -(-self.ends[-1] // BLOCK)

    @property
    def ends(self) -> list[int]:
        """The thread after the last one of every value; each begins with a new warp.

        >>> Half(0, True, (TensorType("f32", (100,)), TensorType("f32", (4,)))).ends
        [128, 160]
        """
        return list(accumulate(-(-kind.elems // WARP) * WARP for kind in self.types))


def is_rank_sum(launch: Launch) -> bool:
    """Whether a launch adds up a bucket over the ranks."""
    return launch.symbol.endswith(f".{RANK_SUM}")


def is_half(launch: Launch) -> bool:
    """Whether a launch is a half of an exchange."""
    return launch.symbol in EXCHANGES


def rank_sum_of(plan: Plan, launch: Launch) -> RankSum:
    """What a launch of a plan adds up."""
    (kind,) = _types(plan, launch.buffers[:1])
    return RankSum(kind.dtype, kind.elems, ranks_of(launch.call))


def half_of(plan: Plan, launch: Launch) -> Half:
    """The half of an exchange that a launch of a plan is."""
    starts = launch.symbol == EXCHANGE_START
    names = launch.buffers[:-1] if starts else launch.buffers[1:]
    return Half(json.loads(launch.call)["bucket"], starts, _types(plan, names))


def _types(plan: Plan, names: Sequence[str]) -> tuple[TensorType, ...]:
    known = {placement.name: placement.type for placement in plan.placements}
    return tuple(known[name] for name in names)


def exchange_text(plan: Plan, target: CudaTarget) -> str:
    """The functions of a plan's exchanges."""
    texts = dict.fromkeys(_functions(plan, "".join(f"    {line}\n" for line in beginning(target))))
    return "".join("\n" + early_parameters(text, target) for text in texts)


def _functions(plan: Plan, first: str) -> Iterator[str]:
    for launch in plan.launches:
        if is_half(launch):
            yield _half_text(half_of(plan, launch), first)
        elif is_rank_sum(launch):
            yield _sum_text(rank_sum_of(plan, launch), first)


def _half_text(half: Half, first: str) -> str:
    c, n = _C[half.types[0].dtype], len(half.types)
    bucket = f"{'' if half.starts else 'const '}{c}* __restrict__ bucket"
    values = [f"{'const ' if half.starts else ''}{c}* __restrict__ v{k}" for k in range(n)]
    parameters = [*values, bucket] if half.starts else [bucket, *values]
    what = "Values are copied into a bucket" if half.starts else "Sums are copied out of a bucket"
    return "\n".join(
        [
            f"// {what}: a thread for each.",
            f'extern "C" __global__ void __launch_bounds__({BLOCK})',
            f"{half.symbol}(",
            *(f"    {parameter}{',' if k < n else ')'}" for k, parameter in enumerate(parameters)),
            f"{{\n{first}    const int thread = blockIdx.x * {BLOCK} + threadIdx.x;",
            *_copies(half),
            "}",
            "",
        ]
    )


def _copies(half: Half) -> Iterator[str]:
    thread = first = 0
    for k, (kind, end) in enumerate(zip(half.types, half.ends, strict=True)):
        inside = f"bucket[{first}LL + thread - {thread}]"
        to, source = (inside, f"v{k}[thread - {thread}]")[:: 1 if half.starts else -1]
        test = f"thread >= {thread} && thread < {thread + kind.elems}" if thread else f"thread < {kind.elems}"
        yield f"    if ({test}) {to} = {source};"
        thread, first = end, first + kind.elems


def _sum_text(kind: RankSum, first: str) -> str:
    c, n, levels = _C[kind.dtype], kind.slice_elems, kind.ranks.bit_length()
    return f"""// A slice of every rank is added up, neighbours first.
extern "C" __global__ void __launch_bounds__({BLOCK})
{kind.symbol}(
    const {c}* __restrict__ rows,  // {kind.ranks} slices of {n}, in the order of the ranks
    {c}* __restrict__ sums)
{{
{first}    const int i = blockIdx.x * {BLOCK} + threadIdx.x;
    if (i < {n}) {{
        {c} level[{levels}];  // level[k]: the sum of 2^k ranks, which waits for its neighbour
        {c} sum = 0;
        #pragma unroll
        for (int r = 0; r < {kind.ranks}; r++) {{
            sum = rows[r * {n}LL + i];
            int k = 0;
            for (; r >> k & 1; k++) sum = level[k] + sum;
            level[k] = sum;
        }}
        sums[i] = sum;
    }}
}}
"""
