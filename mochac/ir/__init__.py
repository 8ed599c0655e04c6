"""The intermediate representations (Graph, Kernel, Schedule) and their tools: parse, verify, run, apply.

Authors of compiler code and tests import from here. Each name is loaded on first use, because a program that comes
from the compile cache needs few of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mochac.ir.applying import apply
    from mochac.ir.build import GraphBuilder
    from mochac.ir.graph import Graph, Input, Loc, Node, Value
    from mochac.ir.interp import Result, run
    from mochac.ir.kernel import Kernel
    from mochac.ir.kernel_interp import run_kernel
    from mochac.ir.kernel_text import parse_kernel
    from mochac.ir.kernel_verify import verify_kernel
    from mochac.ir.schedule import Schedule
    from mochac.ir.text import ParseError, parse
    from mochac.ir.types import TensorType, parse_type
    from mochac.ir.verifier import VerifyError, verify

_HOMES = {
    "applying": ("apply",),
    "build": ("GraphBuilder",),
    "graph": ("Graph", "Input", "Loc", "Node", "Value"),
    "interp": ("Result", "run"),
    "kernel": ("Kernel",),
    "kernel_interp": ("run_kernel",),
    "kernel_text": ("parse_kernel",),
    "kernel_verify": ("verify_kernel",),
    "schedule": ("Schedule",),
    "text": ("ParseError", "parse"),
    "types": ("TensorType", "parse_type"),
    "verifier": ("VerifyError", "verify"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "Graph",
    "GraphBuilder",
    "Input",
    "Kernel",
    "Loc",
    "Node",
    "ParseError",
    "Result",
    "Schedule",
    "TensorType",
    "Value",
    "VerifyError",
    "apply",
    "parse",
    "parse_kernel",
    "parse_type",
    "run",
    "run_kernel",
    "verify",
    "verify_kernel",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'mochac.ir' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"mochac.ir.{_HOME[name]}"), name)
    globals()[name] = value
    return value
