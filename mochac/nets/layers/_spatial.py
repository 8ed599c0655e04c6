"""Fields with a number for each spatial axis, of layers that move windows over images with one to three such axes."""

from __future__ import annotations

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.ops._window import SPATIAL

PerAxis = int | tuple[int, ...]
"""One number for all spatial axes, or one for each."""
RESHAPE = "ReshapeLayer(shape=(channels, height, width)) turns features into images"


def spatial_axes(x: Value) -> int:
    """The number of spatial axes of images (batch, channels, ...).

    Raises:
        OpTypeError: it is not 1, 2 or 3.
    """
    axes = len(x.type.shape) - 2
    if axes not in SPATIAL:
        wanted = "3 to 5 axes (batch, channels, then one to three spatial ones, such as height, width)"
        hint = RESHAPE if axes < 1 else ""
        raise OpTypeError("a bottom is not a batch of images", wanted, f"{axes + 2} axes", hint)
    return axes


def per_axis(name: str, value: PerAxis, x: Value) -> tuple[int, ...]:
    """The numbers of field `name` for the spatial axes of x.

    Raises:
        OpTypeError: it has another number of them.
    """
    axes = spatial_axes(x)
    if isinstance(value, int):
        return (value,) * axes
    if len(value) != axes:
        names = ", ".join(SPATIAL[axes])
        count = f"{axes} number{'s' if axes > 1 else ''} ({names})"
        hint = "one integer is for all axes" if len(set(value)) > 1 else f"{name}={value[0]} is for all axes"
        raise OpTypeError(f"{name} needs one number per spatial axis", count, str(value), hint)
    return value
