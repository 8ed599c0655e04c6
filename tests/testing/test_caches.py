"""simulate_caches: hand-counted kernels, and agreement with a slow simulation that walks the kernel in Python."""

from __future__ import annotations

from collections import Counter, OrderedDict
from dataclasses import replace

import pytest
from codegen.kernels import CASES, case

from mochac.base.errors import OptionError
from mochac.codegen.cpu.addresses import block_elems, strides
from mochac.codegen.cpu.cache_simulation import memory_buffers
from mochac.codegen.cpu.schedules import choose
from mochac.codegen.cpu.target import CpuTarget
from mochac.codegen.machine import LINE, CacheLevel, machine
from mochac.ir.applying import apply
from mochac.ir.kernel import Accum, If, Kernel, Load, Loop, Prefetch, Store, access
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.types import DTYPES
from mochac.tools.testing import simulate_caches

SMALL = machine("cascadelake", 64)


def tiny(*levels: tuple[int, int]):
    """A machine whose levels have so many sets and ways."""
    caches = tuple(CacheLevel(sets * ways * LINE, ways, 16, 4) for sets, ways in levels)
    return replace(SMALL, name="tiny", caches=caches)


def walked(kernel: Kernel):
    """Every access of a kernel, (buffer, byte, bytes, write), lane by lane."""
    buffers = {b.name: b for b in memory_buffers(kernel)}

    def element(name, index, env):
        type, at = buffers[name].type, [i.evaluate(env) for i in index]
        total = sum(i * s for i, s in zip(at, strides(type), strict=True))
        if type.lanes:
            total += at[0] // type.lanes * block_elems(type) + at[0] % type.lanes - at[0]
        return total

    def visit(stmt, envs):
        """A statement in all lanes together."""
        match stmt:
            case Loop():
                for lo, hi in [(max(stmt.lo.values(e)), min(stmt.hi.values(e))) for e in envs[:1]]:
                    if stmt.run == "vector":
                        inner = [{**e, stmt.var: k} for e in envs for k in range(lo, hi)]
                        for s in stmt.body:
                            yield from visit(s, inner)
                    else:
                        for k in range(lo, hi):
                            for s in stmt.body:
                                yield from visit(s, [{**e, stmt.var: k} for e in envs])
            case If():
                inside = [e for e in envs if all(c.evaluate(e) >= 0 for c in stmt.conds)]
                for s in stmt.body if inside else ():
                    yield from visit(s, inside)
            case Load() | Store() | Accum() | Prefetch() if access(stmt)[0] in buffers:
                name, index = access(stmt)
                size = DTYPES[buffers[name].type.dtype].itemsize
                for env in envs:
                    yield name, element(name, index, env) * size, size, isinstance(stmt, (Store, Accum))
            case _:
                pass

    for stmt in kernel.body:
        yield from visit(stmt, [{}])


class Cache:
    """A level as ordered dictionaries, the last used line last."""

    def __init__(self, level: CacheLevel, following: Cache | None) -> None:
        self.ways, self.following = level.ways, following
        self.sets = [OrderedDict() for _ in range(level.n_bytes // LINE // level.ways)]
        self.fetched, self.written = Counter(), 0

    def touch(self, line: int, dirty: bool, name: str, fetch: bool = True) -> None:
        held = self.sets[line % len(self.sets)]
        if line in held:
            held[line] |= dirty
            held.move_to_end(line)
            return
        if fetch:
            self.fetched[name] += 1
            if self.following:
                self.following.touch(line, False, name)
        held[line] = dirty
        if len(held) > self.ways:
            old, was = held.popitem(last=False)
            self.written += was
            if was and self.following:
                self.following.touch(old, True, name, fetch=False)


def slowly(kernel: Kernel, caches: tuple[CacheLevel, ...]):
    """(fetched by buffer, written) of each level."""
    levels: list[Cache] = []
    for level in reversed(caches):
        levels.insert(0, Cache(level, levels[0] if levels else None))
    places, free = {}, LINE
    for buffer in memory_buffers(kernel):
        places[buffer.name], free = free, -(-(free + buffer.type.storage_bytes) // LINE) * LINE
    for name, at, _, write in walked(kernel):
        levels[0].touch((places[name] + at) // LINE, write, name)
    left: set[int] = set()
    counted = []
    for level in levels:
        left |= {line for held in level.sets for line, dirty in held.items() if dirty}
        counted.append((dict(level.fetched), level.written + len(left)))
    return counted


QUICK = ("inner_product", "inner_product_dx-tail", "max_pool", "reduce_sum", "relayout")
"""Few accesses, for the walk in Python takes microseconds for each: whole and masked vectors, a tail, each layout."""


@pytest.mark.slow
@pytest.mark.parametrize("cpu", ["cascadelake", pytest.param("haswell", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in CASES]
)
def test_agrees_with_a_walk_in_python(name, cpu):
    vector = {"cascadelake": 64, "haswell": 32}[cpu]
    kernel = case(name, vector // 4)
    scheduled = apply(choose(kernel, CpuTarget.of(cpu, vector)), kernel)
    for shapes in (((4, 2), (8, 4)), ((8, 3), (16, 5), (32, 16))):
        model = tiny(*shapes)
        found = simulate_caches(scheduled, model, levels=len(shapes)).levels
        assert [({b: n for b, n in x.fetched.items() if n}, x.written) for x in found] == slowly(
            scheduled, model.caches
        )


def product(order: str) -> Kernel:
    """y[o] += w[o, f] * x[f], 64 x 64, its loops in an order."""
    loops = {"o": "each o in 0..64 {", "f": "sum f in 0..64 {"}
    return parse_kernel(f"""
kernel @product(%x: f32[64], %w: f32[64,64], %y: f32[64]) -> (%z: f32[64]) {{
  local %acc: f32[64] scratch
  {loops[order[0]]}
    {loops[order[1]]}
      %a = %x[f]
      %b = %w[o, f]
      %acc[o] = fma(%a, %b, %acc[o])
    }}
  }}
}}""")


def test_a_matrix_read_by_columns_comes_once_for_every_column_if_it_does_not_fit():
    rows, columns = (simulate_caches(product(order), tiny((1, 16), (1, 400))) for order in ("of", "fo"))
    assert rows.levels[0].fetched["w"] == 64 * 4
    assert columns.levels[0].fetched["w"] == 64 * 64
    assert columns.levels[1].fetched["w"] == rows.levels[1].fetched["w"] == 64 * 4


def test_rows_at_a_power_of_two_share_a_set():
    model = tiny((64, 2), (1024, 8))
    assert simulate_caches(product("fo"), model).levels[0].fetched["w"] > 64 * 4
    assert simulate_caches(product("fo"), tiny((64, 10), (1024, 8))).levels[0].fetched["w"] == 64 * 4


def test_an_output_in_place_of_an_input_is_fetched_once():
    kernel = parse_kernel("""
kernel @add(%x: f32[64]) -> (%y: f32[64]) {
  each n in 0..64 {
    %t = %x[n]
    %y[n] = %t
  }
}""")
    apart = simulate_caches(kernel, SMALL)
    together = simulate_caches(kernel, SMALL, addresses={"x": 0, "y": 0})
    assert [x.lines for x in apart.levels] == [12, 12]
    assert [x.lines for x in together.levels] == [8, 8]


def test_a_prefetched_line_is_fetched_by_the_prefetch():
    kernel = parse_kernel("""
kernel @ahead(%x: f32[64]) -> (%y: f32[16]) {
  each n in 0..16 {
    prefetch %x[n + 16]
    %t = %x[n]
    %y[n] = %t
  }
}""")
    assert simulate_caches(kernel, SMALL).levels[0].fetched == {"x": 2, "y": 1}


def test_cycles_count_every_level_at_its_rate():
    traffic = simulate_caches(product("of"), tiny((1, 16), (1, 400)))
    near, far = (level.lines for level in traffic.levels)
    assert traffic.cycles(tiny((1, 16), (1, 400))) == near * LINE / 16 + far * LINE / 4


@pytest.mark.parametrize("levels", [0, 4])
def test_levels_that_a_machine_lacks(levels):
    with pytest.raises(OptionError, match="1 to 3 levels"):
        simulate_caches(product("of"), SMALL, levels=levels)
