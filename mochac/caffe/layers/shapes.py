"""Caffe's layers that combine and rearrange blobs: Concat, Eltwise, Power, Flatten, Reshape, Split."""

from __future__ import annotations

import math

from mochac.caffe.builder import Builder
from mochac.caffe.converters import converter
from mochac.caffe.layer import CaffeLayer, number
from mochac.layers.element_wise import ElementWiseFunctors

_PROD, _SUM = 0, 1


@converter("Concat", bottoms=(1, None))
def concat(b: Builder, layer: CaffeLayer) -> None:
    """ConcatLayer; a single bottom is passed through."""
    param = layer.message.concat_param
    axis = param.concat_dim if param.HasField("concat_dim") else param.axis
    bottoms = b.bottoms(layer)
    if len(bottoms) == 1:
        b.add("Identity", layer, bottoms=bottoms, tops=b.tops(layer))
        return
    b.add("Concat", layer, bottoms=bottoms, **({} if axis == 1 else {"axis": axis}), tops=b.tops(layer))


@converter("Eltwise", bottoms=(2, None))
def eltwise(b: Builder, layer: CaffeLayer) -> None:
    """An ElementWiseLayer for each bottom after the first, and a PowerLayer for each coefficient other than 1 and
    -1."""
    param = layer.message.eltwise_param
    if param.operation not in (_PROD, _SUM):
        raise layer.refused("operation MAX is not supported", expected="SUM or PROD", got="MAX")
    coefficients = [number(c) for c in param.coeff] or [1.0] * len(layer.message.bottom)
    bottoms = b.bottoms(layer)
    if len(coefficients) != len(bottoms):
        raise layer.refused("bottoms and coefficients differ in number", got=f"{len(bottoms)} and {len(coefficients)}")
    scaled = [_scaled(b, layer, k, *each) for k, each in enumerate(zip(bottoms, coefficients, strict=True))]
    left, (top,) = scaled[0][0], b.tops(layer)
    for k, (right, subtract) in enumerate(scaled[1:], 1):
        last = k == len(scaled) - 1
        name = layer.name if last else b.unused(f"{layer.name}-{k}")
        f = ElementWiseFunctors
        operation = f.Multiply() if param.operation == _PROD else f.Subtract() if subtract else f.Add()
        b.add("ElementWise", layer, name=name, operation=operation, bottoms=[left, right], tops=[top if last else name])
        left = name


def _scaled(b: Builder, layer: CaffeLayer, k: int, blob: str, coefficient: float) -> tuple[str, bool]:
    """The blob times its coefficient, and whether it is subtracted instead of added."""
    if coefficient == 1 or (k and coefficient == -1):
        return blob, coefficient == -1
    name = b.unused(f"{layer.name}-scaled-{k}")
    b.add("Power", layer, name=name, bottoms=[blob], scale=coefficient, tops=[name])
    return name, False


@converter("Power")
def power(b: Builder, layer: CaffeLayer) -> None:
    """PowerLayer; both compute (shift + scale x)^power."""
    param = layer.message.power_param
    fields = {"power": number(param.power), "scale": number(param.scale), "shift": number(param.shift)}
    b.add("Power", layer, bottoms=b.bottoms(layer), **fields, tops=b.tops(layer))


@converter("Flatten")
def flatten(b: Builder, layer: CaffeLayer) -> None:
    """FlattenLayer, or a ReshapeLayer if only some of the axes are flattened."""
    param, bottoms = layer.message.flatten_param, b.bottoms(layer)
    if (param.axis, param.end_axis) == (1, -1):
        b.add("Flatten", layer, bottoms=bottoms, tops=b.tops(layer))
        return
    shape = b.shape(bottoms[0], layer)
    first, last = (a % len(shape) for a in (param.axis, param.end_axis))
    if not 1 <= first <= last:
        raise layer.refused("samples cannot be flattened", expected="1 <= axis <= end_axis", got=f"{first}, {last}")
    target = (*shape[1:first], math.prod(shape[first : last + 1]), *shape[last + 1 :])
    b.add("Reshape", layer, bottoms=bottoms, shape=target, tops=b.tops(layer))


@converter("Reshape")
def reshape(b: Builder, layer: CaffeLayer) -> None:
    """ReshapeLayer, which keeps the batch."""
    param, bottoms = layer.message.reshape_param, b.bottoms(layer)
    shape = b.shape(bottoms[0], layer)
    first = param.axis % (len(shape) + 1)
    last = len(shape) if param.num_axes == -1 else first + param.num_axes
    dims = [*shape[:first], *_copied(param.shape.dim, shape[first:last]), *shape[last:]]
    if dims.count(-1) == 1 and math.prod(dims):
        dims[dims.index(-1)] = math.prod(shape) // -math.prod(dims)
    if not dims[1:] or dims[0] != shape[0] or math.prod(dims) != math.prod(shape):
        raise layer.refused(
            f"samples of {shape} cannot be reshaped so", expected=f"{shape[0]} in front", got=tuple(dims)
        )
    b.add("Reshape", layer, bottoms=bottoms, shape=tuple(dims[1:]), tops=b.tops(layer))


def _copied(dims: list[int], shape: tuple[int, ...]) -> list[int]:
    """Replace 0 by the extent of the bottom at that axis."""
    return [shape[k] if d == 0 and k < len(shape) else d for k, d in enumerate(dims)]


@converter("Split", tops=(1, None))
def split(b: Builder, layer: CaffeLayer) -> None:
    """SplitLayer."""
    b.add("Split", layer, bottoms=b.bottoms(layer), tops=b.tops(layer))
