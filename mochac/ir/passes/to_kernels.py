"""to_kernels: lower each fused group to one staged Kernel: a nest per op, by the lowerings of the ops.

    %a = conv(%x, %w) {group 0};     local conv[n, co, oh, ow]
    %r = relu(%a) {group 0}        ->  each n, co, oh, ow { .. conv[n, co, oh, ow] = .. }
                                       each a0, a1, a2, a3 { r[a0, a1, a2, a3] = relu(conv[a0, a1, a2, a3]) }

The pipeline calls it after fuse. Values that only the group reads lie in locals of full size, named after their op. The
schedule decides how the nests are put into each other (codegen/nesting.py). The kernels of a scan's body appear once
among the others (phases.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import ExitStack

from mochac.base.errors import OptionError
from mochac.ir.graph import BoundNode, Graph, Node
from mochac.ir.kernel import Body, Buffer, Kernel, Load, Operand, Stmt, Store, walk, written_buffers
from mochac.ir.kernel_build import KernelBuilder, Nest, Pointwise, concatenates
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.ir.names import fresh
from mochac.ir.op import OPS, lowering, nominal_flops
from mochac.ir.ops.parted import parts_of_rows
from mochac.ir.passes.groups import Group, Nodes, grouped, reached
from mochac.ir.passes.phases import SharedMemory, copy_kernel, is_loop
from mochac.ir.types import TensorType

ROOT_ORDER = ("contraction", "transform", "row", "window", "reduce")


def to_kernels(graph: Graph) -> tuple[Kernel, ...]:
    """Lower every group to a staged kernel, in dependency order.

    Requires: inferred types, groups without cycles. Inlined ops (fill, broadcast) and aliases (reshape) become kernels
    only if their value must be stored. in_place.add_copies adds the kernels that updates need.

    Raises:
        ValueError: groups depend on each other in a cycle. OptionError: the `lower` of a user's op is wrong.
    """
    names: dict[str, int] = {}
    memory = SharedMemory.of(graph)
    kernels = list(_lowered(graph, names))
    for loop in memory.loops:
        kernels += [_copied("start", pair, memory) for pair in loop.starts]
        kernels += _lowered(loop.body, names)
        kernels += [_copied("copy", pair, memory) for pair in loop.copies]
    return tuple(kernels)


def _lowered(graph: Graph, names: dict[str, int]) -> Iterator[Kernel]:
    """The kernels of a graph, without those of the bodies of its loops."""
    types = graph.types()
    bound = {out.name: node.bound(types) for node in graph.nodes for out in node.outputs}
    nodes = Nodes(graph)
    free = {name: node for name, node in bound.items() if nodes.is_inlined(name)}
    for group in grouped(graph, nodes):
        if not is_loop(group.nodes[0]):
            yield _lower(group, types, bound, free, names)


def _copied(what: str, pair: tuple[str, str], memory: SharedMemory) -> Kernel:
    source, target = (Buffer(name, memory.types[name].with_(batch=False)) for name in pair)
    return copy_kernel(f"{what}.{target.name}", source, target)


def root_node(nodes: tuple[Node, ...]) -> Node:
    """The node that determines the schedule: a contraction, else a row op, window or reduction, else the first node."""
    return next((node for kind in ROOT_ORDER for node in nodes if OPS[node.op].kind == kind), nodes[0])


def _flat(t: TensorType) -> TensorType:
    """The type with all axes but the batch merged, since further axes do not matter to a change of layout."""
    return t.with_(shape=(t.shape[0], math.prod(t.shape[1:]))) if len(t.shape) > 2 else t


def _lower(
    group: Group,
    types: dict[str, TensorType],
    bound: Mapping[str, BoundNode],
    free: Mapping[str, BoundNode],
    names: dict[str, int],
) -> Kernel:
    root = root_node(group.nodes)
    read = _read(group, free)
    own = {out.name: node.op for node in group.nodes for out in node.outputs}
    plain = not any(name in free for node in group.nodes for name in node.inputs)
    if plain and all(node.op == "relayout" for node in group.nodes):
        types = {name: _flat(types[name]) for name in (*read, *own)}
    outputs = tuple(Buffer(name, types[name]) for name in group.outputs)
    inputs = {name: Buffer(name, types[name]) for name in read if name not in own}
    staged = _staged([(name, op) for name, op in own.items() if name in read], {*inputs, *group.outputs}, types)
    stored = {**{name: name for name in (*inputs, *group.outputs)}, **{name: b.name for name, b in staged.items()}}
    k = KernelBuilder(stored, free, lowering, taken=own)
    nests = {node: _nest(k, bound[node.outputs[0].name], types) for node in dict.fromkeys((root, *group.nodes))}
    kernel = Kernel(
        name=_name(group.nodes, root, names),
        inputs=tuple(inputs[name] for name in _loaded(nests, inputs)),
        outputs=outputs,
        locals=(*staged.values(), *k.locals),
        body=tuple(stmt for node in group.nodes for stmt in nests[node]),
        root=root.op,
        ops=tuple(node.op for node in group.nodes),
        loc=tuple(dict.fromkeys(loc for node in group.nodes for loc in node.loc)),
        flops=sum(nominal_flops(bound[node.outputs[0].name]) for node in group.nodes),
        parts=parts_of_rows(root.attr, root.outputs[0].type),
    )
    _check_kernel(kernel, group.nodes)
    return kernel


def _read(group: Group, free: Mapping[str, BoundNode]) -> set[str]:
    """The values that the nests of a group load, without those of free nodes."""
    read = (name for node in group.nodes for name in node.inputs)
    return reached(read, lambda name: free[name].node.inputs if name in free else ()) - free.keys()


def _staged(values: list[tuple[str, str]], taken: set[str], types: Mapping[str, TensorType]) -> dict[str, Buffer]:
    """A local for each (value, op) that is not stored for others."""
    staged: dict[str, Buffer] = {}
    for value, op in values:
        if value not in taken:
            name = fresh(op, taken | {b.name for b in staged.values()})
            staged[value] = Buffer(name, TensorType(types[value].dtype, types[value].shape), "scratch")
    return staged


def _nest(k: KernelBuilder, bound: BoundNode, types: Mapping[str, TensorType]) -> tuple[Stmt, ...]:
    """The nest of one op. All its results are computed before the first is stored."""
    lower = lowering(bound.node)
    with k.nest() as body:
        if isinstance(lower, Nest):
            lower.fn(k, bound)
        else:
            assert isinstance(lower, Pointwise)
            placed = concatenates(lower, bound)
            shape = types[(bound.inputs if placed else bound.outputs)[0].name].shape
            axes = lower.axes if len(lower.axes) == len(shape) else tuple(f"a{i}" for i in range(len(shape)))
            with ExitStack() as loops:
                index = tuple(loops.enter_context(k.each(axis, n)) for axis, n in zip(axes, shape, strict=True))
                if placed and lower.places is not None:
                    values = [k.read(bound, position, index) for position in range(len(bound.inputs))]
                    for place, value in zip(lower.places(bound, index), values, strict=True):
                        k.write(bound, 0, place, value)
                else:
                    for position, value in enumerate(_check_operands(bound, lower.fn(k, bound, index))):
                        k.write(bound, position, index, value)
        _check_nest(k, bound, tuple(body))
        return tuple(body)


def _loaded(nests: Mapping[Node, tuple[Stmt, ...]], inputs: Mapping[str, Buffer]) -> list[str]:
    """Inputs that are read: operands of the nodes in order, the root first, then in the order of the loads."""
    loads = (s.buffer for body in nests.values() for s in walk(body) if isinstance(s, Load))
    read = dict.fromkeys(name for name in loads if name in inputs)
    named = [name for node in nests for name in node.inputs]
    return list(dict.fromkeys([name for name in named if name in read] + list(read)))


def _name(nodes: tuple[Node, ...], root: Node, names: dict[str, int]) -> str:
    """A readable, unique name: `conv1.conv+pool1` from layer names, or `conv+relu` from ops if there are none."""
    layers = [loc.layer for loc in root.loc] + [loc.layer for node in nodes for loc in node.loc]
    layers = list(dict.fromkeys(layers))
    if layers:
        what = f"{root.attr['of']}.{root.op}" if "of" in root.attr else root.op  # name the op that a call computes
        parts = [f"{layers[0]}.{what}", *layers[1:3]]
    else:
        parts = list(dict.fromkeys([root.op, *(node.op for node in nodes)]))[:3]
    stem = "+".join(parts)
    name = stem
    while name in names:  # a layer may be called as a later kernel of another one: conv.1
        names[stem] += 1
        name = f"{stem}.{names[stem]}"
    names[name] = 0
    return name


# Checks of what users' ops lower to: a mistake becomes a clear error instead of a read outside of an operand. mochac's
# own ops are checked by tests, and under MOCHAC_VERIFY=1.


def _check_operands(bound: BoundNode, operands: object) -> tuple[Operand, ...]:
    """What the `lower` of a Pointwise op returned: one operand per result."""
    wanted = len(bound.outputs)
    if not isinstance(operands, tuple) or len(operands) != wanted:
        got = f"a tuple of {len(operands)}" if isinstance(operands, tuple) else repr(operands)
        raise _wrong(bound.node, "`lower` returns no operand per result", f"a tuple of {wanted}", got)
    return operands


def _check_nest(k: KernelBuilder, bound: BoundNode, nest: Body) -> None:
    """Every result that others read must be stored; elementwise ops must read where they store."""
    written = written_buffers(nest)
    for position, out in enumerate(bound.outputs):
        buffer = k.stored.get(out.name)
        if buffer is not None and buffer not in written:
            raise _wrong(bound.node, f"`lower` never writes result {position}", f"k.write(bound, {position}, ...)")
    if bound.node.op in OPS.foreign and OPS[bound.node.op].kind == "elementwise":
        _check_elementwise(k, bound, nest)


def _check_elementwise(k: KernelBuilder, bound: BoundNode, nest: Body) -> None:
    like = {k.stored.get(v.name) for v in bound.inputs if v.type.shape == bound.outputs[0].type.shape}
    own = {s.index for s in walk(nest) if isinstance(s, Store) and s.buffer in k.stored.values()}
    for s in walk(nest):
        if isinstance(s, Load) and s.buffer in like and s.index not in own:
            expected = 'kind="window", or another that help(mochac.ir.op.Op) lists'
            raise _wrong(bound.node, "`lower` reads other elements, but its kind is elementwise", expected, str(s))


def _check_kernel(kernel: Kernel, nodes: tuple[Node, ...]) -> None:
    """The staged kernel must be well formed if a node is of a user's op."""
    own = next((node for node in nodes if node.op in OPS.foreign), None)
    if own is None:
        return
    try:
        verify_kernel(kernel)
    except KernelVerifyError as error:
        raise _wrong(own, f"`lower` breaks rule {error.rule}: {error.text}", got=str(error.stmt or "")) from None


def _wrong(node: Node, rule: str, expected: str = "", got: str = "") -> OptionError:
    layers = [f"from {loc}" for loc in node.loc]
    return OptionError(f"op {node.op!r}: {rule}", expected=expected, got=got, details=layers)
