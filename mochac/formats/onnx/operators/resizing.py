"""ONNX's Resize: by integers an UpsampleLayer, else a product with a fixed matrix along each axis."""

from __future__ import annotations

import numpy as np

from mochac.base.files.onnx.read import onnx_package
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.contraction import LETTERS, contracted
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.importing.rearranged import short
from mochac.formats.onnx.operator import OnnxNode, operator

_NEAREST = {
    ("asymmetric", "floor"), ("half_pixel", "round_prefer_floor"), ("half_pixel", "round_prefer_ceil"),
    ("half_pixel_symmetric", "round_prefer_floor"), ("pytorch_half_pixel", "round_prefer_floor"),
}  # fmt: skip
"""Ways of rounding that repeat every element as often as the integer factor says."""
LARGEST = 1 << 22
"""Maximum elements of a matrix that resizes an axis."""


@operator("Resize", "Upsample")
def resize(b: NetBuilder, node: OnnxNode) -> None:
    """UpsampleLayer or EinsumLayers."""
    x, shape = node.blob(), b.shape_of(node)
    if node.attribute("keep_aspect_ratio_policy", "stretch") != "stretch" and node.has(2):
        raise node.refused("keep_aspect_ratio_policy is for sizes")
    axes = [a for a in range(len(shape)) if shape[a] != x.shape[a] or _scale(b, node, x, shape, a) != 1]
    if 0 in axes:
        raise node.refused("samples must not mix: axis 0 is the batch", got=shape)
    if not axes and node.attribute("coordinate_transformation_mode") != "tf_crop_and_resize":
        b.alias(node, x)
    elif _by_integers(b, node, x, shape, axes):
        factor = short([made // given for made, given in zip(shape[2:], x.shape[2:], strict=True)])
        mode = {} if node.attribute("mode", "nearest") == "nearest" else {"mode": "bilinear"}
        b.add("Upsample", node, [x], **({} if factor == 2 else {"factor": factor}), **mode)
    else:
        _by_matrices(b, node, x, shape, axes)


def _places(b: NetBuilder, node: OnnxNode, x: BlobTensor) -> list[int]:
    """The axes of the blob that the lists of scales and sizes are about."""
    rank = len(x.shape) - b.lead
    return [a % rank + b.lead for a in node.integers("axes") or range(rank)]


def _scale(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axis: int) -> float:
    """The factor by which an axis grows: as stated, or as its extents say."""
    at = 1 if node.type == "Upsample" else 2
    stated = node.constant(at, "its scales").reshape(-1) if node.has(at) else np.zeros(0)
    places = _places(b, node, x)
    if stated.size and axis in places:
        return float(stated[places.index(axis)])
    return shape[axis] / x.shape[axis]


def _by_integers(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axes: list[int]) -> bool:
    """Whether UpsampleLayer computes it."""
    old, spatial = node.type == "Upsample", range(2, len(shape))
    scales = [_scale(b, node, x, shape, a) for a in spatial]
    plain = not any(node.attribute(name, 0) for name in ("antialias", "exclude_outside"))
    if b.lead or not plain or min(axes) < 2 or len(shape) > 4 or [s for s in scales if s < 1 or s != int(s)]:
        return False
    if any(shape[a] != x.shape[a] * int(s) for a, s in zip(spatial, scales, strict=True)):
        return False
    where = "asymmetric" if old else node.attribute("coordinate_transformation_mode", "half_pixel")
    if node.attribute("mode", "nearest") == "nearest":
        return (where, "floor" if old else node.attribute("nearest_mode", "round_prefer_floor")) in _NEAREST
    if where == "pytorch_half_pixel" and 1 in shape[2:]:
        return False
    return node.attribute("mode") == "linear" and where in ("half_pixel", "pytorch_half_pixel")


def _by_matrices(b: NetBuilder, node: OnnxNode, x: BlobTensor, shape: tuple[int, ...], axes: list[int]) -> None:
    """One axis at a time: every way of interpolation is a product with a matrix along each."""
    letters = LETTERS[: len(shape) - b.lead]
    for axis in axes:
        if shape[axis] * x.shape[axis] > LARGEST:
            raise node.refused("its images are too large", f"at most {LARGEST:,}", f"{x.shape[axis]} * {shape[axis]}")
        letter = letters[axis - b.lead]
        matrix = Constant(_matrix(node, x.shape[axis], shape[axis], _scale(b, node, x, shape, axis)))
        pair = [(x, letters), (matrix, f"{letter}X")]
        x = contracted(b, node, pair, letters.replace(letter, "X"), last=axis == axes[-1])


def _matrix(node: OnnxNode, extent: int, wanted: int, scale: float) -> np.ndarray:
    """How each of `wanted` elements is made of `extent` ones: the rows of the unit matrix, resized by the reference
    implementation of the package onnx."""
    helper = onnx_package("helper")
    names = ("mode", "coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "antialias", "exclude_outside")
    given = {name: node.attribute(name) for name in names if node.attribute(name) is not None}
    if node.type == "Upsample":
        given |= {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
    if given.get("coordinate_transformation_mode") == "tf_crop_and_resize":
        raise node.refused("crops are not supported", got="tf_crop_and_resize")
    sizes = not node.has(1 if node.type == "Upsample" else 2) or not node.constant(2, "its scales").size
    inputs = ["x", "", "", "sizes"] if sizes else ["x", "", "scales"]
    fed = {"sizes": np.asarray([extent, wanted])} if sizes else {"scales": np.asarray([1.0, scale], np.float32)}
    resized = helper.make_node("Resize", inputs, ["y"], **given)
    infos = [helper.make_tensor_value_info("x", 1, [extent, extent])]
    infos.append(helper.make_tensor_value_info(inputs[-1], 7 if sizes else 1, [2]))
    graph = helper.make_graph([resized], "axis", infos, [helper.make_tensor_value_info("y", 1, None)])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)])
    try:
        unit = np.eye(extent, dtype=np.float32)
        (made,) = onnx_package("reference").ReferenceEvaluator(model).run(None, {"x": unit, **fed})
    except Exception as error:  # whatever the reference raises
        raise node.refused("its matrix cannot be computed", got=" ".join(str(error).split())[:200]) from None
    if made.shape != (extent, wanted):
        raise node.refused("its output has another size than its attributes say", f"({extent}, {wanted})", made.shape)
    return np.asarray(made, float)
