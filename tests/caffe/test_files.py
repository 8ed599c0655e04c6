"""Weights and means of Caffe: binary files of three ages written here by the wire format's rules, and HDF5 in two."""

import os
import struct

import h5py
import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    BatchNormLayer,
    BiasLayer,
    ConvolutionLayer,
    InnerProductLayer,
    MemoryDataLayer,
    Net,
    PReLULayer,
    ScaleLayer,
    Solver,
    SquareLossLayer,
)
from mochac.base.files.caffe_schema import message_class
from mochac.runtime.data.model_file import save_caffe_layout

pytest.importorskip("google.protobuf", reason="Caffe's files need the package protobuf")

RNG = np.random.default_rng(1)
FILTER = RNG.normal(size=(4, 2, 3, 3)).astype(np.float32)
WEIGHT = RNG.normal(size=(3, 64)).astype(np.float32)
BIAS = RNG.normal(size=4).astype(np.float32)
EXPECTED = {"conv___filter": FILTER, "conv___bias": BIAS, "ip___weight": WEIGHT, "ip___bias": BIAS[:3]}


def varint(n):
    found = b""
    while n > 127:
        found, n = found + bytes([n & 127 | 128]), n >> 7
    return found + bytes([n])


def bytes_field(number, content):
    return varint(number << 3 | 2) + varint(len(content)) + content


def int_field(number, value):
    return varint(number << 3) + varint(value)


def blob(array, legacy=False, double=False):
    """BlobProto: shape is field 7, data 5, double_data 8; num, channels, height, width were 1 to 4."""
    if legacy:
        head = b"".join(int_field(k, n) for k, n in enumerate((1,) * (4 - array.ndim) + array.shape, 1))
    else:
        head = bytes_field(7, bytes_field(1, b"".join(map(varint, array.shape))))
    kind, number = ("d", 8) if double else ("f", 5)
    return head + bytes_field(number, struct.pack(f"<{array.size}{kind}", *array.ravel().tolist()))


def present(**how):
    """NetParameter.layer is field 100; name 1, type 2, blobs 7. A layer without counterpart has blobs too."""
    conv = bytes_field(1, b"conv") + bytes_field(2, b"Convolution")
    ip = bytes_field(1, b"ip") + bytes_field(2, b"InnerProduct")
    other = bytes_field(1, b"mvn") + bytes_field(2, b"MVN") + bytes_field(7, blob(BIAS))
    for array in (FILTER, BIAS):
        conv += bytes_field(7, blob(array, **how))
    for array in (WEIGHT, BIAS[:3]):
        ip += bytes_field(7, blob(array, **how))
    return bytes_field(1, b"net") + b"".join(bytes_field(100, layer) for layer in (conv, other, ip))


def old():
    """NetParameter.layers is field 2; name 4, type 5 (4: CONVOLUTION, 14: INNER_PRODUCT), blobs 6."""
    conv, ip = bytes_field(4, b"conv") + int_field(5, 4), bytes_field(4, b"ip") + int_field(5, 14)
    conv += b"".join(bytes_field(6, blob(array, legacy=True)) for array in (FILTER, BIAS))
    ip += b"".join(bytes_field(6, blob(array, legacy=True)) for array in (WEIGHT, BIAS[:3]))
    return bytes_field(2, conv) + bytes_field(2, ip)


def oldest():
    """layers.layer is field 1; name 1, type 2, blobs 50."""
    found = b""
    for name, kind, arrays in ((b"conv", b"conv", (FILTER, BIAS)), (b"ip", b"innerproduct", (WEIGHT, BIAS[:3]))):
        inner = bytes_field(1, name) + bytes_field(2, kind)
        inner += b"".join(bytes_field(50, blob(array, legacy=True)) for array in arrays)
        found += bytes_field(2, bytes_field(1, inner))
    return found


FORMS = {"present": present(), "double": present(double=True), "old": old(), "oldest": oldest()}


@pytest.mark.parametrize("form", FORMS)
def test_weights_of_every_age(tmp_path, form):
    path = tmp_path / "x.caffemodel"
    path.write_bytes(FORMS[form])
    found = mochac.caffe.load_weights(path)
    assert list(found) == list(EXPECTED)
    for name, array in EXPECTED.items():
        assert found[name].dtype == np.float32
        assert np.array_equal(found[name].reshape(array.shape), array)


def net():
    data = MemoryDataLayer(data=[np.zeros((2, 2, 6, 6))], tops=["data"], batch_size=2)
    conv = ConvolutionLayer(name="conv", n_filter=4, kernel=3, bottoms=["data"])
    return Net("n", [data, conv, InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"])])


def caffe_hdf5(path):
    """data/<layer>/<number>, as Caffe's own HDF5 snapshots have it."""
    with h5py.File(path, "w") as file:
        for name, array in EXPECTED.items():
            layer, _, param = name.partition("___")
            file[f"data/{layer}/{int(param == 'bias')}"] = array


def mocha_hdf5(path):
    """What dump_network_hdf5 wrote with old Caffes: blobs of four axes."""
    with h5py.File(path, "w") as file:
        for name, array in EXPECTED.items():
            file[name] = array.reshape((1,) * (4 - array.ndim) + array.shape)


@pytest.mark.parametrize("name", ["x.caffemodel", "x.caffemodel.h5", "x.hdf5"])
def test_a_program_loads_them_all(tmp_path, name):
    path = tmp_path / name
    if name.endswith(".caffemodel"):
        path.write_bytes(FORMS["old"])
    else:
        (mocha_hdf5 if name == "x.hdf5" else caffe_hdf5)(path)
    with mochac.compile(net()) as program:
        program.load(path)
        for full, array in EXPECTED.items():
            layer, _, param = full.partition("___")
            assert np.array_equal(program.params[layer][param][...], array), full


def test_names_with_slashes(tmp_path):
    data = MemoryDataLayer(data=[np.zeros((2, 5))], tops=["data"], batch_size=2)
    slashed = Net("n", [data, InnerProductLayer(name="a/b/1x1", output_dim=3, bottoms=["data"])])
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["data/a/b/1x1/0"], file["data/a/b/1x1/1"] = np.ones((3, 5)), np.full(3, 2.0)
    with mochac.compile(slashed) as program:
        program.load(tmp_path / "x.h5")
        assert program.params["a/b/1x1"]["bias"][...].tolist() == [2.0, 2.0, 2.0]
        program.save(tmp_path / "y.h5")
    again = mochac.runtime.data.model_file.read_model(tmp_path / "y.h5")
    assert sorted(again) == ["a/b/1x1___bias", "a/b/1x1___weight"]
    assert sorted(mochac.runtime.data.model_file.read_model(tmp_path / "x.h5")) == sorted(again)


@pytest.mark.slow
def test_a_net_imported_with_its_weights_has_them_in_every_program(tmp_path, caplog):
    (tmp_path / "x.caffemodel").write_bytes(FORMS["present"])
    (tmp_path / "net.prototxt").write_text("""
    input: "data" input_dim: 2 input_dim: 2 input_dim: 6 input_dim: 6
    layer { name: "conv" type: "Convolution" bottom: "data" top: "conv"
      convolution_param { num_output: 4 kernel_size: 3 } }
    layer { name: "ip" type: "InnerProduct" bottom: "conv" top: "ip" inner_product_param { num_output: 3 } }
    layer { name: "new" type: "InnerProduct" bottom: "ip" top: "new" inner_product_param { num_output: 2
      weight_filler { value: 0.5 } } }
    """)
    imported = mochac.caffe.load_net(tmp_path / "net.prototxt", tmp_path / "x.caffemodel")
    assert "has no parameter 'weight' for layer 'new': its filler is used" in caplog.text
    for dtype in ("float32", "float64"):
        with mochac.compile(imported, dtype=dtype) as program:
            assert np.array_equal(program.params["conv"]["filter"][...], FILTER.astype(dtype))
            assert np.array_equal(program.params["ip"]["bias"][...], BIAS[:3].astype(dtype))
            assert (program.params["new"]["weight"][...] == 0.5).all()


@pytest.mark.slow
def test_training_goes_on_from_a_caffemodel(tmp_path):
    (tmp_path / "x.caffemodel").write_bytes(FORMS["present"])
    assert not mochac.training.loop.snapshot.is_snapshot(tmp_path / "x.caffemodel")
    with mochac.compile(Net("n", [*net().layers, SquareLossLayer(name="l", bottoms=["ip", "ip"])])) as program:
        program.train(Solver(SGD(), max_iter=0, load_from=tmp_path / "x.caffemodel"))
        assert np.array_equal(program.params["conv"]["filter"][...], FILTER)


def test_weights_written_for_caffe(tmp_path):
    mochac.caffe.save_weights(tmp_path / "x.caffemodel", EXPECTED)
    found = mochac.caffe.load_weights(tmp_path / "x.caffemodel")
    assert all(np.array_equal(found[name], array) for name, array in EXPECTED.items())
    with pytest.raises(mochac.SnapshotError, match="rnn___hidden has no place"):
        mochac.caffe.save_weights(tmp_path / "y.caffemodel", {"rnn___hidden": BIAS})
    with pytest.raises(mochac.SnapshotError, match="bn___mean has no place"):
        mochac.caffe.save_weights(tmp_path / "y.caffemodel", {"bn___mean": BIAS, "bn___scale": BIAS})
    assert not (tmp_path / "y.caffemodel").exists()


NORMS = {
    "bn___mean": BIAS, "bn___variance": BIAS**2, "scale___scale": BIAS, "scale___shift": -BIAS,
    "bias___shift": 2 * BIAS, "prelu___slope": 3 * BIAS,
}  # fmt: skip


def norms():
    data = MemoryDataLayer(data=[np.zeros((2, 4, 3, 3))], tops=["data"], batch_size=2)
    bn = BatchNormLayer(name="bn", affine=False, bottoms=["data"])
    scale = ScaleLayer(name="scale", shifted=True, bottoms=["bn"])
    bias = BiasLayer(name="bias", bottoms=["scale"])
    return Net("norms", [data, bn, scale, bias, PReLULayer(name="prelu", bottoms=["bias"])])


@pytest.mark.parametrize("divisor", [None, 0.0, 2.5])
@pytest.mark.parametrize("name", ["x.caffemodel", "x.caffemodel.h5"])
def test_statistics_scales_and_shifts(tmp_path, name, divisor):
    """Caffe keeps sums of means and variances, and what to divide them by; 0 at the start."""
    path = tmp_path / name
    if name.endswith(".h5"):
        save_caffe_layout(path, NORMS)
    else:
        mochac.caffe.save_weights(path, NORMS)
    if divisor is not None and name.endswith(".h5"):
        with h5py.File(path) as file:
            places = [f"data/{layer}/{k}" for layer in file["data"] for k in file[f"data/{layer}"]]
            blobs = {place: file[place][...] for place in places}
        path.unlink()
        with h5py.File(path, "w") as file:
            for place, blob in {**blobs, "data/bn/2": divisor}.items():
                file[place] = np.reshape(blob, np.shape(blob) or (1,))
    elif divisor is not None:
        model = message_class("NetParameter").FromString(path.read_bytes())
        (bn,) = (layer for layer in model.layer if layer.name == "bn")
        bn.blobs[2].data[0] = struct.pack("<f", divisor)
        path.write_bytes(model.SerializeToString())
    with mochac.compile(norms()) as program:
        program.load(path)
        for full, array in NORMS.items():
            layer, _, param = full.partition("___")
            found = (program.states if layer == "bn" else program.params)[layer][param][...]
            averaged = array if layer != "bn" or divisor is None else array / divisor if divisor else 0 * array
            np.testing.assert_allclose(found, averaged, rtol=1e-6, err_msg=full)


def test_a_mean_is_read_and_written(tmp_path):
    mean = RNG.normal(size=(3, 4, 5)).astype(np.float32)
    (tmp_path / "m.binaryproto").write_bytes(blob(mean, legacy=True))
    with h5py.File(tmp_path / "m.h5", "w") as file:
        file["mean"] = mean[None]
    np.save(tmp_path / "m.npy", mean)
    for name in ("m.binaryproto", "m.h5", "m.npy"):
        assert np.array_equal(mochac.caffe.load_mean(tmp_path / name), mean), name
    mochac.caffe.save_mean(tmp_path / "n.binaryproto", mean)
    assert (tmp_path / "n.binaryproto").read_bytes() == (tmp_path / "m.binaryproto").read_bytes()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, r"(?s)cannot read .*x.caffemodel.*No such file"),
        (b"\x89HDF\r\n\x1a\n", r"(?s)x.caffemodel is an HDF5 file.*rename it to .h5"),
        (b"\xff\xff\xff", "is damaged or not a .caffemodel file"),
        (bytes_field(1, b"only a name"), "holds no weights"),
        (present()[:-40], "is damaged"),
        (b"", "holds no weights"),
        (
            bytes_field(100, bytes_field(1, b"c") + bytes_field(2, b"Convolution") + bytes_field(7, blob(BIAS)[:-8])),
            "is damaged",
        ),
    ],
)
def test_files_that_hold_no_weights(tmp_path, content, said):
    path = tmp_path / "x.caffemodel"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(mochac.SnapshotError, match=said):
        mochac.caffe.load_weights(path)


def test_files_that_hold_no_mean(tmp_path):
    (tmp_path / "x.binaryproto").write_bytes(blob(np.zeros((2, 3, 4, 5), np.float32)))
    with pytest.raises(mochac.SnapshotError, match=r"(?s)not a mean image.*got  \(2, 3, 4, 5\)"):
        mochac.caffe.load_mean(tmp_path / "x.binaryproto")
    (tmp_path / "x.npy").write_bytes(b"no")
    with pytest.raises(mochac.SnapshotError, match="cannot read the mean"):
        mochac.caffe.load_mean(tmp_path / "x.npy")
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["median"] = BIAS
    with pytest.raises(mochac.SnapshotError, match=r"(?s)has no dataset 'mean'.*median"):
        mochac.caffe.load_mean(tmp_path / "x.h5")


def test_a_model_of_another_shape_names_both(tmp_path):
    (tmp_path / "x.caffemodel").write_bytes(FORMS["present"])
    layers = net().layers
    other = Net("n", [layers[0], layers[1].replace(n_filter=5), layers[2]])
    with mochac.compile(other) as program:
        with pytest.raises(
            mochac.SnapshotError, match=r"(?s)conv___filter.*expected  \(5, 2, 3, 3\),  got  \(4, 2, 3, 3\)"
        ):
            program.load(tmp_path / "x.caffemodel")


def test_a_blob_that_states_more_than_it_holds(tmp_path):
    """Extents whose product wraps around to nothing, negative ones, and more axes than an array has."""
    for shape in ((2**32, 2**32), (2**63,), (1,) * 40):
        head = bytes_field(7, bytes_field(1, b"".join(map(varint, shape))))
        ip = bytes_field(1, b"ip") + bytes_field(2, b"InnerProduct") + bytes_field(7, head + bytes_field(5, b""))
        (tmp_path / "x.caffemodel").write_bytes(bytes_field(100, ip))
        with pytest.raises(mochac.SnapshotError, match=r"x.caffemodel: ip: weight is damaged"):
            mochac.caffe.load_weights(tmp_path / "x.caffemodel")


@pytest.mark.slow
def test_messages_nested_without_end(tmp_path):
    (tmp_path / "net.prototxt").write_text('name: "n"\n' + "layer {\n" * 5000)
    for load in (mochac.caffe.load_net, mochac.caffe.load_solver):
        with pytest.raises(mochac.DataError) as caught:
            load(tmp_path / "net.prototxt")
        path = tmp_path / "net.prototxt"
        said = f"{path} nests messages too deeply\n  expected  at most 32 levels\n  at {path}:34"
        assert str(caught.value) == said
    deep = b""
    for _ in range(20_000):
        deep = bytes_field(1, deep)
    (tmp_path / "x.caffemodel").write_bytes(bytes_field(2, deep))
    with pytest.raises(mochac.SnapshotError, match=r"x.caffemodel is damaged|x.caffemodel holds no weights"):
        mochac.caffe.load_weights(tmp_path / "x.caffemodel")


def test_files_of_caffe_that_are_none(tmp_path):
    os.mkfifo(tmp_path / "pipe.caffemodel")
    with pytest.raises(mochac.SnapshotError, match=r"cannot read .*pipe.caffemodel\n  got  not a regular file"):
        mochac.caffe.load_weights(tmp_path / "pipe.caffemodel")
    os.mkfifo(tmp_path / "pipe.prototxt")
    with pytest.raises(mochac.DataError, match=r"cannot read .*pipe.prototxt\n  got  not a regular file"):
        mochac.caffe.load_net(tmp_path / "pipe.prototxt")
    (tmp_path / "empty.prototxt").write_text("")
    with pytest.raises(mochac.DataError, match=r"empty.prototxt has no layers"):
        mochac.caffe.load_net(tmp_path / "empty.prototxt")
