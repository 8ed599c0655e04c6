"""Every op over an axis of nets, against itself on every slice: interpreted, and as kernels of natural and blocked
values."""

import numpy as np
import pytest
from test_lowerings import run_kernels

from mochac.ir import run, verify
from mochac.ir.graph import Graph, Input
from mochac.ir.kernel_build import Alias
from mochac.ir.op import OPS, run_reference
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.map_nets import map_nets
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.samples import draw

NETS = 5


def slices(name, sample):
    """The sample's operands, drawn anew for every net."""
    return [draw(OPS[name], sample, "f64", seed=k) for k in range(NETS)]


def mapped(cases, own):
    """The op's graph, mapped, with the operands in `own` of every net and the others of the first."""
    graph = map_nets(cases[0].graph(), NETS, {f"x{k}" for k in own})
    verify(graph)
    stacked = [np.stack([case.arrays[k] for case in cases]) for k in range(len(cases[0].arrays))]
    feeds = {f"x{k}": stacked[k] if k in own else cases[0].arrays[k] for k in range(len(stacked))}
    return graph, feeds


def wanted(cases, own):
    rows = []
    for case in cases:
        arrays = tuple(
            a if k in own else first for k, (a, first) in enumerate(zip(case.arrays, cases[0].arrays, strict=True))
        )
        rows.append(run_reference(case.op, arrays, case.attrs))
    return [np.stack(column) for column in zip(*rows, strict=True)]


def compare(results, cases, own):
    for k, want in enumerate(wanted(cases, own)):
        np.testing.assert_allclose(results[k].reshape(want.shape), want, rtol=1e-12, atol=1e-12)


OPS_WITH_OPERANDS = [
    name
    for name, op in OPS.items()
    if name not in ("call", "custom_gradient", "relayout", "scan") and op.samples[0].types
]
"""A function with a gradient of its own is replaced by its formula before nets are mapped."""


@pytest.mark.slow
@pytest.mark.parametrize("name", OPS_WITH_OPERANDS)
def test_mapped_op_is_the_op_on_every_slice(name):
    for sample in OPS[name].samples:
        cases = slices(name, sample)
        everything = set(range(len(cases[0].arrays)))
        for own in [everything, *({k} for k in everything if len(everything) > 1)]:
            print(name, sample, own)
            graph, feeds = mapped(cases, own)
            results = run(graph, feeds)
            compare([results[name] for name in graph.outputs], cases, own)
            if isinstance(OPS[name].lower, Alias):
                continue
            for lanes in (0, 2):
                laid = assign_layout(graph, lanes)
                values = run_kernels(laid, feeds)
                compare([values[name] for name in laid.outputs], cases, own)


def test_sums_are_computed_for_every_net_even_of_what_all_share():
    """Or else their order would depend on whether nets share a batch."""
    graph = Graph("g", (Input("x", draw(OPS["reduce_sum"], OPS["reduce_sum"].samples[0]).types[0]),), (), ("x",))
    case = draw(OPS["reduce_sum"], OPS["reduce_sum"].samples[0])
    graph = map_nets(case.graph(), 4, set())
    assert [node.op for node in graph.nodes] == ["broadcast", "reduce_sum"]
    assert graph.types()[graph.outputs[0]].shape[0] == 4


def test_what_all_nets_share_is_computed_once():
    case = draw(OPS["relu"], OPS["relu"].samples[0])
    graph = map_nets(case.graph().with_(outputs=()), 4, set())
    assert [(node.op, node.outputs[0].type.batch) for node in graph.nodes] == [("relu", False)]
    assert len(to_kernels(graph)) == 0
