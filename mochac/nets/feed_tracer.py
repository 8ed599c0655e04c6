"""FeedTracer: the inputs that data layers fill, and which values are legal in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mochac.ir.graph import Value
from mochac.ir.op import OPS
from mochac.ir.types import TensorType
from mochac.nets.declared import FeedInfo
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.op_tracer import OpTracer, TraceOptions
from mochac.nets.value_names import value_name
from mochac.runtime.data.class_indices import ClassIndices


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
