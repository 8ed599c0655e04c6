"""torch.compile(module, backend="mochac"): predictions of a module, computed by mochac.

Dynamo hands over the graph of what a module computes between two graph breaks, with parameters and buffers among its
inputs. It is imported as by from_torch. What that refuses, and all that wants gradients, runs in PyTorch as it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mochac.api.compiler import compile
from mochac.base.errors import MochacError, UnsupportedError
from mochac.base.support.log import LOG
from mochac.formats.pytorch.module import from_torch
from mochac.formats.pytorch.package import torch_package

Call = Callable[..., Any]
_OWNED = re.compile(r"(.*)_(?:parameters|buffers)_(.*?)_*")
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
        self.owned = [_OWNED.fullmatch(name) for name in names]
        self.imported: dict[Any, tuple[Any, Call | None]] = {}

    def __call__(self, *args: Any) -> Any:
        """The graph's results."""
        shapes = torch_package().is_grad_enabled(), *map(_shape, args)
        owned = [x for x, owned in zip(args, self.owned, strict=True) if owned]
        versions = [(id(x), 0 if x.is_inference() else x._version) for x in owned]
        known, call = self.imported.get(shapes, ([], None))
        if call is None or known not in (versions, None):
            self.imported[shapes] = _, call = self._imported(args, versions)
        return call(*args)

    def _imported(self, args: Sequence[Any], versions: Any) -> tuple[Any, Call]:
        """A program, for parameters of these versions; or PyTorch's own function, for all."""
        try:
            return versions, self._program(args)
        except MochacError as error:
            LOG.warning("torch.compile: a graph runs in PyTorch: %s", " ".join(str(error).split()))
            return None, self.graph_module.forward

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
        expected = self._results(args)
        places = _inputs(args, self.owned)
        net, params, axis = self._net(args, places)
        if net.losses or any(layer.kind in ("Dropout", "RandomMask") or getattr(layer, "dropout", 0) or
                             getattr(layer, "frozen_statistics", True) is False for layer in net.layers):  # fmt: skip
            raise UnsupportedError("it is in training mode, or returns a loss", hint="module.eval()")
        dtype = "float64" if any(x.dtype == torch.float64 for x in tensors) else "float32"
        program = compile(net, params=params, dtype=dtype)
        names = [layer.tops[0] for layer in net.layers if layer.kind == "Input"]
        outputs = ["output"] if len(expected) == 1 else [f"output{k}" for k in range(len(expected))]

        def call(*args: Any) -> Any:
            arrays = [_numbers(args[k]) if axis == 0 else _numbers(args[k])[None] for k in places]
            found = program.predict(dict(zip(names, arrays, strict=True)), outputs)
            return tuple(
                torch.from_numpy(np.array(y)).to(x.dtype).reshape(x.shape) for x, y in zip(expected, found, strict=True)
            )

        return call

    def _results(self, args: Sequence[Any]) -> Sequence[Any]:
        """PyTorch's results, for their shapes.

        Raises:
            UnsupportedError: they are not tensors alone, or a tensor changes in place.
        """
        torch = torch_package()
        with torch.inference_mode(False), torch.no_grad():
            copies = [x.clone() if isinstance(x, torch.Tensor) else x for x in args]
            results = self.graph_module(*copies)
        if not all(isinstance(y, torch.Tensor) for y in results):
            raise UnsupportedError("it returns more than tensors")
        if any(x._version for x in copies if isinstance(x, torch.Tensor)):
            raise UnsupportedError("it changes a tensor in place")
        return results

    def _net(self, args: Sequence[Any], places: Sequence[int]) -> tuple[Any, Any, int | None]:
        """The graph as a net: of samples along axis 0 of its inputs, or else of all as one sample."""
        example = tuple(args[k] for k in places)
        module = _closed(self.graph_module, args, self.owned)
        try:
            return *from_torch(module, example), 0
        except MochacError as first:
            try:
                return *from_torch(module, example, batch_axis=None), None
            except MochacError:
                raise first from None


def _closed(graph_module: Any, args: Sequence[Any], owned: Sequence[re.Match[str] | None]) -> Any:
    """A module with these parameters and buffers, in evaluation mode."""
    nn = torch_package("nn")

    class Closed(nn.Module):
        def forward(self, *inputs: Any) -> Any:
            arrays = dict(zip(_inputs(args, owned), inputs, strict=True))
            return graph_module(*(arrays.get(k, x) for k, x in enumerate(args)))

    module = Closed().eval()
    for x, own in zip(args, owned, strict=True):
        if own:
            if own[1] not in module._modules:
                module.add_module(own[1], nn.Module())
            setattr(module._modules[own[1]], own[2], x if isinstance(x, nn.Parameter) else nn.Buffer(x))
    return module


def _inputs(args: Sequence[Any], owned: Sequence[Any]) -> list[int]:
    """Where inputs of the module are."""
    return [k for k, (x, own) in enumerate(zip(args, owned, strict=True)) if not own and hasattr(x, "shape")]


def _shape(x: Any) -> Any:
    return (tuple(x.shape), x.dtype, x.requires_grad) if hasattr(x, "shape") else x


def _numbers(x: Any) -> np.ndarray:
    x = x.detach()
    return (x.float() if x.is_floating_point() and x.element_size() < 4 else x).numpy()
