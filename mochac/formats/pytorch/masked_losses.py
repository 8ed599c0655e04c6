"""Losses of chosen elements, F.mse_loss(x[mask], y[mask]), while a module is traced.

torch.export does not know that both have as many elements, and stops. The same loss, of all elements with
reduction="none", is a tensor of fixed shape, of which the mask then chooses elements.
"""

from __future__ import annotations

from inspect import signature
from typing import Any

from mochac.formats.pytorch.package import torch_package

_OF_ELEMENTS = (
    "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits"
)  # fmt: skip


class MaskedLosses:
    """Elements that masks have chosen, and losses of them.

    Attributes:
        functions: loss functions of torch.nn.functional.
    """

    def __init__(self) -> None:
        functional = torch_package("nn.functional")
        self.functions = {getattr(functional, name) for name in (*_OF_ELEMENTS, "cross_entropy")}
        self._chosen: dict[int, tuple[Any, Any, Any]] = {}

    def note(self, result: Any, x: Any, index: Any) -> None:
        """Note that result = x[index], if the index is a mask."""
        if isinstance(index, torch_package().Tensor) and index.dtype == torch_package().bool:
            self._chosen[id(result)] = result, x, index

    def loss(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """The loss; of elements that the same mask chooses, computed from all elements."""
        call = signature(function).bind(*args, **kwargs)
        call.apply_defaults()
        how = call.arguments
        x, y = (self._chosen.get(id(how[name]), (None, None, None))[1:] for name in ("input", "target"))
        reduction, plain = how["reduction"], all(how.get(name) is None for name in ("weight", "pos_weight"))
        if x[0] is None or x[1] is not y[1] or reduction not in ("mean", "sum") or not plain:
            return function(*args, **kwargs)
        scores, target, mask = x[0], y[0], x[1]
        of_all = {**how, "input": scores, "target": target, "reduction": "none"}
        if function.__name__ != "cross_entropy":
            each = function(**of_all)[mask]
            return each.mean() if reduction == "mean" else each.sum()
        if mask.ndim != target.ndim:  # probabilities, or more axes than those of the mask
            return function(*args, **kwargs)
        each = function(**{**of_all, "input": scores.movedim(-1, 1)})[mask].sum()
        counted = mask & (target != how["ignore_index"])
        return each / counted.sum() if reduction == "mean" else each
