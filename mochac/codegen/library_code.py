"""LibraryCode: represents a node that a library function computes in a plan, as KernelCode represents generated code.

It states which function is called with which attributes. How to call it is in runtime/cuda/libraries; how ranks
exchange values is in runtime/cpu/exchange.py and runtime/cuda/exchange.py.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from mochac.base.records import record
from mochac.ir.graph import Attr, Graph
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, RANK_SUM, Compiled

CALL = "call"
EXCHANGES = (EXCHANGE_START, EXCHANGE_WAIT)
EXCHANGE_ATTRS = ("bucket", "ranks")
"""Attributes of exchanges, and of the sums that a library forms for them, that their launches have, too."""
UNUSUAL = ("epilogue", "precision", "deterministic", "engine")
"""Attributes of a call that are shown only where they differ from the default."""


@record
class LibraryCode:
    """A library call, as explain, dump and the plan show it.

    Attributes:
        symbol: the function, such as "cudnn.conv_fprop".
        call: the text for Launch.call.
    """

    symbol: str
    call: str
    items = 1
    scratch_bytes = 0

    @property
    def exchanges(self) -> bool:
        """Whether it is part of an exchange between ranks."""
        return self.symbol in EXCHANGES or self.symbol.endswith(f".{RANK_SUM}")

    @property
    def described(self) -> str:
        """The function and the non-default attributes of the call.

        >>> LibraryCode("cublas.gemm", '{"of": "inner_product", "precision": "tf32", "epilogue": "bias"}').described
        'cublas.gemm, epilogue bias, precision tf32'
        """
        attrs = json.loads(self.call)
        return ", ".join([self.symbol, *(f"{name} {attrs[name]}" for name in UNUSUAL if name in attrs)])

    @property
    def text(self) -> str:
        """A comment line that takes the place of a kernel's source."""
        return f"// computed by {self.symbol}: {self.call}\n"

    def launched(self) -> Compiled:
        """What plan_memory writes into the Launch."""
        return Compiled(self.symbol, call=self.call)


def call_text(attrs: Mapping[str, Attr]) -> str:
    """The text of Launch.call for a call with these attributes.

    >>> call_text({"of": "inner_product", "function": "cublas.gemm"})
    '{"function": "cublas.gemm", "of": "inner_product"}'
    """
    return json.dumps(dict(attrs), sort_keys=True)


def library_calls(graph: Graph) -> dict[str, LibraryCode]:
    """The call of every node that a library computes, by the name of its result."""
    return {
        node.outputs[0].name: LibraryCode(str(node.attr["function"]), call_text(node.attr))
        for node in graph.nodes
        if node.op == CALL
    }


def exchange_calls(graph: Graph, library: str = "") -> dict[str, LibraryCode]:
    """The halves of exchanges between ranks, and the sums that a library forms, by the name of the first result."""
    names = {name: name for name in EXCHANGES} | {RANK_SUM: f"{library}.{RANK_SUM}"}
    calls: dict[str, LibraryCode] = {}
    for node in graph.nodes:
        if node.op in names:
            attrs = {name: node.attr[name] for name in EXCHANGE_ATTRS if name in node.attr}
            calls[node.outputs[0].name] = LibraryCode(names[node.op], call_text(attrs))
    return calls


def ranks_of(call: str) -> int:
    """The number of ranks whose values a call adds up.

    >>> ranks_of('{"function": "nccl.rank_sum", "of": "rank_sum", "ranks": 4}')
    4
    """
    return int(json.loads(call)["ranks"])
