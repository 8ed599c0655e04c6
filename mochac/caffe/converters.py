"""Converters: by the type of Caffe's layer, what adds mochac's layers for it to the builder.

Files of caffe/layers/ register them, nets.py calls them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mochac.caffe.builder import Builder
from mochac.caffe.layer import CaffeLayer
from mochac.registry import Registry

Convert = Callable[[Builder, CaffeLayer], None]
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
