"""Native functions (codegen/native/) as machine code of this process, compiled once for all processes."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from mochac.base.files.cache import Cache, digest, generator
from mochac.runtime.cpu import compiler, cpuinfo, loader


def native_code(functions: Sequence[Callable[..., Any]], cache: Cache | None) -> loader.MachineCode:
    """The functions, and those that they call; never unloaded, since threads of the process wait in them."""
    names = [f.__name__ for f in functions]
    source = digest("native", sys.platform, *names, *generator())
    image = compiler.cached_object(source, lambda: native_text(functions), cpuinfo.host_cpu(), cache)
    return loader.MachineCode([image], names).keep_forever()


def native_text(functions: Sequence[Callable[..., Any]]) -> str:
    """LLVM text of the functions for this machine."""
    from mochac.codegen.cpu.system import FUNCTIONS, system_text
    from mochac.codegen.native.llvm_text import llvm_text  # lazily: a warm start has the object

    return system_text(compiler.arch(), sys.platform) + llvm_text(functions, FUNCTIONS)
