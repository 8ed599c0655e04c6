"""OpTracer: appends operations to a graph in the name of the layer that is being traced."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, check_call, require_value
from mochac.ir.types import DTYPES, TensorType
from mochac.nets.body_builder import BACKWARD, STEP, InnerGraphBuilder, around
from mochac.nets.declared import OutputInfo
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.base import Layer
from mochac.nets.sample_rules import MEETINGS, SampleRules
from mochac.runtime.data.rng import key64


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
        samples: what operations may do to the samples of a batch.
        net: the graph of the net.
        b: the graph that is being written: `net`, or that of a loop's step.
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
        self._layer: Layer

    def op(self, op: str, *inputs: Value, **attrs: object) -> LayerValue:
        return self.ops(op, *inputs, **attrs)[0]

    def ops(self, op: str, *inputs: Value, **attrs: object) -> tuple[LayerValue, ...]:
        check_call(op, inputs, attrs)
        if op in MEETINGS and any(isinstance(b, InnerGraphBuilder) and b.what == STEP for b in around(self.b)):
            self.require_no_step(op)
        beside = [self.samples.meets(op, x, inputs) for x in inputs]
        inputs = tuple(self.op("own_samples", x) if b else x for x, b in zip(inputs, beside, strict=True))
        made = self._appended(op, *inputs, **self.samples.restored(op, inputs, attrs))
        self.samples.check(self.b.nodes[-1], inputs)
        return made

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
                self._of_data.update(out.name for out in node.outputs)
        self._n_looked_at = len(self.net.nodes)
        return x.name not in self._of_data

    def all_samples(self, x: Value) -> LayerValue:
        return self.op("all_samples", x) if x.type.batch else self.layer_value(x)

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
