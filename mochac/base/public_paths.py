"""Short import paths: `import mochac.onnx` loads mochac.formats.onnx, as one module under two names.

What users import is named by what it is; the folders follow the compiler's pipeline. Each pair is a line of PATHS.
Packages load their names when they are first used (loaded_later).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PATHS = {
    "mochac.caffe": "mochac.formats.caffe",
    "mochac.errors": "mochac.base.errors",
    "mochac.layers": "mochac.nets.layers",
    "mochac.onnx": "mochac.formats.onnx",
    "mochac.ops": "mochac.ir.ops",
    "mochac.passes": "mochac.ir.passes",
    "mochac.solvers": "mochac.nets.solvers",
    "mochac.testing": "mochac.tools.testing",
}


class PublicPaths:
    """Finder and loader of modules below a public path.

    >>> from mochac.layers import Layer
    >>> Layer.__module__
    'mochac.nets.layers.base'
    """

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> ModuleSpec | None:
        """A spec if `name` is a public path or lies below one."""
        return ModuleSpec(name, self, origin=home) if (home := _home(name)) else None  # pyright: ignore

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """The module where it lies; its own spec is kept for exec_module, since Python replaces it."""
        module = importlib.import_module(str(spec.origin))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Nothing has to run: the module is loaded."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


def loaded_later(
    package: str, homes: Mapping[str, Collection[str] | Mapping[str, str]], namespace: dict[str, Any]
) -> Callable[[str], Any]:
    """`__getattr__` of a package, which loads names when they are first used.

    Args:
        homes: names by the module that defines them; a dict maps them to their names there.
        namespace: globals() of the package, which keeps what is loaded.
    """
    known = {
        name: (module, names[name] if isinstance(names, Mapping) else name)
        for module, names in homes.items()
        for name in names
    }

    def load(name: str) -> Any:
        if name not in known:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module, there = known[name]
        namespace[name] = value = getattr(importlib.import_module(module), there)
        return value

    return load


def _home(name: str) -> str | None:
    for public, home in PATHS.items():
        if name == public or name.startswith(public + "."):
            return home + name.removeprefix(public)
    return None


sys.meta_path.append(PublicPaths())
