"""Exchanges in native code, under mpiexec: sums of all ranks, and what was sent for them, which the model predicts."""

from pathlib import Path

import pytest
from bench_kit import module
from ranks_kit import needs_mpi, ranks

SCRIPT = Path(__file__).with_name("exchange_ranks.py")
STEPS = 20
BUCKETS = (4 * 21, 4 * (21 + 1 + 300), 8 * 5)
"""Bytes."""


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("n", [2, pytest.param(4, marks=pytest.mark.soak), 8])
def test_sums_have_the_bits_of_a_balanced_tree_and_take_what_the_model_says(n):
    sent = ranks(n, SCRIPT)
    model = module("exchange_model").Exchange(n, sum(BUCKETS), len(BUCKETS))
    for how in ("True True", "True False"):  # in order, with and without a communication thread
        messages, n_bytes = sent[how]
        assert messages == STEPS * model.messages
        assert n_bytes == pytest.approx(STEPS * model.sent_bytes, abs=STEPS * model.messages * 8)  # odd halves
