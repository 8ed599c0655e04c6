"""ParameterTracer: parameters and states of layers, and layers that share them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mochac.base.errors import MochacError, NetError
from mochac.ir.graph import Value
from mochac.ir.op import OpTypeError
from mochac.ir.op_call import OpCallError, require_value
from mochac.ir.types import TensorType
from mochac.nets.declared import ParamInfo, StateInfo, extents_of, plain, require_initializer, require_settings
from mochac.nets.layers._layer_value import LayerValue
from mochac.nets.layers.base import Layer, Parametric
from mochac.nets.layers.config import at
from mochac.nets.layers.initializers import Initializer
from mochac.nets.layers.regularizers import Constraint, NoCons, Regularizer
from mochac.nets.op_tracer import OpTracer, TraceOptions
from mochac.nets.wiring import described

SETTINGS = ("shape", "initializer", "regularizer", "learning-rate factor", "constraint", "weight decay")


class ParameterTracer(OpTracer):
    """Parameters and states, by (key, name).

    Attributes:
        problems: errors found so far.
    """

    def __init__(self, name: str, how: TraceOptions) -> None:
        super().__init__(name, how)
        self.params: dict[tuple[str, str], ParamInfo] = {}
        self.states: dict[tuple[str, str], StateInfo] = {}
        self.problems: list[MochacError] = []
        self._states: dict[str, Value] = {}
        """The input of each state, by the name of the value that ctx.state() returned."""
        self.carried: dict[str, str] = {}
        """The layer of each state that a layer carries from batch to batch, by the input of the state."""
        self._updated: dict[str, Value] = {}
        self._owners: dict[str, tuple[Layer, list[str]]] = {}
        self._updated_here: set[str] = set()
        """The inputs of states that the current layer has updated."""
        self._declared: list[str] = []
        self._conflicts: list[str] = []

    def param(
        self,
        name: str,
        shape: Sequence[int],
        init: Initializer,
        regu: Regularizer,
        lr: float,
        cons: Constraint = NoCons(),  # noqa: B008 - frozen
        *,
        decays: bool = True,
    ) -> LayerValue:
        layer, shape = self._layer, extents_of(name, shape)
        require_settings(name, init, regu, lr, cons)
        if name in layer.blob_fields and getattr(layer, name):
            return self.layer_value(self._given(name, getattr(layer, name), shape, decays))
        key = self._key("param")
        type = TensorType(self.dtype, shape)
        self._declared.append(name)
        known = self.params.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), type, "param")
            made = (layer.name, layer.loc, (layer.name,))
            theirs = layer.torch_name(name) if isinstance(layer, Parametric) else name
            kept = (shape, init, regu, lr, *made, cons, decays, theirs)
            self.params[key, name] = ParamInfo(key, name, value.name, *kept)
            return self.layer_value(value)
        here = (shape, init, regu, lr, cons, decays)
        there = (known.shape, known.init, known.regu, known.lr_mult, known.cons, known.decays)
        if here != there:
            for what, a, b in zip(SETTINGS, here, there, strict=True):
                self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
            return self.layer_value(self.b.input(self.b.fresh(known.value), type, "param"))
        self.params[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        return self.layer_value(self.b.values[known.value])

    def _key(self, call: str) -> str:
        """The key of the current layer's parameters and states.

        Raises:
            OpCallError: its class has none, so nothing would save, load or freeze them.
        """
        if isinstance(self._layer, Parametric):
            return self._layer.key
        kind = type(self._layer)
        bases = ", ".join(base.__name__ for base in kind.__bases__)
        raise OpCallError(
            f"ctx.{call} in a class that is not Parametric",
            f"class {kind.__name__}({'Parametric' if kind.__bases__ == (Layer,) else f'{bases}, Parametric'})",
            f"class {kind.__name__}({bases})",
            "derive from Parametric, whose parameters and states are saved, loaded and shared",
        )

    def _given(self, name: str, blob: str, shape: tuple[int, ...], decays: bool) -> Value:
        """A blob that is used as a parameter of the current layer; a ParameterLayer's that is a bias somewhere does not
        decay."""
        value = self.blobs[blob]
        assert value is not None
        if value.type.batch:
            hint = "a parameter is the same for all samples: make it with ParameterLayer"
            raise OpTypeError(f"{name} {blob!r} holds samples", "a ParameterLayer's blob", plain(value.type), hint)
        if value.type.shape != shape:
            hint = f"ParameterLayer(name={blob!r}, shape={shape})"
            raise OpTypeError(f"{name} {blob!r} has another shape", str(shape), str(value.type.shape), hint)
        for place, known in self.params.items():
            if known.value == value.name and not decays:
                self.params[place] = replace(known, decays=False)
        return value

    def borrowed(self, key: str, name: str) -> LayerValue:
        known = self.params.get((key, name))
        if known is None:
            raise OpTypeError(f"the parameters under the key {key!r} have no {name}")
        return self.layer_value(self.b.values[known.value])

    def state(self, name: str, shape: Sequence[int], init: Initializer) -> LayerValue:
        layer, shape = self._layer, extents_of(name, shape)
        require_initializer(name, init)
        key = self._key("state")
        self._declared.append(name)
        if (key, name) in self.params:
            raise OpCallError(f"state {name!r} has the name of a parameter", hint="give it another name")
        known = self.states.get((key, name))
        if known is None:
            init.check(shape)
            value = self.b.input(self.b.fresh(f"{key}.{name}"), TensorType(self.dtype, shape), "state")
            info = StateInfo(key, name, value.name, shape, init, layer.name, layer.loc, (layer.name,))
            self.states[key, name] = info
            self._states[value.name] = value
            return self.layer_value(value)
        for what, a, b in (("shape", shape, known.shape), ("initializer", init, known.init)):
            self._conflicts += [f"{name} {what}: {a} here, {b} there"] if a != b else []
        self.states[key, name] = replace(known, sharers=(*known.sharers, layer.name))
        state = self.b.values[known.value]
        if known.value not in self._updated:
            return self.layer_value(state)
        current = self.op("stop_gradient", self._updated[known.value])
        self._states[current.name] = state
        return current

    def carried_state(self, name: str, shape: Sequence[int]) -> LayerValue:
        layer, mode = self._layer, "" if self.training else f".of{self.batch}"
        type = TensorType(self.dtype, (self.batch, *extents_of(name, shape)), batch=True)
        value = self.b.input(self.b.fresh(f"{layer.name}.{name}{mode}"), type, "slot")
        self.carried[value.name] = layer.name
        self._states[value.name] = value
        return self.layer_value(value)

    def update(self, state: Value, new: Value) -> None:
        self.require_no_step("update")
        require_value("the state to update", state)
        require_value("the new value of a state", new)
        self.require_here(new)
        if state.name not in self._states:
            raise OpCallError("update() of a value that is not a state", "what ctx.state() returned", str(state))
        if not self.training and state.name not in self.carried:
            raise OpCallError("a state is updated in test mode", hint="if ctx.training: ctx.update(...)")
        if new.type != state.type:
            raise OpTypeError("the new value of a state has another type", str(state.type), str(new.type))
        target = self._states[state.name].name
        if target in self._updated_here:
            raise OpCallError(
                "a state is updated twice", "one ctx.update of each state", hint="update it once, at last"
            )
        self._updated_here.add(target)
        self._updated[target] = new

    @property
    def updates(self) -> tuple[tuple[str, str], ...]:
        """The states that a training step changes, with their new values."""
        return tuple((target, new.name) for target, new in self._updated.items())

    def _check_sharing(self, layer: Layer, whole: bool = True) -> bool:
        """Compare the settings with those of the first layer with the same param_key; returns whether they differ.

        Args:
            whole: the layer has declared all its parameters.
        """
        if not isinstance(layer, Parametric):
            return False
        owner, names = self._owners.setdefault(layer.key, (layer, self._declared))
        if whole and names != self._declared:
            self._conflicts = [f"parameters: {' '.join(self._declared)} here, {' '.join(names)} there"]
        if self._conflicts:
            self.problems.append(
                NetError(
                    f"shares parameters {layer.key!r} with another layer, but their settings differ",
                    layer=layer.name,
                    type=layer.kind,
                    details=[f"the other is {described(owner)}", *self._conflicts],
                    hint="give both the same settings, or one of them a param_key of its own",
                    at=at(layer.origin),
                )
            )
        return bool(self._conflicts)
