"""leave_scans: work that the carried values of a loop do not depend on leaves the loop; it is done for all steps at
once.

    scan { %a = inner_product(%x, %w)   ->   %as = inner_product(%xs as rows of all steps, %w)
           %b = inner_product(%h, %u)        scan { %b = inner_product(%h, %u)
           ...                                      ... }
    scan { %s.new = add(%s, sum over     ->   scan { ... returns the factors, stacked }
           samples of a product) ... }        %s.last = the sum over samples and steps

Products of slices, such as those of a recurrent layer's features with its weights, and what is the same in every step
move before the loop. Products that only stacked results need, such as the gradients of the features, move behind it,
and so do sums over samples that are added up from step to step, such as the gradients of the weights. Time lies in
front of the samples, so steps and samples together are the rows of a view. Results, carried values and operands that
nobody reads are dropped.

Only products leave, together with the work that leads to them (before the loop) or follows them (behind it):
elementwise work alone would only take one more pass over memory. Sums of gradients are added up in another order.
Requires inferred types and natural layouts; the pipeline runs it after simplify. Only scans change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mochac.ir.build import Rewriter, rewrite
from mochac.ir.graph import BoundNode, Graph, Input, Node, Value
from mochac.ir.op import OPS
from mochac.ir.ops.mapped import PREFIX
from mochac.ir.ops.scan import Parts
from mochac.ir.passes import graph_pass
from mochac.ir.passes.groups import is_alias, reached
from mochac.ir.types import TensorType

BY_SAMPLE = frozenset({"elementwise", "contraction", "row", "window", "shape"})
"""Kinds of ops whose result for a sample depends on that sample alone, if the result has samples."""
FOLLOWS = frozenset({"elementwise", "row", "shape"})
"""Kinds of ops that follow a product out of the loop."""
LINEAR = frozenset({"add", "sub", "neg", "pad", "concat", "slice", "reshape", "permute"})
"""Ops that may come after a sum over steps as well as before it."""


@graph_pass("leave_scans")
def leave_scans(graph: Graph) -> Graph:
    """Move out of every scan what its carried values do not depend on."""
    used = graph.results() | {name for node in graph.nodes for name in node.inputs}

    def rule(r: Rewriter, bound: BoundNode) -> tuple[Value, ...] | None:
        if bound.node.op != "scan" or _is_mapped(bound.node):
            return None
        return _Leaving(r, bound, used).rewritten()

    return rewrite(graph, rule)


def _is_mapped(scan: Node) -> bool:
    """Whether the body works for many nets (map_nets.py). Then everything that could leave the loop has left it, and
    the axis behind time is that of nets, not of samples."""
    return any(node.op.startswith(f"{PREFIX}.") for node in Parts.of(scan).body.nodes)


class _Leaving:
    """One scan, and what becomes of it."""

    def __init__(self, r: Rewriter, bound: BoundNode, used: set[str]) -> None:
        self.r, self.parts, self.used = r, Parts.of(bound.node), used
        self.body, n = self.parts.body, self.parts.carried
        self.types, self.makers, self.uses = self.body.types(), self.body.producers(), self.body.uses()
        names = [i.name for i in self.body.inputs]
        self.operands = dict(zip(names, bound.inputs, strict=True))
        self.carries, self.slices = names[:n], names[n : n + self.parts.sliced]
        self.new = dict(zip(self.carries, self.body.outputs, strict=False))
        of_carried = zip(self.parts.last, self.parts.after, self.parts.before, strict=True)
        self.results = dict(zip(self.carries, of_carried, strict=True))
        """Results for each carried value: the last one, and stacks of those after and before every step."""
        self.varies = self._depending({*self.carries, *self.slices})
        self.bound_to_carry = self._depending(self.carries)
        whole = names[n + self.parts.sliced :]
        self.repeated = self._depending(name for name in whole if self.types[name].batch)
        """What depends on samples that are the same in all steps."""
        self.stacks: dict[str, Value] = {}
        """Values of the body at all steps, in the graph around it."""
        self.rows: dict[str, Value] = {}
        """The stacks as rows of all steps and samples."""
        self.fixed: dict[str, Value] = {}
        """Values of the body that are the same in all steps, in the graph around it."""

    def rewritten(self) -> tuple[Value, ...]:
        """The values that replace the results; a result that nothing reads is replaced by itself."""
        stacked = zip(self.body.outputs[self.parts.carried :], self.parts.stacked, strict=True)
        wanted = [(name, out) for name, out in stacked if out.name in self.used]
        sums = {c: part for c in self.carries if (part := self._added(c)) is not None}
        self.live = live = self._live_carries([name for name, _ in wanted], sums)
        self.needed = self._leading_to(self.new[c] for c in live)
        sums = {c: part for c, part in sums.items() if self.results[c][0].name in self.used}
        leaving = {name for name, _ in wanted if self._leaves(name)}
        frontier = self._frontier(sums.values(), leaving)
        carried = {self.new[c] for c in live}
        named = {name: out.name for name, out in reversed(wanted) if name not in leaving and name not in carried}
        values = self._loop(live, list(dict.fromkeys([*named, *frontier])), named)
        for c, part in sums.items():
            out = self.results[c][0]
            values[out.name] = self.r.op("add", self.operands[c], self._sum(part), name=out.name)
        for name, out in wanted:
            if name in leaving:
                self.stacks[name] = self.r.op("reshape", self._row(name), name=out.name, shape=out.type.shape)
            values[out.name] = self.stacks[name]
        return tuple(values.get(out.name, out) for out in self.parts.node.outputs)

    # -- what leaves

    def _added(self, carry: str) -> str | None:
        """What a step adds to a carried value, if the value is just a sum over samples; else None."""
        new = self.new[carry]
        node, (_, *stacks) = self.makers.get(new), self.results[carry]
        if node is None or node.op != "add" or node.inputs.count(carry) != 1:
            return None
        readers = [m for m in self.body.nodes if carry in m.inputs or new in m.inputs]
        if (
            readers != [node]
            or any(out.name in self.used for out in stacks)
            or self.body.outputs.count(new) > 1
            or carry in self.body.outputs
        ):
            return None
        (part,) = (name for name in node.inputs if name != carry)
        return part if self._sums(part) else None

    def _sums(self, name: str) -> bool:
        """Whether the sum of a value over all steps is a sum over the rows of all steps."""
        node = self.makers.get(name)
        if node is None or name not in self.varies or self.types[name].batch:
            return False
        if node.op in LINEAR and not any(self.types[x].batch for x in node.inputs):
            return all(self._sums(x) for x in node.inputs)
        return (node.op == "reduce_sum" or OPS[node.op].kind == "contraction") and self._by_rows(node)

    def _by_rows(self, node: Node) -> bool:
        """Whether every operand has samples or is the same in all steps, and some have samples."""
        marked = [self.types[name].batch for name in node.inputs]
        if any(name in self.repeated and name not in self.varies for name in node.inputs):
            return False
        return any(marked) and all(b or name not in self.varies for b, name in zip(marked, node.inputs, strict=True))

    def _is_batched(self, name: str) -> bool:
        """Whether a node computes sample by sample, so that it can compute the samples of all steps."""
        node = self.makers.get(name)
        return node is not None and OPS[node.op].kind in BY_SAMPLE and self.types[name].batch and self._by_rows(node)

    def _leaves(self, name: str) -> bool:
        """Whether a stacked result is computed behind the loop."""
        if name in self.needed or not self._is_batched(name):
            return False
        node = self.makers[name]
        if OPS[node.op].kind == "contraction":
            return True
        return OPS[node.op].kind in FOLLOWS and any(self._leaves(x) for x in node.inputs)

    def _frontier(self, parts: Iterable[str], leaving: set[str]) -> list[str]:
        """The values of the body that are read behind the loop."""
        frontier: dict[str, None] = {}
        stack = [*parts, *leaving]
        summed = set(stack) - leaving
        seen: set[str] = set()
        while stack:
            name = stack.pop()
            if name in seen or name not in self.varies:
                continue
            seen.add(name)
            node = self.makers.get(name)
            if node is not None and (name in summed or self._leaves(name)):
                stack += node.inputs
                summed.update(x for x in node.inputs if name in summed and not self.types[x].batch)
            elif name not in (*self.carries, *self.slices, *(self.new[c] for c in self.live)):
                frontier[name] = None
        return list(frontier)

    # -- liveness

    def _depending(self, names: Iterable[str]) -> set[str]:
        return reached(names, lambda name: [out.name for node in self.uses.get(name, ()) for out in node.outputs])

    def _leading_to(self, names: Iterable[str], carries: Iterable[str] = ()) -> set[str]:
        """These names and what they are computed from; in place of these carried values, in the step before."""

        def before(name: str) -> Sequence[str]:
            return (self.new[name],) if name in carries else self.makers[name].inputs if name in self.makers else ()

        return reached(names, before)

    def _live_carries(self, outputs: list[str], sums: dict[str, str]) -> list[str]:
        """The carried values that a result needs and that are not just sums."""
        others = [c for c in self.carries if c not in sums]
        needed = [*outputs, *(part for c, part in sums.items() if self.results[c][0].name in self.used)]
        read = (c for c in others if any(out.name in self.used for out in self.results[c]))
        live = self._leading_to([*needed, *read], others)
        return [c for c in others if c in live]

    # -- the new loop

    def _loop(self, live: list[str], outputs: list[str], named: dict[str, str]) -> dict[str, Value]:
        """Append the loop; returns the values that replace results for carried values."""
        results = [*(self.new[c] for c in live), *outputs]
        nodes, inputs = self._remaining(results)
        slices = [name for name in inputs if name in self.slices or name in self.rows]
        whole = [name for name in inputs if name not in slices and name not in live]
        self.stacks |= {name: self._stack(name) for name in slices}
        declared = tuple(Input(name, self.types[name]) for name in (*live, *slices, *whole))
        body = Graph(self.body.name, declared, tuple(nodes), tuple(results))
        parts, stem = self.parts, self.parts.node.outputs[0].name
        operands = (
            [self.operands[c] for c in live] + [self.stacks[x] for x in slices] + [self._outside(x) for x in whole]
        )
        if not results:
            return {}
        of_carried = [self.results[c][k].name for k in range(3) for c in live]
        names = (*of_carried, *(named.get(name, f"{stem}.{name}") for name in outputs))
        how = {"carried": len(live), "sliced": len(slices), "length": parts.length, "reverse": parts.reverse}
        values = self.r.ops("scan", *operands, name=names, body=body, **how)
        stacks = zip((*(self.new[c] for c in live), *live, *outputs), values[len(live) :], strict=True)
        self.stacks.update(stacks)
        return dict(zip(of_carried, values, strict=False))

    def _remaining(self, results: list[str]) -> tuple[list[Node], list[str]]:
        """Move nodes in front of the loop; return the nodes that stay in the body, and the inputs that they read."""
        needed, nodes = set(results), list[Node]()
        for node in reversed(self.body.nodes):
            if not any(out.name in needed for out in node.outputs):
                continue
            name = node.outputs[0].name
            if name not in results and len(node.outputs) == 1 and self._precedes(node):
                (self._row if name in self.varies else self._outside)(name)
                continue
            nodes.append(node)
            needed.update(node.inputs)
        outputs = {out.name for node in nodes for out in node.outputs}
        return nodes[::-1], [name for name in self.types if name in needed and name not in outputs]

    def _precedes(self, node: Node) -> bool:
        """Whether a node of the body is computed in front of the loop."""
        name = node.outputs[0].name
        if name not in self.varies:
            return not OPS[node.op].inlined and not is_alias(node)
        kind = OPS[node.op].kind
        return kind == "contraction" and name not in self.bound_to_carry and self._comes_first(name)

    def _comes_first(self, name: str) -> bool:
        """Whether a value can be computed for all steps from operands of the loop."""
        if name in self.slices or name not in self.varies:
            return True
        return self._is_batched(name) and all(self._comes_first(x) for x in self.makers[name].inputs)

    # -- values of all steps

    def _stack(self, name: str) -> Value:
        """A value at all steps, (time, ...)."""
        if name in self.slices:
            return self.operands[name]
        if name not in self.stacks:
            rows, t = self.rows[name], self.types[name]
            self.stacks[name] = self.r.op("reshape", rows, shape=(self.parts.length, *t.shape))
        return self.stacks[name]

    def _row(self, name: str) -> Value:
        """A value at all steps, as rows of steps and samples."""
        if name not in self.rows and (name in self.stacks or name in self.slices):
            self.rows[name] = self.r.op("reshape", self._stack(name), shape=self._longer(self.types[name]))
        elif name not in self.rows:
            self.rows[name] = self._all_steps(self.makers[name])
        return self.rows[name]

    def _longer(self, t: TensorType) -> tuple[int, ...]:
        """The shape of the rows of all steps."""
        return (self.parts.length * t.shape[0], *t.shape[1:])

    def _all_steps(self, node: Node) -> Value:
        """A node applied to the rows of all steps."""
        attrs: dict[str, Any] = dict(node.attr)
        t = self.types[node.outputs[0].name]
        if t.batch and "shape" in attrs:
            attrs["shape"] = self._longer(t)
        if "batch" in attrs:
            attrs["batch"] = False
        inputs = [self._row(x) if self.types[x].batch else self._outside(x) for x in node.inputs]
        return self.r.op(node.op, *inputs, name=node.outputs[0].name, **attrs)

    def _sum(self, part: str) -> Value:
        """The sum of a value over all steps."""
        node = self.makers[part]
        if node.op in LINEAR and not any(self.types[x].batch for x in node.inputs):
            return self.r.op(node.op, *(self._sum(x) for x in node.inputs), name=part, **node.attr)
        return self._all_steps(node)

    def _outside(self, name: str) -> Value:
        """A value that is the same in all steps."""
        if name in self.operands:
            return self.operands[name]
        if name not in self.fixed:
            node = self.makers[name]
            inputs = [self._outside(x) for x in node.inputs]
            values = self.r.ops(node.op, *inputs, name=tuple(out.name for out in node.outputs), **node.attr)
            self.fixed.update((out.name, value) for out, value in zip(node.outputs, values, strict=True))
        return self.fixed[name]
