"""The random nets of benchmarks/: drawn the same every time, realistic, counted as mochac counts them; their table."""

from __future__ import annotations

import numpy as np
import pytest
from bench_kit import module, textbook_flops

import mochac


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_drawn_net(seed):
    drawn = module("contest.random_net").RandomNet(seed)
    assert drawn.flops == textbook_flops(drawn.net)
    assert 0.2e9 <= drawn.flops <= 5e9
    assert 16 <= drawn.net.batch <= 128
    assert drawn.arrays["data"].shape == (2 * drawn.net.batch, *drawn.net.blobs["data"].shape[1:])


def test_a_seed_draws_one_net():
    make = module("contest.random_net").RandomNet
    first, again = make(5), make(5)
    assert str(first.net) == str(again.net)
    np.testing.assert_array_equal(first.arrays["data"], again.arrays["data"])
    assert len({make(seed).text for seed in range(1, 7)}) == 6


def test_twenty_nets_hold_the_catalogue():
    make = module("contest.random_net").RandomNet
    texts = " ".join(make(seed).text for seed in range(1, 21))
    for part in (
        "conv",
        "max",
        "mean",
        "lrn",
        "split",
        "concat",
        "elementwise",
        "dropout",
        "fc",
        "g2",
        "s2",
        "k1 ",
        "k7",
    ):
        assert part in texts


def test_the_ratio_of_medians():
    nets = module("random_nets")
    named = [nets.Row(name, 10**9, 0.002, percent, 0.0) for name, percent in (("a", 80), ("b", 90), ("c", 100))]
    drawn = [nets.Row(f"random-{k}", 10**9, 0.002, 60 + 6 * k, 0.2 * k, "conv") for k in range(3)]
    text = nets.section(named, drawn, 2)
    assert "| random-1 | 1.00 | 2.00 | 66 % (busy) | 20% | conv |" in text
    assert "Median of the random nets 66 %, of the named nets 90 %: ratio 0.73. Lowest 60 %." in text


@pytest.mark.slow
def test_a_drawn_net_trains():
    drawn = module("contest.random_net").RandomNet(16)
    with mochac.compile(drawn.net, backend="cpu", threads=1) as program:
        found = module("contest.with_mochac")
        steps = found.Steps(program, found.sgd(module("contest.task").SGD(lr=0.001)), 0.0005, drawn.arrays)
        steps.run(0, 2)
        assert all(np.isfinite(a).all() for a in program.parameters().values())
