"""Convert an array that a user gives in place of a data layer's samples to samples of the program's type."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

import numpy as np

from mochac.base.errors import DataError, OptionError, ShapeError
from mochac.base.support.array_like import NO_NUMBERS, as_array
from mochac.nets.layers.base import DataLayer
from mochac.nets.layers.memory_data import InputLayer
from mochac.nets.layers.transformers import DataTransformer
from mochac.runtime.data.source import Transform, changes
from mochac.training.session.plan_set import PlanSet

Over: TypeAlias = Literal["ignore", "raise"]
"""What to do with numbers that are too large for the program's type."""

MOST_FORMS = 64
"""Maximum number of dtypes and shapes of arrays that are remembered."""


def fitted(plans: PlanSet, top: str, values: Any, samples: str = "any number", over: Over = "ignore") -> np.ndarray:
    """Samples of a top as an array of the program's type; raises ShapeError, OptionError if they are none.

    Args:
        samples: how many are expected, for the message.
        over: a number too large for that type becomes an infinity, or raises FloatingPointError.
    """
    shape = plans.net.blobs[top].shape[1:]
    try:
        if values is None:
            raise TypeError("None")
        array = as_array(values)
        if array.dtype.kind in NO_NUMBERS:
            raise TypeError(NO_NUMBERS[array.dtype.kind])
        if array.dtype != plans.dtype:
            if array.dtype.kind == "O" and any(value is None for value in array.flat):
                raise TypeError("None")
            with np.errstate(over=over):
                array = array.astype(plans.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise OptionError(f"input {top!r} is not an array of numbers", got=str(error)) from None
    if shape == (1,) and array.ndim == 1:
        array = array[:, None]  # data layers also read (N,) as (N, 1)
    require_fit(plans, top, array.shape, samples)
    return array


def require_fit(plans: PlanSet, top: str, got: tuple[int, ...], samples: str = "any number") -> None:
    """Raise ShapeError unless an array of shape `got` holds samples of a top; `samples`: how many are expected."""
    shape = plans.net.blobs[top].shape[1:]
    if not got or got[1:] != shape:
        hint = _batch_hint(plans, top, got) or _one_hot_hint(plans, top, got) or _shape_hint(got, shape)
        wanted = f"({samples}, {', '.join(map(str, shape))})"
        raise ShapeError(f"input {top!r} does not fit its data layer", expected=wanted, got=str(got), hint=hint)


def transformed(plans: PlanSet, top: str, values: np.ndarray) -> np.ndarray:
    """The values after the data layer's transformers, as if the layer had read them; does not change the argument."""
    steps = transformers(plans, top, values.shape[1:])
    if steps and len(values):
        values = np.array(values)
        for step in steps:
            step(values)
    return values


def transformers(plans: PlanSet, top: str, shape: tuple[int, ...]) -> list[Transform]:
    """The transformers of the data layer for this top, as functions of samples of `shape`."""
    source = next(s for s in plans.net.sources if top in s.tops)
    return changes(source, top, shape) if isinstance(source, DataLayer) else []


def is_steady(plans: PlanSet, top: str) -> bool:
    """Whether the transformers for this top always make the same of a sample."""
    return all(transformer.steady for transformer in _transformers(plans, top))


def changed(plans: PlanSet, top: str) -> bool:
    """Whether the data layer has transformers for this top."""
    return bool(_transformers(plans, top))


def _transformers(plans: PlanSet, top: str) -> list[DataTransformer]:
    source = next(s for s in plans.net.sources if top in s.tops)
    return [given for name, given in source.transformers if name == top] if isinstance(source, DataLayer) else []


def is_wide(given: np.dtype, own: np.dtype) -> bool:
    """Whether numbers of a given type may be too large for the program's."""
    return given.kind == "f" and given.itemsize > own.itemsize


def copy_wide(into: np.ndarray, values: np.ndarray, over: Over = "ignore") -> None:
    """Copy numbers; one that is too large becomes an infinity, without a warning, or raises FloatingPointError."""
    with np.errstate(over=over):
        into[...] = values


def too_large(top: str, values: np.ndarray, dtype: str) -> DataError:
    """The error about finite numbers that are infinite in another type; it names the first."""
    wide = values.astype(np.float64)
    with np.errstate(over="ignore"):
        lost = np.isinf(wide.astype(dtype)) & np.isfinite(wide)
    at = tuple(int(k) for k in np.argwhere(lost)[0])
    rule = f"predict(): data holds a number too large for {dtype}"
    return DataError(rule, got=f"{wide[at]:g}", details=[f"blob {top!r}, sample {at[0]}" if at else f"blob {top!r}"])


def _shape_hint(got: tuple[int, ...], sample: tuple[int, ...]) -> str:
    """How to turn an array of shape `got` into a batch of samples, if that is clear."""
    if got == sample:
        return "one sample: x[None]"
    if len(sample) == 3 and got[1:] == sample[1:] + sample[:1]:
        return "channels come before height and width: x.transpose(0, 3, 1, 2)"
    if len(sample) > 1 and sample[0] == 1 and got[1:] == sample[1:]:
        return "the axis of the one channel is missing: x[:, None]"
    return ""


def _one_hot_hint(plans: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """A hint for class labels that have a number for each class."""
    classes = next((feed.classes for feed in plans.traced("test").feeds if feed.top == top), None)
    if classes is None or len(got) != 2 or got[1] != classes.n:
        return ""
    return f"{top}.argmax(axis=1); SoftlabelSoftmaxLossLayer takes a probability for each class"


def _batch_hint(plans: PlanSet, top: str, got: tuple[int, ...]) -> str:
    """A hint for an InputLayer whose shape lacks the batch."""
    layer = next(s for s in plans.net.sources if top in s.tops)
    if not isinstance(layer, InputLayer) or layer.shape not in (got[1:], (*got[1:], 1)):
        return ""
    return f"InputLayer's shape begins with the batch: shape=(64, {', '.join(map(str, got[1:]))})"
