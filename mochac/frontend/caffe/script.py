"""A Caffe net or solver as a Python file that users read, change and train.

`mochac convert` writes it. Layers come from the same converters as load_net's; data that Caffe keeps in databases
becomes an HDF5DataLayer that names train.txt or test.txt, for the user to fill.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mochac.frontend.caffe.builder import Options
from mochac.frontend.caffe.layer import CaffeLayer
from mochac.frontend.caffe.nets import caffe_layers, is_source, known_types, layers_of, name_of, shared
from mochac.frontend.caffe.phases import State
from mochac.frontend.caffe.solver import files_of, solver_of
from mochac.frontend.caffe.text import read_net, read_solver
from mochac.frontend.source import expression, list_statement, statement, variables
from mochac.layers.base import Layer, Source
from mochac.layers.hdf5_data import HDF5DataLayer
from mochac.layers.memory_data import MemoryDataLayer
from mochac.runtime.coffee import Snapshot
from mochac.solvers.solver import Solver

DEFAULT_BATCH = 64
_TAKEN = {
    "check_gradients", "compile", "dump", "explain", "ir", "mochac", "net", "np", "passes", "program", "solver", "test",
    "test_net", "testing",
}  # fmt: skip
"""Names that the script has already; public names of mochac in capitals are no layer's."""


@dataclass(frozen=True)
class Sides:
    """The layers of both phases; `test` is empty where the file has one net only."""

    name: str
    train: Sequence[Layer]
    test: Sequence[Layer]


def net_script(prototxt: Path, input_shape: tuple[int, ...] = ()) -> str:
    """Python source of a net's prototxt: `net`, and `test_net` where the phases differ.

    Args:
        input_shape: of one sample, for layers whose fields depend on it (global pooling) behind data that is not there.

    Raises: as load_net.
    """
    sides = _sides(prototxt, prototxt, "L2", input_shape)
    return "\n".join([*_head(sides, prototxt), *_nets(sides), ""])


def solver_script(prototxt: Path, input_shape: tuple[int, ...] = ()) -> str:
    """Python source of a solver's prototxt: `net`, `test_net` and `solver`, and a training when it is run.

    Raises: as load_training.
    """
    message, path = read_solver(prototxt), str(prototxt)
    solver = solver_of(message, path)
    sides = _sides(*files_of(message, path), str(message.regularization_type), input_shape)
    lines = [*_head(sides, prototxt, trains=True), *_nets(sides), "", *_solver(solver), "", ""]
    return "\n".join([*lines, *_main(sides, prototxt, int(message.test_interval), int(message.random_seed)), ""])


def _sides(train: Path, test: Path | None, kind: str, input_shape: tuple[int, ...]) -> Sides:
    name, first = _layers(train, "train", kind, input_shape)
    second = shared(first, _layers(test, "test", kind, input_shape)[1]) if test else []
    kept = [layer for layer in first if layer.kind != "Dropout"]
    alike = len(kept) == len(second) and all(a is b for a, b in zip(kept, second, strict=True))
    return Sides(name, first, [] if alike else second)


def _layers(prototxt: Path, phase: str, kind: str, input_shape: tuple[int, ...]) -> tuple[str, list[Layer]]:
    text, state = read_net(prototxt, known_types()), State(phase)
    stand_ins = {
        layer.name: _stand_in(layer, phase, input_shape) for layer in caffe_layers(text, state) if _foreign(layer)
    }
    options = Options(phase, kind, data=tuple(stand_ins.values()), unread=True)
    return name_of(text), [_from_files(layer, phase) for layer in layers_of(text, options, state)]


def _foreign(layer: CaffeLayer) -> bool:
    return is_source(layer) and layer.type not in ("HDF5Data", "Input")


def _stand_in(layer: CaffeLayer, phase: str, input_shape: tuple[int, ...]) -> Source:
    """A data layer in place of one that mochac cannot read; with arrays, so that its shape is known, if it is given."""
    params = (layer.message.data_param, layer.message.image_data_param, layer.message.memory_data_param)
    batch = next((int(p.batch_size) for p in params if p.HasField("batch_size")), DEFAULT_BATCH)
    fields: dict[str, Any] = {"name": layer.name, "batch_size": batch, "tops": list(layer.message.top)}
    if not input_shape:
        return HDF5DataLayer(source=f"{phase}.txt", **fields)
    shapes = [(batch, *input_shape), *((batch, 1) for _ in layer.message.top[1:])]
    return MemoryDataLayer(data=[np.broadcast_to(np.float32(0), shape) for shape in shapes], **fields)


def _from_files(layer: Layer, phase: str) -> Layer:
    """Data layers of arrays that only stood for files, as files; those for Caffe's inputs stay."""
    if not isinstance(layer, MemoryDataLayer) or len(layer.tops) == 1:
        return layer
    kept = {name: getattr(layer, name) for name in ("name", "batch_size", "tops", "transformers")}
    return HDF5DataLayer(source=f"{phase}.txt", **kept)


def _head(sides: Sides, prototxt: Path, trains: bool = False) -> Iterator[str]:
    yield f'"""{sides.name}, converted from Caffe\'s {prototxt.name}."""'
    yield ""
    if any("np." in expression(layer) for layer in (*sides.train, *sides.test)):
        yield from ["import numpy as np", ""]
    yield from ["import mochac"] if trains else []
    yield from ["from mochac import *", ""]


def _nets(sides: Sides) -> Iterator[str]:
    """A variable for each layer, then the nets; a name that means two layers is told apart by their phase."""
    added = [layer for layer in sides.test if not any(layer is other for other in sides.train)]
    twice = {layer.name for layer in added} & {layer.name for layer in sides.train}
    names = [f"train_{layer.name}" if layer.name in twice else layer.name for layer in sides.train]
    names += [f"test_{layer.name}" if layer.name in twice else layer.name for layer in added]
    layers = [*sides.train, *added]
    spelt = dict(zip(map(id, layers), variables(names, _TAKEN), strict=True))
    for layer in layers:
        yield statement(spelt[id(layer)], layer)
    yield ""
    suffix = "-train" if sides.test else ""
    for variable, name, side in (
        ("net", sides.name + suffix, sides.train),
        ("test_net", f"{sides.name}-test", sides.test),
    ):
        if side:
            yield list_statement(f"{variable} = Net({expression(name)}, [", [spelt[id(layer)] for layer in side], "])")


def _solver(solver: Solver) -> Iterator[str]:
    """The solver with its coffee breaks."""
    settings = [expression(solver.method)]
    for name, default in (("max_iter", None), ("regu_coef", 0.0005), ("clip_norm", None)):
        if getattr(solver, name) != default:
            settings.append(f"{name}={getattr(solver, name)!r}")
    yield list_statement("solver = Solver(", settings, ")")
    for entry in solver.breaks:
        made = (
            f"Snapshot({expression(str(entry.coffee.folder))})"
            if isinstance(entry.coffee, Snapshot)
            else "TrainingSummary()"
        )
        yield f"solver.add_coffee_break({made}, every_n_iter={entry.every_n_iter})"


def _main(sides: Sides, prototxt: Path, test_interval: int, seed: int) -> Iterator[str]:
    """A training, with validation where there is a net for it."""
    yield 'if __name__ == "__main__":'
    yield f"    program = mochac.compile(net{f', seed={seed}' if seed > 0 else ''})"
    if sides.test and test_interval:
        yield "    test = mochac.compile(test_net, params=program.params)"
        yield f"    solver.add_coffee_break(ValidationPerformance(test), every_n_iter={test_interval})"
    yield "    program.train(solver)"
    yield f"    program.save({expression(prototxt.stem + '.h5')})"
