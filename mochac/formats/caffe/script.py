"""A Caffe net or solver as a Python file that users can read, change and run: what `mochac convert` writes.

Data that mochac cannot read, such as databases, becomes an HDF5DataLayer with a list train.txt or test.txt, which the
user has to provide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from mochac.base.escaping import comment, docstring
from mochac.base.records import record
from mochac.formats.caffe.builder import CaffeLayer, ImportOptions
from mochac.formats.caffe.layers.data import batch_size
from mochac.formats.caffe.nets import State, caffe_layers, is_source, known_types, layers_of, name_of, shared
from mochac.formats.caffe.solver import nets_of, solver_of, states_of
from mochac.formats.caffe.text import NetText, read_net, read_solver
from mochac.nets.layers.base import DataLayer, Layer
from mochac.nets.layers.data import HDF5DataLayer
from mochac.nets.layers.transformers import SubMean
from mochac.nets.show import TAKEN, expression, list_statement, statement, variables
from mochac.nets.solvers.solver import Solver
from mochac.training.loop.coffee import Snapshot

DEFAULT_BATCH = 64


@record
class Sides:
    """The layers of both phases; `test` is empty if the file has only one net."""

    name: str
    train: Sequence[Layer]
    test: Sequence[Layer]


@record
class Absent:
    """What the user states about data that mochac cannot read.

    Attributes:
        folder: of train.txt and test.txt.
        shape: of a sample, which some layers need (global pooling); () if not needed.
    """

    folder: Path = Path()
    shape: tuple[int, ...] = ()


def net_script(prototxt: Path, absent: Absent) -> str:
    """Python source for a net: `net`, and `test_net` if the phases differ.

    Raises: as load_net.
    """
    text = read_net(prototxt, known_types())
    sides = _sides((text, text), (State("train"), State("test")), "L2", absent)
    return _file(sides, prototxt, [*_nets(sides)])


def solver_script(prototxt: Path, absent: Absent) -> str:
    """Python source for a solver: `net`, `test_net`, `solver`, and code that trains when the file is run.

    Raises: as load_training.
    """
    text = read_solver(prototxt, known_types())
    message = text.message
    solver = solver_of(message, text.path)
    sides = _sides(nets_of(text), states_of(message), str(message.regularization_type), absent)
    main = _main(sides, prototxt, int(message.test_interval), int(message.random_seed))
    return _file(sides, prototxt, [*_nets(sides), "", *_solver(solver), "", "", *main])


def _sides(texts: tuple[NetText, NetText | None], states: tuple[State, State], kind: str, absent: Absent) -> Sides:
    name, first = _layers(texts[0], states[0], kind, absent)
    second = shared(first, _layers(texts[1], states[1], kind, absent)[1]) if texts[1] else []
    second = second if any(isinstance(layer, DataLayer) for layer in second) else []  # data of another stage
    kept = [layer for layer in first if layer.kind != "Dropout"]
    same = [expression(layer) for layer in kept] == [expression(layer) for layer in second]
    return Sides(name, first, [] if same else second)


def _layers(text: NetText, state: State, kind: str, absent: Absent) -> tuple[str, list[Layer]]:
    sources = [_files(layer, state.phase, absent) for layer in caffe_layers(text, state) if _foreign(layer)]
    return name_of(text), layers_of(text, ImportOptions(state.phase, kind, data=tuple(sources), unread=True), state)


def _foreign(layer: CaffeLayer) -> bool:
    return is_source(layer) and layer.type not in ("DummyData", "HDF5Data", "Input")


def _files(layer: CaffeLayer, phase: str, absent: Absent) -> DataLayer:
    """A data layer for one that mochac cannot read."""
    source, tops = str(absent.folder / f"{phase}.txt"), list(layer.message.top)
    shapes = {tops[0]: absent.shape, **dict.fromkeys(tops[1:], (1,))} if absent.shape else {}
    batch = batch_size(layer) or DEFAULT_BATCH
    return HDF5DataLayer(name=layer.name, source=source, shapes=shapes, batch_size=batch, tops=tops)


def _file(sides: Sides, prototxt: Path, body: list[str]) -> str:
    """The body, with docstring and imports."""
    text = "\n".join([*body, ""])
    head = [f'"""{docstring(sides.name)}, converted from Caffe\'s {docstring(prototxt.name)}."""', ""]
    head += ["import numpy as np", ""] if "np." in text else []
    head += ["import mochac"] if "mochac." in text else []
    return "\n".join([*head, "from mochac import *", "", *_means(sides), text])


def _means(sides: Sides) -> list[str]:
    """A comment with the commands that convert the means which layers use."""
    sources = [layer for layer in (*sides.train, *sides.test) if isinstance(layer, DataLayer)]
    steps = [step for source in sources for _, step in source.transformers]
    files = dict.fromkeys(step.mean_file for step in steps if isinstance(step, SubMean) and step.mean_file)
    wanted = [comment(f"# first run: mochac convert {Path(file).with_suffix('.binaryproto')} {file}") for file in files]
    return [*wanted, ""] if wanted else []


def _nets(sides: Sides) -> Iterator[str]:
    """A variable for each layer, then the nets; two layers of the same name get the phase as a prefix."""
    added = [layer for layer in sides.test if not any(layer is other for other in sides.train)]
    twice = {layer.name for layer in added} & {layer.name for layer in sides.train}
    names = [f"train_{layer.name}" if layer.name in twice else layer.name for layer in sides.train]
    names += [f"test_{layer.name}" if layer.name in twice else layer.name for layer in added]
    layers = [*sides.train, *added]
    spelt = dict(zip(map(id, layers), variables(names, TAKEN), strict=True))
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
    for name, default in (("max_iter", None), ("regu_coef", 0.0005), ("clip_norm", None), ("accumulate", 1)):
        if getattr(solver, name) != default:
            settings.append(f"{name}={getattr(solver, name)!r}")
    yield list_statement("solver = Solver(", settings, ")")
    for entry in solver.breaks:
        coffee = (
            f"Snapshot({expression(str(entry.coffee.folder))})"
            if isinstance(entry.coffee, Snapshot)
            else "TrainingSummary()"
        )
        yield f"solver.add_coffee_break({coffee}, every_n_iter={entry.every_n_iter})"


def _main(sides: Sides, prototxt: Path, test_interval: int, seed: int) -> Iterator[str]:
    """Code that trains, with validation if there is a net for it."""
    yield 'if __name__ == "__main__":'
    yield f"    program = mochac.compile(net{f', seed={seed}' if seed > 0 else ''})"
    if sides.test and test_interval:
        yield "    test = mochac.compile(test_net, params=program.params)"
        yield f"    solver.add_coffee_break(ValidationPerformance(test), every_n_iter={test_interval})"
    yield "    program.train(solver)"
    yield f"    program.save({expression(prototxt.stem + '.h5')})"
