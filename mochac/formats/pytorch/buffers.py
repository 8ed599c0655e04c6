"""Buffers that a module changes in its forward(): which of them are states of the net, and what is refused.

In the graph, changes in place are results: `ExportedModule.updated` says which node is the new value of a buffer.
Running statistics of batch normalizations are states of their layers. Others become BufferLayers, whose new values
BufferUpdateLayers take, and so do parameters without a gradient that the module changes, such as those of a teacher.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from mochac.base.errors import MochacError
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import BlobTensor, Constant
from mochac.formats.pytorch.builder import AtenNode, TorchBuilder
from mochac.formats.pytorch.converters import Objective
from mochac.formats.pytorch.exported import ExportedModule, independent, operation_of

_NORM = "_native_batch_norm_legit_functional"


def running_statistic(fx: Any) -> Any:
    """The node of a running statistic that a node is the new value of; None for other nodes."""
    if operation_of(fx) != "getitem":
        return None
    source, k = fx.args
    return source.args[k] if operation_of(source) == _NORM and k in (3, 4) else None


def buffers_of(graph: ExportedModule) -> dict[str, Any]:
    """The tensors of a module that become BufferLayers, with the node of the new value.

    Left out are running statistics of batch normalizations, and counters of calls that no result depends on.
    """
    constants = independent(graph.nodes, graph.fixed)
    return {
        name: fx
        for name, fx in graph.updated.items()
        if running_statistic(fx) is None and (fx not in constants or _matters(graph, name, constants))
    }


def _matters(graph: ExportedModule, buffer: str, constants: frozenset[Any]) -> bool:
    """Whether a value other than constants, or an output, depends on a buffer."""
    reached = [fx for fx, leaf in graph.leaves.items() if leaf.name == buffer]
    for fx in reached:
        reached += [user for user in fx.users if user.op != "output" and user not in reached]
    return any(fx in graph.outputs or fx not in constants for fx in reached)


def lost_changes(graph: ExportedModule, path: str) -> Iterator[MochacError]:
    """Errors about changes that the net would lose: those of trained parameters, and those of running statistics that
    anything but their batch normalization reads."""
    leaves = {leaf.name: (fx, leaf) for fx, leaf in graph.leaves.items()}
    for name, new in graph.updated.items():
        fx, leaf = leaves[name]
        node = AtenNode(path, (), (), (), fx=new)
        if leaf.trained:
            hint = "requires_grad_(False) if only forward() changes it; else change it between steps"
            yield node.refused(f"forward() changes the parameter {name!r}, which is trained", hint=hint)
        readers = [user for statistic in (fx, new) for user in statistic.users if user.op != "output"]
        others = [user for user in readers if operation_of(user) != _NORM]
        if running_statistic(new) is not None and others:
            rule = f"it reads the running statistic {name!r} of a batch normalization, which changes in each step"
            yield AtenNode(path, (), (), (), fx=others[0]).refused(
                rule, hint="compute such a statistic as a buffer of the module's own, or take the module's eval()"
            )


def updated_buffer(b: TorchBuilder, node: AtenNode, buffer: BlobTensor, value: Any) -> BlobTensor:
    """A BufferUpdateLayer for the new value of a buffer; returns what the nodes behind it read.

    Raises:
        UnsupportedError: the value holds samples.
    """
    name = buffer.name
    new = value.value(b, node) if isinstance(value, Objective) else value
    if not isinstance(new, BlobTensor | Constant):
        raise node.refused(f"the new value of the buffer {name!r} is random")
    new = b.fixed(node, new)
    if new.samples:
        hint = "a mean over the batch has one value for all samples"
        raise node.refused(f"it stores values of samples in the buffer {name!r}", got=new.extents, hint=hint)
    new = reshaped(b, node, new, buffer.shape, last=False)
    top = b.between("BufferUpdate", node, [buffer, new], buffer.shape)
    b.reads[top.name] = 2
    return replace(top, element=buffer.element)
