"""InputLayer and declared shapes: nets without data are built, looked at and predicted with; nothing else."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    DataError,
    DataTransformers,
    HDF5DataLayer,
    InnerProductLayer,
    InputLayer,
    MemoryDataLayer,
    Net,
    NetError,
    OptionError,
    ShapeError,
    SoftmaxLossLayer,
    Solver,
)
from mochac.nets.layers.base import LAYERS, FileLayer
from mochac.nets.show import expression

IP = InnerProductLayer(name="ip", output_dim=3, bottoms=["x"])
LOSS = SoftmaxLossLayer(name="loss", bottoms=["ip", "y"])
INPUTS = [InputLayer(name="x", shape=(4, 5)), InputLayer(name="y", shape=(4,))]
RNG = np.random.default_rng(0)


def test_the_record():
    layer = InputLayer(name="data", shape=(64, 1, 28, 28))
    assert (layer.tops, layer.fixed_batch, layer.declared) == (("data",), 64, {"data": (1, 28, 28)})
    assert InputLayer(name="l", shape=(8,)).shape == (8, 1)
    assert InputLayer(name="p", shape=(8, 3), tops=["a", "b"]).declared == {"a": (3,), "b": (3,)}
    assert layer.replace(name="image").tops == ("image",)
    assert eval(expression(layer), {"InputLayer": InputLayer}) == layer
    assert eval(expression(p := InputLayer(name="p", shape=(8, 3), tops=["a"])), {"InputLayer": InputLayer}) == p
    with pytest.raises(OptionError, match="expected  a non-empty tuple of integers >= 1"):
        InputLayer(name="data", shape=(64, -1))
    with pytest.raises(OptionError, match=r"hint: a tuple that begins with the batch, such as \(64, 784\)"):
        InputLayer(name="data", shape=784)
    with pytest.raises(OptionError, match="no field 'batch_size'"):
        InputLayer(name="data", shape=(64, 1), batch_size=64)


@pytest.mark.parametrize("shape", [(5,), (2, 3)])
def test_a_shape_without_the_batch(shape):
    net = Net("n", [InputLayer(name="x", shape=shape), IP])
    text = ", ".join(map(str, (64, *shape)))
    with mochac.compile(net) as program, pytest.raises(ShapeError) as caught:
        program.predict(np.zeros((7, *shape)))
    assert caught.value.hint == f"InputLayer's shape begins with the batch: shape=({text})"


@pytest.mark.slow
def test_a_net_of_inputs_is_looked_at(tmp_path):
    net = Net("n", [*INPUTS, IP, LOSS])
    assert str(net.blobs["x"]) == "f32[b4,5]"
    assert "Input(x)" in str(net)
    assert "<svg" in net.to_svg()
    assert "Input" in net.to_dot()
    with mochac.compile(net) as program:
        assert "ip" in program.explain()
        program.dump(tmp_path / "dump")
        table = program.profile(1)
    assert table.drawn == ("x", "y")
    assert str(table).endswith("\nno data for 'x' and 'y': the batches are random numbers\n")
    drawn = np.load(tmp_path / "dump/inputs.npz")
    assert set(np.unique(drawn["%y"])) <= {0.0, 1.0, 2.0}  # labels are classes


def test_predict_feeds_it():
    x = RNG.normal(size=(7, 5)).astype(np.float32)
    with mochac.compile(Net("n", [*INPUTS, IP, LOSS])) as program:
        w, b = program.params["ip"]["weight"][...], program.params["ip"]["bias"][...]
        np.testing.assert_allclose(program.predict(x), x @ w.T + b, rtol=1e-5, atol=1e-6)
        scores = x @ w.T + b
        y = RNG.integers(0, 3, 7)
        both = program.predict({"x": x, "y": y}, blob="ip")
        np.testing.assert_allclose(both, scores, rtol=1e-5, atol=1e-6)


def trained(program):
    program.train(SGD(0.1), max_iter=1)


def begun(program):
    solver = Solver(SGD(0.1), max_iter=1)
    solver.init_solve(program)
    solver.step()


WAYS = [trained, begun, lambda p: p.forward(), lambda p: p.evaluate(), mochac.check_gradients]


@pytest.mark.parametrize("way", WAYS)
def test_what_needs_data_says_how_to_give_it(way):
    net = Net("n", [*INPUTS, IP, LOSS])
    with mochac.compile(net) as program, pytest.raises(DataError) as caught:
        way(net if way is mochac.check_gradients else program)
    assert str(caught.value).splitlines()[:2] == [
        "layer 'x' (Input): it has no data of its own",
        "  hint: solver.step(x=...), forward(x=...), evaluate(x=...) and predict() take arrays; for train(), replace "
        "it with a data layer, such as MemoryDataLayer(data=[...], tops=['x'], batch_size=4)",
    ]
    assert "test_input.py:" in caught.value.at


@pytest.mark.slow
def test_batches_must_agree():
    with pytest.raises(NetError, match="the data layers of a net must have the same batch_size"):
        Net("n", [INPUTS[0], InputLayer(name="y", shape=(5, 1)), IP, LOSS])
    labels = MemoryDataLayer(data=[np.zeros(8)], tops=["y"], batch_size=4)
    with mochac.compile(Net("n", [INPUTS[0], labels, IP, LOSS])) as program:
        assert program.profile(1).drawn == ("x",)


FILES = [cls for _, cls in LAYERS.items() if issubclass(cls, FileLayer) and "hdf5" in cls.reader]
SHAPES = {"x": (5,), "y": ()}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def net_of(cls, **fields):
    data = cls(name="data", source="data.txt", tops=["x", "y"], batch_size=4, **fields)
    return Net("n", [data, IP, LOSS])


def written(width):
    with h5py.File("data.h5", "w") as file:
        file["x"], file["y"] = RNG.normal(size=(9, width)).astype(np.float32), np.zeros(9, int)


@pytest.mark.slow
@pytest.mark.parametrize("cls", [FILES[0], *(pytest.param(cls, marks=pytest.mark.slow) for cls in FILES[1:])])
def test_declared_shapes_stand_for_missing_files(cls, folder):
    mean = [("x", DataTransformers.SubMean(mean_file="mean.h5"))]  # not there either
    net = net_of(cls, shapes=SHAPES, transformers=mean)
    assert str(net.blobs["y"]) == "f32[b4,1]"
    with mochac.compile(net_of(cls, shapes=SHAPES)) as program:
        assert program.profile(1).drawn == ("data",)
        assert program.predict(np.zeros((3, 5))).shape == (3, 3)
        with pytest.raises(DataError, match=r"cannot read list file data\.txt"):
            program.forward()
        (folder / "data.txt").write_text("data.h5\n")
        with pytest.raises(DataError, match=r"no HDF5 file data\.h5"):
            trained(program)
        written(5)  # now it is there
        program.train(SGD(0.1), max_iter=2)
        assert program.profile(1).drawn == ()
    with pytest.raises(DataError, match=r"cannot read list file none\.txt"):
        Net("n", [cls(name="data", source="none.txt", tops=["x", "y"], batch_size=4), IP, LOSS])


@pytest.mark.parametrize("cls", FILES)
def test_declared_shapes_must_be_those_of_the_files(cls, folder):
    (folder / "data.txt").write_text("data.h5\n")
    with mochac.compile(net_of(cls, shapes=SHAPES)) as program:
        written(6)
        rule = r"samples of 'x' do not have the shape that the layer declares\n  expected  \(5,\),  got  \(6,\)"
        with pytest.raises(DataError, match=rule):
            net_of(cls, shapes=SHAPES)
        with pytest.raises(DataError, match=r"dataset 'x' of data\.h5 has changed"):
            program.forward()
    (folder / "data.h5").write_text("damaged")
    with pytest.raises(DataError, match=r"cannot read data\.h5"):
        net_of(cls, shapes=SHAPES)


def test_declared_shapes_are_checked():
    rule = r"shapes must name every top\n  expected  x y,  got  x"
    with pytest.raises(OptionError, match=rule):
        net_of(HDF5DataLayer, shapes={"x": (5,)})
    with pytest.raises(OptionError, match="expected  a dict of shapes of one sample by top"):
        net_of(HDF5DataLayer, shapes={"x": (0,), "y": 1})
    layer = HDF5DataLayer(source="a", batch_size=1, shapes={"data": (1, 28, 28), "label": 1})
    assert hash(layer) == hash(layer.replace())
    assert eval(expression(layer), {"HDF5DataLayer": HDF5DataLayer}) == layer
