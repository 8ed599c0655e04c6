"""Net: wired layers; all errors in wiring and shapes are found when it is built.

It knows the layers and the shapes of the datasets, but no backend.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np

from mochac.base.errors import DataError, MochacError, NetError, OptionError, combined, shown
from mochac.base.escaping import fault_of
from mochac.base.hints.calls import CheckedCalls, missing, not_callable
from mochac.base.hints.names import units
from mochac.base.registry import misspelt
from mochac.base.support.places import at
from mochac.ir.types import TensorType
from mochac.nets import doubtful, show
from mochac.nets.layers.base import Layer, Source
from mochac.nets.op_tracer import TraceOptions
from mochac.nets.tracer import Tracer
from mochac.nets.trainable import cut_layers, trainable_layers
from mochac.nets.wiring import described, wire
from mochac.runtime.data.source import describe


def require_net(what: str, net: object, hint: str = "") -> None:
    """Refuse anything but a Net.

    Args:
        what: what the user called, such as "compile()".
        hint: hint for anything but a PyTorch module.
    """
    if not isinstance(net, Net):
        if hasattr(net, "named_parameters"):
            hint = "mochac.from_torch(module, example_inputs) makes a net of a module"
        got = type(net).__name__
        raise OptionError(f"{what} takes a Net", expected="mochac.Net(name, layers)", got=got, hint=hint)


class Net(metaclass=CheckedCalls):
    """A named list of layers, wired by the names of their bottoms and tops; their order in the list does not matter.

    Attributes:
        name: the net's name.
        layers: in an order of computation (Mocha's: by levels).
        blobs: type of every blob, with the data layers' batch_size and float32.
        tops: blobs that each layer produces, by layer name.
        made: types of these blobs, by layer name; in-place layers produce the same blob one after the other.
        batch: number of samples per step.
        sources, losses, statistics, collectors: the data layers, loss layers, layers with statistics, and those
            that store their bottoms.
        unconsumed: blobs that no layer reads, collectors aside.
        imported: values of parameters and states by "key___name" that the net was imported with, for those that a
            shared store lacks; they follow to_train() and cut().

    Raises:
        NetError, ShapeError, DataError: all errors in one exception, whose `problems` lists them; a NetError if they
            are of several kinds.
        OptionError: an element of `layers` is not a layer; a name has control characters.
    """

    def __init__(self, name: str, layers: Sequence[Layer] = (), *more: Any) -> None:
        self.name = name
        layers = _checked(name, layers, more)
        wiring = wire(layers)
        problems = list(wiring.problems)
        self._placed = wiring.order
        self._samples, faults = _sample_shapes(layers)
        problems += [*faults, *_batch_problems(layers)]
        doubtful.warn_of_channels(
            layers, {top: shape for tops in self._samples.values() for top, shape in tops.items()}
        )
        self.layers = tuple(p.layer for p in wiring.order)
        self.tops = {p.layer.name: p.tops for p in wiring.order}
        self.sources = tuple(layer for layer in self.layers if isinstance(layer, Source))
        self.losses = tuple(layer for layer in self.layers if layer.is_loss)
        self.statistics = tuple(layer for layer in self.layers if layer.is_statistic)
        self.collectors = tuple(layer for layer in self.layers if layer.is_collector)
        self.batch = next((layer.fixed_batch for layer in layers if layer.fixed_batch is not None), 1)
        tracer = self.emitted(training=self.mode == "train", dtype="f32", seed=0)
        problems += tracer.problems
        if problems:
            raise combined(_in_order(problems, layers), f"net {name!r}")
        doubtful.warn_of_scores(name, wiring.order)
        self.top_types = tracer.top_types
        doubtful.warn_of_fields(name, layers)
        self.blobs: dict[str, TensorType] = {b: v.type for b, v in tracer.blobs.items() if v is not None}
        self.params = tuple(tracer.params.values())
        self.states = tuple(tracer.states.values())
        taken = {blob for layer in self.layers if not layer.is_collector for blob in layer.reads}
        self.unconsumed = tuple(blob for blob in self.blobs if blob not in taken)
        self.imported: Mapping[str, np.ndarray] = {}

    def __getattr__(self, name: str) -> NoReturn:
        raise missing(self, name)

    def __call__(self, *args: Any, **named: Any) -> NoReturn:
        raise not_callable(self)

    def require_loss(self, what: str, instead: str = "") -> None:
        """Raise OptionError if the net lacks the loss that `what` needs; `instead` ends the hint."""
        if not self.losses:
            hint = f"add one, such as SoftmaxLossLayer{instead}"
            raise OptionError(f"{what}: net {self.name!r} has no loss layer", hint=hint)

    def emitted(self, *, training: bool, dtype: str, seed: int, batch: int | None = None) -> Tracer:
        """All layers traced into a graph; errors are in the result's `problems`. For trace()."""
        options = TraceOptions(training, dtype, batch or self.batch, seed)
        tracer = Tracer(self.name, options, [placed.layer for placed in self._placed])
        for placed in self._placed:
            tracer.emit(placed, self._samples.get(placed.layer.name, {}))
        return tracer

    @property
    def data_tops(self) -> list[str]:
        """The tops of the data layers."""
        return [top for source in self.sources for top in source.tops]

    def require_tops(self, arrays: Mapping[str, Any], call: str, *, whole: bool = False) -> None:
        """Refuse an array for a top that no data layer makes; with `whole`, a missing one as well.

        Raises:
            OptionError: `call` is what the user called, for the message.
        """
        tops = self.data_tops
        for top in arrays:
            if top not in tops:
                rule, hint = f"{call}: no data layer makes {top!r}", misspelt(str(top), [*tops, *self.blobs])
                raise OptionError(rule, expected=" ".join(tops) or "no arrays", got=str(top), hint=hint)
        if absent := [top for top in tops if whole and top not in arrays]:
            raise OptionError(f"{call} needs {absent[0]!r} too", expected=" ".join(tops), got=" ".join(arrays))

    @property
    def mode(self) -> str:
        """The meaning of mode=None: "train" if there is a loss layer, else "test"."""
        return "train" if self.losses else "test"

    def layer(self, name: str) -> Layer:
        """The layer with this name.

        Raises:
            OptionError: there is no such layer; with a suggestion.
        """
        known = {layer.name: layer for layer in self.layers}
        return known[self._known("layer", name, known)]

    def checked_blob(self, name: str) -> str:
        """`name`, if there is such a blob.

        Raises:
            OptionError: there is none; with a suggestion.
        """
        return self._known("blob", name, self.blobs)

    def _known(self, kind: str, name: str, names: Collection[str]) -> str:
        if not isinstance(name, str):
            raise OptionError(f"not the name of a {kind}", expected="a name, such as 'conv1'", got=shown(name))
        if name not in names:
            hint = misspelt(name, names)
            raise OptionError(
                f"net {self.name!r} has no {kind} {name!r}", details=[f"{kind}s: {' '.join(names)}"], hint=hint
            )
        return name

    def cut(self, *blobs: str) -> Net:
        """The net with InputLayers for these blobs; layers that only led to them are left out.

        With the parameters of a program, compile(net.cut("z"), params=program.params) is the decoder after z, which can
        be saved or built by itself. To predict from blobs, predict({"z": z}) is enough.

        Raises:
            OptionError: no such blob; it does not hold samples, or comes from a data layer. UnsupportedError: it has no
                axis but the batch.
        """
        replaced = tuple(dict.fromkeys(map(self.checked_blob, blobs)))
        if not replaced:
            raise OptionError("cut(): no blob is named", expected="names of blobs, such as cut('z')")
        return self._derived(cut_layers(self._placed, self.blobs, replaced))

    def to_train(self, data: Layer | Sequence[Layer], loss: Layer | Sequence[Layer] = ()) -> Net:
        """The net with a data layer in the place of its InputLayers, and a loss: what onnx.load returns, to be trained.

        Parameters keep their names, so compile(net.to_train(...), params=params) continues from the net's parameters.

        Args:
            data: a data layer, or several. Each input reads the top of its name; if no top has the name of an input,
                they read the first tops, in order. Samples must have the shapes of the inputs.
            loss: a loss layer, and others such as AccuracyLayer(). One without bottoms gets two: the prediction of the
                net, and the top of the data that is no input. Left out if the net has a loss.

        Raises:
            OptionError: the net has no InputLayer; something does not fit. NetError, ShapeError, DataError: see Net.

        >>> import numpy as np
        >>> from mochac import InnerProductLayer, InputLayer, MemoryDataLayer, SoftmaxLossLayer
        >>> scores = InnerProductLayer(name="scores", output_dim=3, bottoms=["x"])
        >>> net = Net("small", [InputLayer(name="x", shape=(1, 4)), scores])
        >>> x, y = np.zeros((20, 4)), np.arange(20) % 3
        >>> net.to_train(MemoryDataLayer(data=[x, y], batch_size=10), SoftmaxLossLayer()).losses[0].bottoms
        ('scores', 'label')
        """
        return self._derived(trainable_layers([p.layer for p in self._placed], self._judged, data, loss))

    def _derived(self, layers: Sequence[Layer]) -> Net:
        """A net of other layers with this net's name and values."""
        net = Net(self.name, layers)
        net.imported = self.imported
        return net

    def _judged(self) -> str:
        """The prediction that a loss without bottoms compares with labels."""
        return self.prediction_blob("give the loss bottoms=[blob, label]")

    def prediction_blob(self, hint: str = "name the blob: predict(x, blob=...)") -> str:
        """The blob that predict() returns by default.

        It is the prediction bottom of the only loss or accuracy layer, else the only unconsumed top of a layer that
        reads blobs.

        Raises:
            OptionError: there is no single such blob; with the candidates.
        """
        judged = dict.fromkeys(layer.bottoms[0] for layer in (*self.losses, *self.statistics) if layer.bottoms)
        inner = {blob for layer in self.layers if layer.n_bottoms[1] != 0 for blob in layer.tops}
        ends = [b for b in self.unconsumed if b in inner]
        for candidates in (list(judged), ends):
            if len(candidates) == 1:
                return candidates[0]
        raise OptionError(
            f"net {self.name!r} has no single prediction",
            details=[f"candidates: {' '.join([*judged, *(b for b in ends if b not in judged)]) or 'none'}"],
            hint=hint,
        )

    def to_dot(self) -> str:
        """The wiring in Graphviz's dot language, in the form of Mocha's net2dot."""
        return show.to_dot(self)

    def __str__(self) -> str:
        return show.to_text(self)

    def __repr__(self) -> str:
        return f"<Net {self.name!r}: {len(self.layers)} layers>"

    def to_svg(self) -> str:
        """The wiring as an SVG drawing, which notebooks show."""
        return show.to_svg(self)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _checked(name: Any, layers: Any, more: tuple[Any, ...]) -> tuple[Layer, ...]:
    if not isinstance(name, str) or not name:
        raise OptionError("a net needs a name", expected="Net(name, layers)", got=shown(name))
    if why := fault_of(name):
        raise OptionError("a net cannot have this name", got=shown(name), hint=why)
    if isinstance(layers, Layer):
        raise OptionError(f"net {name!r}: layers are not a list", got=shown(layers), hint="write [layer, ...]")
    if more or not isinstance(layers, Iterable) or isinstance(layers, str):
        hint = "a net has no backend: mochac.compile(net, backend=...) takes it"
        raise OptionError(
            f"net {name!r}: not a list of layers", expected="Net(name, layers)", got=shown(layers), hint=hint
        )
    layers = tuple(layers)
    for k, layer in enumerate(layers):
        if not isinstance(layer, Layer):
            raise OptionError(
                f"net {name!r}: element {k} of its layers is not a layer",
                got=shown(layer),
                hint=_no_layer_hint(layer, k + 1),
            )
    if not layers:
        raise NetError(f"net {name!r} has no layers")
    for layer in layers:
        layer.check_bottoms()
    return layers


def _no_layer_hint(value: Any, number: int) -> str:
    if isinstance(value, type) and issubclass(value, Layer):
        return f"write {value.__name__}(...)"
    if isinstance(value, int):
        return units(value, number, ", bottoms=[...]")
    return "join lists with *: [data, *common, loss]" if isinstance(value, (list, tuple)) else ""


def _sample_shapes(layers: Sequence[Layer]) -> tuple[dict[str, dict[str, tuple[int, ...]]], list[MochacError]]:
    """Shape of one sample by data layer and top, and the errors in the datasets."""
    shapes: dict[str, dict[str, tuple[int, ...]]] = {}
    problems: list[MochacError] = []
    for layer in layers:
        if isinstance(layer, Source):
            try:
                shapes[layer.name] = describe(layer)
            except DataError as e:
                problems += e.problems
    return shapes, problems


def _batch_problems(layers: Sequence[Layer]) -> list[MochacError]:
    deciding = [layer for layer in layers if layer.fixed_batch is not None]
    return [
        NetError(
            "the data layers of a net must have the same batch_size",
            layer=layer.name,
            type=layer.kind,
            expected=str(deciding[0].fixed_batch),
            got=str(layer.fixed_batch),
            details=[f"the other is {described(deciding[0])}"],
            hint="nets with different batch sizes can share parameters: compile(net, params=program.params)",
            at=at(layer.origin),
        )
        for layer in deciding[1:]
        if layer.fixed_batch != deciding[0].fixed_batch
    ]


def _in_order(problems: list[MochacError], layers: Sequence[Layer]) -> list[MochacError]:
    """Problems in the order of the user's list of layers."""
    position = {layer.name: k for k, layer in reversed(list(enumerate(layers)))}
    return sorted(problems, key=lambda p: position.get(p.layer, len(layers)))
