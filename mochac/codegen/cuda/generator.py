"""CudaGenerator: generates CUDA C for one device."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mochac.base.records import record
from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.generator import Code, Generator, OnlyVariant, Variant
from mochac.ir.plan import Compiled

if TYPE_CHECKING:
    from mochac.ir.graph import Attr
    from mochac.ir.kernel import Kernel
    from mochac.ir.plan import Launch, Plan
    from mochac.ir.schedule import Schedule

BRANCH_SHARE = 32
"""One part in so many of the device's memory may be taken by a step, so that its branches run concurrently."""


@record
class CudaGenerator(Generator):
    """Generates CUDA C for kernels and steps. Schedules and printer are imported when the first kernel needs them."""

    names_code = True
    joins_items = True
    joins_sums = True
    joins_steps = True
    loops = True
    collectives = "nccl"
    target: CudaTarget

    @property
    def target_name(self) -> str:
        return self.target.name

    @property
    def libraries(self) -> tuple[str, ...]:
        return self.target.libraries

    @property
    def how_called(self) -> Mapping[str, Attr]:
        return self.target.how_called

    @property
    def near_bytes(self) -> int:
        """What a block may have of the memory of a multiprocessor: L1 is as large at least."""
        return self.target.shared_bytes

    @property
    def branch_bytes(self) -> int:
        return self.target.memory_bytes // BRANCH_SHARE

    def choose(self, kernel: Kernel) -> Schedule:
        from mochac.codegen.cuda.schedules import choose

        return choose(kernel, self.target)

    def variants(self, kernel: Kernel, near: Any = None) -> Iterator[Variant]:
        from mochac.codegen.cuda.schedules import variants

        return map(OnlyVariant, variants(kernel, self.target)) if near is None else iter(())

    def refuse_items(self, joined: Kernel) -> str:
        from mochac.codegen.canonical import canonical
        from mochac.codegen.cuda.schedules.items import refuse

        return refuse(canonical(joined)[0], self.target)  # equal layers are asked about once

    def refuse_steps(self, joined: Kernel) -> str:
        from mochac.codegen.cuda.schedules.time_loop import refuse

        return refuse(joined, self.target)

    def print_kernel(self, kernel: Kernel) -> Code:
        from mochac.codegen.cuda.module import print_kernel

        return print_kernel(kernel, self.target)

    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        from mochac.codegen.cuda.exchange import exchange_text
        from mochac.codegen.cuda.module import print_module
        from mochac.codegen.cuda.step import step_text

        step = step_text(plan, self.target) + exchange_text(plan, self.target) if plan is not None else ""
        return print_module(codes, self.target) + step

    def seconds(self, launch: Launch, staged: Kernel, naive: Kernel, schedule: Schedule) -> float | None:
        from mochac.codegen.cuda.estimate import launch_seconds

        return None if launch.call else launch_seconds(launch, staged, naive, schedule, self.target)

    def launched(self, kernel: Kernel, code: Any) -> tuple[Compiled, ...]:
        """Every grid of the kernel."""

        def compiled(grid: Any) -> Compiled:
            of = kernel.name if grid is not code.grids[-1] else ""
            return Compiled(grid.symbol, grid.items, 0, grid.grid, grid.block, grid.shared_bytes, of=of)

        return tuple(map(compiled, code.grids))
