"""PyTorch's products: InnerProductLayers, EinsumLayers, EmbeddingLayers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mochac.formats.importing.formulas import (
    LETTERS,
    ROOT,
    applied,
    computed,
    contracted,
    contracted_blobs,
    formula,
    inner,
    product_letters,
    reshaped,
)
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import BatchPlace
from mochac.formats.importing.rearranged import MAX_PARTS, compared, permuted, reduced, taken
from mochac.formats.pytorch.builder import ACROSS, AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import aten, refused_mask
from mochac.formats.pytorch.operators.permuted_samples import samples_at
from mochac.formats.pytorch.operators.selections import selected
from mochac.formats.pytorch.operators.shapes import widened


@aten("linear", weights=True)
def linear(b: TorchBuilder, node: AtenNode, x: Tensor, weight: Tensor, bias: Tensor | None = None) -> None:
    """InnerProductLayer of the last axis."""
    if not isinstance(x, BlobTensor) or not x.samples or (isinstance(weight, BlobTensor) and weight.samples):
        w = weight if isinstance(weight, BlobTensor) else b.fixed(node, weight)
        _product(b, node, x, w, transposed=True, bias=None if bias is None else b.fixed(node, bias))
        return
    node.trailing(-1, x)
    rows = weight.extents[0]
    w = b.weights(node, "InnerProduct", weight=weight, bias=bias)
    axis, shape = 1 if len(x.shape) == 2 else -1, (*x.shape[:-1], rows)
    b.add("InnerProduct", w.node, [x], shape, w.arrays, x.place, output_dim=rows, axis=axis, **w.fields)


def _product(
    b: TorchBuilder, node: AtenNode, x: Tensor, y: Tensor, *, transposed: bool = False, bias: Tensor | None = None
) -> None:
    """A batched product of matrices; the outer axes of each operand count its matrices."""
    if isinstance(x, Constant) and b.repeats(x) and isinstance(y, BlobTensor) and not y.samples and len(y.shape) == 2:
        own = LETTERS[: x.array.ndim - 2]
        operands: list[tuple[Tensor, str]] = [(Constant(x.array[0]), own + "W"), (y, "VW" if transposed else "WV")]
        row = contracted(b, node, operands, own + "V", last=False)
        row = row if bias is None else inner(b, node, "add({0}, {1})", row, bias)
        b.alias(node, widened(b, node, row, b.extents_of(node)))
        return
    left, right, out = product_letters((_rank(b, x), _rank(b, y)), transposed=transposed)
    sampled = any(isinstance(t, BlobTensor) and t.samples and not t.place.moved for t in (x, y))
    operands = [
        (Constant(t.array[0]), letters[1:])
        if sampled and letters[0] == out[0] and isinstance(t, Constant) and b.repeats(t)
        else (t, letters)
        for t, letters in ((x, left), (y, right))
    ]
    result = contracted(b, node, operands, out, last=bias is None)
    if bias is not None:
        applied(b, node, "add", [result, bias])


def _rank(b: TorchBuilder, x: Tensor) -> int:
    """The number of axes of a tensor; an axis that is joined with the batch counts separately."""
    if isinstance(x, Constant):
        return x.array.ndim
    return len(x.shape) - (b.lead if x.samples else 0)


@aten("matmul", "mm", "bmm", "mv", "dot", "vdot")
def matmul(
    b: TorchBuilder, node: AtenNode, x: Tensor, other: Any = None, mat2: Any = None, vec: Any = None,
    tensor: Any = None,
) -> None:  # fmt: skip
    """EinsumLayer."""
    second = next(t for t in (other, mat2, vec, tensor) if t is not None)
    if node.type in ("dot", "vdot"):
        reduced(b, node, inner(b, node, "mul({0}, {1})", x, second), [0], "sum", keep=False)
        return
    multiplied(b, node, x, second)


def multiplied(b: TorchBuilder, node: AtenNode, x: Tensor, y: Tensor, bias: Tensor | None = None) -> None:
    """The product of two tensors with the batch on the same axis."""
    sampled = [t for t in (x, y) if isinstance(t, BlobTensor) and t.samples]
    places = {(t.place.at, t.place.outer, t.place.inner) for t in sampled}
    if len(sampled) == 1 and isinstance(x, BlobTensor) and x.samples and _rank(b, y) == 2:
        node.trailing(-1, x)
        fixed = y if isinstance(y, BlobTensor) else b.fixed(node, y)
        letters = LETTERS[: len(x.shape) - 1]
        result = contracted_blobs(b, node, [(x, letters + "W"), (fixed, "WV")], letters + "V", last=bias is None)
    elif len(places) > 1 or (sampled and sampled[0].place.at and _rank(b, sampled[0]) < 3):
        raise node.refused("samples must not mix: its operands have the batch along different axes", hint=ACROSS)
    else:
        _product(b, node, x, y, bias=bias)
        return
    if bias is not None:
        applied(b, node, "add", [result, bias])


@aten("addmm", "baddbmm", "addbmm")
def addmm(
    b: TorchBuilder, node: AtenNode, x: Tensor, mat1: Any = None, mat2: Any = None, batch1: Any = None,
    batch2: Any = None, beta: float = 1, alpha: float = 1,
) -> None:  # fmt: skip
    """beta * x + alpha * product."""
    left, right = (mat1, mat2) if mat1 is not None else (batch1, batch2)
    if alpha != 1:
        right = inner(b, node, f"mul({{0}}, {float(alpha)!r})", b.fixed(node, right))
    bias = x if beta == 1 else inner(b, node, f"mul({{0}}, {float(beta)!r})", b.fixed(node, x))
    multiplied(b, node, left, right, bias)


@aten("einsum")
def einsum(b: TorchBuilder, node: AtenNode, equation: str, tensors: list[Tensor], path: Any = None) -> None:
    """EinsumLayers. An axis that is the batch and another one has two letters."""
    text = _spelled(equation.replace(" ", ""), [len(x.extents) for x in tensors])
    left, _, out = text.partition("->")
    operands = list(zip(tensors, left.split(","), strict=True))
    sampled = [(x, letters) for x, letters in operands if isinstance(x, BlobTensor) and x.samples]
    if not sampled or b.lead:
        contracted(b, node, operands, out)
        return
    like, letters = sampled[0]
    letter, place = letters[_batch_axis(like)], like.place
    merged = "".join(next(a for a in LETTERS if a not in text) for _ in range(place.merged))
    where = {(s[_batch_axis(x)], x.place.outer, x.place.inner) for x, s in sampled}
    if where != {(letter, place.outer, place.inner)} or (place.outer and place.inner) or letter not in out:
        raise node.refused("samples must not mix: its operands have the batch along different axes", hint=ACROSS)
    at = out.index(letter) + place.outer

    def of_blob(letters: str) -> str:
        return letter + letters.replace(letter, merged)

    blobs = [(x, of_blob(s) if isinstance(x, BlobTensor) and x.samples else s) for x, s in operands]
    contracted(b, node, blobs, of_blob(out))
    result = b.values[node.tops[0]]
    assert isinstance(result, BlobTensor)
    b.values[node.tops[0]] = replace(result, place=BatchPlace(at, place.outer, place.inner))


def _spelled(equation: str, ranks: list[int]) -> str:
    """An equation of Einstein's notation with letters for ellipses, and its result.

    >>> _spelled("...ij,jk->...ik", [4, 2]), _spelled("ij,kj", [2, 2])
    ('abij,jk->abik', 'ij,kj->ik')
    """
    left, arrow, out = equation.partition("->")
    parts = left.split(",")
    counts = [rank - len(part) + 3 if "." in part else 0 for part, rank in zip(parts, ranks, strict=True)]
    letters = "".join([a for a in LETTERS if a not in equation][: max(counts)])
    parts = [part.replace("...", letters[len(letters) - n :]) for part, n in zip(parts, counts, strict=True)]
    if not arrow:
        single = sorted(a for a in set(left) - {",", "."} if left.count(a) == 1)
        out = "".join(["...", *single])
    return f"{','.join(parts)}->{out.replace('...', letters)}"


def _batch_axis(x: BlobTensor) -> int:
    """The axis of the graph that is the batch, or the batch and another one."""
    return next(k for k, group in enumerate(x.place.axes(len(x.shape))) if 0 in group)


@aten("bilinear")
def bilinear(
    b: TorchBuilder, node: AtenNode, input1: BlobTensor, input2: BlobTensor, weight: Tensor, bias: Tensor | None = None
) -> None:
    """The sum of input1[i] * weight[k, i, j] * input2[j] for every k."""
    if input1.place != input2.place:
        raise node.refused("samples must not mix: its operands have the batch along different axes", hint=ACROSS)
    node.trailing(-1, input1)
    own = LETTERS[: len(input1.shape) - 1]
    operands = [(input1, f"{own}W"), (weight, "VWX"), (input2, f"{own}X")]
    made = contracted(b, node, operands, f"{own}V", last=bias is None)
    if bias is not None:
        applied(b, node, "add", [made, bias])


@aten("embedding", weights=True)
def embedding(
    b: TorchBuilder, node: AtenNode, weight: Tensor, indices: Tensor, padding_idx: int = -1,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Any:  # fmt: skip
    """EmbeddingLayer; rows at constant places are parts of the table. A sparse gradient has the same numbers."""
    if scale_grad_by_freq:
        raise node.refused("scale_grad_by_freq is not supported")
    if isinstance(indices, Constant):
        table = weight if isinstance(weight, BlobTensor) else b.fixed(node, weight)
        if (indices.array == padding_idx).any():  # a row that has no gradient
            still = b.between("StopGradient", node, [table], table.shape)
            padding = Constant(np.arange(table.shape[0])[:, None] == padding_idx)
            table = inner(b, node, "select({0}, {1}, {2})", padding, still, table)
        return rows_of(b, node, table, indices.array)
    rows, width, *_ = weight.extents
    w = b.weights(node, "Embedding", weight=weight)
    padding = padding_idx if padding_idx >= 0 else None
    _rows_at(b, w.node, indices, (rows, width), w.arrays, padding_id=padding, **w.fields)
    return None


def _rows_at(
    b: TorchBuilder, node: AtenNode, ids: BlobTensor, table: Sequence[int], arrays: Any = None, **fields: Any
) -> None:
    """EmbeddingLayer: the parts of a table with this shape at each number of ids."""
    rows, *part = table
    shape = ids.shape
    flat = (*shape[:1], math.prod(shape[1:])) if len(shape) > 2 else shape
    numbers = reshaped(b, node, ids, flat, last=False)
    width = math.prod(part)
    made = (*(shape[:1] if flat[1:] == (1,) else flat), width)
    fields = {"vocabulary": rows, "output_dim": width, **fields}
    found = b.add("Embedding", node, [numbers], made, arrays, ids.place, **fields)
    if made != (*shape, *part):
        reshaped(b, node, found, (*shape, *part), ids.place)


def rows_of(b: TorchBuilder, node: AtenNode, table: BlobTensor, places: np.ndarray) -> Any:
    """Rows of a parameter at constant places; one along the batch that is the same for all samples counts once."""
    own = np.where(places < 0, places + table.shape[0], places).astype(np.int64)
    if b.repeats(Constant(own)):
        own = own[:1]
    rest = table.shape[1:]
    flat = taken(b, node, table, 0, own.reshape(-1), last=False) if _few_runs(own) else _gathered(b, node, table, own)
    result = reshaped(b, node, flat, (*own.shape, *rest), last=False)
    b.reads[result.name] = 2
    return result


def _few_runs(places: np.ndarray) -> bool:
    return int((np.diff(places.reshape(-1)) != 1).sum()) < 16


def _gathered(b: TorchBuilder, node: AtenNode, table: BlobTensor, places: np.ndarray) -> BlobTensor:
    """Rows as a product with a matrix of zeros and ones."""
    rows, *rest = table.shape
    wide = math.prod(rest)
    b.budget.take(node, places.size * rows, 8)
    picked = Constant(np.eye(rows)[places.reshape(-1)])
    flat = reshaped(b, node, table, (rows, wide), last=False)
    return contracted(b, node, [(b.fixed(node, picked), "XW"), (flat, "WV")], "XV", last=False)


@aten("index")
def index(b: TorchBuilder, node: AtenNode, x: Tensor, indices: list[Tensor | None]) -> Any:
    """Elements at constant places along one axis, or several next to each other."""
    table = x if isinstance(x, BlobTensor) else b.fixed(node, x)
    indices = _within_samples(b, table, indices)
    at = [k for k, i in enumerate(indices) if i is not None]
    chosen = [indices[k] for k in at]
    if any(i.element == 9 for i in chosen if isinstance(i, BlobTensor)):
        (mask,) = chosen if len(chosen) == 1 and not at[0] else (None,)
        if not isinstance(mask, BlobTensor):
            raise refused_mask(node)
        return selected(b, node, table, mask, node.fx.args[1][0])
    if not all(isinstance(i, Constant) for i in chosen):
        return _looked_up(b, node, table, indices)
    arrays = [i.array for i in chosen if isinstance(i, Constant)]
    if arrays[0].dtype == bool:
        raise refused_mask(node)
    if at != list(range(at[0], at[0] + len(at))):
        raise node.refused("its axes are not next to each other")
    if table.samples:
        axes = [node.axis(k, table) for k in at]
        if len(at) > 1:
            merged = int(np.prod([table.shape[a] for a in axes]))
            flat = np.ravel_multi_index(np.broadcast_arrays(*arrays), tuple(table.shape[a] for a in axes), mode="wrap")
            shape = (*table.shape[: axes[0]], merged, *table.shape[axes[-1] + 1 :])
            table, arrays = reshaped(b, node, table, shape, table.place.without(axes[1:]), last=False), [flat]
        axis = axes[0]
        places = np.where(arrays[0] < 0, arrays[0] + table.shape[axis], arrays[0]).astype(np.int64)
        result = _placed(b, node, table, axis, places.reshape(-1))
        reshaped(
            b,
            node,
            result,
            table.resized(axis, *places.shape),
            table.place.without([axis]).with_more(axis, places.ndim),
        )
        return None
    front = table.shape[: at[0]]
    if front:
        order = (*at, *range(at[0]), *range(at[-1] + 1, len(table.shape)))
        table = b.between("Permute", node, [table], tuple(table.shape[a] for a in order), order=order)
    axes = list(range(len(at)))
    flat = np.ravel_multi_index(np.broadcast_arrays(*arrays), tuple(table.shape[a] for a in axes), mode="wrap")
    rest = table.shape[len(axes) :]
    rows = reshaped(b, node, table, (math.prod(table.shape[: len(axes)]), *(rest or (1,))), last=False)
    result = rows_of(b, node, rows, flat)
    result = reshaped(b, node, result, (*result.shape[: flat.ndim], *rest), last=False)
    if not front:
        return result
    order = (
        *range(flat.ndim, flat.ndim + len(front)),
        *range(flat.ndim),
        *range(flat.ndim + len(front), len(result.shape)),
    )
    return b.between("Permute", node, [result], tuple(result.shape[a] for a in order), order=order)


@aten("nonzero")
def by_mask(b: TorchBuilder, node: AtenNode, x: Any) -> None:
    """Refused."""
    raise refused_mask(node)


@aten("index_select")
def index_select(b: TorchBuilder, node: AtenNode, x: BlobTensor, dim: int, index: Tensor) -> None:
    """Elements of an axis at constant places; rows of a parameter at any."""
    if dim == 0 and samples_at(b, node, x, index):
        return
    if not isinstance(index, Constant):
        _looked_up(b, node, x, [*(None for _ in range(node.axis(dim, x))), index])
        return
    b.alias(node, _placed(b, node, x, node.axis(dim, x), index.array.astype(np.int64).reshape(-1)))


def _placed(b: TorchBuilder, node: AtenNode, x: BlobTensor, axis: int, places: np.ndarray) -> BlobTensor:
    """Elements of an axis at these places: a few parts side by side, or a product with a matrix of zeros and ones. A
    ResampleLayer reads only the ones; along the last axis, its blocks would read nearly all, as an EinsumLayer does."""
    if _few_runs(places):
        return taken(b, node, x, axis, places, last=False)
    extent = x.shape[axis]
    b.budget.take(node, places.size * extent, 8)
    if axis < len(x.shape) - 1:
        matrix = np.eye(extent)[places]
        return b.between("Resample", node, [x], x.resized(axis, places.size), matrix=matrix, axis=axis)
    letters = LETTERS[: len(x.shape)]
    pick = b.fixed(node, Constant(np.eye(extent)[places]))
    out = letters.replace(letters[axis], "X")
    make = contracted_blobs if x.samples else contracted
    return make(b, node, [(x, letters), (pick, f"X{letters[axis]}")], out, last=False)


def _looked_up(b: TorchBuilder, node: AtenNode, table: BlobTensor, indices: list[Tensor | None]) -> None:
    """Parts of a parameter at indices from the samples."""
    (ids, *others) = indices
    if not others and samples_at(b, node, table, ids):
        return
    if _is_each(b, ids) and len(others) == 1 and isinstance(others[0], BlobTensor) and table.samples:
        _each_at(b, node, table, others[0])
        return
    if table.samples or not all(isinstance(i, Tensor) for i in indices):
        raise node.refused("its places are not constant", "rows of a parameter")
    count = len(indices)
    rows, part = math.prod(table.shape[:count]), table.shape[count:]
    flat = reshaped(b, node, table, (rows, math.prod(part)), last=False)
    _rows_at(b, node, _row_numbers(b, node, table, indices), (rows, *part), weight=flat.name)


def _row_numbers(b: TorchBuilder, node: AtenNode, table: BlobTensor, indices: Sequence[Any]) -> BlobTensor:
    """The place among all rows that indices of the first axes say; negative ones count from the end."""
    places = indices[0] if len(indices) == 1 else _from_front(b, node, indices[0], table.shape[0])
    for ids, extent in zip(indices[1:], table.shape[1:], strict=False):
        places = computed(b, node, f"add(mul({{0}}, {extent}), {{1}})", places, _from_front(b, node, ids, extent))
    if not isinstance(places, BlobTensor) or not places.samples:
        raise node.refused("its places are not those of samples", "constant places, or those of samples")
    return places


def _from_front(b: TorchBuilder, node: AtenNode, ids: Tensor, extent: int) -> Tensor:
    """Places along an axis, of which negative ones count from the end, counted from its front."""
    return computed(b, node, f"select(lt({{0}}, 0), add({{0}}, {extent}), {{0}})", ids)


def _within_samples(b: TorchBuilder, table: BlobTensor, indices: list[Tensor | None]) -> list[Tensor | None]:
    """Indices without that of the batch, where it is the number of the sample and the others are the same for all."""
    each, *others = indices
    if not (others and table.samples and not table.place.moved and isinstance(each, Constant) and _is_each(b, each)):
        return indices
    more = [each.array.ndim - i.array.ndim if isinstance(i, Constant) else -1 for i in others]
    wide = [i.array[(None,) * n] for i, n in zip(others, more, strict=True) if isinstance(i, Constant) and n >= 0]
    if len(wide) < len(others) or any(len(array) > 1 for array in wide):
        return indices
    return [None, *(Constant(array[0]) for array in wide)]


def _is_each(b: TorchBuilder, ids: Tensor | None) -> bool:
    """Whether an index is the number of the sample."""
    own = ids.array.reshape(-1) if isinstance(ids, Constant) else np.zeros(0)
    first = isinstance(ids, Constant) and not b.lead and ids.array.shape[:1] == own.shape
    return first and own.tolist() == [*range(b.batch)]


def _each_at(b: TorchBuilder, node: AtenNode, x: BlobTensor, ids: BlobTensor) -> None:
    """The parts of axis 1 of a sample at its own numbers."""
    if x.place.moved or ids.place.moved or not ids.samples:
        raise node.refused("samples must not mix: its numbers are not those of the sample", hint=ACROSS)
    n, extent, *rest = x.shape
    places = ids.shape[1:]
    table = reshaped(b, node, x, (n, *(1 for _ in places), extent, *rest), last=False)
    numbers = reshaped(b, node, ids, (n, *places, 1, *(1 for _ in rest)), last=False)
    compared(b, node, table, numbers, 1 + len(places), from_end=True)


@aten("unfold")
def windows_of_axis(b: TorchBuilder, node: AtenNode, x: BlobTensor, dimension: int, size: int, step: int) -> None:
    """Windows along an axis, whose elements are the last axis."""
    axis, rank = node.axis(dimension, x), len(x.extents)
    count = (x.shape[axis] - size) // step + 1
    place, at = x.place.with_more(axis + 1, 1), dimension % rank + 1
    if step < size <= MAX_PARTS:  # the first elements of all windows, the second ones, ..
        ranges = [range(k, k + step * count, step) for k in range(size)]
        each = [taken(b, node, x, axis, places, last=False) for places in ranges]
        parts = [reshaped(b, node, part, x.resized(axis, 1, count), place, last=False) for part in each]
        rows, at = b.between("Concat", node, parts, x.resized(axis, size, count), None, place, axis=axis), at - 1
    else:
        result = _placed(b, node, x, axis, (np.arange(count)[:, None] * step + np.arange(size)).reshape(-1))
        rows = reshaped(b, node, result, x.resized(axis, count, size), place, last=False)
    permuted(b, node, rows, [*(k for k in range(rank + 1) if k != at), at])


@aten("cosine_similarity")
def cosine_similarity(
    b: TorchBuilder, node: AtenNode, x1: BlobTensor, x2: BlobTensor, dim: int = 1, eps: float = 1e-8
) -> None:
    """The sum of products over both norms, each at least eps."""
    axis = node.axis(dim, x1)
    product, *squares = (
        reduced(b, node, inner(b, node, "mul({0}, {1})", u, v), [axis], "sum", keep=False, last=False)
        for u, v in ((x1, x2), (x1, x1), (x2, x2))
    )
    roots = [ROOT.replace("{0}", f"{{{k}}}") for k in (1, 2)]
    over = "mul({}, {})".format(*(f"max({root}, {float(eps)!r})" for root in roots))
    formula(b, node, f"div({{0}}, {over})", product, *squares)


@aten("_weight_norm")
def weight_norm(b: TorchBuilder, node: AtenNode, v: Tensor, g: Tensor, dim: int = 0) -> None:
    """v * g / norm of v over all axes but `dim`."""
    v, g = (t if isinstance(t, BlobTensor) else b.fixed(node, t) for t in (v, g))
    axes = [a for a in range(len(v.shape)) if dim < 0 or a != dim % len(v.shape)]
    squares = reduced(b, node, v, axes, "sumsq", keep=True, last=False)
    formula(b, node, "mul({0}, div({1}, sqrt({2})))", v, g, squares)
