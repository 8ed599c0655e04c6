"""pipeline: panels fetched an iteration ahead, once or twice in shared memory; what it refuses."""

from __future__ import annotations

import pytest
from panel_kit import END, TILED, product

from mochac.codegen.cuda.module import print_kernel
from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel import walk
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.schedule import ScheduleError


@pytest.mark.parametrize("f", [30, 32, 64])
def test_panels_are_fetched_an_iteration_ahead(f):
    text = str(product(*TILED, "pipeline(loop=fb)", *END, f=f))
    before, loop = text.split("for fb in")
    assert "sum fb" not in text
    assert before.count("= %x[") == before.count("= %w[") == 1  # the first panels
    assert loop.index("%x.panel[") < loop.index("= %x[") < loop.index("fma")  # put down, fetch the next, compute
    assert "%x.panel.held" not in text  # what a condition left out is zero in the registers that are fetched to


@pytest.mark.parametrize("f", [16, 40, 61])
def test_panels_twice_need_one_barrier_a_round(f):
    done = product(*TILED, "pipeline(loop=fb, double=True)", *END, f=f)
    assert {b.type.shape[0] for b in done.locals if b.space == "shared"} == {2}
    for kernel, barriers in ((done, 1), (product(*TILED, "pipeline(loop=fb)", *END, f=f), 2)):
        assert print_kernel(kernel, CudaTarget()).text.count("__syncthreads();") == barriers


@pytest.mark.parametrize("f", [16, 40, 61, 64])
def test_direct_copies_take_no_registers(f):
    done = product(*TILED, "pipeline(loop=fb, double=True, direct=True)", *END, f=f)
    assert [b.name for b in done.locals if b.space == "register"] == ["acc"]
    copies = [s for s in walk(done.body) if getattr(s, "run", "") == "async"]
    assert {c.extent for c in copies} == {1 if f == 61 else 4} and parse_kernel(str(done)) == done
    text = print_kernel(done, CudaTarget()).text
    assert text.count("mochac_copy_async<") == len(copies) == 4
    assert text.count("__syncthreads();") == text.count("mochac_copies_arrived();") == 1
    assert text.index("mochac_copies_arrived();") < text.index("__syncthreads();") < text.rindex("mochac_copy_async<")


def test_halves_that_no_loop_turns_are_one():
    """The second half is written by name in a loop that turns: a barrier must stand before it."""
    text = str(product(*TILED, "pipeline(loop=fb, double=True)", *END, f=32))
    named = parse_kernel(text.replace("%x.panel[-fb.h + 1, ", "%x.panel[1, "))
    assert named != parse_kernel(text)
    assert print_kernel(named, CudaTarget()).text.count("__syncthreads();") == 2


def test_what_is_aligned_is_copied_in_vectors():
    vectors = [
        s for s in walk(product(*TILED, "pipeline(loop=fb)", *END, f=32).body) if getattr(s, "run", "") == "vector"
    ]
    assert {v.extent for v in vectors} == {4}
    assert not any(getattr(s, "run", "") == "vector" for s in walk(product(*TILED, *END, f=30).body))


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        (("pipeline(loop=f)",), "loop 'f' does not begin with copies into shared memory"),
        (("pipeline(loop=m)",), "has no loop 'm'"),
        (("pipeline(loop=f, direct=True)",), "direct copies need double buffers"),
        (("split(loop=f, factor=30, outer=fb, inner=fi)", "pipeline(loop=fb)"), "at least two iterations"),
    ],
)
def test_pipeline_refuses(steps, message):
    with pytest.raises(ScheduleError, match=message):
        product(*steps)
