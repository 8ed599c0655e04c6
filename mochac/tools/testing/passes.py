"""Helpers for unit tests of the compiler: compare graphs up to names, and test passes by before and after."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from mochac.ir.graph import Graph
from mochac.ir.text import parse
from mochac.ir.verifier import verify


def assert_pass(name: str, *, before: str, after: str) -> None:
    """Assert that a pass turns `before` into `after`, and that the interpreter computes the same from both.

    Names of values, origins and notes are ignored. Both texts and the result must be well-formed graphs. They run on
    random inputs from a fixed seed; inputs that a pass has added are drawn as well.

    Raises:
        AssertionError: with the text of the result, in its own names.

    >>> assert_pass(
    ...     "simplify",
    ...     before="graph @g(%x: f32[2]) { %a: f32[2] = neg(%x) %b: f32[2] = neg(%a) %c: f32[2] = exp(%b) return %c }",
    ...     after="graph @g(%x: f32[2]) { %y: f32[2] = exp(%x) return %y }",
    ... )
    """
    from mochac.ir.passes import run  # lazily: passes import ops, which tests of ir/ do not need

    start, wanted = parse(before), parse(after)
    verify(start)
    verify(wanted)
    got = run(name, start)
    verify(got)
    assert_same(got, wanted)
    assert_same_results(start, got)


def assert_same(got: Graph, wanted: Graph) -> None:
    """Assert that two graphs are equal up to their names, names of inner values, origins and notes.

    Raises:
        AssertionError: with both texts.
    """
    if canonical(got) != canonical(wanted):
        raise AssertionError(f"the graphs differ\n--- got\n{got}--- wanted\n{wanted}")


def assert_same_results(before: Graph, after: Graph) -> None:
    """Assert that two graphs compute the same outputs and updates from the same random inputs, except for rounding.
    Additional outputs of the second graph are not compared.

    Raises:
        AssertionError: with the name of the first result that differs, and both arrays.
    """
    from mochac.ir.interp import run as interpret
    from mochac.lowering.operands import draw_inputs  # lazily, as above

    feeds = {**draw_inputs(after), **draw_inputs(before)}
    old, new = (interpret(graph, {i.name: feeds[i.name] for i in graph.inputs}).values for graph in (before, after))
    pairs = list(zip(before.outputs, after.outputs, strict=False))  # autodiff appends gradients
    updates = dict(after.updates)
    pairs += [(value, updates[target]) for target, value in before.updates]
    for a, b in pairs:
        np.testing.assert_allclose(new[b], old[a], rtol=1e-4, atol=1e-5, err_msg=f"%{a}: the pass changed its value")


def canonical(graph: Graph) -> Graph:
    """The graph with values named v0, v1, ... in order of definition (inputs keep their names), without origins."""
    names = {i.name: i.name for i in graph.inputs}
    for node in graph.nodes:
        for out in node.outputs:
            names[out.name] = f"v{len(names) - len(graph.inputs)}"
    renamed = graph.renamed(names)
    return renamed.with_(name="g", nodes=tuple(replace(node, loc=()) for node in renamed.nodes), notes=())
