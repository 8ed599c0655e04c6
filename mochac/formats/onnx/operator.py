"""ONNX's operators: their attributes, what is cut from their results, and their converters.

CONVERTERS: functions that add mochac's layers for an ONNX node to the builder, by operator.

They are in onnx/operators/. A converter raises UnsupportedError for what it cannot express. Most take the batch as
axis 0 only; those that are registered with `anywhere` know where it is (importing/place.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mochac.base.files.onnx_file import onnx_package
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.node import Constant, ImportedNode, Shape

_COSTS = {"Erf": 256, "Cast": 8, "CastLike": 8, "Exp": 8, "Log": 8, "Pow": 32, "Sigmoid": 16, "Tanh": 16, "Mod": 16}
"""Operations per element, of expensive operators."""
_WITHOUT_BLAS = 32
"""How many times slower a product of integers is than one of floats."""


@record(eq=False)
class OnnxNode(ImportedNode):
    """A node.

    Attributes:
        proto: its NodeProto.
        opset: version of its operators.
    """

    proto: Any = None
    opset: int = 0

    @property
    def type(self) -> str:
        """Its operator."""
        return self.proto.op_type

    @property
    def tops(self) -> Sequence[str]:
        """Names of its outputs."""
        return self.proto.output

    @property
    def name(self) -> str:
        """Its name, or that of its first output."""
        return self.proto.name or self.proto.output[0]

    def work(self, elements: int) -> int:
        """Elementary operations to compute `elements` elements of a constant."""
        arrays = [x.array for x in self.inputs if isinstance(x, Constant)]
        if self.type in ("MatMul", "Gemm") and arrays[0].ndim:
            summed = arrays[0].shape[0 if self.attribute("transA", 0) else -1]
            return elements * summed * (1 if arrays[0].dtype.kind == "f" else _WITHOUT_BLAS)
        return super().work(elements) * _COSTS.get(self.type, 1)

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute, as a number, a string or a list of these."""
        for attribute in self.proto.attribute:
            if attribute.name == name:
                value = onnx_package("helper").get_attribute_value(attribute)
                return value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return default

    def integers(self, name: str, default: Sequence[int] | None = None, *, at: int = -1) -> tuple[int, ...] | None:
        """A list of integers that is an attribute, or, in later versions, the constant input `at`."""
        if 0 <= at < len(self.inputs) and self.inputs[at] is not None:
            return tuple(int(n) for n in self.constant(at, name).reshape(-1))
        found = self.attribute(name, default)
        return None if found is None else tuple(int(n) for n in found)


_ENDLESS = (2**31 - 1, 2**63 - 1)


def cuts(node: OnnxNode, extents: Shape) -> dict[int, range]:
    """Indices of the elements that a Slice of a tensor of these extents keeps, by axis.

    With a negative step, ONNX clamps the start to an element of the axis, where Python's slice may be empty.

    Raises:
        UnsupportedError: its operands do not fit.
    """
    rank = len(extents)
    starts, ends = (node.integers(name, at=k) or () for k, name in ((1, "starts"), (2, "ends")))
    axes = node.integers("axes", at=3) or tuple(range(len(starts)))
    steps = node.integers("steps", at=4) or (1,) * len(axes)
    unlike = not len(starts) == len(ends) == len(axes) == len(steps)
    if 0 in steps or unlike or not all(-rank <= a < rank for a in axes) or len({a % rank for a in axes}) < len(axes):
        raise node.refused("its operands do not fit", got=f"{starts}, {ends}, {axes}, {steps}")
    if any(step < 0 and end in _ENDLESS for end, step in zip(ends, steps, strict=True)):
        rule = "with a negative step, an end of INT_MAX selects nothing in ONNX, but all in front in onnxruntime"
        raise node.refused(rule, expected="INT_MIN", got=ends)
    return {
        axis % rank: _kept(extents[axis % rank], start, end, step)
        for axis, start, end, step in zip(axes, starts, ends, steps, strict=True)
    }


def _kept(extent: int, start: int, end: int, step: int) -> range:
    """The indices from start to end.

    >>> list(_kept(5, 9, -9, -2)), list(_kept(5, -9, -9, -1)), list(_kept(5, 0, -(2**62), 1))
    ([4, 2, 0], [0], [])
    """
    if not extent:
        return range(0)
    start, end = (n + extent if n < 0 else n for n in (start, end))
    if step > 0:
        return range(min(max(start, 0), extent), min(max(end, 0), extent), step)
    return range(min(max(start, 0), extent - 1), min(max(end, -1), extent), step)


Convert = Callable[[NetBuilder, OnnxNode], None]

CONVERTERS: Registry[Convert] = Registry("ONNX operator", "mochac.formats.onnx.operators")


_ANYWHERE: set[str] = set()


def operator(*types: str, anywhere: bool = False) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operators.

    Args:
        anywhere: it takes tensors whose batch is another axis than 0, or one with another axis.
    """

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, function)
        _ANYWHERE.update(types if anywhere else ())
        return function

    return add


def convert(b: NetBuilder, node: OnnxNode) -> None:
    """Add the layers of a node.

    Raises:
        UnsupportedError: it cannot be expressed.
    """
    converter = CONVERTERS[node.type]
    if node.type not in _ANYWHERE:
        node.needs_batch_first()
    b.convert(node, converter)
