"""Converters of PyTorch's operations, and values of their arguments.

ATEN: functions that add mochac's layers for an operation of PyTorch to the builder, by operation without overload.

They are in pytorch/operators/. A converter is called with the builder, the node, and those arguments of the operation
that it names; `self` is `x`. An argument that it does not name must have its default value. Tensors are blobs, of
samples or of parameters, or constants; with `weights`, parameters are constants with a name, for
`TorchBuilder.weights`. A converter raises UnsupportedError for what it cannot express exactly.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from dataclasses import replace
from functools import reduce
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.records import record
from mochac.base.registry import Registry
from mochac.formats.importing.formulas import inner, reshaped
from mochac.formats.importing.node import BlobTensor, Constant, Tensor
from mochac.formats.importing.place import Shape
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder


@record
class RandomMask:
    """A random mask of zeros and ones, times a factor, plus a shift; a DropoutLayer multiplies a blob by it.

    Attributes:
        draw: the node that draws it.
        keep: probability of a one.
        extents: extents of the tensor.
        factor: factor of the ones.
    """

    draw: str
    keep: float
    extents: Shape
    factor: float = 1.0
    shift: float = 0.0

    def times(self, factor: float) -> RandomMask:
        """The mask times a factor."""
        return replace(self, factor=self.factor * factor, shift=self.shift * factor)

    def plus(self, number: float) -> RandomMask:
        """The mask plus a number."""
        return replace(self, shift=self.shift + number)


@record
class MaskedBlob:
    """A blob times a random mask, an intermediate result of alpha dropout."""

    blob: BlobTensor
    mask: RandomMask


@record
class Selected:
    """The elements of a tensor where a mask is true, x[mask].

    Attributes:
        blob: x, with zeros where the mask is false.
        mask: it, with the axes of x.
        source: the node of the mask.
    """

    blob: BlobTensor
    mask: BlobTensor
    source: Any


def refused_mask(node: AtenNode) -> UnsupportedError:
    """The error about elements where a mask is true, ready to raise."""
    hint = "(loss_of_each * mask).sum() / mask.sum(), or ignore_index of a loss of classes"
    return node.refused("its mask decides how many elements there are", "as many for all samples", hint=hint)


@record
class Objective:
    """A linear combination of losses and functions of losses.

    Attributes:
        terms: scalar blobs and their factors.
    """

    terms: tuple[tuple[BlobTensor, float], ...]

    def times(self, factor: float) -> Objective:
        """The sum times a factor."""
        return Objective(tuple((top, weight * factor) for top, weight in self.terms))

    def plus(self, other: Objective) -> Objective:
        """The sum of two."""
        return Objective((*self.terms, *other.terms))

    def value(self, b: TorchBuilder, node: AtenNode) -> BlobTensor:
        """The sum as a blob (1,) without samples."""
        arrays = [(b.array_of(node, top), weight) for top, weight in self.terms]
        parts = [x if weight == 1 else inner(b, node, f"mul({{0}}, {weight!r})", x) for x, weight in arrays]
        return reduce(lambda total, part: inner(b, node, "add({0}, {1})", total, part), parts)


def is_number(x: Any) -> bool:
    """Whether a value is one number: of losses, of parameters or of all samples."""
    return isinstance(x, Objective) or (isinstance(x, BlobTensor) and not x.samples and math.prod(x.shape) == 1)


def as_objective(b: TorchBuilder, node: AtenNode, x: Any) -> Objective | None:
    """A number that depends on parameters, or on all samples, as a term of the objective; None for anything else."""
    if isinstance(x, Objective) or not is_number(x):
        return x if isinstance(x, Objective) else None
    return Objective(((b.between("MeanLoss", node, [x], ()), 1.0),))


Convert = Callable[..., Any]

ATEN: Registry[Convert] = Registry("PyTorch operation", "mochac.formats.pytorch.operators")

IGNORED = frozenset("dtype layout device pin_memory memory_format non_blocking copy generator implicit".split())
"""Arguments that change no numbers, or only their type, which follows from the result's type."""
SPECIAL = (Objective, RandomMask, MaskedBlob, Selected)
"""Values that are not tensors of the net."""
_WITH_WEIGHTS: set[str] = set()
_FIRST: set[str] = set()
_SPECIAL: set[str] = set()
_COUNTS: set[str] = set()
_OF_SELECTED: dict[str, Convert] = {}


def aten(
    *names: str, weights: bool = False, first: bool = False, special: bool = False, counts: bool = False
) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operations.

    Args:
        weights: its parameters may become parameters of a layer.
        first: it needs tensors whose batch is axis 0.
        special: it accepts Objectives and random masks; other converters get a scalar blob, or cannot be used.
        counts: it needs to know how often a parameter is repeated for the samples; others broadcast it.
    """

    def add(function: Convert) -> Convert:
        for name in names:
            ATEN.add(name, function)
        _WITH_WEIGHTS.update(names if weights else ())
        _FIRST.update(names if first else ())
        _SPECIAL.update(names if special else ())
        _COUNTS.update(names if counts else ())
        return function

    return add


def of_selected(*names: str) -> Callable[[Convert], Convert]:
    """Decorator: register a function that converts nodes of these operations if an argument is Selected."""

    def add(function: Convert) -> Convert:
        _OF_SELECTED.update(dict.fromkeys(names, function))
        return function

    return add


def takes_weights(operation: str) -> bool:
    """Whether parameters of the operation may become those of a layer."""
    return operation in ATEN and operation in _WITH_WEIGHTS


def counts_repeats(operation: str) -> bool:
    """Whether the operation needs to know how often a parameter is repeated for the samples."""
    return operation in ATEN and operation in _COUNTS


def convert(b: TorchBuilder, node: AtenNode) -> Any:
    """Add the layers of a node; returns the value of its outputs.

    Raises:
        UnsupportedError: it cannot be expressed.
    """
    converter, of_mask = ATEN[node.type], any(isinstance(x, Selected) for x in _special([*node.arguments.values()]))
    if of_mask and node.type not in _OF_SELECTED:
        raise refused_mask(node)
    converter = _OF_SELECTED[node.type] if of_mask else converter
    if node.type in _FIRST:
        node.needs_batch_first()
    named = inspect.signature(converter).parameters
    takes_all = any(parameter.kind is parameter.VAR_KEYWORD for parameter in named.values())
    defaults = {a.name: a.default_value for a in node.fx.target._schema.arguments if a.has_default_value()}
    arguments = dict[str, Any]()
    for name, value in node.arguments.items():
        own = "x" if name in ("self", "input") else name
        if own in named:
            blob = named[own].annotation == "BlobTensor" and isinstance(value, Constant)
            arguments[own] = b.fixed(node, value) if blob else value
        elif not takes_all and name not in IGNORED and not _is_default(name, value, defaults):
            raise node.refused(f"its argument {name!r} is not supported", str(defaults.get(name, "none")), value)
    with node.fitting_operands():
        if of_mask or node.type in _SPECIAL or not _special(list(arguments.values())):
            return converter(b, node, **arguments)
        return _of_losses(b, node, converter, arguments)


def _of_losses(b: TorchBuilder, node: AtenNode, converter: Convert, arguments: dict[str, Any]) -> Any:
    """A function of the values of losses, which are blobs (1,) here."""
    if not all(isinstance(x, Objective) for x in _special(list(arguments.values()))):
        raise node.refused("a random mask is computed with", "a product with a tensor of samples, as in dropout")
    result = converter(b, node, **{name: _valued(b, node, x) for name, x in arguments.items()})
    result = b.values[node.tops[0]] if result is None else result
    extents = b.extents_of(node) or (1,)
    if isinstance(result, BlobTensor) and not result.samples and result.shape != extents:
        result = reshaped(b, node, result, extents, last=False)
    return result


def _valued(b: TorchBuilder, node: AtenNode, x: Any) -> Any:
    """An argument with blobs in the place of objectives."""
    if isinstance(x, list | tuple):
        return [_valued(b, node, part) for part in x]
    return x.value(b, node) if isinstance(x, Objective) else x


def _special(value: Any) -> list[Any]:
    """The values that are not tensors, in a value or a list of values."""
    if isinstance(value, list | tuple):
        return [x for part in value for x in _special(part)]
    return [value] if isinstance(value, SPECIAL) else []


def _is_default(name: str, value: Any, defaults: dict[str, Any]) -> bool:
    if isinstance(value, BlobTensor):
        return False
    return value is None or (name in defaults and type(value) is type(defaults[name]) and value == defaults[name])


def blobs_of(value: Any) -> list[Tensor]:
    """The tensors in a value or a list of values."""
    if isinstance(value, list | tuple):
        return [x for part in value for x in blobs_of(part)]
    return [value] if isinstance(value, Tensor) else []
