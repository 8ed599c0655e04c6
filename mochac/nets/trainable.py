"""Nets cut and extended: for training (Net.to_train) and at inner blobs (Net.cut).

trainable_layers puts data in the place of a net's inputs, and losses at its end.

cut_layers replaces some blobs by inputs, and leaves out what only led to them. predict() from blobs inside of a net
uses it too.

    x -> encoder -> z -> decoder -> y      cut at z      z (InputLayer) -> decoder -> y
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from mochac.base.errors import OptionError, UnsupportedError, shown
from mochac.base.support.places import at
from mochac.ir.types import TensorType
from mochac.nets.layers.base import Layer, Parametric, Source
from mochac.nets.layers.config import at_origin
from mochac.nets.layers.data import InputLayer
from mochac.nets.wiring import Placed, described
from mochac.runtime.data.source import describe


def trainable_layers(layers: Sequence[Layer], output: Callable[[], str], data: Any, ends: Any) -> list[Layer]:
    """The layers without their InputLayers, whose readers read the data instead.

    Args:
        layers: layers of a net.
        output: returns the prediction of the net; raises OptionError if it has no single one.
        data: a data layer, or several.
        ends: layers such as losses; layers without bottoms get the output and the data's tops that are not inputs.

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


def _listed(what: str, layers: Any) -> list[Layer]:
    found = list(layers) if isinstance(layers, (list, tuple)) else [layers]
    for layer in found:
        if not isinstance(layer, Layer):
            hint = f"write {layer.__name__}(...)" if isinstance(layer, type) and issubclass(layer, Layer) else ""
            raise OptionError(f"to_train: {what} is not a layer", got=shown(layer), hint=hint)
    return found


def _of(top: str, sources: Sequence[Layer]) -> str:
    return next(described(source) for source in sources if top in source.tops)


def _matched(inputs: Sequence[str], tops: Sequence[str], sources: Sequence[Layer]) -> dict[str, str]:
    """The top of the data for each input: by name, or by order if no top has the name of an input."""
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
    """The layer with renamed bottoms."""
    if not set(layer.reads) & {old for old, new in names.items() if old != new}:
        return layer
    changes: dict[str, Any] = {"bottoms": [names.get(blob, blob) for blob in layer.bottoms]}
    for field in layer.blob_fields:
        value = getattr(layer, field)
        if isinstance(value, str):
            changes[field] = names.get(value, value)
        elif isinstance(value, (list, tuple)):
            changes[field] = tuple(names.get(blob, blob) for blob in value)
    if layer.in_place and layer.tops:
        changes["tops"] = [names.get(blob, blob) for blob in layer.tops]
    with at_origin(*layer.origin):
        return layer.replace(**changes)


def _wired(layer: Layer, names: Mapping[str, str], output: Callable[[], str], labels: Sequence[str]) -> Layer:
    """A loss with the net's output and the labels as bottoms, if it has no bottoms of its own."""
    if not layer.is_open:
        return _reading(layer, names)
    predicted, (fewest, _) = output(), layer.n_bottoms
    if len(labels) != fewest - 1:
        raise OptionError(
            "to_train: the data needs tops for this layer besides those for inputs", layer=layer.name, type=layer.kind,
            expected=f"{fewest - 1}", got=" ".join(labels) or "none", hint="give it bottoms=[...]", at=at(layer.origin),
        )  # fmt: skip
    with at_origin(*layer.origin):
        return layer.replace(bottoms=[names.get(predicted, predicted), *labels])


def cut_layers(order: Sequence[Placed], types: Mapping[str, TensorType], blobs: Collection[str]) -> list[Layer]:
    """The layers of a net in which InputLayers replace some blobs. A layer stays if another one uses its parameters, as
    a TiedInnerProductLayer does.

    Args:
        order: the layers of a net, wired.
        types: types of its blobs.
        blobs: the replaced blobs, as they are after all in-place layers.

    Raises:
        OptionError: a blob does not hold samples, or is made by a data layer.
        UnsupportedError: a blob has no axis but the batch.
    """
    for blob in blobs:
        _check(order, types[blob], blob)
    names = {*types, *(p.layer.name for p in order)}
    inputs: list[Layer] = [InputLayer(name=_unused(b, names), shape=types[b].shape, tops=[b]) for b in blobs]
    layers = [p.layer for p in order]
    borrowed = {key for layer in layers for key in layer.borrowed_keys}
    lenders = {layer.name for layer in layers if isinstance(layer, Parametric) and layer.key in borrowed}
    kept = [layer for p in order for layer in _without(p, blobs, names, lenders)]
    tops = {top for p in order if not isinstance(p.layer, Source) for top in p.tops}
    ends = tops.difference(*(p.layer.reads for p in order if not p.replaces))
    return _needed([*inputs, *kept], ends, lenders)


def _check(order: Sequence[Placed], type: TensorType, blob: str) -> None:
    if not type.batch:
        raise OptionError(f"blob {blob!r} cannot be given: it does not hold one row per sample")
    if len(type.shape) == 1:
        raise UnsupportedError(f"blob {blob!r} cannot be given: it has no axis but the batch")
    maker = next(p.layer for p in order if blob in p.tops)
    if isinstance(maker, Source):
        raise OptionError(f"blob {blob!r} is given already: it comes from {described(maker)}")


def _without(p: Placed, blobs: Collection[str], names: set[str], lenders: Collection[str]) -> Iterator[Layer]:
    """The layer, if it also produces other blobs or lends parameters; tops that are replaced get another name."""
    layer, replaced = p.layer, [top for top in p.tops if top in blobs]
    if replaced and len(replaced) == len(p.tops) and layer.name not in lenders:
        return
    if not replaced and (p.replaces or layer.tops == p.tops):
        yield layer
        return
    with at_origin(*layer.origin):
        if p.replaces:
            others = [top for top in p.tops if top not in blobs]
            yield layer.replace(bottoms=others, tops=others if layer.tops else ())
        else:
            yield layer.replace(tops=[_unused(top, names) if top in blobs else top for top in p.tops])


def _needed(layers: list[Layer], ends: Collection[str], lenders: Collection[str]) -> list[Layer]:
    """Layers whose blobs are read or in `ends`, layers without tops, and `lenders`."""
    while True:
        read = {*_read(layers), *ends}
        tops = {x.name: x.bottoms if _replaces(x) else x.tops for x in layers}
        kept = [x for x in layers if not tops[x.name] or read.intersection(tops[x.name]) or x.name in lenders]
        if len(kept) == len(layers):
            return kept
        layers = kept


def _read(layers: Sequence[Layer]) -> set[str]:
    """Blobs that layers read, except to replace them."""
    return {blob for layer in layers if not _replaces(layer) for blob in layer.reads}


def _replaces(layer: Layer) -> bool:
    """Whether it works in place, in a list of layers where those with blobs of their own say so."""
    return layer.in_place and tuple(layer.tops) in ((), tuple(layer.bottoms))


def _unused(name: str, names: set[str]) -> str:
    """A name like `name` that is not among `names`, which it joins."""
    while name in names:
        name += "'"
    names.add(name)
    return name


Shape = tuple[int, ...]


def hint(source: Source, samples: Sequence[Shape]) -> str:
    """A hint if the samples of a data layer look like batches, whose tops have equal first extents.

    Args:
        samples: shape of one sample, by top.
    """
    lengths = {shape[0] if shape else 1 for shape in samples}
    if getattr(source, "batched", True) or len(samples) < 2 or len(lengths) > 1 or lengths == {1}:
        return ""
    return f"if each item is a batch of {lengths.pop()} samples: {source.kind}Layer(batched=True, ...)"
