"""The section of explain about what ranks exchange: buckets, in the order in which they begin."""

from __future__ import annotations

from mochac.base.support.columns import columns, unit
from mochac.ir.graph import Graph, Node
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, Plan

HEAD = ("bucket", "sums", "size", "begins in phase", "is waited for in phase", "of")
NAMED = 4
"""Layers that a row names, at most."""


def exchanges(graph: Graph) -> int:
    """How many buckets a step exchanges."""
    return sum(node.op == EXCHANGE_START for node in graph.nodes)


def exchange_lines(graph: Graph, plan: Plan) -> str:
    """A row for each bucket; "" if nothing is exchanged.

    >>> exchange_lines(Graph("empty", (), (), ()), Plan("empty", (), (), (), (), 0, 0))
    ''
    """
    waits = {node.attr["bucket"]: node for node in graph.nodes if node.op == EXCHANGE_WAIT}
    starts = [node for node in graph.nodes if node.op == EXCHANGE_START]
    if not starts:
        return ""
    rows = [_row(start, waits[start.attr["bucket"]], plan) for start in starts]
    return columns(HEAD, sorted(rows, key=lambda row: int(row[3])), right={0, 1, 2, 3, 4})


def _row(start: Node, wait: Node, plan: Plan) -> list[str]:
    token = start.outputs[0]
    layers = list(dict.fromkeys(loc.layer for loc in start.loc))
    more = f" and {len(layers) - NAMED} more" if len(layers) > NAMED else ""
    begins = min(launch.phase for launch in plan.launches if launch.call and token.name in launch.buffers)
    until = min(launch.phase for launch in plan.launches if wait.outputs[0].name in launch.buffers)
    size = unit(token.type.storage_bytes, "B")
    return [
        str(start.attr["bucket"]),
        str(len(start.inputs)),
        size,
        str(begins),
        str(until),
        ", ".join(layers[:NAMED]) + more,
    ]
