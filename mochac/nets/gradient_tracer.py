"""GradientTracer and LoopTracer: gradients and loops over time that a layer writes as functions of values.

Each function is traced once, into a graph of its own. Values of the net that it reads, such as parameters, become
operands. Autodiff puts the graph of a gradient where the gradient is needed.

Sequences are blobs (batch, time, ...). Inside of a loop's graph time is axis 0, so that a step reads and writes
contiguous memory; simplify removes the permutations between one loop and the next.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from mochac.ir.graph import Graph, Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.context import Scanned, Step
from mochac.nets.op_tracer import BACKWARD, InnerGraphBuilder, OpTracer, loop_in_a_body


class GradientTracer(OpTracer):
    """`custom_gradient` of nets/layers/context.py."""

    def custom_gradient(self, y: Value, inputs: Sequence[Value], backward: Callable[..., Any]) -> LayerValue:
        require_value("what forward returns", y)
        if not y.type.dtype.startswith("f"):
            rule, hint = "what forward returns has no gradient", 'ctx.op("cast", y, dtype=ctx.dtype)'
            raise OpCallError(rule, "floating-point numbers", y.type.dtype, hint)
        _check_backward(backward, len(inputs))
        for value in inputs:
            require_value("an input of custom_gradient", value)
        self.require_here(y, *inputs)
        outer = self.b
        inner = self.b = InnerGraphBuilder(f"{self._layer.name}.backward", outer, BACKWARD)
        try:
            gradient = inner.argument("gradient", y.type)
            own = [inner.own(value) for value in inputs]
            with inner.at(self._layer.loc):
                found = _gradients(backward(self.layer_value(gradient), *inputs), own)
                self.require_here(*(value for value in found if value is not None))
        finally:
            self.b = outer
        of = [(x, gradient) for x, gradient in zip(inputs, found, strict=True) if gradient is not None]
        graph = inner.returning([gradient for _, gradient in of])
        operands, places = list(inner.read.values()), list(inner.read)
        attrs = {"backward": graph, "of": tuple(places.index(x.name) for x, _ in of)}
        name = f"{self._layer.name}.custom_gradient"
        return self.layer_value(outer.ops("custom_gradient", y, *operands, name=name, **attrs)[0])


def _check_backward(backward: Callable[..., Any], inputs: int) -> None:
    """Raise OpCallError for a function that does not take the gradient of the result and the inputs."""
    try:
        taken = signature(backward)
    except (TypeError, ValueError):  # a function of C without a signature
        return
    try:
        taken.bind(*range(1 + inputs))
    except TypeError:
        values = f"{inputs} value{'s' * (inputs > 1)}"
        raise OpCallError("backward takes other arguments", f"(gradient, {values})", str(taken)) from None


def _gradients(returned: Any, inputs: Sequence[Value]) -> list[Value | None]:
    """The result of `backward`: a gradient for each input, or None."""
    found = list(returned) if isinstance(returned, (list, tuple)) else [returned]
    if len(found) != len(inputs):
        rule = "backward returns too few or too many gradients"
        raise OpCallError(rule, f"one for each input, or None: {len(inputs)}", str(len(found)))
    for gradient, x in zip(found, inputs, strict=True):
        if gradient is None:
            continue
        require_value("what backward returns", gradient)
        if gradient.type.dtype != x.type.dtype:
            raise OpTypeError("backward returns a gradient of another type", x.type.dtype, gradient.type.dtype)
        if gradient.type.shape != x.type.shape:
            raise OpTypeError(
                "backward returns a gradient of another shape", str(x.type.shape), str(gradient.type.shape)
            )
    return found


class LoopTracer(OpTracer):
    """`scan` of nets/layers/context.py."""

    def scan(
        self,
        step: Step,
        carried: Sequence[Value],
        sequences: Sequence[Value] = (),
        *,
        length: int | None = None,
        reverse: bool = False,
    ) -> Scanned:
        if self.b is not self.net:
            raise loop_in_a_body(self.b)
        for value in (*carried, *sequences):
            require_value("a carried value or a sequence", value)
            self.require_here(value)
        length = _length(sequences, length)
        stacks = [self._time_first(x) for x in sequences]
        body, operands = self._body(step, carried, stacks)
        n, name = len(carried), f"{self._layer.name}.scan"
        attrs = {"body": body, "carried": n, "sliced": len(stacks), "length": length, "reverse": reverse}
        results = self.b.ops("scan", *carried, *stacks, *operands, name=name, **attrs)
        marked = any(v.type.batch for v in (*carried, *sequences))
        whole = [self._batch_first(y, marked) for y in (*results[n : 2 * n], *results[3 * n :])]
        return Scanned(self.layer_values(results[:n]), tuple(whole[:n]), tuple(whole[n:]))

    def _body(self, step: Step, carried: Sequence[Value], stacks: Sequence[Value]) -> tuple[Graph, list[Value]]:
        """The graph of a step, and the values that it reads in addition to carried values and slices."""
        outer = self.b
        marked = any(v.type.batch for v in carried) or any(x.type.shape[1:2] == (self.batch,) for x in stacks)
        inner = self.b = InnerGraphBuilder(f"{self._layer.name}.step", outer)
        try:
            before = tuple(inner.argument(f"carried{k}", v.type) for k, v in enumerate(carried))
            types = [x.type.with_(shape=x.type.shape[1:], batch=marked) for x in stacks]
            slices = tuple(inner.argument(f"slice{k}", t) for k, t in enumerate(types))
            with inner.at(self._layer.loc):
                new, outputs = _results(step(self.layer_values(before), self.layer_values(slices)), len(carried))
                self.require_here(*new, *outputs)
        finally:
            self.b = outer
        for k, (old, value) in enumerate(zip(before, new, strict=True)):
            if old.type != value.type:
                hint = "start from a value for each sample" if value.type.batch and not old.type.batch else ""
                raise OpTypeError(f"carried value {k} changes its type", str(old.type), str(value.type), hint)
        return inner.returning((*new, *outputs)), list(inner.read.values())

    def _time_first(self, x: Value) -> Value:
        """(batch, time, ...) -> (time, batch, ...)."""
        batch, time, *rest = x.type.shape
        if x.type.batch and time == 1:  # rows of all steps would still be the samples
            (x,) = self._appended("relayout", x, lanes=0, batch=False)
        elif x.type.batch:  # a view without the mark of the batch, which stays axis 0
            (rows,) = self._appended("reshape", x, shape=(batch * time, *rest))
            (x,) = self._appended("reshape", rows, shape=(batch, time, *rest))
        return self._appended("permute", x, order=(1, 0, *range(2, 2 + len(rest))))[0]

    def _batch_first(self, y: Value, marked: bool) -> LayerValue:
        """(time, batch, ...) -> (batch, time, ...)."""
        if len(y.type.shape) < 2:
            return self.layer_value(y)
        (x,) = self._appended("permute", y, order=(1, 0, *range(2, len(y.type.shape))))
        return self._appended("reshape", x, shape=x.type.shape, batch=True)[0] if marked else x


def _length(sequences: Sequence[Value], length: int | None) -> int:
    if any(len(x.type.shape) < 2 for x in sequences):
        bad = next(x for x in sequences if len(x.type.shape) < 2)
        raise OpTypeError("a bottom is not a sequence", "(batch, time, ...)", str(bad.type.shape))
    lengths = {x.type.shape[1] for x in sequences} | ({length} if length is not None else set())
    if len(lengths) != 1:
        raise OpTypeError("sequences of a loop differ in time", "one length", str(sorted(lengths) or "none"))
    return lengths.pop()


def _results(returned: object, n_carried: int) -> tuple[Sequence[Value], Sequence[Value]]:
    """The result of a step: new carried values, and values to stack."""
    if (
        not isinstance(returned, tuple)
        or len(returned) != 2
        or not all(isinstance(part, (list, tuple)) for part in returned)
    ):
        raise OpCallError(
            "the body of a loop returns new carried values and outputs", "two lists of values", type(returned).__name__
        )
    new, outputs = returned
    for value in (*new, *outputs):
        require_value("a result of the body of a loop", value)
    if len(new) != n_carried:
        rule = "the body of a loop returns too few or too many carried values"
        raise OpCallError(rule, str(n_carried), str(len(new)))
    return new, outputs
