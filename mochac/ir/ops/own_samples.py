"""own_samples: rows that belong to the samples of the batch, with its mark; the inverse of all_samples.

    y[n, ...] = x[n, ...]

Shapes: x (N, ...) -> (N, ...), batch-marked. Gradient: all_samples.
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
    if x.batch or not x.shape:
        raise OpTypeError("rows of all samples have no mark of the batch", "f32[N,...]", str(x))
    return (x.with_(batch=True),)


def reference(x: np.ndarray) -> np.ndarray:
    return x


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (b.op("all_samples", ct),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return x


register(
    Op(
        name="own_samples",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[5,3]",)),
            Sample(("f32[17]",)),
        ),
        onnx=onnx,
    )
)
