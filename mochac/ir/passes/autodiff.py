"""autodiff: append the backward half of a graph; the rules are applied by ir/pullback.py."""

from __future__ import annotations

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph
from mochac.ir.passes import graph_pass
from mochac.ir.pullback import gradients


@graph_pass("autodiff")
def autodiff(graph: Graph) -> Graph:
    """Differentiate the only output, a scalar, with respect to every parameter; the gradients become outputs.

    before -> after: `return %loss` -> `return %loss, %d.w, %d.b`, in the order of the inputs with role param.
    """
    if len(graph.outputs) != 1:
        raise ValueError(f"autodiff needs one output, the loss; @{graph.name} has {len(graph.outputs)}")
    b = GraphBuilder.extending(graph)
    params = [b.values[i.name] for i in graph.inputs if i.role == "param"]
    grads = gradients(b, b.values[graph.outputs[0]], params)
    return b.finish([*graph.outputs, *(grads[p.name] for p in params)])
