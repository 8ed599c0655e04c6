"""CpuGenerator: generates LLVM IR for one CPU."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from mochac.base.records import record
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.generator import Code, Generator, Rival, Variant

if TYPE_CHECKING:
    from mochac.ir.graph import BoundNode
    from mochac.ir.kernel import Kernel
    from mochac.ir.ops._window import Tiles
    from mochac.ir.plan import Plan
    from mochac.ir.schedule import Schedule


@record
class CpuGenerator(Generator):
    """Generates LLVM IR. Schedules and printer are imported when the first kernel needs them.

    Args:
        precision: of the factors of float32 contractions, "float32" or "bfloat16".
    """

    target: CpuTarget
    precision: str = "float32"
    separate_random = True
    loops = True
    joins_gates = True
    joins_rows = True
    joins_items = True
    whole_items = True
    tiles = True

    @property
    def pairs(self) -> bool:
        return self.precision == "bfloat16"

    @property
    def near_bytes(self) -> int:
        return self.target.machine.l2.n_bytes

    @property
    def target_name(self) -> str:
        return self.target.name

    def lanes(self, dtype: str) -> int:
        return self.target.lanes(dtype)

    def choose(self, kernel: Kernel) -> Schedule:
        from mochac.codegen.cpu.schedules import choose

        return choose(kernel, self.target)

    def tiles_of(self, node: BoundNode, paired: bool = False) -> Tiles | None:
        from mochac.codegen.cpu.schedules.winograd_cost import tiles_of
        from mochac.ir.ops._window import Correlation

        found = Correlation.of(node)
        return None if found is None else tiles_of(found, self.target, paired)

    def refuse_gates(self, parts: Sequence[Kernel], joined: Kernel) -> str:
        from mochac.codegen.cpu.schedules import choose
        from mochac.codegen.cpu.schedules.gates import refuse

        return refuse(parts, joined, self.target, choose)

    def rounds(self, joined: Kernel) -> tuple[bool, ...] | None:
        from mochac.codegen.cpu.schedules import factored
        from mochac.codegen.cpu.schedules.joined_kernels import rounds_rarely

        schedule = factored(joined, self.target)
        return schedule and rounds_rarely(joined, schedule)

    def variants(self, kernel: Kernel, near: Any = None) -> Iterator[Variant]:
        from mochac.codegen.cpu.schedules import variants

        return variants(kernel, self.target, near)

    def offers(self, kernel: Kernel) -> tuple[list[Rival], list[str]]:
        from mochac.codegen.cpu.schedules import offers

        return offers(kernel, self.target)

    def print_kernel(self, kernel: Kernel) -> Code:
        from mochac.codegen.cpu.module import print_kernel

        return print_kernel(kernel, self.target)

    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        from mochac.codegen.cpu.module import print_module

        return print_module(list(codes))
