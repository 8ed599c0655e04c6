"""The rule of imports: a folder imports only folders before it in FOLDERS, a room only rooms before it, and no files
import each other in a circle.

Imports are read from the source by `ast`: those at the top of a file, inside functions and under TYPE_CHECKING alike.
A new room of mochac/ gets its rank here. A module belongs to the room with the longest name that its own begins with.
"""

import ast
import subprocess
import sys
from functools import cache

from package_source import PACKAGE, modules, statements, tree

FOLDERS = {
    "base": [
        {"base"},
        {"base.errors", "base.registry"},
        {"base.drawing", "base.hints", "base.rules"},
        {"base.options"},
        {"base.support"},
        {"base.files"},
    ],
    "ir": [{"ir"}, {"ir.ops"}, {"ir.passes"}],
    "codegen": [{"codegen"}],
    "runtime": [
        {"runtime.data", "runtime.lowered", "runtime.ranks", "runtime.tables"},
        {"runtime.backend"},
        {"runtime.cpu", "runtime.cuda"},
    ],
    "nets": [{"nets.layers", "nets.solvers"}, {"nets"}],
    "lowering": [{"lowering"}, {"lowering.tuning"}],
    "training": [{"training.session"}, {"training.loop"}, {"training.many"}],
    "inspect": [{"inspect"}, {"inspect.report"}],
    "formats": [
        {"formats.onnx.export"},
        {"formats.importing", "formats.quantization"},
        {"formats.caffe", "formats.clib", "formats.onnx", "formats.pytorch"},
    ],
    "api": [{"api.parameters"}, {"api.program"}, {"api.compiler"}, {"api.dynamo", "api.estimators"}],
    "tools": [{"tools.testing"}, {"tools.fuzzing"}, {"tools.cli"}],
    "__main__": [{"__main__"}],
}
"""The folders by rank, and in each its rooms by rank: what a room may import comes before it, and not in its set."""
RANKS = [rooms for folder in FOLDERS.values() for rooms in folder]
RANK_OF = {room: rank for rank, rooms in enumerate(RANKS) for room in rooms}
NO_CODE = {"", "api", "formats", "runtime", "tools", "training"}
"""Packages that hold nothing but rooms, or public names that are loaded when they are first asked for."""
ALLOWED_CIRCLES: dict[frozenset[str], str] = {}
"""Files that may import each other, and why; at most five."""


@cache
def files() -> dict[str, str]:
    """Every file of the package by the name that imports it, without "mochac."."""
    return {name.removesuffix("__init__").rstrip("."): name for name in modules()}


def room_of(module: str) -> str:
    """The room of longest name that a module lies in."""
    while module and module not in RANK_OF:
        module = module.rpartition(".")[0]
    return module


def _file(module: str) -> str:
    """The file that an imported name stands in: "ir.graph.Graph" -> "ir.graph"."""
    while module and module not in files():
        module = module.rpartition(".")[0]
    return module


@cache
def imported(module: str) -> frozenset[str]:
    """Modules of mochac that a file imports, anywhere in it."""
    found = set()
    for node in statements(tree(files()[module])):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
    inside = {_file(name.removeprefix("mochac").lstrip(".")) for name in found if name.split(".")[0] == "mochac"}
    return frozenset(inside - {module, ""})


def circles() -> list[frozenset[str]]:
    """Sets of files of which each imports, directly or by way of others, every other (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[frozenset[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in sorted(imported(module)):
            if other not in order:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == order[module]:
            at = stack.index(module)
            found.append(frozenset(stack[at:]))
            del stack[at:]

    for module in files():
        if module not in order:
            visit(module)
    return [circle for circle in found if len(circle) > 1]


def test_every_room_has_a_rank():
    without = [module for module in files() if not room_of(module) and module not in NO_CODE]
    assert without == []


def test_rooms_import_only_lower_ranks():
    faults = []
    for module in files():
        if module in NO_CODE:
            continue
        own = room_of(module)
        for other in sorted(imported(module)):
            room = room_of(other)
            if room != own and RANK_OF[room] >= RANK_OF[own]:
                faults.append(f"{module} ({own}) imports {other} ({room})")
    assert not faults, "\n".join(faults)


def test_no_files_import_each_other():
    assert [sorted(circle) for circle in circles() if circle not in ALLOWED_CIRCLES] == []
    assert sum(map(len, ALLOWED_CIRCLES)) <= 5


def test_import_mochac_needs_only_numpy():
    absent = ["llvmlite", "h5py", "jinja2", "sklearn", "pycuda"]
    code = f"import sys; sys.modules.update(dict.fromkeys({absent})); import mochac, mochac.ir"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
