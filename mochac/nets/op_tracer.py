"""OpTracer: operations that layers append to the graph of a net, and the inner graphs of loops and gradients.

Values of the surrounding graph become inputs of an inner graph when they are read; parameters, and everything else that
has a role, are inputs of the surrounding graph.

SampleRules checks that no operation of a layer depends on the positions of samples in a batch. A batch-marked value has
a sample in each row. Some operations take several rows for each sample, such as a product over the time steps of all
samples. Between two reshapes such values are not marked, but noted here:

    (batch, time, features) -> reshape (batch * time, features) -> inner_product -> reshape (batch, time, outputs)

The `infer` of an operation, called for a batch with one sample more, shows whether it keeps samples apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Input, Node, Value
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.op_call import OpCallError, UnsupportedCallError, check_call, require_value
from mochac.ir.passes.sample_axes import FOLLOWS, SampleAxis, mixes
from mochac.ir.types import DTYPES, TensorType
from mochac.nets.declared import OutputInfo
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers._operators import ALONE, fixed_rows
from mochac.nets.layers.base import Layer
from mochac.runtime.data.order import key64

STEP, BACKWARD = "the step of a loop", "the backward of a gradient"


class InnerGraphBuilder(GraphBuilder):
    """The graph of a loop's step or of a backward, under construction.

    Args:
        outer: the surrounding graph.
        what: STEP or BACKWARD.

    Attributes:
        read: the values of the surrounding graph that it reads, by name.
    """

    def __init__(self, name: str, outer: GraphBuilder, what: str = STEP) -> None:
        super().__init__(name)
        self.outer, self.what = outer, what
        self.read: dict[str, Value] = {}

    def makes(self, value: Value) -> bool:
        return super().makes(value) and value.name not in self.read

    def argument(self, stem: str, type: TensorType) -> Value:
        """An input of the body."""
        value = Value(self.fresh(stem), type)
        self.inputs.append(Input(value.name, type))
        self.values[value.name] = value
        return value

    def fresh(self, stem: str) -> str:
        """A name that is also new in the surrounding graph."""
        name, n = stem, 0
        while name in self.values or self.outer.fresh(name) != name:
            n += 1
            name = f"{stem}.{n}"
        return name

    def input(self, name: str, type: TensorType, role: str = "data") -> Value:
        return self.outer.input(name, type, role)

    def own(self, value: Value) -> Value:
        """The value in this graph."""
        if value.name not in self.values:
            self.inputs.append(Input(value.name, value.type))
            self.values[value.name] = value
            self.read[value.name] = value
        return value

    def ops(self, op: str, *inputs: Value, name: str | tuple[str, ...] = "", **attrs: object) -> tuple[Value, ...]:
        if op == "scan":
            raise loop_in_a_body(self)
        return super().ops(op, *map(self.own, inputs), name=name, **attrs)

    def returning(self, results: Sequence[Value]) -> Graph:
        """The graph with these results."""
        return self.finish([self.own(value) for value in results])


def around(b: GraphBuilder) -> list[GraphBuilder]:
    """A graph and its surrounding graphs, from the inside out."""
    found = [b]
    while isinstance(b, InnerGraphBuilder):
        b = b.outer
        found.append(b)
    return found


def loop_in_a_body(b: GraphBuilder) -> UnsupportedCallError:
    """The error for a loop inside of a body."""
    what = b.what if isinstance(b, InnerGraphBuilder) else STEP
    hint = "write the inner steps out, as in for t in range(x.shape[1]): ... x[:, t]"
    return UnsupportedCallError(f"a loop in {what}", "ctx.scan outside of a step", "ctx.scan in one", hint)


MEETINGS = ("all_samples", "own_samples")
"""Operations between samples and arrays of all samples."""


class SampleRules:
    """The values of a net that have several rows for each sample.

    Args:
        batch: number of samples.
    """

    def __init__(self, batch: int) -> None:
        self.batch = batch
        self._several: set[str] = set()
        self._of_all: set[str] = set()
        """Values computed of all samples of the batch, without its mark."""

    def has_several(self, value: Value) -> bool:
        """Whether a value has several rows for each sample."""
        return value.name in self._several

    def require_one_row(self, what: str, value: Value) -> None:
        """Raise OpCallError for a value that has several rows for each sample."""
        if self.has_several(value):
            hint = f"y.reshape({self.batch}, ...), with the number of samples as bottoms[0].shape[0]"
            raise OpCallError(f"{what} has several rows for each sample", f"({self.batch}, ...)", _text(value), hint)

    def restored(self, op: str, inputs: Sequence[Value], attrs: Mapping[str, object]) -> dict[str, object]:
        """The attributes of a call; a reshape back to one row per sample marks its result as the batch."""
        shape = attrs.get("shape")
        again = isinstance(shape, (tuple, list)) and tuple(shape[:1]) == (self.batch,)
        marks = again and op == "reshape" and self.has_several(inputs[0])
        return {**attrs, "batch": True} if marks else dict(attrs)

    def meets(self, op: str, x: Value, inputs: Sequence[Value]) -> bool:
        """Whether an operand was computed from all samples, and its rows meet the samples of another operand."""
        beside = any(v.type.batch and v.type.shape == x.type.shape for v in inputs)
        return OPS[op].kind == "elementwise" and x.name in self._of_all and beside

    def check(self, node: Node, inputs: Sequence[Value]) -> None:
        """Check an operation, and record which results have several rows per sample.

        Raises:
            OpCallError: it mixes samples, or reads numbers that have the extent of the batch but are not samples.
        """
        samples = [v for v in inputs if v.type.batch or self.has_several(v)]
        if node.op == "all_samples" or any(v.name in self._of_all for v in inputs):
            self._of_all.update(out.name for out in node.outputs if not out.type.batch)
        if node.op in MEETINGS:
            return
        if node.op == "reshape" and samples:
            self._reshaped(node, samples[0])
            return
        several = any(map(self.has_several, samples))
        if several:
            self._require_rows(node, inputs)
        elif node.outputs[0].type.batch and "batch" not in node.attr and any(map(self._as_long, inputs)):
            self._require_free(node, inputs)
        if OPS[node.op].kind in ("reduce", "contraction") and samples and not (several or node.outputs[0].type.batch):
            raise OpCallError(
                f"{node.op} sums over the batch", "sums within a sample",
                ", ".join(f"{name}={value}" for name, value in node.attrs),
                "ctx.batch_sum and ctx.batch_mean, or ctx.all_samples(x) for sums over all samples",
            )  # fmt: skip

    def _reshaped(self, node: Node, x: Value) -> None:
        result = node.outputs[0]
        rows = result.type.shape[0] if result.type.shape else 0
        if not rows or rows % self.batch:
            expected = f"{self.batch} rows, one for each sample, or a multiple of that"
            hint = "x.reshape(x.shape[0], ...) keeps the samples apart"
            raise OpCallError("a reshape mixes the samples of a batch", expected, str(result.type.shape), hint)
        self._note(node)

    def _require_rows(self, node: Node, inputs: Sequence[Value]) -> None:
        """Check that the results have the rows of the operands."""
        rows = next(v.type.shape for v in inputs if self.has_several(v))
        follows = OPS[node.op].kind in FOLLOWS
        grown = [
            self._grown(v.type) if v.type.batch or self.has_several(v) or (follows and v.type.shape == rows) else v.type
            for v in inputs
        ]
        several = [k for k, v in enumerate(inputs) if self.has_several(v)]
        mixed = any(mixes(node, k, inputs[k].type, self._axis(inputs[k].type)) for k in several)
        if mixed or not self._follow(node, grown):
            got = ", ".join(map(_text, inputs))
            hint = f"{ALONE}: reshape to a row for each sample first"
            raise OpCallError(f"{node.op} mixes the samples of a batch", "work on each row", got, hint)
        self._note(node)

    def _require_free(self, node: Node, inputs: Sequence[Value]) -> None:
        """Check that the operation does not need operands without samples to have the batch's extent."""
        if not self._follow(node, [self._grown(v.type) if v.type.batch else v.type for v in inputs]):
            raise fixed_rows(next(filter(self._as_long, inputs)))

    def _as_long(self, value: Value) -> bool:
        """Whether a value without samples has an extent equal to the batch size; an extent of 1 is the same for every
        sample."""
        return self.batch > 1 and not value.type.batch and self.batch in value.type.shape

    def _follow(self, node: Node, types: Sequence[TensorType]) -> bool:
        """Whether the results have one sample more if the operands have."""
        if any(not out.type.shape or out.type.shape[0] % self.batch for out in node.outputs):
            return False
        wanted = [self._grown(out.type).shape for out in node.outputs]
        attrs = node.attr
        if attrs.get("shape") == node.outputs[0].type.shape:
            attrs["shape"] = wanted[0]
        try:
            types_of_results = OPS[node.op].infer(*types, **attrs)
        except OpTypeError:
            return False
        return [t.shape for t in types_of_results] == wanted

    def _grown(self, t: TensorType) -> TensorType:
        rows = t.shape[0] // self.batch if t.shape else 0
        return t.with_(shape=(t.shape[0] + rows, *t.shape[1:]) if rows else t.shape)

    def _axis(self, t: TensorType) -> SampleAxis:
        return SampleAxis(self.batch, t.elems // self.batch)

    def _note(self, node: Node) -> None:
        self._several.update(out.name for out in node.outputs if not out.type.batch)


def _text(value: Value) -> str:
    return str(value.type.shape)


@record
class TraceOptions:
    """Options of tracing: training or testing, dtype ("f32", "f64") and batch of blobs, seed of streams."""

    training: bool
    dtype: str
    batch: int
    seed: int


class OpTracer:
    """The operations and constants of nets/layers/context.py. The other tracers add what layers declare besides.

    Attributes:
        blobs: current value of each blob; None if the layer that makes it has an error.
        tables: constant arrays, by the name of their input.
        samples: rules for the samples of a batch.
        net: the graph of the net.
        b: the graph under construction: `net`, or the graph of a loop's step.
    """

    def __init__(self, name: str, how: TraceOptions) -> None:
        self.training, self.dtype, self.batch, self.seed = how.training, how.dtype, how.batch, how.seed
        self.b = self.net = GraphBuilder(name)
        self.blobs: dict[str, Value | None] = {}
        self.tables: dict[str, np.ndarray] = {}
        self.outputs: list[OutputInfo] = []
        self.samples = SampleRules(how.batch)
        self._of_data: set[str] = set()
        """Values that depend on data: inputs of data layers, and what the first `_n_looked_at` nodes make of them."""
        self._n_looked_at = 0
        self._arrays: set[str] = set()
        """Values of which axis 0 is an axis like the others, though they depend on data."""
        self._layer: Layer

    def op(self, op: str, *inputs: Value, **attrs: object) -> LayerValue:
        return self.ops(op, *inputs, **attrs)[0]

    def ops(self, op: str, *inputs: Value, **attrs: object) -> tuple[LayerValue, ...]:
        check_call(op, inputs, attrs)
        if op in MEETINGS and any(isinstance(b, InnerGraphBuilder) and b.what == STEP for b in around(self.b)):
            self.require_no_step(op)
        beside = [self.samples.meets(op, x, inputs) for x in inputs]
        inputs = tuple(self.op("own_samples", x) if b else x for x, b in zip(inputs, beside, strict=True))
        results = self._appended(op, *inputs, **self.samples.restored(op, inputs, attrs))
        self.samples.check(self.b.nodes[-1], inputs)
        return results

    def _appended(self, op: str, *inputs: Value, **attrs: object) -> tuple[LayerValue, ...]:
        self.require_here(*inputs)
        return self.layer_values(self.b.ops(op, *inputs, name=f"{self._layer.name}.{op}", **attrs))

    def require_here(self, *values: Value) -> None:
        """Raise OpCallError for a value of a loop's step that is used elsewhere."""
        for value in values:
            if isinstance(value, LayerValue) and value.home not in (*around(self.b), self.net):
                if isinstance(value.home, InnerGraphBuilder) and value.home.what == BACKWARD:
                    hint = "return it as a gradient: backward = lambda gradient, x: gradient * ..."
                    raise OpCallError("a value of a backward is used outside of it", got=str(value.type), hint=hint)
                hint = "return it as an output: step = lambda carried, now: (new, [y]); ctx.scan(...).outputs"
                raise OpCallError("a value of a loop's step is used outside of it", got=str(value.type), hint=hint)

    def require_no_step(self, call: str) -> None:
        """Raise OpCallError in a loop's step, and in a backward, since what `call` declares belongs to the net."""
        if isinstance(self.b, InnerGraphBuilder):
            outside = "call it before the loop, or after it with what the step returned"
            hint = outside if self.b.what == STEP else "call it before custom_gradient"
            raise OpCallError(f"ctx.{call} in {self.b.what}", hint=hint)

    def layer_value(self, value: Value) -> LayerValue:
        """The value as layers see it, with operators."""
        home = next((b for b in around(self.b) if b.makes(value)), self.net)
        return LayerValue.of(self, value, home)

    def layer_values(self, values: Iterable[Value]) -> tuple[LayerValue, ...]:
        return tuple(map(self.layer_value, values))

    def constant(self, value: float, like: Value) -> LayerValue:
        require_value("the `like` of a constant", like)
        if not isinstance(value, (int, float, np.number)):
            raise OpCallError("a constant is not a number", "a number", repr(value))
        return self.layer_value(self.b.const(value, like.type, name=f"{self._layer.name}.{value:g}"))

    def scaled(self, x: Value, factor: float) -> LayerValue:
        return self.layer_value(x) if factor == 1.0 else self.op("mul", x, self.constant(factor, x))

    def axis(self, axis: int, x: Value) -> int:
        rank, least = len(x.type.shape), 0 if self.without_samples(x) else 1
        positive = axis + rank if axis < 0 else axis
        if not least <= positive < rank:
            hint = "axis 0 is the batch" if positive == 0 and rank else ""
            raise OpTypeError(f"axis {axis} is not an axis of its input", f"{least} <= axis < {rank}", str(axis), hint)
        return positive

    def without_samples(self, x: Value) -> bool:
        if x.type.batch or not self.net.makes(x):
            return False
        for node in self.net.nodes[self._n_looked_at :]:
            if not self._of_data.isdisjoint(node.inputs):
                self._of_data.update(out.name for out in node.outputs if out.name not in self._arrays)
        self._n_looked_at = len(self.net.nodes)
        return x.name not in self._of_data

    def all_samples(self, x: Value) -> LayerValue:
        return self.op("all_samples", x) if x.type.batch else self.layer_value(x)

    def as_array(self, x: Value) -> LayerValue:
        found = self.op("reshape", x, shape=(1,)) if not x.type.shape else self.all_samples(x)
        if found.name != x.name:
            self._arrays.add(found.name)
        return found

    def eye(self) -> LayerValue:
        shape = (self.batch, self.batch)
        own = self.op("own_samples", self.op("position", axis=0, dtype=self.dtype, shape=shape[:1]))
        (row,) = self._appended("broadcast", own, shape=shape, axes=(0,), batch=True)
        (column,) = self._appended("position", axis=1, dtype=self.dtype, shape=shape, batch=True)
        return self._appended("eq", row, column)[0]

    def table(self, name: str, values: np.ndarray) -> LayerValue:
        type = TensorType(self.dtype, tuple(values.shape))
        value = self.b.input(self.b.fresh(f"{self._layer.name}.{name}"), type, "const")
        with np.errstate(over="ignore"):  # the lowest float64 in a mask is -inf in float32
            self.tables[value.name] = values.astype(DTYPES[self.dtype])
        return self.layer_value(value)

    def blob(self, field: str, position: int = 0) -> LayerValue:
        value = self.blobs[self._layer.named(field)[position]]
        assert value is not None
        return self.layer_value(value)

    def stream(self, draw: int = 0) -> tuple[LayerValue, int]:
        step = self.b.input("step", TensorType("i64", ()), "hyper")
        names = (self._layer.name, draw) if draw else (self._layer.name,)
        return self.layer_value(step), key64(self.seed, *names)

    def dropout_mask(self, like: Value, ratio: float, draw: int = 0, shared_axes: Sequence[int] = ()) -> LayerValue:
        step, key = self.stream(draw)
        t = like.type
        own = tuple(a for a in range(len(t.shape)) if a not in shared_axes)
        drawn = tuple(t.shape[a] for a in own)
        mask = self.op("dropout_mask", step, key=key, ratio=ratio, shape=drawn, batch=t.batch, dtype="bool")
        return self.op("broadcast", mask, shape=t.shape, axes=own, batch=t.batch) if shared_axes else mask

    def output(self, bottoms: Sequence[Value]) -> None:
        self.require_no_step("output")
        names, marks = tuple(v.name for v in bottoms), tuple(v.type.batch for v in bottoms)
        self.outputs.append(OutputInfo(self._layer.name, names, marks))
