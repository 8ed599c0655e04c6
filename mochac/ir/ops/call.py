"""call: another operation, computed by a library function.

    call(x, w) {function="cublas.gemm", of="inner_product"}
    call(x, w, b) {epilogue="bias_relu", function="cublas.gemm", of="inner_product"}

choose_library writes it, with the operation's own attributes in addition to those of the call. Types, reference and
loops are those of the operation, followed by `epilogue`: "bias" adds the third operand, "bias_relu" also applies relu.
`precision` "tf32" or "bfloat16" allows the library to round float32 factors to 10 or 7 mantissa bits before multiplying
(sums stay float32); `deterministic` false allows an order of summation that changes from run to run; `engine` is the
engine of the library, by its place in the library's ranking for these types (absent: the first that the other
attributes allow). A call is a kernel of its own; nothing is fused with it. Gradients are taken before calls are
introduced.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mochac.base.options import PRECISIONS
from mochac.ir.graph import Attr, BoundNode, make_attrs
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.op import OPS, Op, OpTypeError, Sample, register
from mochac.ir.types import TensorType

OWN = ("function", "of", "epilogue", "precision", "deterministic", "engine")
EPILOGUES = ("", "bias", "bias_relu")


def infer(
    *operands: TensorType,
    function: str,
    of: str,
    epilogue: str = "",
    precision: str = "float32",
    deterministic: bool = True,
    engine: int = 0,
    **attrs: Any,
) -> tuple[TensorType, ...]:
    if of not in OPS or of == "call" or not isinstance(OPS[of].lowering(attrs), Pointwise):
        raise OpTypeError(f"no library computes op {of!r}")
    if epilogue not in EPILOGUES or (epilogue and len(operands) != 3):
        raise OpTypeError(f"epilogue {epilogue!r} is not one of {EPILOGUES} for {len(operands)} operands")
    if precision not in PRECISIONS or (precision != "float32" and operands[0].dtype != "f32"):
        raise OpTypeError(f"no library multiplies {operands[0].dtype} in precision {precision!r}")
    return OPS[of].infer(*operands, **attrs)


def reference(*operands: np.ndarray, of: str, epilogue: str = "", **attrs: Any) -> Any:
    """The exact operation: reduced precision and order are options of the library, not part of the definition."""
    result = OPS[of].reference(*operands, **{name: value for name, value in attrs.items() if name not in OWN})
    return OPS["relu"].reference(result) if epilogue == "bias_relu" else result


def called(bound: BoundNode) -> BoundNode:
    """The node that the call stands for."""
    op, attrs = split(bound.attr)
    return replace(bound, node=replace(bound.node, op=op, attrs=make_attrs(attrs)))


def split(attrs: dict[str, Attr]) -> tuple[str, dict[str, Attr]]:
    """The operation's name and its own attributes.

    >>> split({"function": "cublas.gemm", "of": "inner_product", "k": 1})
    ('inner_product', {'k': 1})
    """
    return str(attrs["of"]), {name: value for name, value in attrs.items() if name not in OWN}


def lowering(attrs: dict[str, Attr]) -> Pointwise:
    op, own = split(attrs)
    inner = OPS[op].lowering(own)
    assert isinstance(inner, Pointwise)

    def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
        results = inner.fn(k, called(bound), index)
        return tuple(k.call("relu", r) for r in results) if attrs.get("epilogue") == "bias_relu" else results

    return Pointwise(lower, inner.axes)


def flops(bound: BoundNode) -> int:
    inside = called(bound)
    rule = OPS[inside.node.op].flops
    return rule(inside) if rule else 0


register(
    Op(
        name="call",
        infer=infer,
        reference=reference,
        lower=lowering,
        kind="call",
        alone="a library computes it",
        tolerance=5e-5,
        flops=flops,
        samples=(
            Sample(("f32[b3,7]", "f32[5,7]"), {"function": "cublas.gemm", "of": "inner_product"}),
            Sample(
                ("f32[b3,7]", "f32[5,7]", "f32[5]"),
                {"function": "cublas.gemm", "of": "inner_product", "epilogue": "bias_relu"},
            ),
            Sample(
                ("f32[b2,3,6,5]", "f32[4,3,3,2]"),
                {"function": "cudnn.conv_fprop", "of": "conv", "stride": (1, 1), "pad": (1, 0)},
            ),
        ),
    )
)
