"""named_outputs: outputs of a model get the names of their blobs.

Names of tensors in an ONNX graph are unique. Inputs and parameters keep theirs, so the output of a blob with such a
name is called `NAME.output`. Other tensors are renamed if an output needs their name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.base.escaping import unused
from mochac.base.files.onnx.package import onnx_package
from mochac.base.records import record
from mochac.formats.onnx.export.graph import WrittenNodes


@record
class NamedOutputs:
    """The nodes of a model with named outputs.

    Attributes:
        names: of the output of each blob.
        renamed: new names of tensors by the old ones, also of initializers.
    """

    nodes: list[Any]
    names: dict[str, str]
    renamed: dict[str, str]


def named_outputs(written: WrittenNodes, blobs: Sequence[str]) -> NamedOutputs:
    """Name the tensors of these blobs after them; Identity copies what has another name as well."""
    writer, tensors = written.writer, written.outputs
    made = {name for node in writer.nodes for name in node.output}
    fixed = {*writer.feeds, *written.parameters}
    inner = {*made, *writer.arrays, *writer.derivations}
    taken = {*inner, *fixed, *blobs}
    names = {blob: unused(f"{blob}.output", taken) if blob in fixed else blob for blob in blobs}
    renamed: dict[str, str] = {}
    for blob in sorted(blobs, key=lambda blob: tensors[blob] != blob):  # a blob with the name of its tensor comes first
        if tensors[blob] in made:
            renamed.setdefault(tensors[blob], names[blob])
    for name in names.values():
        if name in inner and name not in renamed:
            renamed[name] = unused(f"{name}.inner", taken)
            taken.add(renamed[name])
    for node in writer.nodes:
        for tensors_of_node in (node.input, node.output):
            tensors_of_node[:] = [renamed.get(name, name) for name in tensors_of_node]
    nodes = list(writer.nodes)
    for blob, name in names.items():
        tensor = renamed.get(tensors[blob], tensors[blob])
        if tensor != name:
            nodes.append(onnx_package("helper").make_node("Identity", [tensor], [name], name=name))
    return NamedOutputs(nodes, names, renamed)
