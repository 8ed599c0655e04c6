"""ActivationLayer: a neuron as a separate layer, as in Caffe's nets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.nets.layers.base import Layer, Names, layer
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example, breaks, fits
from mochac.nets.layers.fields import option, text
from mochac.nets.layers.neurons import GLU, Identity, Neuron, ReLU, Sigmoid, neuron


@layer
class ActivationLayer(Layer):
    """top = neuron(bottom), element by element; GLU alone has a top of another shape.

    Args:
        neuron: Neurons.ReLU() by default.

    With a top of the same name as its bottom it works in place: all other layers with that bottom get the
    activated blob, wherever they are in the list. Source: the neurons of Mocha.jl src/neurons.jl; Caffe's layers ReLU,
    Sigmoid and TanH.

    >>> ActivationLayer(name="relu1", bottoms=["sum"]).tops
    ('relu1',)
    """

    in_place: ClassVar[bool] = True
    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3, 2), neuron=Sigmoid()),
        fits((3,), neuron=Identity(), tops=["same"]),
        fits((4, 2), neuron=GLU(), tops=["half"]),
        fits((3, 4), neuron=GLU(axis=-1)),
        breaks("GLU halves axis 1", (3, 2), neuron=GLU()),
    )

    name: str = option(text(), default="activation")
    neuron: Neuron = option(neuron(), default=ReLU())

    def default_tops(self) -> Names:
        """A new blob, unlike with layers that Mocha has."""
        return (self.name,)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self.neuron.emit(ctx, bottoms[0])]
