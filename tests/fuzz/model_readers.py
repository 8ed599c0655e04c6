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


def imported(path: Path) -> Any:
    net, params = mochac.onnx.load(path)
    return repr(net), sorted(
        (key, name, np.asarray(params[key][name]).tobytes()) for key in params for name in params[key]
    )


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
    "lmdb": Kind(".mdb", database, samples, needs="lmdb"),
    "cache": Kind(".entry", cached, from_cache, sealed=True),
}
