"""Kernels for the code generation tests: one op, laid out in blocks, lowered to its naive kernel."""

from __future__ import annotations

from dataclasses import replace

from mochac.codegen.nesting import Nested
from mochac.ir.graph import Graph, Input, Node, Value, make_attrs
from mochac.ir.kernel import Kernel, Loop
from mochac.ir.op import OPS
from mochac.ir.passes.assign_layout import assign_layout, block_of
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.types import parse_type


def op_graph(op: str, types: tuple[str, ...], **attrs: object) -> Graph:
    """One op: inputs x0, x1, ..., outputs y0, ..."""
    operands = tuple(parse_type(t) for t in types)
    inputs = tuple(Input(f"x{k}", t, "data" if t.batch else "param") for k, t in enumerate(operands))
    outputs = tuple(Value(f"y{k}", t) for k, t in enumerate(OPS[op].infer(*operands, **attrs)))
    node = Node(op, tuple(i.name for i in inputs), outputs, make_attrs(attrs))
    return Graph(op, inputs, (node,), tuple(o.name for o in outputs))


def naive_kernels(graph: Graph) -> tuple[Kernel, ...]:
    """The naive kernels of a fused graph: those that rules see."""
    return tuple(Nested.of(kernel).kernel for kernel in to_kernels(graph))


def kernel_of(op: str, types: tuple[str, ...], lanes: int = 16, **attrs: object) -> Kernel:
    """The naive kernel of one op, its batch blocked by `lanes`."""
    kernels = to_kernels(fuse(assign_layout(_in_blocks(op_graph(op, types, **attrs), lanes), lanes)))
    return next(k for k in kernels if k.root == op)


def _in_blocks(graph: Graph, lanes: int) -> Graph:
    """A graph of one op whose operands are in blocks, as results of other ops may be."""
    (node,), block, natural = graph.nodes, block_of(graph, lanes), OPS[graph.name].natural
    if block < 2:
        return graph
    blocked = [
        i for k, i in enumerate(graph.inputs) if lanes and len(i.type.shape) > 1 and i.type.batch and k not in natural
    ]
    names = {i.name: f"{i.name}.blocked" for i in blocked}
    how = make_attrs({"lanes": block})
    relayouts = [Node("relayout", (i.name,), (Value(names[i.name], i.type.with_(lanes=block)),), how) for i in blocked]
    return graph.with_(nodes=(*relayouts, replace(node, inputs=tuple(names.get(n, n) for n in node.inputs))))


CONV = {"stride": (1, 1), "pad": (0, 0), "group": 1}
PADDED = {"stride": (1, 1), "pad": (1, 1), "group": 1}
POOL = {"kernel": (2, 2), "stride": (2, 2), "pad": (0, 0)}
OVERLAPPING = {"kernel": (3, 3), "stride": (2, 2), "pad": (0, 0)}

CASES: dict[str, tuple[str, tuple[str, ...], dict[str, object]]] = {
    "conv": ("conv", ("f32[b32,2,6,6]", "f32[4,2,3,3]", "f32[4]"), CONV),
    "conv-padded": ("conv", ("f32[b32,2,6,6]", "f32[4,2,3,3]"), PADDED),
    "conv-strided": ("conv", ("f32[b32,2,7,7]", "f32[4,2,3,3]"), {**CONV, "stride": (2, 2)}),
    "conv_dx": ("conv_dx", ("f32[b32,4,4,4]", "f32[4,2,3,3]"), {**CONV, "shape": (32, 2, 6, 6)}),
    "conv_dw": ("conv_dw", ("f32[b32,2,6,6]", "f32[b32,4,4,4]"), {**CONV, "kernel": (3, 3)}),
    "conv_dw-tail": ("conv_dw", ("f32[b20,1,4,4]", "f32[b20,2,3,3]"), {**CONV, "kernel": (2, 2)}),
    "inner_product": ("inner_product", ("f32[b64,20]", "f32[12,20]", "f32[12]"), {}),
    "inner_product-tail": ("inner_product", ("f32[b25,6]", "f32[10,6]", "f32[10]"), {}),
    "inner_product-packed": ("inner_product", ("f32[b18,11]", "f32[48,11]", "f32[48]"), {}),
    "inner_product-few": ("inner_product", ("f32[b3,20]", "f32[9,20]", "f32[9]"), {}),
    "inner_product_dx-tail": ("inner_product_dx", ("f32[b10,24]", "f32[24,20]"), {}),
    "inner_product_dx": ("inner_product_dx", ("f32[b64,12]", "f32[12,20]"), {}),
    "inner_product_dw": ("inner_product_dw", ("f32[b32,40]", "f32[b32,6]"), {}),
    "lrn_sum": ("lrn_sum", ("f32[b32,2,4,4]",), {"axes": (2, 3), "before": 1, "after": 1, "square": True}),
    "max_pool": ("max_pool", ("f32[b32,2,4,4]",), POOL),
    "max_pool_dx": ("max_pool_dx", ("f32[b32,2,2,2]", "i8[b32,2,2,2]"), {**POOL, "shape": (32, 2, 4, 4)}),
    "mean_pool-overlapping": ("mean_pool", ("f32[b32,2,6,17]",), OVERLAPPING),
    "mean_pool_dx-overlapping": ("mean_pool_dx", ("f32[b32,2,3,8]",), {**OVERLAPPING, "shape": (32, 2, 6, 17)}),
    "softmax_loss": ("softmax_loss", ("f32[b20,3]", "f32[b20,1]"), {"axis": 1}),
    "reduce_sum": ("reduce_sum", ("f32[b20,3,2,2]",), {"axes": (0, 2, 3)}),
    "reduce_sum-rows": ("reduce_sum", ("f32[3,5,37]",), {"axes": (1, 2)}),
    "relayout": ("relayout", ("f32[b32,32]",), {"lanes": 16}),
    "permute": ("permute", ("f32[21,3,35]",), {"order": (2, 1, 0)}),
}


def case(name: str, lanes: int = 16) -> Kernel:
    """The kernel of one of CASES."""
    op, types, attrs = CASES[name]
    if op == "relayout":
        return to_kernels(fuse(op_graph(op, types, lanes=lanes)))[0]
    return kernel_of(op, types, lanes, **attrs)


def items_of(kernel: Kernel) -> list[int]:
    """The items of each nest of a scheduled kernel."""
    counts = []
    for nest in kernel.body:
        band, count = (nest,), 1
        while len(band) == 1 and isinstance(band[0], Loop) and band[0].run == "parallel":
            count, band = count * (band[0].extent or 0), band[0].body
        counts.append(count)
    return counts
