"""What layers declare while a net is traced: parameters, states, feeds, losses, statistics, outputs."""

from __future__ import annotations

from mochac.base.records import record
from mochac.ir.graph import Loc
from mochac.nets.layers.base import Layer
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, NoCons, Regularizer
from mochac.nets.value_names import OF
from mochac.runtime.data.class_indices import ClassIndices


@record
class ParamInfo:
    """A parameter: where it is stored (key, name), its graph input `value`, its settings, the layers that share it.

    `lr_mult` is a factor of the solver's learning rate; `decays`: decoupled weight decay applies to it, as to weights,
    not to biases; `layer` and `loc` are those of the first layer that shares it; `theirs` is PyTorch's name of it
    within a module.
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
    cons: Constraint = NoCons()
    decays: bool = True
    theirs: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """The names that patterns of a solver's groups are matched with: "conv1", "conv1.filter", "conv1.weight"."""
        return tuple(dict.fromkeys((self.key, f"{self.key}.{self.name}", f"{self.key}.{self.theirs}".strip("."))))


@record
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


@record
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


@record
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
