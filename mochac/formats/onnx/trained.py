"""Weights of layers that ONNX models hold.

Weights of the layers that a model is converted to: which parameter names are kept, and which layers share weights.

Layers are named after the modules of their weights. A value computed from a weight, such as the product of a Gemm's
alpha and its matrix, is not what the module's state_dict has under that name, so its layer gets another name. Layers
that read the same weights share them, as a module that PyTorch calls twice; layers_with_one_weight.py is about layers
that have one weight in common.

Trained: which initializers of a model are trained, by what the file says of them.

A layer trains its weights and biases: those of products, convolutions, norms, embeddings, recurrent layers. A constant
of an addition or another formula may be a parameter or a buffer of its module. PyTorch's new exporter writes which; of
other files, the name says whether it is a module's weight.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.escaping import unused
from mochac.base.records import record
from mochac.base.registry import misspelt
from mochac.base.rules import names_of
from mochac.base.support.log import LOG, ensure_handler
from mochac.formats.onnx.operator import owner
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.config import at_origin

Arrays = Mapping[str, np.ndarray]
Roots = Mapping[str, frozenset[str]]

_FREE = ("name", "bottoms", "tops", "neuron", "param_key")
"""Fields that may differ between layers with shared weights."""


def with_true_names(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots, weights: Arrays
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray], Roots]:
    """Rename layers whose parameters would have the name of another weight of the model.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
        weights: weights of the model, by name.
    """
    own = by_layer(arrays)
    taken = {layer.name for layer in layers}
    names: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, Parametric) and _is_misnamed(layer, own.get(layer.name, {}), weights):
            names[layer.name] = unused(f"{layer.name}.{layer.kind.lower()}", taken, "-")
            taken.add(names[layer.name])
    renamed = tuple(changed(layer, name=names[layer.name]) if layer.name in names else layer for layer in layers)
    moved = {f"{names.get(layer, layer)}___{k}": array for layer, mine in own.items() for k, array in mine.items()}
    return renamed, moved, {names.get(layer, layer): found for layer, found in roots.items()}


def with_shared_weights(
    layers: Sequence[Layer], arrays: Arrays, roots: Roots
) -> tuple[tuple[Layer, ...], dict[str, np.ndarray]]:
    """Give layers the param_key of an earlier layer that reads the same weights, and drop their own.

    Weights that are constant, such as scales of 1 and biases of 0, do not count as the same: exporters store equal
    tensors once.

    Args:
        arrays: parameters and states by "layer___name".
        roots: the weights of the model that each layer reads, by layer.
    """
    own = by_layer(arrays)
    owners: dict[object, list[Layer]] = {}
    keys: dict[str, str] = {}
    for layer in layers:
        mine, read = own.get(layer.name, {}), roots.get(layer.name)
        if isinstance(layer, Parametric) and read and any(map(varies, mine.values())):
            candidates = owners.setdefault((layer.kind, read), [])
            owner = next((other for other in candidates if _may_share(layer, other, own)), None)
            if owner is None:
                candidates.append(layer)
            else:
                keys[layer.name] = owner.name
    left = {key: array for key, array in arrays.items() if key.rpartition("___")[0] not in keys}
    return tuple(changed(x, param_key=keys[x.name]) if x.name in keys else x for x in layers), left


def by_layer(arrays: Arrays) -> dict[str, dict[str, np.ndarray]]:
    """Parameters and states by layer and name."""
    own: dict[str, dict[str, np.ndarray]] = {}
    for key, array in arrays.items():
        layer, _, name = key.rpartition("___")
        own.setdefault(layer, {})[name] = array
    return own


def changed(layer: Layer, **fields: Any) -> Layer:
    """The layer with changed fields, but its current tops."""
    with at_origin(*layer.origin):
        return layer.replace(tops=layer.tops, **fields)


def _is_misnamed(layer: Parametric, arrays: Arrays, weights: Arrays) -> bool:
    pairs = ((array, weights.get(f"{layer.name}.{layer.torch_name(name)}")) for name, array in arrays.items())
    return any(weight is not None and not _same_numbers(array, weight) for array, weight in pairs)


def _same_numbers(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two arrays hold the same numbers, in any order. Arrays that are neither equal nor each other's transpose
    are compared by the sums of their elements and squares."""
    if a.size != b.size:
        return False
    if equal(a, b) or equal(a.T, b):
        return True
    (total, squares), (wanted, scale) = (
        (x.sum(dtype=np.float64), np.square(x, dtype=np.float64).sum()) for x in (a, b)
    )
    return abs(squares - scale) <= 1e-6 * scale and abs(total - wanted) <= 1e-5 * np.sqrt(scale * a.size)


def _may_share(layer: Layer, owner: Layer, own: Mapping[str, Arrays]) -> bool:
    """Whether two layers of a kind have equal weights, and equal settings apart from _FREE."""
    mine, others = own[layer.name], own[owner.name]
    fields = (name for name in layer.__dataclass_fields__ if name not in _FREE)
    return all(name in others and equal(others[name], mine[name]) for name in mine) and all(
        getattr(layer, name) == getattr(owner, name) for name in fields
    )


def varies(array: np.ndarray) -> bool:
    """Whether its elements are not all equal."""
    return any(bool((part != part[:1]).any()) for part in (_head(array), array.reshape(-1)))


def equal(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether arrays are equal. The first elements are compared first, since those of different weights differ."""
    return a.shape == b.shape and np.array_equal(_head(a), _head(b)) and np.array_equal(a, b)


def _head(array: np.ndarray) -> np.ndarray:
    """The first elements."""
    return np.asarray(array.flat[:64])


_SIGNATURE, _FOLDED_FROM = "pkg.torch.export.ExportedProgram.graph_signature", "pkg.onnxscript.optimizer.folded_from"
_ENTRY = re.compile(r": (PARAMETER|BUFFER|CONSTANT_TENSOR) target='([^']*)'")
_STATISTIC = ".running_mean"
_SHOWN = 8
"""Names in a line of the log."""


@record
class Trained:
    """Information about initializers in a file.

    Attributes:
        floats: initializers with real numbers.
        kinds: PARAMETER, BUFFER or CONSTANT_TENSOR, by the name in the PyTorch module. Empty: the file does not say it.
        sources: names of initializers and intermediate results from which PyTorch's optimizer computed an initializer.
        origins: the weight of which an initializer is a transposed copy.
        user_names: initializers that the user wants to train.
    """

    floats: frozenset[str]
    kinds: Mapping[str, str]
    sources: Mapping[str, Sequence[str]]
    origins: Mapping[str, str]
    user_names: frozenset[str]

    def roots(self, name: str) -> frozenset[str]:
        """The weight behind an initializer; empty unless it has real numbers."""
        return frozenset([self.origins.get(name, name)]) if name in self.floats else frozenset()

    @property
    def own(self) -> frozenset[str]:
        """Names of the module's own tensors, without constants of the exporter."""
        return frozenset(self.kinds) & self.floats if self.kinds else self.floats

    @property
    def constants(self) -> frozenset[str]:
        """Initializers that are never trained: buffers of the module."""
        own = {name for name in self.floats if self._kind(name) in ("BUFFER", "CONSTANT_TENSOR")}
        return frozenset(own - self.user_names)

    def trains(self, name: str) -> bool:
        """Whether an initializer is trained even as a constant of a formula, such as an addition."""
        return name in self.user_names or (self._kind(name) == "PARAMETER" if self.kinds else bool(owner(name)))

    def names_parameter(self, name: str, *, free: bool) -> bool:
        """Whether the parameter of a layer should have this name.

        Args:
            free: PyTorch has no module for the layer.
        """
        return name in self.user_names or (
            self.kinds.get(name) == "PARAMETER" if self.kinds else free and self.trains(name)
        )

    def made(self, name: str) -> bool:
        """Whether the exporter added an initializer, such as a zero bias for a module without bias."""
        return not self._kind(name) if self.kinds else not name or name.startswith("onnx::")

    def _kind(self, name: str) -> str:
        kinds = [self.kinds.get(source, "") for source in (name, *self.sources.get(name, ()))]
        return "PARAMETER" if "PARAMETER" in kinds else kinds[0]


def trained(graph: Any, arrays: Arrays, patterns: Sequence[str], path: str) -> Trained:
    """Information about the initializers of a graph.

    Args:
        patterns: patterns of names of initializers to train.

    Raises:
        OptionError: no initializer has such a name.
    """
    floats = frozenset(name for name, array in arrays.items() if array.dtype.kind == "f")
    signature = next((p.value for p in graph.metadata_props if p.key == _SIGNATURE), "")
    folded = [(v.name, p.value) for v in graph.value_info for p in v.metadata_props if p.key == _FOLDED_FROM]
    sources = {name: names for name, text in folded if name in floats and (names := _names(text))}
    origins = {name: names[0] for name, names in sources.items() if _copied(arrays[name], names, arrays)}
    origins |= _transposed({name: arrays[name] for name in floats if arrays[name].ndim == 2})
    kinds = {target: kind for kind, target in _ENTRY.findall(signature)}
    _warn_of_folded(graph, kinds, path)
    return Trained(floats, kinds, sources, origins, _user_names(floats, patterns, path))


def _warn_of_folded(graph: Any, kinds: Mapping[str, str], path: str) -> None:
    """Warn of batch norms whose statistics the exporter folded into preceding weights."""
    stored = {tensor.name for tensor in graph.initializer}
    lost = [norm for name in kinds if name not in stored and (norm := name.removesuffix(_STATISTIC)) != name]
    if lost:
        ensure_handler()
        hint = "torch.onnx.export(..., dynamo=True, optimize=False) keeps them"
        LOG.warning("%s: the exporter has folded batch norms, which are not trained: %s; %s", path, _listed(lost), hint)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else "")


def _names(text: str) -> list[str]:
    """Parse a Python list of names; [] for anything else."""
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        found = ast.literal_eval(text)
        if isinstance(found, list) and all(isinstance(name, str) for name in found):
            return found
    return []


def _transposed(matrices: Arrays) -> dict[str, str]:
    """Weights that PyTorch's old exporter transposed, by the names of the transposed copies."""
    turned: dict[tuple[int, ...], list[str]] = {}
    for name, array in matrices.items():
        if owner(name) and varies(array):
            turned.setdefault(array.T.shape, []).append(name)
    own = {name: array for name, array in matrices.items() if name.startswith("onnx::")}
    same = {k: [x for x in turned.get(a.shape, ()) if equal(a, matrices[x].T)] for k, a in own.items()}
    return {name: sources[0] for name, sources in same.items() if sources}


def _copied(array: np.ndarray, sources: Sequence[str], arrays: Arrays) -> bool:
    """Whether an array is its only source, transposed or not."""
    source = arrays.get(sources[0]) if len(sources) == 1 else None
    return source is not None and (equal(array, source) or equal(array, source.T))


def _user_names(floats: frozenset[str], patterns: Sequence[str], path: str) -> frozenset[str]:
    found: set[str] = set()
    for pattern in names_of("initializers").check("trained", patterns, "onnx.load"):
        matching = {name for name in floats if fnmatchcase(name, pattern)}
        if not matching:
            known = " ".join(sorted(floats)) or "none"
            hint = misspelt(pattern, sorted(floats))
            rule = f"{path}: trained={pattern!r} is the name of no initializer with real numbers"
            raise OptionError(rule, details=[f"initializers: {known[:400]}"], hint=hint)
        found |= matching
    return frozenset(found)


def with_rates(layers: Sequence[Layer], arrays: Arrays, roots: Roots, constants: frozenset[str]) -> list[Layer]:
    """The layers with biases that learn as fast as weights, and with frozen parameters where the model has constants,
    such as the filters of a blur."""
    own = by_layer(arrays)
    return [_rated(x, own.get(x.name, ()), roots.get(x.name, frozenset()), constants) for x in layers]


def _rated(layer: Layer, names: Iterable[str], read: frozenset[str], constants: frozenset[str]) -> Layer:
    rates = [rate for name in names if (rate := rate_of(layer, name)) in layer.__dataclass_fields__]
    still = bool(read) and read <= constants
    changes = {rate: 0.0 if still else 1.0 for rate in rates if still or (getattr(layer, rate) or 0.0) > 1}
    return changed(layer, **changes) if changes else layer


def rate_of(layer: Layer, name: str) -> str:
    """The field for the learning rate of a parameter."""
    return "lr" if layer.kind == "Parameter" else f"{name}_lr"


def learns(layer: Layer, names: Iterable[str]) -> bool:
    """Whether a layer trains one of these parameters and states of its own."""
    rates = (getattr(layer, rate_of(layer, name), 0.0) for name in names)
    return any(rates)


def say_what_is_trained(path: str, layers: Sequence[Layer], arrays: Arrays, roots: Roots, info: Trained) -> None:
    """Log the initializers that are not trained."""
    own = by_layer(arrays)
    norms = (layer.name for layer in layers if layer.kind == "BatchNorm")  # whose statistics are no parameters
    learning = (layer.name for layer in layers if learns(layer, own.get(layer.name, ())))
    still = sorted(info.own.difference(*(roots.get(name, ()) for name in (*norms, *learning))))
    if still:
        ensure_handler()
        LOG.info("%s: constants, not trained (onnx.load(..., trained=[...]) trains them): %s", path, _listed(still))
