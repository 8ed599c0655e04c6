"""ONNX models as nets and as scripts."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mochac.base import rules
from mochac.base.errors import MochacError, ShapeError, UnsupportedError, combined, from_file
from mochac.base.escaping import docstring
from mochac.base.files.onnx_file import read_model
from mochac.base.hints.calls import checked_call
from mochac.base.records import record
from mochac.base.rules import integer, or_none
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.node import UNBATCHED, BlobTensor, Constant, Tensor, no_layers
from mochac.formats.onnx.fold import NodeInference, folded, shape_constant
from mochac.formats.onnx.layers_with_one_weight import with_parameter_layers
from mochac.formats.onnx.operator import CONVERTERS, NodeNames, OnnxNode, convert
from mochac.formats.onnx.prepare import PreparedModel, prepare
from mochac.formats.onnx.trained import say_what_is_trained, with_rates, with_shared_weights, with_true_names
from mochac.nets.net import Net
from mochac.nets.show import TAKEN, expression, list_statement, statement, variables
from mochac.runtime.data.model_file import save_model
from mochac.runtime.data.params import Params
from mochac.training.session.net_parameters import fill_imported


@record
class ConvertedModel:
    """A converted model.

    Attributes:
        layers: mochac's layers.
        arrays: parameters and states by "layer___name".
        dtype: "float32" or "float64".
        batch_axes: the batch axis of each output in the model, which is axis 0 of its blob; None if it has no batch.
    """

    name: str
    layers: tuple[Any, ...]
    arrays: dict[str, np.ndarray]
    dtype: str
    batch_axes: dict[str, int | None]


@checked_call
def load(
    path: str | os.PathLike[str],
    *,
    batch_size: int | None = None,
    outputs: str | Sequence[str] = (),
    external: bool = False,
    batch_axis: int | None = 0,
    extents: Mapping[str, int] | None = None,
    trained: str | Sequence[str] = (),
) -> tuple[Net, Params]:
    """Load an ONNX model: a Net of layers that train, and a store with its parameters, for compile(net, params=...).

    Inputs become InputLayers. Every operator becomes a layer, or a part of one: neurons and biases become those of the
    layer before them, and constants are computed. Integers and truth values become numbers of the net's dtype, which is
    float64 if an input of the model is, else float32.

    Args:
        path: the file.
        batch_size: samples per step; None: as in the file, or 64 where it leaves them open.
        outputs: names of the outputs that are wanted, or one name; () means all.
        external: read tensors from other files in the folder of the model; by default these are refused.
        batch_axis: which axis of the model's inputs is the batch, such as 1 for (time, batch, features); of an input
            with fewer axes, the last one. An input whose only axis of the same name is another one has it there. In
            blobs it is axis 0. None: the model computes one sample, and blobs get a batch in front of the model's own
            axes. Where axis 0 of an input is open, it is then 1 for every sample, and samples come without it.

        extents: numbers for extents other than the batch that the model leaves open, by their names in the file, such
            as {"time": 32}.
        trained: names of initializers that are trained besides the weights, or patterns of names such as "pos_*"; "*"
            means all. A constant of an addition, product or other formula is trained by itself only if the file says
            that it is a parameter (PyTorch's new exporter does), or, where it says nothing, by the name of a weight
            ("blocks.0.scale"). Initializers that are not trained are logged.

    Raises:
        DataError: no such file, damaged, or not an ONNX model. UnsupportedError: everything that mochac does not
            support, by node. NetError, ShapeError: errors of the net. OptionError: a bad argument, or the package onnx
            is not installed.
    """
    name = rules.path().check("path", path, "onnx.load")
    loaded = converted(read_model(name, external), name, batch_size, outputs, batch_axis, extents, trained)
    net, params = net_of(loaded, name), Params()
    fill_imported(net, params, loaded.arrays, loaded.dtype)
    return net, params


def net_of(loaded: ConvertedModel, path: str) -> Net:
    """The net of a converted model, whose parameters have the shapes of the model's.

    Raises:
        NetError, ShapeError: errors of the net; parameters that do not fit, all of them.
    """
    with from_file(path):
        net = Net(loaded.name, loaded.layers)
    problems: list[MochacError] = []
    for info in (*net.params, *net.states):
        array = loaded.arrays[f"{info.key}___{info.name}"]
        if array.size != math.prod(info.shape):
            rule = f"its {info.name} has another shape in the model"
            where = {"layer": info.layer, "type": net.layer(info.layer).kind, "at": path}
            problems.append(ShapeError(rule, expected=str(info.shape), got=str(array.shape), **where))
    if problems:
        raise combined(problems, path)
    return net


def converted(
    model: Any,
    path: str,
    batch_size: int | None = None,
    outputs: str | Sequence[str] = (),
    batch_axis: int | None = 0,
    extents: Mapping[str, int] | None = None,
    trained: str | Sequence[str] = (),
) -> ConvertedModel:
    """The layers for a model that was read.

    Raises:
        UnsupportedError, OptionError: see load().
    """
    batch_size = or_none(integer(1)).check("batch_size", batch_size)
    batch_axis = or_none(integer(0)).check("batch_axis", batch_axis)
    prepared = prepare(model, path, batch_size, outputs, batch_axis, extents, trained)
    return _Import(prepared, path).run()


class _Import:
    """One import: converts nodes in order, and collects what is wrong."""

    def __init__(self, prepared: PreparedModel, path: str) -> None:
        self.prepared, self.path = prepared, path
        outputs = frozenset(prepared.outputs)
        named = outputs - prepared.open
        names = NodeNames(prepared.nodes, prepared.computed, prepared.arrays, prepared.trained.origins)
        self.builder = NetBuilder(prepared.batch, prepared.dtype, names, prepared.lead, named, outputs)
        self.builder.trains, self.builder.made = prepared.trained.trains, prepared.trained.made
        self.inference = NodeInference(prepared.opset)
        self.uses = Counter(name for node in prepared.nodes for name in node.input if name) + Counter(prepared.outputs)
        self.problems: list[MochacError] = []

    def run(self) -> ConvertedModel:
        self._refuse_unknown()
        info = self.prepared.trained
        for name, array in self.prepared.arrays.items():
            self.builder.values[name] = Constant(array, info.origins.get(name, name), info.roots(name))
        for name, blob in self.prepared.inputs.items():
            self.builder.source(name, blob, self.prepared.step, name in self.prepared.open)
        for proto in self.prepared.nodes:
            if all(not name or name in self.builder.values for name in proto.input):  # else its maker has a problem
                self._convert(self._node(proto))
            if self.builder.budget.exceeded:
                break
        if self.problems:
            raise combined(self.problems, self.path)
        outputs = {name: self._output(name) for name in self.prepared.outputs}
        layers = self.builder.needed(x.name for x in outputs.values())
        weights, roots = self.prepared.arrays, self.builder.roots
        layers, arrays, roots = with_true_names(layers, self.builder.arrays, roots, weights)
        layers = with_rates(layers, arrays, roots, self.prepared.trained.constants)
        layers, arrays = with_shared_weights(layers, arrays, roots)
        say_what_is_trained(self.path, layers, arrays, roots, self.prepared.trained)
        layers, arrays = with_parameter_layers(layers, arrays, roots, weights, self.prepared.trained)
        axes = {name: x.place.at for name, x in outputs.items()}
        return ConvertedModel(self.prepared.name, layers, arrays, self.prepared.dtype, axes)

    def _output(self, name: str) -> BlobTensor:
        """The blob of an output of the model."""
        value = self.builder.values[name]
        if isinstance(value, Constant):
            raise UnsupportedError(f"{self.path}: output {name!r} does not depend on the inputs")
        if value.place.merged:
            rule = f"{self.path}: output {name!r} has an axis that is the batch and another one"
            raise UnsupportedError(rule, got=f"({', '.join(map(str, value.extents))})", hint=UNBATCHED)
        if name in self.prepared.open:
            self.builder.finish(name, value)
        return replace(value, name=name)

    def _refuse_unknown(self) -> None:
        unknown: dict[str, list[str]] = {}
        for node in self.prepared.nodes:
            if not self._known(node):
                kind = f"{node.domain}.{node.op_type}" if node.domain else node.op_type
                unknown.setdefault(kind, []).append(repr(node.name or next(iter(node.output), "")))
        if not unknown:
            return
        details = [f"{kind}: {', '.join(places)}" for kind, places in unknown.items()]
        hint = "outputs=[...] leaves out what only other outputs need"
        raise no_layers(self.path, "operator", details, hint)

    def _known(self, node: Any) -> bool:
        return node.domain in ("", "ai.onnx") and (node.op_type in CONVERTERS or self.prepared.computes(node))

    def _node(self, proto: Any) -> OnnxNode:
        inputs = tuple(self.builder.values[name] if name else None for name in proto.input)
        outputs = self.inference.outputs(proto, inputs)
        uses = tuple(self.uses[name] for name in proto.output)
        return OnnxNode(self.path, inputs, outputs, uses, self.prepared.lead, proto, self.prepared.opset)

    def _convert(self, node: OnnxNode) -> None:
        try:
            found = self._constants(node)
            if found is None and node.type not in CONVERTERS:
                raise node.refused("only constants are computed by it")
            if found is None:
                convert(self.builder, node)
            else:
                self.builder.values.update(zip(node.proto.output, found, strict=False))
        except MochacError as error:
            self.problems += error.problems

    def _constants(self, node: OnnxNode) -> Sequence[Tensor] | None:
        """The outputs of a node that computes constants, or None."""
        if node.type in ("Shape", "Size") and isinstance(node.inputs[0], BlobTensor):
            return [shape_constant(node, node.inputs[0].extents)]
        return folded(node, self.builder.budget)


def onnx_script(
    source: Path, target: Path, batch_axis: int | None = 0, extents: Mapping[str, int] | None = None,
    trained: Sequence[str] = (),
) -> list[Path]:  # fmt: skip
    """Write the net to `target`, and its parameters to an HDF5 file beside it; returns the paths.

    Args:
        batch_axis, extents, trained: as in mochac.onnx.load.

    Raises: as mochac.onnx.load.
    """
    loaded = converted(read_model(source), str(source), batch_axis=batch_axis, extents=extents, trained=trained)
    net = net_of(loaded, str(source))
    model = target.with_suffix(".h5")
    names = variables([layer.name for layer in net.layers], TAKEN)
    lines = [f'"""{docstring(net.name)}, converted from the ONNX model {docstring(source.name)}."""', ""]
    lines += ["import mochac", "from mochac import *", ""]
    lines += [statement(name, layer) for name, layer in zip(names, net.layers, strict=True)]
    lines += ["", list_statement(f"net = Net({expression(net.name)}, [", names, "])"), "", ""]
    lines += ['if __name__ == "__main__":']
    dtype = "" if loaded.dtype == "float32" else f', dtype="{loaded.dtype}"'
    lines += [f"    program = mochac.compile(net{dtype})", f"    program.load({expression(model.name)})", ""]
    target.write_text("\n".join(lines), encoding="utf-8")
    save_model(model, loaded.arrays)
    return [target, model]
