"""save: a program as an ONNX model, checked by the package onnx before it is written."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base import rules
from mochac.base.errors import InternalError, OptionError, UnsupportedError, shown
from mochac.base.files.atomic import check_output, write_bytes
from mochac.base.files.onnx_file import onnx_package
from mochac.base.hints.calls import checked_call
from mochac.base.rules import names_of
from mochac.base.support.log import LOG
from mochac.formats.onnx.export.graph import WrittenNodes, integer_inputs, named_outputs, to_nodes
from mochac.ir.types import DTYPES
from mochac.nets.layers.base import DataLayer
from mochac.nets.net import Net

OPSETS = range(17, 21)
"""Supported versions of ONNX's operators; the first with all operators of a net is used."""
MAX_BYTES = 2**31 - 1
"""Bytes of a protobuf message."""


@checked_call
def save(
    program: Any, path: str | os.PathLike[str], *, blobs: str | Sequence[str] = (), transformers: bool = True
) -> None:
    """Write what predict() computes to an ONNX model, with the parameters.

    The model takes any number of samples, unless the net mixes them. It is that of prediction: dropout and the layers
    behind the prediction, such as losses, are left out. Its inputs are what predict() takes: raw data, to which the
    model applies the transformers of the data layers.

    Args:
        program: a compiled net.
        path: the file, by habit *.onnx.
        blobs: the outputs, one name or several; by default the one that predict() returns. Each has the name of its
            blob, or NAME.output where an input or a parameter has this name.
        transformers: False leaves out the transformers of the data layers, so that the inputs are transformed data.

    Raises:
        OptionError: no such blob, no single prediction, or the package onnx is not installed. UnsupportedError: layers
            or transformers that ONNX cannot express, all of them. SnapshotError: the file cannot be written.
    """
    file = Path(rules.path().check("path", path, "onnx.save"))
    if not isinstance(getattr(program, "net", None), Net):
        hint = "of an estimator: estimator.program_" if hasattr(type(program), "program_") else ""
        raise OptionError("onnx.save() takes a program", expected="mochac.compile(net)", got=shown(program), hint=hint)
    check_output(file)
    model = to_model(program.net, program.parameters(), program.dtype, blobs, transformers)
    write_bytes(file, model.SerializeToString())
    if not transformers:
        _say_what_is_left_out(program.net, {info.name for info in model.graph.input}, file)


def _say_what_is_left_out(net: Net, inputs: Collection[str], path: Path) -> None:
    """Log the transformers that predict() applies but the model does not."""
    layers = (layer for layer in net.layers if isinstance(layer, DataLayer))
    left_out = [
        f"{type(step).__name__} of {top!r}" for layer in layers for top, step in layer.transformers if top in inputs
    ]
    if left_out:
        what = "%s leaves out %s: give it transformed data"
        LOG.info(what, path, ", ".join(left_out))


def to_model(
    net: Net, arrays: dict[str, np.ndarray], dtype: str, blobs: str | Sequence[str] = (), transformers: bool = True
) -> Any:
    """An onnx.ModelProto of a net with parameters by "key___param"; see save()."""
    onnx_package()
    names = [net.checked_blob(blob) for blob in names_of("blobs").check("blobs", blobs, "save")] or [
        net.prediction_blob()
    ]
    if twice := {name for name in names if names.count(name) > 1}:
        raise OptionError("the same blob twice", expected="different blobs", got=" ".join(sorted(twice)))
    written = to_nodes(net, names, dtype, transformers)
    size = sum(array.nbytes for array in arrays.values())
    if size > MAX_BYTES:
        raise UnsupportedError("an ONNX file holds 2 GiB at most", got=f"{size:,} bytes of parameters")
    return model_of(written, names, net.name, arrays)


def model_of(written: WrittenNodes, names: Sequence[str], title: str, arrays: dict[str, np.ndarray]) -> Any:
    """An onnx.ModelProto of nodes.

    Args:
        names: blobs that are its outputs.
        arrays: parameters by "key___param".
    """
    onnx, helper = onnx_package(), onnx_package("helper")
    named, types = named_outputs(written, names), written.traced.blobs
    inputs, outputs = _inputs(written), [_info(named.names[blob], types[blob], written) for blob in names]
    nodes, integers = integer_inputs(named.nodes, [info.name for info in inputs], [info.name for info in outputs])
    for info in inputs:
        info.type.tensor_type.elem_type = integers.get(info.name, info.type.tensor_type.elem_type)
    opset = _opset(nodes)
    graph = helper.make_graph(nodes, title, inputs, outputs, _initializers(written, arrays, named.renamed))
    imports = [helper.make_opsetid("", opset)]
    version = helper.find_min_ir_version_for(imports)
    model = helper.make_model(graph, producer_name="mochac", opset_imports=imports, ir_version=version)
    try:
        onnx.checker.check_model(model, full_check=True)
    except Exception as error:  # protobuf's, the checker's and shape inference's errors have no common base
        raise InternalError(f"the ONNX model of net {title!r} is not valid", details=[str(error)]) from error
    return model


def _inputs(written: WrittenNodes) -> list[Any]:
    traced, feeds = written.traced, set(written.writer.feeds)
    return [_info(feed.value, feed.value, written) for feed in traced.feeds if feed.value in feeds]


def _info(name: str, value: str, written: WrittenNodes) -> Any:
    """Name, type and shape of an input or output."""
    helper, type = onnx_package("helper"), written.traced.graph.types()[value]
    follows = written.open and (type.batch or value in written.writer.rows) and bool(written.writer.feeds)
    several = type.shape[0] // written.traced.batch if follows else 1
    first = ["batch" if several == 1 else f"{several}*batch"] if follows else list(type.shape[:1])
    element = helper.np_dtype_to_tensor_dtype(np.dtype(DTYPES[type.dtype]))
    return helper.make_tensor_value_info(name, element, [*first, *type.shape[1:]])


def _initializers(written: WrittenNodes, arrays: dict[str, np.ndarray], renamed: dict[str, str]) -> list[Any]:
    from_array = onnx_package("numpy_helper").from_array
    places = {info.value: f"{info.key}___{info.name}" for info in (*written.traced.params, *written.traced.states)}
    derived = {
        name: make(*(arrays[places[parameter]] for parameter in parameters))
        for name, (make, parameters) in written.writer.derivations.items()
    }
    read = {name: arrays[places[name]] for name in written.parameters}
    whole = {**read, **derived, **written.writer.arrays}
    return [from_array(np.ascontiguousarray(a), renamed.get(name, name)) for name, a in whole.items()]


def _opset(nodes: Sequence[Any]) -> int:
    """The first of OPSETS whose operators have all attributes that nodes use."""
    return next((version for version in OPSETS if all(_fits(node, version) for node in nodes)), OPSETS[-1])


def _fits(node: Any, version: int) -> bool:
    defs = onnx_package("defs")
    try:
        schema = defs.get_schema(node.op_type, version)
    except defs.SchemaError:
        return False
    return all(a.name in schema.attributes for a in node.attribute) and len(node.input) <= schema.max_input
