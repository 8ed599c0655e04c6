"""Random inputs for a graph, from a fixed seed, with valid class indices as labels.

A dump stores them in a file, one array per graph input; replay reads them.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.files.npy_file import packed, read_npz
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.op import OPS
from mochac.ir.types import DTYPES, TensorType

SEED = 20
HYPER = {"step": 7, "lr": 0.01, "momentum": 0.9, "next_momentum": 0.9, "step_size": 0.01}


def draw_inputs(graph: Graph, seed: int = SEED) -> dict[str, np.ndarray]:
    """Plausible values: standard normal data, parameters scaled by their fan-in, small positive state and tables."""
    rng = np.random.default_rng(seed)
    classes = _classes(graph)
    return {i.name: _draw(rng, i, classes.get(i.name, 0)).astype(DTYPES[i.type.dtype]) for i in graph.inputs}


def _draw(rng: np.random.Generator, given: Input, classes: int) -> np.ndarray:
    shape = given.type.shape
    if classes:
        return rng.integers(0, classes, shape)
    if given.role == "hyper":
        batch = 3 if given.name == "n_valid" else 0.5
        return np.full(shape, HYPER.get(given.name.rpartition(".")[2], batch))
    if DTYPES[given.type.dtype].kind != "f":
        return rng.integers(0, 2, shape)
    values = rng.standard_normal(shape)
    if given.role == "data":
        return values
    scaled = values / np.sqrt(int(np.prod(shape[1:])) if len(shape) > 1 else 100)
    return np.abs(scaled) * 0.1 if given.role in ("slot", "state", "const") else scaled


def _classes(graph: Graph) -> dict[str, int]:
    """Number of classes of the inputs that are labels."""
    types, classes = graph.types(), dict[str, int]()
    sources = {node.outputs[0].name: node.inputs for node in graph.nodes if OPS[node.op].moves}
    for node in graph.nodes:
        label = OPS[node.op].label
        pending = [] if label is None else [node.inputs[label]]
        while pending:
            name = pending.pop()
            pending += sources.get(name, ())
            classes[name] = _count(node, types)
    return classes


def _count(node: Node, types: Mapping[str, TensorType]) -> int:
    """Number of classes of the labels that an op reads."""
    count, axis = node.attr.get("classes"), node.attr["axis"]
    assert isinstance(axis, int)
    return count if isinstance(count, int) else types[node.inputs[0]].shape[axis]


def save_inputs(path: Path, inputs: Mapping[str, np.ndarray]) -> None:
    """Write an .npz file, with a '%' before each name; raises OSError."""
    path.write_bytes(packed({f"%{name}": array for name, array in inputs.items()}))


def load_inputs(path: Path) -> dict[str, np.ndarray]:
    """Read what save_inputs wrote; raises OptionError if the file is missing or not an .npz file."""
    arrays = read_npz(path, lambda fault: OptionError(f"the dump's {path.name} cannot be read", got=str(fault)))
    return {name.removeprefix("%"): array for name, array in arrays.items()}
