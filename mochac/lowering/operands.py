"""Operands for kernels that are checked or measured.

Random inputs for a graph, from a fixed seed, with valid class indices as labels.

A dump stores them in a file, one array per graph input; replay reads them.

Operands for a kernel that runs alone, its expected results, from the interpreters, and what they may differ by.

Floats are random. Other operands (positions of maxima, masks) are computed from random ones by the graph's own nodes,
so that they are as in a net.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.files.array_files import packed, read_npz
from mochac.base.records import record
from mochac.base.support.memory import difference
from mochac.ir.bfloat16 import pair
from mochac.ir.graph import Graph, Input, Node
from mochac.ir.interp import run
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.op import OPS
from mochac.ir.passes.groups import is_alias
from mochac.ir.types import DTYPES, FLOATS, PAIRS, TensorType

SEED = 20
HYPER = {"step": 7, "lr": 0.01, "momentum": 0.9, "next_momentum": 0.9, "step_size": 0.01}


def draw_inputs(graph: Graph, seed: int = SEED) -> dict[str, np.ndarray]:
    """Plausible values: standard normal data, parameters scaled by their fan-in, small positive state and tables."""
    rng = np.random.default_rng(seed)
    classes = _classes(graph)
    return {i.name: _draw(rng, i, classes.get(i.name, 0)).astype(DTYPES[i.type.dtype]) for i in graph.inputs}


def _draw(rng: np.random.Generator, i: Input, classes: int) -> np.ndarray:
    shape = i.type.shape
    if classes:
        return rng.integers(0, classes, shape)
    if i.role == "hyper":
        batch = 3 if i.name == "n_valid" else 0.5
        return np.full(shape, HYPER.get(i.name.rpartition(".")[2], batch))
    if DTYPES[i.type.dtype].kind != "f":
        return rng.integers(0, 2, shape)
    values = rng.standard_normal(shape)
    if i.role == "data":
        return values
    scaled = values / np.sqrt(int(np.prod(shape[1:])) if len(shape) > 1 else 100)
    return np.abs(scaled) * 0.1 if i.role in ("slot", "state", "const") else scaled


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


MOST_ODD = 0.05
"""Fraction of a result that may be NaN or infinite; above it, positive operands are used."""
SLACK = 8
"""Allowed difference from the interpreter, in tolerances of the ops: the interpreter adds in another order."""
MAX_FLIPPED = 1e-3
"""Fraction of a result's integers that may differ: of two nearly equal elements either may be the larger."""
FAULTS = (ValueError, IndexError, KeyError, ArithmeticError, MemoryError)
"""What an op's reference may raise for values that do not occur in a net, or for too many of them."""


@record
class Operands:
    """Arrays in the order of kernel.inputs and kernel.outputs, with their shapes."""

    inputs: tuple[np.ndarray, ...]
    wanted: tuple[np.ndarray, ...]


def operands(graph: Graph, kernel: Kernel, inputs: Mapping[str, np.ndarray]) -> Operands | None:
    """Operands and results of a kernel of a fused graph; None if there are none, as for copies of states.

    Args:
        inputs: plausible inputs of the whole graph (draw_inputs).
    """
    types = graph.types()
    if any(b.name not in types for b in (*kernel.inputs, *kernel.outputs)):
        return None
    part = alone(graph, kernel)
    drawn = draw_inputs(part)
    known = {name: inputs[name] for name in drawn if name in inputs}
    for feed in (drawn, {name: _positive(a) for name, a in drawn.items()}):
        try:
            values = run(part, {**feed, **known}).values
        except FAULTS:
            continue
        found = Operands(_arrays(values, kernel.inputs), _arrays(values, kernel.outputs))
        if all(_odd_part(a) <= MOST_ODD for a in found.wanted):
            return found
    return None


def any_operands(kernel: Kernel, seed: int = 20) -> Operands:
    """Random operands for a kernel that is no part of a graph, such as a copy of a state or the body of a loop; the
    interpreter of kernels computes the results."""
    rng = np.random.default_rng(seed)
    inputs = {b.name: _drawn(rng, b) for b in kernel.inputs}
    return Operands(tuple(inputs.values()), tuple(run_kernel(kernel, inputs).values()))


def _drawn(rng: np.random.Generator, buffer: Buffer) -> np.ndarray:
    if buffer.type.dtype == PAIRS:
        return pair(*rng.uniform(0.5, 1.5, (2, *buffer.type.shape)).astype(np.float32))
    kind = DTYPES[buffer.type.dtype]
    drawn = rng.uniform(0.5, 1.5, buffer.type.shape) if kind.kind == "f" else rng.integers(0, 2, buffer.type.shape)
    return np.asarray(drawn, kind)


def mismatch(kernel: Kernel, wanted: np.ndarray, got: np.ndarray) -> str:
    """How a result of a kernel's code differs from the interpreter's; "" if its operations allow the difference."""
    if wanted.dtype.kind != "f":
        flipped = float(np.mean(wanted != got)) if wanted.size else 0.0
        return f"{100 * flipped:.3g} % of the elements differ" if flipped > MAX_FLIPPED else ""
    allowed = SLACK * max((OPS[op].tolerance for op in kernel.ops if op in OPS), default=0.0)  # a copy is exact
    allowed *= 1.0 if wanted.dtype == np.float32 else 1e-7
    gap = difference(wanted, got)
    return f"relative difference {gap:.3g}, at most {allowed:.3g} is allowed" if gap > allowed else ""


def alone(graph: Graph, kernel: Kernel) -> Graph:
    """The nodes that a kernel computes, preceded by those that compute operands which cannot be random."""
    makers, types = graph.producers(), graph.types()
    inputs = {b.name for b in kernel.inputs}
    nodes: dict[str, Node] = {}
    drawn: set[str] = set()

    def derive(names: Iterable[str], inside: bool) -> None:
        stack = list(names)
        while stack:
            name = stack.pop()
            node = makers.get(name)
            if node is None or (not inside and _can_be_drawn(graph, name, makers)):
                drawn.add(name)
            elif node.outputs[0].name not in nodes and not (inside and name in inputs):
                nodes[node.outputs[0].name] = node
                stack += node.inputs

    derive((b.name for b in kernel.outputs), inside=True)
    derive(inputs, inside=False)
    results = {out.name for node in nodes.values() for out in node.outputs}
    inputs = {i.name: i for i in graph.inputs}
    return graph.with_(
        inputs=tuple(inputs.get(name) or Input(name, types[name], "data") for name in sorted(drawn - results)),
        nodes=tuple(node for node in graph.nodes if node.outputs[0].name in nodes),
        outputs=tuple(b.name for b in kernel.outputs),
        updates=(),
    )


def _can_be_drawn(graph: Graph, name: str, makers: Mapping[str, Node]) -> bool:
    """Whether a value may be random: floats, except an input of the graph in another layout or shape (maybe labels)."""
    source = name
    while source in makers and (makers[source].op == "relayout" or is_alias(makers[source])):
        source = makers[source].inputs[0]
    return source in makers and graph.types()[name].dtype in FLOATS


def _arrays(values: Mapping[str, np.ndarray], buffers: Iterable[Buffer]) -> tuple[np.ndarray, ...]:
    return tuple(values[b.name].reshape(b.type.shape) for b in buffers)


def _positive(a: np.ndarray) -> np.ndarray:
    return np.abs(a) + a.dtype.type(0.5) if a.dtype.kind == "f" else a


def _odd_part(a: np.ndarray) -> float:
    return float(np.mean(~np.isfinite(a))) if a.dtype.kind == "f" and a.size else 0.0
