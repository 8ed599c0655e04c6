"""TraceContext: what layers and neurons use to write their operations in `emit`.

nets/tracer.py and the classes it inherits from implement it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from mochac.ir.graph import Value
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, NoCons, Regularizer

Step = Callable[[tuple[LayerValue, ...], tuple[LayerValue, ...]], tuple[Sequence[Value], Sequence[Value]]]
"""The body of a loop: (carried values, slices of this step) -> (new carried values, outputs)."""


class Scanned(NamedTuple):
    """The results of a loop.

    Attributes:
        last: the carried values after the last step.
        after: the carried values after each step, (batch, time, ...).
        outputs: what the body returned besides, (batch, time, ...).
    """

    last: tuple[LayerValue, ...]
    after: tuple[LayerValue, ...]
    outputs: tuple[LayerValue, ...]


class TraceContext(Protocol):
    """The graph under construction, from the point of view of a layer.

    Attributes:
        training: True in train mode; in test mode, losses and statistics are sums over the valid samples of a batch.
        dtype: element type of blobs and parameters, "f32" or "f64".
        batch: number of samples of the plan.
    """

    training: bool
    dtype: str
    batch: int

    def op(self, op: str, *inputs: Value, **attrs: object) -> LayerValue:
        """Append an operation with one result, and return that."""
        ...

    def ops(self, op: str, *inputs: Value, **attrs: object) -> tuple[LayerValue, ...]:
        """Append an operation, and return all its results."""
        ...

    def scan(
        self,
        step: Step,
        carried: Sequence[Value],
        sequences: Sequence[Value] = (),
        *,
        length: int | None = None,
        reverse: bool = False,
    ) -> Scanned:
        """A loop over time: `step` for each entry of `sequences` along axis 1.

        Args:
            step: (carried values, slices) -> (new carried values, outputs); called once, to write the operations of a
                step. Slices have no axis of time. It may read any other value, such as parameters. It may not call
                scan, update, loss and other methods that declare something about the net, and only the values that it
                returns can be used outside.
            carried: what the first step starts from; their types stay.
            sequences: values (batch, time, ...) of one length.
            length: the number of steps, if there are no sequences.
            reverse: the last entry comes first. Entry t of a result belongs to entry t of the sequences all the same.

        Compiled as one loop: neither code nor compile time grows with the length.
        """
        ...

    def scaled(self, x: Value, factor: float) -> LayerValue:
        """x * factor."""
        ...

    def axis(self, axis: int, x: Value) -> int:
        """`axis` of `x`, counted from 0; raises OpTypeError if `x` has no such axis, or if it is that of the batch."""
        ...

    def without_samples(self, x: Value) -> bool:
        """Whether `x` is computed from parameters and arrays alone, so that it is the same for all samples and its axis
        0 is an axis like the others."""
        ...

    def constant(self, value: float, like: Value) -> LayerValue:
        """A tensor of the type of `like`, filled with a number."""
        ...

    def all_samples(self, x: Value) -> LayerValue:
        """The samples of the batch as an array that all of them read: x @ ctx.all_samples(y).T has the batch along both
        axes. x.T, x[None], x.sum(0) and others that move samples or reduce over them do it by themselves. A value
        computed of it depends on the other samples of a batch."""
        ...

    def as_array(self, x: Value) -> LayerValue:
        """The samples of the batch as all_samples(x), of which axis 0 is an axis like the others; the value of a loss
        as an array (1,)."""
        ...

    def eye(self) -> LayerValue:
        """Bools (batch, batch): true where a sample meets itself."""
        ...

    def table(self, name: str, values: np.ndarray) -> LayerValue:
        """A constant array of the current layer, such as class weights; `name` is for dumps."""
        ...

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
        """A parameter of the current layer, shared with all layers of the same param_key; or the blob that the field
        `name` of the layer names. Refused in classes not derived from Parametric, as `state` is.

        Args:
            decays: whether decoupled weight decay (AdamW) applies to it: False for biases, scales, shifts and slopes.
        """
        ...

    def state(self, name: str, shape: Sequence[int], init: Initializer) -> LayerValue:
        """A state of the current layer, such as running statistics: kept like a parameter (in stores, snapshots and
        model files), shared by param_key, but changed by `update` alone. No gradient passes it."""
        ...

    def is_state(self, value: Value) -> bool:
        """Whether a value, such as a bottom, is a state that `update` may replace."""
        ...

    def carried_state(self, name: str, shape: Sequence[int]) -> LayerValue:
        """A state of each sample, (batch, *shape), which `update` carries to the sample at the same place of the next
        batch, in training and in prediction, each with its own. It starts from zeros, and snapshots keep it with the
        solver's slots; layers that share parameters have states of their own. No gradient passes it."""
        ...

    def update(self, state: Value, new: Value) -> None:
        """Replace a state by `new` after every training step; layers that share it see `new` at once.

        forward(), backward(), evaluation and prediction leave states as they are, except for those of carried_state.
        Refused: update() of others in test mode, and a second one of the same state in one `emit`.
        """
        ...

    def batch_sum(self, x: Value, axes: Sequence[int] = (0,)) -> LayerValue:
        """The sum of `x` over increasing `axes`, the first of which is the batch; in test mode over valid samples.

        Other sums over the batch (ctx.op("reduce_sum")) are refused, since evaluation pads its last batch."""
        ...

    def batch_mean(self, x: Value, axes: Sequence[int] = (0,)) -> LayerValue:
        """The mean of `x` over `axes`, as `batch_sum`."""
        ...

    def borrowed(self, key: str, name: str) -> LayerValue:
        """The parameter `name` of another layer, with key `key`; raises OpTypeError if there is none."""
        ...

    def custom_gradient(self, y: Value, inputs: Sequence[Value], backward: Callable[..., Any]) -> LayerValue:
        """`y`, whose gradient is handed to `inputs` by `backward`; see layers/functions.py."""
        ...

    def blob(self, field: str, position: int = 0) -> LayerValue:
        """The blob that a field of the current layer names, or that at a position of a field that names several; the
        class lists such fields in `blob_fields`."""
        ...

    def feed(self, top: str, shape: Sequence[int]) -> LayerValue:
        """A blob that the current data layer fills before each step. Axis 0 is the batch."""
        ...

    def label(self, label: Value, classes: int, ignored: int | None = None, what: str = "label") -> None:
        """Declare that `label` holds class indices 0 .. classes-1, or `ignored`; readers check that. `what` is its name
        in their messages."""
        ...

    def target(self, label: Value, kind: str) -> None:
        """Declare the kind of numbers in `label`, or in a prediction ("sign", "probability", "predicted probability",
        "distribution": runtime/data/targets.py); readers check them."""
        ...

    def stream(self, draw: int = 0) -> tuple[LayerValue, int]:
        """A random stream of the current layer, for random ops: (counter of the step, i64[]; key). The key depends on
        layer, seed of the program, and `draw`."""
        ...

    def dropout_mask(self, like: Value, ratio: float, draw: int = 0, shared_axes: Sequence[int] = ()) -> LayerValue:
        """A random bool mask of the shape of `like`, new in each step, True for units to keep; `draw` as in `stream`.
        Units along `shared_axes`, counted from 0, are kept or dropped together."""
        ...

    def loss(self, per_position: Value, weight: Any, counted: Value | None = None) -> LayerValue:
        """Add weight * (mean of `per_position`) to the objective, and return that mean; in test mode, over valid
        samples.

        `counted` is a mask of the shape of `per_position`: 1 for positions that count, and 0 for others, at which
        `per_position` must be 0 too. The mean is over those that count, and 0 if there are none.

        `weight` may be a policy of the iteration; test mode leaves it out.

        If later layers compute another scalar from it, that scalar is the term of the objective instead."""
        ...

    def statistic(self, suffix: str, per_position: Value, counted: Value | None = None) -> None:
        """Make the mean of `per_position` over samples and positions the statistic `<layer>-<suffix>`; `counted` as in
        `loss`."""
        ...

    def output(self, bottoms: Sequence[Value]) -> None:
        """Make these values available after every step, for collectors (is_collector)."""
        ...
