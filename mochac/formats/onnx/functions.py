"""inlined: an ONNX model whose functions are replaced by the nodes that they stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.base.files.onnx.read import onnx_package
from mochac.formats.onnx.fold import FOLDED, MAX_CALLS, MAX_NODES, expanded_nodes
from mochac.formats.onnx.operator import CONVERTERS

ROUNDS = 4
"""How often functions inside functions are inlined."""


def inlined(model: Any, path: str) -> Any:
    """The model without calls of its own functions, nor of ONNX's operators that are functions of others.

    Raises:
        UnsupportedError: they stand for too many nodes, or cannot be inlined.
    """
    if model.functions and (count := expanded_nodes(model)) > MAX_NODES:
        raise _too_many(path, "nodes", MAX_NODES, count)
    keep, most = {*CONVERTERS, *FOLDED}, max(MAX_NODES, len(model.graph.node))
    for _ in range(ROUNDS):
        calls = _calls(model, keep)
        if not calls:
            break
        if calls > MAX_CALLS:
            raise _too_many(path, "calls of functions", MAX_CALLS, calls)
        try:
            inline, names = onnx_package("inliner").inline_selected_functions, [("", name) for name in keep]
            model = inline(_with_defaults(model), names, exclude=True, inline_schema_functions=True)
        except Exception as error:  # the inliner's own
            raise UnsupportedError(f"{path}: its functions cannot be inlined", got=str(error)) from None
        if (count := len(model.graph.node)) > most:
            raise _too_many(path, "nodes", most, count)
    return model


def _too_many(path: str, what: str, most: int, count: int) -> UnsupportedError:
    rule = f"{path}: its functions stand for too many {what}"
    return UnsupportedError(rule, expected=f"at most {most:,}", got=f"{count:,}")


def _calls(model: Any, keep: Container[str]) -> int:
    """How many nodes are calls of the model's own functions, or of operators that are functions of others, apart from
    those in `keep`."""
    own = {(function.domain, function.name) for function in model.functions}
    versions = {o.domain if o.domain != "ai.onnx" else "": o.version for o in model.opset_import}
    counts = Counter((node.domain if node.domain != "ai.onnx" else "", node.op_type) for node in model.graph.node)

    def expands(domain: str, operator: str) -> bool:
        if (domain, operator) in own:
            return True
        defs = onnx_package().defs
        if (not domain and operator in keep) or not defs.has(operator, domain):
            return False
        try:
            schema = defs.get_schema(operator, versions.get(domain, 0), domain)
        except defs.SchemaError:  # newer than the model
            return False
        return schema.has_function or schema.has_context_dependent_function

    return sum(count for (domain, operator), count in counts.items() if expands(domain, operator))


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
