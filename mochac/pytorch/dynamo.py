"""torch.compile(module, backend="mochac"): predictions of a module, computed by mochac.

Dynamo hands over the graph of what a module computes between two graph breaks, with parameters and buffers among its
inputs. It is imported as by from_torch. What that refuses, and all that wants gradients, runs in PyTorch as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mochac.compiler import compile
from mochac.errors import MochacError, UnsupportedError
from mochac.pytorch.module import from_torch
from mochac.pytorch.package import torch_package
from mochac.runtime.support.log import LOG

Call = Callable[..., Any]
_HELD = re.compile(r"(.*)_(?:parameters|buffers)_(.*?)_*")
"""A placeholder of a parameter or buffer: its module and its name there."""


def backend(graph_module: Any, example_inputs: Sequence[Any]) -> Call:
    """The backend "mochac" of torch.compile: a function of the inputs of an FX graph."""
    return torch_package("_dynamo").disable(GraphCalls(graph_module))


class GraphCalls:
    """Calls of a graph, which is imported for each shape of its inputs, and again when its parameters have changed.

    Args:
        graph_module: with a placeholder for each input, parameter and buffer.
    """

    def __init__(self, graph_module: Any) -> None:
        self.graph_module = graph_module
        names = [str(fx.target) for fx in graph_module.graph.nodes if fx.op == "placeholder"]
        self.held = [_HELD.fullmatch(name) for name in names]
        self.imported: dict[Any, tuple[Any, Call]] = {}

    def __call__(self, *args: Any) -> Any:
        """The graph's results."""
        shapes = tuple(_shape(x) for x in args)
        held = [x for x, held in zip(args, self.held, strict=True) if held]
        versions = [(id(x), 0 if x.is_inference() else x._version) for x in held]
        if shapes not in self.imported or self.imported[shapes][0] != versions:
            self.imported[shapes] = versions, self._imported(args)
        return self.imported[shapes][1](*args)

    def _imported(self, args: Sequence[Any]) -> Call:
        try:
            return self._program(args)
        except MochacError as error:
            LOG.warning("torch.compile: a graph runs in PyTorch: %s", " ".join(str(error).split()))
            return self.graph_module.forward

    def _program(self, args: Sequence[Any]) -> Call:
        """A program for the graph.

        Raises:
            MochacError: it cannot be computed exactly.
        """
        torch = torch_package()
        tensors = [x for x in args if isinstance(x, torch.Tensor)]
        if torch.is_grad_enabled() and any(x.requires_grad for x in tensors):
            raise UnsupportedError("gradients are wanted", hint="torch.no_grad(); mochac.from_torch for training")
        if any(x.device.type != "cpu" for x in tensors):
            raise UnsupportedError("tensors on another device than the CPU")
        places = [k for k, own in enumerate(self.held) if _is_input(args[k], own)]
        net, params, axis = self._net(args, places)
        if net.losses or any(layer.kind in ("Dropout", "RandomMask") or getattr(layer, "dropout", 0) or
                             getattr(layer, "frozen_statistics", True) is False for layer in net.layers):  # fmt: skip
            raise UnsupportedError("it is in training mode, or returns a loss", hint="module.eval()")
        with torch.no_grad():
            expected = self.graph_module(*args)
        dtype = "float64" if any(x.dtype == torch.float64 for x in tensors) else "float32"
        program = compile(net, params=params, dtype=dtype)
        names = [layer.tops[0] for layer in net.layers if layer.kind == "Input"]
        outputs = ["output"] if len(expected) == 1 else [f"output{k}" for k in range(len(expected))]

        def call(*args: Any) -> Any:
            given = [_numbers(args[k]) if axis == 0 else _numbers(args[k])[None] for k in places]
            found = program.predict(dict(zip(names, given, strict=True)), outputs)
            return type(expected)(
                torch.from_numpy(np.array(y)).to(x.dtype).reshape(x.shape) for x, y in zip(expected, found, strict=True)
            )

        return call

    def _net(self, args: Sequence[Any], places: Sequence[int]) -> tuple[Any, Any, int | None]:
        """The graph as a net: of samples along axis 0 of its inputs, or else of all as one sample."""
        example = tuple(args[k] for k in places)
        module = _closed(self.graph_module, args, self.held)
        try:
            return *from_torch(module, example), 0
        except MochacError as first:
            try:
                return *from_torch(module, example, batch_axis=None), None
            except MochacError:
                raise first from None


def _closed(graph_module: Any, args: Sequence[Any], held: Sequence[re.Match[str] | None]) -> Any:
    """A module with these parameters and buffers, in evaluation mode, which returns tensors alone."""
    torch = torch_package()

    class Closed(torch.nn.Module):
        def forward(self, *inputs: Any) -> Any:
            given = iter(inputs)
            results = graph_module(
                *(next(given) if _is_input(x, own) else x for x, own in zip(args, held, strict=True))
            )
            if not all(isinstance(y, torch.Tensor) for y in results):
                raise UnsupportedError("it returns more than tensors")
            return results

    module = Closed().eval()
    for x, own in zip(args, held, strict=True):
        if own:
            if own[1] not in module._modules:
                module.add_module(own[1], torch.nn.Module())
            owner = module._modules[own[1]]
            (owner.register_parameter if isinstance(x, torch.nn.Parameter) else owner.register_buffer)(own[2], x)
    return module


def _is_input(x: Any, own: re.Match[str] | None) -> bool:
    return own is None and isinstance(x, torch_package().Tensor)


def _shape(x: Any) -> Any:
    return (tuple(x.shape), x.dtype, x.requires_grad) if hasattr(x, "shape") else x


def _numbers(x: Any) -> np.ndarray:
    x = x.detach()
    return (x.float() if x.is_floating_point() and x.element_size() < 4 else x).numpy()
