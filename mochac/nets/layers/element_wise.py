"""Functions of single elements, and of the elements of several blobs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import ClassVar

from mochac.base.records import option
from mochac.base.registry import Namespace
from mochac.base.rules import integer, real, text
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.nets.layers.base import Layer, Names, Paired, layer
from mochac.nets.layers.config import Config, config
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import LOSS, PARAMETER, Blob, Example, breaks, fits
from mochac.nets.layers.fields import instance, numbers
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
        return [self.neuron(ctx, bottoms[0])]


@layer
class PowerLayer(Paired):
    """y = (scale * x + shift) ^ power, for each element.

        dx = dy * power * scale * (scale * x + shift) ^ (power - 1)

    y and its gradient are finite wherever the formulas are, also if scale * x + shift is 0, where Mocha gives NaN. A
    negative base with a fractional power gives NaN. x ^ 0 is 1.

    Args:
        power: any finite number; 1 by default.
        scale, shift: any finite numbers; 1 and 0 by default. With scale=0 the top is constant.

    Shapes: the top has the shape of the bottom. Source: Mocha.jl src/layers/power.jl.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,), power=2.0, scale=0.5, shift=1.0),
        fits(Blob((2, 3), 0.5, 2.0), power=-0.7),
        fits((2,), (3, 1), power=3.0, tops=["left", "right"]),
        fits((3,), scale=0.0, shift=2.0),
        fits((3,)),
        fits((3,), (3,), power=0.0, tops=["left", "right"]),
    )

    name: str = option(text(), default="power")
    power: float = option(real(), default=1.0)
    scale: float = option(real(), default=1.0)
    shift: float = option(real(), default=0.0)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return self._raised(ctx, self._base(ctx, x))

    def _base(self, ctx: TraceContext, x: Value) -> Value:
        if self.scale == 0.0:
            return ctx.constant(self.shift, x)
        scaled = ctx.scaled(x, self.scale)
        return ctx.op("add", scaled, ctx.constant(self.shift, x)) if self.shift else scaled

    def _raised(self, ctx: TraceContext, x: Value) -> Value:
        if self.power == 0.0:
            return ctx.constant(1.0, x)
        if self.power == 1.0:
            return x
        return ctx.op("square", x) if self.power == 2.0 else ctx.op("power", x, exponent=self.power)


class ElementWiseFunctor(Config):
    """Base class of the operations.

    Attributes:
        row: its row in the scalar table.
    """

    row: ClassVar[str] = ""


@config
class Add(ElementWiseFunctor):
    """a + b."""

    row: ClassVar[str] = "add"


@config
class Subtract(ElementWiseFunctor):
    """a - b."""

    row: ClassVar[str] = "sub"


@config
class Multiply(ElementWiseFunctor):
    """a * b."""

    row: ClassVar[str] = "mul"


@config
class Divide(ElementWiseFunctor):
    """a / b."""

    row: ClassVar[str] = "div"


@config
class Maximum(ElementWiseFunctor):
    """The larger of a and b; the gradient goes to the first of equal elements."""

    row: ClassVar[str] = "max"


class ElementWiseFunctors(metaclass=Namespace):
    """Namespace of the operations, as in Mocha, with Maximum: `ElementWiseFunctors.Add()`."""

    Add = Add
    Subtract = Subtract
    Multiply = Multiply
    Divide = Divide
    Maximum = Maximum


_OF_TWO = (Subtract, Divide)


@layer
class ElementWiseLayer(Layer):
    """top = operation of all bottoms, which have one shape; there is no broadcasting.

    Args:
        operation: ElementWiseFunctors.Add(), Multiply() or Maximum() of two or more bottoms; Subtract() or Divide() of
            two.
        coefficients: with Add, a factor for each bottom; () by default: all 1.
        neuron: activation of the top, such as the ReLU behind a residual sum.

    Source: Mocha.jl src/layers/element-wise.jl, which takes two bottoms; Caffe's Eltwise.

    >>> ElementWiseLayer(bottoms=["a", "b", "c"], coefficients=(1, 1, -0.5)).coefficients
    (1.0, 1.0, -0.5)
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, None)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((2, 3), (2, 3), operation=Multiply()),
        fits((3,), Blob((3,), 0.5, 2.0), operation=Divide()),
        fits((3,), bottoms=["b0", "b0"], operation=Subtract()),
        fits((3,), (3,), (3,), coefficients=(2.0, -1.0, 0.5)),
        fits((2, 3), (2, 3), (2, 3), operation=Multiply()),
        fits(Blob((3,), 0.0, 1.0), Blob((3,), 2.0, 3.0), Blob((3,), 4.0, 5.0), operation=Maximum()),
        fits((3,), (3,), neuron=Sigmoid()),
        breaks("bottoms differ in shape", (3,), (4,)),
        breaks("bottoms differ in shape", (2, 3), (6,)),
        breaks("bottoms differ in shape", (3,), (3,), (3, 1)),
        breaks("bottoms differ in shape", (1,), LOSS),
    )

    name: str = option(text(), default="element-wise")
    operation: ElementWiseFunctor = option(
        instance(ElementWiseFunctor, "an operation such as ElementWiseFunctors.Add()", Divide()), default=Add()
    )
    coefficients: tuple[float, ...] = option(numbers(), default=())
    neuron: Neuron = option(neuron(), default=Identity())

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.is_open:
            self.check_bottoms()

    def check_bottoms(self) -> None:
        """Check the number of bottoms, and of coefficients."""
        super().check_bottoms()
        kind, count = type(self.operation).__name__, len(self.bottoms)
        if isinstance(self.operation, _OF_TWO) and count != 2:
            raise self.error("wrong number of bottoms", expected=f"2 bottoms for {kind}", got=str(count))
        if self.coefficients and not isinstance(self.operation, Add):
            raise self.error("coefficients need Add", expected="ElementWiseFunctors.Add()", got=f"{kind}()")
        if self.coefficients and len(self.coefficients) != count:
            wanted = f"one per bottom: {count}"
            raise self.error("wrong number of coefficients", expected=wanted, got=str(len(self.coefficients)))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        first, *others = bottoms
        for x in others:
            if x.type.shape != first.type.shape:
                hint = self._hint_for_table(bottoms)
                raise OpTypeError("bottoms differ in shape", str(first.type.shape), str(x.type.shape), hint)
        factors = self.coefficients or (1.0,) * len(bottoms)
        total, *terms = (ctx.scaled(x, c) for x, c in zip(bottoms, factors, strict=True))
        for term in terms:
            total = ctx.op(self.operation.row, total, term)
        return [self.neuron(ctx, total)]

    def _hint_for_table(self, bottoms: tuple[Value, ...]) -> str:
        """What to write if one of two bottoms has the shape of a sample of the other, such as a table of positions."""
        equivalents: dict[type[ElementWiseFunctor], tuple[str, str]] = {
            Add: ("BiasLayer", "shift"),
            Multiply: ("ScaleLayer", "scale"),
        }
        if type(self.operation) not in equivalents or len(bottoms) != 2:
            return ""
        kind, field = equivalents[type(self.operation)]
        for (name, x), (table, row) in permutations(zip(self.bottoms, bottoms, strict=True)):
            if not row.type.batch and row.type.shape == x.type.shape[1:]:
                fields = f"num_axes={len(row.type.shape)}, {field}={table!r}, bottoms=[{name!r}]"
                return f"{kind}({fields}) takes {table!r} for every sample"
        return ""


@layer
class IdentityLayer(Paired):
    """Each top equals its bottom."""

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3), (1,), tops=["left", "right"]),
    )

    name: str = option(text(), default="identity")

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return x


@layer
class StopGradientLayer(Layer):
    """The bottom as it is; the layers below get no gradient from the top.

    Source: PyTorch's detach, JAX's stop_gradient.

    >>> StopGradientLayer(name="target", bottoms=["teacher"]).tops
    ('target',)
    """

    examples: ClassVar[tuple[Example, ...]] = (fits((3,)), fits((2, 3, 4)))

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [ctx.op("stop_gradient", bottoms[0])]


@layer
class SoftmaxLayer(Paired):
    """y = exp(x - max(x)) / sum(exp(x - max(x))) along `axis`.

    Args:
        axis: 1 (channels) by default, in NumPy order; not the batch, but any axis of a blob without samples.

    Shapes: the top has the shape of the bottom. Source: Mocha.jl src/layers/softmax.jl.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        fits((4,)),
        fits((2, 3, 2), axis=2),
        fits((3,), (2, 3), axis=-1, tops=["left", "right"]),
        fits(near=PARAMETER, bottoms=["W"], axis=0),
        breaks("axis 0 is not an axis", (2, 3), axis=0),
        breaks("axis 3 is not an axis", (2, 3), axis=3),
        breaks("not an axis", LOSS),
    )

    name: str = option(text(), default="softmax")
    axis: int = option(integer(), default=1)

    def each(self, ctx: TraceContext, x: Value) -> Value:
        return ctx.op("softmax", x, axis=ctx.axis(self.axis, x))
