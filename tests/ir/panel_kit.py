"""A product in tiles of a GPU's threads, for the tests of steps that bring its factors into shared memory."""

from __future__ import annotations

from step_kit import computed

from mochac.ir.kernel import Kernel
from mochac.ir.kernel_text import parse_kernel

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


def product(*steps: str, n: int = 20, o: int = 9, f: int = 30) -> Kernel:
    """The product of x[n, f] and w[o, f] after these steps."""
    return computed(parse_kernel(PRODUCT.format(n=n, o=o, f=f)), *steps, tolerance=1e-5)
