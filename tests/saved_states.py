"""Snapshots compared, for tests that interrupt trainings and scripts that disturb them."""

from __future__ import annotations

from mochac.training.loop.snapshot import SavedState


def assert_same_state(got: SavedState, wanted: SavedState) -> None:
    """Fail unless two trainings stand at one place, with parameters and slots that are equal bit for bit."""
    assert (got.iteration, got.rng_step, got.cursor) == (wanted.iteration, wanted.rng_step, wanted.cursor)
    for arrays, others in ((got.parameters, wanted.parameters), (got.slots, wanted.slots)):
        assert arrays.keys() == others.keys()
        for name, array in arrays.items():
            assert array.tobytes() == others[name].tobytes(), name
