"""stop_gradient: the same value, but no gradient flows back through it.

Shapes: x (...) -> like x. Layers use it where Mocha trains a parameter through some of its uses only.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.kernel_build import Alias
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, Sample, register
from mochac.ir.types import TensorType


def infer(x: TensorType) -> tuple[TensorType, ...]:
    return (x,)


def reference(x: np.ndarray) -> np.ndarray:
    return x


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (None,)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return x


register(
    Op(
        name="stop_gradient",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Alias(),
        lifted=lambda attrs, n: attrs,
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2]",), differentiable=()),
            Sample(("f32[4]",), differentiable=()),
        ),
        onnx=onnx,
    )
)
