"""CudaGenerator: generates CUDA C for one device."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mochac.codegen.cuda.target import CudaTarget
from mochac.codegen.generator import Code, Generator
from mochac.errors import BackendError
from mochac.ir.program import Compiled

if TYPE_CHECKING:
    from mochac.ir.graph import Attr, BoundNode
    from mochac.ir.kernel import Kernel
    from mochac.ir.program import Plan
    from mochac.ir.schedule import Schedule


@dataclass(frozen=True)
class CudaGenerator(Generator):
    """Generates CUDA C for kernels and steps. Schedules and printer are imported when the first kernel needs them."""

    target: CudaTarget
    splits_sums = True

    @property
    def target_name(self) -> str:
        return self.target.name

    @property
    def libraries(self) -> tuple[str, ...]:
        return self.target.libraries

    @property
    def how_called(self) -> Mapping[str, Attr]:
        return self.target.how_called

    def parts(self, bound: BoundNode) -> int:
        from mochac.codegen.cuda.schedules.parts import parts

        return parts(bound, self.target)

    def choose(self, kernel: Kernel) -> Schedule:
        from mochac.codegen.cuda.schedules import choose

        return choose(kernel, self.target)

    def print_kernel(self, kernel: Kernel) -> Code:
        require_jinja()
        from mochac.codegen.cuda.module import print_kernel

        return print_kernel(kernel, self.target)

    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        require_jinja()
        from mochac.codegen.cuda.module import print_module
        from mochac.codegen.cuda.step import step_text

        return print_module(codes, self.target) + (step_text(plan) if plan is not None else "")

    def launched(self, code: Any) -> Compiled:
        return Compiled(code.symbol, code.items, code.scratch_bytes, code.grid, code.block, code.shared_bytes)


def require_jinja() -> None:
    """Check that Jinja2 is installed; CUDA C is printed through its templates.

    Raises:
        BackendError: it is not.
    """
    if importlib.util.find_spec("jinja2") is None:
        hint = "pip install 'mochac[cuda]'"
        raise BackendError("the CUDA backend needs Jinja2, which is not installed", hint=hint)
