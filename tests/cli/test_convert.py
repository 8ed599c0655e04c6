"""`mochac convert`: nets and solvers become Python files that mochac trains, models and means change their form."""

import runpy
from itertools import pairwise

import h5py
import numpy as np
import pytest

import mochac as package
from mochac import caffe

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

NET = """\
name: "Small-Net"
layer { name: "data" type: "Data" top: "data" top: "label" include { phase: TRAIN }
  transform_param { scale: 0.5 mean_file: "m.binaryproto" } data_param { batch_size: 8 } }
layer { name: "data" type: "Data" top: "data" top: "label" include { phase: TEST }
  transform_param { mean_value: 1 mean_value: 2 } data_param { batch_size: 20 } }
layer { name: "3x3" type: "Convolution" bottom: "data" top: "3x3"
  param { lr_mult: 1 } param { lr_mult: 2 decay_mult: 0 }
  convolution_param { num_output: 3 kernel_size: 3 weight_filler { type: "gaussian" std: 0.1 } } }
layer { name: "relu" type: "ReLU" bottom: "3x3" top: "3x3" }
layer { name: "Global" type: "Pooling" bottom: "3x3" top: "global" pooling_param { pool: AVE global_pooling: true } }
layer { name: "net" type: "InnerProduct" bottom: "global" top: "net"
  inner_product_param { num_output: 4 weight_filler { type: "uniform" min: 0 max: 0.5 } } }
layer { name: "drop" type: "Dropout" bottom: "net" top: "net" }
layer { name: "accuracy" type: "Accuracy" bottom: "net" bottom: "label" include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "net" bottom: "label" }
"""
SCRIPT = '''\
"""Small-Net, converted from Caffe's net.prototxt."""

import numpy as np

import mochac
from mochac import *

# first run: mochac convert m.binaryproto m.h5

train_data = HDF5DataLayer(
    name="data", batch_size=8,
    transformers=[("data", DataTransformers.SubMean(mean_file="m.h5")), ("data", DataTransformers.Scale(scale=0.5))],
    source="train.txt", shapes={"data": (2, 6, 6), "label": (1,)},
)
layer_3x3 = ConvolutionLayer(
    name="3x3", bottoms=["data"], kernel=3, n_filter=3, filter_init=GaussianInitializer(std=0.1),
    neuron=Neurons.ReLU(),
)
global_layer = GlobalPoolingLayer(name="Global", bottoms=["3x3"], tops=["global"])
net_layer = InnerProductLayer(
    name="net", bottoms=["global"], output_dim=4, weight_init=mochac.caffe.UniformBetween(high=0.5),
    bias_regu=L2Regu(), bias_lr=1.0,
)
drop = DropoutLayer(name="drop", bottoms=["net"], tops=["net"])
loss = SoftmaxLossLayer(name="loss", bottoms=["net", "label"])
test_data = HDF5DataLayer(
    name="data", batch_size=20,
    transformers=[("data", DataTransformers.SubMean(mean_blob=np.array([[[1.0]], [[2.0]]])))],
    source="test.txt", shapes={"data": (2, 6, 6), "label": (1,)},
)
accuracy = AccuracyLayer(name="accuracy", bottoms=["net", "label"])

net = Net("Small-Net-train", [train_data, layer_3x3, global_layer, net_layer, drop, loss])
test_net = Net("Small-Net-test", [test_data, layer_3x3, global_layer, net_layer, accuracy, loss])
'''
SOLVER = """\
net: "net.prototxt" test_interval: 2 base_lr: 0.1 lr_policy: "poly" power: 1 max_iter: 4 momentum: 0.9
weight_decay: 0.01 display: 2 snapshot: 4 snapshot_prefix: "snaps/small" random_seed: 3
"""


SIAMESE = """\
name: "siamese"
layer { name: "pair_data" type: "Data" top: "pair_data" top: "sim" include { phase: TRAIN }
  data_param { source: "train_leveldb" batch_size: 4 } }
layer { name: "pair_data" type: "Data" top: "pair_data" top: "sim" include { phase: TEST }
  data_param { source: "test_leveldb" batch_size: 2 } }
layer { name: "slice_pair" type: "Slice" bottom: "pair_data" top: "data" top: "data_p"
  slice_param { slice_dim: 1 slice_point: 1 } }
layer { name: "feat" type: "InnerProduct" bottom: "data" top: "feat" param { name: "w" } param { name: "b" }
  inner_product_param { num_output: 2 weight_filler { type: "xavier" } } }
layer { name: "feat_p" type: "InnerProduct" bottom: "data_p" top: "feat_p" param { name: "w" } param { name: "b" }
  inner_product_param { num_output: 2 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "ContrastiveLoss" bottom: "feat" bottom: "feat_p" bottom: "sim" top: "loss"
  contrastive_loss_param { margin: 2 } }
"""
DUMMY = """\
layer { name: "d" type: "DummyData" top: "x" top: "y" dummy_data_param { data_filler { type: "gaussian" }
  data_filler { value: 1 } shape { dim: 20 dim: 3 } shape { dim: 20 } } }
layer { name: "ip" type: "InnerProduct" bottom: "x" top: "ip" inner_product_param { num_output: 2 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "y" }
"""
FLAT = "flatten_param { axis: 2 }"


@pytest.fixture
def caffe_folder(tmp_path, monkeypatch):
    """The current folder, with a net, its solver, its data and its mean."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "net.prototxt").write_text(NET)
    (tmp_path / "solver.prototxt").write_text(SOLVER)
    rng = np.random.default_rng(2)
    for part in ("train", "test"):
        with h5py.File(f"{part}.h5", "w") as file:
            file["data"], file["label"] = rng.normal(size=(40, 2, 6, 6)), rng.integers(0, 4, (40, 1))
        (tmp_path / f"{part}.txt").write_text(f"{part}.h5\n")
    caffe.save_mean("m.binaryproto", rng.normal(size=(2, 6, 6)))
    return tmp_path


def test_a_net_as_source(caffe_folder, mochac):
    assert mochac("convert", "net.prototxt", "net.py", "--input-shape", "2,6,6") == (0, "wrote net.py\n", "")
    assert (caffe_folder / "net.py").read_text() == SCRIPT


@pytest.mark.slow
def test_the_source_is_the_net_that_is_imported(caffe_folder, mochac):
    mochac("convert", "m.binaryproto", "m.h5")
    mochac("convert", "net.prototxt", "net.py", "--input-shape", "2,6,6")
    made = runpy.run_path("net.py")
    data = {part: package.HDF5DataLayer(source=f"{part}.txt", batch_size=8) for part in ("train", "test")}
    nets = caffe.load_nets("net.prototxt", train_data=data["train"], test_data=data["test"])
    for name, net in zip(("net", "test_net"), nets, strict=True):
        assert made[name].name == net.name
        assert list(made[name].layers[1:]) == list(net.layers[1:])


def test_nets_of_pairs_and_of_dummies_as_source(caffe_folder, mochac):
    """A Slice layer, whose tops have no default, was a TypeError."""
    (caffe_folder / "siamese.prototxt").write_text(SIAMESE)
    assert mochac("convert", "siamese.prototxt", "siamese.py")[0] == 0
    source = (caffe_folder / "siamese.py").read_text()
    assert 'SliceLayer(name="slice_pair", bottoms=["pair_data"], tops=["data", "data_p"], points=(1,))' in source
    assert 'loss = ContrastiveLossLayer(name="loss", bottoms=["feat", "feat_p", "sim"], margin=2.0)' in source
    (caffe_folder / "dummy.prototxt").write_text(DUMMY)
    assert mochac("convert", "dummy.prototxt", "dummy.py")[0] == 0
    source = (caffe_folder / "dummy.py").read_text()
    assert 'x = RandomNormalLayer(name="x", tops=["x"], output_dims=(3,), batch_sizes=(20,))' in source
    assert "data=(np.full((20, 1), 1.0, np.float32),)" in source
    assert runpy.run_path("dummy.py")["net"].blobs["ip"].shape == (20, 2)


@pytest.mark.slow
def test_a_solver_as_a_script_that_trains(caffe_folder, mochac, monkeypatch):
    mochac("convert", "m.binaryproto", "m.h5")
    assert mochac("convert", "solver.prototxt", "train.py", "--input-shape", "2,6,6")[0] == 0
    text = (caffe_folder / "train.py").read_text()
    assert text[text.index("solver = ") :] == (
        "solver = Solver(\n"
        "    SGD(lr_policy=LRPolicy.Polynomial(0.1, 1.0, 4), mom_policy=MomPolicy.Fixed(0.9)), max_iter=4,\n"
        "    regu_coef=0.005,\n"
        ")\n"
        "solver.add_coffee_break(TrainingSummary(), every_n_iter=2)\n"
        'solver.add_coffee_break(Snapshot("snaps/small"), every_n_iter=4)\n'
        "\n\n"
        'if __name__ == "__main__":\n'
        "    program = mochac.compile(net, seed=3)\n"
        "    test = mochac.compile(test_net, params=program.params)\n"
        "    solver.add_coffee_break(ValidationPerformance(test), every_n_iter=2)\n"
        "    program.train(solver)\n"
        '    program.save("solver.h5")\n'
    )
    runpy.run_path("train.py", run_name="__main__")
    assert (caffe_folder / "snaps/small/snapshot-000004.h5").exists()
    with h5py.File("solver.h5") as file:
        assert file["3x3___filter"].shape == (3, 2, 3, 3)
    status, out, _ = mochac("train", "train.py", "--max-iter", "2")
    assert status == 0
    assert "accuracy-accuracy" in out


def test_a_solver_with_its_net_inside(caffe_folder, mochac):
    """It is a solver, though it holds layers; the net's data, losses and judges need no shapes."""
    (caffe_folder / "solver.prototxt").write_text("""
    base_lr: 0.1 lr_policy: "fixed" max_iter: 4 test_interval: 2
    net_param { name: "Windows"
      layers { layer { name: "data" type: "window_data" source: "w.txt" batchsize: 8 det_crop_mode: "warp" }
        top: "data" top: "label" }
      layers { layer { name: "ip" type: "innerproduct" num_output: 7 } bottom: "data" top: "ip" }
      layers { name: "best" type: ACCURACY bottom: "ip" bottom: "label" accuracy_param { top_k: 5 }
        include { phase: TEST } }
      layers { name: "hinge" type: HINGE_LOSS bottom: "ip" bottom: "label" hinge_loss_param { norm: L2 } }
    }
    """)
    assert mochac("convert", "solver.prototxt", "made.py") == (0, "wrote made.py\n", "")
    text = (caffe_folder / "made.py").read_text()
    for line in (
        'train_data = HDF5DataLayer(name="data", batch_size=8, source="train.txt")\n',
        'best = AccuracyLayer(name="best", bottoms=["ip", "label"], top_k=5)\n',
        'hinge = MulticlassHingeLossLayer(name="hinge", bottoms=["ip", "label"], norm="L2")\n',
        'net = Net("Windows-train", [train_data, ip, hinge])\n',
        "solver = Solver(SGD(lr_policy=LRPolicy.Fixed(0.1)), max_iter=4, regu_coef=0.0)\n",
    ):
        assert line in text


def test_a_deploy_net_is_one_net(caffe_folder, mochac):
    (caffe_folder / "deploy.prototxt").write_text("""
    input: "data" input_dim: 10 input_dim: 3 input_dim: 8 input_dim: 8
    layer { name: "ip" type: "InnerProduct" bottom: "data" top: "ip" inner_product_param { num_output: 2 } }
    layer { name: "drop" type: "Dropout" bottom: "ip" top: "ip" }
    layer { name: "prob" type: "Softmax" bottom: "ip" top: "prob" }
    """)
    mochac("convert", "deploy.prototxt", "deploy.py")
    made = runpy.run_path("deploy.py")
    assert "test_net" not in made
    assert [layer.kind for layer in made["net"].layers] == ["Input", "InnerProduct", "Dropout", "Softmax"]
    assert made["net"].blobs["data"].shape == (10, 3, 8, 8)


def test_commands_take_a_prototxt(caffe_folder, mochac):
    (caffe_folder / "deploy.prototxt").write_text("""
    input: "data" input_dim: 10 input_dim: 3 input_dim: 8 input_dim: 8
    layer { name: "prob" type: "Softmax" bottom: "data" top: "prob" }
    """)
    status, out, _ = mochac("draw", "deploy.prototxt")
    assert (status, "Softmax" in out) == (0, True)
    status, _, err = mochac("draw", "net.prototxt")
    assert (status, "mochac does not read its data" in err) == (1, True)


def test_models_in_every_direction(caffe_folder, mochac):
    rng = np.random.default_rng(0)
    values = {"a/b___filter": rng.normal(size=(2, 1, 3, 3)), "a/b___bias": rng.normal(size=2), "ip___weight": np.eye(3)}
    caffe.save_weights("0.caffemodel", values)
    chain = ["0.caffemodel", "1.h5", "2.caffemodel.h5", "3.hdf5", "4.caffemodel", "5.npz", "6.caffemodel"]
    chain += ["7.safetensors", "8.caffemodel.h5", "9.safetensors", "10.caffemodel"]
    for old, new in pairwise(chain):
        assert mochac("convert", old, new) == (0, f"wrote {new}\n", "")
    with h5py.File("2.caffemodel.h5") as file:
        assert file["data/a/b/1"].shape == (2,)
    found = caffe.load_weights(chain[-1])
    assert sorted(found) == sorted(values)
    assert all(np.array_equal(found[name], value.astype(np.float32)) for name, value in values.items())


def test_means_in_every_direction(caffe_folder, mochac):
    chain = ["m.binaryproto", "m.h5", "n.binaryproto", "n.hdf5"]
    for old, new in pairwise(chain):
        assert mochac("convert", old, new)[0] == 0
    with h5py.File("n.hdf5") as file:
        assert file["mean"].shape == (1, 2, 6, 6)
        assert np.array_equal(file["mean"][0], caffe.load_mean("m.binaryproto"))


def test_a_list_of_images(caffe_folder, mochac):
    image = pytest.importorskip("PIL.Image", reason="image files need the package Pillow")
    image.fromarray(np.full((4, 6, 3), (0, 51, 255), np.uint8)).save("a.png")
    (caffe_folder / "list.csv").write_text("a.png,3,train\n")
    options = ["--size", "2,3", "--bgr", "--scale", "255"]
    assert mochac("convert", "list.csv", "out", *options) == (0, "wrote out/train.hdf5\n", "")
    with h5py.File("out/train.hdf5") as file:
        assert file["data"].shape == (1, 3, 2, 3)
        assert np.allclose(file["data"][0, :, 0, 0], [255, 51, 0])
    mochac("convert", "list.csv", "grey", "--size", "2", "--grey")
    with h5py.File("grey/train.hdf5") as file:
        assert file["data"].shape == (1, 1, 2, 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("none.prototxt", "x.py"), "no file none.prototxt"),
        (("net.prototxt", "x.h5"), "no conversion from net.prototxt to x.h5; conversions:"),
        (("train.h5", "x.h5"), "SnapshotError: model file train.h5 holds no parameters"),
        (("train.h5", "x.binaryproto"), "SnapshotError: train.h5 has no dataset 'mean'"),
        (("flat.prototxt", "x.py"), "UnsupportedError: layer 'Global' (Flatten): the shape of its bottom '3x3'"),
    ],
)  # fmt: skip
def test_what_cannot_be_converted(caffe_folder, mochac, arguments, said):
    (caffe_folder / "train.txt").unlink()
    (caffe_folder / "test.txt").unlink()
    (caffe_folder / "flat.prototxt").write_text(
        NET.replace('"Pooling"', '"Flatten"').replace("pooling_param { pool: AVE global_pooling: true }", FLAT)
    )
    status, out, err = mochac("convert", *arguments)
    assert (status, out) == (1, "")
    assert err.startswith(said)


@pytest.mark.parametrize("option", ["--input-shape=3,x", "--size=1,2,3", "--size=0"])
def test_wrong_options(caffe_folder, mochac, option):
    status, _, err = mochac("convert", "net.prototxt", "x.py", option)
    assert status == 2
    assert "is not a" in err
