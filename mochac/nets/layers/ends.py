"""Layers without bottoms or without tops: constants and learnt parameters; outputs kept in memory or in HDF5 files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from mochac.base.records import option
from mochac.base.rules import boolean, path, real, text
from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, Parametric, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob, Example, breaks, fits
from mochac.nets.layers.fields import Table, names, shape, table
from mochac.nets.layers.initializers import (
    BilinearInitializer,
    ConstantInitializer,
    Initializer,
    OrthogonalInitializer,
    XavierInitializer,
    initializer,
)
from mochac.nets.layers.regularizers import Constraint, L2Regu, NoCons, Regularizer, constraint, regularizer


@layer
class ConstantLayer(Layer):
    """An array that is the same for all samples and never trained, such as positions or a mask.

    Args:
        values: the array, of one axis or more. Infinities are allowed.

    Shapes: -> the array's shape, without a batch. Layers that broadcast, such as FunctionLayer, take it beside blobs
    that hold samples.

    >>> ConstantLayer(name="steps", values=[0.0, 0.5, 1.0]).tops
    ('steps',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    examples: ClassVar[tuple[Example, ...]] = (fits(values=[1.0, 2.0, 3.0]), fits(values=[[1.0], [-2.0]]))

    values: Table = option(table("an array of one axis or more", [0.0, 1.0], infinite=True))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.table("values", self.values.values)]


@layer
class ParameterLayer(Parametric):
    """A parameter for any number of layers: `InnerProductLayer(weight="W")`, or as a bottom.

    The gradients from all its uses are added; it is regularized and updated once. Its value is
    `program.params[name]["value"]`.

    Args:
        shape: an InnerProduct weight is (outputs, features), a filter (filters, channels, height, width).
        init, regu, cons, lr: by default those of a weight: XavierInitializer(), L2Regu(1), NoCons(), 1.0.

    Shapes: -> shape, the same for all samples.

    >>> ParameterLayer(name="W", shape=(500, 800)).tops
    ('W',)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    torch_names: ClassVar[Mapping[str, str]] = {"value": ""}
    examples: ClassVar[tuple[Example, ...]] = (
        fits(shape=(3, 2)),
        fits(shape=(4,), init=ConstantInitializer(0.5), regu=L2Regu(0.1)),
        breaks("OrthogonalInitializer is for parameters of 2 axes or more", shape=(4,), init=OrthogonalInitializer()),
        breaks("BilinearInitializer is for filters", shape=(4, 3), init=BilinearInitializer()),
    )

    shape: tuple[int, ...] = option(shape())
    init: Initializer = option(initializer(), default=XavierInitializer())
    regu: Regularizer = option(regularizer(), default=L2Regu(1.0))
    cons: Constraint = option(constraint(), default=NoCons())
    lr: float = option(real(0), default=1.0)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.param("value", self.shape, self.init, self.regu, self.lr, self.cons)]


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
