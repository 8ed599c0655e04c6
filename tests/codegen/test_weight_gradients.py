"""Weight gradients as users may write them, of images with one and with three axes: tuned schedules, right results."""

import numpy as np
import pytest
from codegen.kernels import kernel_of

from mochac.codegen.analysis.weight_gradient import weight_gradient
from mochac.codegen.cpu.schedules import choose, weight_gradient_channels
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel import Kernel
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.kernel_text import parse_kernel
from mochac.ir.kernel_verify import verify_kernel

WIDE = CpuTarget.of("skylake-avx512", 64)


def gradient(batch: int, image: tuple[int, ...], taps: int, pad: int = 0) -> Kernel:
    """The kernel of a weight gradient with 3 channels and 10 filters."""
    axes = range(len(image))
    sizes = [n + 2 * pad - taps + 1 for n in image]
    each = [("o", 10), ("c", 3), *((f"k{a}", taps) for a in axes)]
    sums = [("n", batch), *((f"i{a}", sizes[a]) for a in axes)]
    moved = [f"i{a} + k{a}{f' - {pad}' if pad else ''}" for a in axes]
    conds = [f"{m} >= 0, -i{a} - k{a} + {image[a] + pad - 1} >= 0" for a, m in enumerate(moved)]
    lines = [
        f"kernel @dw(%x: f32[b{batch},3,{','.join(map(str, image))}] blocked(16), "
        f"%d: f32[b{batch},10,{','.join(map(str, sizes))}] blocked(16)) -> (%w: f32[10,3{f',{taps}' * len(image)}]) "
        "root of_a_user {",
        "local %acc: f32[] register",
        *(f"each {v} in 0..{n} {{" for v, n in each),
        "%acc[] = 0.0:f32",
        *(f"sum {v} in 0..{n} {{" for v, n in sums),
        *([f"if {', '.join(conds)} {{"] if pad else []),
        f"%a = %x[n, c, {', '.join(moved)}]",
        f"%b = %d[n, o, {', '.join(f'i{a}' for a in axes)}]",
        "%acc[] = fma(%a, %b, %acc[])",
        *["}"] * (len(sums) + bool(pad)),
        "%r = %acc[]",
        f"%w[o, c, {', '.join(f'k{a}' for a in axes)}] = %r",
        *["}"] * len(each),
        "}",
    ]
    return parse_kernel("\n".join(lines))


@pytest.mark.parametrize(
    ("batch", "image", "taps", "pad"),
    [
        (32, (19,), 3, 0),
        (5, (19,), 3, 1),
        pytest.param(20, (40,), 9, 4, marks=pytest.mark.slow),
        pytest.param(80, (19,), 1, 0, marks=pytest.mark.slow),
        pytest.param(20, (5, 4, 7), 3, 1, marks=pytest.mark.slow),
        pytest.param(6, (5, 4, 7), 3, 0, marks=pytest.mark.slow),
    ],
)
def test_images_have_any_number_of_axes(batch: int, image: tuple[int, ...], taps: int, pad: int) -> None:
    naive = gradient(batch, image, taps, pad)
    schedule = choose(naive, WIDE)
    assert schedule.name == "of_a_user.blocked"
    scheduled = apply(schedule, naive)
    verify_kernel(scheduled, printable=True)
    rng = np.random.default_rng(0)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype("f4") for b in naive.inputs}
    want, got = run_kernel(naive, inputs)["w"], run_kernel(scheduled, inputs)["w"]
    np.testing.assert_allclose(got.reshape(want.shape), want, rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize(
    ("images", "filters", "cpu", "n_bytes"),
    [
        ((16, 16, 3, 4), 7, "skylake-avx512", 64),
        ((48, 80, 1, 3), 5, "skylake-avx512", 64),  # blocks of two columns, the last of one
        ((24, 16, 3), 13, "haswell", 32),
    ],
)
def test_lanes_are_channels(images: tuple[int, ...], filters: int, cpu: str, n_bytes: int) -> None:
    batch, channels, *size = images
    types = (
        f"f32[b{batch},{channels},{','.join(map(str, size))}]",
        f"f32[b{batch},{filters},{','.join(map(str, size))}]",
    )
    one = (1,) * len(size)
    naive = kernel_of("conv_dw", types, n_bytes // 4, kernel=one, stride=one, pad=(0,) * len(size), group=1)
    schedule = weight_gradient_channels.rule(naive, CpuTarget.of(cpu, n_bytes))
    scheduled = apply(schedule, naive)
    verify_kernel(scheduled, printable=True)
    rng = np.random.default_rng(0)
    x, d = (rng.standard_normal(b.type.shape).astype("f4") for b in naive.inputs)
    (got,) = run_kernel(scheduled, dict(zip((b.name for b in naive.inputs), (x, d), strict=True))).values()
    want = np.einsum("ncp,nfp->fc", x.reshape(batch, channels, -1), d.reshape(batch, filters, -1))
    np.testing.assert_allclose(got.reshape(want.shape), want, rtol=1e-4, atol=1e-3)


def test_lanes_are_channels_where_terms_are_few() -> None:
    """Adding up lanes takes the same time however few terms there are."""
    one = {"stride": (1, 1), "pad": (0, 0), "group": 1, "kernel": (1, 1)}
    kernel = kernel_of("conv_dw", ("f32[b32,512,2,2]", "f32[b32,512,2,2]"), 16, **one)
    assert choose(kernel, WIDE).name == "weight-gradient.channels"


def test_lanes_are_samples_where_adding_them_up_is_cheap() -> None:
    one = {"stride": (1, 1), "pad": (0, 0), "group": 1, "kernel": (1, 1)}
    for images in ("32,16,5,4", "32,15,2,2", "33,16,2,2"):  # many terms; channels, or samples, that do not fill lanes
        naive = kernel_of("conv_dw", (f"f32[b{images}]", f"f32[b{images}]"), 16, **one)
        assert choose(naive, WIDE).name == "conv_dw.blocked"


def test_what_is_no_weight_gradient() -> None:
    attrs = {"stride": (1, 1), "pad": (0, 0), "group": 1}
    assert weight_gradient(kernel_of("conv", ("f32[b32,2,6,6]", "f32[4,2,3,3]"), 16, **attrs)) is None
    assert weight_gradient(kernel_of("inner_product_dw", ("f32[b32,40]", "f32[b32,6]"), 16)) is None


def test_loops_by_role() -> None:
    form = weight_gradient(gradient(32, (9, 19), 3, 1))
    assert form is not None
    assert (form.filter, form.channel, form.taps, form.batch) == ("o", "c", ("k0", "k1"), "n")
    assert (form.rows, form.column, form.stride, form.plane) == (("i0",), "i1", 1, "")
