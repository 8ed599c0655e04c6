"""Run by test_ranks_on_stand_in.py under mpiexec, on the stand-in driver: trains a net on CUDA devices, one for each
rank, and prints a hash of what has become of it.

    train_ranks_on_device.py [HOW...]

Without any, the net is trained in every way.
"""

import hashlib
import json
import os
import sys

import numpy as np
from mpi4py import MPI

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    ConvolutionLayer,
    DropoutLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    SoftmaxLossLayer,
    Solver,
    ValidationPerformance,
)

COMM = MPI.COMM_WORLD
RNG = np.random.default_rng(0)
X = RNG.normal(size=(100, 1, 6, 6)).astype(np.float32)
Y = (X[:, 0, 0, 0] * X[:, 0, 1, 1] > 0).astype(int)


def layers(data, fill=2):
    return [
        data,
        ConvolutionLayer(name="c", n_filter=3, kernel=(3, 3), bottoms=["data"], tops=["c"]),
        BatchNormLayer(name="bn", bottoms=["c"], tops=["bn"], neuron=Neurons.ReLU()),
        InnerProductLayer(name="ip", output_dim=5, neuron=Neurons.Tanh(), bottoms=["bn"]),
        DropoutLayer(name="d", bottoms=["ip"], ratio=0.3),
        InnerProductLayer(name="out", output_dim=fill, bottoms=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ]


def trained(backend="cuda", comm=COMM, ordered=True, parts=4, iterations=6, **how):
    data = MemoryDataLayer(data=[X, Y], batch_size=16, shuffle=True)
    net = Net("net", layers(data))
    with mochac.compile(net, backend=backend, parts=parts, libraries=False) as program:
        solver = Solver(SGD(0.05, momentum=0.9), max_iter=iterations, **how)
        test = Net("test", layers(MemoryDataLayer(data=[X[:77], Y[:77]], batch_size=10)))
        validation = mochac.compile(test, backend=backend, libraries=False, params=program.params)
        solver.add_coffee_break(ValidationPerformance(validation), every_n_iter=3)
        together = {} if comm is None else {"comm": comm, "ordered": ordered}
        lounge = program.train(solver, **together, verbose=0)
        arrays = {**program.parameters()}
        digest = hashlib.sha256(b"".join(arrays[name].tobytes() for name in sorted(arrays))).hexdigest()[:12]
        if comm is not None:
            assert len(set(COMM.allgather(digest))) == 1, "ranks have different parameters"
        losses = {name: [float(v) for _, v in sorted(rows.items())] for name, rows in lounge.statistics.items()}
        return {"weights": digest, "losses": losses, "exchanged": str(lounge.exchanged)}


def streamed():
    os.environ["MOCHAC_RESIDENT"] = "0"
    found = trained()
    del os.environ["MOCHAC_RESIDENT"]
    return found


def main(*names):
    ways = {
        "resident": trained,
        "streamed": streamed,
        "accumulated": lambda: trained(accumulate=2),
        "unordered": lambda: trained(ordered=False, parts=None),
    }
    if COMM.size == 1:
        ways["alone"] = lambda: trained(comm=None)
        ways["cpu"] = lambda: trained("cpu", comm=None)
    found = {how: ways[how]() for how in names or ways}
    if COMM.rank == 0:
        print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
