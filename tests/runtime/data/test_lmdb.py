"""LMDBDataLayer: databases of Datum messages, written with the lmdb package and with bytes of protobuf by hand."""

import io
import os
import struct
from contextlib import closing

import numpy as np
import pytest

import mochac
from mochac import (
    SGD,
    DataError,
    DataTransformers,
    InnerProductLayer,
    LMDBDataLayer,
    MemoryDataLayer,
    Net,
    SoftmaxLossLayer,
)
from mochac.base.files.lmdb_file import BadLmdb, LmdbFile

lmdb = pytest.importorskip("lmdb")
RNG = np.random.default_rng(0)
X, Y = RNG.integers(0, 256, (24, 3, 4, 5), dtype=np.uint8), np.arange(24) % 4


def varint(value):
    out = bytearray()
    value &= (1 << 64) - 1
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out + bytes([value]))


def block(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def datum(shape=(), data=b"", label=0, floats=(), encoded=False):
    """A Datum of Caffe's caffe.proto; its repeated floats are not packed."""
    extents = b"".join(varint(n << 3) + varint(extent) for n, extent in enumerate(shape, 1))
    data = block(4, data) if data else b""
    numbers = b"".join(varint(6 << 3 | 5) + struct.pack("<f", x) for x in floats)
    return extents + data + varint(5 << 3) + varint(label) + numbers + varint(7 << 3) + varint(encoded)


def write(path, values):
    with lmdb.open(str(path), map_size=1 << 24) as database, database.begin(write=True) as transaction:
        for k, value in enumerate(values):
            transaction.put(b"%08d" % k, value)
    return str(path)


def database(tmp_path, x=X, y=Y):
    return write(tmp_path / "db", [datum(a.shape, a.tobytes(), int(label)) for a, label in zip(x, y, strict=True)])


def net(data):
    ip = InnerProductLayer(name="ip", output_dim=4, bottoms=["data"])
    return Net("db", [data, ip, SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])


def trained(data):
    with mochac.compile(net(data), seed=1) as program:
        program.train(SGD(1e-4), max_iter=7)
        return np.array(program.params["ip"]["weight"])


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 2])
def test_it_trains_as_arrays_do(tmp_path, workers):
    scale = [("data", DataTransformers.Scale(1 / 256))]
    source = database(tmp_path)
    found = trained(LMDBDataLayer(source=source, batch_size=10, workers=workers, transformers=scale))
    same = trained(
        MemoryDataLayer(name="lmdb-data", data=[X, Y], tops=["data", "label"], batch_size=10, transformers=scale)
    )
    np.testing.assert_array_equal(found, same)
    assert (
        trained(LMDBDataLayer(source=f"{source}/data.mdb", batch_size=10, transformers=scale)).tobytes()
        == same.tobytes()
    )


def test_a_shuffled_epoch_has_every_sample_once(tmp_path):
    layer = LMDBDataLayer(source=database(tmp_path), batch_size=24, shuffle=True)
    program = mochac.compile(net(layer), seed=3)
    program.forward()
    rows = np.array(program.blobs["data"]).reshape(24, -1)
    assert sorted(map(tuple, rows)) == sorted(map(tuple, X.reshape(24, -1).astype(float)))
    assert (rows != X.reshape(24, -1)).any()


def test_floats_and_no_labels(tmp_path):
    values = RNG.normal(size=(5, 1, 2, 2)).astype(np.float32)
    source = write(tmp_path / "floats", [datum((1, 2, 2), floats=v.ravel()) for v in values])
    data = LMDBDataLayer(source=source, batch_size=5, tops=["data"])
    program = mochac.compile(
        Net("f", [data, InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])]), mode="test"
    )
    program.forward()
    np.testing.assert_array_equal(np.array(program.blobs["data"]), values)


def test_encoded_images_are_bgr(tmp_path):
    image = pytest.importorskip("PIL.Image")
    values = []
    for k, picture in enumerate(X):
        file = io.BytesIO()
        image.fromarray(picture.transpose(1, 2, 0)).save(file, "PNG")
        values.append(datum(data=file.getvalue(), label=int(Y[k]), encoded=True))
    program = mochac.compile(net(LMDBDataLayer(source=write(tmp_path / "png", values), batch_size=24)))
    program.forward()
    np.testing.assert_array_equal(np.array(program.blobs["data"]), X[:, ::-1])


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([], "has no samples"),
        ([b"\xff\xff\xff"], "sample 0 of {source} (key '00000000') cannot be read\n  got  it is not a Datum"),
        (
            [datum((3, 2, 2), b"123")],
            "sample 0 of {source} (key '00000000') cannot be read\n"
            "  got  3 numbers for (channels, height, width) = (3, 2, 2)",
        ),
        (
            [datum((1, 2, 2), b"1234"), datum((1, 2, 3), b"123456")],
            "sample 1 of {source} (key '00000001') has another shape\n  expected  (1, 2, 2),  got  (1, 2, 3)",
        ),
        ([datum(data=b"no image", encoded=True)], "sample 0 of {source} (key '00000000') is no image"),
    ],
)
def test_bad_databases(tmp_path, values, words):
    with pytest.raises(DataError) as caught:
        mochac.compile(net(LMDBDataLayer(source=write(tmp_path / "bad", values), batch_size=2))).forward()
    assert words.format(source=tmp_path / "bad") in str(caught.value)


def test_no_database(tmp_path):
    (tmp_path / "text").write_text("no database")
    for name in ("nothing", "text"):
        with pytest.raises(DataError, match="cannot read the LMDB database"):
            net(LMDBDataLayer(source=str(tmp_path / name), batch_size=2))
    shapes = {"data": (3, 4, 5), "label": (1,)}
    assert net(LMDBDataLayer(source=str(tmp_path / "later"), batch_size=2, shapes=shapes)).blobs["ip"].shape == (2, 4)


@pytest.mark.slow
def test_a_database_that_is_written_meanwhile(tmp_path):
    layer = LMDBDataLayer(source=database(tmp_path), batch_size=10)
    program = mochac.compile(net(layer), seed=1)
    program.train(SGD(1e-4), max_iter=2)
    other = write(tmp_path / "other", [datum(a.shape, a.tobytes(), 0) for a in X[:1]] * 30)
    os.replace(f"{other}/data.mdb", tmp_path / "db" / "data.mdb")
    with pytest.raises(DataError, match="has changed\n  expected  its 24 samples,  got  30 samples"):
        program.train(SGD(1e-4), max_iter=4)


@pytest.mark.parametrize("size", [1, 700, 5000])
def test_many_keys_and_large_values(tmp_path, size):
    """Trees of several levels, values in pages and on pages of their own, after keys were changed and removed."""
    values = {b"%08d" % (7 * k % 3001): RNG.bytes(size) for k in range(3001)}
    with lmdb.open(str(tmp_path / "db"), map_size=1 << 26) as base:
        for keys in (list(values)[:2000], list(values)[1000:]):
            with base.begin(write=True) as writes:
                for key in keys:
                    writes.put(key, values[key])
        with base.begin(write=True) as writes:
            for key in list(values)[::3]:
                writes.delete(key)
                del values[key]
    with closing(LmdbFile(str(tmp_path / "db"))) as base:
        places = base.places()
        assert list(places) == sorted(values)
        assert {key: base.read(place) for key, place in places.items()} == values


def test_other_databases_are_refused(tmp_path):
    with lmdb.open(str(tmp_path / "db"), max_dbs=2) as base:
        inner = base.open_db(b"inner")
        with base.begin(write=True) as writes:
            writes.put(b"key", b"value", db=inner)
    with closing(LmdbFile(str(tmp_path / "db"))) as base, pytest.raises(BadLmdb, match="databases of its own"):
        base.places()
