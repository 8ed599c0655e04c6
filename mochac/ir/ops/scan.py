"""scan: run a body once for each step of time, carrying values from step to step.

    carry[0] = c;   carry[t + 1], y[t] = body(carry[t], x[t], w)   for t = 0 .. length - 1

    %last, %after, %before, %ys = scan(%c, %xs, %w)
        {body = graph @cell(%h: .., %x: .., %w: ..) {.. return %new, %y}, carried = 1, length = 25, sliced = 1}

Operands and inputs of the body, in this order: `carried` values, `sliced` values, and whole ones, which every step
reads. A sliced operand has one more axis than the body's input, axis 0, which is time. The body returns the carried
values after the step, then what is stacked along time. Results: carried values after the last step; after every step;
before every step (these three lie in one piece of memory); then the stacked ones. With `reverse` time runs from
length - 1 down to 0, and entry t of a result still belongs to entry t of the operands: it is `after` that then lies
before.

Samples are axis 0 of a body's values, which it may mark as the batch; in values with an axis of time they are axis 1.

Gradient: a scan in the other direction over the gradient of the body. It carries the gradients of carried values, and
the sums of the gradients of whole operands, which passes/leave_scans.py takes out of the loop. Values of the forward
steps that it needs are kept, as further stacked results of the forward scan, unless computing them costs no more than
reading them: an instruction or two on values that are available. If more than MAX_KEPT_BYTES would be kept, only the
carried values are, and each step is computed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from mochac.base.records import record
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Graph, Node, Value, make_attrs
from mochac.ir.interp import run, widened
from mochac.ir.kernel_build import Alias, Repeated
from mochac.ir.op import OPS, Op, OpTypeError, Sample, lowering, register
from mochac.ir.pullback import pulled_back
from mochac.ir.text import parse
from mochac.ir.types import FLOATS, TensorType

CHEAP = frozenset({"add", "sub", "mul", "neg", "select", "gt", "ge", "lt", "le", "square"})
"""Elementwise ops that take an instruction: computing them again costs no more than keeping them."""
MAX_KEPT_BYTES = 1 << 30


@record
class Parts:
    """The operands, results and body of a scan, by their roles."""

    node: Node
    body: Graph
    carried: int
    sliced: int
    length: int
    reverse: bool

    @classmethod
    def of(cls, node: Node) -> Parts:
        attr = node.attr
        body, carried, sliced = attr["body"], attr["carried"], attr["sliced"]
        length, reverse = attr["length"], attr.get("reverse", False)
        assert isinstance(body, Graph) and isinstance(carried, int) and isinstance(sliced, int)
        assert isinstance(length, int) and isinstance(reverse, bool)
        return cls(node, body, carried, sliced, length, reverse)

    @property
    def last(self) -> tuple[Value, ...]:
        """The results that are carried values after the last step."""
        return self.node.outputs[: self.carried]

    @property
    def after(self) -> tuple[Value, ...]:
        return self.node.outputs[self.carried : 2 * self.carried]

    @property
    def before(self) -> tuple[Value, ...]:
        return self.node.outputs[2 * self.carried : 3 * self.carried]

    @property
    def stacked(self) -> tuple[Value, ...]:
        return self.node.outputs[3 * self.carried :]


def infer(
    *operands: TensorType, body: Graph, carried: int, sliced: int, length: int, reverse: bool = False
) -> tuple[TensorType, ...]:
    if length < 1 or carried < 0 or sliced < 0:
        raise OpTypeError("a loop has at least one step", "length >= 1", f"length {length}")
    if len(operands) != len(body.inputs) or carried + sliced > len(operands) or carried > len(body.outputs):
        found = f"{len(operands)} operands, a body of {len(body.inputs)} inputs and {len(body.outputs)} results"
        raise OpTypeError("the body of a loop takes one input for each operand", f"{carried} carried values", found)
    for k, (operand, i) in enumerate(zip(operands, body.inputs, strict=True)):
        wanted = (length, *i.type.shape) if carried <= k < carried + sliced else i.type.shape
        if (operand.dtype, operand.shape, operand.lanes) != (i.type.dtype, wanted, 0):
            want = TensorType(i.type.dtype, wanted)
            rule = f"operand {k} of a loop does not fit input {i.name!r} of its body"
            raise OpTypeError(rule, str(want), str(operand))
    types = body.types()
    results = [types[name] for name in body.outputs]
    for k, (i, new) in enumerate(zip(body.inputs[:carried], results, strict=False)):
        if i.type != new:
            raise OpTypeError(f"carried value {k} changes its type", str(i.type), str(new))
    stacks = [TensorType(t.dtype, (length, *t.shape)) for t in results]
    return (*results[:carried], *stacks[:carried], *stacks[:carried], *stacks[carried:])


def reference(
    *operands: np.ndarray, body: Graph, carried: int, sliced: int, length: int, reverse: bool = False
) -> tuple[np.ndarray, ...]:
    if any(x.dtype == np.float64 for x in operands):
        body = widened(body)
    names = [i.name for i in body.inputs]
    carry, sequences = list(operands[:carried]), operands[carried : carried + sliced]
    whole = dict(zip(names[carried + sliced :], operands[carried + sliced :], strict=True))
    columns: list[list[np.ndarray]] = [[] for _ in range(carried + len(body.outputs))]
    for t in reversed(range(length)) if reverse else range(length):
        inputs = dict(zip(names, [*carry, *(x[t] for x in sequences)], strict=False))
        result = run(body, {**inputs, **whole})
        new = [result.values[name] for name in body.outputs]
        for column, array in zip(columns, [*new[:carried], *carry, *new[carried:]], strict=True):
            column.append(array)
        carry = new[:carried]
    stacks = [np.stack(column[::-1] if reverse else column) for column in columns]
    return (*(np.array(c) for c in carry), *stacks)


def vjp(b: GraphBuilder, bound: BoundNode, *cotangents: Value | None) -> tuple[Value | None, ...]:
    return _Gradient(b, bound, cotangents).operands()


class _Gradient:
    """The scan that computes the gradient of another one."""

    def __init__(self, b: GraphBuilder, bound: BoundNode, cotangents: Sequence[Value | None]) -> None:
        self.b, self.bound, self.parts = b, bound, Parts.of(bound.node)
        n = self.parts.carried
        self.last, self.after, self.before = cotangents[:n], cotangents[n : 2 * n], cotangents[2 * n : 3 * n]
        self.stacked = cotangents[3 * n :]
        self.inner = GraphBuilder.extending(self.parts.body)
        self.inner.name = f"d.{self.parts.body.name}"
        self.starts: list[Value] = []
        """The initial values of the carried values of the gradient."""
        self.carried: list[tuple[Value, Value]] = []
        """Inputs of the gradient's body that are carried, and their new values."""
        self.sliced: list[tuple[Value, Value]] = []
        """Inputs of the gradient's body that are sliced, and the stacks."""

    def operands(self) -> tuple[Value | None, ...]:
        """The gradients of the operands."""
        parts, inner = self.parts, self.inner
        inputs = [inner.values[i.name] for i in parts.body.inputs]
        floats = [k for k, value in enumerate(inputs) if value.type.dtype in FLOATS]
        own = [k for k in floats if k < parts.carried]
        carries = {k: self._carry(inputs[k], self.last[k]) for k in own}
        seeds = self._seeds(carries)
        grads = pulled_back(inner, seeds, [inputs[k] for k in floats])
        for k in own:
            new = self._plus(grads[inputs[k].name], self.before[k])
            self.carried.append((carries[k], new))
        whole = [k for k in floats if k >= parts.carried + parts.sliced]
        for k in whole:
            total = self._carry(inputs[k], None)
            self.carried.append((total, inner.op("add", total, grads[inputs[k].name])))
        slices = [k for k in floats if parts.carried <= k < parts.carried + parts.sliced]
        results = self._scan([grads[inputs[k].name] for k in slices])
        n = len(self.carried)
        found = dict(zip([*own, *whole], results[:n], strict=True)) | dict(zip(slices, results[3 * n :], strict=True))
        return tuple(found.get(k) for k in range(len(inputs)))

    def _carry(self, like: Value, start: Value | None) -> Value:
        """A new carried value of the gradient's body, which starts from `start` or from zeros."""
        self.starts.append(self.b.const(0.0, like.type) if start is None else start)
        return self.inner.input(self.inner.fresh(f"d.{like.name}"), like.type)

    def _seeds(self, carries: dict[int, Value]) -> dict[str, Value]:
        """The gradients of the body's results, in a step."""
        seeds: dict[str, Value] = {}
        outputs = self.parts.body.outputs
        for k, name in enumerate(outputs):
            if self.inner.values[name].type.dtype not in FLOATS:
                continue
            if k < self.parts.carried:
                part: Value | None = self._plus(carries[k], self.after[k])
            else:
                part = self._slice(self.stacked[k - self.parts.carried])
            if part is not None:
                seeds[name] = self.inner.op("add", seeds[name], part) if name in seeds else part
        return seeds

    def _plus(self, value: Value, stack: Value | None) -> Value:
        part = self._slice(stack)
        return value if part is None else self.inner.op("add", value, part)

    def _slice(self, stack: Value | None) -> Value | None:
        """This step's part of a stack of the outer graph."""
        if stack is None:
            return None
        type = TensorType(stack.type.dtype, stack.type.shape[1:], batch=self._marked())
        value = self.inner.input(self.inner.fresh(f"t.{stack.name}"), type)
        self.sliced.append((value, stack))
        return value

    def _marked(self) -> bool:
        return any(i.type.batch for i in self.parts.body.inputs)

    def _scan(self, stacked: Sequence[Value]) -> tuple[Value, ...]:
        """Append the scan of the gradient, and let the forward scan keep what it needs."""
        parts, inner = self.parts, self.inner
        n = len(parts.body.nodes)
        results = [new.name for _, new in self.carried] + [value.name for value in stacked]
        kept, again = _split(parts, inner.nodes[n:], results)
        self._keep(kept)
        read = {name for node in (*again, *inner.nodes[n:]) for name in node.inputs} | set(results)
        before = dict(zip((i.name for i in parts.body.inputs), parts.before, strict=False))
        operands = dict(zip((i.name for i in parts.body.inputs), self.bound.inputs, strict=True))
        whole: list[tuple[Value, Value]] = []
        for k, i in enumerate(parts.body.inputs):
            if i.name in read:
                pair = inner.values[i.name], before.get(i.name, operands[i.name])
                (self.sliced if k < parts.carried + parts.sliced else whole).append(pair)
        inputs = [value for value, _ in (*self.carried, *self.sliced, *whole)]
        body = GraphBuilder(inner.name)
        for value in inputs:
            body.input(value.name, value.type)
        graph = body.finish(results).with_(nodes=(*again, *inner.nodes[n:]))
        return self.b.ops(
            "scan",
            *self.starts,
            *(stack for _, stack in (*self.sliced, *whole)),
            name=f"d.{parts.node.outputs[0].name}",
            body=graph,
            carried=len(self.carried),
            sliced=len(self.sliced),
            length=parts.length,
            reverse=not parts.reverse,
        )

    def _keep(self, names: Iterable[str]) -> None:
        """Let the forward scan stack values of the body, unless it does already, and slice the stacks."""
        parts, types = self.parts, self.parts.body.types()
        stacks = dict(zip(parts.body.outputs, (*parts.after, *parts.stacked), strict=True))
        outputs, results = list(parts.body.outputs), list(parts.node.outputs)
        for name in names:
            if name not in stacks:
                stack = Value(
                    self.b.fresh(f"{parts.node.outputs[0].name}.{name}"),
                    TensorType(types[name].dtype, (parts.length, *types[name].shape)),
                )
                self.b.values[stack.name] = stacks[name] = stack
                outputs.append(name)
                results.append(stack)
            self.sliced.append((self.inner.values[name], stacks[name]))
        body = parts.body.with_(outputs=tuple(outputs))
        attrs = make_attrs({**parts.node.attr, "body": body})
        at = self.b.nodes.index(parts.node)
        self.b.nodes[at] = replace(parts.node, outputs=tuple(results), attrs=attrs)


def _split(parts: Parts, gradient: Sequence[Node], results: Sequence[str]) -> tuple[list[str], tuple[Node, ...]]:
    """Split the values of the body that the gradient reads: those that are kept, and the nodes that compute the
    others."""
    read = {*results, *(name for node in gradient for name in node.inputs)}
    kept, again = _kept(parts.body, read, keep_most=True)
    types = parts.body.types()
    if sum(types[name].storage_bytes for name in kept) * parts.length > MAX_KEPT_BYTES:
        kept, again = _kept(parts.body, read, keep_most=False)
    return kept, again


def _kept(body: Graph, read: set[str], keep_most: bool) -> tuple[list[str], tuple[Node, ...]]:
    needed, kept, again = set(read), list[str](), list[Node]()
    parts = _parts_to_keep(body, read) if keep_most else set[str]()
    for node in reversed(body.nodes):
        wanted = [out.name for out in node.outputs if out.name in needed]
        if not wanted:
            continue
        if keep_most and (not is_cheap(node) or parts.intersection(wanted)):
            kept += wanted
        else:
            again.append(node)
            needed.update(node.inputs)
    return kept[::-1], tuple(again[::-1])


def _parts_to_keep(body: Graph, read: set[str]) -> set[str]:
    """The parts that a gradient reads of values, where it does not read the whole values and the parts take less
    memory. So a recurrent product need not be stored."""
    makers, types = body.producers(), body.types()
    parts: dict[str, set[str]] = {}
    for node in body.nodes:
        if OPS[node.op].moves and OPS[node.op].inlined and node.outputs[0].name in read:
            parts.setdefault(node.inputs[0], set()).add(node.outputs[0].name)
    return {
        part
        for whole, own in parts.items()
        if whole in makers and not is_cheap(makers[whole]) and whole not in read
        if sum(types[name].storage_bytes for name in own) < types[whole].storage_bytes
        for part in own
    }


def is_cheap(node: Node) -> bool:
    """Whether a gradient computes a node of the body again, rather than reading its result."""
    return node.op in CHEAP or OPS[node.op].inlined or isinstance(lowering(node), Alias)


def flops(bound: BoundNode) -> int:
    parts = Parts.of(bound.node)
    types = parts.body.types()
    rules = ((OPS[node.op].flops, node) for node in parts.body.nodes)
    return parts.length * sum(rule(node.bound(types)) for rule, node in rules if rule)


_CELL = parse("""
graph @cell(%h: f32[b3,4], %x: f32[b3,2], %u: f32[4,4], %w: f32[4,2]) {
  %a: f32[b3,4] = inner_product(%h, %u)
  %b: f32[b3,4] = inner_product(%x, %w)
  %s: f32[b3,4] = add(%a, %b)
  %new: f32[b3,4] = tanh(%s)
  %y: f32[b3,4] = mul(%new, %h)
  return %new, %y
}
""")
_SUM = parse("graph @sum(%s: f32[2], %x: f32[2]) { %new: f32[2] = add(%s, %x) return %new }")
_TYPES = ("f32[3,4]", "f32[5,3,2]", "f32[4,4]", "f32[4,2]")

register(
    Op(
        name="scan",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Repeated(),
        kind="loop",
        alone="it is a loop of kernels",
        flops=flops,
        tolerance=1e-4,
        samples=(
            Sample(_TYPES, {"body": _CELL, "carried": 1, "sliced": 1, "length": 5}),
            Sample(_TYPES, {"body": _CELL, "carried": 1, "sliced": 1, "length": 5, "reverse": True}),
            Sample(("f32[2]", "f32[3,2]"), {"body": _SUM, "carried": 1, "sliced": 1, "length": 3}),
        ),
    )
)
