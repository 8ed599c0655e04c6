"""The parameter store: sharing, initial values, reading and writing."""

import copy
import pickle

import numpy as np
import pytest

from mochac.base.errors import NetError, OptionError, ShapeError
from mochac.base.support.memory import is_aligned
from mochac.runtime.data.order import generator, key64
from mochac.runtime.data.params import Params


class Normal:
    def fill(self, shape, dtype, generator):
        return generator.normal(size=shape).astype(dtype)


class Quarter:
    def fill(self, shape, dtype, generator):
        return np.full(shape, 0.25, dtype)


normal = Normal()


def store(*keys, seed=0):
    params = Params()
    for key in keys:
        params.ensure(key, "weight", (3, 2), "float32", normal, seed=seed)
        params.ensure(key, "bias", (3,), "float32", Quarter(), seed=seed, first=True)
    return params


def test_values_depend_on_seed_key_and_name_only():
    one, two = store("a", "c"), store("a", "b", "c")
    assert np.array_equal(one["c"]["weight"], two["c"]["weight"])
    assert not np.array_equal(one["a"]["weight"], one["c"]["weight"])
    assert not np.array_equal(store("a", seed=1)["a"]["weight"], one["a"]["weight"])
    assert np.asarray(one["a"]["bias"]).tolist() == [0.25] * 3


def test_a_present_key_is_shared_and_checked():
    params = store("a")
    before = params["a"]["weight"]
    assert params.ensure("a", "weight", (3, 2), "float32", normal, seed=9) is before
    with pytest.raises(ShapeError, match=r"layer 'ip' \(InnerProduct\): shared parameter a.weight has another shape"):
        params.ensure("a", "weight", (3, 4), "float32", normal, seed=0, layer="ip", type="InnerProduct")
    with pytest.raises(OptionError, match=r"(?s)expected  float64,  got  float32.*hint: .*dtype='float32'"):
        params.ensure("a", "weight", (3, 2), "float64", normal, seed=0)
    with pytest.raises(NetError, match="shared parameters 'a' have no 'filter'\n  they have: weight bias"):
        params.ensure("a", "filter", (3, 2), "float32", normal, seed=0)


def test_reading_copies_and_writing_keeps_the_storage():
    weight = store("a")["a"]["weight"]
    address = weight.storage.ctypes.data
    assert address % 64 == 0
    copy = weight[...]
    copy += 1
    assert not np.array_equal(copy, weight)
    np.asarray(weight)[:] = 9
    assert not np.any(np.asarray(weight) == 9)
    weight[...] = np.ones((3, 2), np.float64)
    weight[1] = [5, 6]
    weight[2, 0] = 7
    assert weight[...].tolist() == [[1, 1], [5, 6], [7, 1]]
    assert weight.storage.ctypes.data == address
    assert weight[...].dtype == np.float32


def test_assignment_through_the_group():
    params = store("a")
    params["a"]["bias"] = [1, 2, 3]
    assert params["a"]["bias"][...].tolist() == [1, 2, 3]
    params["a"]["bias"] = 0
    assert params["a"]["bias"][...].tolist() == [0, 0, 0]


def test_bad_writes_and_names():
    params = store("ip1")
    with pytest.raises(ShapeError, match=r"parameter ip1.bias: values have another shape\n  expected  \(3,\),  got"):
        params["ip1"]["bias"] = [1, 2]
    with pytest.raises(ShapeError):
        params["ip1"]["weight"] = [[1], [2], [3]]
    with pytest.raises(OptionError, match="values are not numbers"):
        params["ip1"]["bias"] = ["x", "y", "z"]
    with pytest.raises(OptionError, match="no parameters under 'ip'\n  known: ip1\n  hint: did you mean 'ip1'"):
        params["ip"]
    with pytest.raises(OptionError, match="no parameters under 'ip'\n  known: none"):
        Params()["ip"]
    with pytest.raises(OptionError, match=r"no parameter 0\n  parameters: weight bias\n  hint: write its name"):
        params["ip1"][0]
    with pytest.raises(OptionError, match="'ip1' has no parameter 'weigth'"):
        params["ip1"]["weigth"]
    assert "weigth" not in params["ip1"]
    assert "ip" not in params


def test_streams_are_named():
    assert key64(0, "a", "b") != key64(0, "ab")
    assert 0 <= key64(3, "drop1") < 2**64
    assert key64(0, "drop1") == 0xD9F178B179972286  # the same on every machine and version
    assert generator(0, "a").integers(2**40) == generator(0, "a").integers(2**40)
    assert generator(0, "a").integers(2**40) != generator(0, "b").integers(2**40)


def test_debug_lines_say_what_is_shared(caplog):
    params, where = Params(), {"type": "InnerProduct", "layer": "ip", "at": "net.py:3"}
    with caplog.at_level("DEBUG", logger="mochac"):
        for _ in range(2):
            params.ensure("key", "weight", (3, 2), "float32", normal, seed=0, **where)
    assert [r.getMessage() for r in caplog.records] == [
        "InnerProduct(ip): initializes key.weight",
        "InnerProduct(ip): shares key.weight",
    ]


def test_dlpack_lends_the_storage_itself_and_keeps_it_alive():
    params = store("a")
    weight = params["a"]["weight"]
    lent, before = np.from_dlpack(weight), weight[...]
    assert weight.__dlpack_device__() == (1, 0)
    lent *= 2
    np.testing.assert_array_equal(weight, 2 * before)
    copy = np.from_dlpack(weight, copy=True)
    copy[...] = 0
    np.testing.assert_array_equal(weight, 2 * before)
    del params, weight
    np.testing.assert_array_equal(lent, 2 * before)


def test_a_parameter_with_a_copy_on_a_device_is_copied():
    class Copy:
        newer = stale = lent = False
        address, ordinal = 4096, 3

        def download(self, array):
            array[...] = 7

    weight = store("a")["a"]["weight"]
    weight.copies.append(copy := Copy())
    copy.newer = True
    assert weight.__dlpack_device__() == (2, 3)
    seen = np.from_dlpack(weight, device="cpu")
    assert (seen == 7).all() and not copy.stale
    with pytest.raises(BufferError, match=r"parameter a\.weight is on a CUDA device: in the CPU's memory it is a copy"):
        np.from_dlpack(weight, device="cpu", copy=False)


@pytest.mark.parametrize("how", [copy.deepcopy, lambda params: pickle.loads(pickle.dumps(params))])
def test_copies_of_a_store_are_aligned_and_apart(how):
    """NumPy's own copies are not aligned, as compiled kernels need them."""
    params = store(*map(str, range(20)))
    copied = how(params)
    for key in map(str, range(20)):
        mine, its = params[key]["weight"], copied[key]["weight"]
        assert is_aligned(its.storage) and (its.key, its.name) == (key, "weight")
        before = mine[...]
        assert np.array_equal(before, its)
        its[...] = 0
        assert np.array_equal(before, mine)
