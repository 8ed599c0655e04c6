"""AtenNode: a node of the graph of a PyTorch module with its arguments resolved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Any

from mochac.base.records import record
from mochac.formats.importing.node import ImportedNode

ACROSS = (
    "return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: "
    "docs/guide/losses.md, Losses across samples"
)
"""The hint for operations in which samples meet."""

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


@record(eq=False)
class AtenNode(ImportedNode):
    """A node.

    Attributes:
        fx: its FX node.
        arguments: tensors, numbers and lists of these, by their names in the operation's schema; all are there.
        owner: the module whose parameters its layer takes; "" for none.
    """

    fx: Any = None
    arguments: Mapping[str, Any] = field(default_factory=dict)
    owner: str = ""

    @property
    def type(self) -> str:
        """Its operation, such as "conv2d"."""
        return operation_of(self.fx)

    @property
    def tops(self) -> Sequence[str]:
        """Names of its outputs."""
        return output_names(self.fx)

    @property
    def module(self) -> str:
        """Path of the module that calls it."""
        stack = list((self.fx.meta.get("nn_module_stack") or {}).values())
        return re.sub(r"^L\['self'\]\.?", "", stack[-1][0]) if stack else ""

    @property
    def name(self) -> str:
        """Its module and its own name."""
        return f"{self.module}.{self.fx.name}".strip(".")

    @property
    def origin(self) -> tuple[str, int]:
        """The line of the user's code that calls it: the innermost one that is not PyTorch's."""
        frames = [(f, int(n)) for f, n in _FRAME.findall(self.fx.meta.get("stack_trace") or "")]
        own = [frame for frame in frames if not re.search(r"[/\\]torch[/\\]", frame[0])]
        return (own or frames or [(self.path, 0)])[-1]

    @property
    def at(self) -> str:
        """File and line of the user's code."""
        file, line = self.origin
        return f"{file}:{line}" if line else file


def operation_of(fx: Any) -> str:
    """The name of an operation without its overload; with its library if that is not ATen.

    >>> from types import SimpleNamespace as Of
    >>> operation_of(Of(target=Of(_schema=Of(name="aten::add"))))
    'add'
    """
    schema = getattr(fx.target, "_schema", None)
    return schema.name.removeprefix("aten::") if schema else getattr(fx.target, "__name__", str(fx.target))


def output_names(fx: Any) -> tuple[str, ...]:
    """A name for each tensor that a node makes."""
    value = fx.meta.get("val")
    if isinstance(value, list | tuple):
        return tuple(f"{fx.name}.{k}" for k in range(len(value)))
    return (fx.name,)
