"""The intermediate languages and their tools: what compiler authors and tests import.

Data: Graph, Kernel, Schedule. Tools: parse, verify, run (the interpreter), apply (a schedule to a kernel). Layers,
passes and machines are unknown here.
"""

from mochac.ir.apply import apply
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Graph, Input, Loc, Node, Value
from mochac.ir.interp import Result, run
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
from mochac.ir.text import ParseError, parse
from mochac.ir.types import TensorType, parse_type
from mochac.ir.verify import VerifyError, verify

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
    "parse_type",
    "run",
    "verify",
]
