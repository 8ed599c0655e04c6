"""OnnxWriter: what the `onnx` rules of scalar functions, operations and layers may use.

onnx/export/ implements it. Operands and results are names of tensors in the ONNX graph under construction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np

from mochac.ir.graph import Value
from mochac.ir.types import TensorType

Attribute = int | float | str | Sequence[int] | Sequence[float] | Sequence[str]

Formula = str | Callable[..., str]
"""ONNX operators in functional notation, such as "Mul({0}, Sigmoid({1}))". {0}, {1}, ... are the operands; a number is
a constant; attributes stand in angle brackets: "HardSigmoid<alpha=0.2>({0})". A function gets the value of every
operand that is a constant, and None for the others, and returns such a text."""


class OnnxWriter(Protocol):
    """The ONNX graph under construction, from the point of view of one operation or layer."""

    def node(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        """Append a node; returns the name of its (first) result. An input "" is left out."""
        ...

    def several(self, operator: str, count: int, *inputs: str, **attributes: Attribute) -> tuple[str, ...]:
        """Append a node with this many results; return their names."""
        ...

    def formula(self, text: Formula, *operands: str) -> str:
        """Append the nodes of a formula; returns the name of its result."""
        ...

    def constant(self, values: np.ndarray) -> str:
        """A constant tensor. Floats get the type of the model."""
        ...

    def integers(self, values: Sequence[int]) -> str:
        """A constant int64 tensor of one axis."""
        ...

    def extents(self, type: TensorType, x: str) -> str:
        """A shape for Reshape of x, whose first axis is left open if x holds samples."""
        ...

    def cast(self, x: str, dtype: str) -> str:
        """x with elements of another type, such as "f32"."""
        ...

    def thin(self, x: str) -> str:
        """Declare that x has extents of 1, or fewer axes, where its type has more: it is broadcast where it is used.

        Only element-wise operations get such operands; for others they are expanded first."""
        ...

    def parameter(self, name: str) -> str:
        """A parameter or state of the current layer."""
        ...

    def blob(self, field: str, position: int = 0) -> Value:
        """The blob that a field of the current layer names, as TraceContext.blob."""
        ...

    def derived(self, name: str, make: Callable[..., np.ndarray], *parameters: str) -> str:
        """A constant tensor, called `name`, that `make` computes from the values of parameters."""
        ...
