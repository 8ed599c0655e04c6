"""Convolution fused with non-overlapping pooling.
"""
from __future__ import annotations
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.kernel import Kernel
from mochac.ir.schedule import Schedule
def rule(kernel: Kernel, target: CpuTarget) -> Schedule | None:
    return None
