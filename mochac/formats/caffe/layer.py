"""CaffeLayer: one layer of a prototxt in its present form, and the numbers in its fields."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import UnsupportedError
from mochac.base.records import record


@record(eq=False)
class CaffeLayer:
    """A layer of a Caffe net.

    Attributes:
        message: a LayerParameter.
        path, line: its place in the file.
        stubbed: its type is unknown, and only its wiring was read.
    """

    message: Any
    path: str
    line: int
    stubbed: bool = False

    @property
    def name(self) -> str:
        """Its name, or its type if it has none."""
        return self.message.name or self.type.lower()

    @property
    def type(self) -> str:
        """The current name of its type."""
        return self.message.type

    @property
    def in_place(self) -> bool:
        """Whether its only top is its only bottom."""
        return len(self.message.bottom) == 1 and list(self.message.top) == list(self.message.bottom)

    def file(self, name: str) -> Path:
        """The path of a file that the layer names, relative to the current folder or else to that of the prototxt."""
        other = Path(self.path).parent / name
        return other if not os.path.exists(name) and os.path.exists(other) else Path(name)

    def refused(self, what: str, expected: str = "", got: object = "", hint: str = "") -> UnsupportedError:
        """An UnsupportedError about the layer, ready to raise."""
        at = f"{self.path}:{self.line}"
        return UnsupportedError(
            what, layer=self.name, type=self.type, expected=expected, got=str(got), hint=hint, at=at
        )

    def require(self, what: str, value: object, wanted: object) -> None:
        """Check a setting of which only one value is supported.

        Raises:
            UnsupportedError: it has another value.
        """
        if value != wanted:
            raise self.refused(f"{what} is not supported", expected=str(wanted), got=value)


def number(value: float) -> float:
    """The decimal number that a float32 of a message stands for.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))


def per_axis(param: Any, name: str, default: int) -> int | tuple[int, ...]:
    """`name` (kernel, stride, pad or dilation), which can be given once for all spatial axes, once for each, or as
    `name`_h and `name`_w; else the default."""
    given = getattr(param, "kernel_size" if name == "kernel" else name)
    values = (given,) if isinstance(given, int) else tuple(given)
    if name != "dilation" and (param.HasField(f"{name}_h") or param.HasField(f"{name}_w")):
        values = (getattr(param, f"{name}_h"), getattr(param, f"{name}_w"))
    return values if len(values) > 1 else (values or (default,))[0]
