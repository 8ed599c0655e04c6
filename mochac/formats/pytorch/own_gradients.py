"""Functions with gradients of their own, torch.autograd.Function: torch.export traces what they compute, and loses how
their gradient is written.

So each is tried on random numbers: one whose gradient is the derivative of what it computes, such as an activation that
saves memory, is imported; any other one, such as a reversed gradient or a straight-through estimator, is refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.formats.pytorch.package import torch_package


@contextmanager
def functions_applied() -> Iterator[dict[Any, tuple[Any, ...]]]:
    """Yields the functions that are called meanwhile, without PyTorch's own, with the arguments of their first call."""
    base, found = torch_package("autograd").Function, dict[Any, tuple[Any, ...]]()
    original = base.__dict__["apply"]

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if not cls.__module__.startswith("torch."):
            found.setdefault(cls, args)
        return original.__get__(None, cls)(*args, **kwargs)

    base.apply = classmethod(apply)
    try:
        yield found
    finally:
        base.apply = original


def refuse_own_gradients(module: str, applied: dict[Any, tuple[Any, ...]]) -> None:
    """Check that gradients of functions are derivatives of what these compute.

    Raises:
        UnsupportedError: they are not, or that cannot be found out.
    """
    other = [cls.__name__ for cls, args in applied.items() if not _is_derivative(cls, args)]
    if other:
        rule = f"{module} has an autograd.Function whose gradient is not the derivative of what it computes"
        hint = "mochac.custom_gradient in a layer of your own: docs/guide/own-layers.md"
        raise UnsupportedError(rule, got=", ".join(other), hint=hint)


def _is_derivative(cls: Any, args: tuple[Any, ...]) -> bool:
    """Whether the gradient of a function is that of its operations, for random numbers: where both are finite, for one
    kind of numbers at least."""
    torch, known = torch_package(), False
    with torch.random.fork_rng(devices=[]), torch.enable_grad():
        torch.manual_seed(0)
        for change in (lambda x: x, lambda x: x / 16, torch.abs):
            leaves = [_random(x, change) for x in args]
            try:
                own = _gradients(cls.apply(*map(_copied, leaves)), leaves)
                derived = _gradients(_plain(cls)(*map(_copied, leaves)), leaves)
            except Exception:  # whatever a function raises for random numbers
                return False
            for a, b in zip(own, derived, strict=True):
                a, b = (x[a.isfinite() & b.isfinite()] for x in (a, b))
                known = known or a.numel() > 0
                if a.numel() and (a - b).abs().max() > 1e-4 * max(a.abs().max(), b.abs().max()):
                    return False
    return known


class _Context:
    """What a function keeps for its gradient, which is not used here."""

    needs_input_grad = (True,) * 64

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None: ...

    def mark_non_differentiable(self, *tensors: Any) -> None: ...

    def set_materialize_grads(self, value: bool) -> None: ...


def _plain(cls: Any) -> Any:
    """What a function computes, without its gradient."""
    if cls.setup_context is not torch_package("autograd").Function.setup_context:
        return cls.forward
    return lambda *args: cls.forward(_Context(), *args)


def _random(x: Any, change: Any) -> Any:
    """A tensor of random numbers in the place of another."""
    torch = torch_package()
    if not isinstance(x, torch.Tensor):
        return x
    if not x.is_floating_point():
        return torch.ones(tuple(x.shape), dtype=x.dtype)
    return change(torch.randn(tuple(x.shape), dtype=torch.float64)).requires_grad_()


def _copied(x: Any) -> Any:
    """A tensor that may be changed in place."""
    return x.clone() if isinstance(x, torch_package().Tensor) else x


def _gradients(results: Any, leaves: list[Any]) -> list[Any]:
    """The gradients of a sum of the results, each times fixed numbers."""
    torch = torch_package()
    parts = results if isinstance(results, list | tuple) else [results]
    terms = [(y * torch.arange(1.0, y.numel() + 1).reshape(y.shape).cos()).sum() for y in parts if _is_real(y)]
    total = torch.stack(terms).sum() if terms else torch.zeros(())
    inputs = [x for x in leaves if _is_real(x)]
    if not total.requires_grad:
        return [torch.zeros_like(x) for x in inputs]
    found = torch.autograd.grad(total, inputs, allow_unused=True)
    return [torch.zeros_like(x) if g is None else g for x, g in zip(inputs, found, strict=True)]


def _is_real(x: Any) -> bool:
    return isinstance(x, torch_package().Tensor) and x.is_floating_point()
