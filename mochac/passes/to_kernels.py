"""to_kernels: lower each fused group to one naive Kernel, by the lowerings of its ops.

    %a = conv2d(%x, %w) {group 0}; %r = relu(%a) {group 0}   ->   for n: for co: for oh: for ow: r[..] = relu(..)

The pipeline calls it after fuse; schedules then rewrite the kernels. Results are requested element by element, so
producers inside a group are inlined at the index at which they are read.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import ExitStack

from mochac.ir.graph import BoundNode, Graph, Node
from mochac.ir.index import Index
from mochac.ir.kernel import Buffer, Kernel, Load, Operand, walk
from mochac.ir.kernel_build import KernelBuilder, Nest, Pointwise
from mochac.ir.op import OPS, lowering
from mochac.ir.types import TensorType
from mochac.passes.groups import Group, free_nodes, grouped, is_alias
from mochac.passes.planes import plane_body, plane_makers, plane_pool

ROOT_ORDER = ("contraction", "row", "window", "reduce")


def to_kernels(graph: Graph) -> tuple[Kernel, ...]:
    """Lower every group to a naive kernel, in dependency order.

    Requires: inferred types, groups without cycles. Inlined ops (fill, broadcast) and aliases (reshape) become kernels
    only if their value must be stored. in_place.add_copies adds the kernels that updates need.

    Raises:
        ValueError: groups depend on each other in a cycle, or the results of a group cannot be computed in one nest.
    """
    types, free = graph.types(), free_nodes(graph)
    bound = {out.name: node.bound(types) for node in graph.nodes for out in node.outputs}
    inlined = {name: bound[name] for name in free if not is_alias(bound[name].node)}
    names: dict[str, int] = {}
    return tuple(_lower(group, types, bound, inlined, names) for group in grouped(graph))


def root_node(nodes: tuple[Node, ...]) -> Node:
    """The node that determines the schedule: a contraction, else a row op, window or reduction, else the first node."""
    for kind in ROOT_ORDER:
        for node in nodes:
            if OPS[node.op].kind == kind:
                return node
    return nodes[0]


def _flat(t: TensorType) -> TensorType:
    """The type with all axes but the batch merged: more axes do not matter to a change of layout."""
    return t.with_(shape=(t.shape[0], math.prod(t.shape[1:]))) if len(t.shape) > 2 else t


def _lower(
    group: Group,
    types: dict[str, TensorType],
    bound: Mapping[str, BoundNode],
    inlined: Mapping[str, BoundNode],
    names: dict[str, int],
) -> Kernel:
    own = {out.name: node for node in group.nodes for out in node.outputs}
    if all(node.op == "relayout" for node in group.nodes):
        types = {name: _flat(t) for name, t in types.items()}
    nests = [node for node in group.nodes if isinstance(lowering(node), Nest)]
    here = {name: bound[name] for name, node in own.items() if node not in nests}
    reads, pulled = _reads(group, own, inlined)
    buffers = {name: Buffer(name, types[name]) for name in reads}
    k = KernelBuilder(buffers, {**pulled, **here}, lowering)
    k.reserved.update(own)
    root = root_node(group.nodes)
    makers = plane_makers(group, root, bound)
    if makers:
        k.makers = makers
        _pointwise_body(k, group, types)
    elif nests:
        _nest_body(k, group, bound[nests[0].outputs[0].name])
    elif (pool := plane_pool(group, types)) is not None:
        plane_body(k, group, pool, types)
    else:
        _pointwise_body(k, group, types)
    return Kernel(
        name=_name(group.nodes, root, names),
        inputs=tuple(buffers[name] for name in _loaded(k, group, root, bound)),
        outputs=tuple(Buffer(name, types[name]) for name in group.outputs),
        locals=tuple(k.locals),
        body=k.body,
        root=root.op,
        ops=tuple(node.op for node in group.nodes),
        loc=tuple(dict.fromkeys(loc for node in group.nodes for loc in node.loc)),
        flops=sum(_flops(bound[node.outputs[0].name]) for node in group.nodes),
    )


def _reads(
    group: Group, own: Mapping[str, Node], inlined: Mapping[str, BoundNode]
) -> tuple[list[str], dict[str, BoundNode]]:
    """What a group reads from outside: stored values, and nodes to inline (including what their operands read)."""
    stored: dict[str, None] = {}
    pulled: dict[str, BoundNode] = {}
    stack = [name for node in group.nodes for name in node.inputs if name not in own]
    while stack:
        name = stack.pop()
        if name not in inlined:
            stored[name] = None
        elif name not in pulled:
            pulled[name] = inlined[name]
            stack.extend(n for n in inlined[name].node.inputs if n not in own)
    return list(stored), pulled


def _flops(bound: BoundNode) -> int:
    rule = OPS[bound.node.op].flops
    return rule(bound) if rule else 0


def _pointwise_body(k: KernelBuilder, group: Group, types: Mapping[str, TensorType]) -> None:
    """Loops over the common domain of the results. The root's sum comes first, so that its epilogue can follow, and all
    values are computed before the first store, because a result may share the storage of an operand."""
    shapes = {types[name].shape for name in group.outputs}
    if len(shapes) != 1:
        raise ValueError(f"results of one group differ in shape: {sorted(shapes)} in {group.outputs}")
    (shape,) = shapes
    with ExitStack() as loops:
        index = tuple(loops.enter_context(k.each(axis, n)) for axis, n in zip(_axes(group, shape), shape, strict=True))
        first = _spanning_root(group, shape)
        if first is not None:
            k.value(first.outputs[0].name, index)
        values = [(name, k.value(name, index)) for name in group.outputs]
        for name, value in values:
            k.store(name, index, value)


def _spanning_root(group: Group, shape: tuple[int, ...]) -> Node | None:
    """The heaviest node whose result has the shape of the domain."""
    spanning = tuple(node for node in group.nodes if node.outputs[0].type.shape == shape)
    return root_node(spanning) if spanning else None


def _axes(group: Group, shape: tuple[int, ...]) -> tuple[str, ...]:
    """Loop names: those of the heaviest op whose result has the shape of the domain."""
    root = _spanning_root(group, shape)
    lower = lowering(root) if root else None
    axes = lower.axes if isinstance(lower, Pointwise) else ()
    return axes if len(axes) == len(shape) else tuple(f"a{i}" for i in range(len(shape)))


def _nest_body(k: KernelBuilder, group: Group, bound: BoundNode) -> None:
    """Run a Nest rule. Each element that it writes is stored, and epilogues are computed from it."""
    lower = lowering(bound.node)
    assert isinstance(lower, Nest)
    epilogues = _epilogues(group, bound.node)

    def on_write(name: str, index: tuple[Index, ...], operand: Operand) -> None:
        values = [(name, operand)] if name in group.outputs else []
        values += [(other, k.value(other, index)) for other in epilogues.get(name, ())]
        for target, value in values:
            k.store(target, index, value)

    k.on_write = on_write
    lower.fn(k, bound)


def _epilogues(group: Group, root: Node) -> dict[str, list[str]]:
    """Results of the group, by the result of the Nest root that they are computed from elementwise."""
    depends: dict[str, set[str]] = {out.name: {out.name} for out in root.outputs}
    for node in group.nodes:
        if node is not root:
            reached = set().union(*(depends.get(name, set()) for name in node.inputs))
            depends.update((out.name, reached) for out in node.outputs)
    epilogues: dict[str, list[str]] = {}
    rooted = {out.name for out in root.outputs}
    for name in group.outputs:
        if name not in rooted:
            if len(depends[name]) != 1:
                raise ValueError(f"{name} must follow exactly one result of {root.op}, not {sorted(depends[name])}")
            epilogues.setdefault(next(iter(depends[name])), []).append(name)
    return epilogues


def _loaded(k: KernelBuilder, group: Group, root: Node, bound: Mapping[str, BoundNode]) -> list[str]:
    """Buffers that the body reads: first the root's operands, then in the order of the other nodes and of the loads."""
    read = dict.fromkeys(s.buffer for s in walk(k.body) if isinstance(s, Load) and s.buffer in k.buffers)
    named = [name for node in (root, *group.nodes) for name in node.inputs]
    return list(dict.fromkeys([name for name in named if name in read] + list(read)))


def _name(nodes: tuple[Node, ...], root: Node, names: dict[str, int]) -> str:
    """A readable, unique name: `conv1.conv2d+pool1` from layer names, or `conv2d+relu` from ops if there are none."""
    layers = [loc.layer for loc in root.loc] + [loc.layer for node in nodes for loc in node.loc]
    layers = list(dict.fromkeys(layers))
    if layers:
        what = f"{root.attr['of']}.{root.op}" if "of" in root.attr else root.op  # name the op that a call computes
        parts = [f"{layers[0]}.{what}", *layers[1:3]]
    else:
        parts = list(dict.fromkeys([root.op, *(node.op for node in nodes)]))[:3]
    stem = "+".join(parts)
    count = names[stem] = names.get(stem, -1) + 1
    return f"{stem}.{count}" if count else stem
