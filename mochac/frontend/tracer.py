"""Tracer: the graph into which layers write their operations, and records of what the layers declared.

It implements layers/context.py. A Net runs it over the wired layers, first to find shapes and errors, and again in
trace() for the graph. It knows layers only through their `emit`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from traceback import walk_tb

import numpy as np

from mochac.errors import MochacError, NetError, OptionError, ShapeError
from mochac.frontend import channels_last
from mochac.frontend.wiring import Placed, described
from mochac.ir.build import GraphBuilder
from mochac.ir.graph import Loc, Value
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.op_call import OpCallError, check_call, require_value
from mochac.ir.types import TensorType
from mochac.layers.base import Layer, Parametric
from mochac.layers.config import at, short_path
from mochac.layers.constraints import Constraint, NoCons
from mochac.layers.initializers import Initializer
from mochac.layers.regularizers import Regularizer
from mochac.runtime.data.class_indices import ClassIndices
from mochac.runtime.data.rng import key64

RESERVED = (
    *("lr", "momentum", "next_momentum", "step_size", "mean_step_size", "root_scale"),
    *("step", "n_valid", "first_batch", "total_loss"),
)
"""Names of graph inputs and outputs, which no blob's value may have."""

SETTINGS = ("shape", "initializer", "regularizer", "learning-rate factor", "constraint", "weight decay")

AXES = {
    2: "batch, features",
    3: "batch, channels, length",
    4: "batch, channels, height, width",
    5: "batch, channels, depth, height, width",
}


@dataclass(frozen=True)
class ParamInfo:
    """A parameter: where it is stored (key, name), its graph input `value`, its settings, the layers that share it.

    `lr_mult` is a factor of the solver's learning rate; `decays`: decoupled weight decay applies to it, as to weights,
    not to biases; `layer` and `loc` are those of the first layer that shares it.
    """

    key: str
    name: str
    value: str
    shape: tuple[int, ...]
    init: Initializer
    regu: Regularizer
    lr_mult: float
    layer: str
    loc: Loc
    sharers: tuple[str, ...]
    cons: Constraint = NoCons()  # noqa: RUF009 - frozen
    decays: bool = True


@dataclass(frozen=True)
class StateInfo:
    """A state of a layer: where it is stored (key, name), its graph input `value`, and the layers that share it.

    `layer` and `loc` are those of the first layer that shares it.
    """

    key: str
    name: str
    value: str
    shape: tuple[int, ...]
    init: Initializer
    layer: str
    loc: Loc
    sharers: tuple[str, ...]


@dataclass(frozen=True)
class FeedInfo:
    """A graph input that a data layer fills.

    Attributes:
        classes: number of classes if its values are class indices, else None.
        targets: kinds of labels (runtime/data/targets.py) that its values must be.
    """

    layer: Layer
    top: str
    value: str
    classes: ClassIndices | None = None
    targets: tuple[str, ...] = ()


@dataclass(frozen=True)
class LossInfo:
    """A loss layer's value, or a scalar that later layers computed from losses.

    In train mode, `value` is weight * mean over the batch. In test mode it is a sum over valid samples, so that (sum
    over batches) / (number of samples) is weight * mean. `mean` is what the layer's top holds in both modes.
    `objective`: it is a term of the objective; False if another term contains it.
    `total`, `count`: if some positions are ignored, weight * the sum over the others, and their number; else "".
    Over several batches, (sum of totals) / (sum of counts) is then the loss, in both modes.
    """

    layer: str
    value: str
    mean: str
    objective: bool = True
    total: str = ""
    count: str = ""


@dataclass(frozen=True)
class StatisticInfo:
    """A statistic `<layer>-<suffix>`: sum of `value` over batches / (number of samples * per_sample). If some positions
    are ignored, it is divided by the sum of `count` instead; else `count` is ""."""

    name: str
    layer: str
    value: str
    per_sample: int
    count: str = ""


@dataclass(frozen=True)
class OutputInfo:
    """A collector, the values of its bottoms, and whether each has one row per sample."""

    layer: str
    values: tuple[str, ...]
    batch: tuple[bool, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the values in a plan."""
        return tuple(f"output {k} of {self.layer}" for k in range(len(self.values)))


class Tracer:
    """Receives the operations of one layer after the other; see layers/context.py for the methods that layers call.

    Attributes:
        blobs: current value of each blob; None if the layer that makes it has an error.
        problems: errors found so far.
    """

    def __init__(self, name: str, *, training: bool, dtype: str, batch: int, seed: int) -> None:
        self.training, self.dtype, self.batch, self.seed = training, dtype, batch, seed
        self.b = GraphBuilder(name)
        self.blobs: dict[str, Value | None] = {}
        self.params: dict[tuple[str, str], ParamInfo] = {}
        self.states: dict[tuple[str, str], StateInfo] = {}
        self.feeds: dict[str, FeedInfo] = {}
        self.tables: dict[str, np.ndarray] = {}
        self.losses: list[LossInfo] = []
        self.statistics: list[StatisticInfo] = []
        self.outputs: list[OutputInfo] = []
        self.problems: list[MochacError] = []
        self._states: dict[str, Value] = {}
        """The input of each state, by the name of the value that ctx.state() returned."""
        self._updated: dict[str, Value] = {}
        self._layer: Layer
        self._makers: dict[str, Layer] = {}
        self._owners: dict[str, tuple[Layer, list[str]]] = {}
        self._declared: list[str] = []
        self._conflicts: list[str] = []

    def op(self, op: str, *inputs: Value, **attrs: object) -> Value:
        return self.ops(op, *inputs, **attrs)[0]

    def ops(self, op: str, *inputs: Value, **attrs: object) -> tuple[Value, ...]:
        check_call(op, inputs, attrs)
        made = self._appended(op, *inputs, **attrs)
        if OPS[op].kind == "reduce" and inputs[0].type.batch and not made[0].type.batch:
            raise OpCallError(
                f"{op} sums over the batch",
                expected="sums within a sample",
                got=f"axes={attrs.get('axes')}",
                hint="evaluation pads its last batch: ctx.batch_sum and ctx.batch_mean leave padding out",
            )
        return made

    def _appended(self, op: str, *inputs: Value, **attrs: object) -> tuple[Value, ...]:
        return self.b.ops(op, *inputs, name=f"{self._layer.name}.{op}", **attrs)

    def constant(self, value: float, like: Value) -> Value:
        require_value("the `like` of a constant", like)
        if not isinstance(value, (int, float, np.number)):
            raise OpCallError("a constant is not a number", "a number", repr(value))
        return self.b.const(value, like.type, name=f"{self._layer.name}.{value:g}")

    def scaled(self, x: Value, factor: float) -> Value:
        return x if factor == 1.0 else self.op("mul", x, self.constant(factor, x))

    def axis(self, axis: int, x: Value) -> int:
        rank = len(x.type.shape)
        positive = axis + rank if axis < 0 else axis
        if not 0 < positive < rank:
            raise OpTypeError(f"axis {axis} is not an axis of its input", f"1 <= axis < {rank}", str(axis))
        return positive

    def table(self, name: str, values: np.ndarray) -> Value:
        type = TensorType(self.dtype, tuple(values.shape))
        value = self.b.input(self.b.fresh(f"{self._layer.name}.{name}"), type, "const")
        self.tables[value.name] = values
        return value

    def feed(self, top: str, shape: Sequence[int]) -> Value:
        type = TensorType(self.dtype, (self.batch, *shape), batch=True)
        value = self.b.input(value_name(top), type, "data")
        self.feeds[value.name] = FeedInfo(self._layer, top, value.name)
        return value

    def label(self, label: Value, classes: int, ignored: int | None = None, what: str = "label") -> None:
        legal = ClassIndices(classes, frozenset() if ignored is None else frozenset({ignored}), what)
        for name in self._read_from(label, lambda op: OPS[op].moves):
            feed = self.feeds[name]
            self.feeds[name] = replace(feed, classes=feed.classes.shared(legal) if feed.classes else legal)

    def _read_from(self, value: Value, through: Callable[[str], bool]) -> list[str]:
        """The feeds whose elements `value` holds, with only ops between that `through` admits."""
        made = {out.name: node for node in self.b.nodes if through(node.op) for out in node.outputs}
        names, open_ = [], [value.name]
        while open_:
            name = open_.pop()
            if name in self.feeds:
                names.append(name)
            elif name in made:
                open_ += made[name].inputs
        return names

    def target(self, label: Value, kind: str) -> None:
        # Only a whole sample: a distribution sums to 1.
        for name in self._read_from(label, lambda op: op == "reshape"):
            feed = self.feeds[name]
            self.feeds[name] = replace(feed, targets=tuple(dict.fromkeys((*feed.targets, kind))))

    def stream(self, draw: int = 0) -> tuple[Value, int]:
        step = self.b.input("step", TensorType("i64", ()), "hyper")
        names = (self._layer.name, draw) if draw else (self._layer.name,)
        return step, key64(self.seed, *names)

    def output(self, bottoms: Sequence[Value]) -> None:
        names, marks = tuple(v.name for v in bottoms), tuple(v.type.batch for v in bottoms)
        self.outputs.append(OutputInfo(self._layer.name, names, marks))

    def dropout_mask(self, like: Value, ratio: float, draw: int = 0) -> Value:
        step, key = self.stream(draw)
        t = like.type
        return self.op("dropout_mask", step, key=key, ratio=ratio, shape=t.shape, batch=t.batch, dtype="bool")

    def loss(self, per_position: Value, weight: float, counted: Value | None = None) -> Value:
        if counted is not None:
            return self._loss_of_some(per_position, weight, counted)
        if self.training or not per_position.type.batch:
            mean = self.scaled(self._sum(per_position), weight / per_position.type.elems)
            total = mean if self.training else self.op("mul", mean, self._n_valid())
        else:
            total = self.scaled(self._valid_sum(per_position), weight / math.prod(per_position.type.shape[1:]))
            mean = self.op("div", total, self._n_valid())
        self.losses.append(LossInfo(self._layer.name, total.name, mean.name))
        return mean

    def _loss_of_some(self, per_position: Value, weight: float, counted: Value) -> Value:
        total, count = self.scaled(self._sum_of_valid(per_position), weight), self._sum_of_valid(counted)
        mean = self.op("div", total, self.op("max", count, self.constant(1.0, count)))
        value = mean if self.training else self.op("mul", mean, self._n_valid())
        self.losses.append(LossInfo(self._layer.name, value.name, mean.name, total=total.name, count=count.name))
        return mean

    def statistic(self, suffix: str, per_position: Value, counted: Value | None = None) -> None:
        name = f"{self._layer.name}-{suffix}"
        if counted is not None:
            total, count = self._sum_of_valid(per_position), self._sum_of_valid(counted)
            self.statistics.append(StatisticInfo(name, self._layer.name, total.name, 1, count.name))
            return
        rows, *rest = per_position.type.shape or (1,)
        per_sample = math.prod(rest)
        if per_position.type.batch:
            total = self._sum_of_valid(per_position)
        else:  # the same for every sample: its mean counts once per sample
            total = self.scaled(self._sum(per_position), (self.batch if self.training else 1) / rows)
            total = total if self.training else self.op("mul", total, self._n_valid())
        self.statistics.append(StatisticInfo(name, self._layer.name, total.name, per_sample))

    def derived_loss(self, layer: Layer, value: Value) -> None:
        """Add a scalar that layers computed from a loss as a term of the objective."""
        self._layer = layer
        total = value if self.training else self.op("mul", value, self._n_valid())
        self.losses.append(LossInfo(layer.name, total.name, value.name))

    def batch_sum(self, x: Value, axes: Sequence[int] = (0,)) -> Value:
        require_value("what batch_sum adds up", x)
        if not axes or axes[0] != 0:
            raise OpCallError("axes leave out the batch", "axes that begin with 0", str(tuple(axes)))
        if not self.training and x.type.batch:
            x = self.op("mask_batch", x, self._valid())
        (total,) = self._appended("reduce_sum", x, axes=tuple(axes))
        return total

    def batch_mean(self, x: Value, axes: Sequence[int] = (0,)) -> Value:
        total = self.batch_sum(x, axes)
        count = math.prod(x.type.shape[a] for a in axes)
        if self.training or not x.type.batch:
            return self.scaled(total, 1 / count)
        valid = self.scaled(self._n_valid(), count / x.type.shape[0])
        return self.op("div", total, self.op("broadcast", valid, shape=total.type.shape, axes=()))

    def _sum(self, x: Value) -> Value:
        (total,) = self._appended("reduce_sum", x, axes=tuple(range(len(x.type.shape))))
        return total

    def _sum_of_valid(self, x: Value) -> Value:
        """Sum over all samples in train mode, over valid samples in test mode."""
        return self._sum(x) if self.training or not x.type.batch else self._valid_sum(x)

    def _valid_sum(self, x: Value) -> Value:
        """Sum over valid samples, for test plans."""
        return self._sum(self.op("mask_batch", x, self._valid()))

    def _n_valid(self) -> Value:
        return self.op("cast", self._valid(), dtype=self.dtype)

    def _valid(self) -> Value:
        return self.b.input("n_valid", TensorType("i64", ()), "hyper")

    def param(
        self,
        name: str,
        shape: Sequence[int],
        init: Initializer,
        regu: Regularizer,
        lr: float,
        cons: Constraint = NoCons(),  # noqa: B008 - frozen
        *,
        decays: bool = True,
    ) -> Value:
        layer = self._layer
        shape = tuple(shape)
        if name in layer.blob_fields and getattr(layer, name):
            return self._given(name, getattr(layer, name), shape, decays)
        key = layer.key if isinstance(layer, Parametric) else layer.name
        type = TensorType(self.dtype, shape)
        self._declared.append(name)
        known = self.params.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), type, "param")
            made = (layer.name, layer.loc, (layer.name,))
            self.params[key, name] = ParamInfo(key, name, value.name, shape, init, regu, lr, *made, cons, decays)
            return value
        here = (shape, init, regu, lr, cons, decays)
        there = (known.shape, known.init, known.regu, known.lr_mult, known.cons, known.decays)
        if here != there:
            for what, a, b in zip(SETTINGS, here, there, strict=True):
                self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
            return self.b.input(self.b.fresh(known.value), type, "param")
        self.params[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        return self.b.values[known.value]

    def state(self, name: str, shape: Sequence[int], init: Initializer) -> Value:
        layer, shape = self._layer, tuple(shape)
        key = layer.key if isinstance(layer, Parametric) else layer.name
        self._declared.append(name)
        if (key, name) in self.params:
            raise OpCallError(f"state {name!r} has the name of a parameter", hint="give it another name")
        known = self.states.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), TensorType(self.dtype, shape), "state")
            info = StateInfo(key, name, value.name, shape, init, layer.name, layer.loc, (layer.name,))
            self.states[key, name] = info
            self._states[value.name] = value
            return value
        for what, a, b in (("shape", shape, known.shape), ("initializer", init, known.init)):
            self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
        self.states[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        state = self.b.values[known.value]
        if known.value not in self._updated:
            return state
        current = self.op("stop_gradient", self._updated[known.value])
        self._states[current.name] = state
        return current

    def update(self, state: Value, new: Value) -> None:
        require_value("the state to update", state)
        require_value("the new value of a state", new)
        if state.name not in self._states:
            raise OpCallError("update() of a value that is not a state", "what ctx.state() returned", str(state))
        if not self.training:
            raise OpCallError("a state is updated in test mode", hint="if ctx.training: ctx.update(...)")
        if new.type != state.type:
            raise OpTypeError("the new value of a state has another type", str(state.type), str(new.type))
        self._updated[self._states[state.name].name] = new

    @property
    def updates(self) -> tuple[tuple[str, str], ...]:
        """The states that a training step changes, with their new values."""
        return tuple((target, new.name) for target, new in self._updated.items())

    def borrowed(self, key: str, name: str) -> Value:
        known = self.params.get((key, name))
        if known is None:
            raise OpTypeError(f"the parameters under the key {key!r} have no {name}")
        return self.b.values[known.value]

    def _given(self, name: str, blob: str, shape: tuple[int, ...], decays: bool) -> Value:
        """A blob that is used as a parameter of the current layer; a ParameterLayer's that is a bias somewhere does not
        decay."""
        value = self.blobs[blob]
        assert value is not None
        if value.type.batch:
            hint = "a parameter is the same for all samples: make it with ParameterLayer"
            raise OpTypeError(f"{name} {blob!r} holds samples", "a ParameterLayer's blob", plain(value.type), hint)
        if value.type.shape != shape:
            hint = f"ParameterLayer(name={blob!r}, shape={shape})"
            raise OpTypeError(f"{name} {blob!r} has another shape", str(shape), str(value.type.shape), hint)
        for place, known in self.params.items():
            if known.value == value.name and not decays:
                self.params[place] = replace(known, decays=False)
        return value

    def blob(self, field: str) -> Value:
        value = self.blobs[getattr(self._layer, field)]
        assert value is not None
        return value

    def emit(self, placed: Placed, samples: Mapping[str, tuple[int, ...]]) -> None:
        """Trace one layer. `samples` are the shapes of one sample by top, for a data layer.

        An error is appended to `problems`, and the tops get no value.
        """
        layer = self._layer = placed.layer
        bottoms = tuple(b for b in map(self.blobs.get, layer.bottoms) if b is not None)
        unknown = [b for b in layer.reads if self.blobs.get(b) is None]
        unknown += [key for key in layer.borrowed_keys if all(key != known for known, _ in self.params)]
        for top in placed.tops:
            self.blobs[top] = None
        if unknown:
            return
        if layer.is_source:
            made = [self.feed(top, samples[top]) for top in layer.tops if top in samples]
        else:
            made = self._emitted(layer, bottoms, len(placed.tops))
        self.blobs.update(zip(placed.tops, made, strict=False))
        self._makers.update(dict.fromkeys(placed.tops, layer))

    def _emitted(self, layer: Layer, bottoms: tuple[Value, ...], n_tops: int) -> Sequence[Value]:
        self._declared, self._conflicts = [], []
        try:
            with self.b.at(layer.loc):
                made = layer.emit(self, bottoms)
                _check_made(made, n_tops)
                made = self._distinct(made, bottoms)
            self._check_sharing(layer)
            return made
        except OpCallError as e:
            self.problems.append(
                OptionError(
                    e.rule,
                    layer=layer.name,
                    type=layer.kind,
                    expected=e.expected,
                    got=e.got,
                    details=[f"the layer was made at {at(layer.origin)}"] if layer.origin[0] else [],
                    hint=e.hint,
                    at=_emit_line(layer, e),
                )
            )
            return ()
        except OpTypeError as e:
            self.problems.append(
                ShapeError(
                    e.rule,
                    layer=layer.name,
                    type=layer.kind,
                    expected=e.expected,
                    got=e.got,
                    details=[self._bottom(n, v) for n, v in zip(layer.bottoms, bottoms, strict=True)],
                    hint=self._channels_last(layer, bottoms) or e.hint,
                    at=at(layer.origin),
                )
            )
            return ()

    def _distinct(self, made: Sequence[Value], bottoms: Sequence[Value]) -> list[Value]:
        """Make each top a value of its own, with its own gradient: if a layer returns its bottom unchanged, the top
        becomes a reshape of it, which costs nothing."""
        taken = {value.name for value in (*bottoms, *self.blobs.values()) if value is not None}
        tops: list[Value] = []
        for value in made:
            own = self.op("reshape", value, shape=value.type.shape) if value.name in taken else value
            taken.add(own.name)
            tops.append(own)
        return tops

    def _check_sharing(self, layer: Layer) -> None:
        """Compare the settings with those of the first layer with the same param_key."""
        if not isinstance(layer, Parametric):
            return
        owner, names = self._owners.setdefault(layer.key, (layer, self._declared))
        if names != self._declared:
            self._conflicts = [f"parameters: {' '.join(self._declared)} here, {' '.join(names)} there"]
        if self._conflicts:
            self.problems.append(
                NetError(
                    f"shares parameters {layer.key!r} with another layer, but their settings differ",
                    layer=layer.name,
                    type=layer.kind,
                    details=[f"the other is {described(owner)}", *self._conflicts],
                    hint="give both the same settings, or one of them a param_key of its own",
                    at=at(layer.origin),
                )
            )

    def _channels_last(self, layer: Layer, bottoms: Sequence[Value]) -> str:
        """A hint if the window does not fit because a data layer's images have their channels last."""
        feeds = zip(layer.bottoms, bottoms, strict=True)
        samples = {blob: value.type.shape[1:] for blob, value in feeds if value.name in self.feeds}
        suspects = channels_last.suspects(layer, samples)
        return f"channels come before height and width: {channels_last.TRANSPOSE}" if suspects else ""

    def _bottom(self, blob: str, value: Value) -> str:
        t = value.type
        axes = f" ({AXES[len(t.shape)]})" if len(t.shape) in AXES else ""
        node = next((n for n in reversed(self.b.nodes) if any(o.name == value.name for o in n.outputs)), None)
        if node is None:
            return f"bottom {blob!r}: {plain(t)}{axes}, from {described(self._makers[blob])}"
        loc = node.loc[0]
        place = f", {at((loc.file, loc.line))}" if loc.file else ""
        return f"bottom {blob!r}: {plain(t)}{axes}, from layer {loc.layer!r}{place}"


def _check_made(made: object, n_tops: int) -> None:
    """Check that `emit` returned one value per top."""
    if isinstance(made, Value):
        raise OpCallError("emit returns a value, not a list of values", hint="return [y]")
    if not isinstance(made, Sequence):
        raise OpCallError("emit returns no values", "a list, one value per top", type(made).__name__)
    for k, value in enumerate(made):
        require_value(f"element {k} of what emit returns", value)
    if len(made) < n_tops:
        raise OpCallError("emit returns too few values", f"one per top: {n_tops}", str(len(made)))


def _emit_line(layer: Layer, error: BaseException) -> str:
    """Where the code of a layer failed: its innermost line outside of mochac, or the line of its `emit`."""
    code = type(layer).emit.__code__
    place = code.co_filename, code.co_firstlineno
    for frame, line in walk_tb(error.__traceback__):
        if frame.f_globals.get("__name__", "").partition(".")[0] != "mochac":
            place = frame.f_code.co_filename, line
    return at((short_path(place[0]), place[1]))


def plain(t: TensorType) -> str:
    """A type as users write it, without the batch mark."""
    return str(TensorType(t.dtype, t.shape))


def value_name(blob: str) -> str:
    """Name of a blob's graph value: the blob's name, changed if needed to differ from reserved names and from those of
    parameters and other values (which contain dots)."""
    name = blob.replace(".", "_")
    return f"{name}_" if name in RESERVED else name
