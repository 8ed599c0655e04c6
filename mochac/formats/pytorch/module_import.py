"""A traced module as layers and arrays: its graph is converted node by node, and all problems are one error."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np

from mochac.base.errors import MochacError, UnsupportedError, combined
from mochac.base.records import record
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import FLOAT, BlobTensor, Constant, Shape, no_layers
from mochac.formats.importing.place import LEFT_OUT, BatchPlace
from mochac.formats.importing.rearranged import with_batch
from mochac.formats.pytorch.buffers import buffers_of, lost_changes, running_statistic, updated_buffer
from mochac.formats.pytorch.builder import AtenNode, ModuleNames, TorchBuilder
from mochac.formats.pytorch.converters import (
    ATEN,
    Objective,
    Selected,
    as_objective,
    blobs_of,
    convert,
    counts_repeats,
    is_number,
    refused_mask,
    takes_weights,
)
from mochac.formats.pytorch.exported import (
    ExportedModule,
    Leaf,
    draws,
    element_of,
    independent,
    operation_of,
)
from mochac.formats.pytorch.package import torch_package
from mochac.formats.pytorch.uses import NodeUses


@record
class ImportedModule:
    """The layers for a module, and the values of their parameters and states by "layer___name"."""

    layers: tuple[Any, ...]
    arrays: dict[str, np.ndarray]


class ModuleImport:
    """One import.

    Args:
        name: name of the module, for messages.
        graph: graph of the module, called with a batch of `batch` samples along `axis` of its inputs; None: with one
            sample.
        whole: nodes that compute with all samples of a batch at once.
    """

    def __init__(
        self, name: str, graph: ExportedModule, dtype: str, batch: int, axis: int | None, whole: Collection[Any] = ()
    ) -> None:
        self.name, self.graph, self.batch, self.axis, self.whole = name, graph, batch, axis, whole
        self.uses = NodeUses(graph)
        leaves = {leaf.name: leaf for leaf in graph.leaves.values()}
        owners = {leaf.rpartition(".")[0] for leaf in leaves}
        outputs = frozenset(_output_names(graph.outputs))
        self.owners = owners
        self.builder = TorchBuilder(
            batch, dtype, ModuleNames(graph.nodes, owners), int(axis is None), outputs, outputs, leaves=leaves,
            owned=_owned(graph, leaves), aimed=self.uses.aimed, reported=self.uses.reported,
            buffers=frozenset(buffers_of(graph)),
        )  # fmt: skip
        self.fixed = [fx for fx in graph.fixed if graph.leaves[fx].name not in self.builder.buffers]
        self.constants = independent(graph.nodes, self.fixed)
        self.updates: dict[Any, list[Any]] = {}
        for fx, leaf in graph.leaves.items():
            if leaf.name in self.builder.buffers:
                self.updates.setdefault(graph.updated[leaf.name], []).append(fx)
        self.finished: dict[str, str] = {}
        self.env: dict[Any, Any] = {}
        self.problems: list[MochacError] = []
        self.skipped: set[Any] = set()
        self.refused: set[Any] = set()

    def run(self) -> ImportedModule:
        """Convert all nodes.

        Raises:
            UnsupportedError: everything that cannot be converted, by node.
        """
        for node, tensor in self.graph.inputs.items():
            self.env[node] = self._input(node.name, tensor)
        for node, leaf in self.graph.leaves.items():
            self.env[node] = Constant(_array(leaf.tensor), leaf.name)
            if leaf.name in self.builder.buffers:
                shape = _extents(leaf.tensor), element_of(leaf.tensor)
                self.env[node] = self.builder.leaf(AtenNode(self.name, (), (shape,), (), fx=node), self.env[node])
        self.problems += lost_changes(self.graph, self.name)
        for node in self.graph.nodes:
            if any(n in self.skipped for n in node.all_input_nodes):
                self.skipped.add(node)
            else:
                self._convert(node)
        self._keep_unused()
        if not self.problems:
            for name, node in zip(_output_names(self.graph.outputs), self.graph.outputs, strict=True):
                self._finish(name, node)
            self._minimize()
        if self.problems:
            raise combined(self.problems, self.name)
        return ImportedModule(tuple(self.builder.layers), self.builder.arrays)

    def _input(self, name: str, tensor: Any) -> BlobTensor:
        extents = tuple(tensor.shape)
        if tensor.dtype.is_complex:
            raise UnsupportedError(f"{self.name}: input {name!r} has complex numbers", got=str(tensor.dtype))
        if name in self.owners:  # its layer must not have the name of a layer with parameters
            name = f"{name}.input"
        place = LEFT_OUT if self.axis is None else BatchPlace(min(self.axis, len(extents) - 1))
        shape = (self.batch, *(n for k, n in enumerate(extents) if k != place.at))
        blob = BlobTensor(name, shape, element_of(tensor) or FLOAT, place)
        self.builder.source(name, blob, self.batch, False)
        result = self.builder.values[name]
        assert isinstance(result, BlobTensor)
        return result

    def refuse_unknown(self) -> None:
        """Refuse operations without layers.

        Raises:
            UnsupportedError: all of them.
        """
        unknown: dict[str, list[AtenNode]] = {}
        known = independent(self.graph.nodes, self.fixed, shapes=True)
        for fx in self.graph.nodes:
            operation = operation_of(fx)
            if operation != "getitem" and operation not in ATEN and fx not in known:
                unknown.setdefault(operation, []).append(AtenNode(self.name, (), (), (), fx=fx))
        if unknown:
            raise self._without_layers(unknown)

    def _without_layers(self, unknown: Mapping[str, Sequence[AtenNode]]) -> MochacError:
        details = [
            f"{operation}: {', '.join(f'{n.name} at {n.at}' for n in nodes[:3])}{', ...' if len(nodes) > 3 else ''}"
            for operation, nodes in unknown.items()
        ]
        hint = "compute them outside of the module, or write a layer of your own"
        return no_layers(self.name, "operation", details, hint)

    def _convert(self, fx: Any) -> None:
        if operation_of(fx) == "getitem":
            source, k = fx.args
            self.env[fx] = self.env[source][k]
            return
        try:
            self.env[fx] = self._computed(fx) if self._is_computed(fx) else self._converted(fx)
            for buffer in self.updates.get(fx, ()):
                self.env[fx] = updated_buffer(self.builder, self._node(fx), self.env[buffer], self.env[fx])
        except MochacError as error:
            self.problems += error.problems
            self.skipped.add(fx)
            self.refused.add(fx)

    @property
    def mixing(self) -> frozenset[Any]:
        """The nodes that were refused, if all of them may compute with all samples at once, which none did so far."""
        may = (
            self.axis is not None
            and self.refused
            and all(fx in self.uses.of_losses and fx not in self.whole for fx in self.refused)
        )
        return frozenset(self.refused) if may else frozenset()

    def _is_computed(self, fx: Any) -> bool:
        """Whether its value is constant, also if it has the extents of other tensors."""
        if fx in self.constants:
            return True
        values = blobs_of([self.env[n] for n in fx.all_input_nodes])
        known = all(isinstance(x, Constant) and not self._is_trained(x) for x in values)
        return known and len(values) == len(fx.all_input_nodes) > 0 and not draws(fx)

    def _is_trained(self, x: Constant) -> bool:
        return x.array.size > 0 and x.name in self.builder.leaves and _is_parameter(self.builder.leaves[x.name])

    def _computed(self, fx: Any) -> Any:
        """The value of a node that depends on constants alone, computed by PyTorch."""
        torch = torch_package()
        args, kwargs = _mapped((fx.args, fx.kwargs), lambda n: _tensor(self.env[n], n))
        try:
            with torch.no_grad():
                result = fx.target(*args, **kwargs)
        except RuntimeError as error:
            node = AtenNode(self.name, (), (), (), fx=fx)
            raise node.refused("PyTorch cannot compute it", got=" ".join(str(error).split())[:200]) from None
        return _mapped(result, Constant, torch.Tensor, _array)

    def _converted(self, fx: Any) -> Any:
        node = self._node(fx)
        if node.type not in ATEN:
            raise self._without_layers({node.type: [node]})
        names = node.tops
        result = convert(self.builder, node)
        if result is not None:
            return result
        values = [self._with_element(self.builder.values.get(name), element) for name, (_, element) in
                  zip(names, node.outputs, strict=True)]  # fmt: skip
        return values if isinstance(fx.meta.get("val"), list | tuple) else values[0]

    @staticmethod
    def _with_element(value: Any, element: int) -> Any:
        return replace(value, element=element) if isinstance(value, BlobTensor) and element else value

    def _node(self, fx: Any) -> AtenNode:
        vals = fx.meta.get("val")
        result = list(vals) if isinstance(vals, list | tuple) else [vals]
        outputs = tuple((_extents(v), element_of(v) if v is not None and hasattr(v, "dtype") else 0) for v in result)
        uses = _uses(fx, len(result))
        weights = takes_weights(operation_of(fx))
        plain = AtenNode(self.name, (), outputs, uses, int(self.axis is None), fx)
        names = [a.name for a in fx.target._schema.arguments]
        resolved = {
            name: _mapped(value, lambda n, own=weights and name != "input": self._operand(plain, n, own))
            for name, value in {**dict(zip(names, fx.args, strict=False)), **fx.kwargs}.items()
        }
        arguments = {
            a.name: resolved.get(a.name, a.default_value if a.has_default_value() else None)
            for a in fx.target._schema.arguments
        }
        inputs = tuple(blobs_of(list(arguments.values())))
        return AtenNode(self.name, inputs, outputs, uses, int(self.axis is None), fx, arguments)

    def _operand(self, node: AtenNode, fx: Any, weights: bool) -> Any:
        value = self._argument(node, fx, weights)
        if node.fx not in self.whole:
            return value
        if isinstance(value, Selected):
            return replace(value, blob=self._whole(node, value.blob), mask=self._whole(node, value.mask))
        return self._whole(node, value)

    def _whole(self, node: AtenNode, x: Any) -> Any:
        """All samples of a blob as an array."""
        return self.builder.array_of(node, x) if isinstance(x, BlobTensor) and x.samples else x

    def _argument(self, node: AtenNode, fx: Any, weights: bool) -> Any:
        value = self.env[fx]
        if isinstance(value, BlobTensor) and not value.samples and counts_repeats(node.type):
            return self._for_each_sample(node, value, fx)
        if not isinstance(value, Constant) or not value.name or weights:
            return value
        if self._is_trained(value):
            return self.builder.leaf(node, value)
        return Constant(value.array)

    def _for_each_sample(self, node: AtenNode, x: BlobTensor, fx: Any) -> BlobTensor:
        """x once for each sample, if the graph has it so: what reads it may count the samples."""
        extents = _extents(fx.meta.get("val")) or ()
        short = [a for a, (n, m) in enumerate(zip(x.shape, extents, strict=False)) if n != m]
        if len(x.shape) != len(extents) or len(short) != 1 or x.shape[short[0]] != 1 or self.builder.lead:
            return x
        row = reshaped(self.builder, node, x, x.resized(short[0]) or (1,), last=False)
        return with_batch(self.builder, node, row, short[0])

    def _keep_unused(self) -> None:
        """Freeze parameters that nothing reads: they have no gradient."""
        used = {leaf.name for fx, leaf in self.graph.leaves.items() if fx.users}
        for fx, leaf in self.graph.leaves.items():
            if _is_parameter(leaf) and leaf.name not in used and leaf.tensor.numel():
                node = AtenNode(self.name, (), ((None, FLOAT),), (), fx=fx)
                self.builder.leaf(node, Constant(_array(leaf.tensor), leaf.name), unused=True)

    def _finish(self, name: str, fx: Any) -> None:
        """Make the value of a node an output of the net."""
        value = self.env[fx]
        if fx in self.uses.sampled and is_number(value):
            self._keep_number(name, fx)
            return
        if isinstance(value, Selected):
            self.problems.append(refused_mask(self._node(fx)))
            return
        if not isinstance(value, BlobTensor) or not value.samples:
            self.problems.append(UnsupportedError(f"{self.name}: {name} does not depend on the samples of the inputs"))
            return
        if value.place.merged:
            got = f"({', '.join(map(str, value.extents))})"
            rule = f"{self.name}: {name} has an axis that is the batch and another one"
            self.problems.append(UnsupportedError(rule, got=got, hint="reshape it to (batch, ...)"))
            return
        source = self.finished.setdefault(value.name, name)
        self.builder.final(name, value if source == name else replace(value, name=source))

    def _keep_number(self, name: str, fx: Any) -> None:
        """Keep the value of a node, which is one number, for the objective; it is a statistic if it is no loss."""
        b, node, value = self.builder, self._node(fx), self.env[fx]
        if fx in self.uses.losses:
            self.env[fx] = as_objective(b, node, value)
        else:
            blob = value.value(b, node) if isinstance(value, Objective) else value
            b.append("MeanStatistic", node.origin, name=b.layer_name(name), bottoms=[blob.name], tops=[])

    def _minimize(self) -> None:
        """Make the sum of all losses among the outputs the objective. If losses are only added up, their factors become
        weights of their layers; otherwise one number is computed from them."""
        outputs = [fx for fx in self.graph.outputs if fx in self.uses.losses and isinstance(self.env[fx], Objective)]
        if not outputs:
            return
        whole = reduce(Objective.plus, (self.env[fx] for fx in outputs))
        makers = {top: n for n, layer in enumerate(self.builder.layers) if layer.is_loss for top in layer.tops}
        tops = [top.name for top, _ in whole.terms]
        read = {blob for layer in self.builder.layers for blob in layer.reads}
        if len(set(tops)) == len(tops) and all(
            top.name in makers and top.name not in read and weight >= 0 for top, weight in whole.terms
        ):
            for top, weight in whole.terms:
                self.builder.replace(makers[top.name], weight=weight)
        else:
            node = self._node(outputs[-1])
            as_objective(self.builder, node, whole.value(self.builder, node))


def imported(name: str, graph: ExportedModule, dtype: str, batch: int, axis: int | None) -> ImportedModule:
    """Convert a graph; see ModuleImport. Where losses compute across samples, nodes that would mix them are converted
    again, with the samples of the batch as arrays.

    Raises:
        UnsupportedError: everything that cannot be converted.
    """
    whole: frozenset[Any] = frozenset()
    first: UnsupportedError | None = None
    while True:
        attempt = ModuleImport(name, graph, dtype, batch, axis, whole)
        attempt.refuse_unknown()
        try:
            return attempt.run()
        except UnsupportedError as error:
            first = first or error
            if not attempt.mixing:
                raise first from None
            whole |= attempt.mixing


def _output_names(outputs: Sequence[Any]) -> list[str]:
    return [f"output{k}" for k in range(len(outputs))] if len(outputs) > 1 else ["output"]


def _owned(graph: ExportedModule, names: Iterable[str]) -> frozenset[str]:
    """The tensors that only operations of one kind read, always with the same other tensors of the module. Layers have
    them where they read samples; what is computed from parameters alone reads blobs."""
    readers: dict[str, set[object]] = {name: set() for name in names}
    sampled = set(graph.inputs)
    leaves = {fx: leaf.name for fx, leaf in graph.leaves.items()}
    for fx in graph.nodes:
        if not sampled.isdisjoint(fx.all_input_nodes):
            sampled.add(fx)
        if (statistic := running_statistic(fx)) in leaves:
            leaves[fx] = leaves[statistic]
        own = [leaves[n] for n in fx.all_input_nodes if n in leaves]
        for name in own:
            of_layer = takes_weights(operation_of(fx)) and fx in sampled
            readers[name].add((operation_of(fx), tuple(own)) if of_layer else fx)
    return frozenset(name for name, groups in readers.items() if len(groups) == 1)


def _is_parameter(leaf: Leaf) -> bool:
    return isinstance(leaf.tensor, torch_package("nn").Parameter)


def _extents(value: Any) -> Shape | None:
    known = hasattr(value, "shape") and all(isinstance(n, int) for n in value.shape)
    return tuple(value.shape) if known else None


def _uses(fx: Any, count: int) -> tuple[int, ...]:
    """How often each output is read."""
    if count == 1 and not isinstance(fx.meta.get("val"), list | tuple):
        return (len(fx.users),)
    picked = [user.args[1] if operation_of(user) == "getitem" else None for user in fx.users]
    readers = [sum(len(u.users) for u, p in zip(fx.users, picked, strict=True) if p == k) for k in range(count)]
    whole = sum(p is None for p in picked)
    return tuple(n + whole for n in readers)


def _array(tensor: Any) -> np.ndarray:
    torch = torch_package()
    tensor = tensor.detach().cpu()
    return (tensor.float() if tensor.dtype in (torch.bfloat16, torch.float16) else tensor).numpy()


def _tensor(value: Any, fx: Any) -> Any:
    """The tensor of a constant that a node makes, of its type in the graph; half precision is computed in float32."""
    if not isinstance(value, Constant):
        return value
    torch, val = torch_package(), fx.meta.get("val")
    tensor = torch.from_numpy(np.array(value.array))
    kept = not isinstance(val, torch.Tensor) or val.dtype in (torch.bfloat16, torch.float16)
    return tensor if kept else tensor.to(val.dtype)


def _mapped(value: Any, change: Any, kind: Any = None, first: Any = None) -> Any:
    """A value in which `change` replaces nodes, or objects of a kind, also in lists and tuples."""
    kind = torch_package("fx").Node if kind is None else kind
    if isinstance(value, kind):
        return change(first(value)) if first else change(value)
    if isinstance(value, list | tuple):
        return type(value)(_mapped(v, change, kind, first) for v in value)
    if isinstance(value, dict):
        return {k: _mapped(v, change, kind, first) for k, v in value.items()}
    return value
