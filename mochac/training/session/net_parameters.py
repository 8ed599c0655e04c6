"""Parameters of a net in a store: made, loaded, saved, averaged."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.net import Net
from mochac.nets.solvers.update import AVERAGE
from mochac.nets.trace import Traced
from mochac.runtime.data.params import Parameter, Params, dotted
from mochac.training.session.state_dict import Copied, LoadedWeights, load_state_dict


def make_parameters(net: Net, params: Params, dtype: str, seed: int) -> list[ParamInfo | StateInfo]:
    """Check shared parameters and states, and initialize absent ones, which are returned; add none if a shared one does
    not fit.

    Raises:
        NetError, ShapeError: a shared parameter or state does not fit.
    """
    absent: list[ParamInfo | StateInfo] = []
    for table, infos in ((params, net.params), (params.states, net.states)):
        keys: set[str] = set()
        for p in infos:
            first = p.key in keys or p.key not in table
            keys.add(p.key)
            if p.key not in table or p.name not in table[p.key]:
                absent.append(p)
            where = {"layer": p.layer, "type": net.layer(p.layer).kind, "at": f"{p.loc.file}:{p.loc.line}"}
            table.ensure(p.key, p.name, p.shape, dtype, p.init, seed=seed, first=first, **where)
    return absent


def keys_of(net: Net, layers: Iterable[str | Layer]) -> frozenset[str]:
    """The keys of the parameters of these layers; layers that share parameters have the same key.

    Args:
        layers: layers, their names or param_keys, or globs of these, such as "features.*".

    Raises:
        OptionError: no such layer, or it has no parameters.
    """
    return frozenset(key for layer in layers for key in _keys(net, layer))


def _keys(net: Net, layer: str | Layer) -> Collection[str]:
    """The key of a layer; the keys of all layers that a glob matches."""
    if isinstance(layer, str) and all(layer != other.name for other in net.layers):
        owners = [other for other in net.layers if isinstance(other, Parametric)]
        if found := {o.key for o in owners if fnmatchcase(o.name, layer) or fnmatchcase(o.key, layer)}:
            return found
        for p in net.params:
            if layer in p.names:
                hint = f"freeze({p.key!r}) freezes the layer; the field {p.name}_lr=0 keeps this parameter as it is"
                raise OptionError(f"{layer!r} is a parameter, not a layer", hint=hint)
    known = net.layer(layer.name if isinstance(layer, Layer) else layer)
    if not isinstance(known, Parametric):
        hint = "only layers with parameters can be frozen"
        raise OptionError(f"layer {known.name!r} has no parameters", hint=hint)
    return [known.key]


def kept_arrays(of: Net | Traced, params: Params) -> dict[str, Parameter]:
    """The parameters and states of a net in a store, by graph input."""
    arrays = {p.value: params[p.key][p.name] for p in of.params}
    return {**arrays, **{s.value: params.states[s.key][s.name] for s in of.states}}


def live_arrays(net: Net, params: Params) -> dict[str, np.ndarray]:
    """The arrays that plans on the CPU use, by "key___param" and "key___state"."""
    return {f"{p.key}___{p.name}": p.storage for p in kept_arrays(net, params).values()}


def load_parameters(
    source: Any, net: Net, params: Params, strict: bool = True, by: str | Mapping[str, str] | None = None
) -> LoadedWeights:
    """Load them from a model file, a snapshot or a state_dict; see Program.load."""
    if not isinstance(source, (str, os.PathLike)):
        return load_state_dict(source, net, params, strict, by)
    path = Path(os.fspath(source))
    from mochac.runtime.data.model_file import is_archive, load_model, read_archive

    state = read_archive(path) if is_archive(path) else {}
    if state and not any("___" in name for name in state):  # PyTorch's names
        return load_state_dict(state, net, params, strict, by)
    if by is not None:
        raise OptionError("load: by is for a state_dict", got=str(path), hint="a file is read by name")
    if path.suffix in (".pt", ".pth"):
        hint = f"load(torch.load({str(path)!r}, weights_only=True))"
        raise OptionError("load: PyTorch reads its own files", got=str(path), hint=hint)
    if path.suffix == ".onnx":
        hint = f"net, params = mochac.onnx.load({str(path)!r}); mochac.compile(net, params=params)"
        raise OptionError("load: an ONNX model is a net with its parameters", got=str(path), hint=hint)
    aliases = {f"{p.key}___{p.name}": _aliases(net, p) for p in (*net.params, *net.states)}
    arrays = live_arrays(net, params)
    places = load_model(path, arrays, strict, aliases)
    copied = [Copied(places[name], dotted(name), arrays[name].shape) for name in arrays if name in places]
    return LoadedWeights(tuple(copied), tuple(dotted(name) for name in arrays if name not in places))


def save_parameters(path: str | Path, net: Net, params: Params) -> None:
    """Save them to a model file; see Program.save."""
    from mochac.runtime.data.model_file import save_model

    save_model(path, live_arrays(net, params))


def _aliases(net: Net, p: ParamInfo | StateInfo) -> list[str]:
    """A parameter's names by the layers that share it, as in Mocha's and Caffe's files."""
    owners = [layer for layer in net.layers if isinstance(layer, Parametric) and layer.key == p.key]
    return [f"{layer.name}___{p.name}" for layer in owners if layer.name != p.key]


def make_averages(net: Net, params: Params) -> dict[str, Parameter]:
    """The averages of a net's parameters by the name of their slot; absent ones are copies of the parameters."""
    if params.averages is None:
        params.averages = params.empty_copy()
    averages: dict[str, Parameter] = {}
    for p in net.params:
        now = params[p.key][p.name]
        averages[f"{p.value}.{AVERAGE}"] = params.averages.ensure(
            p.key, p.name, p.shape, now.dtype, _CopyOf(now), seed=0, first=True, layer=p.layer
        )
    return averages


def average_arrays(net: Net, params: Params) -> dict[str, np.ndarray]:
    """Live arrays of the averages of a net's parameters by "key___param"."""
    averages = make_averages(net, params)
    return {f"{p.key}___{p.name}": averages[f"{p.value}.{AVERAGE}"].storage for p in net.params}


def averaged_store(net: Net, params: Params) -> Params:
    """A store in which averages replace those parameters of a net that have one; it holds no arrays itself.

    Raises:
        OptionError: no training has kept averages of any parameter.
    """
    averages = params.averages or Params()
    has = {p.value: p.key in averages and p.name in averages[p.key] for p in net.params}
    store = params.empty_copy()
    for p in net.params:
        store.share((averages if has[p.value] else params)[p.key][p.name])
    if not any(has.values()):
        rule = f"the parameters of net {net.name!r} have no averages"
        raise OptionError(rule, hint="solver.add_coffee_break(ParameterAverage(0.999)) keeps them in training")
    return store


@record
class _CopyOf:
    """An initializer: the values that a parameter has now."""

    parameter: Parameter

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return np.array(self.parameter.values)
