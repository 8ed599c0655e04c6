"""Data transformers: preprocessing of the data of a data layer, and the DataTransformers namespace.

Users write `transformers=[("data", DataTransformers.Scale(1 / 255))]`. The reader threads apply transformers in this
order; predict() applies them to its input.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, ClassVar, TypeAlias

import numpy as np

from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import Refusal, Rule, path, real
from mochac.base.support.array_like import as_array
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.nets.layers.config import Config, config

Arithmetic: TypeAlias = Sequence[tuple[str, float | np.ndarray]]
"""What a transformer does to each sample x, one after the other: ("-", mean) is x - mean; "*", "/" and "+" likewise,
with a number, or an array of a sample's shape."""


class DataTransformer(Config):
    """Base class of data transformers.

    One of your own derives from it under `@config`. `prepared(shape)` is called once per reader; the function it
    returns is called for every batch, in the thread of the reader.

    Attributes:
        steady: its result for a sample is always the same, so a GPU can keep it.
    """

    steady: ClassVar[bool] = False

    def loaded(self, read_mean: Callable[[str], np.ndarray]) -> DataTransformer:
        """This transformer with the contents of its files; called before `prepared`.

        Args:
            read_mean: returns the mean in a file.
        """
        return self

    def onnx(self, w: OnnxWriter, x: str, shape: tuple[int, ...]) -> str | None:
        """Write it as ONNX operators on the tensor x of samples of `shape`: those of its arithmetic(), unless the class
        has others; None: it cannot be written."""
        steps = self.whole_arithmetic(shape)
        if steps is None:
            return None
        for op, constant in steps:
            x = w.node(_OPERATORS[op], x, w.constant(np.asarray(constant)))
        return x

    def arithmetic(self, shape: tuple[int, ...]) -> Arithmetic | None:
        """What it does to a sample of `shape`, if that is arithmetic with constants, which C libraries do too; None,
        the default: it is something else, and `prepared` does it.

        Raises:
            OpTypeError: it does not fit samples of `shape`; users get a DataError that names layer and top.
        """
        return None

    def whole_arithmetic(self, shape: tuple[int, ...]) -> Arithmetic | None:
        """arithmetic(), unless the class has a prepared() of its own, which may do something else."""
        return self.arithmetic(shape) if type(self).prepared is DataTransformer.prepared else None

    def prepared(self, shape: tuple[int, ...]) -> Any:
        """A function that transforms a float array (samples, *shape) in place: by its arithmetic(), unless the class
        has another one.

        Raises:
            OpTypeError: it does not fit samples of `shape`; users get a DataError that names layer and top.
        """
        steps = self.arithmetic(shape)
        if steps is None:
            raise NotImplementedError

        @cache
        def operands(dtype: np.dtype) -> list[tuple[np.ufunc, np.ndarray]]:
            return [(_UFUNCS[op], np.asarray(constant).astype(dtype)) for op, constant in steps]

        def change(values: np.ndarray) -> None:
            for op, constant in operands(values.dtype):
                op(values, constant, values)

        return change


_UFUNCS = {"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide}
_OPERATORS = {"+": "Add", "-": "Sub", "*": "Mul", "/": "Div"}


def _one(value: Any) -> np.ndarray | None:
    if value is None:
        return None
    array = as_array(value)
    if array.dtype.kind not in "fiub" or not array.size:
        raise TypeError
    if not np.isfinite(array).all():
        raise Refusal("a mean must be finite")
    return np.array(array, np.float64)


def mean() -> Rule:
    """Field rule: an array of finite numbers, or None."""
    bad = ("mean", [], [["a"]], [np.nan], np.zeros((0, 3)))
    return Rule("an array of finite numbers, the shape of one sample", _one, [0.5], bad)


def per_channel(above: float = -math.inf) -> Rule:
    """Field rule: a finite number > `above`, or a tuple of them, one per channel."""
    one = real(above=above)

    def convert(value: Any) -> float | tuple[float, ...]:
        if not isinstance(value, (tuple, list, np.ndarray)):
            return one.convert(value)
        if not len(value):
            raise ValueError
        return tuple(one.convert(v) for v in value)

    return Rule(f"{one.text} or a tuple of them, one per channel", convert, (1.0, 2.0), ((), ("a",), *one.bad))


@config
class SubMean(DataTransformer):
    """x - mean, with the same mean for all samples.

    Args:
        mean_file: HDF5 file with a dataset `mean`, as written by `mochac convert` and Caffe's tools.
        mean_blob: the mean itself; one of the two must be given.

    Shapes: the mean has the shape of a sample, perhaps with leading axes of extent 1, or a number per channel,
    (channels, 1, 1). Source: Mocha.jl src/data-transformers.jl.

    >>> SubMean(mean_blob=[1.0, 2.0]).prepared((2,))(batch := np.zeros((1, 2))), batch.tolist()
    (None, [[-1.0, -2.0]])
    """

    steady: ClassVar[bool] = True

    mean_file: str = option(path(empty=True), default="")
    mean_blob: Any = option(mean(), default=None, repr=False)

    __hash__ = object.__hash__

    def __post_init__(self) -> None:
        super().__post_init__()
        if bool(self.mean_file) == (self.mean_blob is not None):
            got = "both" if self.mean_file else "neither"
            raise self.error("needs a mean", expected="mean_file or mean_blob", got=got)

    def __eq__(self, other: object) -> bool:
        return self is other

    def loaded(self, read_mean: Callable[[str], np.ndarray]) -> DataTransformer:
        if not self.mean_file:
            return self
        mean = read_mean(self.mean_file)
        if not np.isfinite(mean).all():
            raise OpTypeError(f"the mean in {self.mean_file} is not finite", "finite numbers", "NaN or infinity")
        return SubMean(mean_blob=mean)

    def arithmetic(self, shape: tuple[int, ...]) -> Arithmetic:
        if self.mean_blob is None:
            raise OpTypeError("a mean in a file must be loaded first", "mean_blob", self.mean_file)
        return [("-", _fitted(self.mean_blob, shape))]


@config
class Scale(DataTransformer):
    """x * scale.

    Args:
        scale: a finite number.

    Source: Mocha.jl src/data-transformers.jl.
    """

    steady: ClassVar[bool] = True

    scale: float = option(real(), default=1.0)

    def arithmetic(self, shape: tuple[int, ...]) -> Arithmetic:
        return [("*", self.scale)]


@config
class Normalize(DataTransformer):
    """(x - mean) / std, with a number for all, or one for each channel.

    Args:
        mean: of the samples as they are read: pixels of images are 0 .. 255.
        std: > 0.

    Source: torchvision.transforms.Normalize, whose pixels are 0 .. 1.

    >>> Normalize(mean=2.0, std=4.0).prepared((1,))(batch := np.array([[6.0]])), batch.tolist()
    (None, [[1.0]])
    """

    steady: ClassVar[bool] = True

    mean: Sequence[float] | float = option(per_channel(), default=0.0)
    std: Sequence[float] | float = option(per_channel(above=0), default=1.0)

    def arithmetic(self, shape: tuple[int, ...]) -> Arithmetic:
        mean, std = (_fitted(np.reshape(v, (-1, *[1] * (len(shape) - 1))), shape) for v in (self.mean, self.std))
        return [("-", mean), ("/", std)]


class DataTransformers(metaclass=Namespace):
    """Namespace of the data transformers, as in Mocha: `DataTransformers.Scale(1 / 255)`."""

    SubMean = SubMean
    Scale = Scale
    Normalize = Normalize


def transformers() -> Rule:
    """Field rule: a list of (top, transformer) pairs."""

    def convert(value: Any) -> tuple[tuple[str, DataTransformer], ...]:
        if not isinstance(value, (list, tuple)):
            raise TypeError
        if len(value) == 2 and isinstance(value[0], str):
            raise Refusal("write [(top, transformer)], a list of pairs")
        return tuple(_pair(v) for v in value)

    bad = (None, 3, ["data"], [("data",)], [("data", 2.0)], [("data", Scale)], [(1, Scale())], ("data", Scale()))
    return Rule("a list of (top, transformer) pairs", convert, [("data", Scale(2.0))], bad)


def _pair(value: Any) -> tuple[str, DataTransformer]:
    if not isinstance(value, (list, tuple)) or len(value) != 2:
        raise Refusal("write [(top, transformer)], a list of pairs")
    top, transformer = value
    if isinstance(transformer, type):
        raise Refusal(f"write {transformer.__name__}(...) with parentheses")
    if not isinstance(top, str) or not isinstance(transformer, DataTransformer):
        raise TypeError
    return top, transformer


def unknown_tops(pairs: Sequence[tuple[str, DataTransformer]], tops: Sequence[str]) -> list[str]:
    """Names in a list of transformers that are not tops."""
    return [top for top, _ in pairs if top not in tops]


def _fitted(mean: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """`mean` with as many axes as a sample, broadcastable to it."""
    kept = mean.reshape(mean.shape[mean.ndim - len(shape) :]) if _only_ones_before(mean.shape, len(shape)) else mean
    sizes = zip(kept.shape, shape, strict=False)
    if kept.ndim != len(shape) or any(have not in (1, want) for have, want in sizes):
        hint = "one number per channel: an array of shape (channels, 1, 1)" if len(shape) == 3 else ""
        raise OpTypeError("the mean does not fit a sample", str(shape), str(mean.shape), hint)
    return kept


def _only_ones_before(shape: tuple[int, ...], rank: int) -> bool:
    return len(shape) > rank and all(d == 1 for d in shape[: len(shape) - rank])
