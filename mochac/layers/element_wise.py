"""ElementWiseLayer: an element-wise operation on two blobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.layers.base import Layer, layer
from mochac.layers.config import Config, config
from mochac.layers.context import TraceContext
from mochac.layers.examples import LOSS, Blob, Example, breaks, fits
from mochac.layers.fields import instance, option, text
from mochac.registry import Namespace


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


class ElementWiseFunctors(metaclass=Namespace):
    """Namespace of the operations, as in Mocha: `ElementWiseFunctors.Add()`."""

    Add = Add
    Subtract = Subtract
    Multiply = Multiply
    Divide = Divide


@layer
class ElementWiseLayer(Layer):
    """top = operation(bottom 0, bottom 1), for two blobs of the same shape; there is no broadcasting.

    Args:
        operation: ElementWiseFunctors.Add(), Subtract(), Multiply() or Divide().
    """

    n_bottoms: ClassVar[tuple[int, int | None]] = (2, 2)
    examples: ClassVar[tuple[Example, ...]] = (
        fits((3,), (3,)),
        fits((2, 3), (2, 3), operation=Multiply()),
        fits((3,), Blob((3,), 0.5, 2.0), operation=Divide()),
        fits((3,), bottoms=["b0", "b0"], operation=Subtract()),
        breaks("bottoms differ in shape", (3,), (4,)),
        breaks("bottoms differ in shape", (2, 3), (6,)),
        breaks("bottoms differ in shape", (1,), LOSS),
    )

    name: str = option(text(), default="element-wise")
    operation: ElementWiseFunctor = option(
        instance(ElementWiseFunctor, "an operation such as ElementWiseFunctors.Add()", Divide()), default=Add()
    )

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        a, b = bottoms
        if a.type.shape != b.type.shape:
            raise OpTypeError("bottoms differ in shape", str(a.type.shape), str(b.type.shape))
        return [ctx.op(self.operation.row, a, b)]
