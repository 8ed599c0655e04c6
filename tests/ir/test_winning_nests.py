"""The loop nests that win on CPUs (direct convolution with batch lanes, ...) come from naive kernels by steps alone."""

from __future__ import annotations

import kernel_kit as kit
import pytest

from mochac.ir.kernel import Kernel, Loop, walk
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Step, parse_schedule
from mochac.ir.steps.clip import Clip
from mochac.ir.steps.merge import Detach, Distribute, Merge, Reorder
from mochac.ir.steps.run import Parallel, Place, Unroll, Vector
from mochac.ir.steps.split import Fission, Peel, Split
from mochac.ir.steps.split_sum import Partial
from mochac.ir.steps.stage import Stage
from mochac.ir.steps.storage import Flatten
from mochac.ir.steps.vectors import Transpose

TAPS = ("kh", "kw")


def outline(kernel: Kernel) -> str:
    """The loops of a kernel: indented, with their run."""
    lines: list[str] = []

    def visit(body, depth):
        for s in body:
            if isinstance(s, Loop):
                lines.append("  " * depth + s.var + ("" if s.run == "serial" else f" {s.run}"))
            if hasattr(s, "body"):
                visit(s.body, depth + isinstance(s, Loop))

    visit(kernel.body, 0)
    return "\n".join(lines)


def finish(*unrolled: str, threads: tuple[str, ...]) -> tuple[Step, ...]:
    return (*map(Unroll, unrolled), Vector("lane"), Parallel(threads))


def conv_steps(
    names: tuple[str, str, str, str], tail: str, *, padded: bool, edges: tuple[int, int]
) -> tuple[Step, ...]:
    channel, row, column, reduced = names
    sums = (reduced, *TAPS)
    return (
        Split("n", 16, "q", "lane", tail),
        Split(column, 4, "wt", "t"),
        Reorder((channel, "q", row, "wt", "t", "lane")),
        Split(channel, 4, "ct", "r", "cut"),
        *((Peel("wt", *edges),) if any(edges) else ()),
        Distribute("lane", sums),
        Distribute("t", sums),
        Distribute("r", ("q", row, "wt", *sums)),
        *((Clip("kh"),) if padded else ()),
        *finish("kw", "r", "t", threads=("ct", "q")),
    )


@pytest.mark.parametrize("tail", ["guard", "pad"])
def test_convolution_forward(tail: str) -> None:
    steps = conv_steps(("co", "oh", "ow", "ci"), tail, padded=False, edges=(0, 0))
    result = kit.scheduled(kit.conv(filters=4, size=10), *steps)
    verify_kernel(result, printable=True)
    assert result.buffers()["acc"].type.shape == (4, 4, 16)
    reduction = "\n".join(["        ci", "          kh", "            kw unroll", "              r unroll"])
    assert outline(result) == "\n".join(
        ["ct parallel", "  q parallel", "    oh", "      wt"]
        + [f"{' ' * k}{v}" for k, v in ((8, "r unroll"), (10, "t unroll"), (12, "lane vector"))]
        + [reduction, " " * 16 + "t unroll", " " * 18 + "lane vector"]
        + [f"{' ' * k}{v}" for k, v in ((8, "r unroll"), (10, "t unroll"), (12, "lane vector"))]
    )


@pytest.mark.slow
@pytest.mark.parametrize(("size", "pad", "stride"), [(8, 1, 1), (8, 2, 1), (7, 1, 2)])
def test_padded_convolution_executes_no_padding(size: int, pad: int, stride: int) -> None:
    steps = conv_steps(("co", "oh", "ow", "ci"), "pad", padded=True, edges=(1, 1))
    result = kit.scheduled(kit.conv(size=size, pad=pad, stride=stride), *steps)
    verify_kernel(result, printable=True)
    rows = [s for s in walk(result.body) if isinstance(s, Loop) and s.var == "kh"]
    assert all(s.extent is None for s in rows)


@pytest.mark.slow
def test_convolution_data_gradient() -> None:
    steps = conv_steps(("ci", "ih", "iw", "co"), "pad", padded=True, edges=(1, 1))
    verify_kernel(kit.scheduled(kit.conv_dx(), *steps), printable=True)


@pytest.mark.slow
@pytest.mark.parametrize(("pad", "stride"), [(0, 1), (1, 1), (0, 2)])
def test_convolution_weight_gradient(pad: int, stride: int) -> None:
    inside = ("oh", "wt", "t")
    result = kit.scheduled(
        kit.conv_dw(pad=pad, stride=stride),
        Split("n", 16, "q", "lane"),
        Split("co", 4, "ct", "r"),
        Reorder(("ct", "ci", "kh", "kw", "r")),
        Split("ow", 4, "wt", "t", "cut"),
        *((Peel("wt", 1, 1), Clip("oh")) if pad else ()),
        Partial("acc", "lane"),
        Distribute("lane", inside),
        Distribute("r", ("q", *inside)),
        Distribute("kw", ("q", *inside)),
        Distribute("kh", ("q",)),
        Distribute("ci", ("q",)),
        Stage("acc", "kh"),
        Place("acc", "scratch"),
        *finish("t", "kw", "r", threads=("ct",)),
    )
    verify_kernel(result, printable=True)
    found = result.buffers()
    assert (found["acc"].space, found["acc"].type.shape) == ("scratch", (3, 3, 3, 4, 16))
    assert (found["acc.reg"].space, found["acc.reg"].type.shape) == ("register", (3, 4, 16))


@pytest.mark.slow
@pytest.mark.parametrize(("size", "window"), [(12, 2), (11, 2), (12, 3)])
def test_convolution_with_pooling(size: int, window: int) -> None:
    sums = ("ci", *TAPS)
    result = kit.scheduled(
        kit.conv_pool(size=size, window=window),
        Split("n", 16, "q", "lane"),
        Split("co", 4, "ct", "r", "cut"),
        Split("pw", 2, "pt", "t"),
        Fission("j", 3),
        Fission("i", 1),
        Distribute("lane", ("*",)),
        Distribute("t", ("i", "j", *sums)),
        Distribute("r", ("ph", "pt", "i", "j", *sums)),
        Distribute("j", sums),
        Distribute("i", sums),
        *finish("i", "j", "kw", "r", "t", threads=("q",)),
    )
    verify_kernel(result, printable=True)
    assert result.buffers()["acc"].type.shape == (window, window, 4, 2, 16)


@pytest.mark.slow
def test_fully_connected() -> None:
    result = kit.scheduled(
        kit.product(batch=100),
        Reorder(("o", "n")),
        Split("n", 16, "q", "lane", "pad"),
        Split("o", 6, "ot", "r", "cut"),
        Split("q", 4, "qt", "v", "cut"),
        Distribute("lane", ("*",)),
        Distribute("v", ("f",)),
        Distribute("r", ("qt", "v", "f")),
        *finish("r", "v", threads=("ot",)),
    )
    verify_kernel(result, printable=True)
    assert result.buffers()["acc"].type.shape == (4, 6, 16)


def test_fully_connected_weight_gradient_with_its_update() -> None:
    result = kit.scheduled(
        kit.product_dw(),
        Split("o", 6, "ot", "r", "cut"),
        Split("f", 64, "ft", "k"),
        Split("k", 16, "v", "lane"),
        Distribute("r", ("ft",)),
        Distribute("lane", ("n",)),
        Distribute("v", ("n",)),
        Distribute("r", ("n",)),
        *finish("r", "v", threads=("ot", "ft")),
    )
    verify_kernel(result, printable=True)
    assert result.buffers()["acc"].type.shape == (6, 4, 16)


def test_a_weight_panel_staged_in_scratch() -> None:
    result = kit.scheduled(
        kit.product(),
        Reorder(("o", "n")),
        Split("n", 16, "q", "lane", "pad"),
        Split("o", 6, "ot", "r", "cut"),
        Distribute("r", ("q", "lane")),
        Stage("w", "ot", "scratch"),
        Distribute("lane", ("*",)),
    )
    assert result.buffers()["w.copy"].type.shape == (6, 30)


def test_lanes_are_joined_for_several_weights_at_once() -> None:
    naive = kit.conv_dw(batch=8, channels=2, size=4, filters=3, lanes=4)
    band = ("co", "ci", "kh", "kw")
    joined = kit.scheduled(
        naive,
        Split("n", 4, "q", "lane", "guard"),
        Partial("acc", "lane"),
        Distribute("lane", ("*",)),
        Detach(band, 2, "second", ".j"),
        Reorder(band),
        Stage("acc", "kh"),
        *(Flatten(name, 1) for name in ("w", "w", "w.new", "w.new", "acc", "acc")),
        Merge("kh.j", "kw.j", "tap"),
        Merge("ci.j", "tap", "at"),
        Split("at", 4, "vec", "fl", "cut"),
        Distribute("fl", ("*",)),
        Transpose("acc", "fl", "lane.j"),
    )
    assert "each fl.in in 0..4 unroll" in str(joined) and "%acc.tile[fl, lane.j]" in str(joined)


RAGGED = """schedule test
  cut(loop=n, at=8, suffix=.tail)
  reorder(loops=(oh.tail, co.tail, ow.tail, n.tail))
  pack(buffer=x, loop=co.tail, order=(1, 2, 3, 0), zeros=(3))
  flatten(local=x.pack, axis=2)
  fission(loop=n.tail, after=4, second=n.out)
  fission(loop=ow.tail, after=1, second=ow.out)
  flatten(local=t3.tail.kept, axis=0)
  merge(outer=ow.tail, inner=n.tail, name=p)
  split(loop=p, factor=4, outer=v, inner=lane, tail=guard)
"""


@pytest.mark.parametrize(("batch", "pad", "k"), [(9, 1, 3), (10, 0, 2)])
def test_a_rest_computed_with_merged_lanes_gives_the_same(batch: int, pad: int, k: int) -> None:
    naive = kit.conv(batch=batch, channels=2, size=5, filters=2, k=k, pad=pad, lanes=4)
    result = kit.scheduled(naive, *parse_schedule(RAGGED).steps)
    assert "each p" not in str(naive) and "%x.pack[" in str(result)
