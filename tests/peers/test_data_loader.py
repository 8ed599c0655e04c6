"""PythonDataLayer on PyTorch's data sets and loaders."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, PythonDataLayer, SoftmaxLossLayer

torch = pytest.importorskip("torch")
X = np.random.default_rng(1).normal(size=(30, 4)).astype(np.float32)
Y = np.arange(30) % 3


def weights(data):
    ip = InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    with mochac.compile(Net("n", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])) as program:
        program.train(SGD(0.1), max_epoch=2, verbose=0)
        return program.params["ip"]["weight"][...].tobytes(), program.evaluate()


class Endless(torch.utils.data.IterableDataset):
    def __iter__(self):
        return iter(zip(torch.from_numpy(X), Y.tolist(), strict=True))


@pytest.mark.parametrize("workers", [0, 2])
def test_data_sets_and_loaders(workers):
    expected = weights(MemoryDataLayer(name="in", data=[X, Y], batch_size=8))
    data_set = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(Y))
    assert weights(PythonDataLayer(name="in", make=data_set, batch_size=8, workers=workers)) == expected
    loader = torch.utils.data.DataLoader(data_set, batch_size=7, num_workers=workers)
    assert weights(PythonDataLayer(name="in", make=loader, batch_size=8)) == expected


def test_iterable_data_sets():
    expected = weights(MemoryDataLayer(name="in", data=[X, Y], batch_size=8))
    assert weights(PythonDataLayer(name="in", make=Endless(), batch_size=8)) == expected
    loader = torch.utils.data.DataLoader(Endless(), batch_size=None)
    assert weights(PythonDataLayer(name="in", make=loader, batch_size=8)) == expected


def test_random_numbers_of_a_data_set_do_not_depend_on_the_number_of_workers():
    class Noisy(torch.utils.data.Dataset):
        def __len__(self):
            return 30

        def __getitem__(self, k):
            return torch.randn(4), Y[k]

    runs = [weights(PythonDataLayer(name="in", make=Noisy(), batch_size=8, workers=n))[0] for n in (1, 3)]
    assert runs[0] == runs[1]
