"""mochac/__init__.pyi, written from the public names: what a type checker and an editor know of `from mochac import *`.

The package loads its names when they are first asked for, which only a running Python sees.
"""

from collections.abc import Iterator

import mochac
from mochac.base import errors

HEAD = '''"""The public names for type checkers; written by `make golden` from what mochac exports."""

'''


def render() -> str:
    """The stub."""
    homes: dict[str, list[str]] = {}
    modules = []
    for name in mochac.__all__:
        home = _home(name)
        if home != "mochac":
            homes.setdefault(home, []).append(name)
        else:
            modules.append(name)
    lines = [f"from {folder} import {name} as {name}" for folder, name in map(_place, [*modules, *mochac._NOT_IN_ALL])]
    lines += [line for home in sorted(homes) for line in _imports(home, homes[home])]
    listed = [f'    "{name}",' for name in mochac.__all__]
    return HEAD + "\n".join([*lines, "", "__version__: str", "__all__ = [", *listed, "]"]) + "\n"


def _home(name: str) -> str:
    """The module that a public name is imported from."""
    return "mochac.base.errors" if hasattr(errors, name) else getattr(getattr(mochac, name), "__module__", "mochac")


def _place(name: str) -> tuple[str, str]:
    """The folder of a public module or the module of a public function, and its name there."""
    home = _home(name)
    return (home if home != "mochac" else getattr(mochac, name).__name__.rpartition(".")[0], name)


def _imports(home: str, names: list[str]) -> Iterator[str]:
    one = f"from {home} import " + ", ".join(names)
    if len(one) <= 120:
        yield one
    else:
        yield f"from {home} import ("
        yield from (f"    {name}," for name in names)
        yield ")"
