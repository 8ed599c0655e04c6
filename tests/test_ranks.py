"""The house's import rule: a room imports only rooms of lower rank, read from the source by `ast`.

A new room or module of mochac/ gets its rank here. Rooms of one rank never import each other.
"""

import ast
import subprocess
import sys
from pathlib import Path

import mochac.ir

PACKAGE = Path(mochac.ir.__file__).parent.parent
RANKS = [
    {"array_like", "errors", "memory", "mocha_names", "registry"},
    {"habits", "options"},
    {"ir"},
    {"ops"},
    {"passes", "layers", "solvers", "codegen", "runtime"},
    {"frontend"},
    {"driver", "testing"},
    {"estimators"},
    {"cli", "caffe", "__init__"},
    {"__main__"},
]
RANK_OF = {room: rank for rank, rooms in enumerate(RANKS) for room in rooms}


def room_of(module: str) -> str:
    """mochac.ir.graph -> ir; mochac itself -> __init__."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def imported(path: Path) -> set[str]:
    """Dotted names of mochac modules that a file imports, anywhere in it; the version is data that anyone may read."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            rooms = node.module == "mochac"
            found.update(f"mochac.{a.name}" if rooms else str(node.module) for a in node.names)
    return {name for name in found if name.split(".")[0] == "mochac"} - {"mochac.__version__"}


def exported() -> set[str]:
    """Names that `from mochac import name` may give without naming a room."""
    return {p.stem for p in PACKAGE.iterdir() if p.suffix == ".py" or any(p.glob("*.py"))}


def files() -> list[Path]:
    return sorted(p for p in PACKAGE.rglob("*.py") if "templates" not in p.relative_to(PACKAGE).parts)


def own_room(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def test_every_room_has_a_rank():
    assert {own_room(p) for p in files()} <= set(RANK_OF)


def test_rooms_import_only_lower_ranks():
    known, faults = exported(), []
    for path in files():
        own = own_room(path)
        for module in sorted(imported(path)):
            room = room_of(module) if room_of(module) in known else "__init__"
            if room != own and RANK_OF.get(room, 99) >= RANK_OF.get(own, -1):
                faults.append(f"{path.relative_to(PACKAGE)} ({own}) imports {module} ({room})")
    assert not faults, "\n".join(faults)


def test_import_mochac_needs_only_numpy():
    absent = ["llvmlite", "h5py", "jinja2", "sklearn", "pycuda"]
    code = f"import sys; sys.modules.update(dict.fromkeys({absent})); import mochac, mochac.ir"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=PACKAGE.parent)
