"""What is different while torch.export traces a module.

torch.export follows a module with tensors that have no numbers. It fails where Python code asks for numbers, and loses
what it cannot see. Here such code gets what has the same results: checks that only raise errors are left out.
"""

from __future__ import annotations

import io
import logging
import re
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr
from typing import Any

from mochac.base.errors import UnsupportedError
from mochac.formats.pytorch.masked_losses import MaskedLosses
from mochac.formats.pytorch.package import torch_package

CUMULATIVE = 0.031415926535897934
"""Stands for momentum=None of a batch normalization, whose cumulative average torch.export cannot trace."""
_FOREIGN = re.compile(r"[/\\](torch|mochac)[/\\]|^<")
"""Files that are not the user's."""


@contextmanager
def traceable(module: Any) -> Iterator[list[str]]:
    """A context in which torch.export takes a module; yields a list of the buffers without numbers that it fills."""
    with ExitStack() as stack:
        for change in (_quiet(), _traceable_averages(module), _experts_by_sample(module), _masks_as_they_are(),
                       _unchecked_distributions(), _data_detached(), _no_gradients()):  # fmt: skip
            stack.enter_context(change)
        yield stack.enter_context(_same_buffers(module))


def line_of(error: BaseException) -> str:
    """The innermost line of the user's code, "file:line", that an error comes from; "" if there is none."""
    line, inside = "", False
    for frame in traceback.extract_tb(error.__traceback__):
        own = not _FOREIGN.search(frame.filename)
        inside = inside or not own  # what is outside calls from_torch
        line = f"{frame.filename}:{frame.lineno}" if own and inside else line
    return line


@contextmanager
def _traceable_averages(module: Any) -> Iterator[None]:
    """Give batch normalizations with momentum=None a number while they are traced."""
    kind = torch_package("nn.modules.batchnorm")._BatchNorm
    found = [part for part in module.modules() if isinstance(part, kind) and part.momentum is None and part.training]
    for part in found:
        part.momentum = CUMULATIVE
    try:
        yield
    finally:
        for part in found:
            part.momentum = None


@contextmanager
def _same_buffers(module: Any) -> Iterator[list[str]]:
    """Take away buffers without numbers, which the module computes while it is traced; yields a list of their names."""
    fake, filled = torch_package("_subclasses.fake_tensor").FakeTensor, list[str]()
    before = [(path, part, dict(part._buffers)) for path, part in module.named_modules()]
    try:
        yield filled
    finally:
        for path, part, own in before:
            for name in [name for name, x in part._buffers.items() if isinstance(x, fake)]:
                filled.append(f"{path}.{name}".strip("."))
                del part._buffers[name]
                part._buffers.update({name: own[name]} if name in own else {})


@contextmanager
def _experts_by_sample(module: Any) -> Iterator[None]:
    """Have the mixtures of experts of Hugging Face look up weights for each token while they are traced. By default
    they sort the tokens of all samples by expert, or loop over the experts that have tokens."""
    setting = "_experts_implementation_internal"
    configs = {id(config): config for part in module.modules() for config in [getattr(part, "config", None)]}
    before = [(config, getattr(config, setting, None)) for config in configs.values()]
    changed = [(config, value) for config, value in before if value in ("grouped_mm", "eager")]
    for config, _ in changed:
        setattr(config, setting, "batched_mm")
    try:
        yield
    finally:
        for config, value in changed:
            setattr(config, setting, value)


@contextmanager
def _quiet() -> Iterator[None]:
    """Suppress PyTorch's warnings and log, which prints the graph of a failure; the error has the information."""
    before = logging.root.manager.disable
    with warnings.catch_warnings(), redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        try:
            yield
        finally:
            logging.disable(before)


@contextmanager
def _replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Give an attribute another value."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _masks_as_they_are() -> Any:
    """Have nn.Transformer take a mask as it is. It looks at numbers only to find a faster way to compute the same."""
    transformer = torch_package("nn.modules.transformer")
    return _replaced(transformer, "_detect_is_causal_mask", lambda mask, is_causal=None, size=None: is_causal is True)


def _unchecked_distributions() -> Any:
    """Leave out the checks of torch.distributions, which raise errors for numbers outside of a domain."""
    return _replaced(torch_package("distributions").Distribution, "_validate_args", False)


def _data_detached() -> Any:
    """x.data as x.detach(), which torch.export sees; functions that it cannot take are refused with another way."""
    torch = torch_package()
    losses = MaskedLosses()
    refused = {torch.nn.functional.ctc_loss: CTC, torch._C._VariableFunctions._pack_padded_sequence: PACKED}

    class Mode(torch_package("overrides").TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func == torch.Tensor.data.__get__:
                return args[0].detach()
            if func in refused:
                raise _refusal(*refused[func])
            if func in losses.functions:
                return losses.loss(func, *args, **(kwargs or {}))
            result = func(*args, **(kwargs or {}))
            if func is torch.Tensor.__getitem__:
                losses.note(result, *args)
            return result

    return Mode()


CTC = (
    "F.ctc_loss is not supported",
    "return the scores, and give program.backward(diffs=...) the gradient of the loss: docs/guide/training.md",
)
PACKED = (
    "packed sequences are not supported",
    "give the padded sequences, and take the last output of each with gather; or LSTMLayer(lengths=...)",
)
SECOND = (
    "the module computes a gradient in its forward(), as for a gradient penalty",
    "second derivatives are not supported: clipped weights do without",
)
"""What is refused, and what to do."""


def _refusal(what: str, hint: str) -> UnsupportedError:
    """An error at the user's line, ready to raise."""
    frames = [frame for frame in traceback.extract_stack() if not _FOREIGN.search(frame.filename)]
    return UnsupportedError(what, hint=hint, at=f"{frames[-1].filename}:{frames[-1].lineno}")


def _no_gradients() -> Any:
    """Refuse gradients that a module computes in its forward()."""

    def refuse(*args: Any, **kwargs: Any) -> None:
        raise _refusal(*SECOND)

    return _replaced(torch_package("autograd"), "_engine_run_backward", refuse)


def functional(program: Any) -> Any:
    """An exported program without changes in place and regions of torch.no_grad(): their results are detached.

    The nodes of regions are traced again from generated code; they get their lines of the user's code back.
    """
    regions = [fx for fx in program.graph.nodes if getattr(fx.target, "__name__", "") == "wrap_with_set_grad_enabled"]
    _detach_results(program, regions)
    lines = {
        (region.name, fx.name): fx.meta["stack_trace"]
        for region in regions
        for fx in _traced(program.graph_module, region)
    }
    result = program.run_decompositions({})
    for fx in result.graph.nodes:
        if made := _GENERATED.search(fx.meta.get("stack_trace") or ""):
            sources = {source.name for source in fx.meta.get("from_node") or ()}
            own = [trace for (region, name), trace in lines.items() if name == made[1] and region in sources]
            found = own or [trace for (_, name), trace in lines.items() if name == made[1]]
            fx.meta["stack_trace"] = found[0] if len({*found}) == 1 else fx.meta["stack_trace"]
    return result


_GENERATED = re.compile(r'File "<eval_with_key>[^"]*", line \d+, in forward\n *(\w+) =')
"""A line of the generated code of a region, and the node that it computes."""


def _traced(owner: Any, region: Any) -> Iterator[Any]:
    """The nodes of a region, and of regions in it, that have a stack trace."""
    module = getattr(owner, region.args[1].target)
    for fx in module.graph.nodes:
        if getattr(fx.target, "__name__", "") == "wrap_with_set_grad_enabled":
            yield from _traced(module, fx)
        elif fx.meta.get("stack_trace"):
            yield fx


def _detach_results(program: Any, regions: Sequence[Any]) -> None:
    torch, graph = torch_package(), program.graph
    for result in [user for fx in regions if fx.args[0] is False for user in fx.users]:
        if result.meta["val"].is_floating_point():
            with graph.inserting_after(result):
                end = graph.call_function(torch.ops.aten.detach.default, (result,))
            end.meta = dict(result.meta)
            result.replace_all_uses_with(end, delete_user_cb=lambda user, end=end: user is not end)
    program.graph_module.recompile()
