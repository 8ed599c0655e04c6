"""Panels fetched ahead, sums split among threads: steps pipeline and exchange, partial's loop, copies in vectors."""

from __future__ import annotations

import numpy as np
import pytest

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.applying import apply
from mochac.ir.index import Index
from mochac.ir.kernel import walk
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, ScheduleError, parse_step
from mochac.ir.spread import rounds, spread

PRODUCT = """kernel @product(%x: f32[{n},{f}], %w: f32[{o},{f}]) -> (%y: f32[{n},{o}]) {{
  local %acc: f32[] register
  each n in 0..{n} {{
    each o in 0..{o} {{
      %acc[] = 1.0:f32
      sum f in 0..{f} {{
        %t = %x[n, f]
        %u = %w[o, f]
        %acc[] = fma(%t, %u, %acc[])
      }}
      %v = %acc[]
      %y[n, o] = %v
    }}
  }}
}}"""

TILED = (
    "split(loop=n, factor=8, outer=nb, inner=ni)",
    "split(loop=o, factor=4, outer=ob, inner=oi)",
    "split(loop=f, factor=8, outer=fb, inner=fi)",
    "reorder(loops=(nb, ob, ni, oi))",
    "distribute(loop=oi, past=(fb))",
    "distribute(loop=ni, past=(fb))",
    "panels(loop=fb, threads=32)",
)
END = ("threads(loops=(ni, oi), count=32)", "blocks(loops=(nb, ob))")
SHARED = (
    "split(loop=n, factor=8, outer=nb, inner=ni)",
    "split(loop=o, factor=4, outer=ob, inner=oi)",
    "split(loop=f, factor=8, outer=fb, inner=fi)",
    "split(loop=fi, factor=4, outer=fg, inner=fj)",
    "partial(local=acc, loop=fg, join=fs)",
    "reorder(loops=(nb, ob, ni, oi))",
    "fission(loop=oi, after=2, second=oe)",
    "fission(loop=ni, after=1, second=ne)",
    "distribute(loop=oi, past=(fb, fg))",
    "distribute(loop=ni, past=(fb, fg))",
    "panels(loop=fb, threads=64, across=(fg, ni, oi))",
    "pipeline(loop=fb)",
    "threads(loops=(fg, ni, oi), count=64)",
    "unroll(loop=fs)",
    "threads(loops=(ne, oe), count=64)",
)


def scheduled(*steps: str, n: int = 20, o: int = 9, f: int = 30, printable: bool = True):
    kernel = parse_kernel(PRODUCT.format(n=n, o=o, f=f))
    done = apply(Schedule("test", tuple(map(parse_step, steps))), kernel)
    verify_kernel(done, printable=printable)
    assert parse_kernel(str(done)) == done
    rng = np.random.default_rng(20261122)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    got, want = run_kernel(done, inputs), run_kernel(kernel, inputs)
    np.testing.assert_allclose(got["y"], want["y"], rtol=1e-5, atol=1e-5)
    return done


@pytest.mark.parametrize("f", [30, 32, 64])
def test_panels_are_fetched_an_iteration_ahead(f):
    text = str(scheduled(*TILED, "pipeline(loop=fb)", *END, f=f))
    before, loop = text.split("for fb in")
    assert "sum fb" not in text
    assert before.count("= %x[") == before.count("= %w[") == 1  # the first panels
    assert loop.index("%x.panel[") < loop.index("= %x[") < loop.index("fma")  # put down, fetch the next, compute
    assert "%x.panel.held" not in text  # what a condition left out is zero in the registers that are fetched to


@pytest.mark.parametrize("f", [16, 40, 61])
def test_panels_twice_need_one_barrier_a_round(f):
    done = scheduled(*TILED, "pipeline(loop=fb, double=True)", *END, f=f)
    assert {b.type.shape[0] for b in done.locals if b.space == "shared"} == {2}
    for kernel, barriers in ((done, 1), (scheduled(*TILED, "pipeline(loop=fb)", *END, f=f), 2)):
        assert print_kernel(kernel, CudaTarget()).text.count("__syncthreads();") == barriers


def test_halves_that_no_loop_turns_are_one():
    """The second half is written by name in a loop that turns: a barrier must stand before it."""
    text = str(scheduled(*TILED, "pipeline(loop=fb, double=True)", *END, f=32))
    named = parse_kernel(text.replace("%x.panel[-fb.h + 1, ", "%x.panel[1, "))
    assert named != parse_kernel(text)
    assert print_kernel(named, CudaTarget()).text.count("__syncthreads();") == 2


def test_what_is_aligned_is_copied_in_vectors():
    vectors = [
        s for s in walk(scheduled(*TILED, "pipeline(loop=fb)", *END, f=32).body) if getattr(s, "run", "") == "vector"
    ]
    assert {v.extent for v in vectors} == {4}
    assert not any(getattr(s, "run", "") == "vector" for s in walk(scheduled(*TILED, *END, f=30).body))


def test_groups_of_threads_share_a_sum():
    done = scheduled(*SHARED, "exchange(local=acc)", "blocks(loops=(nb, ob))")
    text = str(done)
    assert {b.name: b.type.shape for b in done.locals if b.name == "acc.parts"} == {"acc.parts": (2, 8, 4)}
    put, read = text.index("%acc.parts[fg, ni, oi] = "), text.index("= %acc.parts[fs, ne, oe]")
    assert text.index("fma") < put < read
    assert "sum fs in 0..2 unroll {" in text


def test_without_an_exchange_threads_would_read_what_is_not_theirs():
    from mochac.ir.kernel_verify import KernelVerifyError

    with pytest.raises(KernelVerifyError, match="threads-private: %acc is not each thread's own everywhere"):
        scheduled(*SHARED, "blocks(loops=(nb, ob))")


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("pipeline(loop=f)",), "loop 'f' does not begin with copies into shared memory"),
        (("pipeline(loop=m)",), "has no loop 'm'"),
        (("split(loop=f, factor=30, outer=fb, inner=fi)", "pipeline(loop=fb)"), "two iterations at least"),
        (("exchange(local=best)",), "has no local 'best' in registers"),
        (("exchange(local=acc)",), "no nest over threads sets 'acc' first"),
        ((*TILED, *END, "exchange(local=x.panel)"), "has no local 'x.panel' in registers"),
        (("partial(local=acc, loop=f, join=n)",), "already has a loop 'n'"),
    ],
)  # fmt: skip
def test_refusals(steps, message):
    with pytest.raises(ScheduleError, match=message):
        scheduled(*steps)


@pytest.mark.parametrize("box", [(("a", 7),), (("a", 2), ("b", 12), ("c", 12)), (("a", 50), ("b", 28)), (("a", 1),)])
@pytest.mark.parametrize("threads", [32, 100, 256])
@pytest.mark.parametrize("vector", [1, 4])
def test_every_element_is_copied_once(box, threads, vector):
    if box[-1][1] % vector:
        pytest.skip("no whole vectors")
    axes = spread(box, threads, vector)
    assert np.prod([a.across for a in axes]) <= threads
    for axis, (var, extent) in zip(axes, box, strict=True):
        places = []
        for turn in range(axis.turns):
            for thread in range(axis.across):
                for element in range(axis.vector):
                    env = {f"{var}_r": turn, axis.thread: thread, f"{var}_v": element}
                    if axis.guard is None or axis.guard.evaluate(env) >= 0:
                        places.append(axis.index.evaluate(env))
        assert sorted(places) == list(range(extent))


def test_banks():
    row = Index.var("r") * 36
    assert rounds(row, [("r", 32)]) == 4  # 32 vectors of 16 bytes: no fewer
    assert rounds(Index.var("r") * 32, [("r", 32)]) == 32
    assert rounds(Index.var("r") * 32, [("r", 4), ("c", 8)]) == 4  # the other threads read the same words
