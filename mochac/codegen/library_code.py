"""LibraryCode: what stands in a plan where a library's function computes a node; the counterpart of printed code.

pipeline.py puts it in place of a kernel's schedule and text. It knows which function and with what attributes, not how
it is called: that is runtime/cuda/libraries.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from mochac.ir.graph import Attr, Graph
from mochac.ir.program import Compiled

CALL = "call"
UNUSUAL = ("epilogue", "precision", "deterministic")
"""Attributes of a call that are written down only where they are not the usual ones."""


@dataclass(frozen=True)
class LibraryCode:
    """A call, as explain, dump and the plan show it.

    Attributes:
        symbol: the function, "cudnn.conv_fprop".
        call: for Launch.call.
    """

    symbol: str
    call: str
    items = 1
    scratch_bytes = 0

    @property
    def described(self) -> str:
        """The function and what is unusual about the call.

        >>> LibraryCode("cublas.gemm", '{"of": "inner_product", "precision": "tf32", "epilogue": "bias"}').described
        'cublas.gemm, epilogue bias, precision tf32'
        """
        attrs = json.loads(self.call)
        return ", ".join([self.symbol, *(f"{name} {attrs[name]}" for name in UNUSUAL if name in attrs)])

    @property
    def text(self) -> str:
        """A line in place of a kernel's source."""
        return f"// computed by {self.symbol}: {self.call}\n"

    def launched(self) -> Compiled:
        """What plan_memory writes into the Launch."""
        return Compiled(self.symbol, call=self.call)


def call_text(attrs: Mapping[str, Attr]) -> str:
    """What Launch.call says of a call with these attributes.

    >>> call_text({"of": "inner_product", "function": "cublas.gemm"})
    '{"function": "cublas.gemm", "of": "inner_product"}'
    """
    return json.dumps(dict(attrs), sort_keys=True)


def library_calls(graph: Graph) -> dict[str, LibraryCode]:
    """The call of every node that a library computes, by its result's name."""
    return {
        node.outputs[0].name: LibraryCode(str(node.attr["function"]), call_text(node.attr))
        for node in graph.nodes
        if node.op == CALL
    }
