"""OnnxNode: a node of an ONNX graph with its inputs resolved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.base.files.onnx.package import onnx_package
from mochac.base.records import record
from mochac.formats.importing.node import Constant, ImportedNode

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
