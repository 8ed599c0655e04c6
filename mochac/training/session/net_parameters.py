"""Parameters of a net in a store: made, loaded, saved, averaged."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import OptionError
from mochac.base.records import record
from mochac.base.support.log import tell_once
from mochac.nets.declared import ParamInfo, StateInfo
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.net import Net
from mochac.nets.solvers.update import AVERAGE
from mochac.nets.trace import Traced
from mochac.runtime.data.params import Parameter, Params, ParamTable, dotted
from mochac.training.session.state_dict import Copied, LoadedWeights, load_state_dict


def make_parameters(net: Net, params: Params, dtype: str, seed: int) -> list[ParamInfo | StateInfo]:
    """Check shared parameters and states, and initialize absent ones, which are returned; add none if a shared one does
    not fit.

    Another net may keep a parameter under another key: nets of from_torch have the weight of a module in its layer, or,
    where something else reads it too, in a ParameterLayer. Both have its name in the state_dict, by which it is found.

    Raises:
        NetError, ShapeError: a shared parameter or state does not fit.
    """
    shared = _shared_by_torch_name(net, params)
    imported = _imported(net, params, shared)
    absent: list[ParamInfo | StateInfo] = []
    for table, infos in ((params, net.params), (params.states, net.states)):
        keys: set[str] = set()
        for p in infos:
            first = p.key in keys or p.key not in table
            keys.add(p.key)
            init, same = imported.get(p.torch_name, p.init), shared.get(p.torch_name)
            if init is p.init and same is None and not _has(table, p):
                absent.append(p)
            where: dict[str, Any] = {
                "layer": p.layer, "type": net.layer(p.layer).kind, "at": f"{p.loc.file}:{p.loc.line}"
            }  # fmt: skip
            how: dict[str, Any] = {"seed": seed, "first": first, "torch_name": p.torch_name, "same": same}
            table.ensure(p.key, p.name, p.shape, dtype, init, **where, **how)
    return absent


def _has(table: ParamTable, p: ParamInfo | StateInfo) -> bool:
    return p.key in table and p.name in table[p.key]


def _absent(net: Net, params: Params) -> list[ParamInfo | StateInfo]:
    """Parameters and states of a net that a store lacks under their own keys."""
    states = [s for s in net.states if not _has(params.states, s)]
    return [*(p for p in net.params if not _has(params, p)), *states]


def _shared_by_torch_name(net: Net, params: Params) -> dict[str, Parameter]:
    """What a store has under other keys than the net, by the names in a state_dict. A name that several parameters of
    the net have says nothing."""
    known, infos = params.by_torch_name(), (*net.params, *net.states)
    own, count = {(p.key, p.name) for p in infos}, Counter(p.torch_name for p in infos)
    found = {p.torch_name: known[p.torch_name] for p in _absent(net, params) if p.torch_name in known}
    return {name: p for name, p in found.items() if count[name] == 1 and (p.key, p.name) not in own}


def _imported(net: Net, params: Params, shared: Mapping[str, Parameter]) -> dict[str, _CopyOf]:
    """Initializers with the values of the module or file that a net comes from, for parameters that a store with others
    lacks, by their names in a state_dict. They are logged: a store that lacks them may be that of another net."""
    values = {
        p.torch_name: _CopyOf(net.imported[f"{p.key}___{p.name}"])
        for p in _absent(net, params)
        if p.torch_name not in shared and f"{p.key}___{p.name}" in net.imported
    }
    if not values or not (params or params.states):
        return {}
    some = len(values) < len(net.params) + len(net.states)
    names = ", ".join([*values][:5]) + (", ..." if len(values) > 5 else "")
    what, rest = ("some parameters", "these begin") if some else ("no parameter", "all begin")
    words = f"net {net.name!r} shares {what} of the store: it has no {names}; {rest} with their imported values"
    tell_once(words, logging.INFO if some else logging.WARNING)
    return values


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


def fill_imported(net: Net, params: Params, arrays: Mapping[str, np.ndarray], dtype: str) -> None:
    """Make the parameters and states of a net with these values by "key___name", which the net remembers."""
    make_parameters(net, params, dtype, seed=0)
    live = live_arrays(net, params)
    for name, array in live.items():
        if name in arrays:
            array[...] = arrays[name].reshape(array.shape)
    net.imported = {name: array for name, array in live.items() if name in arrays}


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
        average = params.averages.ensure(
            now.key, now.name, p.shape, now.dtype, _CopyOf(now.values), seed=0, first=True, layer=p.layer
        )
        params.averages.share(average, p.key, p.name)
        averages[f"{p.value}.{AVERAGE}"] = average
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
    averages, store = params.averages or Params(), params.empty_copy()
    has: list[bool] = []
    for p in net.params:
        now = params[p.key][p.name]
        has.append(now.key in averages and now.name in averages[now.key])
        store.share(averages[now.key][now.name] if has[-1] else now, p.key, p.name)
    if not any(has):
        rule = f"the parameters of net {net.name!r} have no averages"
        raise OptionError(rule, hint="solver.add_coffee_break(ParameterAverage(0.999)) keeps them in training")
    return store


@record
class _CopyOf:
    """An initializer: a copy of these values."""

    values: np.ndarray

    def fill(self, shape: tuple[int, ...], dtype: np.dtype, generator: np.random.Generator) -> np.ndarray:
        return np.array(self.values, dtype)
