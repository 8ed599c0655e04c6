"""all_samples: the samples of a batch as an array without the mark of the batch, which every sample may read.

    y[n, ...] = x[n, ...]

Shapes: x (N, ...), batch-marked -> (N, ...). Losses across samples use it: the product of x (N, d) with all samples
(N, d) has the batch along both axes. Gradient: own_samples.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.kernel_build import Alias
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType


def infer(x: TensorType) -> tuple[TensorType, ...]:
    if not x.batch or x.lanes:
        raise OpTypeError("all samples of a batch are read in natural layout", "f32[bN,...]", str(x))
    return (x.with_(batch=False),)


def reference(x: np.ndarray) -> np.ndarray:
    return x


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("own_samples", ct),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return x


register(
    Op(
        name="all_samples",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        kind="shape",
        moves=True,
        natural=(0,),
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]",)),
            Sample(("f32[b17]",)),
        ),
        onnx=onnx,
    )
)
