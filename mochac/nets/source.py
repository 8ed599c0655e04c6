"""Layers, nets and solvers as Python source: the constructor calls that create them.

`mochac convert` writes imported nets with it. It works for any record with fields, and omits default values.
"""

from __future__ import annotations

import json
import keyword
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any

import numpy as np

from mochac.nets.layers.base import Layer
from mochac.nets.layers.config import UNSET, Config
from mochac.nets.layers.fields import spelled
from mochac.nets.solvers.policy import Stages

WIDTH = 110
TAKEN = {
    "check_gradients", "compile", "dump", "explain", "ir", "mochac", "net", "np", "passes", "program", "solver", "test",
    "test_net", "testing",
}  # fmt: skip
"""Names that scripts use; public names of mochac in capitals cannot be names of layers."""


def expression(value: Any) -> str:
    """A Python expression that evaluates to `value`.

    >>> from mochac.nets.layers.neurons import Neurons
    >>> expression({"kernel": (5, 5), "neuron": Neurons.ReLU()}["neuron"]), expression((5, 5))
    ('Neurons.ReLU()', '(5, 5)')
    """
    if isinstance(value, Stages):
        return f"{type(value).__qualname__}({', '.join(map(expression, value.stages))})"
    if is_dataclass(value) and not isinstance(value, type):
        return _call(_name(type(value)), list(_arguments(value)))
    if isinstance(value, np.ndarray):
        return _array(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{expression(k)}: {expression(v)}' for k, v in value.items())}}}"
    if isinstance(value, list) or (isinstance(value, tuple) and any(isinstance(v, tuple) for v in value)):
        return f"[{', '.join(map(expression, value))}]"
    if isinstance(value, tuple):
        inner = ", ".join(map(expression, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return repr(value)


def statement(name: str, value: Any) -> str:
    """An assignment, wrapped if it is long."""
    line = f"{name} = {expression(value)}"
    if len(line) <= WIDTH or not is_dataclass(value):
        return line
    return _wrapped(f"{name} = {_name(type(value))}(", list(_arguments(value)), ")")


def list_statement(head: str, names: Sequence[str], tail: str) -> str:
    """`head` name, name, ... `tail`, wrapped if it is long."""
    line = head + ", ".join(names) + tail
    return line if len(line) <= WIDTH else _wrapped(head, names, tail)


def variables(names: Sequence[str], taken: Collection[str]) -> list[str]:
    """Python names for layers: close to the layer names, distinct from one another and from `taken`.

    >>> variables(["inception/1x1", "Net", "3x3", "inception_1x1"], {"net"})
    ['inception_1x1', 'net_layer', 'layer_3x3', 'inception_1x1_2']
    """
    chosen: list[str] = []
    for name in names:
        new = re.sub(r"\W", "_", name, flags=re.ASCII).lower()
        new = f"layer_{new}" if new[:1].isdigit() or not new else new
        if keyword.iskeyword(new) or new in taken:
            new += "_layer"
        base, k = new, 2
        while new in chosen or new in taken:
            new, k = f"{base}_{k}", k + 1
        chosen.append(new)
    return chosen


def _arguments(value: Any) -> Iterator[str]:
    """Fields with values other than their defaults, as keyword arguments; those of policies by position."""
    by_position = type(value).__qualname__.startswith(("LRPolicy.", "MomPolicy."))
    for f in fields(value):
        given = getattr(value, f.name)
        if not f.init or (f.name != "name" and _is_default(value, f, given)):
            continue
        text = _names(given) if f.name in ("bottoms", "tops") else expression(given)
        yield text if by_position else f"{f.name}={text}"


def _is_default(value: Any, f: Any, given: Any) -> bool:
    if isinstance(value, Layer) and f.name in ("bottoms", "tops"):
        unset = value.default_tops() if f.default is UNSET and f.name == "tops" else f.default
        unset = () if unset in (UNSET, MISSING) else unset
        return tuple(given) == tuple(unset)
    default = f.default_factory() if f.default_factory is not MISSING else f.default
    if default is MISSING or isinstance(given, np.ndarray) or isinstance(default, np.ndarray):
        return False
    return type(given) is type(default) and given == default


def _names(blobs: Sequence[str]) -> str:
    return f"[{', '.join(map(expression, blobs))}]"


def _name(cls: type) -> str:
    """A class as users write it: within its namespace (Neurons.ReLU) if it has one."""
    if "." in cls.__qualname__ or not issubclass(cls, Config):
        return _prefix(cls) + cls.__qualname__
    return _prefix(cls) + spelled(cls)


def _prefix(cls: type) -> str:
    return "mochac.caffe." if ".caffe." in cls.__module__ else ""


def _array(value: np.ndarray) -> str:
    """Equal elements by their shape, others one by one."""
    first = value.reshape(-1)[:1]
    if value.size > 16 and (value == first).all():
        filled = f"full({value.shape}, {first[0].item()!r}" if first.any() else f"zeros({value.shape}"
        return f"np.{filled}, np.{value.dtype})"
    return f"np.array({value.tolist()})"


def _call(name: str, arguments: Sequence[str]) -> str:
    return f"{name}({', '.join(arguments)})"


def _wrapped(head: str, parts: Sequence[str], tail: str) -> str:
    lines, row = [head], "   "
    for part in parts:
        if len(row) + len(part) + 2 > WIDTH and row.strip():
            lines.append(row)
            row = "   "
        row += f" {part},"
    return "\n".join([*lines, row, tail])
