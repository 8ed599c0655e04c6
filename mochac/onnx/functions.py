"""inlined: an ONNX model whose functions are replaced by the nodes that they stand for."""

from __future__ import annotations

from typing import Any

from mochac.errors import UnsupportedError
from mochac.onnx.budget import MAX_NODES, expanded_nodes
from mochac.onnx.converters import CONVERTERS
from mochac.onnx.files.package import onnx_package
from mochac.onnx.fold import FOLDED

ROUNDS = 4
"""How often functions inside functions are inlined."""


def inlined(model: Any, path: str) -> Any:
    """The model without calls of its own functions, nor of ONNX's operators that are functions of others.

    Raises:
        UnsupportedError: they stand for too many nodes, or cannot be inlined.
    """
    if model.functions and (count := expanded_nodes(model)) > MAX_NODES:
        rule = f"{path}: its functions stand for too many nodes"
        raise UnsupportedError(rule, expected=f"at most {MAX_NODES:,}", got=f"{count:,}")
    inline = onnx_package("inliner").inline_selected_functions
    try:
        for _ in range(ROUNDS):
            before = len(model.graph.node)
            model = _with_defaults(model)
            keep = [("", name) for name in {*CONVERTERS, *FOLDED}]
            model = inline(model, keep, exclude=True, inline_schema_functions=True)
            if len(model.graph.node) == before:
                break
    except Exception as error:  # the inliner's own
        raise UnsupportedError(f"{path}: its functions cannot be inlined", got=str(error)) from None
    return model


def _with_defaults(model: Any) -> Any:
    """The model with default attributes of those ONNX operators that are functions; the inliner leaves them out."""
    onnx = onnx_package()
    made = onnx.ModelProto()
    made.CopyFrom(model)
    version = next((o.version for o in model.opset_import if o.domain in ("", "ai.onnx")), 0)
    for node in made.graph.node:
        if node.domain not in ("", "ai.onnx") or not onnx.defs.has(node.op_type):
            continue
        schema = onnx.defs.get_schema(node.op_type, version)
        if schema.has_function or schema.has_context_dependent_function:
            stated = {attribute.name for attribute in node.attribute}
            defaults = [a.default_value for name, a in schema.attributes.items() if name not in stated]
            node.attribute.extend(value for value in defaults if value.type)
    return made
