"""Reading and writing of Caffe's .caffemodel weights and .binaryproto means.

Weights have the names of model files, `layer___param`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.caffe.files.schema import message_class, require_protobuf
from mochac.errors import SnapshotError
from mochac.runtime.files.atomic import write_bytes
from mochac.runtime.files.reading import guarded, read_bytes

PLACES = {"filter": 0, "weight": 0, "slope": 0, "bias": 1}
"""The index of a parameter among the blobs of a Caffe layer."""

_KINDS = {"filter": "Convolution", "weight": "InnerProduct", "slope": "PReLU"}
_MAIN = {
    "Convolution": "filter", "Deconvolution": "filter", "InnerProduct": "weight",
    "CONVOLUTION": "filter", "DECONVOLUTION": "filter", "INNER_PRODUCT": "weight",
    "conv": "filter", "innerproduct": "weight", "PReLU": "slope",
}  # fmt: skip


MOST_AXES = 32
"""Most axes of a blob, as in Caffe."""


def is_caffemodel(path: Path) -> bool:
    """Whether a file name ends in .caffemodel."""
    return path.suffix == ".caffemodel"


def read_caffemodel(path: str | Path) -> dict[str, np.ndarray]:
    """Parameters of convolutions, inner products and PReLU by "layer___param", float32, from any version of the format.

    Layers of other types are left out, as in Mocha's dump_network_hdf5.

    Raises:
        SnapshotError: no such file, or not a NetParameter. OptionError: the package protobuf is not installed.
    """
    net = _parsed(path, "NetParameter", "a .caffemodel file")
    weights: dict[str, np.ndarray] = {}
    with guarded(lambda fault: _damaged(path, "NetParameter", "a .caffemodel file")):
        layers = list(_layers(net))
    for name, kind, blobs in layers:
        if kind in _MAIN:
            for param, blob in zip((_MAIN[kind], "bias"), blobs, strict=False):
                weights[f"{name}___{param}"] = _array(path, f"{name}: {param}", blob)
    if not weights:
        raise SnapshotError(f"{path} holds no weights", expected="a binary NetParameter (.caffemodel)")
    return weights


def write_caffemodel(path: str | Path, parameters: Mapping[str, np.ndarray]) -> None:
    """Write "layer___param" arrays as a binary NetParameter that Caffe reads.

    Raises:
        SnapshotError: a parameter that Caffe does not have, or the file cannot be written.
    """
    require_protobuf("writing a .caffemodel")
    net, layers = message_class("NetParameter")(), dict[str, Any]()
    for full in sorted(parameters, key=lambda name: (PLACES.get(name.rpartition("___")[2], 9), name)):
        name, _, param = full.rpartition("___")
        if param in _KINDS:
            layers[name] = net.layer.add(name=name, type=_KINDS[param])
        elif param != "bias" or name not in layers:
            raise SnapshotError(f"{full} has no place in a .caffemodel", expected="filter, weight or slope, and bias")
        blob = layers[name].blobs.add()
        blob.shape.dim.extend(parameters[full].shape)
        blob.data.append(parameters[full].astype("<f4").tobytes())
    write_bytes(Path(path), net.SerializeToString())


def read_mean(path: str | Path) -> np.ndarray:
    """The mean image of a .binaryproto file, float32, (channels, height, width).

    Raises:
        SnapshotError: no such file, or not a BlobProto of one image. OptionError: protobuf is not installed.
    """
    mean = _array(path, "mean", _parsed(path, "BlobProto", "a .binaryproto file"))
    if mean.ndim == 4 and mean.shape[0] == 1:
        mean = mean[0]
    if mean.ndim != 3 or not mean.size:
        raise SnapshotError(f"{path} is not a mean image", expected="(channels, height, width)", got=str(mean.shape))
    return mean


def write_mean(path: str | Path, mean: np.ndarray) -> None:
    """Write (channels, height, width) as Caffe's compute_image_mean does; raises SnapshotError."""
    require_protobuf("writing a .binaryproto")
    num, channels, height, width = (1,) * (4 - mean.ndim) + mean.shape
    blob = message_class("BlobProto")(num=num, channels=channels, height=height, width=width)
    blob.data.append(mean.astype("<f4").tobytes())
    write_bytes(Path(path), blob.SerializeToString())


def _parsed(path: str | Path, message: str, what: str) -> Any:
    require_protobuf(f"reading {what}")
    with guarded(lambda fault: SnapshotError(f"cannot read {path}", got=fault.reason)):
        content = read_bytes(path)
    if content.startswith(b"\x89HDF"):
        raise SnapshotError(f"{path} is an HDF5 file", expected=what, hint="rename it to .h5")
    with guarded(lambda fault: _damaged(path, message, what)):
        return message_class(message).FromString(content)


def _damaged(path: str | Path, message: str, what: str) -> SnapshotError:
    return SnapshotError(f"{path} is damaged or not {what}", expected=f"Caffe's {message}")


def _layers(net: Any) -> Iterator[tuple[str, str, Any]]:
    """Name, type and blobs of each layer, in any of the three formats."""
    for layer in net.layer:
        yield layer.name, layer.type, layer.blobs
    for layer in net.layers:
        if layer.HasField("layer"):
            yield layer.layer.name, layer.layer.type, layer.layer.blobs
        else:
            yield (
                layer.name,
                layer.DESCRIPTOR.fields_by_name["type"].enum_type.values_by_number[layer.type].name,
                (layer.blobs),
            )


def _array(path: str | Path, what: str, blob: Any) -> np.ndarray:
    legacy = (blob.num, blob.channels, blob.height, blob.width)
    shape = tuple(blob.shape.dim) if blob.HasField("shape") else legacy
    kind, chunks = ("<f8", blob.double_data) if blob.double_data else ("<f4", blob.data)
    values = b"".join(chunks)
    stated = np.dtype(kind).itemsize * math.prod(shape)
    if len(values) != stated or min(shape, default=0) < 0 or len(shape) > MOST_AXES:
        raise SnapshotError(f"{path}: {what} is damaged", expected=f"{shape}", got=f"{len(values)} bytes")
    return np.frombuffer(values, kind).astype(np.float32).reshape(shape)
