"""Caffe's layers that combine and rearrange blobs: Concat, Slice, Eltwise, Reduction, Tile, Permute, Reshape, ..."""

from __future__ import annotations

import math

from mochac.formats.caffe.builder import Builder, CaffeLayer, converter, number
from mochac.nets.layers.element_wise import ElementWiseFunctors

_SUM = 1
_ELEMENT_WISE = (ElementWiseFunctors.Multiply(), ElementWiseFunctors.Add(), ElementWiseFunctors.Maximum())
_REDUCTIONS = {1: "sum", 2: "asum", 3: "sumsq", 4: "mean"}


@converter("Concat", bottoms=(1, None))
def concat(b: Builder, layer: CaffeLayer) -> None:
    """ConcatLayer; a single bottom is passed through."""
    param = layer.message.concat_param
    axis = param.concat_dim if param.HasField("concat_dim") else param.axis
    bottoms = b.bottoms(layer)
    if len(bottoms) == 1:
        b.add("Identity", layer, bottoms=bottoms, tops=b.tops(layer))
        return
    b.add("Concat", layer, bottoms=bottoms, axis=axis, tops=b.tops(layer))


@converter("Slice", tops=(1, None))
def slice_(b: Builder, layer: CaffeLayer) -> None:
    """SliceLayer; a single top is passed through."""
    param, bottoms = layer.message.slice_param, b.bottoms(layer)
    axis = param.slice_dim if param.HasField("slice_dim") else param.axis
    if len(layer.message.top) == 1:
        b.add("Identity", layer, bottoms=bottoms, tops=b.tops(layer))
        return
    b.add("Slice", layer, bottoms=bottoms, axis=axis, points=list(param.slice_point), tops=b.tops(layer))


@converter("Crop", bottoms=(2, 2))
def crop(b: Builder, layer: CaffeLayer) -> None:
    """A NarrowLayer for each axis, from `axis` on, along which the second bottom is shorter; the second bottom gives
    the extents. Source: src/caffe/layers/crop_layer.cpp."""
    param, (x, like) = layer.message.crop_param, b.bottoms(layer)
    shape, wanted = b.shape(x, layer), b.shape(like, layer)
    first, offset = param.axis % len(shape), [int(n) for n in param.offset]
    cropped = range(first, len(shape))
    if not first or len(wanted) != len(shape):
        raise layer.refused("bottoms cannot be cropped so", "axis 1 or later, and as many axes", f"{shape}, {wanted}")
    if len(offset) not in (0, 1, len(cropped)):
        raise layer.refused("offset has another number of axes", f"1 or {len(cropped)}", len(offset))
    offsets = offset if len(offset) == len(cropped) else (offset or [0]) * len(cropped)
    cuts = [(a, n) for a, n in zip(cropped, offsets, strict=True) if shape[a] != wanted[a]]
    for k, (a, start) in enumerate(cuts or [(len(shape) - 1, 0)]):
        last = k + 1 >= len(cuts)
        name = layer.name if last else b.unused(f"{layer.name}-{a}")
        tops = b.tops(layer) if last else [name]
        b.add("Narrow", layer, name=name, bottoms=[x], axis=a, start=start, length=wanted[a], tops=tops)
        x = tops[0]


@converter("Permute")
def permute(b: Builder, layer: CaffeLayer) -> None:
    """PermuteLayer; axes that `order` does not name follow in their order, as in SSD's permute_layer.cpp."""
    bottoms, order = b.bottoms(layer), list(layer.message.permute_param.order)
    order += [a for a in range(len(b.shape(bottoms[0], layer))) if a not in order]
    b.add("Permute", layer, bottoms=bottoms, order=order, tops=b.tops(layer))


@converter("Tile")
def tile(b: Builder, layer: CaffeLayer) -> None:
    """TileLayer."""
    param = layer.message.tile_param
    b.add("Tile", layer, bottoms=b.bottoms(layer), tiles=param.tiles, axis=param.axis, tops=b.tops(layer))


@converter("Reduction")
def reduction(b: Builder, layer: CaffeLayer) -> None:
    """ReductionLayer over all axes from `axis` on, and a PowerLayer for a coefficient other than 1."""
    param, bottoms = layer.message.reduction_param, b.bottoms(layer)
    rank = len(b.shape(bottoms[0], layer))
    first = param.axis % rank
    if not first:
        raise layer.refused("samples must not mix: axis 0 is the batch", expected="axis: 1", got=param.axis)
    (top,), coefficient = b.tops(layer), number(param.coeff)
    name = layer.name if coefficient == 1 else b.unused(f"{layer.name}-sum")
    fields = {"operation": _REDUCTIONS[param.operation], "axes": list(range(first, rank))}
    total = top if coefficient == 1 else name
    b.add("Reduction", layer, name=name, bottoms=bottoms, **fields, tops=[total])
    if coefficient != 1:
        b.add("Power", layer, bottoms=[total], scale=coefficient, tops=[top])


@converter("Eltwise", bottoms=(2, None))
def eltwise(b: Builder, layer: CaffeLayer) -> None:
    """ElementWiseLayer."""
    param, bottoms = layer.message.eltwise_param, b.bottoms(layer)
    coefficients = [number(c) for c in param.coeff]
    if coefficients and len(coefficients) != len(bottoms):
        raise layer.refused("bottoms and coefficients differ in number", got=f"{len(bottoms)} and {len(coefficients)}")
    if coefficients and param.operation != _SUM:
        raise layer.refused("coefficients need the operation SUM", expected="SUM")
    how = {"operation": _ELEMENT_WISE[param.operation], "coefficients": coefficients}
    b.add("ElementWise", layer, bottoms=bottoms, **how, tops=b.tops(layer))


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
