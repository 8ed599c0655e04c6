"""A slow machine for plans: one real arena of bytes, kernels run by the interpreter where the plan puts their values.

The memory and lowering tests use it, and the small random nets they share are built here.
"""

from __future__ import annotations

import random

import numpy as np

from mochac.codegen.nesting import Nested
from mochac.ir import Graph, GraphBuilder, Kernel, Loc, TensorType, Value
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.in_place import add_copies
from mochac.ir.passes.plan_memory import plan_memory
from mochac.ir.passes.simplify import simplify
from mochac.ir.passes.to_kernels import to_kernels
from mochac.ir.passes.verify_plan import verify_plan
from mochac.ir.plan import Placement, Plan
from mochac.ir.pullback import gradients
from mochac.ir.types import DTYPES, garbage


def planned(graph: Graph, lanes: int = 0, enabled: bool = True) -> tuple[Graph, tuple[Kernel, ...], Plan]:
    """All passes; the plan is verified."""
    graph = fuse(assign_layout(simplify(graph), lanes), enabled=enabled)
    kernels = add_copies(graph, tuple(Nested.of(k).kernel for k in to_kernels(graph)))
    plan = plan_memory("step", graph, kernels, named={name: name for name in graph.outputs})
    verify_plan(graph, kernels, plan)
    return graph, kernels, plan


class Memory:
    """Storage of a plan: an arena and the states, both as bytes, feeds and hypers as arrays."""

    def __init__(self, plan: Plan, inputs: dict[str, np.ndarray]) -> None:
        self.placements = {s.name: s for s in plan.placements}
        self.arena = np.full(plan.arena_bytes, 0xA5, np.uint8)
        self.given = {s.key: np.ascontiguousarray(inputs[s.key]).view() for s in plan.placements if s.place != "arena"}
        self.states = {k: a.copy().reshape(-1).view(np.uint8) for k, a in self.given.items()}

    def _bytes(self, placement: Placement) -> np.ndarray:
        block = self.arena if placement.place == "arena" else self.states[placement.key]
        start = placement.offset if placement.place == "arena" else 0
        return block[start : start + placement.type.storage_bytes]

    def read(self, name: str) -> np.ndarray:
        """A value in logical shape."""
        placement = self.placements[name]
        t, flat = placement.type, self._bytes(placement).view(DTYPES[placement.type.dtype])
        if not t.lanes:
            return flat.reshape(t.shape).copy()
        blocks = np.moveaxis(flat.reshape(-1, *t.shape[1:], t.lanes), -1, 1)
        return blocks.reshape(-1, *t.shape[1:])[: t.shape[0]].copy()

    def write(self, name: str, value: np.ndarray) -> None:
        """Store a value; pad lanes become garbage."""
        placement = self.placements[name]
        t, flat = placement.type, self._bytes(placement).view(DTYPES[placement.type.dtype])
        if t.lanes:
            rows = garbage((-(-t.shape[0] // t.lanes) * t.lanes, *t.shape[1:]), t.dtype)
            rows[: t.shape[0]] = value
            value = np.moveaxis(rows.reshape(-1, t.lanes, *t.shape[1:]), 1, -1)
        flat[:] = value.reshape(-1)


def run_plan(kernels: tuple[Kernel, ...], plan: Plan, inputs: dict[str, np.ndarray], backwards: bool) -> Memory:
    """Run the launches phase by phase; those of one phase in either order."""
    memory, by_name = Memory(plan, inputs), {k.name: k for k in kernels}
    for phase in range(plan.phases):
        launches = [launch for launch in plan.launches if launch.phase == phase]
        for launch in reversed(launches) if backwards else launches:
            kernel = by_name[launch.kernel]
            results = run_kernel(kernel, {b.name: memory.read(b.name).reshape(b.type.shape) for b in kernel.inputs})
            for name, value in results.items():
                memory.write(name, value.reshape(plan.placement(name).type.shape))
    return memory


def random_inputs(graph: Graph, seed: int) -> dict[str, np.ndarray]:
    """Normal numbers; labels are classes, hyper-parameters small."""
    rng = np.random.default_rng(seed)
    found: dict[str, np.ndarray] = {}
    for i in graph.inputs:
        if i.name == "label":
            value: np.ndarray = rng.integers(0, 3, i.type.shape)
        elif i.role == "hyper":
            value = np.full(i.type.shape, 0.25)
        else:
            value = rng.standard_normal(i.type.shape)
        found[i.name] = value.astype(DTYPES[i.type.dtype])
    return found


class NetMaker:
    """A random net on images with a softmax loss, its gradients and momentum SGD."""

    def __init__(self, seed: int, dtype: str = "f32") -> None:
        self.dtype = dtype
        self.rng = random.Random(seed)
        self.b = GraphBuilder(f"net{seed}")
        self.params: list[Value] = []
        self.batch = self.rng.choice((1, 3, 5))

    def param(self, name: str, shape: tuple[int, ...]) -> Value:
        known = name in self.b.values
        value = self.b.input(name, TensorType(self.dtype, shape), "param")
        if not known:
            self.params.append(value)
        return value

    def make(self) -> Graph:
        b = self.b
        x = b.input("data", TensorType(self.dtype, (self.batch, 2, 7, 6), batch=True))
        label = b.input("label", TensorType(self.dtype, (self.batch, 1), batch=True))
        for n in range(self.rng.randint(0, 2)):
            x = self.image_layer(x, n)
        x = b.op("reshape", x, shape=(self.batch, x.type.elems // self.batch))
        for n in range(self.rng.randint(0, 2)):
            x = self.flat_layer(x, n)
        x = self.inner_product("last", x, 3)
        with b.at(Loc("loss")):
            losses, _ = b.ops("softmax_loss", x, label, axis=1, name="loss")
            total = b.scaled(b.op("reduce_sum", losses, axes=(0,)), 1.0 / self.batch)
        found = gradients(b, total, self.params)
        with b.at(Loc("update")):
            for p in self.params:
                self.update(p, found[p.name])
        return b.finish([total, x.name])

    def image_layer(self, x: Value, n: int) -> Value:
        b, rng = self.b, self.rng
        with b.at(Loc(f"conv{n}")):
            weight = self.param(f"conv{n}.weight", (2, x.type.shape[1], 2, 2))
            pad = rng.choice(((0, 0), (1, 0)))
            bias = self.param(f"conv{n}.bias", (2,))
            x = b.op("conv", x, weight, bias, stride=(1, 1), pad=pad, group=1, name=f"conv{n}")
            x = rng.choice((lambda: x, lambda: b.op("relu", x), lambda: b.op("sigmoid", x)))()
        with b.at(Loc(f"pool{n}")):
            if min(x.type.shape[2:]) < 4:
                return x
            window = rng.choice(((2, 2), (3, 2)))
            return b.ops("max_pool", x, kernel=(2, 2), stride=window[:1] * 2, pad=(0, 0), name=f"pool{n}")[0]

    def inner_product(self, name: str, x: Value, outputs: int) -> Value:
        with self.b.at(Loc(name)):
            weight = self.param(f"{name}.weight", (outputs, x.type.shape[1]))
            return self.b.op("inner_product", x, weight, self.param(f"{name}.bias", (outputs,)), name=name)

    def flat_layer(self, x: Value, n: int) -> Value:
        b, width = self.b, 4
        shared = x.type.shape[1] == width and self.rng.random() < 0.5
        y = self.inner_product("shared" if shared else f"ip{n}", x, width)
        with b.at(Loc(f"tail{n}")):
            y = b.op(self.rng.choice(("relu", "tanh", "sigmoid")), y)
            return b.op("add", x, y) if x.type == y.type else y

    def update(self, p: Value, gradient: Value) -> None:
        b = self.b
        velocity = b.input(f"{p.name}.velocity", p.type, "slot")
        rate, momentum = (
            b.op("broadcast", b.input(name, TensorType(self.dtype, ()), "hyper"), shape=p.type.shape, axes=())
            for name in ("lr", "momentum")
        )
        step = b.op("mul", rate, b.op("add", gradient, b.scaled(p, 0.01)))
        new = b.op("sub", b.op("mul", momentum, velocity), step)
        b.update(velocity, new)
        b.update(p, b.op("add", p, new))
