"""The user's FILE: run it, and get `net`, `solver` and `test_net` from it.

It runs as a module, so code under `if __name__ == "__main__":` is not executed.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from mochac.base.errors import MochacError
from mochac.base.records import record
from mochac.base.registry import suggestion
from mochac.formats.caffe.nets import load_net
from mochac.nets.layers.base import DataLayer
from mochac.nets.net import Net
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.nets.solvers.update import Methods
from mochac.runtime.data.source import is_missing
from mochac.tools.cli.command import CliError

MODULE = "__user_file__"
"""Name of its module; the name of the file could hide another module."""


@record
class UserFile:
    """The objects that a FILE defines."""

    path: Path
    net: Net
    solver: Solver | Methods | None = None
    test_net: Net | None = None


def load(file: str) -> UserFile:
    """Run a FILE, or read a Caffe net (.prototxt, phase test).

    Raises:
        CliError: it cannot be read, fails, or defines no net. MochacError: raised by mochac while it runs.
    """
    path = Path(file)
    if path.suffix == ".prototxt":
        return UserFile(path, load_net(path))
    names = _run(path)
    net = names.get("net")
    if not isinstance(net, Net):
        raise CliError(_no_net(path, names))
    solver, test_net = names.get("solver"), names.get("test_net")
    if solver is not None and not isinstance(solver, (Solver, Method, Mapping)):
        raise CliError(
            f"{path}: `solver` is of type {type(solver).__name__}, expected Solver(...) or a method such as SGD(...)"
        )
    if test_net is not None and not isinstance(test_net, Net):
        raise CliError(f"{path}: `test_net` is of type {type(test_net).__name__}, expected a Net")
    return UserFile(path, net, solver, test_net)


def look(file: str) -> Net:
    """The net of a FILE, whose data may be missing; then a note is printed on standard error.

    Raises:
        CliError, MochacError: as of load.
    """
    net = load(file).net
    for layer in net.sources:
        if isinstance(layer, DataLayer) and is_missing(layer):
            print(f"note: the data of {layer.name!r} is missing; the declared shapes are used", file=sys.stderr)
    return net


def execute(file: str) -> None:
    """Run a FILE that defines ops and layers.

    Raises:
        CliError: it cannot be read, or fails. MochacError: raised by mochac while it runs.
    """
    _run(Path(file))


def _run(path: Path) -> dict[str, Any]:
    code = _code(path)
    module = ModuleType(MODULE)
    module.__file__ = str(path)
    sys.modules[MODULE] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        exec(code, module.__dict__)
    except MochacError as error:
        raise _located(error, path) from error
    except (Exception, SystemExit) as error:
        raise CliError(f"{_place(error, path)}: {_summary(error)}") from error
    finally:
        sys.path.pop(0)
    return vars(module)


def _code(path: Path) -> CodeType:
    try:
        source = path.read_bytes()
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror or error}") from None
    try:
        return compile(source, str(path), "exec")
    except SyntaxError as error:
        raise CliError(f"{path}:{error.lineno or 1}: {type(error).__name__}: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:  # the last two: nested too deeply
        raise CliError(f"{path} is not Python: {error}") from error


def _place(error: BaseException, path: Path) -> str:
    """file:line of the innermost frame in the user's file."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename == str(path)]
    return f"{path}:{frames[-1].lineno}" if frames else str(path)


def _summary(error: BaseException) -> str:
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, str) else "the file calls exit()"
    return " ".join("".join(traceback.format_exception_only(error)).split())


def _located(error: MochacError, path: Path) -> MochacError | CliError:
    """The error, with the line of the user's file if it has none."""
    if "\n  at " in str(error) or any(p.at for p in error.problems):
        return error
    return CliError(f"{error.report}\n  at {_place(error, path)}")


def _no_net(path: Path, names: dict[str, Any]) -> str:
    if "net" in names:
        return f"{path}: `net` is of type {type(names['net']).__name__}, expected a Net"
    nets = [name for name, value in names.items() if isinstance(value, Net)]
    close = nets[0] if len(nets) == 1 else suggestion("net", nets)
    hint = f" (rename {close!r}?)" if close else ""
    return f"{path} defines no `net`{hint}"
