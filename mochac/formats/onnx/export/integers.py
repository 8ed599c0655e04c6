"""Inputs of a model that hold integers: those of which only integers are made, such as word ids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mochac.base.files.onnx.package import onnx_package

MOVES = ("Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze")
"""Operators that rearrange their first operand, whatever its type."""


def integer_inputs(
    nodes: Sequence[Any], inputs: Sequence[str], outputs: Sequence[str]
) -> tuple[list[Any], dict[str, int]]:
    """The nodes without the casts of inputs that are read as integers of one type alone, and the types of these inputs.

    Args:
        outputs: tensors whose types must stay.
    """
    readers: dict[str, list[Any]] = {}
    for node in nodes:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    found: dict[str, int] = {}
    instead: dict[str, str] = {}
    for name in inputs:
        casts = _casts(name, readers, set(outputs))
        kinds = {node.attribute[0].i for node in casts or ()}
        if casts is not None and len(kinds) == 1 and kinds <= _integers():
            found[name] = kinds.pop()
            instead.update((node.output[0], node.input[0]) for node in casts)
    kept = [node for node in nodes if not (node.op_type == "Cast" and node.output[0] in instead)]
    for node in kept:
        node.input[:] = [instead.get(name, name) for name in node.input]
    return kept, found


def _integers() -> set[int]:
    proto = onnx_package().TensorProto
    return {proto.INT32, proto.INT64}


def _casts(name: str, readers: dict[str, list[Any]], outputs: set[str]) -> list[Any] | None:
    """The casts that a tensor goes to, some of them after moves; None if something else reads it."""
    casts: list[Any] = []
    names = [name]
    while names:
        name = names.pop()
        if name in outputs:
            return None
        for node in readers.get(name, ()):
            if node.op_type == "Cast" and node.output[0] not in outputs:
                casts.append(node)
            elif node.op_type in MOVES and node.input[0] == name and list(node.input).count(name) == 1:
                names.append(node.output[0])
            else:
                return None
    return casts or None
