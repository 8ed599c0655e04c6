"""In how many parts a convolution's weight gradient is summed: by the model of tiles and the cost of a second kernel.

driver asks on behalf of passes/split_sums, before kernels exist. More parts keep more multiprocessors busy with shorter
sums; each part is stored once and loaded once, and the kernel that adds them up must be launched.
"""

from __future__ import annotations

import math

from mochac.codegen.cuda.schedules.contraction import panels
from mochac.codegen.cuda.schedules.tiles import ContractionSizes, Read, best_tile, estimate
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.graph import BoundNode
from mochac.ir.types import DTYPES

LAUNCH = 2500
"""Cycles until a kernel that waited for another has begun."""
MOVED = 400
"""Elements that the device stores to its cache and loads again in a cycle."""


def parts(bound: BoundNode, target: CudaTarget) -> int:
    """Parts for a conv2d_dw: 1 where one kernel does it all."""
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
    pixels = Read(False, slides="kw", taps=ow, share=min(1.0, 4 / (oh * ow)))
    size = DTYPES[bound.outputs[0].type.dtype].itemsize
    sizes = ContractionSizes(rows, columns, n * group, 1, panels(terms), (pixels, Read()), size=size)
    tile = best_tile(sizes, target)
    if tile is None:
        return math.inf if n > 1 else 0.0
    more = LAUNCH + n * math.prod(dw) / MOVED if n > 1 else 0.0
    return estimate(tile, sizes, target).cycles + more
