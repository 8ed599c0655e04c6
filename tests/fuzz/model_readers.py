"""More kinds of files that mochac reads: models of other programs, databases, a library's saved state, the cache."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
from readers import WEIGHTS, Kind, arrays, by_h5py, loaded, samples_of

import mochac
from mochac.base.files.cache import Cache, digest
from mochac.runtime.data.model_file import read_model, save_model

KEY = digest("a plan")


def saved(path: Path) -> None:
    save_model(path, WEIGHTS)


def onnx_model(path: Path) -> None:
    x = mochac.InputLayer(name="data", shape=(2, 1, 6, 6))
    conv = mochac.ConvolutionLayer(name="conv", kernel=3, n_filter=2, bottoms=["data"])
    ip = mochac.InnerProductLayer(name="ip", output_dim=3, bottoms=["conv"])
    mochac.onnx.save(mochac.compile(mochac.Net("n", [x, conv, ip])), path)


def imported(path: Path, external: bool = False) -> Any:
    net, params = mochac.onnx.load(path, external=external)
    return repr(net), sorted(
        (key, name, np.asarray(params[key][name]).tobytes()) for key in params for name in params[key]
    )


def weights() -> np.ndarray:
    return np.arange(30, dtype=np.float32).reshape(5, 6)


def product(**more: Any) -> Any:
    """A model of one product, whose weight may be elsewhere."""
    from onnx import TensorProto, helper, numpy_helper

    kind = TensorProto.FLOAT
    x, y = (helper.make_tensor_value_info(name, kind, ["b", n]) for name, n in (("x", 6), ("y", 5)))
    node = helper.make_node("Gemm", ["x", "w"], ["y"], transB=1)
    graph = helper.make_graph([node], "g", [x], [y], [numpy_helper.from_array(weights(), "w")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, **more)


def outside(place: str) -> Any:
    """The model whose weight is in the file `place` beside it."""
    from onnx import TensorProto

    model = product()
    tensor = model.graph.initializer[0]
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": place, "offset": 8, "length": 120}.items():
        tensor.external_data.add(key=key, value=str(value))
    return model


def onnx_outside(path: Path) -> None:
    (path.parent / "w.bin").write_bytes(b"12345678" + weights().tobytes())
    path.write_bytes(outside("w.bin").SerializeToString())


def by_model(path: Path) -> Any:
    """What a model imports whose weight is in this file."""
    model = path.with_suffix(".onnx")
    model.write_bytes(outside(path.name).SerializeToString())
    return imported(model, external=True)


def onnx_function(path: Path) -> None:
    """A model that calls a function of its own."""
    from onnx import helper

    imports = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]
    model, calls = product(), [helper.make_node("Relu", ["a"], ["b"]), helper.make_node("Neg", ["b"], ["c"])]
    function = helper.make_function("own", "f", ["a"], ["c"], calls, imports[:1])
    model.graph.node[0].output[0] = "z"
    model.graph.node.append(helper.make_node("f", ["z"], ["y"], domain="own"))
    model.functions.append(function)
    model.opset_import.append(imports[1])
    path.write_bytes(model.SerializeToString())


def database(path: Path) -> None:
    """Twelve Datum messages; the file data.mdb of the database."""
    import lmdb
    from runtime.data.test_lmdb import datum

    with lmdb.open(str(path), subdir=False, map_size=1 << 20, lock=False) as base, base.begin(write=True) as writes:
        for k in range(12):
            writes.put(b"%08d" % k, datum((1, 2, 3), bytes(range(6)), k % 3))


def samples(path: Path) -> Any:
    return samples_of(mochac.LMDBDataLayer(source=str(path), batch_size=4, name="train-data"), 12)


def cached(path: Path) -> None:
    """The entry of a cache."""
    cache = Cache(path.with_suffix(".cache"))
    cache.put(KEY, b"plan" * 100)
    shutil.copy(entry_of(path), path)


def entry_of(path: Path) -> Path:
    return path.with_suffix(".cache") / KEY[:2] / f"{KEY}.bin"


def from_cache(path: Path) -> Any:
    """What the cache has; a damaged entry is none, without an error."""
    cache = Cache(path.with_suffix(".cache"))
    cache.put(KEY, b"plan" * 100)
    entry_of(path).write_bytes(path.read_bytes())
    found = cache.get(KEY)
    if found is None:
        raise mochac.DataError(f"{path.name} is not taken")
    return found


MODELS = {
    "npz model": Kind(".npz", saved, lambda p: arrays(read_model(p))),
    "npz, loaded": Kind(".npz", saved, loaded),
    "safetensors": Kind(".safetensors", saved, lambda p: arrays(read_model(p))),
    "safetensors, loaded": Kind(".safetensors", saved, loaded),
    "hdf5 by others": Kind(".h5", by_h5py, lambda p: arrays(read_model(p))),
    "onnx": Kind(".onnx", onnx_model, imported, needs="onnx"),
    "onnx, weights outside": Kind(".onnx", onnx_outside, lambda p: imported(p, external=True), needs="onnx"),
    "weights of onnx": Kind(".bin", lambda p: p.write_bytes(bytes(8) + weights().tobytes()), by_model, needs="onnx"),
    "onnx with a function": Kind(".onnx", onnx_function, imported, needs="onnx"),
    "lmdb": Kind(".mdb", database, samples, needs="lmdb"),
    "cache": Kind(".entry", cached, from_cache, sealed=True),
}
