"""Run by test_training.py under mpiexec: trains several nets, and prints a hash of what each has become.

    train_ranks.py FOLDER [NAME...]

The names are those of nets; without any, all are trained.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
from mpi4py import MPI

import mochac
from mochac import (
    SGD,
    Adam,
    BatchNormLayer,
    ConvolutionLayer,
    DropoutLayer,
    HDF5DataLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    Neurons,
    PoolingLayer,
    PythonDataLayer,
    SoftmaxLossLayer,
    Solver,
    ValidationPerformance,
)

sys.modules["sklearn"] = None  # estimators derive from its classes where it is there; to import it takes a rank 1.3 s
RNG = np.random.default_rng(0)
X = RNG.normal(size=(250, 1, 8, 8)).astype(np.float32)
Y = (X[:, 0, 0, 0] * X[:, 0, 1, 1] > 0).astype(int)
COMM = MPI.COMM_WORLD


class Samples:
    def __len__(self):
        return len(X)

    def __getitem__(self, k):
        return X[k], Y[k]


def stream():
    return zip(X, Y, strict=True)


def convolutions(data):
    return [
        data,
        ConvolutionLayer(name="c", n_filter=6, kernel=(3, 3), bottoms=["data"], tops=["c"]),
        BatchNormLayer(name="bn", bottoms=["c"], tops=["bn"], neuron=Neurons.ReLU()),
        PoolingLayer(name="p", kernel=(2, 2), stride=(2, 2), bottoms=["bn"], tops=["p"]),
        InnerProductLayer(name="ip", output_dim=16, neuron=Neurons.Tanh(), bottoms=["p"]),
        DropoutLayer(name="d", bottoms=["ip"], ratio=0.3),
        InnerProductLayer(name="out", output_dim=2, bottoms=["ip"]),
        SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
    ]


def perceptron(data):
    layers = convolutions(data)
    return [data, layers[4].replace(bottoms=["data"]), *layers[6:]]


def kinds(folder):
    """Data layers of every kind, with batches of 32."""
    import h5py

    how = {"batch_size": 32, "tops": ["data", "label"]}
    if COMM.rank == 0:
        with h5py.File(folder / "x.h5", "w") as file:
            file["data"], file["label"] = X, Y[:, None].astype(np.float32)
        (folder / "x.txt").write_text(str(folder / "x.h5"))
    COMM.Barrier()
    return {
        "memory": MemoryDataLayer(data=[X, Y], shuffle=True, **how),
        "hdf5": HDF5DataLayer(name="x", source=str(folder / "x.txt"), shuffle=True, **how),
        "numbered": PythonDataLayer(make=Samples(), shuffle=True, **how),
        "stream": PythonDataLayer(make=stream, **how),
    }


def trained(layers, method, comm=True, ordered=True, parts=4, test=None, **how):
    net = Net("net", layers)
    with mochac.compile(net, parts=parts) as program:
        solver = Solver(method, max_iter=12, **how)
        if test is not None:
            validation = mochac.compile(Net("test", [test, *layers[1:]]), params=program.params)
            solver.add_coffee_break(ValidationPerformance(validation), every_n_iter=6)
        together = {"comm": COMM, "ordered": ordered} if comm else {}
        lounge = program.train(solver, **together, verbose=0)
        arrays = {**program.parameters()}
        digest = hashlib.sha256(b"".join(arrays[name].tobytes() for name in sorted(arrays))).hexdigest()[:12]
        assert len(set(COMM.allgather(digest))) == 1, "ranks have different parameters"
        return [digest, {name: sorted(rows.items()) for name, rows in lounge.statistics.items()}]


def stepped(layers, given):
    """A training whose steps run here, on the data layer's batches or on this rank's share of arrays."""
    net = Net("net", layers)
    with mochac.compile(net, parts=4) as program:
        solver = Solver(SGD(0.05, momentum=0.9), accumulate=2)
        solver.init_solve(program, comm=COMM)
        n = 32 // COMM.size
        own = slice(COMM.rank * n, (COMM.rank + 1) * n)
        losses = []
        for step in range(6):
            first = 64 * (step % 3)
            batches = [slice(first, first + 32), slice(first + 32, first + 64)]
            x, y = (np.concatenate([a[batch][own] for batch in batches]) for a in (X, Y))
            losses.append(solver.step(data=x, label=y) if given else program.step())
        assert solver.finalize().exchanged.messages >= COMM.size - 1
        arrays = {**program.parameters()}
        digest = hashlib.sha256(b"".join(arrays[name].tobytes() for name in sorted(arrays))).hexdigest()[:12]
        assert len(set(COMM.allgather(digest))) == 1, "ranks have different parameters"
        program.forward()  # alone again
        return [digest, losses]


def fitted(**how):
    """An estimator, trained on all ranks."""
    layers = [InnerProductLayer(name="h", output_dim=16, neuron=Neurons.Tanh())]
    made = mochac.NetClassifier(layers, SGD(0.05, momentum=0.9), batch_size=128, max_epoch=6, log_interval=2, **how)
    made.fit(X.reshape(len(X), -1), Y, comm=COMM)
    digest = hashlib.sha256(made.predict_proba(X.reshape(len(X), -1)).tobytes()).hexdigest()[:12]
    known = [digest, made.loss_curve_, made.history_, made.n_iter_]
    assert all(other == known for other in COMM.allgather(known)), "ranks have learnt different things"
    return known


def trainings(folder):
    """What is trained, by name."""
    data = kinds(folder)
    sgd = SGD(0.05, momentum=0.9)
    test = MemoryDataLayer(data=[X[:77], Y[:77]], batch_size=10)
    plain = MemoryDataLayer(data=[X[:192], Y[:192]], batch_size=32, tops=["data", "label"])
    made = {
        "convolutions": lambda: trained(convolutions(data["memory"]), sgd, test=test),
        "clipped": lambda: trained(convolutions(data["memory"]), Adam(0.01), clip_norm=0.1),
        "groups": lambda: trained(perceptron(data["memory"]), {"out*": Adam(0.01), "*": sgd}, clip_norm=0.1),
        "hdf5": lambda: trained(perceptron(data["hdf5"]), sgd),
        "numbered": lambda: trained(perceptron(data["numbered"]), sgd),
        "stream": lambda: trained(perceptron(data["stream"]), sgd),
        "memory": lambda: trained(perceptron(data["memory"]), sgd),
        "accumulated": lambda: trained(perceptron(data["memory"]), sgd, accumulate=2),
        "stepped": lambda: stepped(perceptron(plain), False),
        "given": lambda: stepped(perceptron(plain), True),
        "fitted": fitted,
        "stopped": lambda: fitted(early_stopping=True, n_iter_no_change=1, tol=1.0),
        "unordered": lambda: trained(perceptron(data["memory"]), sgd, ordered=False, parts=None),
    }
    if COMM.size == 1:
        made["alone"] = lambda: trained(convolutions(data["memory"]), sgd, comm=False)
        made["uncut"] = lambda: trained(convolutions(data["memory"]), sgd, comm=False, parts=None)
    return made


def main(folder, *names):
    made = trainings(folder)
    found = {name: made[name]() for name in names or made}
    if COMM.rank == 0:
        print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
