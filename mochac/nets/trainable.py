"""trainable_layers: the layers of a net for predictions, with data in the place of its inputs and losses behind it.

For Net.to_train.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mochac.base.errors import OptionError, shown
from mochac.nets.layers.base import Layer, Source
from mochac.nets.layers.config import at, made_at
from mochac.nets.layers.memory_data import InputLayer
from mochac.nets.wiring import described
from mochac.runtime.data.source import describe


def trainable_layers(layers: Sequence[Layer], output: Callable[[], str], data: Any, ends: Any) -> list[Layer]:
    """The layers without their InputLayers, whose readers read the data instead.

    Args:
        layers: of a net.
        output: returns the prediction of the net; raises OptionError if it has no single one.
        data: a data layer, or several.
        ends: layers such as losses; those without bottoms get the output and the tops of the data that are no inputs.

    Raises:
        OptionError: something does not fit.
    """
    sources, added = _listed("data", data), _listed("loss", ends)
    for source in sources:
        if not isinstance(source, Source) or isinstance(source, InputLayer):
            wanted = "a data layer, such as MemoryDataLayer(data=[x, y], batch_size=64), or a list of them"
            raise OptionError("to_train: data is not a data layer", expected=wanted, got=shown(source))
    inputs = [(top, layer) for layer in layers if isinstance(layer, InputLayer) for top in layer.tops]
    if not inputs:
        raise OptionError("to_train: the net has no InputLayer in whose place data could be put")
    shapes = {top: shape for source in sources for top, shape in describe(source).items()}
    read = _matched([top for top, _ in inputs], list(shapes), sources)
    for top, layer in inputs:
        if shapes[read[top]] != layer.shape[1:]:
            raise OptionError(
                f"to_train: the samples of {read[top]!r} do not fit the input {top!r}",
                expected=str(layer.shape[1:]), got=str(shapes[read[top]]), at=at(layer.origin),
                details=[f"{read[top]!r} comes from {_of(read[top], sources)}"],
            )  # fmt: skip
    labels = [top for top in shapes if top not in read.values()]
    kept = [_reading(layer, read) for layer in layers if not isinstance(layer, InputLayer)]
    return [*sources, *kept, *(_wired(layer, read, output, labels) for layer in added)]


def _listed(what: str, given: Any) -> list[Layer]:
    found = list(given) if isinstance(given, (list, tuple)) else [given]
    for layer in found:
        if not isinstance(layer, Layer):
            hint = f"write {layer.__name__}(...)" if isinstance(layer, type) and issubclass(layer, Layer) else ""
            raise OptionError(f"to_train: {what} is not a layer", got=shown(layer), hint=hint)
    return found


def _of(top: str, sources: Sequence[Layer]) -> str:
    return next(described(source) for source in sources if top in source.tops)


def _matched(inputs: Sequence[str], tops: Sequence[str], sources: Sequence[Layer]) -> dict[str, str]:
    """The top of the data for each input: that of its name, or, if no top has the name of an input, by order."""
    missing = [name for name in inputs if name not in tops]
    if not missing:
        return {name: name for name in inputs}
    if len(missing) < len(inputs) or len(tops) < len(inputs):
        raise OptionError(
            "to_train: the data has no top for some inputs", expected=" ".join(inputs), got=" ".join(tops),
            details=[f"inputs without a top: {' '.join(missing)}"],
            hint=f"give the data layer tops=[{', '.join(map(repr, inputs))}, ...]", at=at(sources[0].origin),
        )  # fmt: skip
    return dict(zip(inputs, tops, strict=False))


def _reading(layer: Layer, names: Mapping[str, str]) -> Layer:
    """The layer with other names of the blobs that it reads."""
    if not set(layer.reads) & {old for old, new in names.items() if old != new}:
        return layer
    changes: dict[str, Any] = {"bottoms": [names.get(blob, blob) for blob in layer.bottoms]}
    for field in layer.blob_fields:
        given = getattr(layer, field)
        if isinstance(given, str):
            changes[field] = names.get(given, given)
        elif isinstance(given, (list, tuple)):
            changes[field] = tuple(names.get(blob, blob) for blob in given)
    if layer.in_place and layer.tops:
        changes["tops"] = [names.get(blob, blob) for blob in layer.tops]
    with made_at(*layer.origin):
        return layer.replace(**changes)


def _wired(layer: Layer, names: Mapping[str, str], output: Callable[[], str], labels: Sequence[str]) -> Layer:
    """A loss with bottoms: the net's output and the labels, if it has none of its own."""
    if not layer.is_open:
        return _reading(layer, names)
    predicted, (fewest, _) = output(), layer.n_bottoms
    if len(labels) != fewest - 1:
        raise OptionError(
            "to_train: the data needs tops for this layer besides those for inputs", layer=layer.name, type=layer.kind,
            expected=f"{fewest - 1}", got=" ".join(labels) or "none", hint="give it bottoms=[...]", at=at(layer.origin),
        )  # fmt: skip
    with made_at(*layer.origin):
        return layer.replace(bottoms=[names.get(predicted, predicted), *labels])
