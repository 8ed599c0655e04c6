"""What a layer may ask for while it writes its operations: the contract between layers/ and frontend/trace.py.

Layers' `emit` and neurons' `emit` take a TraceContext; trace.py implements it. It must not know any layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from mochac.ir.graph import Value
from mochac.layers.constraints import Constraint, NoCons
from mochac.layers.initializers import Initializer
from mochac.layers.regularizers import Regularizer


class TraceContext(Protocol):
    """The place in a growing graph where one layer stands.

    Attributes:
        training: True in train mode; False in test mode, where losses and statistics are sums over valid samples.
        dtype: element type of blobs and parameters, "f32" or "f64".
        batch: number of samples of the plan.
    """

    training: bool
    dtype: str
    batch: int

    def op(self, op: str, *inputs: Value, **attrs: object) -> Value:
        """Append an operation with one result."""
        ...

    def ops(self, op: str, *inputs: Value, **attrs: object) -> tuple[Value, ...]:
        """Append an operation and give all its results."""
        ...

    def scaled(self, x: Value, factor: float) -> Value:
        """x * factor."""
        ...

    def axis(self, axis: int, x: Value) -> int:
        """`axis` of `x` counted from 0; OpTypeError when `x` has no such axis."""
        ...

    def constant(self, value: float, like: Value) -> Value:
        """A tensor of the type of `like` filled with one number."""
        ...

    def table(self, name: str, values: np.ndarray) -> Value:
        """Fixed numbers of the current layer, such as class weights; `name` is for dumps."""
        ...

    def param(
        self,
        name: str,
        shape: Sequence[int],
        init: Initializer,
        regu: Regularizer,
        lr: float,
        cons: Constraint = NoCons(),  # noqa: B008 - frozen
    ) -> Value:
        """A parameter of the current layer, shared with every layer of the same param_key; the blob of that name where
        the layer's field `name` names one."""
        ...

    def borrowed(self, key: str, name: str) -> Value:
        """Another layer's parameter `name` under `key`; OpTypeError when the net has none."""
        ...

    def feed(self, top: str, shape: Sequence[int]) -> Value:
        """A blob that the current data layer fills before each step; axis 0 is the batch."""
        ...

    def label(self, label: Value, classes: int, ignored: int | None = None) -> None:
        """Say that `label` holds class indices 0 .. classes-1, or `ignored`, so that the reader checks them."""
        ...

    def target(self, label: Value, kind: str) -> None:
        """Say that `label` holds numbers of a kind (runtime/data/targets.py: "sign", "probability", "distribution"), so
        that the reader checks them."""
        ...

    def stream(self, draw: int = 0) -> tuple[Value, int]:
        """A random stream of the current layer: (counter of the step, i64[]; key), for ops that draw. Streams of other
        layers, other program seeds and other `draw` have other keys."""
        ...

    def dropout_mask(self, like: Value, ratio: float, draw: int = 0) -> Value:
        """A bool mask of the shape of `like`, True where a unit is kept, drawn each step; `draw` as in `stream`."""
        ...

    def loss(self, per_position: Value, weight: float, counted: Value | None = None) -> Value:
        """Add weight * (mean of `per_position`) to the objective and return that mean; in test mode over valid samples.

        `counted`, of the shape of `per_position`, is 1 where a position counts and 0 where it does not, where
        `per_position` is 0 too: the mean is over those that count, 0 if none does.

        Where later layers make another scalar of it, that scalar is the term of the objective instead."""
        ...

    def statistic(self, suffix: str, per_position: Value, counted: Value | None = None) -> None:
        """Keep the mean of `per_position` over samples and positions as the statistic `<layer>-<suffix>`; `counted` as
        in `loss`."""
        ...

    def output(self, bottoms: Sequence[Value]) -> None:
        """Hand these values to the program after every step; the current layer is a collector (is_collector)."""
        ...
