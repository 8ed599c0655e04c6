"""Recurrent: base of RNNLayer, LSTMLayer and GRULayer: layers and directions, initial states, lengths, and results.

A cell computes the state after a step from that before it and the features of the step. Everything else is here: one
loop (ctx.scan) for each layer and direction, the second direction over reversed time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar, NamedTuple

from mochac.base.records import option
from mochac.base.rules import boolean, integer, or_none, real
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers._losses import of_samples
from mochac.nets.layers.base import Names, Parametric
from mochac.nets.layers.config import keyword_config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.nets.layers.fields import names, parameter_blob, sample_blob
from mochac.nets.layers.initializers import ConstantInitializer, Initializer, XavierInitializer, initializer
from mochac.nets.layers.regularizers import L2Regu, NoRegu, Regularizer, regularizer

WRONG_LENGTHS = "lengths are one number per sample"
WRONG_MARKERS = "the markers of sequences are one number per step"
MARKERS = Blob((4,), 0, 2, classes=2)
"""Whether each of four steps belongs to the same sequence as the one before."""
LENGTHS = Blob((), 0, 4, classes=5)
"""How many of four steps count, for each sample."""


class CellWeights(NamedTuple):
    """The parameters of a cell: gates of the features, and of the state before."""

    weight_x: Value
    weight_h: Value
    bias_x: Value | None
    bias_h: Value | None


def examples(states: int, **fields: Any) -> tuple[Example, ...]:
    """Bottoms that a recurrent layer with this many states takes and refuses."""
    tops = ["y", "h", "c"][: 1 + states]
    initial = [f"b{k}" for k in range(1, 1 + states)]
    learnt = [("Parameter", {"name": name, "shape": (2, 3)}) for name in ("W", "V")]
    return (
        fits((4, 3), output_dim=2, **fields),
        fits((3, 2), output_dim=3, bidirectional=True, last=True, **fields),
        fits((3, 2), output_dim=3, n_layers=2, bias=False, last=True, **fields),
        fits((3, 2), output_dim=3, reverse=True, tops=tops, **fields),
        fits((4, 2), output_dim=2, n_layers=2, bidirectional=True, tops=tops, **fields),
        fits((4, 2), LENGTHS, bottoms=["b0"], lengths="b1", output_dim=3, bidirectional=True, tops=tops, **fields),
        fits((2, 2), *[(1, 3)] * states, bottoms=["b0"], initial=initial, output_dim=3, **fields),
        fits((2, 2), near=learnt, initial=["W", "V"][:states], output_dim=3, bidirectional=True, **fields),
        breaks("a bottom is not a sequence", (6,), output_dim=2, **fields),
        breaks("a bottom is not a sequence", LOSS, output_dim=2, **fields),
        fits((4, 2), MARKERS, bottoms=["b0"], continues="b1", output_dim=3, n_layers=2, **fields),
        fits((4, 2), LENGTHS, MARKERS, bottoms=["b0"], lengths="b1", continues="b2", output_dim=3, tops=tops, **fields),
        breaks(WRONG_MARKERS, (4, 3), (3,), bottoms=["b0"], continues="b1", output_dim=2, **fields),
        breaks(WRONG_LENGTHS, (4, 3), (4, 3), bottoms=["b0"], lengths="b1", output_dim=2, **fields),
        breaks(
            "initial names another number of blobs",
            (2, 2),
            *[(1, 3)] * (states + 1),
            bottoms=["b0"],
            initial=[*initial, f"b{states + 1}"],
            output_dim=3,
            **fields,
        ),
        breaks(
            "an initial state does not fit", (2, 2), near=learnt, initial=["W", "V"][:states], output_dim=3, **fields
        ),
        breaks(
            "an initial state does not fit",
            (2, 2),
            *[(2, 3)] * states,
            bottoms=["b0"],
            initial=initial,
            output_dim=3,
            **fields,
        ),
    )


@keyword_config
class Recurrent(Parametric):
    """A layer that goes over sequences step by step.

    Attributes:
        gates: rows of its weights, as multiples of output_dim.
        states: how many values it carries; the first one is its output.
    """

    blob_fields: ClassVar[tuple[str, ...]] = ("lengths", "initial", "continues", *CellWeights._fields)
    of_sequences: ClassVar[bool] = True
    gates: ClassVar[int] = 1
    states: ClassVar[int] = 1

    output_dim: int = option(integer(1))
    n_layers: int = option(integer(1), default=1)
    bidirectional: bool = option(boolean(), default=False)
    reverse: bool = option(boolean(), default=False)
    last: bool = option(boolean(), default=False)
    dropout: float = option(real(0, below=1), default=0.0)
    lengths: str = option(sample_blob(), default="")
    initial: Names = option(names(), default=())
    continues: str = option(sample_blob(), default="")
    stateful: bool = option(boolean(), default=False)
    weight_init: Initializer = option(initializer(), default=XavierInitializer())
    bias_init: Initializer = option(initializer(), default=ConstantInitializer(0.0))
    weight_h_init: Initializer | None = option(or_none(initializer()), default=None)
    bias_h_init: Initializer | None = option(or_none(initializer()), default=None)
    weight_regu: Regularizer = option(regularizer(), default=L2Regu(1.0))
    bias_regu: Regularizer = option(regularizer(), default=NoRegu())
    weight_h_regu: Regularizer | None = option(or_none(regularizer()), default=None)
    bias_h_regu: Regularizer | None = option(or_none(regularizer()), default=None)
    weight_lr: float = option(real(0), default=1.0)
    bias_lr: float = option(real(0), default=1.0)
    weight_h_lr: float | None = option(or_none(real(0)), default=None)
    bias_h_lr: float | None = option(or_none(real(0)), default=None)
    bias: bool = option(boolean(), default=True)
    weight_x: str = option(parameter_blob(), default="")
    weight_h: str = option(parameter_blob(), default="")
    bias_x: str = option(parameter_blob(), default="")
    bias_h: str = option(parameter_blob(), default="")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in filter(self.named, CellWeights._fields):
            if name.startswith("bias") and not self.bias:
                raise self.error(f"{name} has no effect: bias is False", hint=f"leave out {name}")
            if self.n_layers > 1 or self.bidirectional:
                got = f"n_layers={self.n_layers}, bidirectional={self.bidirectional}"
                raise self.error(f"{name} is a blob for one layer and direction", got=got, hint="a layer for each")
        if self.reverse and self.bidirectional:
            raise self.error("reverse=True with bidirectional=True, which goes both ways")
        if self.stateful and (self.reverse or self.bidirectional):
            raise self.error(
                "stateful carries the state of the last step to the next batch, which says nothing of the way back"
            )
        if self.stateful and self.initial:
            raise self.error("a stateful layer starts from the last batch, and initial from a blob", hint="one of both")
        if self.continues and (self.reverse or self.bidirectional):
            raise self.error("continues marks where sequences begin, which says nothing of the way back")

    @property
    def doubt(self) -> str:
        """Dropout that drops nothing."""
        if not self.dropout or self.n_layers > 1:
            return ""
        return (
            f"dropout={self.dropout:g} does nothing with n_layers=1: it drops what goes from one layer to the next; "
            "a DropoutLayer drops the outputs"
        )

    def torch_name(self, name: str) -> str:
        """PyTorch's name: weight_ih_l0 for weight_x, weight_hh_l1_reverse for weight_h_l1_reverse."""
        kind, which, *rest = name.split("_")
        level = [part for part in rest if part != "reverse"] or ["l0"]
        return "_".join([kind, f"{which}h".replace("xh", "ih"), *level, *(["reverse"] if "reverse" in rest else [])])

    def suffix(self, level: int, side: int) -> str:
        """The end of the names of the parameters of a layer and direction."""
        return (f"_l{level}" if level else "") + ("_reverse" if side else "")

    def cell(self, ctx: TraceContext, state: tuple[Value, ...], x: Value, w: CellWeights) -> Sequence[Value]:
        """The states after a step, each (batch, output_dim)."""
        raise NotImplementedError

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        (x,) = bottoms
        if len(x.type.shape) != 3:
            raise OpTypeError("a bottom is not a sequence", "(batch, time, features)", str(x.type.shape))
        if len(self.initial) not in (0, self.states):
            expected = " and ".join(("h", "c")[: self.states])
            raise OpTypeError("initial names another number of blobs", expected, f"{len(self.initial)} blobs")
        lengths, continues = self._lengths(ctx, x), self._continues(ctx, x)
        carried = self._carried(ctx) if self.stateful else []
        ends: list[tuple[Value, ...]] = []
        y = x
        for level in range(self.n_layers):
            if level and self.dropout and ctx.training:
                kept = ctx.op("select", ctx.dropout_mask(y, self.dropout, level), y, ctx.constant(0.0, y))
                y = ctx.scaled(kept, 1 / (1 - self.dropout))
            starts = [state[level] for state in carried]
            sides = [self._side(ctx, y, level, k, lengths, continues, starts) for k in range(1 + self.bidirectional)]
            ends += [last for _, last in sides]
            y = _joined(ctx, [sequence for sequence, _ in sides], 2)
        for k, state in enumerate(carried):
            for level, part in enumerate(state):
                ctx.update(part, ends[level][k])
        top = [last[0] for last in ends[-1 - self.bidirectional :]]
        tops = [_joined(ctx, top, 1) if self.last else y]
        return tops + [_stacked(ctx, [last[k] for last in ends]) for k in range(len(self.tops) - 1)]

    def _side(
        self,
        ctx: TraceContext,
        x: Value,
        level: int,
        side: int,
        lengths: Value | None,
        continues: Value | None,
        starts: Sequence[Value],
    ) -> tuple[Value, tuple[Value, ...]]:
        """The outputs of a layer in its first or second direction, and its last states."""
        w = self._weights(ctx, level, side, x.type.shape[2])
        number = level * (1 + self.bidirectional) + side
        sequences = [x, *([] if lengths is None else [_positions(ctx, x)]), *([] if continues is None else [continues])]

        def step(state: tuple[Value, ...], now: tuple[Value, ...]) -> tuple[Sequence[Value], Sequence[Value]]:
            before = state
            if continues is not None:
                goes_on = ctx.op("gt", now[-1], ctx.constant(0.0, now[-1]))
                before = tuple(_where(ctx, goes_on, s, ctx.constant(0.0, s)) for s in state)
            new = self.cell(ctx, before, now[0], w)
            if lengths is None:
                return new, ()
            counts = ctx.op("gt", lengths, now[1])
            kept = [_where(ctx, counts, a, b) for a, b in zip(new, state, strict=True)]
            return kept, (_where(ctx, counts, new[0], ctx.constant(0.0, new[0])),)

        start = starts or [self._initial(ctx, x, k, number) for k in range(self.states)]
        found = ctx.scan(step, start, sequences, reverse=self.reverse or side == 1)
        return (found.after[0] if lengths is None else found.outputs[0]), found.last

    def _weights(self, ctx: TraceContext, level: int, side: int, width: int) -> CellWeights:
        suffix = self.suffix(level, side)
        rows = self.gates * self.output_dim
        weights = (
            self.parameter(ctx, f"weight_x{suffix}", (rows, width)),
            self.parameter(ctx, f"weight_h{suffix}", (rows, self.output_dim)),
        )
        if not self.bias:
            return CellWeights(*weights, None, None)
        return CellWeights(
            *weights,
            self.parameter(ctx, f"bias_x{suffix}", (rows,), decays=False),
            self.parameter(ctx, f"bias_h{suffix}", (rows,), decays=False),
        )

    def _lengths(self, ctx: TraceContext, x: Value) -> Value | None:
        """How many steps of each sample count, (batch,)."""
        if not self.lengths:
            return None
        lengths, time = of_samples(ctx, "lengths"), x.type.shape[1]
        if lengths.type.shape not in (x.type.shape[:1], (*x.type.shape[:1], 1)):
            expected = f"{x.type.shape[:1]}"
            raise OpTypeError(WRONG_LENGTHS, expected, str(lengths.type.shape))
        ctx.label(lengths, time + 1, what="length")
        return ctx.op("reshape", lengths, shape=x.type.shape[:1])

    def _continues(self, ctx: TraceContext, x: Value) -> Value | None:
        """0 where a step is the first one of a sequence, (batch, time)."""
        if not self.continues:
            return None
        markers, wanted = of_samples(ctx, "continues"), x.type.shape[:2]
        if markers.type.shape not in (wanted, (*wanted, 1)):
            raise OpTypeError(WRONG_MARKERS, f"(batch, time): {wanted}", str(markers.type.shape))
        return markers if markers.type.shape == wanted else ctx.op("reshape", markers, shape=wanted)

    def _carried(self, ctx: TraceContext) -> list[list[Value]]:
        """The states of each level after the last batch, one list for each of h and c."""
        names = ("h", "c")[: self.states]
        return [
            [ctx.carried_state(f"{name}{self.suffix(level, 0)}", (self.output_dim,)) for level in range(self.n_layers)]
            for name in names
        ]

    def _initial(self, ctx: TraceContext, x: Value, k: int, number: int) -> Value:
        """The initial value of state k in the loop with this number: zeros, or a part of a blob or a parameter."""
        batch, mark = x.type.shape[0], x.type.batch
        if not self.initial:
            return ctx.op("fill", value=0.0, dtype=x.type.dtype, shape=(batch, self.output_dim), batch=mark)
        h, n = ctx.blob("initial", k), self.n_layers * (1 + self.bidirectional)
        if not h.type.batch:
            return self._learnt(ctx, x, h, number)
        if h.type.shape != (batch, n, self.output_dim):
            wanted = f"(batch, layers * directions, output_dim): {(batch, n, self.output_dim)}"
            same = math.prod(h.type.shape) == batch * n * self.output_dim
            hint = f"ReshapeLayer(shape=({n}, {self.output_dim}))" if same else ""
            raise OpTypeError("an initial state does not fit", wanted, str(h.type.shape), hint)
        part = ctx.op("slice", h, start=(0, number, 0), shape=(batch, 1, self.output_dim))
        return ctx.op("reshape", part, shape=(batch, self.output_dim))

    def _learnt(self, ctx: TraceContext, x: Value, h: Value, number: int) -> Value:
        """A row of a parameter, repeated for every sample."""
        batch, rows = x.type.shape[0], (self.n_layers * (1 + self.bidirectional), self.output_dim)
        if h.type.shape != rows:
            wanted, got = f"(layers * directions, output_dim): {rows}", f"{h.type.shape}, the same for all samples"
            raise OpTypeError("an initial state does not fit", wanted, got, f"ParameterLayer(shape={rows})")
        row = ctx.op("slice", h, start=(number, 0), shape=(1, self.output_dim))
        row = ctx.op("reshape", row, shape=(self.output_dim,))
        return ctx.op("broadcast", row, shape=(batch, self.output_dim), axes=(1,), batch=x.type.batch)


def linear(ctx: TraceContext, x: Value, weight: Value, bias: Value | None) -> Value:
    """x weight^T + bias."""
    return ctx.op("inner_product", x, weight, *(() if bias is None else (bias,)))


def gate(ctx: TraceContext, x: Value, k: int, count: int) -> Value:
    """Gate k of `count`: a part of the features of x."""
    batch, width = x.type.shape
    return ctx.op("slice", x, start=(0, k * width // count), shape=(batch, width // count))


def _positions(ctx: TraceContext, x: Value) -> Value:
    """The number of every step, (batch, time)."""
    return ctx.op("position", axis=1, dtype=x.type.dtype, shape=x.type.shape[:2], batch=x.type.batch)


def _where(ctx: TraceContext, counts: Value, a: Value, b: Value) -> Value:
    """a for the samples that count, b for others."""
    spread = ctx.op("broadcast", counts, shape=a.type.shape, axes=(0,), batch=a.type.batch)
    return ctx.op("select", spread, a, b)


def _joined(ctx: TraceContext, values: Sequence[Value], axis: int) -> Value:
    return values[0] if len(values) == 1 else ctx.op("concat", *values, axis=axis)


def _stacked(ctx: TraceContext, values: Sequence[Value]) -> Value:
    """(batch, width) values as (batch, count, width)."""
    parts = [ctx.op("reshape", v, shape=(v.type.shape[0], 1, v.type.shape[1])) for v in values]
    return _joined(ctx, parts, 1)
