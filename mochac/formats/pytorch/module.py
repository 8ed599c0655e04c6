"""from_torch: a PyTorch module as a Net that trains, with its weights in a parameter store."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from mochac.base.errors import MochacError, OptionError, UnsupportedError
from mochac.base.hints.calls import checked_call
from mochac.base.rules import integer, or_none
from mochac.formats.pytorch.converters import (
    ATEN,
)
from mochac.formats.pytorch.exported import (
    call_arguments,
    exported,
)
from mochac.formats.pytorch.module_import import imported
from mochac.formats.pytorch.own_gradients import functions_applied, refuse_own_gradients
from mochac.formats.pytorch.package import torch_package
from mochac.nets.net import Net
from mochac.runtime.data.params import Params
from mochac.training.session.net_parameters import fill_imported

OTHER_BATCHES = (13, 17)
"""Numbers of samples that few modules have as another extent."""


@checked_call
def from_torch(
    module: Any, example_inputs: Any, batch_axis: int | None = 0, batch_size: int | None = None
) -> tuple[Net, Params]:
    """A PyTorch module as a Net of layers that train, and a store with its parameters, for compile(net, params=...).

    torch.export traces the module as it is: in training or evaluation mode, each submodule in its own. Dropout is on in
    training, batch normalization has its running statistics, parameters with requires_grad=False are frozen, parameters
    that the module shares are shared, and those computed from parameters, such as by weight_norm, are computed in the
    net. Parameters keep their names: program.state_dict() has those of module.state_dict(). Nothing decays: a solver
    says so, such as `solver_from_torch`.

    Args:
        module: a torch.nn.Module. If it returns losses, the net trains without a loss layer.
        example_inputs: a tensor, a tuple of arguments, or a dictionary of keyword arguments of its forward().
        batch_axis: which axis of the inputs is the batch, such as 1 for (time, batch, features); of an input with fewer
            axes, the last one. In blobs it is axis 0. None: the module computes one sample.
        batch_size: samples of a step; None: as in the example inputs.

    Returns:
        (net, params). The net has an InputLayer for each input, with the name of forward's parameter, and its outputs
        are the blobs `output`, or `output0`, `output1`, ... in the module's order.

    Raises:
        UnsupportedError: everything that mochac cannot compute exactly, with the module's path and the user's line.
        OptionError: a bad argument, or PyTorch is not installed.
    """
    torch = torch_package()
    if not isinstance(module, torch.nn.Module):
        raise OptionError("from_torch: not a module", expected="a torch.nn.Module", got=type(module).__name__)
    args, kwargs = call_arguments(example_inputs)
    args, kwargs, batch = _of_batch(args, kwargs, batch_axis, batch_size)
    name = type(module).__name__
    with functions_applied() as applied:
        graph = exported(module, args, kwargs, ATEN)
    refuse_own_gradients(name, applied)
    for leaf in graph.leaves.values():
        if leaf.tensor.is_meta:
            raise OptionError(
                f"from_torch: {leaf.name} is on the device 'meta'", hint="load the module's weights first"
            )
    tensors = [leaf.tensor for leaf in graph.leaves.values()] + list(graph.inputs.values())
    dtype = "float64" if any(t.dtype == torch.float64 for t in tensors) else "float32"
    try:
        result = imported(name, graph, dtype, batch, batch_axis)
    except UnsupportedError as error:
        other = next(n for n in OTHER_BATCHES if n != batch)
        if batch_axis is None or not _is_imported(module, args, kwargs, batch_axis, other):
            raise
        why = f"{batch} is the number of samples and another extent of the module"
        raise error.noted(f"hint: batch_size={other} is imported: {why}") from None
    net, params = Net(name, result.layers), Params()
    fill_imported(net, params, result.arrays, dtype)
    return net, params


def _is_imported(module: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any], axis: int, size: int) -> bool:
    """Whether a module is imported with another number of samples."""
    args, kwargs, batch = _of_batch(args, kwargs, axis, size)
    try:
        imported(type(module).__name__, exported(module, args, kwargs, ATEN), "float32", batch, axis)
    except MochacError:
        return False
    return True


def _of_batch(
    args: tuple[Any, ...], kwargs: Mapping[str, Any], axis: int | None, size: int | None
) -> tuple[tuple[Any, ...], dict[str, Any], int]:
    """The inputs with `size` samples, repeated from the example, and their number."""
    torch, pytree = torch_package(), torch_package("utils._pytree")
    axis = or_none(integer(0)).check("batch_axis", axis, "from_torch")
    size = or_none(integer(1)).check("batch_size", size, "from_torch")
    leaves, spec = pytree.tree_flatten((args, dict(kwargs)))
    tensors = [x for x in leaves if isinstance(x, torch.Tensor)]
    if not tensors:
        raise OptionError("from_torch: example_inputs has no tensor")
    if axis is None:
        return args, dict(kwargs), size or 1
    if any(not x.ndim for x in tensors):
        raise OptionError("from_torch: an input has no axes, so no batch", hint="batch_axis=None if it is one sample")
    counts = {x.shape[min(axis, x.ndim - 1)] for x in tensors}
    if len(counts) > 1:
        got = ", ".join(str(tuple(x.shape)) for x in tensors)
        raise OptionError(f"from_torch: inputs differ in samples along axis {axis}", got=got)
    (own,) = counts
    wanted = own if size is None else size
    return *pytree.tree_unflatten([_repeated(x, axis, wanted) for x in leaves], spec), wanted


def _repeated(x: Any, axis: int, count: int) -> Any:
    """A tensor with this many samples."""
    if not isinstance(x, torch_package().Tensor) or x.shape[min(axis, x.ndim - 1)] == count:
        return x
    at = min(axis, x.ndim - 1)
    times = [math.ceil(count / x.shape[at]) if a == at else 1 for a in range(x.ndim)]
    return x.repeat(times).narrow(at, 0, count).contiguous()
