"""CUDA C around the kernels of a step: fetches its scalars and batches, stores its results, counts steps.

These functions follow a plan's kernels in its module. With them, a step consists of launches with fixed arguments and
can be replayed as a CUDA graph: everything that changes from step to step is found through a counter in device memory.
"""

from __future__ import annotations

import math
from itertools import accumulate

from mochac.base.escaping import comment
from mochac.base.records import record
from mochac.codegen.cuda.target import CudaTarget, beginning, early_parameters
from mochac.ir.grids import WARP
from mochac.ir.plan import Placement, Plan, owners
from mochac.ir.types import DTYPES

BEGIN, END = "mochac_step_begin", "mochac_step_end"
GATHER = "mochac_step_begin_resident"
"""The counterpart of BEGIN for datasets that are resident on the device."""
ROWS = 4096
"""Steps whose scalars and results fit the device tables. Between two tables the device waits, so a call of a training
(training/loop/breaks.py) needs no second one."""
RING_BYTES, PIECE_BYTES = 32 << 20, 2 << 20
"""Size of the ring of batches on the device, and of the batches that are sent together."""
MOST_PIECES, MOST_STEPS = 8, 32
"""Maximum pieces of a ring, and steps of a piece."""
BLOCK = 256
"""Threads per block."""
_VECTORS = {"f32": ("float", "float2", "float4"), "f64": ("double", "double2")}
_WIDE = {"f32": "float", "f64": "double", "i32": "int", "i64": "long long"}


@record
class StepLayout:
    """What a step reads from tables in device memory and stores there.

    Attributes:
        feeds: the placement of every fed array.
        hyper_words: 8-byte words of a row of per-step scalars.
        results: element types of the reported values, in the plan's order, with the number of elements.
        piece: number of steps whose batches are sent together.
        pieces: number of pieces in the ring of batches on the device, at least two.
    """

    feeds: tuple[Placement, ...]
    hyper_words: int
    results: tuple[tuple[str, int], ...]
    piece: int
    pieces: int

    @property
    def number_pieces(self) -> tuple[int, int]:
        """`piece` and `pieces` of the ring of sample numbers, where datasets are on the device."""
        return _ring(4 * sum(self.batches))

    @property
    def ring(self) -> int:
        """Number of steps whose batches fit the ring."""
        return self.pieces * self.piece

    @property
    def begins(self) -> bool:
        """Whether a step has anything to fetch."""
        return bool(self.feeds or self.hyper_words)

    @property
    def gathers(self) -> bool:
        """Whether batches may be gathered from datasets on the device."""
        return bool(self.feeds) and all(
            placement.type.shape and placement.type.dtype in _VECTORS for placement in self.feeds
        )

    @property
    def batches(self) -> tuple[int, ...]:
        """Samples per step of each feed."""
        return tuple(placement.type.shape[0] for placement in self.feeds)

    @property
    def blocks(self) -> int:
        """Blocks of the BEGIN kernel."""
        return self._blocks([_words(placement)[0] for placement in self.feeds])

    @property
    def gather_blocks(self) -> int:
        """Blocks of the GATHER kernel."""
        return self._blocks([placement.type.elems // _width(placement) for placement in self.feeds])

    def _blocks(self, items: list[int]) -> int:
        return -(-_ends([*items, self.hyper_words])[-1] // BLOCK)


def step_layout(plan: Plan) -> StepLayout:
    """The layout of a plan."""
    feeds = tuple(owners([s for s in plan.placements if s.place == "feed"]).values())
    ends = [s.offset + s.type.storage_bytes for s in plan.placements if s.place == "hyper"]
    placements = {s.name: s for s in plan.placements}
    results = tuple((placements[v].type.dtype, placements[v].type.elems) for _, v in plan.scalars)
    return StepLayout(feeds, -(-max(ends, default=0) // 8), results, *_ring(sum(s.type.storage_bytes for s in feeds)))


def _ring(batch_bytes: int) -> tuple[int, int]:
    """Steps per piece, a power of two, and pieces: the first steps of a run wait until one piece is copied.

    >>> [_ring(n) for n in (1088, 200960, 1229200, 40_000_000)]
    [(32, 8), (8, 8), (1, 8), (1, 2)]
    """
    most = max(1, min(MOST_STEPS, PIECE_BYTES // max(1, batch_bytes)))
    piece = 1 << (most.bit_length() - 1)
    return piece, max(2, min(MOST_PIECES, RING_BYTES // max(1, piece * batch_bytes)))


def step_text(plan: Plan, target: CudaTarget) -> str:
    """The functions BEGIN (if there is anything to fetch), GATHER (if there are batches) and END."""
    layout, first = step_layout(plan), beginning(target)
    begins = [_begin(layout, first)] if layout.begins else []
    gathers = [_gather(layout, first)] if layout.gathers else []
    texts = (*begins, *gathers, _end(layout, first))
    return "".join("\n" + early_parameters(text, target) for text in texts)


def _begin(layout: StepLayout, first: list[str]) -> str:
    parameters, copies = [], []
    for k, placement in enumerate(layout.feeds):
        n, word = _words(placement)
        what = f"%{comment(placement.name)}, batches of {layout.ring} steps"
        parameters.append(f"const {word}* __restrict__ ring{k},  // {what}")
        parameters.append(f"{word}* __restrict__ feed{k},  // this step's, {placement.type}")
        copies.append((n, [f"feed{k}[k] = ring{k}[(now % {layout.ring}) * {n}LL + k];"]))
    what = "// A step begins: its scalars and its batch are put where the kernels look for them."
    return _beginning(layout, what, BEGIN, parameters, first, copies)


def _gather(layout: StepLayout, first: list[str]) -> str:
    n_rows, width = math.prod(layout.number_pieces), sum(layout.batches)
    parameters = [f"const int* __restrict__ numbers,  // of samples, feed after feed; a row for each of {n_rows} steps"]
    parameters.append("const int* __restrict__ bytes,  // 1 where a dataset is stored as bytes")
    flags, copies, sample = list(first), [], 0
    for k, placement in enumerate(layout.feeds):
        elems = placement.type.elems // placement.type.shape[0]
        what = f"%{comment(placement.name)}, {elems} numbers a sample"
        parameters.append(f"const unsigned char* __restrict__ set{k},  // {what}")
        parameters.append(f"{_vector(placement)}* __restrict__ feed{k},  // this step's, {placement.type}")
        flags.append(f"const bool bytes{k} = bytes[{k}] != 0;")  # read before anything waits for the step's number
        number = f"numbers[now % {n_rows} * {width} + " + (f"{sample} + " if sample else "")
        copies.append((placement.type.elems // _width(placement), _gathered(k, placement, number)))
        sample += placement.type.shape[0]
    what = "// The same where datasets lie on the device: a batch is samples of them, and bytes become numbers."
    return _beginning(layout, what, GATHER, parameters, flags, copies)


def _gathered(k: int, placement: Placement, number: str) -> list[str]:
    """Statements that copy item k of one feed; `number` begins the expression of sample 0's number."""
    width, vector = _width(placement), _vector(placement)
    per_sample = placement.type.elems // placement.type.shape[0] // width
    at = f"{number}k / {per_sample}] * {per_sample}LL + k % {per_sample}" if per_sample > 1 else f"{number}k]"
    scalar = _VECTORS[placement.type.dtype][0]
    narrow = f"uchar{width}" if width > 1 else "unsigned char"
    parts = [f"({scalar})v.{part}" for part in "xyzw"[:width]]
    return [
        f"const long long at = {at};",
        f"if (bytes{k}) {{",
        f"    const {narrow} v = ((const {narrow}*)set{k})[at];",
        f"    feed{k}[k] = " + (f"make_{vector}({', '.join(parts)});" if width > 1 else f"({scalar})v;"),
        "} else {",
        f"    feed{k}[k] = ((const {vector}*)set{k})[at];",
        "}",
    ]


def _beginning(
    layout: StepLayout,
    what: str,
    name: str,
    parameters: list[str],
    flags: list[str],
    copies: list[tuple[int, list[str]]],
) -> str:
    """A kernel of copies, (items, statements for item k) each: a thread per item, separate warps for each copy."""
    head = ["const long long* __restrict__ step,  // steps done"]
    if layout.hyper_words:
        head.append("const unsigned long long* __restrict__ hyper_rows,  // a row of scalars per step")
        head.append("unsigned long long* __restrict__ hyper,  // this step's")
        copies = [*copies, (layout.hyper_words, [f"hyper[k] = hyper_rows[now * {layout.hyper_words} + k];"])]
    body = [*flags, "const long long now = step[0];", f"const int thread = blockIdx.x * {BLOCK} + threadIdx.x;"]
    first = 0
    for end, (n, lines) in zip(_ends([n for n, _ in copies]), copies, strict=True):
        test = f"thread >= {first} && thread < {first + n}" if first else f"thread < {n}"
        item = f"thread - {first}" if first else "thread"
        body += [f"if ({test}) {{", f"    const int k = {item};", *(f"    {line}" for line in lines), "}"]
        first = end
    return _function(what, name, BLOCK, [*head, *parameters], body)


def _ends(items: list[int]) -> list[int]:
    """The thread after the last one of every copy; each copy begins with a new warp.

    >>> _ends([100, 4, 64])
    [128, 160, 224]
    """
    return list(accumulate(-(-n // WARP) * WARP for n in items))


def _end(layout: StepLayout, first: list[str]) -> str:
    parameters = ["long long* __restrict__ step,  // steps done"]
    body = [*first, "const long long now = step[0];"]
    if layout.results:
        parameters.append("double* __restrict__ results,  // a row of reported scalars per step")
    row, column = sum(n for _, n in layout.results), 0
    for k, (dtype, n) in enumerate(layout.results):
        parameters.append(f"const {_WIDE[dtype]}* scalar{k},")
        if n == 1:
            body.append(f"results[now * {row} + {column}] = (double)scalar{k}[0];")
        else:
            body.append(f"for (int i = 0; i < {n}; i++) results[now * {row} + {column} + i] = (double)scalar{k}[i];")
        column += n
    what = "// A step ends: its scalars are written down and it is counted."
    return _function(what, END, 1, parameters, [*body, "step[0] = now + 1;"])


def _function(what: str, name: str, block: int, parameters: list[str], body: list[str]) -> str:
    last = parameters[-1]
    parameters = [*parameters[:-1], last.replace(",  //", ")  //") if ",  //" in last else last.replace(",", ")")]
    lines = [what, f'extern "C" __global__ void __launch_bounds__({block})', f"{name}("]
    return "\n".join([*lines, *(f"    {p}" for p in parameters), "{", *(f"    {line}" for line in body), "}"]) + "\n"


def _width(placement: Placement) -> int:
    """Elements of a sample that one thread copies at once: at most 16 bytes, dividing the sample."""
    elems = placement.type.elems // placement.type.shape[0]
    return max(n for n in (1, 2, 4) if elems % n == 0 and n * DTYPES[placement.type.dtype].itemsize <= 16)


def _vector(placement: Placement) -> str:
    """The C type of that many elements."""
    return _VECTORS[placement.type.dtype][_width(placement) // 2]


def _words(placement: Placement) -> tuple[int, str]:
    """Number and C type of the words in which a batch is copied: the widest type that divides it."""
    n = placement.type.elems * DTYPES[placement.type.dtype].itemsize
    for size, word in ((16, "uint4"), (8, "unsigned long long"), (4, "unsigned int")):
        if n % size == 0:
            return n // size, word
    return n, "unsigned char"
