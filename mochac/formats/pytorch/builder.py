"""TorchBuilder: NetBuilder for the graphs of PyTorch modules, whose nodes are AtenNodes.

Parameters keep their own names. A parameter that only operations of one kind read becomes a parameter of their layer,
if it then has its own name: the filter of ConvolutionLayer `conv1` is `conv1.weight`. Every other one is a
ParameterLayer, which any number of layers read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from mochac.base.records import record
from mochac.formats.importing.builder import NetBuilder
from mochac.formats.importing.formulas import reshaped
from mochac.formats.importing.node import BlobTensor, Constant, ImportedNode, Tensor
from mochac.formats.importing.place import FIRST, BatchPlace, Shape
from mochac.formats.pytorch.exported import Leaf, operation_of
from mochac.nets.layers.base import LAYERS
from mochac.nets.layers.regularizers import NoRegu

ACROSS = (
    "return a tensor of samples, with InfoNCELossLayer(bottoms=[...]) or a layer of your own behind it: "
    "docs/guide/losses.md, Losses across samples"
)
"""Hint for operations across samples."""

ROOT = "."
"""Name of the layer for the imported module itself; its parameters have names without a dot in the state_dict."""
OWN_ONLY = ("BatchNorm", "PReLU")
"""Layers that cannot read blobs as parameters or states."""

_FRAME = re.compile(r'File "([^"]+)", line (\d+)')


@record(eq=False)
class AtenNode(ImportedNode):
    """A node.

    Attributes:
        fx: the FX node.
        arguments: tensors, numbers and lists of these, by their names in the operation's schema, complete.
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
        """The line of the user's code that calls it: the innermost one that is not PyTorch's, nor made by it."""
        frames = [(f, int(n)) for f, n in _FRAME.findall(self.fx.meta.get("stack_trace") or "")]
        own = [frame for frame in frames if not re.search(r"[/\\]torch[/\\]|^<", frame[0])]
        return (own or frames or [(self.path, 0)])[-1]

    @property
    def at(self) -> str:
        """File and line of the user's code."""
        file, line = self.origin
        return f"{file}:{line}" if line else file


def output_names(fx: Any) -> tuple[str, ...]:
    """A name for each tensor that a node makes."""
    value = fx.meta.get("val")
    if isinstance(value, list | tuple):
        return tuple(f"{fx.name}.{k}" for k in range(len(value)))
    return (fx.name,)


NO_REGU = NoRegu()


class ModuleNames:
    """Names of layers: the module whose parameters a layer has, the module that consists of it, or module and node.

    Args:
        nodes: FX nodes.
        owners: modules that hold parameters or buffers.
    """

    def __init__(self, nodes: Iterable[Any], owners: Iterable[str]) -> None:
        count: dict[str, int] = {}
        for fx in nodes:
            if operation_of(fx) == "getitem":  # one of the results of another node
                continue
            module = AtenNode("", (), (), (), fx=fx).module
            count[module] = count.get(module, 0) + 1
        self.owners_of_tensors = set(owners)
        self._single = {module for module, n in count.items() if n == 1 and module} - self.owners_of_tensors

    def of(self, node: AtenNode) -> list[str]:
        """Names for the layer of a node, the best first."""
        single = [node.module] if node.module in self._single else []
        name = f"{node.name}.{node.type}" if node.name in self.owners_of_tensors else node.name
        return [*([node.owner] if node.owner else []), *single, name]

    def owners(self, node: AtenNode) -> list[str]:
        """None: weights are not found by their names."""
        return []


@record
class LayerWeights:
    """Parameters of a layer: its own arrays, and fields that name other layers' blobs.

    Attributes:
        node: the node, named after the module.
    """

    node: AtenNode
    arrays: Mapping[str, np.ndarray]
    fields: Mapping[str, Any]


@dataclass
class TorchBuilder(NetBuilder):
    """Collects layers, with PyTorch's names of parameters.

    Attributes:
        leaves: tensors of the module by their names.
        owned: names of tensors that layers may have as parameters of their own.
        aimed: nodes that a loss depends on.
        reported: nodes that only numbers depend on that are no losses.
        buffers: names of tensors that the module changes, which become BufferLayers.
    """

    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    owned: frozenset[str] = frozenset()
    aimed: frozenset[Any] = frozenset()
    reported: frozenset[Any] = frozenset()
    buffers: frozenset[str] = frozenset()
    _shared: dict[str, BlobTensor] = field(default_factory=dict)
    _owners: dict[str, str] = field(default_factory=dict)
    _in_layers: set[str] = field(default_factory=set)
    _arrays: dict[tuple[str, BatchPlace], BlobTensor] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._names.update(self.leaves)
        self._blobs.update(self.leaves)

    def parameter(self, node: ImportedNode, array: np.ndarray, trained: bool) -> str:
        """A blob with fixed numbers, from a ConstantLayer."""
        name = self.layer_name(f"{self._stem(node)}.constant")
        values = np.asarray(array if array.ndim else array.reshape(1), self.dtype)
        self.append("Constant", node.origin, name=name, values=values, tops=[name])
        self._blobs.add(name)
        return name

    def leaf(self, node: AtenNode, x: Constant, *, unused: bool = False) -> BlobTensor:
        """A parameter or changing buffer of the module as a blob; a parameter is frozen if nothing reads it."""
        if x.name not in self._shared:
            if x.name in self._in_layers:
                raise node.refused("its parameter is that of another layer", got=x.name)
            shape = x.array.shape or (1,)
            rate = float(self.leaves[x.name].trained and not unused)
            kind, fields = ("Buffer", {}) if x.name in self.buffers else ("Parameter", {"regu": NO_REGU, "lr": rate})
            self.append(kind, node.origin, name=x.name, shape=shape, tops=[x.name], **fields)
            self.arrays[f"{x.name}___value"] = x.array.reshape(shape)
            self._shared[x.name] = BlobTensor(x.name, shape, node.element, samples=False)
        return self._shared[x.name]

    def repeats(self, x: Constant) -> bool:
        """Whether axis 0 of a constant is the batch, and its numbers are the same for each sample."""
        array = x.array
        return array.ndim > 1 and not self.lead and len(array) == self.batch and bool((array == array[0]).all())

    def fixed(self, node: AtenNode, x: Tensor) -> BlobTensor:
        """A tensor without samples as a blob."""
        if isinstance(x, BlobTensor):
            return x
        if x.name in self.leaves:
            return self.leaf(node, x)
        shape = x.array.shape or (1,)
        return BlobTensor(self.parameter(node, x.array.reshape(shape), False), shape, node.element, samples=False)

    def noise(self, node: AtenNode, shape: Shape, place: BatchPlace) -> BlobTensor:
        """Normal random numbers, from a RandomNormalLayer."""
        name = self.layer_name(f"{self._stem(node)}.normal")
        top = self._blob(name)
        self.append("RandomNormal", node.origin, name=name, tops=[top], output_dims=shape[1:])
        self.reads[top] = 1
        self._inner[top] = node.tops[0], len(self.layers) - 1
        return BlobTensor(top, shape, place=place)

    def array_of(self, node: AtenNode, x: BlobTensor) -> BlobTensor:
        """All samples as an array with the axes of the graph's tensor; the value of a loss as an array (1,)."""
        key = x.name, x.place
        if key not in self._arrays:
            name = self.layer_name(f"{self._stem(node)}.all")
            top = self._blob(name)
            self.append("AllSamples", node.origin, name=name, bottoms=[x.name], tops=[top])
            self.reads[top] = 2
            whole = BlobTensor(top, x.shape or (1,), x.element, samples=False)
            if x.samples:
                order = x.place.order(len(x.shape))
                if order != tuple(range(len(order))):
                    whole = self.between("Permute", node, [whole], x.place.spread(x.shape), order=order)
                whole = replace(reshaped(self, node, whole, x.extents, FIRST, last=False), element=x.element)
                self.reads[whole.name] = 2
            self._arrays[key] = whole
        return self._arrays[key]

    def weights(self, node: AtenNode, kind: str, /, **operands: Tensor | None) -> LayerWeights:
        """Parameters for a layer of this kind by the names of its fields; None for one that is left out."""
        cls = LAYERS[kind]
        names: Mapping[str, str] = getattr(cls, "torch_names", {})
        modules = {
            name: module_of(x.name, names.get(name, name), kind in OWN_ONLY)
            if isinstance(x, Constant) and self._may_own(x)
            else None
            for name, x in operands.items()
        }
        owner = next((module for module in modules.values() if module), "")
        arrays: dict[str, np.ndarray] = {}
        fields: dict[str, Any] = {}
        for name, x in operands.items():
            if x is None:
                fields[name] = False
            elif isinstance(x, Constant) and owner and modules[name] == owner:
                arrays[name] = x.array
                self._in_layers.add(x.name)
                fields |= self.settings(kind, name, self.leaves[x.name].trained)
            else:
                if isinstance(x, BlobTensor) and x.samples:
                    raise node.refused(f"its {name} is not the same for all samples")
                fields[name] = self.fixed(node, x).name
        return self.owning(node, owner, arrays, fields) if owner else LayerWeights(node, arrays, fields)

    def _may_own(self, x: Constant) -> bool:
        """Whether a layer may have a tensor of the module as a parameter of its own."""
        return x.name in self.owned and x.name not in self._shared and x.name not in self.buffers

    def owning(
        self, node: AtenNode, owner: str, arrays: Mapping[str, np.ndarray], fields: Mapping[str, Any]
    ) -> LayerWeights:
        """Parameters of a module's layer, shared with the layer of an earlier call of the module."""
        if owner in self._owners:
            return LayerWeights(node, {}, {**fields, "param_key": self._owners[owner]})
        self._owners[owner] = owner
        return LayerWeights(replace(node, owner=owner), arrays, fields)

    def settings(self, kind: str, name: str, trained: bool) -> dict[str, Any]:
        """Fields of a parameter without decay that is trained as fast as all others, or frozen."""
        cls, found = LAYERS[kind], dict[str, Any]()
        for setting, value in ((f"{name}_lr", float(trained)), (f"{name}_regu", NO_REGU)):
            if hasattr(cls, setting) and getattr(cls, setting) != value:
                found[setting] = value
        return found


def module_of(name: str, parameter: str, root: bool = False) -> str | None:
    """The module of a tensor if its name there is this one.

    Args:
        root: whether it may be the module that is imported, as the layer ROOT.

    >>> module_of("conv1.weight", "weight"), module_of("attn.in_proj_weight", "weight")
    ('conv1', None)
    >>> module_of("weight", "weight"), module_of("weight", "weight", root=True)
    (None, '.')
    """
    module, _, own = name.rpartition(".")
    module = module or (ROOT if root else "")
    return module if module and own == parameter else None
