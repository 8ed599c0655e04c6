"""How kernels begin that may be launched before the kernels that they follow have ended."""

from __future__ import annotations

from mochac.codegen.cuda.target import CudaTarget


def beginning(target: CudaTarget) -> list[str]:
    """The first statements of every kernel."""
    return ["mochac_begin_early();"] if target.early else []
