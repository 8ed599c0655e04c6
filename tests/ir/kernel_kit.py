"""Naive kernels of the layers whose loop nests matter, and the check that a schedule leaves their results alone."""

from __future__ import annotations

import numpy as np

from mochac.ir.applying import apply
from mochac.ir.kernel import Buffer, Kernel
from mochac.ir.kernel_build import BodyBuilder
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel
from mochac.ir.schedule import Schedule, Step, parse_schedule
from mochac.ir.types import DTYPES, parse_type

SUM = """kernel @sum(%x: f32[4,100]) -> (%y: f32[4]) {
  local %acc: f32[] register
  each a in 0..4 {
    %acc[] = 0.0:f32
    sum k in 0..100 {
      %t = %x[a, k]
      %acc[] = add(%t, %acc[])
    }
    %u = %acc[]
    %y[a] = %u
  }
}"""
"""Sums along rows of natural storage."""


def buffers(*texts: str) -> dict[str, Buffer]:
    """Buffers from texts such as "x: f32[4,3]"."""
    pairs = [text.split(": ") for text in texts]
    return {name: Buffer(name, parse_type(type)) for name, type in pairs}


def kernel(name: str, b: BodyBuilder, inputs: dict[str, Buffer], outputs: dict[str, Buffer]) -> Kernel:
    return Kernel(name, tuple(inputs.values()), tuple(outputs.values()), tuple(b.locals), b.body, name)


def window_conditions(index, size: int, pad: int) -> list:
    return [index, size - 1 - index] if pad else []


def conv(batch=20, channels=3, size=9, filters=6, k=3, pad=0, stride=1, lanes=16) -> Kernel:
    out = (size + 2 * pad - k) // stride + 1
    ins = buffers(
        f"x: f32[b{batch},{channels},{size},{size}] blocked({lanes})",
        f"w: f32[{filters},{channels},{k},{k}]",
        f"b: f32[{filters}]",
    )
    outs = buffers(f"y: f32[b{batch},{filters},{out},{out}] blocked({lanes})")
    b = BodyBuilder(ins)
    with b.each("n", batch) as n, b.each("co", filters) as co, b.each("oh", out) as oh, b.each("ow", out) as ow:
        acc = b.local("acc", "f32", b.load("b", co))
        with b.sum("ci", channels) as ci, b.sum("kh", k) as kh, b.sum("kw", k) as kw:
            ih, iw = oh * stride + kh - pad, ow * stride + kw - pad
            with b.where(*window_conditions(ih, size, pad), *window_conditions(iw, size, pad)):
                b.accum(acc, "fma", b.load("x", n, ci, ih, iw), b.load("w", co, ci, kh, kw))
        b.store("y", (n, co, oh, ow), b.call("relu", b.get(acc)))
    return kernel("conv", b, ins, outs)


def conv_dx(batch=20, channels=6, size=9, filters=3, k=3, pad=0, lanes=16) -> Kernel:
    out = size + 2 * pad - k + 1
    ins = buffers(f"dy: f32[b{batch},{filters},{out},{out}] blocked({lanes})", f"w: f32[{filters},{channels},{k},{k}]")
    outs = buffers(f"dx: f32[b{batch},{channels},{size},{size}] blocked({lanes})")
    b = BodyBuilder(ins)
    with b.each("n", batch) as n, b.each("ci", channels) as ci, b.each("ih", size) as ih, b.each("iw", size) as iw:
        acc = b.local("acc", "f32", b.const(0.0, "f32"))
        with b.sum("co", filters) as co, b.sum("kh", k) as kh, b.sum("kw", k) as kw:
            oh, ow = ih + pad - kh, iw + pad - kw
            with b.where(oh, out - 1 - oh, ow, out - 1 - ow):
                b.accum(acc, "fma", b.load("dy", n, co, oh, ow), b.load("w", co, ci, kh, kw))
        b.store("dx", (n, ci, ih, iw), b.get(acc))
    return kernel("conv_dx", b, ins, outs)


def conv_dw(batch=20, channels=3, size=9, filters=6, k=3, pad=0, stride=1, lanes=16) -> Kernel:
    out = (size + 2 * pad - k) // stride + 1
    ins = buffers(
        f"x: f32[b{batch},{channels},{size},{size}] blocked({lanes})",
        f"dy: f32[b{batch},{filters},{out},{out}] blocked({lanes})",
        f"w: f32[{filters},{channels},{k},{k}]",
    )
    outs = buffers(f"w.new: f32[{filters},{channels},{k},{k}]")
    b = BodyBuilder(ins)
    with b.each("co", filters) as co, b.each("ci", channels) as ci, b.each("kh", k) as kh, b.each("kw", k) as kw:
        acc = b.local("acc", "f32", b.const(0.0, "f32"))
        with b.sum("n", batch) as n, b.sum("oh", out) as oh, b.sum("ow", out) as ow:
            ih, iw = oh * stride + kh - pad, ow * stride + kw - pad
            with b.where(*window_conditions(ih, size, pad), *window_conditions(iw, size, pad)):
                b.accum(acc, "fma", b.load("x", n, ci, ih, iw), b.load("dy", n, co, oh, ow))
        step = b.call("mul", b.get(acc), b.const(0.125, "f32"))
        b.store("w.new", (co, ci, kh, kw), b.call("sub", b.load("w", co, ci, kh, kw), step))
    return kernel("conv_dw", b, ins, outs)


def conv_pool(batch=20, channels=3, size=12, filters=5, k=3, window=2, stride=2, lanes=16) -> Kernel:
    rows = size - k + 1
    out = -(-(rows - window) // stride) + 1
    overhangs = (out - 1) * stride + window > rows
    ins = buffers(
        f"x: f32[b{batch},{channels},{size},{size}] blocked({lanes})",
        f"w: f32[{filters},{channels},{k},{k}]",
        f"b: f32[{filters}]",
    )
    shape = f"[b{batch},{filters},{out},{out}] blocked({lanes})"
    outs = buffers(f"y: f32{shape}", f"at: i32{shape}")
    b = BodyBuilder(ins)
    with b.each("n", batch) as n, b.each("co", filters) as co, b.each("ph", out) as ph, b.each("pw", out) as pw:
        best, at = b.local("best", "f32", b.const(float("-inf"), "f32")), b.local("best_at", "i32", b.const(0, "i32"))
        with b.loop("i", window) as i, b.loop("j", window) as j:
            oh, ow = ph * stride + i, pw * stride + j
            with b.where(*([rows - 1 - oh, rows - 1 - ow] if overhangs else [])):
                acc = b.local("acc", "f32", b.load("b", co))
                with b.sum("ci", channels) as ci, b.sum("kh", k) as kh, b.sum("kw", k) as kw:
                    b.accum(acc, "fma", b.load("x", n, ci, oh + kh, ow + kw), b.load("w", co, ci, kh, kw))
                value, old = b.get(acc), b.get(best)
                better = b.call("gt", value, old)
                b.set(best, b.call("select", better, value, old))
                b.set(at, b.call("select", better, i * window + j, b.get(at)))
        b.store("y", (n, co, ph, pw), b.get(best))
        b.store("at", (n, co, ph, pw), b.get(at))
    return kernel("conv", b, ins, outs)


def product(batch=20, features=30, outputs=13, lanes=16) -> Kernel:
    ins = buffers(
        f"x: f32[b{batch},{features}] blocked({lanes})", f"w: f32[{outputs},{features}]", f"b: f32[{outputs}]"
    )
    outs = buffers(f"y: f32[b{batch},{outputs}] blocked({lanes})")
    b = BodyBuilder(ins)
    with b.each("n", batch) as n, b.each("o", outputs) as o:
        acc = b.local("acc", "f32", b.load("b", o))
        with b.sum("f", features) as f:
            b.accum(acc, "fma", b.load("x", n, f), b.load("w", o, f))
        b.store("y", (n, o), b.call("relu", b.get(acc)))
    return kernel("inner_product", b, ins, outs)


def product_dw(batch=20, features=70, outputs=13, lanes=16) -> Kernel:
    ins = buffers(
        f"x: f32[b{batch},{features}]",
        f"dy: f32[b{batch},{outputs}] blocked({lanes})",
        *(f"{p}: f32[{outputs},{features}]" for p in "wv"),
    )
    outs = buffers(*(f"{p}.new: f32[{outputs},{features}]" for p in "wv"))
    b = BodyBuilder(ins)
    with b.each("o", outputs) as o, b.each("f", features) as f:
        w, v = b.load("w", o, f), b.load("v", o, f)
        acc = b.local("acc", "f32", b.const(0.0, "f32"))
        with b.sum("n", batch) as n:
            b.accum(acc, "fma", b.load("dy", n, o), b.load("x", n, f))
        speed = b.call("fma", v, b.const(0.75, "f32"), b.get(acc))
        b.store("v.new", (o, f), speed)
        b.store("w.new", (o, f), b.call("sub", w, speed))
    return kernel("inner_product_dw", b, ins, outs)


def softmax(rows=5, columns=7) -> Kernel:
    """Probabilities of rows of samples, by exponentials that are computed twice."""
    ins, outs = buffers(f"x: f32[b{rows},{columns}]"), buffers(f"y: f32[b{rows},{columns}]")
    b = BodyBuilder(ins)
    with b.each("n", rows) as n:
        total = b.local("total", "f32", b.const(0.0, "f32"))
        with b.sum("c", columns) as c:
            b.accum(total, "add", b.call("exp", b.load("x", n, c)))
        whole = b.get(total)
        with b.each("c", columns) as c:
            b.store("y", (n, c), b.call("div", b.call("exp", b.load("x", n, c)), whole))
    return kernel("softmax", b, ins, outs)


def random_inputs(k: Kernel, seed: int = 7) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    return {b.name: rng.standard_normal(b.type.shape).astype(DTYPES[b.type.dtype]) for b in k.inputs}


def scheduled(naive: Kernel, *steps: Step) -> Kernel:
    """Apply steps; check text forms, verifier and results on the way."""
    schedule = Schedule("test", steps)
    assert parse_schedule(str(schedule)) == schedule
    result = apply(schedule, naive)
    for k in (naive, result):
        verify_kernel(k)
        assert parse_kernel(str(k)) == k
    feeds = random_inputs(naive)
    want, got = run_kernel(naive, feeds), run_kernel(result, feeds)
    for name in want:
        assert np.isfinite(want[name]).all()
        np.testing.assert_allclose(got[name].reshape(want[name].shape), want[name], rtol=1e-4, atol=1e-4)
    return result
