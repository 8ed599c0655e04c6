"""Number of partial sums of a convolution's weight gradient, from the tile model and the cost of a second kernel.

passes/split_sums needs it before there are kernels. More parts keep more multiprocessors busy with shorter sums; but
each part is stored and loaded once, and the kernel that adds them up must be launched.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.block_tile import ContractionSizes
from mochac.codegen.cuda.schedules.operands import Operand
from mochac.codegen.cuda.schedules.tiles import best_tile
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.graph import BoundNode
from mochac.ir.types import DTYPES

LAUNCH = 2500
"""Cycles until a kernel that waited for another one starts."""
MOVED = 400
"""Elements per cycle that the device stores to its cache and loads again."""


def parts(bound: BoundNode, target: CudaTarget) -> int:
    """Parts of a conv2d_dw; 1 if a single kernel is faster."""
    samples = bound.inputs[1].type.shape[0]
    sizes = (1 << shift for shift in range(samples.bit_length()))
    candidates = sorted({1, *(-(-samples // size) for size in sizes)})
    return min(candidates, key=lambda n: _cycles(bound, n, target))


def _cycles(bound: BoundNode, n: int, target: CudaTarget) -> float:
    (samples, _, oh, ow), dw = bound.inputs[1].type.shape, bound.outputs[0].type.shape
    group = bound.attr["group"]
    assert isinstance(group, int)
    rows, columns = (("kh", dw[2]), ("kw", dw[3]), ("ci", dw[1])), (("co", dw[0] // group),)
    terms = (("n", -(-samples // n)), ("oh", oh), ("ow", ow))
    pixels = Operand(rows, False, slides="kw", taps=ow, share=min(1.0, 4 / (oh * ow)))
    size = DTYPES[bound.outputs[0].type.dtype].itemsize
    cycles, tile = best_tile(ContractionSizes(pixels, Operand(columns), n * group, terms, size), target)
    if tile is None:
        return math.inf if n > 1 else 0.0
    return cycles + (LAUNCH + n * math.prod(dw) / MOVED if n > 1 else 0.0)
