"""The intermediate representations (Graph, Kernel, Schedule) and their tools: parse, verify, run, apply.

Authors of compiler code and tests import from here. Each name is loaded on first use, because a program that comes
from the compile cache needs few of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mochac.base.public_paths import loaded_later

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
    "mochac.ir.applying": ("apply",),
    "mochac.ir.build": ("GraphBuilder",),
    "mochac.ir.graph": ("Graph", "Input", "Loc", "Node", "Value"),
    "mochac.ir.interp": ("Result", "run"),
    "mochac.ir.kernel": ("Kernel",),
    "mochac.ir.kernel_interp": ("run_kernel",),
    "mochac.ir.kernel_text": ("parse_kernel",),
    "mochac.ir.kernel_verify": ("verify_kernel",),
    "mochac.ir.schedule": ("Schedule",),
    "mochac.ir.text": ("ParseError", "parse"),
    "mochac.ir.types": ("TensorType", "parse_type"),
    "mochac.ir.verifier": ("VerifyError", "verify"),
}

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


__getattr__ = loaded_later("mochac.ir", _HOMES, globals())
