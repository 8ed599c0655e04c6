"""Training on several ranks, under mpiexec: one hash of weights, whatever their number."""

from pathlib import Path

import pytest
from ranks_kit import needs_mpi, ranks

SCRIPT = Path(__file__).with_name("train_ranks.py")

OTHERS = ("clipped", "hdf5", "stream", "memory", "accumulated", "given", "fitted", "unordered")

pytestmark = [needs_mpi, pytest.mark.slow]


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """What one rank finds."""
    return ranks(1, SCRIPT, tmp_path_factory.mktemp("data"))


@pytest.mark.parametrize(
    ("n", "some"),
    [
        pytest.param(2, ("convolutions", "groups", "numbered", "stepped", "stopped"), id="2"),
        pytest.param(4, (*OTHERS, "convolutions"), id="4"),
        pytest.param(2, (), id="2 all", marks=pytest.mark.soak),
        pytest.param(4, (), id="4 all", marks=pytest.mark.soak),
    ],
)
def test_the_number_of_ranks_changes_no_bit(alone, n, some, tmp_path):
    """Two ranks train some of the nets, four ranks the others."""
    found = ranks(n, SCRIPT, tmp_path, *some)
    assert found and set(found) >= set(some)
    found.pop("unordered", None)  # as MPI adds them
    assert found == {name: alone[name] for name in found}


def test_one_rank_computes_what_a_process_without_mpi_does(alone):
    assert alone["convolutions"][0] == alone["alone"][0]


def test_estimators_stop_early_on_all_ranks(alone):
    assert alone["stopped"][3] < alone["fitted"][3] == 6


def test_steps_on_shares_of_arrays_are_those_of_the_data_layer(alone):
    assert alone["given"] == alone["stepped"]


def test_parts_change_rounding_alone(alone):
    cut, uncut = (dict(alone[name][1]["obj_val"]) for name in ("alone", "uncut"))
    assert list(cut) == list(range(1, 13))
    assert list(cut.values()) == pytest.approx(list(uncut.values()), rel=1e-4)
