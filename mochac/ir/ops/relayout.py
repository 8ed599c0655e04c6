"""relayout: change the layout to natural (lanes 0) or batch-blocked (lanes L); the values stay.

Padding lanes of the last block are copies of a real sample or any finite number; nothing may depend on them.
`batch=False` also drops the batch mark, for values whose axis 0 only happens to have the extent of the batch.
"""

from __future__ import annotations

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType


def infer(x: TensorType, *, lanes: int, batch: bool = True) -> tuple[TensorType, ...]:
    if lanes and not (x.batch and batch):
        raise OpTypeError("only batch values can be blocked", "a batch value", str(x))
    return (TensorType(x.dtype, x.shape, x.batch and batch, lanes),)


def reference(x: np.ndarray, *, lanes: int, batch: bool = True) -> np.ndarray:
    return x


def vjp(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    x = bound.inputs[0].type
    return (ct if ct.type.lanes == x.lanes else b.op("relayout", ct, lanes=x.lanes),)


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    return (k.read(bound, 0, index),)


def onnx(w: OnnxWriter, bound: BoundNode, x: str) -> str:
    return x


register(
    Op(
        name="relayout",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="shape",
        alone="a change of layout is a kernel of its own",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b5,3]",), {"lanes": 4}),
            Sample(("f32[b5,3] blocked(4)",), {"lanes": 0}),
            Sample(("f32[b17,1,2] blocked(16)",), {"lanes": 8}),
            Sample(("f32[b4,3]",), {"lanes": 0, "batch": False}),
        ),
        onnx=onnx,
    )
)
