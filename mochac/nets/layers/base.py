"""Layer: base class of layers, and their registry.

A layer derives from Layer under the decorator `@layer`, which registers it. It has fields, and writes its operations in
`emit`. Net wires layers; a layer does not know its neighbours.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar, Self, TypeVar, dataclass_transform

from mochac.base.errors import OptionError, shown
from mochac.base.records import option
from mochac.base.registry import Registry
from mochac.base.rules import boolean, integer, path, text
from mochac.base.support.places import at
from mochac.ir.graph import Loc, Value
from mochac.ir.onnx_writer import OnnxWriter
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError
from mochac.nets.layers.config import UNSET, Config, keyword_config, user_line
from mochac.nets.layers.context import TraceContext
from mochac.nets.layers.examples import Example
from mochac.nets.layers.fields import Shapes, names, sample_shapes
from mochac.nets.layers.transformers import DataTransformer, transformers, unknown_tops

Names = Sequence[str]
L = TypeVar("L", bound="type[Layer]")


@keyword_config
class Layer(Config):
    """Base class of layers: a frozen record of keyword fields, checked on construction.

    Subclasses add fields with `option(rule, default=...)`, and state how many blobs they take and produce.

    Args:
        name: unique in its net; also names statistics and, by default, parameters.
        bottoms: names of the blobs it reads, in order. Optional in estimators, which chain their layers.
        tops: names of the blobs it produces; by default [name] for layers with one top.

    Attributes:
        kind: name of the class without "Layer".
        n_bottoms, n_tops: (fewest, most) blobs, with None for no limit.
        paired: there is one top per bottom; see Paired.
        is_source, is_loss, is_statistic, is_collector: for Net and the runtime.
        in_place: with its bottoms as tops, it replaces these for later layers; without tops, too, as in Mocha, unless
            its name is a bottom.
        blob_fields: fields that can name a blob, or several: one to use as a parameter ("weight"), or
            TraceContext.blob.
        of_sequences: whether its bottoms and tops are sequences (batch, time, features), if they have three axes.
        is_open: whether it needs bottoms, but none were given.
        examples: bottoms that it accepts and bottoms that it refuses, for the tests.

    Raises:
        OptionError: an unknown field, a bad value, a wrong number of bottoms or tops.
    """

    kind: ClassVar[str] = ""
    n_bottoms: ClassVar[tuple[int, int | None]] = (1, 1)
    n_tops: ClassVar[tuple[int, int | None]] = (1, 1)
    paired: ClassVar[bool] = False
    is_source: ClassVar[bool] = False
    is_loss: ClassVar[bool] = False
    is_statistic: ClassVar[bool] = False
    is_collector: ClassVar[bool] = False
    in_place: ClassVar[bool] = False
    blob_fields: ClassVar[tuple[str, ...]] = ()
    of_sequences: ClassVar[bool] = False
    is_open: ClassVar[bool] = False
    examples: ClassVar[tuple[Example, ...]] = ()
    _tops_follow: ClassVar[bool] = False

    name: str = option(text())
    bottoms: Names = option(names(distinct=False), default=UNSET)
    tops: Names = option(names(), default=UNSET)

    @property
    def loc(self) -> Loc:
        """The layer, and the line of the user's code that made it."""
        return Loc(self.name, *self.origin)

    @property
    def reads(self) -> tuple[str, ...]:
        """All blobs it reads: its bottoms, then those that fields name."""
        return (*self.bottoms, *(blob for f in self.blob_fields for blob in self.named(f)))

    def named(self, field: str) -> tuple[str, ...]:
        """The blobs that a field of `blob_fields` names: none, one, or several."""
        value = getattr(self, field)
        return (value,) if isinstance(value, str) and value else tuple(value or ())

    @property
    def fixed_batch(self) -> int | None:
        """Samples per step if the layer determines it, else None; the layers of a net must agree."""
        return None

    @property
    def doubt(self) -> str:
        """What about its fields is legal but probably not meant, for a warning; "" if nothing is."""
        return ""

    @property
    def borrowed_keys(self) -> tuple[str, ...]:
        """Keys of parameters of other layers that it uses; those layers come first."""
        return ()

    def __post_init__(self) -> None:
        super().__post_init__()
        absent = self.bottoms is UNSET
        if absent:
            object.__setattr__(self, "bottoms", ())
        object.__setattr__(self, "is_open", absent and self.n_bottoms[0] > 0)
        if not self.is_open:
            _check_count(self, "bottoms", *self.n_bottoms)
        _check_settings(self)
        object.__setattr__(self, "_tops_follow", self.tops is UNSET)
        if self.tops is UNSET:
            object.__setattr__(self, "tops", self.default_tops())
        if (self.in_place and not self.tops) or self.is_open:
            return
        if self.paired and len(self.tops) != len(self.bottoms):
            raise self.error(
                "needs one top per bottom", expected=f"{len(self.bottoms)} tops", got=str(len(self.tops)),
                hint="tops=[...] must be given with several bottoms" if len(self.bottoms) > 1 else "",
            )  # fmt: skip
        _check_count(self, "tops", *self.n_tops)

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, checked like a new layer. Default tops follow a new name.

        Raises:
            OptionError: an unknown field or a bad value.
        """
        if self._tops_follow and "tops" not in changes:
            changes["tops"] = UNSET
        if self.is_open and "bottoms" not in changes:
            changes["bottoms"] = UNSET
        return super().replace(**changes)

    def _is_default(self, name: str, value: Any, default: Any) -> bool:
        follows = (name == "bottoms" and self.is_open) or (name == "tops" and self._tops_follow)
        return follows or super()._is_default(name, value, default)

    def check_bottoms(self) -> None:
        """Check that bottoms are given.

        Raises:
            OptionError: they are not.
        """
        _check_count(self, "bottoms", *self.n_bottoms)

    def default_tops(self) -> Names:
        """The tops if none are given."""
        return () if self.in_place or not self.n_tops[0] else (self.name,)

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        """Write the operations of the layer. Returns a value for each top, which may be a bottom.

        Raises:
            OpTypeError: the types of the bottoms do not fit; users get a ShapeError that names the layer.
        """
        raise OpCallError("its class has no emit", "def emit(self, ctx, bottoms), which returns a value for each top")

    def onnx(self, w: OnnxWriter, bottoms: tuple[Value, ...]) -> Sequence[str] | None:
        """Write the layer, without its neuron, as the ONNX operators for it in test mode. None, the default: it is
        written operation by operation, as in `emit`.

        Args:
            bottoms: values whose names are those of tensors in the ONNX graph.
        """
        return None

    @classmethod
    def complaint(cls, values: Mapping[str, Any], rule: str, **parts: Any) -> OptionError:
        """An OptionError that names the layer."""
        name = values.get("name")
        default = getattr(cls, "name", "")
        shown = name if isinstance(name, str) and name else default
        if not shown:
            return OptionError(f"{cls.__name__}: {rule}", **parts)
        return OptionError(rule, layer=shown, type=cls.kind, **parts)


@keyword_config
class Paired(Layer):
    """A layer with any number of bottoms and a top for each, such as the result of the same function. Subclasses write
    `each`, or `emit` if they need the bottoms together."""

    n_bottoms: ClassVar[tuple[int, int | None]] = (1, None)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    paired: ClassVar[bool] = True

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        return [self.each(ctx, x) for x in bottoms]

    def each(self, ctx: TraceContext, x: Value) -> Value:
        """The top of a bottom."""
        raise NotImplementedError


@keyword_config
class Parametric(Layer):
    """A layer with parameters, which it shares with layers of the same `param_key` (its name by default).

    Attributes:
        torch_names: PyTorch's names of its parameters and states, where they differ; "" for one that is no module's.
            Shapes and the order of axes are PyTorch's.
        torch_extras: what PyTorch's module keeps besides.
    """

    torch_names: ClassVar[Mapping[str, str]] = {}
    torch_extras: ClassVar[tuple[str, ...]] = ()

    param_key: str = option(text(empty=True), default="")

    @property
    def key(self) -> str:
        """Key of its parameters."""
        return self.param_key or self.name

    def torch_name(self, name: str) -> str:
        """PyTorch's name of a parameter or state."""
        return self.torch_names.get(name, name)

    def parameter(self, ctx: TraceContext, name: str, shape: Sequence[int], *, decays: bool = True) -> Value:
        """A parameter of the layer, or the blob that the field `name` names, as by `ctx.param`.

        Its settings are the fields `<name>_init`, `<name>_regu`, `<name>_lr` and `<name>_cons`. For one that is missing
        or None, the name is shortened by its last word: weight_h_l1 has those of weight_h, or else of weight.
        """
        cons = self._setting(name, "cons")
        settings = (self._setting(name, what) for what in ("init", "regu", "lr"))
        return ctx.param(name, shape, *settings, *(() if cons is None else (cons,)), decays=decays)

    def _setting(self, name: str, what: str) -> Any:
        found = None
        while name and found is None:
            found, name = getattr(self, f"{name}_{what}", None), name.rpartition("_")[0]
        return found


@keyword_config
class Source(Layer):
    """A layer whose tops are input of the net: filled before each step, or by predict().

    Attributes:
        reader: name of its reader in runtime/data; "" if it has no data.
        declared: extents of a sample by top, if the layer declares them.
    """

    is_source: ClassVar[bool] = True
    n_bottoms: ClassVar[tuple[int, int | None]] = (0, 0)
    n_tops: ClassVar[tuple[int, int | None]] = (1, None)
    reader: ClassVar[str] = ""

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """Empty: nothing is declared."""
        return {}

    def emit(self, ctx: TraceContext, bottoms: tuple[Value, ...]) -> Sequence[Value]:
        """Not used: tops of data layers are inputs of the graph (TraceContext.feed)."""
        raise NotImplementedError("data layers are fed")


@keyword_config
class DataLayer(Source):
    """A layer with data; every step takes the next batch.

    Args:
        transformers: (top, transformer) pairs, applied in order when batches are read.
    """

    tops: Names = option(names(), default=("data", "label"))
    batch_size: int = option(integer(1))
    shuffle: bool = option(boolean(), default=False)
    transformers: Sequence[tuple[str, DataTransformer]] = option(transformers(), default=())

    def __post_init__(self) -> None:
        super().__post_init__()
        for top in unknown_tops(self.transformers, self.tops):
            raise self.error(f"a transformer names {top!r}, which is not a top", expected=" ".join(self.tops), got=top)

    @property
    def fixed_batch(self) -> int | None:
        """The batch_size."""
        return self.batch_size


@keyword_config
class DeclaringLayer(DataLayer):
    """A data layer that may declare the shapes of its samples.

    Args:
        shapes: shape of a sample by top, without the batch.
    """

    shapes: Mapping[str, tuple[int, ...]] = option(sample_shapes(), default=Shapes({}))

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.shapes and set(self.shapes) != set(self.tops):
            raise self.error("shapes must name every top", expected=" ".join(self.tops), got=" ".join(self.shapes))

    @property
    def declared(self) -> dict[str, tuple[int, ...]]:
        """The field `shapes`."""
        return dict(self.shapes)


@keyword_config
class SourceLayer(DataLayer):
    """A data layer with a source; its fields come before those of FileLayer.

    Args:
        source: text file with one path per line, relative to the current folder.
    """

    source: str = option(path(several="only one file: a text file can list others, one path per line"))


@keyword_config
class FileLayer(DeclaringLayer, SourceLayer):
    """A data layer that reads files.

    Args:
        source: text file with one path per line, relative to the current folder.
        shapes: shape of a sample by top, without the batch. With it, the net can be built, drawn, explained, dumped and
            profiled without the files; if the files exist, their shapes must agree.
    """


LAYERS: Registry[type[Layer]] = Registry("layer", "mochac.nets.layers", "class {}Layer(")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, option))
def layer(cls: L) -> L:
    """Class decorator: a checked, frozen, keyword-only record, registered under its name without "Layer".

    Raises:
        OptionError: mochac has a layer of this name. A layer of your own may be defined again.
    """
    cls.kind = cls.__name__.removesuffix("Layer")
    config = keyword_config(cls)
    try:
        LAYERS.add(cls.kind, config, cls.__module__)
    except ValueError:
        hint = f"choose another name, such as My{cls.__name__}"
        raise OptionError(f"{cls.__name__}: mochac has a layer of this name", hint=hint, at=at(user_line())) from None
    return config


def features(x: Value) -> int:
    """Number of elements in a sample of `x`.

    Raises:
        OpTypeError: `x` has no samples, such as a loss.
    """
    if not x.type.shape:
        raise OpTypeError("a bottom has no samples", "a batch of samples", "the value of a loss")
    return math.prod(x.type.shape[1:])


def _check_settings(layer: Layer) -> None:
    """Refuse settings of a parameter that is left out, or is a blob, since settings then belong to the layer that
    produces it."""
    for name in layer.blob_fields:
        value = getattr(layer, name)
        for setting in ("init", "regu", "cons", "lr") if value != "" else ():
            field_name = f"{name}_{setting}"
            default = getattr(type(layer), field_name, None)
            if getattr(layer, field_name, default) != default:
                why, hint = f"{name} is the blob {value!r}", f"set it in the ParameterLayer: {setting}=..."
                if value is False:
                    why, hint = f"{name} is False", f"leave out {field_name}"
                raise layer.error(
                    f"{field_name} has no effect: {why}", got=shown(getattr(layer, field_name)), hint=hint
                )


def _check_count(layer: Layer, what: str, least: int, most: int | None) -> None:
    n = len(getattr(layer, what))
    if n >= least and (most is None or n <= most):
        return
    one = "bottom" if what == "bottoms" else "top"
    if least == most:
        wanted = f"{least} {one}{'' if least == 1 else 's'}"
    else:
        wanted = f"{least} or more {what}" if most is None else f"{least} to {most} {what}"
    raise layer.error(f"wrong number of {what}", expected=wanted, got=str(n))
