"""Layers of a contest's net as plain data: what a sample becomes, the parameters, the multiply-adds.

Files of tasks/ list them, every with_NAME.py builds them. They know no framework. Images are (channels, height, width),
sequences (time, features) or ids (time,).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

Shape = tuple[int, ...]
IMAGE = 3
"""Axes of an image."""


@dataclass(frozen=True)
class Layer:
    """Base. `neuron`: "relu", "sigmoid", "tanh", "gelu" or "" behind the layer's own operation."""

    name: str

    def output(self, x: Shape) -> Shape:
        """The shape of a sample behind the layer."""
        return x

    def params(self, x: Shape) -> dict[str, Shape]:
        """Shapes by "weight" and "bias", for samples of shape x."""
        return {}

    def macs(self, x: Shape) -> int:
        """Multiply-adds of one sample's forward direction, padding counted."""
        return 0

    def input_macs(self, x: Shape) -> int:
        """Those of the gradient of its input, which the first layer of a net does not need."""
        return self.macs(x)


@dataclass(frozen=True)
class Conv(Layer):
    """`group`: of channels; `decay`: factor of the solver's weight decay; biases, where there are any, have none."""

    filters: int
    kernel: int
    pad: int = 0
    stride: int = 1
    group: int = 1
    neuron: str = ""
    decay: float = 1.0
    bias: bool = True

    def output(self, x: Shape) -> Shape:
        return (self.filters, *((n + 2 * self.pad - self.kernel) // self.stride + 1 for n in x[1:]))

    def params(self, x: Shape) -> dict[str, Shape]:
        bias = {"bias": (self.filters,)} if self.bias else {}
        return {"weight": (self.filters, x[0] // self.group, self.kernel, self.kernel), **bias}

    def macs(self, x: Shape) -> int:
        return prod(self.output(x)) * x[0] // self.group * self.kernel**2


@dataclass(frozen=True)
class Dense(Layer):
    """Every feature of the sample to every unit."""

    units: int
    neuron: str = ""
    decay: float = 1.0

    def output(self, x: Shape) -> Shape:
        return (self.units,)

    def params(self, x: Shape) -> dict[str, Shape]:
        return {"weight": (self.units, prod(x)), "bias": (self.units,)}

    def macs(self, x: Shape) -> int:
        return self.units * prod(x)


@dataclass(frozen=True)
class Pool(Layer):
    """`how`: "max", or "mean", which divides by kernel^2 also where the window hangs over. Sizes are rounded up."""

    kernel: int
    stride: int
    how: str = "max"
    neuron: str = ""

    def output(self, x: Shape) -> Shape:
        return (x[0], *(-(-(n - self.kernel) // self.stride) + 1 for n in x[1:]))

    def overhang(self, x: Shape) -> int:
        """Rows that the last window needs beyond the image."""
        return (self.output(x)[1] - 1) * self.stride + self.kernel - x[1]


@dataclass(frozen=True)
class LRN(Layer):
    """x / (1 + scale * mean of squares)^power over kernel x kernel of a channel, or over `kernel` channels."""

    kernel: int
    scale: float
    power: float
    within: bool = True


@dataclass(frozen=True)
class Norm(Layer):
    """Batch normalization of every channel, with a scale and a shift, neither of them decayed."""

    neuron: str = ""

    def params(self, x: Shape) -> dict[str, Shape]:
        return {"weight": x[:1], "bias": x[:1]}


@dataclass(frozen=True)
class Add(Layer):
    """The sum with the output of the layer `other`, a shortcut.

    `other` may have images n times as high and wide with fewer channels: then of n x n pixels the first one counts, and
    half of the missing channels, of zeros, come before its own, half behind.
    """

    other: str
    neuron: str = ""


@dataclass(frozen=True)
class Embed(Layer):
    """A row of a table for every id, and one for its place."""

    vocabulary: int
    width: int

    def output(self, x: Shape) -> Shape:
        return (*x, self.width)

    def params(self, x: Shape) -> dict[str, Shape]:
        return {"weight": (self.vocabulary, self.width), "bias": (*x, self.width)}


@dataclass(frozen=True)
class Rows(Layer):
    """Every feature of a position to every unit; with `tied`, by the table of that layer and without a bias."""

    units: int
    neuron: str = ""
    tied: str = ""

    def output(self, x: Shape) -> Shape:
        return (*x[:-1], self.units)

    def params(self, x: Shape) -> dict[str, Shape]:
        return {} if self.tied else {"weight": (self.units, x[-1]), "bias": (self.units,)}

    def macs(self, x: Shape) -> int:
        return prod(x) * self.units


@dataclass(frozen=True)
class RowNorm(Layer):
    """Layer normalization of the features of every position, of images the channels of every pixel, with a scale and a
    shift."""

    def params(self, x: Shape) -> dict[str, Shape]:
        features = x[:1] if len(x) == IMAGE else x[-1:]
        return {"weight": features, "bias": features}


@dataclass(frozen=True)
class Attend(Layer):
    """Causal attention of queries, keys and values that lie one after the other; masked products count."""

    heads: int

    def output(self, x: Shape) -> Shape:
        return (x[0], x[1] // 3)

    def macs(self, x: Shape) -> int:
        return 2 * x[0] * prod(self.output(x))


@dataclass(frozen=True)
class Recurrent(Layer):
    """The last output of an LSTM, or of a GRU (`cell`: "lstm", "gru"), from a state of zeros.

    Gates are in PyTorch's order, and its GRU resets after the product.
    """

    units: int
    cell: str = "lstm"

    @property
    def rows(self) -> int:
        """Of its weights: all gates."""
        return self.units * {"lstm": 4, "gru": 3}[self.cell]

    def output(self, x: Shape) -> Shape:
        return (self.units,)

    def params(self, x: Shape) -> dict[str, Shape]:
        weights = {"weight_x": (self.rows, x[-1]), "weight_h": (self.rows, self.units)}
        return {**weights, "bias_x": (self.rows,), "bias_h": (self.rows,)}

    def macs(self, x: Shape) -> int:
        return self.input_macs(x) + x[0] * self.rows * self.units

    def input_macs(self, x: Shape) -> int:
        return prod(x) * self.rows
