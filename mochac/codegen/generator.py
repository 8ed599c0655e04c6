"""Generator: how one backend turns kernels into code; what the lowering pipeline asks of it.

A generator is made for a target and keeps no state: equal targets have equal generators.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from mochac.ir.program import Compiled

if TYPE_CHECKING:  # a plan from the cache is run without kernels
    from mochac.ir.graph import Attr, BoundNode
    from mochac.ir.kernel import Kernel
    from mochac.ir.program import Plan
    from mochac.ir.schedule import Schedule


class Code(Protocol):
    """Printed code of one kernel: function text, symbol, items that threads share, scratch bytes a thread."""

    @property
    def symbol(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def items(self) -> int: ...
    @property
    def scratch_bytes(self) -> int: ...


class Variant(Protocol):
    """A schedule that a search may try, with whatever the generator needs to find its neighbours."""

    @property
    def schedule(self) -> Schedule: ...


@dataclass(frozen=True)
class OnlyVariant:
    """The variant of a generator that has one schedule for a kernel."""

    schedule: Schedule


class Generator(ABC):
    """From kernels to code for one target."""

    shares_code: ClassVar[bool] = False
    """Kernels that differ in names only have one code; otherwise every kernel's function bears its own names."""
    separate_random: ClassVar[bool] = False
    """Random numbers have kernels of their own: computing many at a time is several times cheaper."""
    splits_sums: ClassVar[bool] = False
    """`parts` may be more than 1."""

    @property
    @abstractmethod
    def target_name(self) -> str:
        """What code is generated for, such as "haswell" or "sm_90"."""

    @property
    def libraries(self) -> tuple[str, ...]:
        """Libraries whose functions may compute a node."""
        return ()

    @property
    def how_called(self) -> Mapping[str, Attr]:
        """Attributes of every call of a library."""
        return {}

    def lanes(self, dtype: str) -> int:
        """Lanes of the blocked layout; 0: every value stays natural."""
        return 0

    def parts(self, bound: BoundNode) -> int:
        """In how many parts a weight gradient is summed (passes/split_sums.py)."""
        return 1

    @abstractmethod
    def choose(self, kernel: Kernel) -> Schedule:
        """The schedule of a kernel, by rule."""

    def variants(self, kernel: Kernel, near: Any = None) -> Iterator[Variant]:
        """Schedules for a search to try, the rule's first.

        Args:
            near: an earlier variant whose neighbours are wanted; None: start at the rule's.
        """
        if near is None:
            yield OnlyVariant(self.choose(kernel))

    @abstractmethod
    def print_kernel(self, kernel: Kernel) -> Code:
        """Code of a scheduled kernel."""

    @abstractmethod
    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        """The module of these kernels; with `plan`, whatever else running the plan takes."""

    def launched(self, code: Any) -> Compiled:
        """What plan_memory writes into the Launch."""
        return Compiled(code.symbol, code.items, code.scratch_bytes)
