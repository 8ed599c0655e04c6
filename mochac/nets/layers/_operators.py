"""Operators of values in `emit`: operands of one shape and dtype, products, indices, and extremes over axes.

Operands get one shape and dtype by NumPy's rules: axes are aligned from the last one on, and extents of 1 repeated. The
axis of samples never moves and is never repeated, so that a layer means the same for every batch size; all samples of a
batch, on another axis, are an array like others.

x[...] takes slices, indices, new axes and `...`, as in NumPy. The samples on axis 0 are never cut; a new axis in front
of them is one of all samples.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import ascii_letters
from types import EllipsisType
from typing import Protocol, TypeAlias

import numpy as np

from mochac.base.support.array_like import is_array
from mochac.ir.graph import Value
from mochac.ir.op_call import OpCallError, require_value
from mochac.ir.scalar import FUNCTIONS
from mochac.ir.types import FLOATS


class OpWriter(Protocol):
    """The graph under construction. `dtype`: element type of blobs, "f32" or "f64"."""

    dtype: str

    def op(self, op: str, *inputs: Value, **attrs: object) -> Value:
        """Append an operation with one result, and return that."""
        ...

    def constant(self, value: float, like: Value) -> Value:
        """A tensor of the type of `like`, filled with a number."""
        ...

    def table(self, name: str, values: np.ndarray) -> Value:
        """A constant array of the current layer; `name` is for dumps."""
        ...


RULE = "extents that are equal or 1, from the last axis on"
ALONE = "a layer computes each sample alone, whatever its place in the batch"
MORE_AXES = "x[:, None] has one more axis behind the samples"


def together(ctx: OpWriter, what: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values with one shape. `what` is what messages call the operation.

    Raises:
        OpCallError: their shapes do not fit each other.
    """
    try:
        shape = np.broadcast_shapes(*(v.type.shape for v in values))
    except ValueError:
        got = " and ".join(str(v.type.shape) for v in values)
        short = any(v.type.batch and len(v.type.shape) < max(len(w.type.shape) for w in values) for v in values)
        rule = f"the operands of {what} do not fit each other"
        raise OpCallError(rule, RULE, got, MORE_AXES if short else "") from None
    batch = any(v.type.batch for v in values)
    return tuple(_spread(ctx, what, v, shape, batch) for v in values)


def whole(ctx: OpWriter, value: Value) -> Value:
    """All samples of the batch; the value itself if it has no samples."""
    return ctx.op("all_samples", value) if value.type.batch else value


def fixed_rows(value: Value) -> OpCallError:
    """The error about an operand that has the extent of the batch, but none of its samples."""
    rule, shape = "numbers that are none of the samples stand beside the samples of a batch", value.type.shape
    pairs = "ctx.eye() is true where a sample meets itself" if shape[:1] == shape[1:] else ""
    hint = pairs or f"{ALONE}; numbers of each sample are a blob of a data layer"
    return OpCallError(rule, "an array for one sample", str(shape), hint)


def common_dtype(ctx: OpWriter, values: tuple[Value, ...], *, counting: bool) -> str:
    """The dtype of the floats if there are any, else of the integers; if all are bools, bool, or floats where they
    count as 0 and 1."""
    kinds = [v.type.dtype for v in values]
    floats, numbers = [d for d in kinds if d in FLOATS], [d for d in kinds if d != "bool"]
    return next(iter(floats or numbers), ctx.dtype if counting else "bool")


def of_dtype(ctx: OpWriter, values: tuple[Value, ...], dtype: str) -> tuple[Value, ...]:
    """The values with bools as numbers, and integers as floats, where `dtype` is one; other dtypes stay."""
    return tuple(
        ctx.op("cast", v, dtype=dtype) if v.type.dtype != dtype and (dtype in FLOATS or v.type.dtype == "bool") else v
        for v in values
    )


def as_floats(ctx: OpWriter, value: Value) -> Value:
    """The value, with bools and integers as floats."""
    return value if value.type.dtype in FLOATS else ctx.op("cast", value, dtype=ctx.dtype)


def taken_by(ctx: OpWriter, op: str, dtype: str, count: int) -> str:
    """The dtype for `count` operands of an element-wise operation: floats if it takes no bools or integers."""
    try:
        FUNCTIONS[op].result((dtype,) * count)
    except ValueError:
        return dtype if dtype in FLOATS else ctx.dtype
    return dtype


def _spread(ctx: OpWriter, what: str, value: Value, shape: tuple[int, ...], batch: bool) -> Value:
    own = value.type.shape
    if own == shape:
        return value
    new = len(shape) - len(own)
    if value.type.batch and (new or own[0] != shape[0]):
        rule = f"{what} would repeat or move the axis of samples"
        raise OpCallError(
            rule, f"samples on axis 0 of {shape}", f"{own}, whose axis 0 is the samples", MORE_AXES if new else ""
        )
    if batch and not new and not value.type.batch and own[0] != 1:
        raise fixed_rows(value)
    kept = [k for k, extent in enumerate(own) if extent == shape[new + k]]
    if len(kept) < len(own):
        value = ctx.op("reshape", value, shape=tuple(own[k] for k in kept))
    return ctx.op("broadcast", value, shape=shape, axes=tuple(new + k for k in kept), batch=batch)


NUMBERS = (bool, int, float, np.bool_, np.number)
Operand: TypeAlias = "Value | float | np.ndarray"


def as_value(ctx: OpWriter, what: str, x: Operand) -> Value:
    """An operand as a value; `what` is what messages call the operation.

    Raises:
        OpCallError: it is neither a value nor an array.
    """
    if is_array(x):
        array = np.asarray(x)
        table = ctx.table("array", array)
        return element_wise(ctx, what, "ne", (table, 0)) if array.dtype == bool else table
    require_value(f"an operand of {what}", x)
    assert isinstance(x, Value)
    return x


def as_mask(ctx: OpWriter, what: str, condition: Operand) -> Value:
    """A condition as bools: numbers hold where they are not 0."""
    value = as_value(ctx, what, condition)
    return value if value.type.dtype == "bool" else element_wise(ctx, what, "ne", (value, 0))


def element_wise(ctx: OpWriter, what: str, op: str, operands: tuple[Operand, ...]) -> Value:
    """An element-wise operation; its operands are converted to one shape and dtype."""
    return ctx.op(op, *equal(ctx, what, op, operands))


def equal(ctx: OpWriter, what: str, op: str, operands: tuple[Operand, ...], choosing: int = 0) -> list[Value]:
    """The operands as values of one shape and one dtype; the first `choosing` operands may have another dtype."""
    numbers = {k: x for k, x in enumerate(operands) if isinstance(x, NUMBERS)}
    values = tuple(as_value(ctx, what, x) for x in operands if not isinstance(x, NUMBERS))
    counting = not all(isinstance(x, (bool, np.bool_)) for x in numbers.values())
    dtype = common_dtype(ctx, values[choosing:], counting=counting)
    dtype = dtype if choosing else taken_by(ctx, op, dtype, len(operands))
    values = (*values[:choosing], *of_dtype(ctx, values[choosing:], dtype))
    converted = list(together(ctx, what, values))
    like = Value("", converted[0].type.with_(dtype=dtype))
    for k, x in numbers.items():
        converted.insert(k, _number(ctx, what, x, like))
    return converted


def _number(ctx: OpWriter, what: str, x: float | np.number | np.bool_, like: Value) -> Value:
    if like.type.dtype not in FLOATS and x != int(x):
        rule = f"{what} of integers and a fraction"
        raise OpCallError(rule, f"a whole number, for {like.type.dtype}", repr(x))
    return ctx.constant(float(x), like)


SPEC = re.compile(r"[a-zA-Z]+(,[a-zA-Z]+)*->[a-zA-Z]*")


def einsum(ctx: OpWriter, spec: str, operands: Sequence[Value]) -> Value:
    """The sum of products that numpy.einsum defines, from the first operand on.

    Raises:
        OpCallError: the spec is not letters for every axis of every operand and of the result, each once.
    """
    text = spec.replace(" ", "") if isinstance(spec, str) else ""
    groups, _, result = text.partition("->")
    letters = groups.split(",")
    if not SPEC.fullmatch(text) or not set(result) <= set(groups) or len(letters) != len(operands):
        raise OpCallError(
            "the spec of np.einsum does not fit", f"such as 'nij,jk->nik', {len(operands)} groups", repr(spec)
        )
    for group in (*letters, result):
        if len(set(group)) < len(group):
            raise OpCallError(
                "a letter of np.einsum stands for one axis of an operand", "different letters", repr(group)
            )
    for group, x in zip(letters, operands, strict=True):
        if len(group) != len(x.type.shape):
            raise OpCallError("np.einsum has a letter for every axis", f"{len(x.type.shape)} letters", repr(group))
    own, x = _needed(ctx, letters[0], operands[0], "".join((*letters[1:], result)))
    for k in range(1, len(operands)):
        later = "".join((*letters[k + 1 :], result))
        right, y = _needed(ctx, letters[k], operands[k], own + later)
        kept = "".join(c for c in dict.fromkeys(result + own + right) if c in later and c in own + right)
        if not (own and right and kept):
            hint = "np.sum, or the operator *"
            raise OpCallError("np.einsum of a scalar", "operands and results with axes", repr(spec), hint)
        x, own = contracted(ctx, (x, y), (own, right), kept), kept
    order = tuple(own.index(c) for c in result)
    return x if own == result else ctx.op("permute", x if order[:1] == (0,) else whole(ctx, x), order=order)


def contracted(ctx: OpWriter, operands: tuple[Value, Value], groups: tuple[str, str], result: str) -> Value:
    """The op einsum of two operands. The batch stays in front of the result, or its samples meet: an operand that has
    it elsewhere is read as all samples."""
    marked = {letters[0] for letters, x in zip(groups, operands, strict=True) if x.type.batch}
    elsewhere = {c for letters, x in zip(groups, operands, strict=True) for c in letters[x.type.batch :]}
    batch = result[0] if result[0] in marked - elsewhere else ""
    x, y = (v if letters[0] == batch else whole(ctx, v) for letters, v in zip(groups, operands, strict=True))
    return ctx.op("einsum", x, y, spec=f"{','.join(groups)}->{result}")


def _needed(ctx: OpWriter, own: str, x: Value, others: str) -> tuple[str, Value]:
    """An operand, summed over the axes that no other group has."""
    axes = tuple(k for k, letter in enumerate(own) if letter not in others)
    if not axes:
        return own, x
    return "".join(c for c in own if c in others), ctx.op("reduce_sum", whole(ctx, x) if 0 in axes else x, axes=axes)


ROW, TERM, COLUMN = "xyz"
LEADING = ascii_letters.replace("xyz", "")


def product(ctx: OpWriter, x: Value, y: Value) -> Value:
    """x @ y. A value with one axis is a row on the left and a column on the right; the result lacks that axis.

    Raises:
        OpCallError: the axes that are summed over differ, or leading axes do.
    """
    left, right = x.type.shape, y.type.shape
    if not left or not right or left[-1] != right[-2 if len(right) > 1 else -1]:
        rule = "the operands of @ do not fit each other"
        raise OpCallError(rule, "x (..., rows, n) and y (..., n, columns)", f"{left} and {right}")
    leads = left[:-2], right[:-2]
    shorter = min(map(len, leads))
    if leads[0][len(leads[0]) - shorter :] != leads[1][len(leads[1]) - shorter :]:
        raise OpCallError("the leading axes of the operands of @ differ", str(leads[0]), str(leads[1]))
    letters = LEADING[: max(map(len, leads))]
    own = [letters[len(letters) - len(lead) :] for lead in leads]
    rows, columns = ROW * (len(left) > 1), COLUMN * (len(right) > 1)
    result = f"{letters}{rows}{columns}"
    if not result:
        raise OpCallError("@ of two vectors", "matrices", f"{left} and {right}", "(x * y).sum()")
    groups = f"{own[0]}{rows}{TERM}", f"{own[1]}{TERM}{columns}"
    return contracted(ctx, (x, y), groups, result)


def largest(ctx: OpWriter, x: Value, axes: Sequence[int]) -> Value:
    """The maximum of x over axes, which are removed.

    Raises:
        OpCallError: it would be the maximum over samples.
    """
    if x.type.batch and 0 in axes:
        raise OpCallError("a maximum over the samples of a batch", "axes other than 0", str(tuple(axes)))
    return ctx.op("reduce_max", x, axes=tuple(sorted(axes)))


Subscript: TypeAlias = "int | slice | EllipsisType | None"
ALL = slice(None)


def indexed(ctx: OpWriter, x: Value, key: Subscript | tuple[Subscript, ...]) -> Value:
    """x[key].

    Raises:
        OpCallError: too many indices, one that is out of range, or a cut through the samples.
    """
    starts, cut, shape = list[int](), list[int](), list[int]()
    steps = dict[int, range]()
    for axis, part in _parts(x, key):
        if axis is None:
            shape.append(1)
            continue
        places = _range(x, axis, part)
        if len(places) > 1 and places.step != 1:
            steps[axis], places = places, range(len(places))
        starts.append(places.start)
        cut.append(len(places))
        if not _is_index(part):
            shape.append(len(places))
    if x.type.batch and 0 in steps:
        raise OpCallError("an index cuts or moves the axis of samples", ": for axis 0", _shown(key))
    for axis, places in steps.items():
        x = ctx.op("strided_slice", x, axis=axis, start=places.start, length=len(places), step=places.step)
    if x.type.batch and _begins_with_axis(key) and cut[0] == x.type.shape[0]:
        x = whole(ctx, x)
    elif x.type.batch and (tuple(shape[:1]) != x.type.shape[:1] or cut[0] != x.type.shape[0]):
        hint = "x[:, ...]: what a layer computes must not depend on the place of a sample in its batch"
        raise OpCallError("an index cuts or moves the axis of samples", ": for axis 0", _shown(key), hint)
    if tuple(cut) != x.type.shape:
        x = ctx.op("slice", x, start=tuple(starts), shape=tuple(cut))
    return x if tuple(shape) == x.type.shape else ctx.op("reshape", x, shape=tuple(shape))


def _begins_with_axis(key: Subscript | tuple[Subscript, ...]) -> bool:
    """Whether a key begins with a new axis, in front of the samples."""
    return key is None or (isinstance(key, tuple) and key[:1] == (None,))


def _parts(x: Value, key: Subscript | tuple[Subscript, ...]) -> Iterator[tuple[int | None, Subscript]]:
    """(axis, its part of the key), in order; (None, None) for a new axis."""
    parts = list(key) if isinstance(key, tuple) else [key]
    rank, own = len(x.type.shape), [p for p in parts if p is not None and p is not Ellipsis]
    if len(own) > rank or sum(p is Ellipsis for p in parts) > 1:
        raise OpCallError("too many indices", f"{rank} at most, for {x.type.shape}", _shown(key))
    if not any(p is Ellipsis for p in parts):
        parts.append(Ellipsis)
    axis = 0
    for part in parts:
        if part is None:
            yield None, None
            continue
        for _ in range(rank - len(own) if part is Ellipsis else 1):
            yield axis, ALL if part is Ellipsis else part
            axis += 1


def _range(x: Value, axis: int, part: object) -> range:
    """The entries that a part of the key takes of an axis."""
    most = x.type.shape[axis]
    if isinstance(part, slice):
        places = range(*part.indices(most))
        if not places:
            raise OpCallError(f"the slice of axis {axis} is empty", f"a part of {most} entries", _shown(part))
        return places
    if not _is_index(part):
        hint = 'rows of a table by ids: ctx.op("gather", table, ids)'
        raise OpCallError(f"the index of axis {axis} is no index", "a slice, an integer, None or ...", repr(part), hint)
    index = int(part)  # type: ignore[call-overload]
    if not -most <= index < most:
        raise OpCallError(f"the index of axis {axis} is out of range", f"-{most} to {most - 1}", str(index))
    return range(index % most, index % most + 1)


def _is_index(part: object) -> bool:
    return isinstance(part, (int, np.integer)) and not isinstance(part, bool)


def _shown(key: object) -> str:
    """The key as it was written.

    >>> _shown((slice(None), slice(1, 3), None, ...))
    '[:, 1:3, None, ...]'
    """

    def shown(part: object) -> str:
        if not isinstance(part, slice):
            return "..." if part is Ellipsis else repr(part)
        ends = ["" if end is None else str(end) for end in (part.start, part.stop)]
        return ":".join(ends if part.step is None else [*ends, str(part.step)])

    return f"[{', '.join(map(shown, key if isinstance(key, tuple) else (key,)))}]"
