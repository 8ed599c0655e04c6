"""MOCHAC_VERIFY=1: every plan is verified, and whatever is broken is blamed on the stage that made it."""

from dataclasses import replace

import numpy as np
import pytest

import mochac
from mochac import SGD, InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer
from mochac.base.errors import InternalError
from mochac.codegen.cpu.generator import CpuGenerator
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import parse
from mochac.ir.kernel_text import parse_kernel
from mochac.lowering import verification as verifying
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend


@pytest.mark.slow
def test_every_plan_is_verified(monkeypatch):
    verified, plain = [], verifying.verify_all
    monkeypatch.setattr(
        verifying, "verify_all", lambda lowered, backend: verified.append(lowered.name) or plain(lowered, backend)
    )
    monkeypatch.setenv("MOCHAC_VERIFY", "1")
    layers = [
        MemoryDataLayer(data=[np.zeros((12, 6)), np.zeros(12)], batch_size=4),
        InnerProductLayer(name="ip", output_dim=3, bottoms=["data"]),
        SoftmaxLossLayer(name="loss", bottoms=["ip", "label"]),
    ]
    with mochac.compile(Net("small", layers)) as program:
        program.train(SGD(), max_iter=2)
        program.forward()
        program.backward()
        program.evaluate()
        program.predict(np.zeros((3, 6)))
    assert verified == ["step", "forward", "backward", "test", "predict"]


@pytest.fixture
def lowered():
    graph = parse("graph @g(%x: f32[b4,3]) { %y: f32[b4,3] = relu(%x) return %y }")
    return lower(graph, CpuGenerator(CpuTarget()), scalars={}, named={}, dtype="f32")


def edited(kernel, old, new):
    return parse_kernel(str(kernel).replace(old, new))


def broken_graph(lowered):
    stages = [(name, g.with_(nodes=()) if name == "fuse" else g) for name, g in lowered.stages]
    return replace(lowered, stages=tuple(stages))


def broken_lowering(lowered):
    (kernel,) = lowered.kernels
    return replace(lowered, kernels=(replace(kernel, staged=edited(kernel.staged, "relu(%t)", "relu(%u)")),))


def broken_nesting(lowered):
    (kernel,) = lowered.kernels
    return replace(lowered, kernels=(replace(kernel, naive=edited(kernel.naive, "relu(%t)", "relu(%u)")),))


def broken_schedule(lowered):
    (kernel,) = lowered.kernels
    wrong = edited(kernel.scheduled, "%x[a0_a1", "%x[1 + a0_a1")
    vars(kernel)["scheduled"] = wrong
    return lowered


def broken_plan(lowered):
    x, y = lowered.plan.placements
    return replace(lowered, plan=replace(lowered.plan, placements=(x, replace(y, offset=3))))


def broken_text(lowered):
    vars(lowered)["text"] = lowered.text.replace("ret void", "ret i32 0")
    return lowered


@pytest.mark.parametrize(
    ("spoil", "blame"),
    [
        (broken_graph, "pass 'fuse' broke the graph"),
        (broken_lowering, "kernel 'relu' is lowered wrongly"),
        (broken_nesting, "the nests of 'relu' are put together wrongly"),
        (broken_schedule, "schedule 'generic"),
        (broken_plan, "the plan breaks a rule"),
        (broken_text, "the generated LLVM IR is invalid"),
    ],
)
def test_blame_lands_on_the_stage(lowered, spoil, blame):
    verifying.verify_all(lowered, CpuBackend())
    with pytest.raises(InternalError) as caught:
        verifying.verify_all(spoil(lowered), CpuBackend())
    assert str(caught.value).startswith(blame)
