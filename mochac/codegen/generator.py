"""Generator: the interface through which the lowering pipeline turns kernels into code for one target.

A generator holds a target and no other state, so equal targets have equal generators.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from mochac.base.records import record
from mochac.ir.plan import Compiled

if TYPE_CHECKING:  # a plan from the cache runs without kernels
    from mochac.ir.graph import Attr, BoundNode
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
