"""What a net declares: names of values, inputs, parameters and their settings."""

from __future__ import annotations

import numbers
from typing import Any

from mochac.base.records import record
from mochac.ir.graph import Loc
from mochac.ir.op_call import OpCallError
from mochac.ir.types import TensorType
from mochac.nets.layers.base import Layer
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, NoCons, Regularizer
from mochac.runtime.data.targets import ClassIndices

RESERVED = (
    *("lr", "momentum", "next_momentum", "step_size", "mean_step_size", "root_scale", "share"),
    *("step", "n_valid", "first_batch", "total_loss"),
)
"""Names of graph inputs and outputs, which no blob's value may have."""


OF = "\t"
"""Separator in names under which plans report values. Users' names cannot contain it, so they differ from these."""


def diff_of(blob: str) -> str:
    """The name under which a plan reports the gradient of a blob."""
    return f"diff{OF}{blob}"


def gradient_of(parameter: str) -> str:
    """The name under which a plan reports the gradient of a parameter."""
    return f"grad{OF}{parameter}"


def value_name(blob: str) -> str:
    """Name of a blob's graph value: the blob's name, changed if needed to differ from reserved names and from those of
    parameters and other values (which contain dots)."""
    name = blob.replace(".", "_")
    return f"{name}_" if name in RESERVED else name


def plain(t: TensorType) -> str:
    """A type as users write it, without the batch mark."""
    return str(TensorType(t.dtype, t.shape))


def extents_of(name: str, shape: Any) -> tuple[int, ...]:
    """The shape of a parameter or state, as a tuple.

    Raises:
        OpCallError: it is not a shape.
    """
    hint = f"write ({shape},)" if isinstance(shape, numbers.Integral) else ""
    extents = tuple(shape) if isinstance(shape, (tuple, list)) else None
    if extents is None or not all(isinstance(d, numbers.Integral) and int(d) >= 0 for d in extents):
        raise OpCallError(f"the shape of {name!r} is no shape", "a tuple of integers", repr(shape), hint)
    return tuple(int(d) for d in extents)


def require_initializer(name: str, init: Any) -> None:
    """Raise OpCallError for anything but an initializer."""
    _require(name, "initializer", Initializer, init, "ConstantInitializer(0)")


def require_settings(name: str, init: Any, regu: Any, lr: Any, cons: Any) -> None:
    """Raise OpCallError for settings of a parameter of the wrong kinds."""
    require_initializer(name, init)
    _require(name, "regularizer", Regularizer, regu, "NoRegu()")
    _require(name, "learning-rate factor", numbers.Real, lr, "1.0")
    _require(name, "constraint", Constraint, cons, "NoCons()")


def _require(name: str, what: str, kind: type, value: Any, example: str) -> None:
    if not isinstance(value, kind):
        raise OpCallError(f"the {what} of {name!r} is none", f"such as {example}", repr(value))


@record
class ParamInfo:
    """A parameter: where it is stored (key, name), its graph input `value`, its settings, the layers that share it.

    `lr_mult` is a factor of the solver's learning rate; `decays`: decoupled weight decay applies to it, as to weights,
    not to biases; `layer` and `loc` are the first layer that shares it; `theirs` is PyTorch's name for it within a
    module."""

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
    cons: Constraint = NoCons()
    decays: bool = True
    theirs: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that patterns of a solver's groups are matched with: "conv1", "conv1.filter", "conv1.weight"."""
        return tuple(dict.fromkeys((self.key, f"{self.key}.{self.name}", self.torch_name)))

    @property
    def torch_name(self) -> str:
        """Its name in a state_dict."""
        return f"{self.key}.{self.theirs}".strip(".")


@record
class StateInfo:
    """A state of a layer: where it is stored (key, name), its graph input `value`, and the layers that share it.

    `layer` and `loc` are the first layer that shares it; `theirs` is PyTorch's name for it within a module."""

    key: str
    name: str
    value: str
    shape: tuple[int, ...]
    init: Initializer
    layer: str
    loc: Loc
    sharers: tuple[str, ...]
    theirs: str = ""

    @property
    def torch_name(self) -> str:
        """Its name in a state_dict."""
        return f"{self.key}.{self.theirs}".strip(".")


@record
class FeedInfo:
    """A graph input that is filled by a data layer.

    Attributes:
        classes: number of classes if its values are class indices, else None.
        targets: kinds of labels (runtime/data/targets.py) that its values must be.
    """

    layer: Layer
    top: str
    value: str
    classes: ClassIndices | None = None
    targets: tuple[str, ...] = ()


@record
class LossInfo:
    """A loss layer's value, or a scalar that later layers computed from losses.

    In train mode, `value` is weight * mean over the batch. In test mode it is a sum over valid samples, so that (sum
    over batches) / (number of samples) is weight * mean. `mean` is what the layer's top holds in both modes.
    `objective`: whether it is a term of the objective; False if another term contains it. `total`, `count`: if some
    positions are ignored, weight * the sum over the others, and their number; else "". Over several batches, (sum of
    totals) / (sum of counts) is then the loss, in both modes."""

    layer: str
    value: str
    mean: str
    objective: bool = True
    total: str = ""
    count: str = ""


@record
class StatisticInfo:
    """A statistic `<layer>-<suffix>`: sum of `value` over batches / (number of samples * per_sample). If some positions
    are ignored, it is divided by the sum of `count` instead; else `count` is ""."""

    name: str
    layer: str
    value: str
    per_sample: int
    count: str = ""


@record
class OutputInfo:
    """A collector, the values of its bottoms, and whether each has one row per sample."""

    layer: str
    values: tuple[str, ...]
    batch: tuple[bool, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the values in a plan."""
        return tuple(f"output {k}{OF}{self.layer}" for k in range(len(self.values)))
