"""as_array: what is read, what is refused by name, and that no item is asked for."""

import array
import collections

import h5py
import numpy as np
import pytest

import mochac
from mochac.base.support.array_like import NotAnArray, as_array


class Endless:
    """A dataset as users write them: a length, and items without an end. NumPy would read on until memory is full."""

    def __len__(self):
        return 4

    def __getitem__(self, k):
        raise AssertionError("nobody may ask for items")


class Tensor:
    """As PyTorch's: `__array__` beside a length and items."""

    def __init__(self, values, error=None):
        self.values, self.error = np.asarray(values), error

    def __array__(self, dtype=None, copy=None):
        if self.error:
            raise self.error
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, k):
        raise AssertionError("nobody may ask for items")


TAIL = ", not an array; make one of its items, such as np.stack([...])"
X, Y = np.arange(8.0).reshape(4, 2), [0, 1, 0, 1]


@pytest.fixture
def dataset(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w") as file:
        yield file.create_dataset("x", data=X)


@pytest.mark.parametrize(
    "given",
    [
        X,
        np.ma.array(X),
        np.ma.array(X, mask=False),
        X.tolist(),
        tuple(map(tuple, X)),
        list(X),
        Tensor(X),
        [Tensor(x) for x in X],
        memoryview(X),
    ],
)
def test_arrays_of_all_kinds(given):
    assert np.array_equal(as_array(given), X)


def test_others(dataset):
    assert np.array_equal(as_array(dataset), X)
    assert as_array(range(3)).tolist() == as_array(array.array("i", [0, 1, 2])).tolist() == [0, 1, 2]
    assert as_array([True, np.float32(2)]).tolist() == [1.0, 2.0]


def test_numbers_of_numpy_in_lists_are_not_looked_at_one_by_one(monkeypatch):
    looked: list[object] = []
    monkeypatch.setattr("mochac.base.support.array_like.is_array", looked.append)
    items = [np.float32(1), np.float64(2), np.int8(3), np.uint64(4), np.bool_(1), np.longlong(5), np.intc(6)]
    assert as_array([items, items]).tolist() == [[1, 2, 3, 4, 1, 5, 6]] * 2
    assert not looked


def test_arrays_and_tensors_are_not_copied():
    assert as_array(X) is X and as_array(tensor := Tensor(X)) is tensor.values


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (np.ma.array(X, mask=X > 5), "x has 2 masked elements; fill them, such as a.filled(0)"),
        ([X[0], np.ma.array(X[1], mask=True)], "x has 2 masked elements; fill them, such as a.filled(0)"),
        ([1.0, np.ma.masked], "x has 1 masked elements; fill them, such as a.filled(0)"),
        (Endless(), f"x is of type Endless{TAIL}"),
        (
            [[Endless()]],
            f"x holds objects of type Endless{TAIL}",
        ),
        (collections.deque(Y), f"x is of type deque{TAIL}"),
        (Tensor(X, RuntimeError("call detach()")), "x cannot be read as an array: call detach()"),
        (Tensor(X, TypeError("call cpu()")), "x cannot be read as an array: call cpu()"),
    ],
)
def test_the_rest_is_refused_by_name(given, text):
    with pytest.raises(NotAnArray) as caught:
        as_array(given, "x")
    assert str(caught.value) == text


def test_a_list_that_holds_itself_ends():
    loop = []
    loop.append(loop)
    with pytest.raises(NotAnArray):
        as_array(loop, "x", np.float32)


def program():
    data = mochac.MemoryDataLayer(data=[Tensor(X), Y], batch_size=2)
    ip = mochac.InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
    return mochac.compile(mochac.Net("net", [data, ip, mochac.SoftmaxLossLayer(bottoms=["ip", "label"])]))


@pytest.mark.slow
def test_everything_that_takes_arrays_takes_tensors():
    with program() as p:
        p.params["ip"]["weight"] = Tensor(np.eye(2))
        p.params["ip"]["bias"][...] = Tensor([0, 0])
        assert np.array_equal(p.predict(Tensor(X)), X)
    assert mochac.NetClassifier(max_epoch=1).fit(Tensor(X), Tensor(Y)).predict(Tensor(X)).shape == (4,)


@pytest.mark.parametrize(
    "use",
    [
        lambda p: mochac.MemoryDataLayer(data=[Endless(), Y], batch_size=2),
        lambda p: mochac.MemoryDataLayer(data=[X, [Endless()]], batch_size=2),
        lambda p: p.predict(Endless()),
        lambda p: p.predict({"data": [Endless()]}),
        lambda p: p.params["ip"].__setitem__("bias", Endless()),
        lambda p: mochac.NetClassifier().fit(Endless(), Y),
        lambda p: mochac.NetRegressor().fit(X, Endless()),
        lambda p: mochac.Model().fit(X, Endless()),
        lambda p: mochac.DataTransformers.SubMean(mean_blob=Endless()),
        lambda p: mochac.SoftmaxLossLayer(bottoms=["ip", "label"], weights=Endless()),
    ],
)
def test_everything_that_takes_arrays_refuses_datasets(use):
    with program() as p, pytest.raises(mochac.MochacError) as caught:
        use(p)
    assert "Endless" in str(caught.value)


def test_the_message_of_a_data_layer():
    with pytest.raises(mochac.OptionError) as caught:
        mochac.MemoryDataLayer(name="train", data=[X, {1, 2}], batch_size=2)
    assert caught.value.hint == "array 1 is of type set, not an array"
    with pytest.raises(mochac.OptionError) as caught:
        mochac.MemoryDataLayer(name="train", data=Tensor(X), batch_size=2)
    assert caught.value.hint == "write data=[X, y], one array per top"


class Lent:
    """A tensor that knows DLPack alone."""

    def __init__(self, values):
        self.values = values

    def __dlpack__(self, **how):
        return self.values.__dlpack__(**how)

    def __dlpack_device__(self):
        return self.values.__dlpack_device__()

    def __len__(self):
        return len(self.values)

    def __getitem__(self, k):
        raise AssertionError("nobody may ask for items")


class OnDevice(Lent):
    def __dlpack__(self, **how):
        raise BufferError("it is on a GPU")


def test_dlpack_is_read_in_place():
    x = X.copy()
    assert np.shares_memory(as_array(Lent(x)), x)
    with pytest.raises(NotAnArray, match="holds objects of type Lent"):
        as_array([Lent(x), Lent(x)], "x")
    with pytest.raises(NotAnArray, match="array 0 cannot be read as an array"):
        as_array(OnDevice(x), "array 0")
