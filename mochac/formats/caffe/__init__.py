"""mochac.caffe: nets, solvers, weights and means from Caffe's files.

Reading needs the package protobuf (pip install 'mochac[caffe]'); see docs/guide/caffe.md. Names are loaded when they
are first used, since readers of model files import `mochac.base.files.caffe_binary` without the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mochac.base.public_paths import loaded_later

if TYPE_CHECKING:
    from mochac.base.files.caffe_binary import read_caffemodel as load_weights
    from mochac.base.files.caffe_binary import write_caffemodel as save_weights
    from mochac.base.files.caffe_binary import write_mean as save_mean
    from mochac.formats.caffe.builder import SparseGaussian, UniformBetween
    from mochac.formats.caffe.nets import load_net, load_nets
    from mochac.formats.caffe.solver import Sigmoid, Training, load_solver, load_training
    from mochac.runtime.data.images import load_mean

_HOMES = {
    "mochac.base.files.caffe_binary": {
        "load_weights": "read_caffemodel",
        "save_weights": "write_caffemodel",
        "save_mean": "write_mean",
    },
    "mochac.formats.caffe.builder": ("SparseGaussian", "UniformBetween"),
    "mochac.formats.caffe.nets": ("load_net", "load_nets"),
    "mochac.formats.caffe.solver": ("Sigmoid", "Training", "load_solver", "load_training"),
    "mochac.runtime.data.images": ("load_mean",),
}
"""Public names by the module that defines them; a dict maps them to their names there."""

__all__ = [
    "Sigmoid", "SparseGaussian", "Training", "UniformBetween", "load_mean", "load_net", "load_nets",
    "load_solver", "load_training", "load_weights", "save_mean", "save_weights",
]  # fmt: skip


__getattr__ = loaded_later("mochac.caffe", _HOMES, globals())


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
