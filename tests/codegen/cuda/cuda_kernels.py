"""Kernels for the tests of CUDA C: every sample of every op, and cases large enough for tiles; natural layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from codegen.kernels import CONV, OVERLAPPING, PADDED, POOL, op_graph
from codegen.user_ops import USER_OPS

from mochac.codegen.analysis.contraction import contraction
from mochac.codegen.cuda.module import KernelCode, print_kernel
from mochac.codegen.cuda.schedules import choose
from mochac.codegen.cuda.schedules.split_sum import in_parts
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.graph import Graph, Node, Value, make_attrs
from mochac.ir.grids import grids
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.op import OPS
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw
from mochac.ir.schedule import Schedule
from mochac.ir.types import DTYPES

T = TypeVar("T")

TARGET = CudaTarget(80)
SMALL = CudaTarget(80, multiprocessors=2)
"""A device so small that cases of tests fill it: schedules choose as they do for large ones on a real device."""

GROUPS = {**PADDED, "group": 2}
CASES: dict[str, tuple[str, tuple[str, ...], dict[str, object]]] = {
    "inner_product": ("inner_product", ("f32[b70,40]", "f32[33,40]", "f32[33]"), {}),
    "inner_product_dx": ("inner_product_dx", ("f32[b33,50]", "f32[50,40]"), {}),
    "inner_product_dw": ("inner_product_dw", ("f32[b50,40]", "f32[b50,33]"), {}),
    "conv": ("conv", ("f32[b5,3,12,12]", "f32[9,3,5,5]", "f32[9]"), CONV),
    "conv-padded": ("conv", ("f32[b3,4,9,10]", "f32[8,4,3,3]"), PADDED),
    "conv-strided": ("conv", ("f32[b4,2,11,13]", "f32[8,2,3,3]"), {**CONV, "stride": (2, 3)}),
    "conv_dx": ("conv_dx", ("f32[b3,8,8,8]", "f32[8,4,3,3]"), {**CONV, "shape": (3, 4, 10, 10)}),
    "conv-exact": ("conv", ("f32[b16,8,4,4]", "f32[12,8,3,3]", "f32[12]"), PADDED),
    "conv_dx-exact": ("conv_dx", ("f32[b16,12,6,6]", "f32[12,8,3,3]"), {**CONV, "shape": (16, 8, 8, 8)}),
    "conv_dx-dilated": (
        "conv_dx",
        ("f32[b16,12,6,6]", "f32[12,8,3,3]"),
        {**CONV, "dilation": (2, 2), "shape": (16, 8, 10, 10)},
    ),
    "conv_dw": ("conv_dw", ("f32[b9,2,14,14]", "f32[b9,6,12,12]"), {**CONV, "kernel": (3, 3)}),
    "conv_dw-padded": ("conv_dw", ("f32[b17,2,8,8]", "f32[b17,5,8,8]"), {**PADDED, "kernel": (3, 3)}),
    "conv_dw-tail": ("conv_dw", ("f32[b17,1,8,8]", "f32[b17,17,8,8]"), {**CONV, "kernel": (1, 1)}),
    "conv_dw-split": ("conv_dw", ("f32[b9,3,9,9]", "f32[b9,20,7,7]"), {**CONV, "kernel": (3, 3)}),
    "conv_dw-split-few": ("conv_dw", ("f32[b9,2,8,8]", "f32[b9,5,8,8]"), {**PADDED, "kernel": (3, 3)}),
    "conv_dw-split-groups": ("conv_dw", ("f32[b5,6,9,9]", "f32[b5,16,9,9]"), {**GROUPS, "kernel": (3, 3)}),
    "inner_product-split": ("inner_product", ("f32[b16,600]", "f32[10,600]", "f32[10]"), {}),
    "inner_product_dw-split": ("inner_product_dw", ("f32[b90,40]", "f32[b90,33]"), {}),
    "conv-groups": ("conv", ("f32[b3,6,9,9]", "f32[16,3,3,3]", "f32[16]"), GROUPS),
    "conv_dx-groups": ("conv_dx", ("f32[b3,16,9,9]", "f32[16,3,3,3]"), {**GROUPS, "shape": (3, 6, 9, 9)}),
    "conv_dw-groups": ("conv_dw", ("f32[b3,6,9,9]", "f32[b3,16,9,9]"), {**GROUPS, "kernel": (3, 3)}),
    "conv_dx-strided": (
        "conv_dx",
        ("f32[b3,8,5,5]", "f32[8,4,3,3]"),
        {**PADDED, "stride": (2, 2), "shape": (3, 4, 9, 10)},
    ),
    "conv_dx-phases": (
        "conv_dx",
        ("f32[b16,16,3,3]", "f32[16,8,3,3]"),
        {**PADDED, "stride": (3, 3), "shape": (16, 8, 7, 7)},
    ),
    "max_pool": ("max_pool", ("f32[b3,2,4,4]",), POOL),
    "max_pool_dx": ("max_pool_dx", ("f32[b3,2,2,2]", "i8[b3,2,2,2]"), {**POOL, "shape": (3, 2, 4, 4)}),
    "mean_pool": ("mean_pool", ("f32[b3,2,7,9]",), OVERLAPPING),
    "lrn_sum": ("lrn_sum", ("f32[b3,2,4,5]",), {"axes": (2, 3), "before": 1, "after": 1, "square": True}),
    "softmax_loss": ("softmax_loss", ("f32[b20,10]", "f32[b20,1]"), {"axis": 1}),
    "softmax_loss-wide": ("softmax_loss", ("f32[b3,300]", "f32[b3,1]"), {"axis": 1}),
    "reduce_sum": ("reduce_sum", ("f32[b20,3,4,5]",), {"axes": (0, 2, 3)}),
    "reduce_sum-columns": ("reduce_sum", ("f32[b70,37]",), {"axes": (0,)}),
    "reduce_sum-planes": ("reduce_sum", ("f32[b37,3,70]",), {"axes": (0, 1)}),
    "reduce_sum-all": ("reduce_sum", ("f32[700]",), {"axes": (0,)}),
    "reduce_sum-split": ("reduce_sum", ("f32[b20,3,9,9]",), {"axes": (0, 2, 3)}),
    "reduce_sum-split-columns": ("reduce_sum", ("f32[b70,37]",), {"axes": (0,)}),
    "dropout_mask": ("dropout_mask", ("i64[]",), {"shape": (20, 7), "ratio": 0.3, "key": 5, "batch": True}),
    "gather_dx": ("gather_dx", ("f32[b5,40,20]", "i32[b5,40]"), {"rows": 200}),
    "add_rows": (
        "add_rows",
        ("f32[200,20]", "f32[200,20]", "f32[]", "f32[b5,40,20]", "i32[b5,40]"),
        {"factor": -1.0},
    ),
    "relu": ("relu", ("f32[b33,7]",), {}),
    "relu-wide": ("relu", ("f32[b33,64]",), {}),
    "max_pool_dx-wide": (
        "max_pool_dx",
        ("f32[b7,3,8,8]", "i8[b7,3,8,8]"),
        {**POOL, "kernel": (3, 3), "shape": (7, 3, 16, 16)},
    ),
    "mean_pool_dx-wide": ("mean_pool_dx", ("f32[b7,3,8,8]",), {**POOL, "shape": (7, 3, 16, 16)}),
    **{name: (name, *operands) for name, operands in USER_OPS.items()},
}
NAMES = (*sorted(CASES), "conv+max_pool")
ON_DEVICES = [name for name, op in OPS.items() if op.kind != "loop"]
"""Ops with kernels for devices: all but loops over time, whose steps are launches of their own."""
SPLIT = {
    "conv_dw-split": 3,
    "conv_dw-split-few": 1,
    "conv_dw-split-groups": 2,
    "inner_product-split": 64,
    "inner_product_dw-split": 20,
    "reduce_sum-split": 7,
    "reduce_sum-split-columns": 10,
}
"""Cases whose sums are split into parts of so many terms of the outermost loop, for which they are too small."""


@dataclass(frozen=True)
class Prepared:
    """A kernel on its way to CUDA C; `values` gives what there is before it. The interpreter runs when a test asks for
    its results: most tests want the code alone."""

    naive: Kernel
    schedule: Schedule
    scheduled: Kernel
    code: KernelCode
    values: Callable[[], dict[str, np.ndarray]]

    @cached_property
    def inputs(self) -> dict[str, np.ndarray]:
        """Its operands, as the kernels before it leave them."""
        values = self.values()
        return {b.name: values[b.name].reshape(b.type.shape) for b in self.naive.inputs}

    @cached_property
    def want(self) -> dict[str, np.ndarray]:
        """What it must give."""
        return run_kernel(self.naive, self.inputs)

    def after(self) -> dict[str, np.ndarray]:
        """What there is behind it."""
        return self.values() | self.want


def chosen(kernel: Kernel, target: CudaTarget, terms: int) -> Schedule:
    """The rules' schedule, or the one that splits the sum into parts of so many terms."""
    if not terms:
        return choose(kernel, target)
    return in_parts(kernel, contraction(kernel), terms, target)


def prepared(
    graph: Graph, values: dict[str, np.ndarray], name: str, target: CudaTarget, terms: int = 0
) -> Iterator[Prepared]:
    """The kernels of a graph."""
    known: Callable[[], dict[str, np.ndarray]] = values.copy
    for k, kernel in enumerate(to_kernels(fuse(graph))):
        kernel = kernel.with_(name=f"{name}.{kernel.root}+{k}")
        schedule = chosen(kernel, target, terms)
        scheduled = apply(schedule, kernel)
        verify_kernel(scheduled, printable=True)
        for grid in grids(scheduled):
            assert sum(b.type.storage_bytes for b in grid.locals if b.space == "shared") <= target.room
        found = Prepared(kernel, schedule, scheduled, print_kernel(scheduled, target), known)
        known = found.after
        yield found


def natural(op: str, k: int) -> bool:
    """Whether a sample has no blocked values, which no CUDA plan has."""
    sample = OPS[op].samples[k]
    return op != "relayout" and not any("blocked" in text for text in sample.types)


def in_turns(numbers: Sequence[int], first: int, *values: T) -> list[tuple[int, T]]:
    """Numbers of samples, each with one of the values, which take turns, beginning with value `first`; a single number
    has all of them."""
    if len(numbers) == 1:
        return [(numbers[0], value) for value in values]
    return [(number, values[(first + k) % len(values)]) for k, number in enumerate(numbers)]


def sample_kernels(op: str, k: int, dtype: str, target: CudaTarget) -> list[Prepared]:
    """Those of an op's sample."""
    case = draw(OPS[op], OPS[op].samples[k], dtype)
    return list(prepared(case.graph(), case.feeds(), f"{op}_{k}_{dtype}", target))


def case_kernels(name: str, dtype: str = "f32", target: CudaTarget = TARGET) -> list[Prepared]:
    """Those of one of CASES, on random numbers."""
    op, types, attrs = CASES[name.partition("+")[0]]
    graph = op_graph(op, tuple(t.replace("f32", dtype) for t in types), **attrs)
    if name.endswith("+max_pool"):
        graph = pooled(graph)
    rng = np.random.default_rng(20261121)
    values = {}
    for i in graph.inputs:
        drawn = rng.standard_normal(i.type.shape) if i.type.dtype[0] == "f" else rng.integers(0, 3, i.type.shape)
        values[i.name] = np.asarray(drawn).astype(DTYPES[i.type.dtype])
    if op == "softmax_loss":
        values["x1"] = np.abs(np.rint(values["x1"])).astype(values["x1"].dtype)
    return list(prepared(graph, values, f"{name.replace('-', '_')}_{dtype}", target, SPLIT.get(name, 0)))


def pooled(graph: Graph) -> Graph:
    """The result of a graph, pooled by windows that do not overlap."""
    (y,) = graph.outputs
    outputs = tuple(Value(f"z{k}", t) for k, t in enumerate(OPS["max_pool"].infer(graph.types()[y], **POOL)))
    node = Node("max_pool", (y,), outputs, make_attrs(POOL))
    return Graph("pooled", graph.inputs, (*graph.nodes, node), tuple(o.name for o in outputs))
