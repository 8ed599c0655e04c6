"""OpWriter: what operators of values need to write operations; a part of TraceContext."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from mochac.ir.graph import Value


class OpWriter(Protocol):
    """The graph under construction. `dtype`: element type of blobs, "f32" or "f64"."""

    dtype: str

    def op(self, op: str, *inputs: Value, **attrs: object) -> Value:
        """Append an operation with one result, and return that."""
        ...

    def constant(self, value: float, like: Value) -> Value:
        """A tensor of the type of `like`, filled with a number."""
        ...

    def table(self, name: str, values: np.ndarray) -> Value:
        """A constant array of the current layer; `name` is for dumps."""
        ...
