"""Scaled dot-product attention, and the rotation of queries and keys by position (Rotary).

    scores[b, h, q, k] = sum over d of query[b, q, h, d] / sqrt(d) * key[b, k, h, d]
    top[b, q, h, d]    = sum over k of softmax(scores)[b, h, q, k] * value[b, k, h, d]

Queries, keys and values are parts (batch, time, 1, heads, features of a head) of blobs, which are read where they lie.
If each head of keys and values serves a group of heads of queries, queries have an axis of groups in place of the 1,
and scores have one more, [b, h, g, q, k].

Rotary turns pairs of features of queries and keys:

    turned[t, k]        = x[t, k] * cos(t * f[k]) - x[t, k + half] * sin(t * f[k])        f[k] = base^(-k / half)
    turned[t, k + half] = x[t, k + half] * cos(t * f[k]) + x[t, k] * sin(t * f[k])

So the scalar product of a query and a key depends on how far apart they are. The cosines and sines are tables, computed
when the net is compiled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from mochac.base.records import option
from mochac.base.rules import Rule, boolean, integer, or_none, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import of_samples
from mochac.nets.layers.axes import over, that_divide
from mochac.nets.layers.base import Layer, Names
from mochac.nets.layers.config import Config, config, keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Blob
from mochac.nets.layers.fields import instance, names, sample_blob


@config
class Rotary(Config):
    """Rotary positions (RoPE) of attention: queries and keys are turned, pair by pair of features, by angles that grow
    with the position.

    Args:
        base: > 0; pair k of a head turns by position * base^(-2 k / width).
        interleaved: whether a pair are neighbours, features 2 k and 2 k + 1, as in the paper; otherwise features k and
            k + width / 2, as in Llama, Mistral and Hugging Face's models.
        width: how many features of a head turn, the first ones; an even number, None for all.

    Source: Su et al., RoFormer, 2021; ONNX's RotaryEmbedding.
    """

    base: float = option(real(above=0), default=10000.0)
    interleaved: bool = option(boolean(), default=False)
    width: int | None = option(or_none(integer(2)), default=None)

    def turned(self, ctx: TraceContext, x: Value, scale: float, before: int = 0, lengths: Value | None = None) -> Value:
        """Queries or keys (batch, time, .., heads, features), turned and scaled.

        Args:
            before: the first position.
            lengths: (batch,); the first position of each sample, at most `before`; None if it is `before`.

        Raises:
            OpTypeError: no even number of features, or fewer than `width`.
        """
        *kept, features = x.type.shape
        width = features if self.width is None else self.width
        if width % 2:
            rule = "rotary positions turn pairs of features"
            raise OpTypeError(rule, "an even number of features of a head, or Rotary(width=...)", str(width))
        if width > features:
            raise OpTypeError("more features turn than a head has", f"width <= {features}", str(width))
        half = width // 2
        turning = x if width == features else _part_rotary(ctx, x, 0, width)
        if self.interleaved:
            turning = ctx.op("reshape", turning, shape=(*kept, half, 2))
        size = 1 if self.interleaved else half
        first, second = _part_rotary(ctx, turning, 0, size), _part_rotary(ctx, turning, size, size)
        frequencies = self.base ** (-np.arange(half) / half)
        angles = np.outer(np.arange(0 if lengths is not None else before, before + kept[1]), frequencies)
        cos, sin = ctx.table("cos", scale * np.cos(angles)), ctx.table("sin", scale * np.sin(angles))
        along = (1, len(kept))
        if lengths is not None:
            at = _positions(ctx, x, lengths)
            cos, sin, along = ctx.op("gather", cos, at), ctx.op("gather", sin, at), (0, *along)
        cos, sin = over(ctx, cos, first, along), over(ctx, sin, first, along)
        turned = [
            ctx.op("sub", ctx.op("mul", first, cos), ctx.op("mul", second, sin)),
            ctx.op("add", ctx.op("mul", second, cos), ctx.op("mul", first, sin)),
        ]
        if self.interleaved:
            pairs = ctx.op("concat", *turned, axis=len(kept) + 1)
            turned = [ctx.op("reshape", pairs, shape=(*kept, width))]
        if width < features:
            turned.append(ctx.scaled(_part_rotary(ctx, x, width, features - width), scale))
        return turned[0] if len(turned) == 1 else ctx.op("concat", *turned, axis=len(kept))


def _part_rotary(ctx: TraceContext, x: Value, start: int, size: int) -> Value:
    """Some elements along the last axis."""
    *kept, _ = x.type.shape
    return ctx.op("slice", x, start=(*(0 for _ in kept), start), shape=(*kept, size))


def _positions(ctx: TraceContext, x: Value, lengths: Value) -> Value:
    """The position of every entry of `x`, (batch, time), where a sample begins at its length."""
    shape, t = x.type.shape[:2], lengths.type
    first = ctx.op("broadcast", lengths, shape=shape, axes=(0,), batch=t.batch)
    return ctx.op("add", first, ctx.op("position", axis=1, dtype=t.dtype, shape=shape, batch=t.batch))


def rotary() -> Rule:
    """Field rule: rotary positions, or None."""
    return or_none(instance(Rotary, "rotary positions such as Rotary()", Rotary()))


LOWEST = -3e38
"""The score of a position that may not be attended to. It is finite, so that a row without any position to attend to
is a mean of all values, and not NaN."""


MASK = Blob((4,), 0, 1, classes=2)
"""A blob that shows or hides each of four positions, for examples."""


@keyword_config
class Attending(Layer):
    """Base of AttentionLayer and MultiHeadAttentionLayer: heads, masks and positions."""

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 3)
    n_tops: ClassVar[tuple[int, int | None]] = (1, 3)
    blob_fields: ClassVar[tuple[str, ...]] = ("mask", "past", "lengths", "score_bias")
    of_sequences: ClassVar[bool] = True

    heads: int = option(integer(1), default=1)
    kv_heads: int | None = option(or_none(integer(1)), default=None)
    causal: bool = option(boolean(), default=False)
    window: int | None = option(or_none(integer(1)), default=None)
    mask: str = option(sample_blob(), default="")
    rotary: Rotary | None = option(rotary(), default=None)
    past: Names = option(names(), default=())
    lengths: str = option(sample_blob(), default="")
    dropout: float = option(real(0, below=1), default=0.0)
    scale: float | None = option(or_none(real()), default=None)
    score_bias: str = option(sample_blob(), default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.bottoms) == 2:
            raise self.error("needs one bottom, or queries, keys and values", expected="1 or 3 bottoms", got="2")
        if len(self.tops) == 2:
            raise self.error("needs one top, or the result, keys and values", expected="1 or 3 tops", got="2")
        if len(self.past) not in (0, 2):
            raise self.error("past names keys and values", expected="2 blobs", got=f"{len(self.past)} blobs")
        if self.kv_heads and self.heads % self.kv_heads:
            hint = that_divide("kv_heads", self.kv_heads, self.heads)
            expected, got = f"a divisor of {self.heads}", str(self.kv_heads)
            raise self.error("the kv_heads do not divide the heads", expected=expected, got=got, hint=hint)

    @property
    def number(self) -> Heads:
        """The numbers of heads."""
        keys = self.kv_heads or self.heads
        return Heads(keys, self.heads // keys)

    def attention(self, ctx: TraceContext, parts: Sequence[Value]) -> tuple[Value, ...]:
        """The attention of queries to keys and values, in one value or in three. If there are three tops, also the
        keys, turned, and the values, both (batch, time, features)."""
        q, k, v = heads_of(ctx, parts, self.number)
        past = [self._past(ctx, n, x) for n, x in enumerate((k, v)) if self.past]
        before = past[0].type.shape[1] if past else 0
        lengths = self._lengths(ctx, before) if self.lengths else None
        scale = 1 / math.sqrt(q.type.shape[-1]) if self.scale is None else self.scale
        if self.rotary is None:
            q = ctx.scaled(q, scale)
        else:
            q = self.rotary.turned(ctx, q, scale, before, lengths)
            k = self.rotary.turned(ctx, k, 1.0, before, lengths)
        own = (_flat(ctx, k), _flat(ctx, v)) if len(self.tops) == 3 else ()
        if past:
            k, v = (ctx.op("concat", old, new, axis=1) for old, new in zip(past, (k, v), strict=True))
        mask, bias = (ctx.blob(name) if getattr(self, name) else None for name in ("mask", "score_bias"))
        masking = Masking(self.causal, mask, self.dropout, self.window, before, lengths, bias)
        return attended(ctx, q, k, v, masking), *own

    def _past(self, ctx: TraceContext, n: int, x: Value) -> Value:
        """Earlier keys or values by head, where `x` are those of now."""
        past, (batch, _, _, *heads) = ctx.blob("past", n), x.type.shape
        shape = past.type.shape
        if (
            len(shape) != 3
            or not past.type.batch
            or shape[2] != math.prod(heads)
            or (n and shape[1] != ctx.blob("past").type.shape[1])
        ):
            what = ("keys", "values")[n]
            raise OpTypeError(f"past {what} do not fit", f"(batch, earlier, {math.prod(heads)})", str(shape))
        return ctx.op("reshape", past, shape=(batch, shape[1], 1, *heads))

    def _lengths(self, ctx: TraceContext, before: int) -> Value:
        """How many positions of the past count, (batch,)."""
        if not self.past:
            raise OpTypeError("lengths says how many positions of the past count", "past=[keys, values]", "no past")
        lengths = of_samples(ctx, "lengths")
        batch = lengths.type.shape[:1]
        if lengths.type.shape not in (batch, (*batch, 1)):
            raise OpTypeError("lengths are one number per sample", str(batch), str(lengths.type.shape))
        ctx.label(lengths, before + 1, what="length")
        return ctx.op("reshape", lengths, shape=batch)


class Heads(NamedTuple):
    """Numbers of heads: of keys and values, and of heads of queries that each of these serves."""

    keys: int
    group: int

    @property
    def queries(self) -> int:
        """Heads of queries."""
        return self.keys * self.group


class Masking(NamedTuple):
    """Which positions a query attends to, and with what probability a weight is dropped in training.

    Args:
        causal: only those up to its own.
        mask: only those where it is above 0; numbers for keys, pairs or heads, as `spread` takes them.
        dropout: the probability.
        window: only those less than this number of positions away; None: all.
        before: how many keys come before that of the first query.
        lengths: (batch,); only so many of these; None for all.
        bias: what is added to the scores, as `spread` takes it.
    """

    causal: bool
    mask: Value | None
    dropout: float
    window: int | None
    before: int
    lengths: Value | None
    bias: Value | None = None


def heads_of(ctx: TraceContext, bottoms: Sequence[Value], heads: Heads) -> tuple[Value, Value, Value]:
    """Queries, keys and values of one bottom with the features of all three, or of three bottoms, by head.

    Raises:
        OpTypeError: bottoms without time, whose features the heads do not divide, or that do not fit each other.
    """
    require_sequences(bottoms)
    if len(bottoms) == 1:
        return _side_by_side(ctx, bottoms[0], heads)
    q, k, v = bottoms
    require_heads(heads.queries, q.type.shape[2])
    require_heads(heads.keys, k.type.shape[2], name="kv_heads" if heads.group > 1 else "heads")
    require_heads(heads.keys, v.type.shape[2], name="kv_heads" if heads.group > 1 else "heads")
    (rows, _, width), (n, time, own), (m, other, _) = (x.type.shape for x in bottoms)
    if not rows == n == m:
        raise OpTypeError("queries, keys and values differ in their number of samples", str(rows), f"{n} and {m}")
    if own * heads.group != width:
        each = " of a head" if heads.group > 1 else ""
        raise OpTypeError(f"keys and queries differ in features{each}", str(width // heads.group), str(own))
    if other != time:
        raise OpTypeError("keys and values differ in time", str(time), str(other))
    return _split(ctx, q, heads.group, heads.keys), _split(ctx, k, 1, heads.keys), _split(ctx, v, 1, heads.keys)


def require_sequences(bottoms: Sequence[Value]) -> None:
    """Check that bottoms have an axis of time.

    Raises:
        OpTypeError: a bottom has none.
    """
    for x in bottoms:
        shape = x.type.shape
        if len(shape) != 3:
            hint = f"ReshapeLayer(shape=(1, {shape[1]})) makes sequences of one position" if len(shape) == 2 else ""
            raise OpTypeError("a bottom is not a sequence", "(batch, time, features)", str(shape), hint)


def _side_by_side(ctx: TraceContext, x: Value, heads: Heads) -> tuple[Value, Value, Value]:
    """The parts of a bottom."""
    width, parts = x.type.shape[2], heads.group + 2
    if heads.group > 1 and width % (parts * heads.keys):
        expected = f"a multiple of heads + 2 * kv_heads = {parts * heads.keys}"
        raise OpTypeError("one bottom holds queries, keys and values", expected, str(width))
    if width % parts:
        hint = "queries, keys and values side by side, or three bottoms"
        raise OpTypeError("one bottom holds queries, keys and values", "a multiple of 3", str(width), hint)
    require_heads(heads.keys, width, parts)
    split = _split(ctx, x, parts, heads.keys)
    queries, key, value = (
        _part_attention(ctx, split, k, n) for k, n in ((0, heads.group), (parts - 2, 1), (parts - 1, 1))
    )
    return queries, key, value


def _split(ctx: TraceContext, x: Value, parts: int, heads: int) -> Value:
    batch, time, width = x.type.shape
    return ctx.op("reshape", x, shape=(batch, time, parts, heads, width // (parts * heads)))


def _part_attention(ctx: TraceContext, x: Value, start: int, count: int) -> Value:
    batch, time, _, *rest = x.type.shape
    return ctx.op("slice", x, start=(0, 0, start, 0, 0), shape=(batch, time, count, *rest))


def require_heads(heads: int, width: int, parts: int = 1, name: str = "heads") -> None:
    """Check that a number of heads divides the features of a bottom, or of its parts.

    Raises:
        OpTypeError: it does not.
    """
    own = width // parts
    if own % heads:
        what, got = ("queries, keys and values of ", f"{width} / {parts} = {own}") if parts > 1 else ("", str(own))
        rule = f"the {name} do not divide the features of {what}a bottom"
        raise OpTypeError(rule, f"a multiple of {heads}", got, that_divide(name, heads, own))


def _flat(ctx: TraceContext, x: Value) -> Value:
    batch, time, *heads = x.type.shape
    return ctx.op("reshape", x, shape=(batch, time, math.prod(heads)))


def attended(ctx: TraceContext, q: Value, k: Value, v: Value, masking: Masking) -> Value:
    """The attention of scaled queries to keys and values, (batch, time, features of the values for all heads of
    queries).

    Raises:
        OpTypeError: the mask has another shape.
    """
    batch, time, group, heads, size = q.type.shape
    h = "h"
    if group > 1:
        h, q = "hg", ctx.op("reshape", q, shape=(batch, time, 1, heads, group, size))
    scores = ctx.op("einsum", q, k, spec=f"bqz{h}d,bkzhd->b{h}qk")
    weights = ctx.op("softmax", masked(ctx, scores, masking), axis=len(scores.type.shape) - 1)
    if masking.dropout and ctx.training:
        kept = ctx.dropout_mask(weights, masking.dropout)
        weights = ctx.scaled(ctx.op("select", kept, weights, ctx.constant(0.0, weights)), 1 / (1 - masking.dropout))
    y = ctx.op("einsum", weights, v, spec=f"b{h}qk,bkzhd->bqz{h}d")
    return ctx.op("reshape", y, shape=(batch, time, group * heads * v.type.shape[4]))


def masked(ctx: TraceContext, scores: Value, masking: Masking) -> Value:
    """The scores, with LOWEST where the mask hides a key, and -inf for keys that do not count or come after the query,
    whose weight is 0."""
    t, column = scores.type, len(scores.type.shape) - 1
    if masking.bias is not None:
        scores = ctx.op("add", scores, spread(ctx, "score_bias", masking.bias, scores))
    if masking.mask is not None:
        shown = spread(ctx, "mask", _of_keys(ctx, masking.mask, t.shape[column]), scores)
        seen = ctx.op("gt", shown, ctx.constant(0.0, shown))
        scores = ctx.op("select", seen, scores, ctx.constant(LOWEST, scores))
    if masking.lengths is None and not masking.causal and not masking.window:
        return scores
    hidden = ctx.constant(-math.inf, scores)
    dtype = "i32" if masking.lengths is None else t.dtype
    row, key = (ctx.op("position", axis=a, dtype=dtype, shape=t.shape, batch=t.batch) for a in (column - 1, column))
    query = last = _further(ctx, row, masking.before)
    if masking.lengths is not None:
        n = ctx.op("broadcast", masking.lengths, shape=t.shape, axes=(0,), batch=masking.lengths.type.batch)
        own = ctx.op("ge", key, ctx.constant(masking.before, key))
        scores = ctx.op("select", ctx.op("or", own, ctx.op("lt", key, n)), scores, hidden)
        query = ctx.op("select", own, query, ctx.op("add", row, n))  # as keys are counted that it is compared with
    if masking.window:
        near = ctx.op("gt", _further(ctx, key, masking.window), query)
        if not masking.causal:
            near = ctx.op("and", near, ctx.op("gt", _further(ctx, query, masking.window), key))
        scores = ctx.op("select", near, scores, hidden)
    if masking.causal:
        scores = ctx.op("select", ctx.op("ge", last, key), scores, hidden)
    return scores


def spread(ctx: TraceContext, what: str, x: Value, scores: Value) -> Value:
    """Numbers for keys, pairs of queries and keys, or heads, repeated to the shape of the scores. Axes are compared
    from the last one on; missing axes, and extents of 1, stand for all.

    Raises:
        OpTypeError: they do not fit.
    """
    batch, *heads, rows, keys = shape = scores.type.shape
    marked, whole = x.type.batch, (math.prod(heads), rows, keys)
    own = x.type.shape[1:] if marked else x.type.shape
    padded = (*(1 for _ in range(3 - len(own))), *own)
    own_samples = x.type.shape[:1] == (batch,) if marked else ctx.without_samples(x)
    if len(padded) > 3 or not own_samples or any(d not in (1, want) for d, want in zip(padded, whole, strict=True)):
        wanted = f"(batch, heads, time of queries, time of keys): {(batch, *whole)}; any of these may be left out or 1"
        raise OpTypeError(f"{what} does not fit the scores", wanted, str(x.type.shape))
    column = len(shape) - 1
    places = (tuple(range(1, column - 1)), (column - 1,), (column,))
    axes = (0,) if marked else ()
    axes += tuple(a for place, d in zip(places, padded, strict=True) if d > 1 for a in place)
    kept = tuple(shape[a] for a in axes)
    x = x if x.type.shape == kept else ctx.op("reshape", x, shape=kept)
    return ctx.op("broadcast", x, shape=shape, axes=axes, batch=scores.type.batch)


def _of_keys(ctx: TraceContext, mask: Value, keys: int) -> Value:
    """The mask; (batch, keys) if each sample has a number for each key, whatever its axes."""
    shape = mask.type.shape
    per_key = mask.type.batch and len(shape) > 2 and math.prod(shape[1:]) == keys
    return ctx.op("reshape", mask, shape=(*shape[:1], keys)) if per_key else mask


def _further(ctx: TraceContext, position: Value, count: int) -> Value:
    return ctx.op("add", position, ctx.constant(count, position)) if count else position
