"""CaffeLayer: one layer of a prototxt in its present form, and the converters that turn it into mochac's layers.

Files of frontend/caffe/layers/ register converters, nets.py walks the layers. How blobs are renamed is the builder's
business.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mochac.errors import UnsupportedError
from mochac.registry import Registry

if TYPE_CHECKING:
    from mochac.caffe.builder import Builder


@dataclass(frozen=True, eq=False)
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

    def found(self, name: str) -> Path:
        """A file that the layer names: where it says, or else beside the prototxt."""
        beside = Path(self.path).parent / name
        return beside if not os.path.exists(name) and os.path.exists(beside) else Path(name)

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

    def require_named(self, message: Any, field: str, wanted: str) -> None:
        """Refuse a setting with named values that is not the only one supported.

        Raises:
            UnsupportedError: it is another.
        """
        names = message.DESCRIPTOR.fields_by_name[field].enum_type.values_by_number
        found = names[getattr(message, field)].name
        if found != wanted:
            raise self.refused(f"{field} {found} is not supported", expected=wanted, got=found)


Convert = Callable[["Builder", CaffeLayer], None]
Count = tuple[int, int | None]


@dataclass(frozen=True)
class Converter:
    """What a type of layer becomes.

    Args:
        convert: adds to the builder what a layer stands for.
        bottoms, tops: (least, most) number of them, None: no limit.
        is_loss: whether loss_weight has a meaning.
    """

    convert: Convert
    bottoms: Count
    tops: Count
    is_loss: bool

    def __call__(self, b: Builder, layer: CaffeLayer) -> None:
        """Convert one layer.

        Raises:
            UnsupportedError, or whatever mochac's layers say.
        """
        for what, (least, most) in (("bottom", self.bottoms), ("top", self.tops)):
            count = len(getattr(layer.message, what))
            if count < least or (most is not None and count > most):
                wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
                raise layer.refused(f"wrong number of {what}s", expected=wanted, got=count)
        if not self.is_loss and any(layer.message.loss_weight):
            raise layer.refused("loss_weight of a layer that is no loss is not supported")
        if b.options.phase == "train":
            self._check_gradients(b, layer)
        self.convert(b, layer)

    def _check_gradients(self, b: Builder, layer: CaffeLayer) -> None:
        """propagate_down may be false where no gradient would flow: to data, and to a loss's label."""
        for k, (blob, wanted) in enumerate(zip(layer.message.bottom, layer.message.propagate_down, strict=False)):
            if not wanted and not (self.is_loss and k) and b.is_learned(blob):
                hint = "program.freeze(...) leaves parameters as they are"
                raise layer.refused("propagate_down: false is not supported", hint=hint)


CONVERTERS: Registry[Converter] = Registry("Caffe layer", "mochac.caffe.layers")


def converter(
    *types: str, bottoms: Count = (1, 1), tops: Count = (1, 1), is_loss: bool = False
) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts layers of these types; see Converter."""

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, Converter(function, bottoms, tops, is_loss))
        return function

    return add


def number(value: float) -> float:
    """The decimal number that was meant by a float32 of a message.

    >>> number(0.009999999776482582)
    0.01
    """
    return float(str(np.float32(value)))


def pair(layer: CaffeLayer, param: Any, name: str, default: int) -> tuple[int, int]:
    """(height, width) of `name`, which is kernel, stride or pad: given once, twice, or as `name`_h and `name`_w.

    (default, default) where it is not given.

    Raises:
        UnsupportedError: it has more than two axes.
    """
    values = list(getattr(param, "kernel_size" if name == "kernel" else name))
    if len(values) > 2:
        raise layer.refused(f"{name} of more than two axes is not supported", expected="2", got=len(values))
    height, width = (values * 2)[:2] if values else (default, default)
    if param.HasField(f"{name}_h") or param.HasField(f"{name}_w"):
        height, width = getattr(param, f"{name}_h"), getattr(param, f"{name}_w")
    return height, width
