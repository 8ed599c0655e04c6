"""Writes ONNX operators, one by one and by formulas.

Writer: the ONNX graph under construction; it implements ir/onnx_writer.py.

It names nodes after the layer, and the value of mochac's graph, that they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.escaping import unused
from mochac.base.files.onnx_file import onnx_package
from mochac.base.records import record
from mochac.ir.graph import Value
from mochac.ir.onnx_writer import Attribute, Formula
from mochac.ir.types import DTYPES, TensorType

_TOKEN = re.compile(r'\s*([A-Za-z]\w*|\{\d+\}|-?(?:\d[\d.]*(?:e[-+]?\d+)?|inf|nan)|"[^"]*"|[<>=(),])')


@record
class OperatorCall:
    """An operator with its attributes, applied to operands: calls, numbers, and positions of operands as strings."""

    operator: str
    attributes: dict[str, Attribute]
    operands: tuple[OperatorCall | float | str, ...]


def parse(text: str) -> OperatorCall | float | str:
    """The tree of a formula.

    >>> parse('Mul({0}, Elu<alpha=0.5>(2))').operands
    ('0', OperatorCall(operator='Elu', attributes={'alpha': 0.5}, operands=(2.0,)))
    """
    tokens = list(_tokens(text))
    tree = _tree(tokens)
    if tokens:
        raise ValueError(f"{text!r}: {tokens[0]!r} is too much")
    return tree


def _tokens(text: str) -> Iterator[str]:
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if not found:
            raise ValueError(f"{text!r}: cannot read {text[place:]!r}")
        yield found[1]
        place = found.end()


def _tree(tokens: list[str]) -> OperatorCall | float | str:
    token = tokens.pop(0)
    if token[0] == "{":
        return token[1:-1]
    if not token[0].isalpha() or token in ("inf", "nan"):
        return float(token)
    attributes: dict[str, Attribute] = {}
    operands: list[OperatorCall | float | str] = []
    if tokens.pop(0) == "<":
        while True:
            name, _, value = (tokens.pop(0) for _ in range(3))
            attributes[name] = value[1:-1] if value[0] == '"' else float(value)
            if tokens.pop(0) == ">":
                break
        tokens.pop(0)
    while True:
        operands.append(_tree(tokens))
        if tokens.pop(0) == ")":
            return OperatorCall(token, attributes, tuple(operands))


Parameters = Mapping[tuple[str, str], str]
"""Graph inputs of parameters and states by layer and name."""


class Writer:
    """Nodes and constants written so far.

    Attributes:
        nodes: NodeProtos, in order.
        arrays: constant tensors by name.
        rows: tensors whose first axis is samples, with one or several rows each.
        feeds: inputs with a row per sample.
        derivations: constants, by name, that a function computes from parameters.
        batch: number of samples in the graph.
    """

    def __init__(self, dtype: str, batch: int, parameters: Parameters) -> None:
        self.dtype, self.batch = dtype, batch
        self.nodes: list[Any] = []
        self.arrays: dict[str, np.ndarray] = {}
        self.rows: set[str] = set()
        self.feeds: list[str] = []
        self.derivations: dict[str, tuple[Callable[..., np.ndarray], tuple[str, ...]]] = {}
        self._parameters = parameters
        self._thin: set[str] = set()
        self._numbers: dict[str, float] = {}
        self._names: set[str] = set()
        self._layer = self._stem = ""
        self._blobs: dict[tuple[str, int], Value] = {}
        self._start = 0

    def begin(self, layer: str, stem: str, blobs: Mapping[tuple[str, int], Value] | None = None) -> None:
        """Start a layer: the following nodes belong to it, and new tensors are named after `stem`.

        Args:
            blobs: blobs that fields of the layer name, by field and position.
        """
        self._layer, self._stem, self._start = layer, stem, len(self.nodes)
        self._blobs = dict(blobs or {})

    def node(self, operator: str, *inputs: str, **attributes: Attribute) -> str:
        return self.several(operator, 1, *inputs, **attributes)[0]

    def several(self, operator: str, count: int, *inputs: str, **attributes: Attribute) -> tuple[str, ...]:
        names = [self.fresh(f"{self._stem}.{operator}") for _ in range(count)]
        while inputs and not inputs[-1]:
            inputs = inputs[:-1]
        node = onnx_package("helper").make_node(operator, list(inputs), names, **_listed(attributes))
        node.name = self._unique(f"{self._layer}/{operator}")
        self.nodes.append(node)
        if self.rows.intersection(inputs):
            self.rows.update(names)
        return tuple(names)

    def formula(self, text: Formula, *operands: str) -> str:
        written = text if isinstance(text, str) else text(*(self._numbers.get(operand) for operand in operands))
        result = self._built(parse(written), operands)
        if operands and self._thin.issuperset(operands):
            self._thin.add(result)
        return result

    def _built(self, tree: OperatorCall | float | str, operands: Sequence[str]) -> str:
        if isinstance(tree, OperatorCall):
            return self.node(tree.operator, *(self._built(part, operands) for part in tree.operands), **tree.attributes)
        return operands[int(tree)] if isinstance(tree, str) else self.constant(np.asarray(tree))

    def constant(self, values: np.ndarray) -> str:
        floats = values.dtype.kind == "f" and values.dtype != np.float32
        array = values.astype(DTYPES[self.dtype]) if floats else values
        same = (name for name, known in self.arrays.items() if known.dtype == array.dtype and _equal(known, array))
        name = next(same, "") if array.size < 64 else ""
        if not name:
            name = self.fresh(f"{array.item():.7g}" if array.size == 1 else f"{self._stem}.constant")
            self.arrays[name] = array
        if not array.shape:
            self._numbers[name] = float(array)
        return name

    def integers(self, values: Sequence[int]) -> str:
        return self.constant(np.asarray(values, np.int64).reshape(-1))

    def extents(self, type: TensorType, x: str) -> str:
        return self.integers([-1, *type.shape[1:]] if x in self.rows and type.shape else type.shape)

    def cast(self, x: str, dtype: str) -> str:
        if x in self.arrays:
            cast = self.constant(self.arrays[x].astype(DTYPES[dtype]))
        else:
            cast = self.node("Cast", x, to=_element_type(dtype))
        return self.thin(cast) if x in self._thin else cast

    def thin(self, x: str) -> str:
        self._thin.add(x)
        return x

    def whole(self, x: str, type: TensorType) -> str:
        """x with the extents of its type."""
        if x not in self._thin:
            return x
        samples = (type.batch or x in self.rows) and bool(self.feeds)
        shape = self._open_shape(type) if samples else self.integers(type.shape)
        expanded = self.node("Expand", x, shape)
        if samples:
            self.rows.add(expanded)
        return expanded

    def _open_shape(self, type: TensorType) -> str:
        """The extents of a tensor whose first axis follows the number of samples."""
        samples = self.node("Slice", self.node("Shape", self.feeds[0]), self.integers([0]), self.integers([1]))
        several = type.shape[0] // self.batch
        first = self.node("Mul", samples, self.integers([several])) if several > 1 else samples
        shape = self.node("Concat", first, self.integers(type.shape[1:]), axis=0)
        self.rows -= {samples, first, shape}
        return shape

    def parameter(self, name: str) -> str:
        return self._parameters[self._layer, name]

    def blob(self, field: str, position: int = 0) -> Value:
        return self._blobs[field, position]

    def derived(self, name: str, make: Callable[..., np.ndarray], *parameters: str) -> str:
        name = self.fresh(f"{self._layer}.{name}")
        self.derivations[name] = (make, parameters)
        return name

    def fresh(self, name: str) -> str:
        """A name for a tensor that no other has."""
        return self._unique(name)

    def rename(self, old: str, new: str) -> str:
        """Rename a tensor that was made since begin() to `new`, if that name is free; returns its name."""
        maker = next((node for node in self.nodes[self._start :] if old in node.output), None)
        if maker is None or new in self._names:
            return old
        self._names.add(new)
        maker.output[:] = [new if name == old else name for name in maker.output]
        for known in (self.rows, self._thin):
            if old in known:
                known.add(new)
        return new

    def _unique(self, name: str) -> str:
        new = unused(name, self._names)
        self._names.add(new)
        return new

    def reserve(self, name: str) -> None:
        """Keep a name for an input or a parameter."""
        self._names.add(name)


def _listed(attributes: Mapping[str, Attribute]) -> dict[str, Any]:
    return {k: v if isinstance(v, (int, float, str)) else list(v) for k, v in attributes.items()}


def _equal(a: np.ndarray, b: np.ndarray) -> bool:
    return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _element_type(dtype: str) -> int:
    return int(onnx_package("helper").np_dtype_to_tensor_dtype(np.dtype(DTYPES[dtype])))
