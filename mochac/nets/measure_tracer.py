"""Inputs, losses and statistics of a net."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from mochac.ir.graph import Value
from mochac.ir.op import OPS
from mochac.ir.op_call import OpCallError, require_value
from mochac.ir.types import TensorType
from mochac.nets.declared import FeedInfo, LossInfo, StatisticInfo, value_name
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers._losses import is_policy
from mochac.nets.layers.base import Layer
from mochac.nets.op_tracer import OpTracer, TraceOptions
from mochac.runtime.data.targets import ClassIndices


class FeedTracer(OpTracer):
    """Feeds of data layers, and labels as the layers that read them declare.

    Attributes:
        feeds: by the name of their input.
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
        """x times the weight of the layer in this iteration, if it follows a policy."""
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
        """Check what is measured, and that the class of the layer declares it, since Net relies on that."""
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
