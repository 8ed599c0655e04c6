"""Layers that keep what they read: in memory, in HDF5 files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, path, text
from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, breaks, fits
from mochac.nets.layers.field_kinds import names


@layer
class MemoryOutputLayer(Layer):
    """Keeps its bottoms of every step: `program.outputs[name][k]` is the list of arrays of bottom k.

    Each forward(), training step and step of evaluate() adds one array per bottom; evaluate() adds each sample once.
    `program.reset_outputs()` empties the lists. A net with this layer runs only one training step per native call.
    Source: Mocha.jl src/layers/memory-output.jl.

    >>> MemoryOutputLayer(name="out", bottoms=["ip2", "label"]).tops
    ()
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_collector: ClassVar[bool] = True
    collector: ClassVar[str] = "memory"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,)),
        fits((2, 3), Blob((1,), classes=3)),
    )

    name: str = option(text(), default="mem-output")

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        ctx.output(bottoms)
        return []


@layer
class HDF5OutputLayer(Layer):
    """Appends its bottoms to datasets of an HDF5 file in every step.

    Each forward(), training step and step of evaluate() adds rows; evaluate() adds one row per sample. The file is
    complete and closed when train(), evaluate() or forward() returns; until the first of these returns, it has a
    temporary name. If the file cannot be written, a DataError is raised, and rows of earlier calls are kept. A net with
    this layer runs only one training step per native call.

    Args:
        filename: the file to write.
        datasets: names of the datasets, one per bottom; by default the names of the bottoms.
        force_overwrite: replace an existing file; without it, an existing file is a DataError.

    Source: Mocha.jl src/layers/hdf5-output.jl.

    >>> HDF5OutputLayer(filename="codes.h5", bottoms=["ip1"], datasets=["code"]).datasets
    ('code',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (0, 0)
    is_collector: ClassVar[bool] = True
    collector: ClassVar[str] = "hdf5"
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), filename="out.h5"),
        fits((2, 3), Blob((1,), classes=3), filename="two.h5", datasets=["codes", "labels"]),
        breaks("needs one dataset per bottom", (2,), (3,), filename="out.h5", datasets=["codes"]),
        breaks("takes a bottom twice", (2,), filename="out.h5", bottoms=["b0", "b0"]),
    )

    name: str = option(text(), default="hdf5-output")
    filename: str = option(path())
    datasets: Sequence[str] = option(replace(names(), good=["code"]), default=())
    force_overwrite: bool = option(boolean(), default=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.is_open:
            return
        wanted = len(self.bottoms)
        if self.datasets and len(self.datasets) != wanted:
            raise self.error("needs one dataset per bottom", expected=f"{wanted} names", got=str(len(self.datasets)))
        if not self.datasets and len(set(self.bottoms)) != wanted:
            raise self.error(
                "takes a bottom twice", got=" ".join(self.bottoms), hint="name the datasets: datasets=[...]"
            )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        ctx.output(bottoms)
        return []
