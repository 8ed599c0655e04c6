"""profile: the table's arithmetic, and that nothing changes."""

from dataclasses import replace

import numpy as np
import pytest
from tiny_net import tiny

import mochac


@pytest.fixture(scope="module")
def profiled():
    with mochac.compile(tiny(), threads=1) as program:
        program.train(mochac.SGD(), max_iter=3)
        before = _state(program)
        table = program.profile(5)
        yield program, table, before, _state(program)


def _state(program):
    arrays = {**program.parameters(), **program.session.slots()}
    return {n: a.copy() for n, a in arrays.items()}, program.session.batches.position.cursor(), program.rng_step


@pytest.mark.slow
def test_nothing_changes(profiled):
    _, _, before, after = profiled
    assert before[1:] == after[1:]
    assert before[0].keys() == after[0].keys()
    assert all(np.array_equal(before[0][n], after[0][n]) for n in before[0])


@pytest.mark.slow
def test_training_goes_on_bit_for_bit():
    trained = []
    for asked in (False, True):
        with mochac.compile(tiny(), threads=1) as program:
            program.train(mochac.SGD(), max_iter=2)
            if asked:
                program.profile(2)
            program.train(mochac.SGD(), max_iter=2)
            trained.append(program.params["conv"]["filter"][...])
    assert np.array_equal(*trained)


@pytest.mark.slow
def test_kept_blobs_stay_readable():
    with mochac.compile(tiny(), keep=["ip"]) as program:
        program.train(mochac.SGD(), max_iter=1)
        before = program.blobs["ip"]
        program.profile(1)
        assert np.array_equal(program.blobs["ip"], before)


@pytest.mark.slow
def test_a_row_per_kernel(profiled):
    program, table, _, _ = profiled
    assert [row.kernel for row in table.rows] == [k.name for k in program.kernels]
    for row, kernel in zip(table.rows, program.kernels, strict=True):
        assert row.layers == kernel.layers
        assert row.seconds > 0
        assert row.gflops * row.seconds == pytest.approx(kernel.flops / 1e9, rel=1e-6)
        assert row.gbs * row.seconds == pytest.approx(kernel.bytes / 1e9, rel=1e-6)
        assert row.percent_peak == pytest.approx(100 * row.gflops / table.peak_gflops)
        assert 0 <= row.share <= 1 and row.share == pytest.approx(row.seconds / table.clocked_s)
        assert (row.executed > 0) == (kernel.flops > 0)
        assert row.percent_roof > 0 and row.bound_by in ("peak", *(level.name for level in table.bandwidth.levels))


def test_totals(profiled):
    program, table, _, _ = profiled
    assert table.threads == 1 and table.peak_gflops > 0
    assert table.samples_per_s == pytest.approx(program.batch_size / table.step_s)
    assert table.gflops * table.step_s == pytest.approx(sum(k.flops for k in program.kernels) / 1e9)


def test_the_text(profiled):
    _, table, _, _ = profiled
    text = str(table)
    head = text.splitlines()[0].split()
    assert " ".join(head) == "kernel time predicted share GFLOP/s executed GB/s % peak % roof roof layers"
    assert all(row.kernel in text for row in table.rows)
    assert "(barriers)" in text and "(between steps)" in text and "(step with clocks)" in text
    assert "plan 'step'" in text and "that 1 thread reaches in multiply-adds" in text
    assert f"reading / copying: {table.bandwidth}" in text
    roofs = sum(row.percent_roof / 100 * row.seconds for row in table.rows)
    assert table.percent_roof == pytest.approx(100 * roofs / sum(row.seconds for row in table.rows))
    assert f"at their roofs, the kernels would take {table.percent_roof:.0f}% of their time\n" in text


CALM = {"attributed": 0.999, "clock_cost": 0.012, "spread": 0.1}


def test_the_last_line_of_an_idle_machine(profiled):
    table = replace(profiled[1], **CALM)
    assert not table.busy
    assert str(table).splitlines()[-1] == "the table covers 99.9% of a step; reading the clocks adds 1.2%"


@pytest.mark.parametrize(
    ("sign", "second"),
    [
        ({"attributed": 0.399}, "(rows of the table differ by 60.10% from a step, more than 5%)"),
        ({"clock_cost": -0.045}, "(steps with clocks took 4.5% less time than those without)"),
        ({"spread": 0.8}, "(slow runs took 80% longer than quick ones, more than 25%)"),
        ({"shared_by": 2}, "(only 1 of 2 threads ran the steps of the table)"),
    ],
)
def test_a_busy_machine_is_said(profiled, sign, second):
    table = replace(profiled[1], **{**CALM, **sign})
    first = "the machine was busy with other work while this was measured: profile again when it is idle"
    assert table.busy and str(table).splitlines()[-2:] == [first, second]
    assert "the clocks add" not in str(table)


def test_only_the_limits_that_were_broken_are_said(profiled):
    table = replace(profiled[1], **CALM)
    assert table.doubts == () and len(replace(table, spread=0.8, shared_by=2).doubts) == 2


def test_what_is_in_no_row_has_a_row(profiled):
    calm = replace(profiled[1], **CALM)
    assert calm.missing_s == 0 and "(not accounted for)" not in str(calm)
    table = replace(calm, attributed=0.6)
    assert table.missing_s == pytest.approx(0.4 * table.clocked_s)
    assert "40.0%" in next(line for line in str(table).splitlines() if line.startswith("(not accounted for)"))


def test_the_spread_of_runs(profiled):
    assert profiled[1].spread >= 0
    assert profiled[1].runs >= 5 and profiled[1].run_steps >= 1


def test_a_time_lies_between_those_of_the_quickest_and_the_slowest_step(profiled):
    for row in profiled[1].rows:
        low, high = row.range_s
        assert 0 < low <= row.seconds * (1 + 1e-9) and row.seconds <= high * (1 + 1e-9)


@pytest.mark.slow
def test_operations_that_are_skipped_do_not_count_for_the_roof():
    """No kernel can be said to take less time than its roof for taps on padding."""
    x = np.zeros((32, 4, 6, 6))
    conv = mochac.ConvolutionLayer(name="c", kernel=5, pad=2, n_filter=32, bottoms=["data"])
    net = mochac.Net("padded", [mochac.MemoryDataLayer(data=[x, np.zeros(32)], batch_size=32), conv])
    with mochac.compile(net, threads=1) as program:
        table = program.profile(1)
    row = next(row for row in table.rows if row.executed)
    assert 0 < row.executed < 0.8
    if row.bound_by == "peak":
        assert row.percent_roof == pytest.approx(row.percent_peak * row.executed)


def test_a_step_is_attributed(profiled):
    _, table, _, _ = profiled
    parts = sum(row.share for row in table.rows) * table.clocked_s + table.other_s
    assert table.attributed == pytest.approx(parts / table.clocked_s)
    assert 0 < table.attributed < 1 + 1e-9, "the rest is between launches of one thread: nobody else counts it"


def test_operations_executed_beside_those_of_the_textbook(profiled):
    _, table, _, _ = profiled
    text = str(
        replace(table, executed_gflops=2 * table.gflops, rows=(replace(table.rows[0], gflops=5.0, executed=0.8),))
    )
    assert f"({2 * table.gflops:.4g} executed)" in text and " x 0.80 " in text


def test_the_slowest(profiled):
    _, table, _, _ = profiled
    assert table.top(3).step_s == table.step_s
    times = [row.seconds for row in table.top(3).rows]
    assert len(times) == 3 and times == sorted((row.seconds for row in table.rows), reverse=True)[:3]


@pytest.mark.slow
def test_a_test_plan_and_float64():
    with mochac.compile(tiny(loss=False), dtype="float64") as program:
        assert "plan 'test'" in str(program.profile(1))


@pytest.mark.slow
def test_slow_steps_are_timed_less_often(profiled, monkeypatch):
    """Unless the number of steps is given."""
    asked = []
    monkeypatch.setattr(mochac.inspect.profile, "affordable", lambda step_s: asked.append(step_s) or 1)
    assert profiled[0].profile().step_s > 0
    assert len(asked) == 1 and asked[0] > 0
    profiled[0].profile(1)
    assert len(asked) == 1


@pytest.mark.parametrize("n_iter", [0, -1, 2.5, True, "3"])
def test_bad_n_iter(profiled, n_iter):
    with pytest.raises(mochac.OptionError, match="n_iter is out of range"):
        profiled[0].profile(n_iter)


def test_a_net_of_data_only_has_nothing_to_profile():
    data = mochac.MemoryDataLayer(data=[np.zeros((4, 2)), np.zeros(4)], batch_size=2)
    with (
        mochac.compile(mochac.Net("data only", [data])) as program,
        pytest.raises(mochac.OptionError, match="net 'data only' has nothing to profile"),
    ):
        program.profile(2)


def test_columns_that_do_not_fit_are_named(profiled, monkeypatch):
    monkeypatch.setattr("mochac.inspect.profile_table.columns_of", lambda: 80)
    table = profiled[1]
    text = str(table)
    assert max(map(len, text.split("\n\n")[0].split("\n"))) <= 80
    assert "(not shown: predicted, executed, layers)" in text
    monkeypatch.setattr("mochac.inspect.profile_table.columns_of", lambda: None)
    assert "not shown" not in str(table)
