"""einsum: sums of products of two tensors, by letters for their axes, as in numpy.einsum.

    spec "bik,bkj->bij":   y[b,i,j] = sum over k of p[b,i,k] * q[b,k,j]

Attribute: spec, two groups of letters and those of the result; every letter once in a group, and at least in two of the
three. Letters of both operands that the result lacks are summed over. If a group begins with the batch of the plan, the
result begins with it too, or it is summed over. Gradients: einsum with the groups exchanged.
"""

from __future__ import annotations

import re
from contextlib import ExitStack
from math import prod

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.graph import BoundNode, Value
from mochac.ir.index import Index
from mochac.ir.kernel import Operand
from mochac.ir.kernel_build import KernelBuilder, Pointwise
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import Op, OpTypeError, Sample, register
from mochac.ir.ops._typing import dims, factors, multiply_add, require_factor, require_same_dtype, result, sum_dtype
from mochac.ir.types import DTYPES, PAIRS, TensorType

SPEC = re.compile(r"([a-zA-Z]+),([a-zA-Z]+)->([a-zA-Z]+)")


def groups(spec: object) -> tuple[str, str, str]:
    """The letters of both operands and of the result.

    >>> groups("bik,bkj->bij")
    ('bik', 'bkj', 'bij')

    Raises:
        OpTypeError: it is no such spec.
    """
    match = SPEC.fullmatch(str(spec))
    if match is None:
        raise OpTypeError("the spec must name the axes of two operands and a result", "'bik,bkj->bij'", repr(spec))
    p, q, y = match.groups()
    for group in (p, q, y):
        if len(set(group)) < len(group):
            raise OpTypeError("a letter stands for one axis of an operand", "different letters", repr(group))
    for letter in p + q + y:
        if sum(letter in group for group in (p, q, y)) < 2:
            raise OpTypeError("every letter must be in two of the three groups", repr(spec), f"{letter!r} in one")
    return p, q, y


def infer(p: TensorType, q: TensorType, *, spec: str) -> tuple[TensorType, ...]:
    require_factor("the first operand", p)
    require_same_dtype(("the first operand", p), ("the second", q))
    (left, right, kept), extents = groups(spec), dict[str, int]()
    for letters, t in ((left, p), (right, q)):
        if len(letters) != len(t.shape):
            raise OpTypeError("the spec has a letter for every axis", f"{len(letters)} axes ({letters})", dims(t.shape))
        for letter, extent in zip(letters, t.shape, strict=True):
            if extents.setdefault(letter, extent) != extent:
                rule = f"axes {letter!r} of the operands differ in extent"
                raise OpTypeError(rule, str(extents[letter]), str(extent))
    batch = {letters[0] for letters, t in ((left, p), (right, q)) if t.batch}
    if len(batch) > 1 or any(letter in kept[1:] for letter in batch):
        raise OpTypeError("the batch must stay in front", f"one letter, first in {kept!r}", " ".join(sorted(batch)))
    marked = bool(kept) and kept[0] in batch
    return (result(sum_dtype(p), tuple(extents[letter] for letter in kept), marked, p, q),)


def reference(p: np.ndarray, q: np.ndarray, *, spec: str) -> np.ndarray:
    left, right, _ = groups(spec)
    if p.dtype == DTYPES[PAIRS]:
        letter = halved(spec)
        p, q = factors((p, left.index(letter)), (q, right.index(letter)))
    return np.einsum(spec, p, q, optimize=True).astype(p.dtype)


def halved(spec: object) -> str:
    """The letter of the sum of which two neighbours may become a pair: the last one of the first operand; "" if there
    is no sum.

    >>> halved("bqhd,bkhd->bhqk"), halved("i,n->ni")
    ('d', '')
    """
    left, _, kept = groups(spec)
    return next((letter for letter in reversed(left) if letter not in kept), "")


def paired(bound: BoundNode) -> tuple[int, int] | None:
    left, right, _ = groups(bound.attr["spec"])
    letter = halved(bound.attr["spec"])
    return (left.index(letter), right.index(letter)) if letter else None


def vjp(b: GraphBuilder, bound: BoundNode, dy: Value) -> tuple[Value | None, ...]:
    (p, q), (left, right, kept) = bound.inputs, groups(bound.attr["spec"])
    return (
        b.op("einsum", dy, q, spec=f"{kept},{right}->{left}"),
        b.op("einsum", dy, p, spec=f"{kept},{left}->{right}"),
    )


def lower(k: KernelBuilder, bound: BoundNode, index: tuple[Index, ...]) -> tuple[Operand, ...]:
    p = bound.inputs[0].type
    left, _, kept = groups(bound.attr["spec"])
    at = dict(zip(kept, index, strict=True))
    summed = {letter: extent for letter, extent in zip(left, p.shape, strict=True) if letter not in at}
    at |= dict.fromkeys(summed, Index.of(0))
    terms = {letter: extent for letter, extent in summed.items() if extent != 1 or p.dtype == PAIRS}
    if not terms:
        return (k.call("mul", *_factors(k, bound, at)),)
    acc = k.local("acc", sum_dtype(p), k.const(0.0, sum_dtype(p)))
    with ExitStack() as loops:
        at |= {letter: loops.enter_context(k.sum(letter, extent)) for letter, extent in terms.items()}
        k.accum(acc, multiply_add(p), *_factors(k, bound, at))
    return (k.get(acc),)


def _factors(k: KernelBuilder, bound: BoundNode, at: dict[str, Index]) -> tuple[Operand, Operand]:
    left, right, _ = groups(bound.attr["spec"])
    return k.read(bound, 0, tuple(at[a] for a in left)), k.read(bound, 1, tuple(at[a] for a in right))


def _flops(bound: BoundNode) -> int:
    left, right, _ = groups(bound.attr["spec"])
    shapes = (zip(letters, x.type.shape, strict=True) for letters, x in zip((left, right), bound.inputs, strict=True))
    return 2 * prod(dict(axis for shape in shapes for axis in shape).values())


def onnx(w: OnnxWriter, bound: BoundNode, p: str, q: str) -> str:
    return w.node("Einsum", p, q, equation=str(bound.attr["spec"]))


register(
    Op(
        name="einsum",
        infer=infer,
        reference=reference,
        vjp=vjp,
        lower=Pointwise(lower),
        kind="contraction",
        paired=paired,
        adds=True,
        tolerance=5e-5,
        flops=_flops,
        samples=(
            Sample(("f32[b3,4,5]", "f32[b3,5,2]"), {"spec": "bik,bkj->bij"}),
            Sample(("f32[b2,17,2,5]", "f32[b2,19,2,5]"), {"spec": "bqhd,bkhd->bhqk"}),
            Sample(("f32[b2,2,17,19]", "f32[b2,19,2,18]"), {"spec": "bhqk,bkhd->bqhd"}),
            Sample(("f32[b17,3]", "f32[3,4,2]"), {"spec": "ni,ijk->nkj"}),
            Sample(("f32[b17,3]", "f32[b17,5]"), {"spec": "ni,nj->ij"}),
            Sample(("f32[4]", "f32[b5]"), {"spec": "i,n->ni"}),
            Sample(("f32[4,1]", "f32[1,4]"), {"spec": "ij,ji->j"}),
            Sample(("f32[b3,17,1]", "f32[b3,18,1]"), {"spec": "bqd,bkd->bqk"}),
        ),
        onnx=onnx,
    )
)
