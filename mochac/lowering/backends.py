"""What the pipeline asks of a backend: lanes, a schedule for a kernel, its code, the module, how it is launched.

pipeline.py finds the backend by the target it is given. A backend is stateless: machines (machine.py, cuda_machine.py)
compile its text and run it. It must not know nets.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.cuda.target import CudaTarget
from mochac.errors import BackendError
from mochac.ir.graph import Attr, BoundNode
from mochac.ir.kernel import Kernel
from mochac.ir.program import Compiled, Plan
from mochac.ir.schedule import Schedule

Target = CpuTarget | CudaTarget


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


class Backend(Protocol):
    """One way from Kernels to code."""

    name: str
    """As in compile(backend=)."""
    shares_code: bool
    """Kernels alike but for names have one code; else every kernel's function bears its own names."""
    language: str
    """What the code is written in, for people."""
    ending: str
    """Of a file with such code."""
    splits_sums: bool
    """Whether `parts` may say more than 1."""
    separate_random: bool
    """Random numbers have kernels of their own: computed many at a time they are several times cheaper."""

    @property
    def libraries(self) -> Sequence[str]:
        """Whose functions may compute a node; none on a CPU."""
        ...

    @property
    def how_called(self) -> Mapping[str, Attr]:
        """Attributes of every call of a library."""
        ...

    def lanes(self, dtype: str) -> int:
        """Lanes of the blocked layout; 0: every value stays natural."""
        ...

    def parts(self, bound: BoundNode) -> int:
        """In how many parts a weight gradient is summed (passes/split_sums.py)."""
        ...

    def choose(self, kernel: Kernel, target: Any) -> Schedule:
        """The schedule of a kernel."""
        ...

    def print_kernel(self, kernel: Kernel) -> Code:
        """Code of a scheduled kernel."""
        ...

    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        """The module of these kernels; with `plan` whatever else it takes to run the plan."""
        ...

    def launched(self, code: Any) -> Compiled:
        """What plan_memory writes into the Launch."""
        ...


@dataclass(frozen=True)
class CpuBackend:
    """LLVM IR for x86-64."""

    target: CpuTarget
    name = "cpu"
    shares_code = True
    language, ending = "LLVM IR", "ll"
    libraries: tuple[str, ...] = ()
    splits_sums = False
    separate_random = True

    @property
    def how_called(self) -> Mapping[str, Attr]:
        return {}

    def lanes(self, dtype: str) -> int:
        return self.target.lanes(dtype)

    def parts(self, bound: BoundNode) -> int:
        return 1

    def choose(self, kernel: Kernel, target: CpuTarget) -> Schedule:
        from mochac.codegen.cpu.schedules import choose

        return choose(kernel, target)

    def print_kernel(self, kernel: Kernel) -> Code:
        from mochac.codegen.cpu.module import print_kernel

        return print_kernel(kernel, self.target)

    def module_text(self, codes: Sequence[Any], plan: Plan | None = None) -> str:
        from mochac.codegen.cpu.module import print_module

        return print_module(list(codes))

    def launched(self, code: Any) -> Compiled:
        return Compiled(code.symbol, code.items, code.scratch_bytes)


@dataclass(frozen=True)
class CudaBackend:
    """CUDA C."""

    target: CudaTarget
    name = "cuda"
    shares_code = False
    language, ending = "CUDA C", "cu"
    splits_sums = True
    separate_random = False

    @property
    def libraries(self) -> Sequence[str]:
        return self.target.libraries

    @property
    def how_called(self) -> Mapping[str, Attr]:
        return self.target.how_called

    def lanes(self, dtype: str) -> int:
        return 0

    def parts(self, bound: BoundNode) -> int:
        from mochac.codegen.cuda.schedules.parts import parts

        return parts(bound, self.target)

    def choose(self, kernel: Kernel, target: CudaTarget) -> Schedule:
        from mochac.codegen.cuda.schedules import choose

        return choose(kernel, target)

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


def backend_of(target: Target) -> Backend:
    """The backend that generates code for a target."""
    return CudaBackend(target) if isinstance(target, CudaTarget) else CpuBackend(target)


def require_jinja() -> None:
    """CUDA C is printed through Jinja2's frames.

    Raises:
        BackendError: Jinja2 is not installed.
    """
    if importlib.util.find_spec("jinja2") is None:
        hint = "pip install 'mochac[cuda]'"
        raise BackendError("the CUDA backend prints its code with Jinja2, which is not installed", hint=hint)
