"""What tests of benchmarks/ share: its modules by name, rounds and tables made up. No timings."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mochac.ir.build import without_dead_nodes
from mochac.ir.graph import BoundNode, Value
from mochac.ir.op import OPS
from mochac.ir.passes.leave_scans import leave_scans
from mochac.lowering.plan_graphs import step_plan
from mochac.nets.net import Net
from mochac.nets.solvers import SGD
from mochac.nets.solvers.update import Update
from mochac.nets.trace import trace

FOLDER = Path(__file__).resolve().parents[2] / "benchmarks"


def module(name: str) -> ModuleType:
    """A module of benchmarks/, such as "contest.table"; for calls in tests, since benchmarks/layers.py would hide the
    folder tests/layers from tests that are imported later."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    return importlib.import_module(name)


def made_up(quiet: int, busy: int, **changes: Any) -> Any:
    """A table whose plan takes 2 ms, its train() 2.5 and two peers 10 and 20 ms; twice as much in busy rounds."""
    rounds, table = module("contest.rounds"), module("contest.table")

    def one(factor: float, other: float) -> Any:
        step = {"mochac plan": 0.002, "mochac train()": 0.0025, "slow": 0.02, "fast": 0.01}
        bursts = {name: rounds.Burst(factor * s, 0.1, other) for name, s in step.items()}
        return rounds.Round(bursts, peak=500 / factor, other=other)

    how = {"name": "lenet", "title": "LeNet, batch 64", "kind": "training", "threads": 2, "flops": 843_648_000}
    return table.Table(**{**how, "rounds": [one(1, 0.02)] * quiet + [one(2, 0.3)] * busy, **changes})


def textbook_flops(net: Net) -> int:
    """What mochac's own operations count for a training step."""
    graph = without_dead_nodes(leave_scans(step_plan(trace(net), Update(SGD(), 0.0)).graph))
    types, found = graph.types(), 0
    for node in graph.nodes:
        if rule := OPS[node.op].flops:
            inputs = tuple(Value(name, types[name]) for name in node.inputs)
            found += rule(BoundNode(node, inputs, node.outputs))
    return found
