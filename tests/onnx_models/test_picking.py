"""Random Slices and Gathers beside onnxruntime: what it computes is computed, or refused for one of a few reasons."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
import pytest
from model_kit import interpreted, model_of, node, run, same, stored

from mochac import Net, UnsupportedError
from mochac.formats.onnx.loading import converted

EDGES = [0, 1, 2, 3, 5, 6, 7, 2**31 - 1, 2**31, 2**62 - 1, 2**62, 2**63 - 1]
PLACES = sorted({*EDGES, *(-n for n in EDGES), -(2**62) - 1, -(2**63)})
STEPS = [1, 1, 1, -1, -1, 2, -2, 3, -5, 2**31, 2**63 - 1, -(2**31), -(2**63)]
PARTS = [0, *(pytest.param(k, marks=pytest.mark.slow) for k in range(1, 4))]
PARTS += [pytest.param(k, marks=pytest.mark.soak) for k in range(4, 40)]
SIZE = 100


def chosen(rng: np.random.Generator, items: list[Any]) -> Any:
    return items[int(rng.integers(len(items)))]


def checked(model: onnx.ModelProto, fed: dict[str, np.ndarray], lead: bool, reasons: set[str]) -> bool:
    """Whether a net computes y as onnxruntime does; else it is refused for one of these reasons."""
    try:
        found = converted(model, "m.onnx", batch_axis=None if lead else 0)
    except UnsupportedError as error:
        if error.problems[0].rule not in reasons:
            raise
        return False
    net = Net("n", found.layers)
    given = {name: x[None] for name, x in fed.items()} if lead else fed
    (y,) = interpreted(net, stored(net, found), given, ["y"])
    at = found.batch_axes["y"]
    y = y[0] if at is None else np.moveaxis(y, 0, at)
    wanted = run(model, fed)[0]
    assert y.shape == wanted.shape
    np.testing.assert_allclose(y, wanted, rtol=1e-5, atol=1e-5)
    return True


def a_slice(seed: int) -> bool:
    """Axes of a blob or of a constant, with starts and ends over the whole range of int64 or int32."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 6, rng.integers(1, 4)))
    rank = len(shape) + 1
    picked = [int(a) for a in rng.permutation(np.arange(1, rank))[: rng.integers(1, rank)]]
    axes = [a - rank if rng.random() < 0.5 else a for a in picked]
    operands = [[chosen(rng, PLACES) for _ in axes] for _ in range(2)]
    operands += [axes, [chosen(rng, STEPS) for _ in axes]]
    form, weights, opset = chosen(rng, ["attributes", "int32", "int64", "constant"]), dict[str, Any](), 17
    if form == "attributes":
        nodes, opset = [node("Slice", "x", "s", starts=operands[0], ends=operands[1], axes=axes)], 9
    else:
        kind = np.int32 if form == "int32" else np.int64
        limits = np.iinfo(kind)
        operands = [[min(max(n, limits.min), limits.max) for n in operand] for operand in operands]
        weights = {name: np.array(operand, kind) for name, operand in zip("abcd", operands, strict=True)}
        nodes = [node("Slice", f"{'k' if form == 'constant' else 'x'} a b c d", "s")]
    if form == "constant":
        weights["k"] = np.arange(np.prod(shape), dtype=np.float32).reshape(1, *shape)
        nodes += [node("ReduceSum", "s", "t", keepdims=0), node("Add", "x t")]
    else:
        nodes += [node("Relu", "s")]
    model = model_of(nodes, {"x": shape}, weights=weights, opset=opset)
    fed = {"x": rng.uniform(-1, 1, (3, *shape)).astype(np.float32)}
    return checked(model, fed, False, {"its output is empty", ENDLESS})


ENDLESS = "with a negative step, an end of INT_MAX selects nothing in ONNX, but all in front in onnxruntime"
BEHIND = [
    [],
    [node("Relu", "g")],
    [node("Add", "g g")],
    [node("Flatten", "g")],
    [node("Reshape", "g flat")],
    [node("Transpose", "g", "t"), node("Relu", "t")],
    [node("ReduceSum", "g", keepdims=1)],
    [node("Softmax", "g", axis=-1)],
]


def a_gather(seed: int) -> bool:
    """Indices of every rank and sign, constants or computed, of blobs, tables and constants; and a node behind it."""
    rng = np.random.default_rng(seed)
    shape = tuple(int(n) for n in rng.integers(1, 5, rng.integers(1, 4)))
    lead = rng.random() < 0.3
    axis, rank, whole = int(rng.integers(0 if lead else 1, len(shape) + 1)), len(shape) + 1, (3, *shape)
    extent, own = whole[axis], axis - rank if rng.random() < 0.5 else axis
    numbers = tuple(int(n) for n in rng.integers(1, 4, rng.integers(0, 4)))
    far = rng.random() < 0.05  # out of range
    ids = rng.integers(-extent - far, extent + far, numbers).astype(chosen(rng, [np.int32, np.int64]))
    weights = {"flat": np.array([1 if lead else 0, -1]), "i": ids}
    inputs, fed = {"x": shape}, {"x": rng.uniform(-1, 1, whole).astype(np.float32)}
    kind = chosen(rng, ["blob", "blob", "constant", "elements", "table", "computed"])
    if kind == "blob":
        nodes = [node("Gather", "x i", "g", axis=own)]
    elif kind == "constant":
        weights["k"] = fed["x"]
        nodes = [
            node("Gather", "k i", "h", axis=own),
            node("ReduceSum", "h", "sum", keepdims=0),
            node("Add", "x sum", "g"),
        ]
    elif kind == "elements":
        weights["i"] = rng.integers(-extent, extent, (*whole[:axis], int(rng.integers(1, 4)), *whole[axis + 1 :]))
        nodes = [node("GatherElements", "x i", "g", axis=own)]
    elif kind == "table":
        weights["k"], inputs = rng.uniform(-1, 1, (5, *shape)).astype(np.float32), {"x": numbers or (1,)}
        fed = {"x": rng.integers(-5, 5, (3, *inputs["x"])).astype(np.float32)}
        nodes = [node("Floor", "x", "f"), node("Cast", "f", "i'", to=7), node("Gather", "k i'", "g")]
    else:
        inputs["z"] = numbers or (1,)
        fed["z"] = rng.integers(-extent, extent, (3, *inputs["z"])).astype(np.float32)
        nodes = [node("Cast", "z", "i'", to=7), node("Gather", "x i'", "g", axis=own)]
    tail = chosen(rng, BEHIND)
    if not tail:
        nodes[-1].output[0] = "y"
    model = model_of([*nodes, *tail], inputs, weights=weights, batch=3)
    reasons = {"samples must not mix: axis 0 is the batch", "a constant differs from sample to sample"}
    reasons |= {"it picks elements that are not there", "its constant cannot be computed"} if far else set()
    return checked(model, fed, lead, reasons)


@pytest.mark.slow
@pytest.mark.parametrize("one", [a_slice, a_gather])
@pytest.mark.parametrize("part", PARTS)
def test_random_places_are_those_of_onnxruntime(one, part):
    computed = 0
    for seed in range(SIZE * part, SIZE * part + SIZE):
        print("seed", seed)
        computed += one(seed)
    assert computed > SIZE // 4


@pytest.mark.parametrize(
    ("starts", "ends", "steps"), [([0], [-(2**62)], [1]), ([3], [2], [1]), ([0], [4], [-1]), ([-9], [-(2**63)], [2])]
)
def test_an_empty_range_is_refused(starts, ends, steps):
    weights = {k: np.array(v) for k, v in {"a": starts, "b": ends, "c": [1], "d": steps}.items()}
    with pytest.raises(UnsupportedError, match="its output is empty"):
        converted(model_of([node("Slice", "x a b c d")], {"x": (4, 2)}, weights=weights), "m.onnx")


def test_axes_of_a_slice_are_there_and_differ():
    for axes in ([3], [-4], [1, 1], [1, -2]):
        weights = {k: np.array([n] * len(axes)) for k, n in {"a": 0, "b": 2}.items()} | {"c": np.array(axes)}
        with pytest.raises(UnsupportedError, match="its operands do not fit"):
            converted(model_of([node("Slice", "x a b c")], {"x": (4, 2)}, weights=weights), "m.onnx")


@pytest.mark.parametrize("ids", [[0], [0, 1], [2], [-1], [0, 1, 2]])
@pytest.mark.parametrize("axis", [1, 2])
def test_one_part_of_a_blob_is_gathered_in_front_of_any_node(ids, axis):
    net = same(
        model_of([node("Gather", "x i", "g", axis=axis), *BEHIND[3]], {"x": (3, 5)}, weights={"i": np.array(ids)})
    )
    assert all(type(n) is int for shape in (v.shape for v in net.blobs.values()) for n in shape)
