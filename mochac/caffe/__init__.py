"""mochac.caffe: nets, solvers, weights and means from Caffe's files.

What users type; the work is in frontend/caffe and runtime/caffe. Reading needs the package protobuf
(pip install 'mochac[caffe]'). docs/guide/caffe.md shows how.
"""

from __future__ import annotations

from mochac.caffe.files.binary import read_caffemodel as load_weights
from mochac.caffe.files.binary import write_caffemodel as save_weights
from mochac.caffe.files.binary import write_mean as save_mean
from mochac.caffe.fillers import SparseGaussian, UniformBetween
from mochac.caffe.nets import load_net, load_nets
from mochac.caffe.policies import Poly, Sigmoid
from mochac.caffe.solver import Training, load_solver, load_training
from mochac.runtime.data.mean_file import load_mean

__all__ = [
    "Poly", "Sigmoid", "SparseGaussian", "Training", "UniformBetween", "load_mean", "load_net", "load_nets",
    "load_solver", "load_training", "load_weights", "save_mean", "save_weights",
]  # fmt: skip
