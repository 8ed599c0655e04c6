"""How kernels begin that may be launched before the kernels that they follow have ended."""

from __future__ import annotations

import re

from mochac.codegen.cuda.target import CudaTarget

_CONSTANT = re.compile(r"(const [\w ]+)\* __restrict__ ")


def beginning(target: CudaTarget) -> list[str]:
    """The first statements of every kernel."""
    return ["mochac_begin_early();"] if target.early else []


def early_parameters(text: str, target: CudaTarget) -> str:
    """Remove `__restrict__` from buffers that a function reads, if it begins with `beginning`: compilers may load a
    const __restrict__ buffer before the wait.

    >>> early_parameters("const float* __restrict__ x, float* __restrict__ y", CudaTarget(90, early=True))
    'const float* x, float* __restrict__ y'
    """
    return _CONSTANT.sub(r"\1* ", text) if target.early else text
