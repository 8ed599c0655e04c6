"""Loops over all elements of a value, in row-major order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from mochac.ir.index import Index
from mochac.ir.kernel_build import KernelBuilder


@contextmanager
def each_element(k: KernelBuilder, shape: tuple[int, ...]) -> Iterator[tuple[tuple[Index, ...], Index]]:
    """Open a loop for each axis; yields the index of an element, and its place among all."""
    with ExitStack() as loops:
        index = tuple(loops.enter_context(k.each(f"a{axis}", extent)) for axis, extent in enumerate(shape))
        flat = Index.of(0)
        for i, extent in zip(index, shape, strict=True):
            flat = flat * extent + i
        yield index, flat
