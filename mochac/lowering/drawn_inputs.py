"""Inputs that a dump is replayed on: one array per graph input, kept in inputs.npz.

dump writes them, replay reads them. A program gives its next batch and its parameters; for a net alone numbers are
drawn from a fixed seed, labels being legal classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mochac.errors import OptionError
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.op import OPS
from mochac.ir.types import DTYPES, TensorType
from mochac.runtime.data.source import is_missing
from mochac.runtime.files.npy_file import packed, read_npz

if TYPE_CHECKING:
    from mochac.frontend.net import Net
    from mochac.program import Program
    from mochac.session.plan_set import BoundPlan

SEED = 20
HYPER = {"step": 7, "lr": 0.01, "momentum": 0.9, "next_momentum": 0.9, "step_size": 0.01}


def next_batches(program: Program, bound: BoundPlan, most: int) -> list[dict[str, np.ndarray]]:
    """Copies of the batches that come next, 1 to `most` of them, by graph input; the cursor stays where it is.

    One batch of random numbers where data is missing.

    Raises:
        DataError: they cannot be read.
    """
    wanted = {s.key for s in bound.compiled.plan.placements if s.place == "feed"}
    values = {f.top: f.value for f in bound.traced.feeds if f.value in wanted}
    if not values:
        return [{}]
    if without_data(program.net):
        drawn = draw_inputs(bound.source.graph)
        return [{name: drawn[name] for name in values.values()}]
    ready = program.feed.wait(most)
    held = [program.feed.arrays(k) for k in range(ready)]
    return [{values[top]: np.array(a) for top, a in batch.items() if top in values} for batch in held]


def without_data(net: Net) -> tuple[str, ...]:
    """Names of the data layers whose data is missing: InputLayers, and files that are not there."""
    return tuple(layer.name for layer in net.sources if is_missing(layer))


def program_inputs(program: Program, bound: BoundPlan) -> dict[str, np.ndarray]:
    """What the plan would run on now: the next batch, the parameters, the solver's state; scalars as drawn."""
    graph = bound.source.graph
    found = {**draw_inputs(graph), **next_batches(program, bound, 1)[0]}
    for p in bound.traced.params:
        found[p.value] = program.params[p.key][p.name][...]
    found.update({name: np.array(slot.values) for name, slot in program.bank.slots.items()})
    found.update({i.name: bound.traced.tables[i.name] for i in graph.inputs if i.role == "const"})
    return {i.name: np.asarray(found[i.name], DTYPES[i.type.dtype]) for i in graph.inputs}


def draw_inputs(graph: Graph, seed: int = SEED) -> dict[str, np.ndarray]:
    """Plausible numbers: unit normal data, parameters scaled by their fan-in, small positive state and tables."""
    rng = np.random.default_rng(seed)
    classes = _classes(graph)
    return {i.name: _draw(rng, i, classes.get(i.name, 0)).astype(DTYPES[i.type.dtype]) for i in graph.inputs}


def _draw(rng: np.random.Generator, given: Input, classes: int) -> np.ndarray:
    shape = given.type.shape
    if classes:
        return rng.integers(0, classes, shape)
    if given.role == "hyper":
        batch = 3 if given.name == "n_valid" else 0.5
        return np.full(shape, HYPER.get(given.name, batch))
    if DTYPES[given.type.dtype].kind != "f":
        return rng.integers(0, 2, shape)
    values = rng.standard_normal(shape)
    if given.role == "data":
        return values
    scaled = values / np.sqrt(int(np.prod(shape[1:])) if len(shape) > 1 else 100)
    return np.abs(scaled) * 0.1 if given.role in ("slot", "const") else scaled


def _classes(graph: Graph) -> dict[str, int]:
    """Number of classes of the inputs that are labels."""
    types, found = graph.types(), dict[str, int]()
    sources = {node.outputs[0].name: node.inputs for node in graph.nodes if OPS[node.op].moves}
    for node in graph.nodes:
        label = OPS[node.op].label
        open_ = [] if label is None else [node.inputs[label]]
        while open_:
            name = open_.pop()
            open_ += sources.get(name, ())
            found[name] = _count(node, types)
    return found


def _count(node: Node, types: Mapping[str, TensorType]) -> int:
    """How many classes the labels of an op have."""
    count, axis = node.attr.get("classes"), node.attr["axis"]
    assert isinstance(axis, int)
    return count if isinstance(count, int) else types[node.inputs[0]].shape[axis]


def save_inputs(path: Path, inputs: Mapping[str, np.ndarray]) -> None:
    """Write an .npz, each name with a '%' in front; raises OSError."""
    path.write_bytes(packed({f"%{name}": array for name, array in inputs.items()}))


def load_inputs(path: Path) -> dict[str, np.ndarray]:
    """Inverse of save_inputs; raises OptionError where the file is missing or no .npz."""
    found = read_npz(path, lambda fault: OptionError(f"the dump's {path.name} cannot be read", got=str(fault)))
    return {name.removeprefix("%"): array for name, array in found.items()}
