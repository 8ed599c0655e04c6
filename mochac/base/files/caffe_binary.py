"""Caffe's binary files, read and written: weights (.caffemodel) and means (.binaryproto).

Weights have the names of model files, `layer___param`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base import rules
from mochac.base.errors import SnapshotError
from mochac.base.files.atomic import write_bytes
from mochac.base.files.caffe_schema import message_class, require_protobuf
from mochac.base.files.reading import guarded, read_bytes

PARAMETERS = {
    "Convolution": ("filter", "bias"),
    "InnerProduct": ("weight", "bias"),
    "Embed": ("weight", "bias"),
    "PReLU": ("slope",),
    "BatchNorm": ("mean", "variance"),
    "Scale": ("scale", "shift"),
    "Bias": ("shift",),
    "LSTM": ("weight_x", "bias_x", "weight_h"),
    "RNN": ("weight_x", "bias_x", "weight_h", "weight", "bias"),
}
"""Names in mochac of the blobs of a Caffe layer. BatchNorm has a third blob, a divisor of the others."""

STATIC, STATIC_AT = "weight_static", 2
"""The weight of x_static and its place among the blobs of a recurrent layer that has one: its columns are the last ones
of weight_x."""

_OLDER = {
    "Deconvolution": "Convolution", "CONVOLUTION": "Convolution", "DECONVOLUTION": "Convolution",
    "INNER_PRODUCT": "InnerProduct", "conv": "Convolution", "innerproduct": "InnerProduct",
}  # fmt: skip
"""Types with the parameters of another, and names of types in older files."""

_WRITTEN = [own for own in PARAMETERS.values() if "weight_h" not in own]
"""The blobs of layers that are also written: all but recurrent ones."""

PLACES = {
    name: tuple(dict.fromkeys(own.index(name) for own in _WRITTEN if name in own))
    for name in dict.fromkeys(name for own in _WRITTEN for name in own)
}
"""Where a parameter may be among the blobs of a Caffe layer that is written: `shift` is the second of Scale, and the
only one of Bias."""

SUMMED = ("mean", "variance")
"""Parameters that are sums in Caffe, of as many terms as the blob at DIVISOR says."""
DIVISOR = 2

MAX_AXES = 32
"""Most axes of a blob, as in Caffe."""


def is_caffemodel(path: Path) -> bool:
    """Whether a file name ends in .caffemodel."""
    return path.suffix == ".caffemodel"


def read_caffemodel(path: str | Path) -> dict[str, np.ndarray]:
    """Parameters by "layer___param", float32, from any version of the format: those of the layers in PARAMETERS.

    Layers of other types are left out, as in Mocha's dump_network_hdf5.

    Raises:
        SnapshotError: no such file, or not a NetParameter. OptionError: the package protobuf is not installed.
    """
    path = rules.path().check("path", path, "caffe.load_weights")
    net = _parsed(path, "NetParameter", "a .caffemodel file")
    weights: dict[str, np.ndarray] = {}
    with guarded(lambda fault: _damaged(path, "NetParameter", "a .caffemodel file")):
        layers = list(_layers(net))
    for name, kind, blobs in layers:
        params = PARAMETERS.get(_OLDER.get(kind, kind), ())
        if "weight_h" in params and len(blobs) > len(params):
            params = (*params[:STATIC_AT], STATIC, *params[STATIC_AT:])
        read = {param: _array(path, f"{name}: {param}", blob) for param, blob in zip(params, blobs, strict=False)}
        if params == SUMMED and len(blobs) > DIVISOR:
            count = _array(path, f"{name}: divisor", blobs[DIVISOR])
            read = {param: averaged(total, count) for param, total in read.items()}
        if kind == "LSTM":
            read = {param: _gates(array, f"{path}: {name}") for param, array in read.items()}
        if STATIC in read:
            read["weight_x"] = _beside(read["weight_x"], read.pop(STATIC), f"{path}: {name}")
        weights.update({f"{name}___{param}": array for param, array in read.items()})
    if not weights:
        raise SnapshotError(f"{path} holds no weights", expected="a binary NetParameter (.caffemodel)")
    return weights


def _gates(array: np.ndarray, whose: str = "") -> np.ndarray:
    """The rows of an LSTM's parameter in the order i, f, g, o; Caffe's is i, f, o, g.

    >>> _gates(np.arange(8))
    array([0, 1, 2, 3, 6, 7, 4, 5])
    """
    if len(array) % 4:
        raise SnapshotError(f"{whose} is no LSTM of four gates", expected="a multiple of 4 rows", got=str(len(array)))
    i, f, o, g = np.split(array, 4)
    return np.concatenate([i, f, g, o])


def _beside(x: np.ndarray, static: np.ndarray, whose: str) -> np.ndarray:
    """The weights of a step's features and of those that are the same at all steps, side by side."""
    if x.ndim != 2 or static.ndim != 2 or len(x) != len(static):
        rule = f"{whose}: the weights of x and x_static have other rows"
        raise SnapshotError(rule, expected="(rows, features) twice", got=f"{x.shape} and {static.shape}")
    return np.concatenate([x, static], axis=1)


def averaged(total: np.ndarray, divisor: np.ndarray) -> np.ndarray:
    """The mean of what Caffe keeps as a sum; 0 if the sum has no terms.

    >>> averaged(np.array([3.0, 6.0]), np.array([1.5]))
    array([2., 4.])
    """
    count = float(divisor.reshape(-1)[0]) if divisor.size else 0.0
    return total / np.asarray(count, total.dtype) if count else np.zeros_like(total)


def write_caffemodel(path: str | Path, parameters: Mapping[str, np.ndarray]) -> None:
    """Write "layer___param" arrays as a binary NetParameter that Caffe reads.

    Raises:
        SnapshotError: a parameter that Caffe does not have, or the file cannot be written.
    """
    file = Path(rules.path().check("path", path, "caffe.save_weights"))
    require_protobuf("writing a .caffemodel")
    net, layers = message_class("NetParameter")(), dict[str, set[str]]()
    for full in sorted(parameters):
        name, _, param = full.rpartition("___")
        layers.setdefault(name, set()).add(param)
    for name, params in layers.items():
        if "weight_h" in params:
            raise SnapshotError(
                f"{name}___weight_h: weights of recurrent layers are read, not written", hint="save .h5"
            )
        kind = next((k for k, own in PARAMETERS.items() if params <= set(own) and own[0] in params), "")
        if not kind:
            odd = next((p for p in sorted(params) if p not in PLACES), min(params))
            expected = "; ".join(" and ".join(own) for own in PARAMETERS.values())
            raise SnapshotError(f"{name}___{odd} has no place in a .caffemodel", expected=expected)
        arrays = [parameters[f"{name}___{param}"] for param in PARAMETERS[kind] if param in params]
        _add_layer(net, name, kind, [*arrays, np.ones(1)] if kind == "BatchNorm" else arrays)
    write_bytes(file, net.SerializeToString())


def _add_layer(net: Any, name: str, kind: str, arrays: Iterable[np.ndarray]) -> None:
    layer = net.layer.add(name=name, type=kind)
    for array in arrays:
        blob = layer.blobs.add()
        blob.shape.dim.extend(array.shape)
        blob.data.append(array.astype("<f4").tobytes())


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
    file = Path(rules.path().check("path", path, "caffe.save_mean"))
    require_protobuf("writing a .binaryproto")
    num, channels, height, width = (1,) * (4 - mean.ndim) + mean.shape
    blob = message_class("BlobProto")(num=num, channels=channels, height=height, width=width)
    blob.data.append(mean.astype("<f4").tobytes())
    write_bytes(file, blob.SerializeToString())


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
    if len(values) != stated or min(shape, default=0) < 0 or len(shape) > MAX_AXES:
        raise SnapshotError(f"{path}: {what} is damaged", expected=f"{shape}", got=f"{len(values)} bytes")
    return np.frombuffer(values, kind).astype(np.float32).reshape(shape)


class BadDatum(ValueError):
    """It is no Datum, or its numbers do not fill its shape; the message says which."""


def read_datum(value: bytes) -> tuple[np.ndarray | bytes, int]:
    """The numbers, or the file of an encoded image, and the label of a serialized Datum.

    Raises:
        BadDatum: it is none. OptionError: the package protobuf is not installed.
    """
    from google.protobuf.message import DecodeError

    datum = message_class("Datum")()
    try:
        datum.ParseFromString(value)
    except DecodeError as error:
        raise BadDatum(f"it is not a Datum: {error}") from None
    if datum.encoded:
        return datum.data, datum.label
    shape = (datum.channels, datum.height, datum.width)
    numbers = np.frombuffer(datum.data, np.uint8) if datum.data else np.array(datum.float_data, np.float32)
    if min(shape) < 1 or numbers.size != shape[0] * shape[1] * shape[2]:
        raise BadDatum(f"{numbers.size} numbers for (channels, height, width) = {shape}")
    return numbers.reshape(shape), datum.label
