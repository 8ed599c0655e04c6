"""What is common to the machines that code is made for and run on, as types: Machine (CPU) and CudaMachine.

Everything above the pipeline (bank, program, reports) works on either; compile.py chooses. It does nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from mochac.runtime.cpu.executor import CpuExecutor
    from mochac.runtime.cpu.machine import Machine
    from mochac.runtime.cuda.executor import CudaExecutor
    from mochac.runtime.cuda.machine import CudaMachine

AnyMachine = Union["Machine", "CudaMachine"]
Runner = Union["CpuExecutor", "CudaExecutor"]
