"""Every kind of file that mochac reads: a small good one, and how it is read. damage.py damages them."""

from __future__ import annotations

import contextlib
import gzip
import io
import struct
import tempfile
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any

import h5py
import numpy as np

import mochac
from mochac.ir import parse
from mochac.ir.kernel_verify import KernelVerifyError, verify_kernel
from mochac.lowering.operands import load_inputs, save_inputs
from mochac.runtime.data.image_list import read_list
from mochac.runtime.data.images import load_mean, read_image, save_mean_hdf5
from mochac.runtime.data.model_file import load_model, read_model, save_caffe_layout, save_model
from mochac.runtime.data.source import open_source
from mochac.tools.cli.command import COMMANDS
from mochac.tools.cli.demo import read_idx
from mochac.training.loop.lounge import load_statistics, save_statistics
from mochac.training.loop.snapshot import SavedState, read_snapshot, save_snapshot

RNG = np.random.default_rng(0)
WEIGHTS = {
    "conv___filter": RNG.normal(size=(2, 1, 3, 3)).astype(np.float32),
    "ip/a___weight": RNG.normal(size=(3, 8)).astype(np.float32),
    "ip/a___bias": RNG.normal(size=3).astype(np.float32),
}
STATE = SavedState(
    iteration=7,
    method="SGD",
    net="net",
    cursor={"train-data": {"epoch": 1, "position": 2, "n_samples": 10}},
    rng_step=9,
    start_epoch=1,
    parameters=WEIGHTS,
    slots={"ip/a.weight.history": -WEIGHTS["ip/a___weight"]},
    seed=3,
    memory={"policy-0": {"lr": 0.1, "best/x": np.arange(4.0)}, "training": {"zeroed": 2}},
)
NET = """name: "n"
layer { name: "in" type: "Input" top: "x" top: "l" input_param { shape { dim: 2 dim: 1 dim: 6 dim: 6 } shape { dim: 2 dim: 1 } } }
layer { name: "conv" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 2 kernel_size: 3
  weight_filler { type: "xavier" } } }
layer { name: "ip/a" type: "InnerProduct" bottom: "c" top: "ip" inner_product_param { num_output: 3 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "l" }
"""  # noqa: E501
SOLVER = 'base_lr: 0.01 lr_policy: "step" gamma: 0.1 stepsize: 100 max_iter: 200 momentum: 0.9\nsnapshot_prefix: "s"\n'


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes:
        ending: of its name.
        write: makes a good one.
        read: its content, comparable by repr.
        sealed: damage never goes unnoticed.
        needs: the package without which it is not read.
    """

    ending: str
    write: Callable[[Path], Any]
    read: Callable[[Path], Any]
    sealed: bool = False
    needs: str = ""


def arrays(found: Any) -> Any:
    """Numbers as text, exactly."""
    return sorted((name, a.dtype.str, a.shape, a.tobytes()) for name, a in found.items())


def state(path: Path) -> Any:
    s = read_snapshot(path)
    numbers = {f"{owner}/{name}": np.asarray(v) for owner, kept in s.memory.items() for name, v in kept.items()}
    plain = (s.iteration, s.method, s.cursor, s.rng_step, s.start_epoch, s.seed)
    return (*plain, arrays(s.parameters), arrays(s.slots), arrays(numbers))


def loaded(path: Path) -> Any:
    into = {name: np.zeros_like(a) for name, a in WEIGHTS.items()}
    load_model(path, into)
    return arrays(into)


def by_h5py(path: Path) -> None:
    with h5py.File(path, "w") as file:
        for name, array in WEIGHTS.items():
            file.create_dataset(name, data=array, chunks=array.shape, compression="gzip")


def samples(path: Path, **options: Any) -> None:
    with h5py.File(path, "w") as file:
        file.create_dataset("data", data=np.arange(120, dtype=np.float32).reshape(20, 6), **options)
        file.create_dataset("label", data=np.arange(20.0)[:, None] % 3)


def source(path: Path) -> Any:
    return samples_of(mochac.HDF5DataLayer(source=str(path), batch_size=5, name="train-data"), 20)


def samples_of(layer: Any, count: int) -> Any:
    """What a data layer reads first."""
    reader = open_source(layer)
    try:
        out = {top: np.empty((count, *shape)) for top, shape in reader.shapes.tops.items()}
        reader.fill(0, out)
        return arrays(out)
    finally:
        reader.close()


def listed(path: Path) -> None:
    samples(path.with_suffix(".h5"))
    path.write_text(f"{path.with_suffix('.h5')}\n\n{path.with_suffix('.h5')}\n")


def images(path: Path) -> None:
    path.write_text("ImageName,Label,TrainTest\n" + "".join(f"pictures/{k}.png,dog,train\n" for k in range(9)))


def picture(format: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        from PIL import Image

        Image.fromarray((np.arange(192) % 251).astype(np.uint8).reshape(8, 8, 3)).save(path, format)

    return write


def idx() -> bytes:
    return struct.pack(">BBBBIII", 0, 0, 8, 3, 3, 4, 5) + bytes(range(60))


def caffemodel(path: Path) -> None:
    from mochac.base.files.caffe_binary import write_caffemodel

    write_caffemodel(path, WEIGHTS)


def binaryproto(path: Path) -> None:
    from mochac.base.files.caffe_binary import write_mean

    write_mean(path, np.arange(12, dtype=np.float32).reshape(3, 2, 2))


def npy(path: Path) -> None:
    buffer = io.BytesIO()
    np.save(buffer, np.arange(12.0).reshape(3, 2, 2))
    path.write_bytes(buffer.getvalue())


def text(path: Path) -> Any:
    """The IR in a file, through `mochac opt`; kernels are checked as a replay does."""
    out = io.StringIO()
    passes = "simplify,fuse" if path.suffix == ".graph" else ""
    with contextlib.redirect_stdout(out):
        COMMANDS["opt"].run(Namespace(list=False, passes=passes, file=str(path)))
    if path.suffix == ".kernel":
        with contextlib.suppress(KernelVerifyError):
            verify_kernel(parse(out.getvalue()))
    return out.getvalue()


@cache
def dump() -> dict[str, str]:
    """The files of a small dump: name -> text."""
    x, y = np.ones((8, 1, 4, 4), np.float32), np.zeros(8)
    data = mochac.MemoryDataLayer(data=[x, y], batch_size=4)
    ip = mochac.InnerProductLayer(name="ip", output_dim=3, bottoms=["data"])
    net = mochac.Net("n", [data, ip, mochac.SoftmaxLossLayer(name="loss", bottoms=["ip", "label"])])
    with tempfile.TemporaryDirectory() as folder:
        mochac.dump(net, folder)
        files = [f for f in sorted(Path(folder).rglob("*")) if f.suffix in (".graph", ".kernel", ".txt")]
        return {f.name: f.read_text() for f in files}


def dumped(pattern: str) -> Callable[[Path], Any]:
    return lambda path: path.write_text(next(text for name, text in dump().items() if fnmatch(name, pattern)))


KINDS = {
    "snapshot": Kind(".h5", lambda p: save_snapshot(p, STATE), state, sealed=True),
    "model": Kind(".h5", lambda p: save_model(p, WEIGHTS), loaded, sealed=True),
    "model, all of it": Kind(".h5", lambda p: save_model(p, WEIGHTS), lambda p: arrays(read_model(p)), sealed=True),
    "model in Caffe's layout": Kind(".h5", lambda p: save_caffe_layout(p, WEIGHTS), loaded, sealed=True),
    "model by others": Kind(".h5", by_h5py, loaded),
    "caffemodel": Kind(".caffemodel", caffemodel, loaded, needs="google.protobuf"),
    "statistics": Kind(".h5", lambda p: save_statistics(p, {"a/b": {1: 0.5, 2: 0.25}}), load_statistics, sealed=True),
    "mean": Kind(".h5", lambda p: save_mean_hdf5(p, np.ones((3, 2, 2))), lambda p: load_mean(p).tolist(), sealed=True),
    "binaryproto": Kind(".binaryproto", binaryproto, lambda p: load_mean(p).tolist(), needs="google.protobuf"),
    "npy": Kind(".npy", npy, lambda p: load_mean(p).tolist()),
    "data": Kind(".h5", samples, source),
    "packed data": Kind(".h5", lambda p: samples(p, chunks=(5, 6), compression="gzip", shuffle=True), source),
    "list": Kind(".txt", listed, source),
    "image list": Kind(".csv", images, read_list),
    "png": Kind(".png", picture("PNG"), lambda p: read_image(p).tolist(), needs="PIL"),
    "jpeg": Kind(".jpg", picture("JPEG"), lambda p: read_image(p).tolist(), needs="PIL"),
    "gif": Kind(".gif", picture("GIF"), lambda p: read_image(p).tolist(), needs="PIL"),
    "tiff": Kind(".tif", picture("TIFF"), lambda p: read_image(p).tolist(), needs="PIL"),
    "idx": Kind("-ubyte", lambda p: p.write_bytes(idx()), lambda p: read_idx(p).tolist()),
    "packed idx": Kind(".gz", lambda p: p.write_bytes(gzip.compress(idx(), mtime=0)), lambda p: read_idx(p).tolist()),
    "net": Kind(
        ".prototxt", lambda p: p.write_text(NET), lambda p: repr(mochac.caffe.load_net(p)), needs="google.protobuf"
    ),
    "solver": Kind(
        ".prototxt",
        lambda p: p.write_text(SOLVER),
        lambda p: repr(mochac.caffe.load_solver(p)),
        needs="google.protobuf",
    ),
    "inputs of a dump": Kind(".npz", lambda p: save_inputs(p, WEIGHTS), lambda p: arrays(load_inputs(p))),
    "graph": Kind(".graph", dumped("*-trace.graph"), text),
    "fused graph": Kind(".graph", dumped("*-fuse.graph"), text),
    "kernel": Kind(".kernel", dumped("*.scheduled.kernel"), text),
    "plan": Kind(".txt", dumped("plan.txt"), text),
}
