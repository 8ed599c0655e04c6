"""Several trainings in one process: threads with snapshots, statistics and coffee breaks do not see each other."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from net_kit import lenet, lenet_solver, weights
from script_kit import finished, start, wait_for

import mochac
from mochac import Snapshot, SnapshotError, TrainingSummary, ValidationPerformance
from mochac.training.loop.lounge import load_statistics
from mochac.training.loop.snapshot import read_snapshot


def trained(folder, statistics, steps=12):
    """Weights and statistics of a training with every kind of break."""
    solver = lenet_solver(steps)
    solver.setup_coffee_lounge(save_into=statistics)
    with (
        mochac.compile(lenet(batch=10), threads=1) as program,
        mochac.compile(lenet(batch=20), params=program.params, threads=1) as test,
    ):
        solver.add_coffee_break(TrainingSummary(), every_n_iter=1)
        solver.add_coffee_break(ValidationPerformance(test), every_n_iter=4)
        solver.add_coffee_break(Snapshot(folder), every_n_iter=2)
        lounge = program.train(solver)
        assert lounge.statistics == load_statistics(statistics)
        last = read_snapshot(folder / f"snapshot-{steps:06d}.h5")
        assert all((last.parameters[name] == value).all() for name, value in weights(program).items())
        return {name: value.tobytes() for name, value in weights(program).items()}, lounge.statistics


@pytest.mark.slow
@pytest.mark.parametrize("shared", [False, True])
def test_trainings_in_threads(tmp_path, shared):
    """In folders of their own, and with statistics files side by side in one."""

    def run(number):
        name = f"statistics-{number}.h5" if shared else f"{number}/statistics.h5"
        return trained(tmp_path / str(number) / "snapshots", tmp_path / name)

    alone = run(0)
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(run, range(1, 4))) == 3 * [alone]
    assert not list(tmp_path.rglob(".*"))


@pytest.mark.slow
def test_a_folder_that_another_process_trains_in(tmp_path):
    """It is named; a kill ends its hold, and the folder is taken up from where it was left."""
    code = """
import sys
import mochac
from mochac import Snapshot
from net_kit import lenet, lenet_solver
solver = lenet_solver(10**9, load_from=sys.argv[1])
solver.add_coffee_break(Snapshot(sys.argv[1]), every_n_iter=100)
mochac.compile(lenet(batch=33), threads=1).train(solver)
"""
    process = start(code, tmp_path)
    wait_for(process, "snapshot-000100")
    solver = lenet_solver(300, load_from=str(tmp_path))
    solver.add_coffee_break(Snapshot(tmp_path), every_n_iter=100)
    with mochac.compile(lenet(batch=33), threads=1) as program:
        with pytest.raises(
            SnapshotError, match=f"another training saves snapshots into .*\\n  got  process {process.pid} on"
        ):
            program.train(solver)
        process.kill()
        finished(process)
        program.train(solver)
    assert not list(tmp_path.glob(".*"))
