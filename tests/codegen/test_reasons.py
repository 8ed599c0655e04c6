"""Every step of every schedule says why it is there, for all rules of both backends and nets of the benchmarks."""

from dataclasses import replace

import pytest
from benchmarks.bench_kit import module
from codegen.cuda.cuda_kernels import NAMES, SMALL, case_kernels
from codegen.gate_kernels import apart_and_joined, lstm
from codegen.kernels import CASES, case, kernel_of, naive_kernels, op_graph
from codegen.test_random import drawing, drawn_by
from passes.parts_nets import many_items

from mochac import Net
from mochac.base.options import CompileOptions, Options
from mochac.codegen.cpu import schedules
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.nesting import Nested
from mochac.ir.kernel import Kernel
from mochac.ir.passes.fuse import fuse
from mochac.ir.schedule import Schedule, parse_schedule
from mochac.ir.schedule_builder import ScheduleBuilder
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.split import Split
from mochac.lowering.backends import open_backend
from mochac.lowering.main_plan import lowered_net

TARGETS = (replace(CpuTarget.of("sapphirerapids", 64), bfloat16=True, tiles=True), CpuTarget.of("haswell", 32))
NETS = ("lenet", "mobilenet")
GATES = apart_and_joined(lstm(16, 128))[1]
LONG = op_graph("inner_product_dw", ("f32[4096,512]", "f32[4096,48]"))
PAIRS = [
    op_graph("inner_product", ("bf16x2[40,32]", "bf16x2[48,32]")),
    op_graph("inner_product_dx", ("bf16x2[40,32]", "bf16x2[32,48]")),
    op_graph("inner_product_dw", ("bf16x2[32,48]", "bf16x2[32,40]")),
]


def unsaid(schedule: Schedule) -> list[str]:
    return [f"{schedule.name}: {step}" for step in schedule.steps if not schedule.reason_of(step)]


def benchmark_net(name: str) -> Net:
    task = module(f"contest.tasks.{name}").TASK
    return module("contest.with_mochac").net(task, task.data())


@pytest.fixture(scope="module")
def kernels() -> list[Kernel]:
    """The staged kernels of attention and two benchmark nets, for CPUs."""
    backend = open_backend(CompileOptions(backend="cpu", target="sapphirerapids"), Options.from_env(), run=False)
    found: list[Kernel] = []
    for net in (many_items(), *map(benchmark_net, NETS)):
        lowered = lowered_net(net, backend)
        assert [line for k in lowered.kernels for line in unsaid(k.schedule)] == []
        found += [k.staged for k in lowered.kernels]
    return [*dict.fromkeys(found)]


@pytest.mark.slow
def test_all_rules_say_why(kernels):
    """Not only of the rule that is chosen: of all that take a kernel."""
    taken = set()
    for target in TARGETS:
        small = [case(name, target.lanes("f32")) for name in CASES]
        small += [
            kernel_of("square", ("f32[b4,3,8,8]",), 4),
            *naive_kernels(fuse(LONG)),
            *(kernel for graph in PAIRS for kernel in naive_kernels(fuse(graph))),
            drawn_by(drawing((32, 3, 13, 13)), target),
            GATES,
        ]
        for kernel in [*small, *kernels] if target is TARGETS[0] else small:
            for rule, schedule in schedules._taking(Nested.of(kernel), target):
                taken.add(schedules._name(rule))
                assert unsaid(schedule) == []
    assert taken == {schedules._name(rule) for rule in (*schedules.RULES, schedules.joined)}


@pytest.mark.slow
def test_small_kernels_say_why_on_a_gpu():
    assert {len(unsaid(k.schedule)) for name in NAMES for k in case_kernels(name, target=SMALL)} == {0}


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("name", ["gpt", "lenet", "resnet"])
def test_nets_say_why_on_a_gpu(name):
    options = CompileOptions(backend="cuda", target="sm_90", libraries=False)
    lowered = lowered_net(benchmark_net(name), open_backend(options, Options.from_env(), run=False))
    assert [line for k in lowered.kernels for line in unsaid(k.schedule)] == []


def test_which_reason_counts():
    """A combinator's for all its steps; a rule's for those whose kind has no purpose."""
    b = ScheduleBuilder(case("conv-padded", 16))
    loop, tap = b.loops()[-1], next(x for x in b.all_loops() if x not in b.loops() and b.fits(Clip(x)))
    b.reason = "of the rule"
    outer, _ = b.split(loop, 2)
    with b.because("of the combinator"):
        b.split(outer, 2)
    reasons = [(type(step), b.schedule("s").reason_of(step)) for step in b.schedule("s").steps]
    assert parse_schedule(b.schedule("s").annotated) == b.schedule("s")
    assert reasons == [(Clip, Clip.purpose), (Split, "of the rule"), (Split, "of the combinator")] and tap
