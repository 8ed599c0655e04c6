"""What is common to the machines that code is made for and run on, as types: Machine (CPU) and CudaMachine.

Everything above the pipeline (bank, program, reports) works on either; compile.py chooses. It does nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Union

if TYPE_CHECKING:
    from mochac.driver.cuda_machine import CudaMachine
    from mochac.driver.machine import Machine
    from mochac.runtime.cpu import CpuPlan
    from mochac.runtime.cuda.plan import CudaPlan

AnyMachine = Union["Machine", "CudaMachine"]
Runner = Union["CpuPlan", "CudaPlan"]
