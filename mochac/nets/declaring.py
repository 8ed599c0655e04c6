"""ParameterTracer and MeasureTracer: what layers declare while a net is traced.

Layers declare parameters and states, which several layers may share, and the net's inputs, losses and statistics.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mochac.base.errors import MochacError, NetError
from mochac.base.support.places import at
from mochac.ir.graph import Value
from mochac.ir.op import OPS, OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.ir.types import TensorType
from mochac.nets.declared import (
    FeedInfo,
    LossInfo,
    ParamInfo,
    StateInfo,
    StatisticInfo,
    extents_of,
    plain,
    require_initializer,
    require_settings,
    value_name,
)
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers._losses import is_policy
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, NoCons, Regularizer
from mochac.nets.op_tracer import OpTracer, TraceOptions
from mochac.nets.wiring import described
from mochac.runtime.data.targets import ClassIndices

SETTINGS = ("shape", "initializer", "regularizer", "learning-rate factor", "constraint", "weight decay")


class ParameterTracer(OpTracer):
    """Parameters and states, by (key, name).

    Attributes:
        problems: errors found so far.
    """

    def __init__(self, name: str, how: TraceOptions) -> None:
        super().__init__(name, how)
        self.params: dict[tuple[str, str], ParamInfo] = {}
        self.states: dict[tuple[str, str], StateInfo] = {}
        self.problems: list[MochacError] = []
        self._states: dict[str, Value] = {}
        """The input of each state, by the name of the value that ctx.state() returned."""
        self.carried: dict[str, str] = {}
        """The layer of each state that a layer carries from batch to batch, by the input of the state."""
        self._updated: dict[str, Value] = {}
        self._owners: dict[str, tuple[Layer, list[str]]] = {}
        self._updated_here: set[str] = set()
        """The inputs of states that the current layer has updated."""
        self._declared: list[str] = []
        self._conflicts: list[str] = []

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
    ) -> LayerValue:
        layer, shape = self._layer, extents_of(name, shape)
        require_settings(name, init, regu, lr, cons)
        if name in layer.blob_fields and getattr(layer, name):
            return self.layer_value(self._blob_parameter(name, getattr(layer, name), shape, decays))
        key = self._key("param")
        type = TensorType(self.dtype, shape)
        self._declared.append(name)
        known = self.params.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), type, "param")
            origin = (layer.name, layer.loc, (layer.name,))
            theirs = layer.torch_name(name) if isinstance(layer, Parametric) else name
            kept = (shape, init, regu, lr, *origin, cons, decays, theirs)
            self.params[key, name] = ParamInfo(key, name, value.name, *kept)
            return self.layer_value(value)
        here = (shape, init, regu, lr, cons, decays)
        there = (known.shape, known.init, known.regu, known.lr_mult, known.cons, known.decays)
        if here != there:
            for what, a, b in zip(SETTINGS, here, there, strict=True):
                self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
            return self.layer_value(self.b.input(self.b.fresh(known.value), type, "param"))
        self.params[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        return self.layer_value(self.b.values[known.value])

    def _key(self, call: str) -> str:
        """The key of the current layer's parameters and states.

        Raises:
            OpCallError: its class has no key, so nothing would save, load or freeze them.
        """
        if isinstance(self._layer, Parametric):
            return self._layer.key
        kind = type(self._layer)
        bases = ", ".join(base.__name__ for base in kind.__bases__)
        raise OpCallError(
            f"ctx.{call} in a class that is not Parametric",
            f"class {kind.__name__}({'Parametric' if kind.__bases__ == (Layer,) else f'{bases}, Parametric'})",
            f"class {kind.__name__}({bases})",
            "derive from Parametric, whose parameters and states are saved, loaded and shared",
        )

    def _blob_parameter(self, name: str, blob: str, shape: tuple[int, ...], decays: bool) -> Value:
        """A blob used as a parameter of the current layer. If a ParameterLayer's blob is used as a bias, it does not
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

    def borrowed(self, key: str, name: str) -> LayerValue:
        known = self.params.get((key, name))
        if known is None:
            raise OpTypeError(f"the parameters under the key {key!r} have no {name}")
        return self.layer_value(self.b.values[known.value])

    def state(self, name: str, shape: Sequence[int], init: Initializer) -> LayerValue:
        layer, shape = self._layer, extents_of(name, shape)
        require_initializer(name, init)
        key = self._key("state")
        self._declared.append(name)
        if (key, name) in self.params:
            raise OpCallError(f"state {name!r} has the name of a parameter", hint="give it another name")
        known = self.states.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), TensorType(self.dtype, shape), "state")
            theirs = layer.torch_name(name) if isinstance(layer, Parametric) else name
            info = StateInfo(key, name, value.name, shape, init, layer.name, layer.loc, (layer.name,), theirs)
            self.states[key, name] = info
            self._states[value.name] = value
            return self.layer_value(value)
        for what, a, b in (("shape", shape, known.shape), ("initializer", init, known.init)):
            self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
        self.states[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        state = self.b.values[known.value]
        if known.value not in self._updated:
            return self.layer_value(state)
        current = self.op("stop_gradient", self._updated[known.value])
        self._states[current.name] = state
        return current

    def is_state(self, value: Value) -> bool:
        return value.name in self._states

    def carried_state(self, name: str, shape: Sequence[int]) -> LayerValue:
        layer, mode = self._layer, "" if self.training else f".of{self.batch}"
        type = TensorType(self.dtype, (self.batch, *extents_of(name, shape)), batch=True)
        value = self.b.input(self.b.fresh(f"{layer.name}.{name}{mode}"), type, "slot")
        self.carried[value.name] = layer.name
        self._states[value.name] = value
        return self.layer_value(value)

    def update(self, state: Value, new: Value) -> None:
        self.require_no_step("update")
        require_value("the state to update", state)
        require_value("the new value of a state", new)
        self.require_here(new)
        if state.name not in self._states:
            raise OpCallError("update() of a value that is not a state", "what ctx.state() returned", str(state))
        if not self.training and state.name not in self.carried:
            raise OpCallError("a state is updated in test mode", hint="if ctx.training: ctx.update(...)")
        if new.type != state.type:
            raise OpTypeError("the new value of a state has another type", str(state.type), str(new.type))
        target = self._states[state.name].name
        if target in self._updated_here:
            raise OpCallError(
                "a state is updated twice", "one ctx.update of each state", hint="update it once, at last"
            )
        self._updated_here.add(target)
        self._updated[target] = new

    @property
    def updates(self) -> tuple[tuple[str, str], ...]:
        """The states that a training step changes, with their new values."""
        return tuple((target, new.name) for target, new in self._updated.items())

    def _check_sharing(self, layer: Layer, whole: bool = True) -> bool:
        """Compare the settings with those of the first layer with the same param_key; returns whether they differ.

        Args:
            whole: the layer has declared all its parameters.
        """
        if not isinstance(layer, Parametric):
            return False
        owner, names = self._owners.setdefault(layer.key, (layer, self._declared))
        if whole and names != self._declared:
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
        return bool(self._conflicts)


class FeedTracer(OpTracer):
    """Feeds of data layers, and labels as the layers that read them declare.

    Attributes:
        feeds: feeds by the name of their input.
    """

    def __init__(self, name: str, how: TraceOptions) -> None:
        super().__init__(name, how)
        self.feeds: dict[str, FeedInfo] = {}

    def feed(self, top: str, shape: Sequence[int]) -> LayerValue:
        type = TensorType(self.dtype, (self.batch, *shape), batch=True)
        value = self.b.input(self.b.fresh(value_name(top)), type, "data")
        self.feeds[value.name] = FeedInfo(self._layer, top, value.name)
        self._of_data.add(value.name)
        return self.layer_value(value)

    def label(self, label: Value, classes: int, ignored: int | None = None, what: str = "label") -> None:
        self.require_no_step("label")
        others = frozenset[int]() if ignored is None else frozenset({ignored})
        legal = ClassIndices(classes, others, what, self._layer.name)
        for name in self._read_from(label, lambda op: OPS[op].moves):
            feed = self.feeds[name]
            self.feeds[name] = replace(feed, classes=feed.classes.shared(legal) if feed.classes else legal)

    def target(self, label: Value, kind: str) -> None:
        self.require_no_step("target")
        # Only a whole sample: a distribution sums to 1.
        for name in self._read_from(label, lambda op: op == "reshape"):
            feed = self.feeds[name]
            self.feeds[name] = replace(feed, targets=tuple(dict.fromkeys((*feed.targets, kind))))

    def _read_from(self, value: Value, through: Callable[[str], bool]) -> list[str]:
        """The feeds whose elements `value` has; only ops that `through` accepts may lie in between."""
        producers = {out.name: node for node in self.b.nodes if through(node.op) for out in node.outputs}
        names, open_ = [], [value.name]
        while open_:
            name = open_.pop()
            if name in self.feeds:
                names.append(name)
            elif name in producers:
                open_ += producers[name].inputs
        return names


class MeasureTracer(OpTracer):
    """Measures of a net: sums over all samples in train mode, over the valid ones in test mode.

    Attributes:
        losses, statistics: in the order in which layers declared them.
    """

    def __init__(self, name: str, how: TraceOptions) -> None:
        super().__init__(name, how)
        self.losses: list[LossInfo] = []
        self.statistics: list[StatisticInfo] = []

    def loss(self, per_position: Value, weight: Any, counted: Value | None = None) -> LayerValue:
        self._require("loss", "is_loss", per_position)
        scheduled = self.training and is_policy(weight)
        weight = 1.0 if is_policy(weight) else weight
        if counted is not None:
            return self._loss_of_some(per_position, weight, counted, scheduled)
        if self.training or not per_position.type.batch:
            mean = self._scheduled(self.scaled(self._sum(per_position), weight / per_position.type.elems), scheduled)
            total = mean if self.training else self.op("mul", mean, self._n_valid())
        else:
            total = self.scaled(self._valid_sum(per_position), weight / math.prod(per_position.type.shape[1:]))
            mean = self.op("div", total, self._n_valid())
        self.losses.append(LossInfo(self._layer.name, total.name, mean.name))
        return mean

    def _loss_of_some(self, per_position: Value, weight: float, counted: Value, scheduled: bool) -> LayerValue:
        total = self._scheduled(self.scaled(self._sum_of_valid(per_position), weight), scheduled)
        count = self._sum_of_valid(counted)
        mean = self.op("div", total, self.op("max", count, self.constant(1.0, count)))
        value = mean if self.training else self.op("mul", mean, self._n_valid())
        self.losses.append(LossInfo(self._layer.name, value.name, mean.name, total=total.name, count=count.name))
        return mean

    def _scheduled(self, x: LayerValue, scheduled: bool) -> LayerValue:
        """x times the layer's weight in this iteration, if the weight follows a policy."""
        if not scheduled:
            return x
        return self.op("mul", x, self.b.input(f"{self._layer.name}.weight", x.type, "hyper"))

    def statistic(self, suffix: str, per_position: Value, counted: Value | None = None) -> None:
        self._require("statistic", "is_statistic", per_position)
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

    def _require(self, call: str, attribute: str, per_position: Value) -> None:
        """Check a measure, and that the class of the layer declares it, since Net relies on the declaration."""
        self.require_no_step(call)
        require_value(f"the {call} of each sample", per_position)
        self.samples.require_one_row(f"the {call} of each sample", per_position)
        if not getattr(self._layer, attribute):
            rule = f"ctx.{call} in a class that is no {call}"
            raise OpCallError(rule, f"{attribute} = True in the class", f"{attribute} = False")

    def derived_loss(self, layer: Layer, value: Value) -> None:
        """Add a scalar that layers computed from a loss as a term of the objective."""
        self._layer = layer
        total = value if self.training else self.op("mul", value, self._n_valid())
        self.losses.append(LossInfo(layer.name, total.name, value.name))

    def batch_sum(self, x: Value, axes: Sequence[int] = (0,)) -> LayerValue:
        require_value("what batch_sum adds up", x)
        if not axes or axes[0] != 0:
            raise OpCallError("axes leave out the batch", "axes that begin with 0", str(tuple(axes)))
        if not self.training and x.type.batch:
            x = self.op("mask_batch", x, self._valid())
        (total,) = self._appended("reduce_sum", x, axes=tuple(axes))
        return total

    def batch_mean(self, x: Value, axes: Sequence[int] = (0,)) -> LayerValue:
        total = self.batch_sum(x, axes)
        count = math.prod(x.type.shape[a] for a in axes)
        if self.training or not x.type.batch:
            return self.scaled(total, 1 / count)
        valid = self.scaled(self._n_valid(), count / x.type.shape[0])
        return self.op("div", total, self.op("broadcast", valid, shape=total.type.shape, axes=()))

    def _sum(self, x: Value) -> LayerValue:
        (total,) = self._appended("reduce_sum", x, axes=tuple(range(len(x.type.shape))))
        return total

    def _sum_of_valid(self, x: Value) -> LayerValue:
        """Sum over all samples in train mode, over valid samples in test mode."""
        return self._sum(x) if self.training or not x.type.batch else self._valid_sum(x)

    def _valid_sum(self, x: Value) -> LayerValue:
        """Sum over valid samples, for test plans."""
        return self._sum(self.op("mask_batch", x, self._valid()))

    def _n_valid(self) -> LayerValue:
        return self.op("cast", self._valid(), dtype=self.dtype)

    def _valid(self) -> Value:
        return self.b.input("n_valid", TensorType("i64", ()), "hyper")
