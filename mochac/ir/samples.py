"""draw: makes a test case from an op's Sample: types, attributes and random operands in a given dtype.

Tests of all backends and benchmarks of single ops use it, so that they all see the same operands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.ir.graph import Graph, Input, Node, Value, make_attrs
from mochac.ir.interp import widened
from mochac.ir.op import Op, Sample
from mochac.ir.types import DTYPES, FLOATS, TensorType, parse_type


@record
class Case:
    """One op applied to concrete operands."""

    op: Op
    types: tuple[TensorType, ...]
    arrays: tuple[np.ndarray, ...]
    attrs: dict[str, Any]

    def graph(self) -> Graph:
        """A graph of the op alone: inputs x0, x1, ... (scalars have role hyper), outputs y0, y1, ..."""
        inputs = tuple(Input(f"x{k}", t, "data" if t.shape else "hyper") for k, t in enumerate(self.types))
        outputs = tuple(Value(f"y{k}", t) for k, t in enumerate(self.op.infer(*self.types, **self.attrs)))
        node = Node(self.op.name, tuple(i.name for i in inputs), outputs, make_attrs(self.attrs))
        return Graph("op", inputs, (node,), tuple(out.name for out in outputs))

    def feeds(self) -> dict[str, np.ndarray]:
        """The operands by the names of the inputs of graph()."""
        return {f"x{k}": array for k, array in enumerate(self.arrays)}


def draw(op: Op, sample: Sample, dtype: str = "f32", batch: int | None = None, seed: int = 20261121) -> Case:
    """Random operands of a sample: f32 becomes `dtype`, and the batch axis gets `batch` elements (None: unchanged).

    >>> from mochac.ir.op import Op, Sample
    >>> twice = Op("twice", lambda x: (x,), lambda x: x + x, None, (Sample(("f32[2]",), integers={0: (0, 9)}),))
    >>> draw(twice, twice.samples[0], "f64").arrays[0].dtype
    dtype('float64')
    """
    rng = np.random.default_rng(seed)
    types = tuple(_as(parse_type(text), dtype) for text in sample.types)
    attrs = {name: _attr(name, value, dtype) for name, value in sample.attrs.items()}
    if batch is not None:
        types, attrs = _resized(types, attrs, batch)
    arrays = tuple(_operand(rng, sample, k, t) for k, t in enumerate(types))
    return Case(op, types, arrays, attrs)


def _attr(name: str, value: Any, dtype: str) -> Any:
    if isinstance(value, Graph):
        return widened(value) if dtype == "f64" else value
    return dtype if name == "dtype" and value == "f32" else value


def _as(type: TensorType, dtype: str) -> TensorType:
    return type.with_(dtype=dtype) if type.dtype == "f32" else type


def _resized(
    types: tuple[TensorType, ...], attrs: dict[str, Any], batch: int
) -> tuple[tuple[TensorType, ...], dict[str, Any]]:
    """Change the batch size, in the types and in the attribute `shape` if its first axis is the batch."""
    marked = [t.shape[0] for t in types if t.batch]
    shape = attrs.get("shape", ())
    if shape and (attrs.get("batch") or shape[0] in marked):
        attrs = {**attrs, "shape": (batch, *shape[1:])}
    return tuple(t.with_(shape=(batch, *t.shape[1:])) if t.batch else t for t in types), attrs


def _operand(rng: np.random.Generator, sample: Sample, position: int, type: TensorType) -> np.ndarray:
    if position in sample.arrays:
        values = sample.arrays[position]
    elif position in sample.integers:
        low, high = sample.integers[position]
        values = rng.integers(low, high, size=type.shape)
    elif type.dtype in FLOATS:
        values = rng.uniform(*sample.domains.get(position, sample.domain), size=type.shape)
    else:
        values = rng.integers(0, 2, size=type.shape)
    return np.asarray(values).astype(DTYPES[type.dtype])
