"""The reference: a page for each kind of public name, and one of all operations, written from their docstrings."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import mochac
from mochac.ir.op import OPS
from mochac.ir.scalar import FUNCTIONS
from mochac.nets.layers.base import LAYERS, Layer
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.solver import Solver
from mochac.training.loop.coffee import CoffeeBreak, CoffeeLounge

WIDTH = 100
KINDS = {
    "programs": "Nets and programs",
    "layers": "Layers",
    "solvers": "Solvers and policies",
    "breaks": "Coffee breaks",
    "initializers": "Initializers, regularizers and constraints",
    "estimators": "Estimators",
    "errors": "Errors",
}


def pages() -> Iterator[tuple[str, str]]:
    """(name, Markdown) of every page."""
    kinds: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for name in sorted(mochac.__all__):
        kinds[kind_of(name, getattr(mochac, name))].append(name)
    for kind, names in kinds.items():
        entries = (_entry(name, getattr(mochac, name)) for name in names)
        yield kind, f"# {KINDS[kind]}\n\n" + "\n".join(entries)
    yield "operations", _operations()


def kind_of(name: str, thing: Any) -> str:
    """The page that a public name is on."""
    kind = thing if isinstance(thing, type) else type(thing)
    if issubclass(kind, BaseException):
        return "errors"
    if issubclass(kind, Layer) or name in LAYERS or name in ("Neurons", "Pooling", "LRNMode", "ElementWiseFunctors"):
        return "layers"
    if issubclass(kind, (CoffeeBreak, CoffeeLounge)):
        return "breaks"
    if issubclass(kind, (Method, Solver)) or name.endswith("Policy"):
        return "solvers"
    if name.endswith(("Initializer", "Regu", "Cons")):
        return "initializers"
    return "estimators" if getattr(thing, "__module__", "").startswith("mochac.api.estimators") else "programs"


def _entry(name: str, thing: Any) -> str:
    parts = [f"## {name}\n", _described(thing, f"mochac.{name}")]
    members = vars(thing) if isinstance(thing, type) else {}
    for member, value in members.items():
        if not member.startswith("_") and (text := inspect.getdoc(value)) and _is_member(value):
            parts.append(f"### {name}.{member}\n\n{_described(value, member, text)}")
    return "\n".join(parts)


def _is_member(value: Any) -> bool:
    return isinstance(value, (property, classmethod, staticmethod, type)) or inspect.isfunction(value)


def _described(thing: Any, name: str, text: str | None = None) -> str:
    """The signature, where there is one, and the docstring."""
    if isinstance(thing, ModuleType):
        return _block("text", inspect.getdoc(thing) or "")
    signature = _signature(thing, name)
    doc = text or (inspect.getdoc(thing) if isinstance(thing, type) or callable(thing) else inspect.getdoc(type(thing)))
    return (_block("python", signature) + "\n" if signature else "") + _block("text", doc or "")


def _signature(thing: Any, name: str) -> str:
    if isinstance(thing, (classmethod, staticmethod)):
        thing = thing.__func__
    if isinstance(thing, property) or not callable(thing):
        return ""
    try:
        found = inspect.signature(thing)
    except (TypeError, ValueError):
        return ""
    parameters = [
        str(p.replace(annotation=p.empty)) for p in found.parameters.values() if p.name not in ("self", "cls")
    ]
    line = f"{name}({', '.join(parameters)})"
    return line if len(line) <= WIDTH else f"{name}(\n    " + ",\n    ".join(parameters) + ",\n)"


def _operations() -> str:
    parts = [
        "# Operations\n\nWhat layers of your own may be made of: `ctx.op(name, ...)`, see "
        "[Your own layers](../guide/own-layers.md). Shapes have the batch, N, in front.\n"
    ]
    for name, op in OPS.items():
        module = sys.modules.get(f"mochac.ir.ops.{name}")
        doc = inspect.getdoc(module) or "" if module else ""
        if name in FUNCTIONS:
            doc = f"{name}({', '.join('xyzw'[: FUNCTIONS[name].arity])}), element by element; operands have one shape."
        example = f"takes, for example, ({', '.join(op.samples[0].types)})" if op.samples else ""
        text = "\n\n".join(filter(None, [doc, example]))
        parts.append(f"## {name}\n\n{_block('text', text)}")
    return "\n".join(parts)


def _block(language: str, text: str) -> str:
    return f"```{language}\n{text.strip()}\n```\n" if text.strip() else ""
