"""Generator: the interface through which the lowering pipeline turns kernels into code for one target.

A generator holds a target and no other state, so equal targets have equal generators.

LibraryCode represents a node that a library function computes in a plan, as the code of a generator represents a
kernel. It states which function is called with which attributes. How to call it is in runtime/cuda/libraries; how ranks
exchange values is in runtime/cpu/exchange.py and runtime/cuda/exchange.py.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from mochac.base.records import record
from mochac.ir.graph import Attr, Graph
from mochac.ir.plan import EXCHANGE_START, EXCHANGE_WAIT, RANK_SUM, Compiled

if TYPE_CHECKING:
    from mochac.ir.graph import BoundNode
    from mochac.ir.kernel import Kernel
    from mochac.ir.ops._window import Tiles
    from mochac.ir.plan import Launch, Plan
    from mochac.ir.schedule import Schedule


class Code(Protocol):
    """Generated code of one kernel: function text, symbol, number of parallel items, scratch bytes per thread."""

    @property
    def symbol(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def items(self) -> int: ...
    @property
    def scratch_bytes(self) -> int: ...


class Variant(Protocol):
    """A schedule that a search may try, with whatever the generator needs to find neighbouring schedules."""

    @property
    def schedule(self) -> Schedule: ...


@record
class Rival:
    """A schedule that another rule offers for a kernel, and how many times as long as the chosen one it is predicted to
    take."""

    name: str
    times: float


@record
class OnlyVariant:
    """The variant of a generator that has only one schedule for a kernel."""

    schedule: Schedule


class Generator(ABC):
    """Turns kernels into code for one target."""

    names_code: ClassVar[bool] = False
    """Code shows layers and operands by name: if several kernels differ only in names, the names of the first one."""
    separate_random: ClassVar[bool] = False
    """Random numbers get kernels of their own: computing many at a time is several times cheaper."""

    loops: ClassVar[bool] = False
    """The backend runs loops over time (scan)."""

    collectives: ClassVar[str] = ""
    """The library whose calls add up the values of a bucket over the ranks; "" if the two halves of the exchange do
    it."""
    joins_sums: ClassVar[bool] = False
    """Every kernel is a launch of its own, so sums at the end of a step are joined (passes/join_launches.py)."""

    joins_steps: ClassVar[bool] = False
    """Every kernel is a launch of its own, so all steps of a loop over time become one kernel where that is possible
    (passes/join_launches.py)."""

    joins_gates: ClassVar[bool] = False
    """A product and what reads equal parts of its columns may be one kernel (passes/join_products.py)."""

    joins_rows: ClassVar[bool] = False
    """The order of a row's sums depends on the rows of one part only (passes/join_rows.py)."""

    joins_items: ClassVar[bool] = False
    """Products and sums of an item, such as a sample and a head, may be one kernel (passes/join_items.py)."""

    whole_items: ClassVar[bool] = False
    """A worker computes whole items, such as samples, one after the other, and adds up sums over rows beside these
    (passes/sums.py)."""

    tiles: ClassVar[bool] = False
    """Convolutions may be computed by tiles, with fewer multiplications (passes/fast_convolutions.py)."""

    @property
    def pairs(self) -> bool:
        """Factors of float32 contractions are rounded to pairs of bfloat16 (passes/pair_factors.py)."""
        return False

    @property
    def near_bytes(self) -> int:
        """Size of the memory in which a row of a row group stays while a kernel goes over it; 0: no row groups."""
        return 0

    @property
    @abstractmethod
    def target_name(self) -> str:
        """What code is generated for, such as "haswell" or "sm_90"."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """Libraries whose functions may compute nodes."""
        return ()

    @property
    def how_called(self) -> Mapping[str, Attr]:
        """Attributes that every library call gets."""
        return {}

    @property
    def branch_bytes(self) -> int:
        """Memory that a step may take so that its branches run concurrently; 0 where they cannot."""
        return 0

    def lanes(self, dtype: str) -> int:
        """Lanes of the blocked layout; 0 keeps every value in natural layout."""
        return 0

    @abstractmethod
    def choose(self, kernel: Kernel) -> Schedule:
        """The schedule that the rules choose for a kernel."""

    def tiles_of(self, node: BoundNode, paired: bool = False) -> Tiles | None:
        """The tiles by which a convolution is faster (passes/fast_convolutions.py) than directly, with pairs of
        bfloat16 if it is `paired`; None if it is not."""
        return None

    def refuse_gates(self, parts: Sequence[Kernel], joined: Kernel) -> str:
        """Why a product, what reads it, and both as one kernel should stay two kernels; "" if they should not."""
        return ""

    def refuse_items(self, joined: Kernel) -> str:
        """Why the kernels of which this one is composed should not be computed item by item; "" if they should."""
        return ""

    def refuse_steps(self, joined: Kernel) -> str:
        """Why the kernels of a loop over time should not become this kernel; "" if they should."""
        return ""

    def rounds(self, joined: Kernel) -> tuple[bool, ...] | None:
        """For each factor that a joined kernel rounds and multiplies, whether it is rounded about
        once; None if it cannot be scheduled."""
        return None

    def variants(self, kernel: Kernel, near: Any = None) -> Iterator[Variant]:
        """Schedules for a search to try, the rules' choice first.

        Args:
            near: yield neighbours of this earlier variant; None: start from the rules' choice.
        """
        if near is None:
            yield OnlyVariant(self.choose(kernel))

    def offers(self, kernel: Kernel) -> tuple[list[Rival], list[str]]:
        """The schedules that were compared with the one that the rules choose, the quickest first; and the rules of
        which a step does not fit the kernel, with the reason."""
        return [], []

    @abstractmethod
    def print_kernel(self, kernel: Kernel) -> Code:
        """Code of a scheduled kernel."""

    @abstractmethod
    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        """The module of these kernels; with `plan`, also what running the plan needs."""

    def seconds(self, launch: Launch, staged: Kernel, naive: Kernel, schedule: Schedule) -> float | None:
        """How long a launch of a kernel takes by a model of the device; None without a model."""
        return None

    def launched(self, kernel: Kernel, code: Any) -> tuple[Compiled, ...]:
        """What plan_memory writes into the Launch of a kernel, or the Launches of its grids (ir/grids.py)."""
        return (Compiled(code.symbol, code.items, code.scratch_bytes),)


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
