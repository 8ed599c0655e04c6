"""Values that pass unchanged, with another gradient: none, or one that a graph computes.

stop_gradient: the same value, but no gradient flows back through it.

Shapes: x (...) -> like x. Layers use it where Mocha trains a parameter through some of its uses only.

custom_gradient: the same value, with a gradient that a graph computes.

    %y = custom_gradient(%f, %x) {backward = graph @b(%gradient: .., %x: ..) {.. return %dx}, of = (0)}

Operands: the value; then what the graph `backward` reads behind its first input, which is the gradient of the result.
Attribute `of`: the operands behind the value, counted from 0, of which `backward` returns the gradients. The value
itself gets none. Layers write it (custom_gradient in nets/layers/functions.py).
"""

from __future__ import annotations

from typing import Any

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Graph, Value
from mochac.ir.kernel_build import Alias
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import onnx_unchanged, unchanged
from mochac.ir.text import parse
from mochac.ir.types import TensorType


def infer_stop_gradient(x: TensorType) -> tuple[TensorType, ...]:
    return (x,)


def vjp_stop_gradient(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    return (None,)


register(
    Op(
        name="stop_gradient",
        infer=infer_stop_gradient,
        reference=unchanged,
        vjp=vjp_stop_gradient,
        lower=Alias(),
        lifted=lambda attrs, n: attrs,
        kind="shape",
        moves=True,
        tolerance=0.0,
        samples=(
            Sample(("f32[b3,2]",), differentiable=()),
            Sample(("f32[4]",), differentiable=()),
        ),
        onnx=onnx_unchanged,
    )
)


def infer_custom(y: TensorType, *operands: TensorType, backward: Graph, of: tuple[int, ...]) -> tuple[TensorType, ...]:
    wanted = tuple(i.type for i in backward.inputs)
    if [(t.dtype, t.shape) for t in (y, *operands)] != [(t.dtype, t.shape) for t in wanted]:
        got = ", ".join(map(str, (y, *operands)))
        raise OpTypeError("operands do not fit the inputs of backward", ", ".join(map(str, wanted)), got)
    types = backward.types()
    results = [(types[name].dtype, types[name].shape) for name in backward.outputs]
    if results != [(operands[k].dtype, operands[k].shape) for k in of if k < len(operands)]:
        raise OpTypeError("backward returns other gradients than those of its operands", str(of), str(results))
    return (y,)


def vjp_custom(b: GraphBuilder, bound: BoundNode, ct: Value) -> tuple[Value | None, ...]:
    """The nodes of `backward`, with the gradient in the place of its first input."""
    backward, of = bound.attr["backward"], bound.attr["of"]
    assert isinstance(backward, Graph) and isinstance(of, tuple)
    names = [i.name for i in backward.inputs]
    known = dict(zip(names, (ct, *bound.inputs[1:]), strict=True))
    for node in backward.nodes:
        attrs: dict[str, Any] = node.attr
        results = b.ops(node.op, *(known[name] for name in node.inputs), **attrs)
        known.update(zip((out.name for out in node.outputs), results, strict=True))
    found: list[Value | None] = [None] * len(bound.inputs)
    for k, name in zip(of, backward.outputs, strict=True):
        assert isinstance(k, int)
        before = found[k + 1]
        found[k + 1] = known[name] if before is None else b.op("add", before, known[name])
    return tuple(found)


_SIGN = parse(
    "graph @b(%g: f32[b3,2], %x: f32[b3,2]) { %s: f32[b3,2] = sign(%x) %d: f32[b3,2] = mul(%g, %s) return %d }"
)

register(
    Op(
        name="custom_gradient",
        infer=infer_custom,
        reference=unchanged,
        vjp=vjp_custom,
        lower=Alias(),
        kind="shape",
        tolerance=0.0,
        samples=(Sample(("f32[b3,2]", "f32[b3,2]"), {"backward": _SIGN, "of": (0,)}, differentiable=()),),
        onnx=onnx_unchanged,
    )
)
