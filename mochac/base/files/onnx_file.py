"""read_model: an ONNX file as a protobuf message with all numbers in it, or one error.

Files come from anywhere: their size is limited, the package onnx checks them, and tensors in other files are read on
demand only, from the model's own folder, within the bounds of these files.
"""

from __future__ import annotations

import importlib
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base.errors import DataError, MochacError, OptionError
from mochac.base.files.reading import NOT_TEXT, Fault, guarded, read_bytes, regular_size


def onnx_package(module: str = "") -> Any:
    """The package onnx, or a module of it such as "helper".

    Raises:
        OptionError: it is not installed.
    """
    try:
        return importlib.import_module(f"onnx.{module}" if module else "onnx")
    except ImportError:
        raise OptionError("ONNX files need the package onnx", hint="pip install 'mochac[onnx]'") from None


MAX_BYTES = 2**31 - 1
"""Bytes of a protobuf message."""
OLDEST_IR, OLDEST_OPSET = 3, 7
"""Versions of the format and of its operators; older operators mean other things by some names."""


def read_model(path: str | os.PathLike[str], external: bool = False) -> Any:
    """The ModelProto in a file.

    Args:
        external: read tensors from other files in the folder of the model.

    Raises:
        DataError: no such file, not an ONNX model, damaged, or tensors in other files that may not be read.
    """

    def refuse(fault: Fault) -> MochacError:
        if fault.missing:
            return DataError(f"no file {os.fspath(path)}").as_missing()
        return DataError(f"{os.fspath(path)} is damaged or not an ONNX model", details=[str(fault)])

    onnx = onnx_package()
    with guarded(refuse):
        model = onnx.load_model_from_string(read_bytes(path, MAX_BYTES))
        check_versions(model)
        _check_names(model.graph)
    for tensor in _tensors(model):
        _complete(tensor, Path(path), external)
    with guarded(refuse):
        onnx.checker.check_model(model)
    return model


def check_versions(model: Any) -> None:
    """Check that a message says what it is.

    Raises:
        ValueError: it does not, or is too old or too new.
    """
    onnx = onnx_package()
    if not OLDEST_IR <= model.ir_version <= onnx.IR_VERSION or not model.HasField("graph"):
        raise ValueError("it has no graph, or no version of the format that is known")
    opset = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    newest = onnx.defs.onnx_opset_version()
    if not OLDEST_OPSET <= opset <= newest:
        raise ValueError(f"version {opset} of ONNX's operators, expected {OLDEST_OPSET} to {newest}")


def _check_names(graph: Any) -> None:
    """Check that names are text; protobuf returns others as bytes.

    Raises:
        ValueError: one is not.
    """
    names = [graph.name, *(value.name for value in (*graph.input, *graph.output, *graph.initializer))]
    for node in graph.node:
        names += [node.name, node.op_type, node.domain, *node.input, *node.output]
    if not all(isinstance(name, str) for name in names):
        raise ValueError(NOT_TEXT)


def numbers(tensor: Any, path: str) -> np.ndarray:
    """The array in a tensor.

    Raises:
        DataError: it has more or fewer numbers than it states.
    """
    with guarded(lambda fault: DataError(f"{path} is damaged or not an ONNX model", details=[str(fault)]), tensor.name):
        return onnx_package("numpy_helper").to_array(tensor)


def _tensors(model: Any) -> Iterator[Any]:
    """The tensors of a model, those of attributes and of inner graphs too."""
    graphs, nodes = [model.graph], [node for function in model.functions for node in function.node]
    while graphs or nodes:
        if graphs:
            graph = graphs.pop()
            yield from graph.initializer
            nodes += graph.node
            continue
        for attribute in nodes.pop().attribute:
            graphs += [*attribute.graphs, *([attribute.g] if attribute.HasField("g") else [])]
            yield from (*attribute.tensors, *([attribute.t] if attribute.HasField("t") else []))


def _complete(tensor: Any, path: Path, external: bool) -> None:
    """Read the numbers of a tensor if they are in another file."""
    if not tensor.external_data and not tensor.data_location:
        return
    name = tensor.name
    if not external:
        hint = "load(path, external=True) reads such files in the model's folder"
        raise DataError(f"{path}: tensor {name!r} is in another file", hint=hint)
    place = {entry.key: entry.value for entry in tensor.external_data}

    def refuse(fault: Fault) -> MochacError:
        return DataError(
            f"{path}: tensor {name!r} cannot be read from {place.get('location', '')!r}", details=[str(fault)]
        )

    with guarded(refuse):
        tensor.raw_data = _bytes(tensor, path.parent, place)
        del tensor.external_data[:]
        tensor.data_location = 0


def _bytes(tensor: Any, folder: Path, place: dict[str, str]) -> bytes:
    """The numbers of a tensor in another file of the folder."""
    file = (folder / place["location"]).resolve()
    if not file.is_relative_to(folder.resolve()):
        raise ValueError("it is outside of the model's folder")
    dtype = np.dtype(onnx_package("helper").tensor_dtype_to_np_dtype(tensor.data_type))
    wanted, size = math.prod(tensor.dims) * dtype.itemsize, regular_size(file)
    start = int(place.get("offset", 0))
    length = int(place.get("length", wanted))
    if length != wanted or start < 0 or min(tensor.dims, default=0) < 0 or start + length > size:
        raise ValueError(f"it states {wanted:,} bytes at {start:,} of {size:,}")
    with open(file, "rb") as stream:
        stream.seek(start)
        return stream.read(length)
