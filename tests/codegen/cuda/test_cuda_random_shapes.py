"""Products and convolutions of random shapes on devices of random size: whatever tiles are chosen keep the results."""

import numpy as np
import pytest
from codegen.cuda.cuda_kernels import prepared
from codegen.kernels import op_graph

from mochac.codegen.cuda.target import CudaTarget
from mochac.ir.kernel_interp import run_kernel

SEED = 20261121


def conv(rng, strides=(1, 3), group=1):
    """A convolution's shapes and attributes."""
    n, ci, co, kh, kw = (int(v) for v in rng.integers(1, [7, 5, 12, 5, 5]))
    stride, pad = (tuple(int(v) for v in rng.integers(low, high, 2)) for low, high in (strides, (0, 3)))
    h, w = (int(v) + k for v, k in zip(rng.integers(0, 9, 2), (kh, kw), strict=True))
    out = [(size + 2 * p - k) // s + 1 for size, p, k, s in zip((h, w), pad, (kh, kw), stride, strict=True)]
    weight, ci, co = f"f32[{co * group},{ci},{kh},{kw}]", ci * group, co * group
    x, y = f"f32[b{n},{ci},{h},{w}]", f"f32[b{n},{co},{out[0]},{out[1]}]"
    return x, weight, y, {"stride": stride, "pad": pad, "group": group}, (kh, kw), (n, ci, h, w)


def drawn(rng):
    """A graph of one op."""
    kind = rng.choice(["fwd", "dx", "dw", "ip", "ip_dx", "ip_dw"])
    if kind.startswith("ip"):
        n, f, o = (int(v) for v in rng.integers(1, [80, 90, 70]))
        x, w, y = f"f32[b{n},{f}]", f"f32[{o},{f}]", f"f32[b{n},{o}]"
        op, types = {"ip": ("", (x, w)), "ip_dx": ("_dx", (y, w)), "ip_dw": ("_dw", (x, y))}[kind]
        return op_graph(f"inner_product{op}", types)
    return conv_graph(kind, conv(rng))


def conv_graph(kind, shapes):
    """A graph of a convolution or one of its gradients."""
    x, w, y, attrs, kernel, shape = shapes
    if kind == "fwd":
        return op_graph("conv", (x, w), **attrs)
    if kind == "dx":
        return op_graph("conv_dx", (y, w), **attrs, shape=shape)
    return op_graph("conv_dw", (x, y), **attrs, kernel=kernel)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", range(SEED, SEED + 60))
def test_random_contractions(seed):
    rng = np.random.default_rng(seed)
    check(drawn(rng), CudaTarget(90, multiprocessors=int(rng.choice([1, 2, 8, 132]))), rng, seed)


@pytest.mark.sampled(0, test=5)
@pytest.mark.parametrize("seed", range(SEED, SEED + 60))
def test_random_strides_and_groups(seed):
    rng = np.random.default_rng(seed)
    group, kind = int(rng.choice([1, 2, 3])), rng.choice(["fwd", "dx", "dx", "dw"])
    target = CudaTarget(90, multiprocessors=int(rng.choice([1, 2])))
    check(conv_graph(kind, conv(rng, (1, 5), group)), target, rng, seed)


def check(graph, target, rng, seed):
    """The schedules keep the results."""
    values = {i.name: rng.standard_normal(i.type.shape) for i in graph.inputs}
    for k in prepared(graph, values, f"seed{seed}", target):
        got = run_kernel(k.scheduled, k.inputs)
        for name, want in k.want.items():
            scale = max(np.abs(want).max(), 1.0)
            np.testing.assert_allclose(got[name], want, rtol=0, atol=1e-5 * scale, err_msg=f"{seed} {k.schedule}")
