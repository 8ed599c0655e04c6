"""Parameters and states of a program, written into a module of PyTorch: what Program.to_torch does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mochac.base.errors import OptionError, SnapshotError, shown


def write_weights(arrays: Mapping[str, np.ndarray], module: Any, net: str) -> None:
    """Copy arrays by the names of module.state_dict() into its tensors, all or none; see Program.to_torch.

    Args:
        net: the name of the net, for messages.
    """
    if not callable(getattr(module, "named_parameters", None)) or not callable(getattr(module, "state_dict", None)):
        raise OptionError("to_torch: not a module", expected="torch.nn.Module", got=shown(module))
    entries = module.state_dict(keep_vars=True)
    tensors = {name: tensor for name, tensor in entries.items() if hasattr(tensor, "copy_")}
    parameters = {id(tensor) for tensor in module.parameters()}
    problems = list(_problems(arrays, tensors, parameters))
    if problems:
        n = f"{len(problems)} problem{'s' * (len(problems) > 1)}"
        rule = f"module {type(module).__name__} cannot take the parameters of net {net!r}: {n}; nothing is changed"
        raise SnapshotError(rule, details=problems)
    import torch

    with torch.no_grad():
        for name, array in arrays.items():
            tensors[name].copy_(torch.from_numpy(np.ascontiguousarray(array)).reshape(tensors[name].shape))


def _problems(arrays: Mapping[str, np.ndarray], tensors: Mapping[str, Any], parameters: set[int]) -> Iterator[str]:
    """Everything that does not fit. Buffers without an array keep their values; a tensor with several names needs one
    array."""
    names: dict[int, list[str]] = {}
    for name, tensor in tensors.items():
        names.setdefault(id(tensor), []).append(name)
    for same in names.values():
        tensor, present = tensors[same[0]], [name for name in same if name in arrays]
        if not present and id(tensor) in parameters:
            yield f"missing      {same[0]} {_shape(tensor)}"
        for name in present:
            if _shape(tensor) != str(arrays[name].shape) and not (arrays[name].shape == (1,) and not tensor.ndim):
                yield f"wrong shape  {name} {arrays[name].shape}, but the module's is {_shape(tensor)}"
            elif tensor.is_meta:
                yield f"no memory    {name} is on the device 'meta'"
        for name in present[1:]:
            if not np.array_equal(arrays[name], arrays[present[0]], equal_nan=True):
                yield f"two values   {name} and {present[0]}, which are one tensor of the module"
    for name in arrays:
        if name not in tensors:
            yield f"unexpected   {name} {arrays[name].shape}"


def _shape(tensor: Any) -> str:
    """The shape of a tensor, which a lazy module does not know yet."""
    lazy = "Uninitialized" in type(tensor).__name__
    return "of no shape yet" if lazy else str(tuple(tensor.shape))
