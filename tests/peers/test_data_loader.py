"""PythonDataLayer on PyTorch's data sets and loaders."""

from __future__ import annotations

import numpy as np
import pytest

import mochac
from mochac import SGD, DataError, InnerProductLayer, MemoryDataLayer, Net, PythonDataLayer, SoftmaxLossLayer

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


def test_a_loader_whose_workers_persist_serves_training_and_evaluation():
    data_set = torch.utils.data.TensorDataset(torch.from_numpy(X), torch.from_numpy(Y))
    loaders = [torch.utils.data.DataLoader(data_set, 7, num_workers=2, persistent_workers=p) for p in (True, False)]
    found = [weights(PythonDataLayer(name="in", make=loader, batch_size=8)) for loader in loaders]
    assert found[0] == found[1]


def test_an_error_in_a_worker_of_a_loader_is_shown_to_its_end():
    class Fails(torch.utils.data.Dataset):
        def __len__(self):
            return 30

        def __getitem__(self, k):
            if k == 17:
                raise RuntimeError("bad 17")
            return X[k], Y[k]

    loader = torch.utils.data.DataLoader(Fails(), batch_size=5, num_workers=1)
    with pytest.raises(
        DataError, match=r"the batch that begins with sample 15 of epoch 0 could not be read[\s\S]*bad 17"
    ):
        weights(PythonDataLayer(name="in", make=loader, batch_size=5))


def test_bfloat16_samples_are_widened():
    data_set = [(torch.tensor(x).to(torch.bfloat16), int(y)) for x, y in zip(X, Y, strict=True)]
    wide = torch.tensor(X).to(torch.bfloat16).float().numpy()
    expected = weights(MemoryDataLayer(name="in", data=[wide, Y], batch_size=8))
    assert weights(PythonDataLayer(name="in", make=data_set, batch_size=8)) == expected
