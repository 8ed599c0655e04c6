"""Converters: functions that add mochac's layers for a Caffe layer to the builder, registered by type.

They are in caffe/layers/.
"""

from __future__ import annotations

from collections.abc import Callable

from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.formats.caffe.builder import Builder
from mochac.formats.caffe.layer import CaffeLayer

Convert = Callable[[Builder, CaffeLayer], None]
Count = tuple[int, int | None]


@record
class Converter:
    """Converts layers of one type.

    Args:
        convert: adds the corresponding layers to the builder.
        bottoms, tops: (fewest, most), with None for no limit.
        is_loss: whether loss_weight is allowed.
    """

    convert: Convert
    bottoms: Count
    tops: Count
    is_loss: bool

    def __call__(self, b: Builder, layer: CaffeLayer) -> None:
        """Convert one layer.

        Raises:
            UnsupportedError, or an error of mochac's layers.
        """
        for what, (least, most) in (("bottom", self.bottoms), ("top", self.tops)):
            count = len(getattr(layer.message, what))
            if count < least or (most is not None and count > most):
                wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
                raise layer.refused(f"wrong number of {what}s", expected=wanted, got=count)
        if not self.is_loss and any(layer.message.loss_weight):
            raise layer.refused("loss_weight of a layer that is not a loss is not supported")
        if b.options.phase == "train":
            self._check_gradients(b, layer)
        self.convert(b, layer)

    def _check_gradients(self, b: Builder, layer: CaffeLayer) -> None:
        """propagate_down may be false where there is no gradient anyway: for data, and for the label of a loss."""
        for k, (blob, wanted) in enumerate(zip(layer.message.bottom, layer.message.propagate_down, strict=False)):
            if not wanted and not (self.is_loss and k) and b.is_learned(blob):
                hint = "program.freeze(...) keeps parameters as they are"
                raise layer.refused("propagate_down: false is not supported", hint=hint)


CONVERTERS: Registry[Converter] = Registry("Caffe layer", "mochac.formats.caffe.layers")


def converter(
    *types: str, bottoms: Count = (1, 1), tops: Count = (1, 1), is_loss: bool = False
) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts layers of these types; see Converter."""

    def add(function: Convert) -> Convert:
        for name in types:
            CONVERTERS.add(name, Converter(function, bottoms, tops, is_loss))
        return function

    return add
