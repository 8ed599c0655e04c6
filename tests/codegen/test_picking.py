"""Rules give their variants: the rule's own choice first, each once, and every one that applies keeps the results."""

import numpy as np
import pytest
from codegen.kernels import CASES, case, kernel_of

from mochac.codegen.cpu import schedules
from mochac.codegen.cpu.schedules import choose, variants
from mochac.codegen.cpu.schedules.picking import neighbours, pick, replay, weigh, weighed
from mochac.codegen.cpu.target import CpuTarget
from mochac.ir.applying import apply
from mochac.ir.kernel_interp import run_kernel
from mochac.ir.schedule import Schedule, ScheduleError
from mochac.ir.steps.run import Parallel, Vector

TARGET = CpuTarget.of("skylake-avx512", 64)


def letters() -> str:
    return pick("a", "b", "c") + pick("x", "y")


def test_a_rule_takes_the_first_option():
    assert letters() == "ax"
    assert replay(letters) == ("ax", (3, 2))


def test_a_replay_takes_what_is_wanted():
    assert replay(letters, (2, 1))[0] == "cy"
    assert replay(letters, (2,))[0] == "cx"
    assert replay(letters, (9, 9))[0] == "cy"  # as after another choice left fewer options
    assert letters() == "ax"


def test_neighbours_differ_in_one_pick():
    assert [found for _, found in neighbours(letters)] == ["bx", "ay", "cx"]
    assert [found for _, found in neighbours(letters, (1, 1))] == ["ay", "bx", "cy"]
    assert dict(neighbours(letters, (1, 1)))[(2, 1)] == "cy"


def test_options_that_a_rule_weighs_are_known_by_their_picks():
    def rule() -> str:
        return pick("a", "b") + weigh("x", "y", "z") + pick("1", "2")

    found, others = weighed(rule)
    assert found == rule() == "ax1"
    assert [replay(rule, picks)[0] for picks in others] == ["ay1", "az1"]


def test_picks_may_depend_on_one_another():
    def rule() -> str:
        return pick("a" + pick("x", "y"), "b") if pick(True, False) else "none"

    assert [found for _, found in neighbours(rule)] == ["none", "ay", "b"]


def test_a_rule_that_fails_leaves_no_search_behind():
    def failing() -> str:
        raise RuntimeError(letters())

    with pytest.raises(RuntimeError, match="cy"):
        replay(failing, (2, 1))
    assert letters() == "ax"


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("name", CASES)
def test_variants_are_the_rules_own_choice_and_others_once(name):
    kernel = case(name)
    found = list(variants(kernel, TARGET))
    assert found[0].schedule == choose(kernel, TARGET)
    assert len({v.schedule.steps for v in found}) == len(found)


@pytest.mark.slow
def test_a_contraction_has_tiles_threads_and_other_rules_to_try():
    kernel = kernel_of("conv", ("f32[b32,8,16,16]", "f32[24,8,3,3]"), stride=(1, 1), pad=(1, 1), group=1)
    texts = [str(v.schedule) for v in variants(kernel, TARGET)]
    assert len({text.split("outer=co_o")[0] for text in texts}) > 3
    assert any("parallel(loops=(n_o))" in text for text in texts)
    assert any(text.startswith("schedule generic.") for text in texts)
    assert not any("vector(" not in text for text in texts)


@pytest.mark.slow
def test_variants_near_one_of_them_change_that_one():
    kernel = case("inner_product")
    _, second, *_ = variants(kernel, TARGET)
    near = list(variants(kernel, TARGET, second))
    assert second.schedule not in [v.schedule for v in near]
    assert choose(kernel, TARGET) in [v.schedule for v in near]


def test_a_new_rule_takes_part_by_its_picks(monkeypatch):
    def rule(kernel, target):
        return Schedule(pick("mine", "mine too"), (Parallel((pick("n", "o"),)),))

    monkeypatch.setattr(schedules, "RULES", (rule, *schedules.RULES))
    found = list(variants(case("inner_product"), TARGET))
    assert found[0].schedule == Schedule("mine", (Parallel(("n",)),))
    assert Schedule("mine", (Parallel(("o",)),)) in [v.schedule for v in found]
    assert any(v.schedule.name == "inner_product.blocked" for v in found)


def test_a_rule_whose_steps_do_not_fit_is_passed_over(monkeypatch):
    def rule(kernel, target):
        return Schedule("mine", (Vector("no such loop"),))

    kernel = case("inner_product")
    chosen = choose(kernel, TARGET)
    monkeypatch.setattr(schedules, "RULES", (rule, *schedules.RULES))
    assert choose(kernel, TARGET) == chosen == next(variants(kernel, TARGET)).schedule


@pytest.mark.slow
@pytest.mark.parametrize("name", ["conv-padded", "conv_dw", "conv_dx", "inner_product_dw"])
def test_variants_keep_the_results(name):
    kernel = case(name)
    rng = np.random.default_rng(3)
    inputs = {b.name: rng.standard_normal(b.type.shape).astype(np.float32) for b in kernel.inputs}
    want, applied = run_kernel(kernel, inputs), 0
    for variant in list(variants(kernel, TARGET))[1:9]:
        try:
            scheduled = apply(variant.schedule, kernel)
        except ScheduleError:
            continue
        applied += 1
        for out, array in run_kernel(scheduled, inputs).items():
            np.testing.assert_allclose(array.reshape(want[out].shape), want[out], rtol=1e-4, atol=1e-4)
    assert applied
