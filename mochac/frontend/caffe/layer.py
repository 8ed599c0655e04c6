"""CaffeLayer: one layer of a prototxt in its present form, and the converters that turn it into mochac's layers.

Files of frontend/caffe/layers/ register converters, nets.py walks the layers. How blobs are renamed is the builder's
business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.errors import UnsupportedError
from mochac.registry import Registry

if TYPE_CHECKING:
    from mochac.frontend.caffe.builder import Builder


@dataclass(frozen=True)
class CaffeLayer:
    """A layer as Caffe sees it.

    Attributes:
        message: a LayerParameter.
        path, line: where it stands.
        stubbed: its type is not known; only its wiring was read.
    """

    message: Any
    path: str
    line: int
    stubbed: bool = False

    @property
    def name(self) -> str:
        """Its name; its type where it has none."""
        return self.message.name or self.type.lower()

    @property
    def type(self) -> str:
        """The present name of its type."""
        return self.message.type

    @property
    def in_place(self) -> bool:
        """Whether its only top is its only bottom."""
        return len(self.message.bottom) == 1 and list(self.message.top) == list(self.message.bottom)

    def refused(self, what: str, expected: str = "", got: object = "", hint: str = "") -> UnsupportedError:
        """An UnsupportedError about it, ready to raise."""
        at = f"{self.path}:{self.line}"
        return UnsupportedError(
            what, layer=self.name, type=self.type, expected=expected, got=str(got), hint=hint, at=at
        )

    def require(self, what: str, value: object, wanted: object) -> None:
        """Refuse a setting that is not the only one supported.

        Raises:
            UnsupportedError: it is another.
        """
        if value != wanted:
            raise self.refused(f"{what} is not supported", expected=str(wanted), got=value)


Converter = Callable[["Builder", CaffeLayer], None]

CONVERTERS: Registry[Converter] = Registry("Caffe layer", "mochac.frontend.caffe.layers")


def converter(*types: str) -> Callable[[Converter], Converter]:
    """Decorator: register a function that adds to the builder what a layer of these types stands for."""

    def add(function: Converter) -> Converter:
        for name in types:
            CONVERTERS.add(name, function)
        return function

    return add


def number(value: float) -> float:
    """The decimal number that was meant by a float32 of a message.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))


def pair(param: Any, name: str, default: int) -> tuple[int, int]:
    """(height, width) of `name`, which is kernel, stride or pad: given once, twice, or as `name`_h and `name`_w.

    (default, default) where it is not given.
    """
    values = list(getattr(param, "kernel_size" if name == "kernel" else name))
    height, width = (values * 2)[:2] if len(values) < 3 and values else (default, default)
    if param.HasField(f"{name}_h") or param.HasField(f"{name}_w"):
        height, width = getattr(param, f"{name}_h"), getattr(param, f"{name}_w")
    return height, width
