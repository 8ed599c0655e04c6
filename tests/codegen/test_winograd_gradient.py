"""Weight gradients by tiles: results of random shapes against exact ones, on all kinds of CPUs, and for any threads."""

from dataclasses import replace

import numpy as np
import pytest

from mochac.base.support.memory import aligned_empty
from mochac.codegen.cpu.schedules import choose, winograd_gradient
from mochac.codegen.cpu.schedules.winograd_cost import sum_blocks
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir import parse
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.op import OPS
from mochac.ir.passes.assign_layout import assign_layout
from mochac.ir.passes.fuse import fuse
from mochac.ir.passes.to_kernels import to_kernels
from mochac.lowering.pipeline import lower
from mochac.runtime.cpu.backend import CpuBackend

TARGETS = {
    "avx512": CpuTarget.of("skylake-avx512", 64),
    "avx512, 64 threads": replace(CpuTarget.of("skylake-avx512", 64), team=64),
    "avx2": CpuTarget.of("haswell", 32),
    "neon": CpuTarget("neoverse-v2", 16, 32, arch="aarch64"),
}
FORMS = (
    ((3, 3), (4, 4)),
    ((3, 3), (2, 2)),
    ((5, 5), (4, 4)),
    ((5, 5), (2, 2)),
    ((1, 3), (1, 4)),
    ((3, 1), (4, 1)),
    ((3,), (4,)),
    ((5,), (2,)),
    ((2, 3, 2), (2, 2, 2)),
)
"""Kernels with the tiles that they are computed in."""


class Case:
    """The gradient of random filters, for a batch that may have a tail, in groups of which the last may be smaller.

    Args:
        lanes: of a vector.
        widest: the extents of images are below it.
    """

    def __init__(self, seed, lanes, widest=9):
        rng = np.random.default_rng(seed)
        self.kernel, self.tile = FORMS[rng.integers(len(FORMS))]
        axes = len(self.kernel)
        self.pad = tuple(int(rng.integers(0, (r + 1) // 2)) for r in self.kernel)
        most = widest if axes < 3 else 5
        size = tuple(int(max(r - 2 * p, rng.integers(1, most))) for r, p in zip(self.kernel, self.pad, strict=True))
        self.out = tuple(n + 2 * p - r + 1 for n, p, r in zip(size, self.pad, self.kernel, strict=True))
        samples = int(rng.choice([lanes, 2 * lanes, 3 * lanes, rng.integers(2, 3 * lanes), rng.integers(2, lanes)]))
        channels = int(rng.choice([lanes, 2 * lanes, rng.integers(2, 5 * lanes // 2)]))
        filters = int(rng.integers(1, 20))
        self.group = int(rng.choice([samples, lanes, 2 * lanes]))
        self.x = rng.standard_normal((samples, channels, *size)).astype("f4")
        self.dy = rng.standard_normal((samples, filters, *self.out)).astype("f4")

    def __str__(self):
        shapes = f"x {self.x.shape} dy {self.dy.shape} kernel {self.kernel} pad {self.pad}"
        return f"{shapes} tile {self.tile} groups of {self.group}"

    @property
    def exact(self):
        ones = (1,) * len(self.kernel)
        attrs = {"kernel": self.kernel, "stride": ones, "pad": self.pad, "group": 1, "dilation": ones}
        return OPS["conv_dw"].reference(self.x.astype("f8"), self.dy.astype("f8"), **attrs)

    def graph(self):
        (n, c, *size), f = self.x.shape, self.dy.shape[1]
        counts = [-(-o // m) for o, m in zip(self.out, self.tile, strict=True)]
        products = int(np.prod([m + r - 1 for m, r in zip(self.tile, self.kernel, strict=True)]))
        tiling = f"tile = {listed(self.tile)}, kernel = {listed(self.kernel)}"
        return parse(
            f"""graph @g(%x: f32[b{shape(n, c, *size)}] data, %d: f32[b{shape(n, f, *self.out)}] data) {{
            %e: f32[b{shape(n, products, f, *counts)}] = winograd_gradient(%d) {{{tiling}}}
            %v: f32[b{shape(n, products, c, *counts)}] = winograd_input(%x)
                {{{tiling}, pad = {listed(self.pad)}, out = {listed(self.out)}}}
            %m: f32[{shape(-(-n // self.group), f, products, c)}] = winograd_product_dw(%e, %v)
                {{group_size = {self.group}}}
            %dw: f32[{shape(f, c, *self.kernel)}] = winograd_filter_dw(%m) {{{tiling}}}
            return %dw
        }}""".replace("\n                {", " {")
        )


def shape(*sizes):
    return ",".join(map(str, sizes))


def listed(sizes):
    return f"({shape(*sizes)}{',' * (len(sizes) == 1)})"


def close(got, want):
    """Errors relative to the rms of the results: many samples have rounding errors of 3e-6, tiles of 4 x 4 of 5 x 5
    taps and a few samples 2e-5."""
    assert np.abs(got.reshape(want.shape) - want).max() <= 1e-4 * np.sqrt(np.mean(want**2))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cpu", list(TARGETS))
def test_schedules_keep_the_results(cpu, seed):
    target = TARGETS[cpu]
    case = Case(seed, target.lanes("f32"))
    print(case)
    values = {"x": case.x, "d": case.dy}
    names = []
    for kernel in to_kernels(fuse(assign_layout(case.graph(), target.lanes("f32")))):
        schedule = choose(kernel, target)
        names.append(schedule.name)
        scheduled = apply(schedule, kernel)
        verify_kernel(scheduled, printable=True)
        values.update(run_kernel(scheduled, {b.name: values[b.name].reshape(b.type.shape) for b in kernel.inputs}))
    assert "winograd_product_dw.tiles" in names
    close(values["dw"], case.exact)


def compiled(case, backend, *threads):
    """The gradient by generated code, for each number of threads."""
    graph = case.graph()
    low = lower(graph, backend.generator, scalars={}, named={"dw": graph.outputs[0]})
    feeds = {"x": aligned_empty(case.x.shape), "d": aligned_empty(case.dy.shape)}
    feeds["x"][...], feeds["d"][...] = case.x, case.dy
    for count in threads:
        plan = backend.bind(low.plan, backend.objects(low.text), {}, count)
        plan.run(1, [feeds], {})
        yield np.array(plan.read("dw"))


@pytest.mark.sampled(5)
@pytest.mark.parametrize("seed", range(100, 110))
def test_compiled_results_are_the_same_for_any_number_of_threads(seed):
    backend = CpuBackend()
    case = Case(seed, backend.generator.target.lanes("f32"))
    print(case)
    first, *others = compiled(case, backend, 1, 2, 3)
    assert all(np.array_equal(first, other) for other in others)
    close(first, case.exact)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(200, 206))
def test_blocks_of_any_number_of_tiles(seed, monkeypatch):
    """Parts of a row of tiles and several rows, each of them though the model prefers another one."""
    backend, options = CpuBackend(), []

    def one(place):
        def chosen(work, core):
            options[:] = sorted(sum_blocks(work, core))
            return options[place : place + 1]

        return chosen

    case = Case(seed, backend.generator.target.lanes("f32"), widest=18)
    print(case)
    place = 0
    while place <= len(options[1:]):
        monkeypatch.setattr(winograd_gradient, "sum_blocks", one(place))
        close(next(compiled(case, backend, 2)), case.exact)
        place += 1
    assert place == len(options)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cpu", list(TARGETS))
def test_filters_are_updated_with_their_gradients(cpu, seed):
    """An update with momentum, of channels that fill a vector at least."""
    target, rng = TARGETS[cpu], np.random.default_rng(seed)
    kernel, tile = FORMS[rng.integers(len(FORMS))]
    lanes = target.lanes("f32")
    groups, filters, channels = int(rng.integers(1, 5)), int(rng.integers(1, 5)), int(rng.integers(lanes, 3 * lanes))
    products = int(np.prod([m + r - 1 for m, r in zip(tile, kernel, strict=True)]))
    weights = f"f32[{shape(filters, channels, *kernel)}]"
    graph = parse(f"""graph @g(%m: f32[{shape(groups, filters, products, channels)}], %w: {weights}, %h: {weights}) {{
        %dw: {weights} = winograd_filter_dw(%m) {{tile = {listed(tile)}, kernel = {listed(kernel)}}}
        %step: {weights} = sub(%h, %dw)
        %new: {weights} = add(%w, %step)
        return %new, %step
    }}""")
    values = {x.name: rng.standard_normal(x.type.shape).astype("f4") for x in graph.inputs}
    (staged,) = to_kernels(fuse(assign_layout(graph, lanes)))
    schedule = choose(staged, target)
    assert schedule.name == "winograd_filter_dw.lines"
    scheduled = apply(schedule, staged)
    verify_kernel(scheduled, printable=True)
    got = run_kernel(scheduled, values)
    step = values["h"] - OPS["winograd_filter_dw"].reference(values["m"].astype("f8"), tile=tile, kernel=kernel)
    close(got["step"], step)
    close(got["new"], values["w"] + step)
