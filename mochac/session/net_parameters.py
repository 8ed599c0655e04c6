"""The parameters of one net in a store that nets may share: initialize, list, save and load."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mochac.frontend.net import Net
from mochac.frontend.tracer import ParamInfo
from mochac.layers.base import Parametric
from mochac.runtime.data.params import Params


def make_parameters(net: Net, params: Params, dtype: str, seed: int) -> None:
    """Check shared parameters and initialize absent ones; add none if a shared one does not fit.

    Raises:
        NetError, ShapeError: a shared parameter does not fit.
    """
    made: set[str] = set()
    for p in net.params:
        first = p.key in made or p.key not in params
        made.add(p.key)
        where = {"layer": p.layer, "type": net.layer(p.layer).kind, "at": f"{p.loc.file}:{p.loc.line}"}
        params.ensure(p.key, p.name, p.shape, dtype, p.init, seed=seed, first=first, **where)


def live_arrays(net: Net, params: Params) -> dict[str, np.ndarray]:
    """The arrays that plans on the CPU use, by "key___param"."""
    return {f"{p.key}___{p.name}": params[p.key][p.name].storage for p in net.params}


def load_parameters(path: str | Path, net: Net, params: Params, strict: bool) -> None:
    """Load them from a model file or snapshot; see Program.load."""
    from mochac.runtime.data.model_file import load_model

    load_model(path, live_arrays(net, params), strict, {f"{p.key}___{p.name}": _aliases(net, p) for p in net.params})


def save_parameters(path: str | Path, net: Net, params: Params) -> None:
    """Save them to a model file; see Program.save."""
    from mochac.runtime.data.model_file import save_model

    save_model(path, live_arrays(net, params))


def _aliases(net: Net, p: ParamInfo) -> list[str]:
    """A parameter's names by the layers that share it, as in Mocha's and Caffe's files."""
    owners = [layer for layer in net.layers if isinstance(layer, Parametric) and layer.key == p.key]
    return [f"{layer.name}___{p.name}" for layer in owners if layer.name != p.key]
