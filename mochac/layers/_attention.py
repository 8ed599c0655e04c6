"""Scaled dot products of queries and keys, and sums of values weighted by them, for every head of every sample.

    scores[b, h, q, k] = sum over d of query[b, q, h, d] / sqrt(d) * key[b, k, h, d]
    top[b, q, h, d]    = sum over k of softmax(scores)[b, h, q, k] * value[b, k, h, d]

Queries, keys and values are parts (batch, time, 1, heads, features / heads) of blobs, which are read where they lie.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers._divisors import that_divide
from mochac.layers.context import TraceContext

LOWEST = -3e38
"""The score of a position that may not be attended to. It is finite, so that a row without any position to attend to
is a mean of all values, and not NaN."""


class Masking(NamedTuple):
    """Which positions a query attends to, and with what probability a weight is dropped in training.

    Args:
        causal: only those up to its own.
        mask: (batch, time of keys); only those where it is above 0.
        dropout: the probability.
    """

    causal: bool
    mask: Value | None
    dropout: float


def heads_of(ctx: TraceContext, bottoms: tuple[Value, ...], heads: int) -> tuple[Value, Value, Value]:
    """Queries, keys and values of one bottom with the features of all three, or of three bottoms, by head.

    Raises:
        OpTypeError: bottoms without time, whose features the heads do not divide, or that do not fit each other.
    """
    for x in bottoms:
        if len(x.type.shape) != 3:
            raise OpTypeError("a bottom is not a sequence", "(batch, time, features)", str(x.type.shape))
    if len(bottoms) == 1:
        split = _by_head(ctx, bottoms[0], 3, heads)
        return _part(ctx, split, 0), _part(ctx, split, 1), _part(ctx, split, 2)
    q, k, v = (_by_head(ctx, x, 1, heads) for x in bottoms)
    (rows, _, width), (n, time, own), (m, other, _) = (x.type.shape for x in bottoms)
    if not rows == n == m:
        raise OpTypeError("queries, keys and values differ in their number of samples", str(rows), f"{n} and {m}")
    if own != width:
        raise OpTypeError("keys and queries differ in features", str(width), str(own))
    if other != time:
        raise OpTypeError("keys and values differ in time", str(time), str(other))
    return q, k, v


def require_heads(heads: int, width: int, parts: int = 1) -> None:
    """Check that a number of heads divides the features of a bottom, or of its parts.

    Raises:
        OpTypeError: it does not.
    """
    own = width // parts
    if own % heads:
        what, got = ("queries, keys and values of ", f"{width} / {parts} = {own}") if parts > 1 else ("", str(own))
        rule = f"the heads do not divide the features of {what}a bottom"
        raise OpTypeError(rule, f"a multiple of {heads}", got, that_divide("heads", heads, own))


def _by_head(ctx: TraceContext, x: Value, parts: int, heads: int) -> Value:
    batch, time, width = x.type.shape
    if width % parts:
        hint = "queries, keys and values side by side, or three bottoms"
        raise OpTypeError("one bottom holds queries, keys and values", f"a multiple of {parts}", str(width), hint)
    require_heads(heads, width, parts)
    return ctx.op("reshape", x, shape=(batch, time, parts, heads, width // (parts * heads)))


def _part(ctx: TraceContext, x: Value, k: int) -> Value:
    batch, time, _, *rest = x.type.shape
    return ctx.op("slice", x, start=(0, 0, k, 0, 0), shape=(batch, time, 1, *rest))


def attended(ctx: TraceContext, q: Value, k: Value, v: Value, masking: Masking) -> Value:
    """The attention of queries to keys and values, (batch, time, features of the values).

    Raises:
        OpTypeError: the mask has another shape.
    """
    scaled = ctx.scaled(q, 1 / math.sqrt(q.type.shape[-1]))
    scores = ctx.op("einsum", scaled, k, spec="bqzhd,bkzhd->bhqk")
    weights = ctx.op("softmax", masked(ctx, scores, masking), axis=3)
    if masking.dropout and ctx.training:
        kept = ctx.dropout_mask(weights, masking.dropout)
        weights = ctx.scaled(ctx.op("select", kept, weights, ctx.constant(0.0, weights)), 1 / (1 - masking.dropout))
    y = ctx.op("einsum", weights, v, spec="bhqk,bkzhd->bqzhd")
    batch, time, _, heads, width = y.type.shape
    return ctx.op("reshape", y, shape=(batch, time, heads * width))


def masked(ctx: TraceContext, scores: Value, masking: Masking) -> Value:
    """The scores, with LOWEST where the mask hides a key, and -inf for keys after the query, whose weight is 0."""
    t = scores.type
    if masking.mask is not None:
        batch, _, _, time = t.shape
        given = masking.mask
        if math.prod(given.type.shape) != batch * time or given.type.shape[0] != batch:
            wanted = f"(batch, time of keys): {(batch, time)}"
            raise OpTypeError("the mask must be one number per key", wanted, str(given.type.shape))
        given = given if len(given.type.shape) == 2 else ctx.op("reshape", given, shape=(batch, time))
        shown = ctx.op("broadcast", given, shape=t.shape, axes=(0, 3), batch=given.type.batch)
        seen = ctx.op("gt", shown, ctx.constant(0.0, shown))
        scores = ctx.op("select", seen, scores, ctx.constant(LOWEST, scores))
    if masking.causal:
        query, key = (ctx.op("position", axis=a, dtype="i32", shape=t.shape, batch=t.batch) for a in (2, 3))
        scores = ctx.op("select", ctx.op("ge", query, key), scores, ctx.constant(-math.inf, scores))
    return scores
