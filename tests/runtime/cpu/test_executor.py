"""CpuExecutor on hand-written kernels: what is bound, run, read back and refused."""

from __future__ import annotations

import numpy as np
import pytest
from cpu_kit import N, arena, kernels, launch, mixing_plan

from mochac.base.errors import BackendError, InternalError, OptionError
from mochac.base.support.memory import aligned_empty, aligned_zeros, is_aligned
from mochac.base.support.times import cgroup_quota, default_threads
from mochac.ir.plan import Placement, Plan
from mochac.ir.types import parse_type, to_logical
from mochac.runtime.cpu import compiler, cpuinfo
from mochac.runtime.cpu.compiler import CpuInfo
from mochac.runtime.cpu.cpuinfo import host_cpu
from mochac.runtime.cpu.executor import CpuExecutor
from mochac.runtime.tables import Located


def descend_plan() -> Plan:
    f = f"f32[{N}]"
    placements = (
        Placement("w", parse_type(f), "state", "w"),
        Placement("x", parse_type(f), "feed", "x"),
        Placement("momentum", parse_type("f64[]"), "hyper", "momentum", 8),
        Placement("lr", parse_type("f32[]"), "hyper", "lr", 0),
        arena("y", f, 0),
        arena("head", "f32[]", 1),
    )
    steps = (launch("descend", "w x lr", N, 0), launch("copy", "w y", N, 1), launch("first", "y head", 1, 2))
    return Plan("descend", placements, steps, (("head", "head"), ("momentum", "momentum")), (("out", "y"),), 1024, 1024)


@pytest.fixture
def weights() -> np.ndarray:
    w = aligned_empty(N)
    w[:] = np.arange(N)
    return w


def test_many_steps_with_their_own_feeds_and_hypers(weights):
    rng = np.random.default_rng(1)
    batches = [rng.standard_normal(N).astype(np.float32) for _ in range(40)]
    rates = np.linspace(0.01, 0.4, 40)
    expected, heads = weights.copy(), []
    for x, lr in zip(batches, rates, strict=True):
        expected = expected - np.float32(lr) * x
        heads.append(float(expected[0]))
    with_threads = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 2)
    found = with_threads.run(40, [{"x": x} for x in batches], {"lr": rates, "momentum": 0.9})
    assert found["head"].tolist() == heads
    assert found["momentum"].tolist() == [0.9] * 40
    assert found["head"].dtype == np.float64
    np.testing.assert_array_equal(weights, expected)
    np.testing.assert_array_equal(with_threads.read("out"), expected)
    np.testing.assert_array_equal(with_threads.read("x"), batches[-1])
    assert with_threads.read("lr") == np.float32(0.4)


def test_feeds_by_address_are_the_same_as_arrays(weights):
    store = np.random.default_rng(2).standard_normal((6, N)).astype(np.float32)
    order = np.array([4, 0, 5, 1, 3])
    addresses = (store.ctypes.data + order * store.strides[0]).astype(np.uint64)
    cpu = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 2)
    expected = weights.copy()
    for k in order:
        expected = expected - np.float32(0.5) * store[k]
    cpu.run(5, Located({"x": addresses}, {"x": store[3]}), {"lr": 0.5, "momentum": 0.0})
    np.testing.assert_array_equal(weights, expected)
    np.testing.assert_array_equal(cpu.read("x"), store[3])


def test_results_of_a_call_stay_when_the_next_one_runs(weights):
    cpu = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 1)
    feed, hyper = [{"x": np.ones(N, np.float32)}], {"lr": 1.0, "momentum": 0.0}
    first = cpu.run(1, feed, hyper)["head"]
    second = cpu.run(1, feed, hyper)["head"]
    assert (first[0], second[0]) == (-1.0, -2.0)
    assert cpu.run(0)["head"].shape == (0,)


def test_an_array_is_looked_up_again_after_another_took_its_identity(weights):
    cpu = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 1)
    weights[:] = 0
    for k in range(200):  # freed arrays give their id() to later ones
        cpu.run(1, [{"x": np.full(N, k, np.float32)}], {"lr": -1.0, "momentum": 0.0})
    assert weights[0] == weights[-1] == sum(range(200))


def test_bad_feeds_are_refused_before_anything_runs(weights):
    cpu = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 1)
    good, hyper = {"x": np.ones(N, np.float32)}, {"lr": 1.0, "momentum": 0.0}
    cases = [
        ([good], {"lr": 1.0}, "no value for hyper-parameter 'momentum'"),
        ([{}], hyper, "no array for feed 'x'"),
        ([], hyper, "1 steps need as many feeds, got 0"),
        ([{"x": np.ones(N)}], hyper, r"feed 'x': expected f32\[96\], got float64\[96\]"),
        ([{"x": np.ones(N - 1, np.float32)}], hyper, r"got float32\[95\]"),
        ([{"x": np.ones(2 * N, np.float32)[::2]}], hyper, "not C-contiguous"),
        ([{"x": [1.0] * N}], hyper, "got list"),
        (Located({}, {}), hyper, "no array for feed 'x'"),
        (Located({"x": np.zeros(2, np.uint64)}, good), hyper, "1 steps need as many addresses of feed 'x', got 2"),
        (Located({"x": np.zeros(1, np.uint64)}, {"x": np.ones(N)}), hyper, r"got float64\[96\]"),
    ]
    before = weights.copy()
    for feeds, hypers, rule in cases:
        with pytest.raises(ValueError, match=rule):
            cpu.run(1, feeds, hypers)
    np.testing.assert_array_equal(weights, before)


def test_states_must_fit(weights):
    for states in ({}, {"w": np.zeros(N)}, {"w": aligned_zeros(N + 1)[1:]}):
        with pytest.raises((InternalError, ValueError), match="state 'w'"):
            CpuExecutor(descend_plan(), [kernels()], states, 1)


def test_a_missing_symbol_is_an_error(weights):
    with pytest.raises(RuntimeError, match="not found"):
        CpuExecutor(descend_plan(), [], {"w": weights}, 1)


def test_close_twice_then_no_run(weights):
    cpu = CpuExecutor(descend_plan(), [kernels()], {"w": weights}, 1)
    cpu.close()
    cpu.close()
    with pytest.raises(ValueError, match="is closed"):
        cpu.run(1)


def test_a_plan_without_launches_runs():
    plan = Plan("empty", (arena("n", "i32[]", 0),), (), (("n", "n"),), (), 64, 64)
    assert CpuExecutor(plan, [], {}, 2).run(3)["n"].tolist() == [0.0] * 3


def test_too_little_memory_is_one_message():
    with pytest.raises(
        OptionError, match=r"for the blobs of plan 'huge'\n  got  1,152,921,504,606,846,976 bytes\n  hint"
    ):
        CpuExecutor(Plan("huge", (), (), (), (), 1 << 60, 0), [], {})


def test_profile_times_every_launch(weights):
    cpu = CpuExecutor(mixing_plan(), [kernels()], {"w": weights}, 2)
    times = cpu.profile(20, [{"x": np.ones(N, np.float32)}], {"lr": 0.0})
    assert times.launches.shape == times.parts.shape == (len(cpu.plan.launches),)
    assert (times.launches >= 0).all() and times.launches.sum() > 0
    assert 0 < times.step <= 20 * times.wall


def test_short_plans_and_phases_use_one_thread():
    f = f"f32[{N}]"
    placements = (arena("a", f, 0), arena("b", f, 1))

    def used(flops: int) -> int:
        plan = Plan("p", placements, (launch("copy", "a b", N, 0, flops),), (), (), 1024, 1024)
        cpu = CpuExecutor(plan, [kernels()], {}, 3)
        cpu.run(1)
        return cpu.used_threads

    assert (used(1000), used(10**8)) == (1, 3)


def test_logical_order_of_blocked_storage():
    kind = parse_type("f32[b5,2,3] blocked(4)")
    values = np.arange(30, dtype=np.float32).reshape(5, 2, 3)
    stored = np.full((2, 2, 3, 4), -1, np.float32)
    for n in range(5):
        stored[n // 4, :, :, n % 4] = values[n]
    np.testing.assert_array_equal(to_logical(stored.ravel(), kind), values)
    assert to_logical(np.ones(1, np.float32), parse_type("f32[]")).shape == ()


def test_aligned_arrays():
    for shape, dtype in (((3, 5), np.float32), ((), np.float64), ((0, 4), np.int8), (7, np.bool_)):
        array = aligned_empty(shape, dtype)
        assert is_aligned(array) and array.dtype == dtype and array.flags.writeable
    assert not aligned_zeros(100).any()


@pytest.mark.slow
def test_cpu_names():
    assert host_cpu("x86-64").vector_bytes == 16
    assert host_cpu("native") == host_cpu()
    widest = host_cpu().vector_bytes
    if widest >= 32:
        assert host_cpu("haswell").vector_bytes == 32
    assert cpuinfo._probed_width("skylake-avx512", "x86_64") == 64


@pytest.mark.slow
def test_a_cpu_of_another_architecture():
    name, arch = ("neoverse-v2", "aarch64") if compiler.arch() == "x86_64" else ("haswell", "x86_64")
    cpu = cpuinfo.named_cpu(name)
    assert (cpu.arch, cpu.fma, cpu.triple.partition("-")[0]) == (arch, True, arch)
    with pytest.raises(BackendError, match=f"code for CPU '{name}' cannot run here"):
        host_cpu(name)


def test_a_wider_cpu_than_this_one_is_refused(monkeypatch):
    host_cpu.cache_clear()
    monkeypatch.setattr(compiler, "host_target", lambda: ("x86-64", "+sse2"))
    with pytest.raises(BackendError, match="cannot run here"):
        host_cpu("skylake-avx512")
    monkeypatch.undo()
    host_cpu.cache_clear()


@pytest.mark.parametrize(
    ("features", "expected"),
    [("", "vnni"), ("+avx2,+fma,-avx512vnni,-avx512vl", ""), ("+avx512f,+avx512vl,+avx512vnni", "vnni")],
)
def test_hidden_features_are_not_used(features, expected):
    """A hypervisor may hide instructions of a model that has them; LLVM ends the process where code calls them."""
    assert cpuinfo.byte_products(CpuInfo("znver4", features, 32)) == expected


def test_bad_ir_names_its_line():
    with pytest.raises(RuntimeError, match="1:8"):
        compiler.compile_ir("define x", host_cpu())


def test_assembly_shows_the_instructions():
    assert "mix" in compiler.assembly("define void @mix() {\n ret void\n}", CpuInfo("x86-64", "", 16))


def test_cgroup_quota(tmp_path):
    membership = tmp_path / "self"
    membership.write_text("0::/a/b\n")
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "cpu.max").write_text("max 100000\n")
    assert cgroup_quota(tmp_path, membership) is None
    (tmp_path / "a" / "cpu.max").write_text("150000 100000\n")
    (tmp_path / "a" / "b" / "cpu.max").write_text("400000 100000\n")
    assert cgroup_quota(tmp_path, membership) == 1.5
    (tmp_path / "a" / "cpu.max").write_text("nonsense")
    assert cgroup_quota(tmp_path, membership) == 4.0
    assert default_threads() >= 1


def test_old_cgroup_quota(tmp_path):
    membership = tmp_path / "self"
    membership.write_text("3:cpu,cpuacct:/job\n5:memory:/job\n")
    folder = tmp_path / "cpu,cpuacct" / "job"
    folder.mkdir(parents=True)
    (folder / "cpu.cfs_quota_us").write_text("-1")
    (folder / "cpu.cfs_period_us").write_text("100000")
    assert cgroup_quota(tmp_path, membership) is None
    (folder / "cpu.cfs_quota_us").write_text("250000")
    assert cgroup_quota(tmp_path, membership) == 2.5


def test_a_view_of_a_feed_shares_its_pointer():
    placements = (
        Placement("flat", parse_type(f"f32[{N}]"), "feed", "x"),  # made by a reshape
        Placement("x", parse_type(f"f32[2,{N // 2}]"), "feed", "x"),
        arena("y", f"f32[{N}]", 0),
        arena("z", f"f32[2,{N // 2}]", 1),
    )
    steps = (launch("copy", "flat y", N, 0), launch("copy", "x z", N, 0))
    cpu = CpuExecutor(Plan("views", placements, steps, (), (("y", "y"), ("z", "z")), 1024, 1024), [kernels()], {}, 1)
    x = np.arange(N, dtype=np.float32).reshape(2, -1)
    cpu.run(1, [{"x": x}])
    np.testing.assert_array_equal(cpu.read("y"), x.ravel())
    np.testing.assert_array_equal(cpu.read("z"), x)


@pytest.mark.slow
def test_an_unknown_cpu_is_a_message(capfd):
    with pytest.raises(BackendError, match="no CPU 'hasswell'"):
        host_cpu("hasswell")
    assert capfd.readouterr().err == ""
