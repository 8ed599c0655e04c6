"""Modules of PyTorch: their graphs from torch.export, and weights written back into them (Program.to_torch).

torch.export traces the module in its own mode, so that dropout and batch normalization stay as they are, and without
decompositions, so that layers stay layers. Then it makes the graph functional: in-place updates become results.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from mochac.base.errors import MochacError, OptionError, SnapshotError, UnsupportedError, shown
from mochac.base.records import record
from mochac.formats.pytorch.package import torch_package
from mochac.formats.pytorch.tracing import functional, line_of, traceable

ELEMENTS = {
    "float32": 1, "uint8": 2, "int8": 3, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11,
    "bfloat16": 16,
}  # fmt: skip
"""PyTorch's dtypes as element types of TensorProto."""


def element_of(tensor: Any) -> int:
    """The element type of a tensor; 0 if blobs cannot have it."""
    return ELEMENTS.get(str(tensor.dtype).removeprefix("torch."), 0)


def operation_of(fx: Any) -> str:
    """The name of an operation without its overload; with its library if that is not ATen.

    >>> from types import SimpleNamespace as Of
    >>> operation_of(Of(target=Of(_schema=Of(name="aten::add"))))
    'add'
    """
    schema = getattr(fx.target, "_schema", None)
    return schema.name.removeprefix("aten::") if schema else getattr(fx.target, "__name__", str(fx.target))


@record
class Leaf:
    """A tensor of the module.

    Attributes:
        name: name in the module, the first one if the tensor has several.
        trained: whether it is a parameter with requires_grad.
        kept: whether it is in the state_dict, as a parameter or a persistent buffer.
    """

    name: str
    tensor: Any
    trained: bool
    kept: bool


@record
class ExportedModule:
    """The graph of a module.

    Attributes:
        nodes: FX nodes in order, without those of inputs and outputs.
        leaves: tensors of the module by placeholder.
        inputs: placeholders of the example inputs, in order, with their example tensors.
        outputs: nodes of the module's results in order, tensors only.
        updated: tensors of the module that a call replaces, by name, with the node of the new value.
    """

    nodes: tuple[Any, ...]
    leaves: Mapping[Any, Leaf]
    inputs: Mapping[Any, Any]
    outputs: tuple[Any, ...]
    updated: Mapping[str, Any]

    @property
    def fixed(self) -> list[Any]:
        """The placeholders of tensors that are no parameters."""
        parameter = torch_package("nn").Parameter
        return [fx for fx, leaf in self.leaves.items() if not isinstance(leaf.tensor, parameter)]


def exported(module: Any, args: Sequence[Any], kwargs: Mapping[str, Any], known: Container[str] = ()) -> ExportedModule:
    """Export a module, called with these arguments.

    Args:
        known: operations that stay as they are; others are written with simpler ones, where PyTorch can.

    Raises:
        UnsupportedError: torch.export cannot take it.
    """
    export, placeholder = torch_package("export"), "placeholder"
    with traceable(module) as filled:
        try:
            program = functional(export.export(module, tuple(args), dict(kwargs), strict=False))
            _leave_out_unread(program.graph)
            program = _with_simpler(program, known)
        except MochacError:
            raise
        except Exception as error:  # whatever the module or torch.export raises
            got = " ".join(str(error).split())[:300]
            hint = "torch.export.export(module, example_inputs, strict=False) says more"
            raise UnsupportedError(
                f"torch.export cannot take {type(module).__name__}", got=f"{type(error).__name__}: {got}", hint=hint,
                at=line_of(error),
            ) from None  # fmt: skip
    signature, graph = program.graph_signature, program.graph
    leaves = _leaves(module, program)
    passed = torch_package("utils._pytree").tree_leaves((tuple(args), dict(kwargs)))
    users = [n for n in graph.nodes if n.op == placeholder and n.name in set(map(str, signature.user_inputs))]
    tensors = [x for x in passed if isinstance(x, torch_package().Tensor)]
    inputs = dict(zip([n for n in users if hasattr(n.meta.get("val"), "shape")], tensors, strict=True))
    by_name = {n.name: n for n in graph.nodes}
    outputs = tuple(by_name[name] for name in signature.user_outputs if isinstance(name, str) and name in by_name)
    changed = {**signature.buffers_to_mutate, **getattr(signature, "parameters_to_mutate", {})}
    updated = {_first_name(module, name): by_name[node] for node, name in changed.items()}
    if filled and signature.user_inputs_to_mutate:  # the graph has a filled buffer as an input that is changed
        rule = f"{type(module).__name__} keeps buffers that it computes in its first call"
        raise UnsupportedError(rule, got=", ".join(filled), hint="call the module once before")
    if signature.user_inputs_to_mutate:
        changed = ", ".join(signature.user_inputs_to_mutate.values())
        raise UnsupportedError(f"{type(module).__name__} changes its inputs in place", got=changed, hint="clone them")
    nodes = tuple(n for n in graph.nodes if n.op not in (placeholder, "output"))
    return ExportedModule(nodes, leaves, inputs, outputs, updated)


def _leave_out_unread(graph: Any) -> None:
    """Leave out what nothing reads, and so what a module computes to assert it."""
    for node in reversed(graph.nodes):
        if node.op == "call_function" and not node.users:
            graph.erase_node(node)


def _with_simpler(program: Any, known: Container[str]) -> Any:
    """A program whose operations are known, or written with others that are; as it was if that does not help."""
    result, unknown, tried = program, _unknown(program, known), set[Any]()
    simpler = torch_package("export").default_decompositions() if unknown else {}
    while chosen := {target: simpler[target] for target in unknown - tried if target in simpler}:
        tried |= unknown
        try:
            result = result.run_decompositions(chosen)
        except Exception:  # whatever PyTorch raises; the operations are named
            return program
        _leave_out_unread(result.graph)
        unknown = _unknown(result, known)
    return program if unknown else result


def _unknown(program: Any, known: Container[str]) -> set[Any]:
    """The operations that are not known, and not computed once."""
    signature = program.graph_signature
    changed = {*signature.buffers_to_mutate.values()}
    names = {node for node, name in signature.inputs_to_buffers.items() if name not in changed}
    names.update(signature.inputs_to_lifted_tensor_constants)
    nodes = [n for n in program.graph.nodes if n.op == "call_function"]
    computed = independent(nodes, {n for n in program.graph.nodes if n.name in names}, shapes=True)
    return {n.target for n in nodes if n not in computed and hasattr(n.target, "_schema")
            and operation_of(n) not in known}  # fmt: skip


_VALUES = {
    "type_as": 1, "view_as": 1, "expand_as": 1, "reshape_as": 1, "zeros_like": 0, "ones_like": 0, "full_like": 0,
    "empty_like": 0, "new_zeros": 0, "new_ones": 0, "new_full": 0, "new_empty": 0,
}  # fmt: skip
"""Operations that take a tensor for its shape or type, and the number of tensors in front whose values they take."""


def independent(nodes: Sequence[Any], fixed: Iterable[Any], *, shapes: bool = False) -> frozenset[Any]:
    """Constants, and the nodes that depend on no input, parameter or random number.

    Args:
        fixed: the constants.
        shapes: whether nodes may depend on shapes and types of other tensors.
    """
    found = set(fixed)
    for fx in nodes:
        count = _VALUES.get(operation_of(fx)) if shapes else None
        if not draws(fx) and found.issuperset(fx.all_input_nodes[:count]):
            found.add(fx)
    return frozenset(found)


def draws(fx: Any) -> bool:
    """Whether a node draws random numbers."""
    return torch_package().Tag.nondeterministic_seeded in getattr(fx.target, "tags", ())


def _leaves(module: Any, program: Any) -> dict[Any, Leaf]:
    signature = program.graph_signature
    state, constants = program.state_dict, program.constants
    parameters = dict(module.named_parameters(remove_duplicate=False))
    buffers = dict(module.named_buffers(remove_duplicate=False))
    first: dict[int, str] = {}
    by_memory: dict[Any, str] = {}
    for name, tensor in (*parameters.items(), *buffers.items()):
        first.setdefault(id(tensor), name)
        by_memory.setdefault(_memory(tensor), name)
    kept = set(module.state_dict(keep_vars=True))
    names = {
        **signature.inputs_to_parameters, **signature.inputs_to_buffers, **signature.inputs_to_lifted_tensor_constants
    }  # fmt: skip
    found: dict[Any, Leaf] = {}
    for node in program.graph.nodes:
        if node.op != "placeholder" or node.name not in names:
            continue
        name = str(names[node.name])
        if name in constants:  # a module that keeps references to its parameters, as Keras's do, is traced with these
            name = str(by_memory.get(_memory(constants[name]), name))
        tensor = parameters.get(name, buffers.get(name))
        if tensor is None:  # a tensor that is no part of the module
            found[node] = Leaf(name, constants[name] if name in constants else state[name], False, False)
            continue
        found[node] = Leaf(first[id(tensor)], tensor, name in parameters and tensor.requires_grad, name in kept)
    return found


def _first_name(module: Any, name: str) -> str:
    """The first name of a parameter or buffer that may have several."""
    names = {
        **dict(module.named_parameters(remove_duplicate=False)),
        **dict(module.named_buffers(remove_duplicate=False)),
    }
    return next((first for first, tensor in names.items() if tensor is names.get(name)), name)


def _memory(tensor: Any) -> Any:
    """The memory of a tensor, which a parameter and its detach() share."""
    return tensor.data_ptr(), tuple(tensor.shape), tensor.stride(), tensor.dtype


def call_arguments(example_inputs: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments and keyword arguments of a call with a tensor, a sequence of arguments, or a mapping.

    Raises:
        OptionError: something else.
    """
    if isinstance(example_inputs, torch_package().Tensor):
        return (example_inputs,), {}
    if isinstance(example_inputs, Mapping):
        return (), {str(name): value for name, value in example_inputs.items()}
    if isinstance(example_inputs, Sequence) and not isinstance(example_inputs, str):
        return tuple(example_inputs), {}
    wanted = "a tensor, a tuple of arguments, or a dictionary of keyword arguments"
    raise OptionError("from_torch: example_inputs is out of range", expected=wanted, got=type(example_inputs).__name__)


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
        if not present and id(tensor) in parameters and tensor.numel():
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
