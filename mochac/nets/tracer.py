"""Tracer: the graph into which layers write their operations, and records of what the layers declared.

It implements nets/layers/context.py. A Net runs it over the wired layers, first to find shapes and errors, and again in
trace() for the graph. It knows layers only through their `emit`.

An exception in an `emit` becomes a problem of the net, with the layer and the line of its author's code; for mochac's
own layers, the line where the layer was made.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import FunctionType

from mochac.base.errors import MochacError, OptionError, ShapeError, UnsupportedError
from mochac.base.support.places import at, authors_line, is_ours, short_path
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, UnsupportedCallError, require_value
from mochac.ir.types import TensorType
from mochac.nets import doubtful, trainable
from mochac.nets.declared import plain
from mochac.nets.declaring import FeedTracer, MeasureTracer, ParameterTracer
from mochac.nets.gradient_tracer import GradientTracer, LoopTracer
from mochac.nets.layers.base import Layer, Source
from mochac.nets.layers.convolution import Convolving
from mochac.nets.layers.pooling import PoolingLayer
from mochac.nets.op_tracer import TraceOptions
from mochac.nets.wiring import Placed, described

_OF_TUPLES = re.compile(r"'(tuple|list)' (object|and)|and '(tuple|list)'|multiply|concatenate|LayerValue which")
"""Pattern of Python's and NumPy's messages if a tuple of bottoms is used as one value."""


def is_foreign(layer: Layer) -> bool:
    """Whether a layer is a user's, not mochac's."""
    return not is_ours(type(layer).__module__)


def wrong_call(layer: Layer, error: OpCallError) -> MochacError:
    """The problem for a mistake in the code of a layer, or an unsupported request."""
    line = _author_line(layer, error)
    kind = UnsupportedError if isinstance(error, UnsupportedCallError) else OptionError
    return kind(
        error.rule, layer=layer.name, type=layer.kind, expected=error.expected, got=error.got,
        details=_origin_elsewhere(layer, line), hint=error.hint, at=line,
    )  # fmt: skip


def wrong_shapes(layer: Layer, error: OpTypeError, bottoms: Sequence[str], hint: str) -> MochacError:
    """The problem for bottoms that a layer does not accept. `bottoms` describes them; `hint` precedes the error's
    own."""
    line = _author_line(layer, error)
    return ShapeError(
        error.rule, layer=layer.name, type=layer.kind, expected=error.expected, got=error.got,
        details=[*bottoms, *_origin_elsewhere(layer, line)], hint=hint or error.hint, at=line,
    )  # fmt: skip


def raised(layer: Layer, error: Exception) -> MochacError:
    """The problem for any other exception in the code of a layer, with its traceback."""
    text = " ".join(str(error).split())
    rule = f"its emit raised {type(error).__name__}{': ' * bool(text)}{text}"
    line = _author_line(layer, error)
    hint = "bottoms is a tuple of values: (x,) = bottoms" if _OF_TUPLES.search(text) else ""
    details = _origin_elsewhere(layer, line)
    problem = OptionError(rule, layer=layer.name, type=layer.kind, details=details, hint=hint, at=line)
    problem.__cause__ = error
    return problem


def unlike(layer: Layer, rule: str, expected: str = "", got: str = "", hint: str = "") -> MochacError:
    """The problem for a layer whose tops or parameters differ between the two modes."""
    line = _author_line(layer, None)
    return OptionError(
        rule, layer=layer.name, type=layer.kind, expected=expected, got=got,
        details=_origin_elsewhere(layer, line), hint=hint, at=line,
    )  # fmt: skip


def check_tops(values: object, n_tops: int) -> None:
    """Check that `emit` returned one value per top."""
    if isinstance(values, Value):
        raise OpCallError("emit returns a value, not a list of values", hint="return [y]")
    if not isinstance(values, Sequence):
        raise OpCallError("emit returns no values", "a list, one value per top", type(values).__name__)
    for k, value in enumerate(values):
        require_value(f"element {k} of what emit returns", value)
    if len(values) != n_tops:
        few = len(values) < n_tops
        hint = "" if few else "tops=[...] names them, and n_tops of the class says how many there may be"
        rule = f"emit returns too {'few' if few else 'many'} values"
        raise OpCallError(rule, f"one per top: {n_tops}", str(len(values)), hint)


def _origin_elsewhere(layer: Layer, line: str) -> list[str]:
    origin = at(layer.origin)
    return [f"the layer was made at {origin}"] if origin and origin != line else []


def _author_line(layer: Layer, error: BaseException | None) -> str:
    """The line of a user's layer or neuron that failed; if it is unknown, the first line of the layer's class, or else
    the line that made the layer."""
    return at(authors_line(error, installed=is_foreign(layer))) or at(_first_line(type(layer))) or at(layer.origin)


def _first_line(kind: type) -> tuple[str, int]:
    """The first line of a method of a class, or of a class that it derives from, outside of mochac."""
    for cls in kind.__mro__:
        codes = [value.__code__ for value in vars(cls).values() if isinstance(value, FunctionType)]
        lines = [(code.co_filename, code.co_firstlineno) for code in codes]
        if lines and not is_ours(cls.__module__):
            file, line = min(lines)
            return short_path(file), line
    return "", 0


AXES = {
    2: "batch, features",
    3: "batch, channels, length",
    4: "batch, channels, height, width",
    5: "batch, channels, depth, height, width",
}
AXES_OF_SEQUENCES = {3: "batch, time, features", 4: AXES[4], 5: AXES[5]}
"""Names of the axes of sequences. Two axes have none: the second may be features or steps."""
AXES_OF_EITHER = {**AXES, 3: f"{AXES[3]}, or {AXES_OF_SEQUENCES[3]}"}
"""Names of the axes of blobs whose layers take both."""


class Tracer(FeedTracer, GradientTracer, LoopTracer, MeasureTracer, ParameterTracer):
    """Receives the operations of one layer after another; see nets/layers/context.py for the methods that layers call.

    Attributes:
        made: the types of the tops of each layer, by its name; none if it failed.
    """

    def __init__(self, name: str, how: TraceOptions, layers: Sequence[Layer]) -> None:
        super().__init__(name, how)
        self.top_types: dict[str, tuple[TensorType, ...]] = {}
        self._makers: dict[str, Layer] = {}
        self._of_blobs: set[str] = set()
        self._sequences = {bottom for layer in layers if layer.of_sequences for bottom in layer.bottoms}

    def emit(self, placed: Placed, samples: Mapping[str, tuple[int, ...]]) -> None:
        """Trace one layer. `samples` are the shapes of one sample by top, for a data layer.

        An error is appended to `problems`, and the tops get no value.
        """
        layer = self._layer = placed.layer
        bottoms = tuple(b for b in map(self.blobs.get, layer.bottoms) if b is not None)
        unknown = [b for b in layer.reads if self.blobs.get(b) is None]
        unknown += [key for key in layer.borrowed_keys if all(key != known for known, _ in self.params)]
        for top in placed.tops:
            self.blobs[top] = None
        if unknown:
            return
        if layer.is_source:
            values = [self.feed(top, samples[top]) for top in layer.tops if top in samples]
            self._of_blobs.update(value.name for value in values)
        else:
            values = self._emitted(layer, bottoms, len(placed.tops))
        self.blobs.update(zip(placed.tops, values, strict=False))
        self.top_types[layer.name] = tuple(value.type for value in values)
        self._makers.update(dict.fromkeys(placed.tops, layer))
        self._sequences.update(top for top in placed.tops if self._is_sequence(layer, top))

    def _emitted(self, layer: Layer, bottoms: tuple[Value, ...], n_tops: int) -> Sequence[Value]:
        self._declared, self._conflicts, self._updated_here = [], [], set()
        try:
            with self.b.at(layer.loc):
                values = layer.emit(self, self.layer_values(bottoms))
                check_tops(values, n_tops)
                self.require_here(*values)
                for k, value in enumerate(values):
                    self.samples.require_one_row(f"element {k} of what emit returns", value)
                values = self._distinct(values, bottoms)
            self._check_sharing(layer)
            return values
        except MochacError:
            raise
        except OpTypeError as e:
            if not self._conflicts or not self._check_sharing(layer, whole=False):
                self.problems.append(self._problem(layer, bottoms, e))
        except Exception as e:
            if not is_foreign(layer):
                raise
            self.problems.append(raised(layer, e))
        return ()

    def _problem(self, layer: Layer, bottoms: tuple[Value, ...], error: OpTypeError) -> MochacError:
        """The problem of a layer: in the code of a user's `emit`, or in the shapes of its bottoms."""
        if isinstance(error, OpCallError) and is_foreign(layer):
            return wrong_call(layer, error)
        shown = [f"bottom {self._blob(layer, n, v)}" for n, v in zip(layer.bottoms, bottoms, strict=True)]
        named = [(field, blob) for field in layer.blob_fields for blob in layer.named(field)]
        shown += [f"{field} {self._blob(layer, b, v)}" for field, b in named if (v := self.blobs[b]) is not None]
        return wrong_shapes(layer, error, list(dict.fromkeys(shown)), self._hint(layer, bottoms))

    def _is_sequence(self, layer: Layer, top: str) -> bool:
        """Whether a top has an entry for each step of time: it comes from a layer of sequences, or has the steps of a
        bottom that does."""
        value = self.blobs[top]
        if value is None or len(value.type.shape) != 3:
            return False
        known = (self.blobs[b] for b in layer.bottoms if b in self._sequences)
        return layer.of_sequences or any(v is not None and v.type.shape[:2] == value.type.shape[:2] for v in known)

    def _distinct(self, values: Sequence[Value], bottoms: Sequence[Value]) -> list[Value]:
        """Make each top a value of its own, with its own gradient: if a layer returns its bottom unchanged, the top
        becomes a reshape of it, which costs nothing."""
        self._of_blobs.update(value.name for value in bottoms)
        tops: list[Value] = []
        for value in values:
            own = self.op("reshape", value, shape=value.type.shape) if value.name in self._of_blobs else value
            self._of_blobs.add(own.name)
            tops.append(own)
        return tops

    def _hint(self, layer: Layer, bottoms: Sequence[Value]) -> str:
        """A hint if a layer does not fit because a data layer's images have their channels last, or its samples are
        batches."""
        feeds = zip(layer.bottoms, bottoms, strict=True)
        samples = {blob: value.type.shape[1:] for blob, value in feeds if value.name in self.feeds}
        suspects = doubtful.suspects(layer, samples)
        if suspects:
            return f"channels come before height and width: {doubtful.TRANSPOSE}"
        sources = [source for blob in samples if isinstance(source := self._makers[blob], Source)]
        shapes = [[v.type.shape[1:] for t in s.tops if (v := self.blobs[t]) is not None] for s in sources]
        return next((h for s, of in zip(sources, shapes, strict=True) if (h := trainable.hint(s, of))), "")

    def _blob(self, reader: Layer, blob: str, value: Value) -> str:
        """A blob that a layer reads: its name, type and axes, and where it comes from."""
        t = value.type
        either = AXES if isinstance(reader, (Convolving, PoolingLayer)) else AXES_OF_EITHER
        known = AXES_OF_SEQUENCES if reader.of_sequences or blob in self._sequences else either
        axes = f" ({known[len(t.shape)]})" if t.batch and len(t.shape) in known else ""
        node = next((n for n in reversed(self.b.nodes) if any(o.name == value.name for o in n.outputs)), None)
        if node is None:
            return f"{blob!r}: {plain(t)}{axes}, from {described(self._makers[blob])}"
        loc = node.loc[0]
        place = f", {at((loc.file, loc.line))}" if loc.file else ""
        return f"{blob!r}: {plain(t)}{axes}, from layer {loc.layer!r}{place}"
