"""Forks, threads and the end of the process: nothing crashes, nothing hangs, the bits stay the same."""

import re
import threading

import numpy as np
import pytest
from net_kit import lenet, lenet_solver, weights
from patience import HANG_S
from script_kit import script

import mochac

DIGEST = """
import hashlib, os, sys, threading
import mochac
from net_kit import lenet, lenet_solver, weights

def digest(program):
    h = hashlib.blake2b(digest_size=8)
    for name, array in sorted(weights(program).items()):
        h.update(array.tobytes())
    return h.hexdigest()

def trained(steps=40, batch=33, **how):
    program = mochac.compile(lenet(batch=batch), **how)
    program.train(lenet_solver(steps))
    return program
"""


@pytest.mark.slow
def test_a_forked_child_trains():
    """Parent trains with parked workers, forks; both go on from there and agree. The child ends in the usual way."""
    out = script(
        DIGEST
        + """
program = trained(threads=3)
first = digest(program)
print("fork", flush=True)
pid = os.fork()
program.train(lenet_solver(20))
who = "parent" if pid else "child"
print(f"{who} {digest(program)} {program.session.main_plan().runner.used_threads}\\n", end="", flush=True)  # one write
other = trained(threads=2)
print(f"{who}2 {digest(other)}\\n", end="", flush=True)
if pid:
    assert os.waitpid(pid, 0)[1] == 0
""",
    )
    lines = dict(re.findall(r"(parent2?|child2?) (\w+)", out))  # wherever: log lines end in a write of their own
    assert lines["parent"] == lines["child"]
    assert lines["parent2"] == lines["child2"]


@pytest.mark.slow
def test_a_fork_in_the_middle_of_a_training():
    """The child is forked inside a coffee break, while readers run and workers wait; then the training goes on."""
    out = script(
        DIGEST
        + """
class Fork:
    def enjoy(self, lounge, program, state):
        if state.iter == 30:
            self.pid = os.fork()
solver, fork = lenet_solver(60), Fork()
solver.add_coffee_break(fork, every_n_iter=10)
program = mochac.compile(lenet(batch=33), threads=2)
program.train(solver)
print(f"{'parent' if fork.pid else 'child'} {digest(program)}\\n", end="", flush=True)  # one write
if fork.pid:
    assert os.waitpid(fork.pid, 0)[1] == 0
""",
    )
    lines = re.findall(r"(parent|child) (\w+)", out)
    assert sorted(who for who, _ in lines) == ["child", "parent"]
    assert len({found for _, found in lines}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_multiprocessing(method, tmp_path):
    """Workers of a pool train, before and after the parent does."""
    path = tmp_path / "job.py"
    path.write_text(
        DIGEST
        + f"""
import multiprocessing as mp
def job(k):
    program = trained(threads=2)
    found = digest(program)
    program.close()
    return found
if __name__ == "__main__":
    pool = mp.get_context("{method}").Pool
    with pool(2) as p:
        found = set(p.map(job, range(3)))
    found.add(job(0))
    with pool(2) as p:
        found |= set(p.map(job, range(3)))
    print("different", len(found))
"""
    )
    assert "different 1" in script(path, cwd=tmp_path)


@pytest.mark.slow
def test_two_programs_in_one_process():
    """Steps taken in turn by two programs of different nets."""
    with mochac.compile(lenet(batch=33), threads=2) as a, mochac.compile(lenet(batch=7), threads=3) as b:
        solvers = lenet_solver(30), lenet_solver(30)
        for solver, program in zip(solvers, (a, b), strict=True):
            solver.init_solve(program)
        for _ in range(30):
            for solver in solvers:
                solver.step()
        for solver in solvers:
            solver.finalize()
        together = weights(a), weights(b)
    for batch, got in zip((33, 7), together, strict=True):
        with mochac.compile(lenet(batch=batch), threads=1) as program:
            program.train(lenet_solver(30))
            for name, want in weights(program).items():
                np.testing.assert_array_equal(got[name], want, err_msg=name)


def test_programs_trained_from_several_threads():
    """The team serves one; the others run on their callers, with the same bits."""
    n, found, errors = 3, {}, []

    def job(k):
        try:
            with mochac.compile(lenet(batch=33), threads=2) as program:
                for _ in range(3):
                    program.train(lenet_solver(40))
                found[k] = weights(program)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=job, args=(k,)) for k in range(n)]
    for t in threads:
        t.start()
    for t in threads:
        t.join(HANG_S)
    assert not errors
    assert len(found) == n
    for k in range(1, n):
        for name, want in found[0].items():
            np.testing.assert_array_equal(found[k][name], want, err_msg=name)


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize(
    "ending",
    [
        "",
        "sys.exit(0)",
        "program.close()",
        "del program; import gc; gc.collect()",
        "threading.Thread(target=lambda: trained(threads=3), daemon=False).start()",
        "import atexit; atexit.register(program.close)",
        "program.session.feed.start()",
    ],
)
def test_exit_with_parked_workers(ending):
    assert "trained" in script(DIGEST + f"program = trained(threads=3)\nprint('trained')\n{ending}\n")


@pytest.mark.slow
@pytest.mark.parametrize("cache", ["0", "1"])
def test_a_program_still_works_while_python_ends(cache):
    """Where its plan is not in the cache, without threads that compile: Python begins none any more."""
    code = "import atexit\nprogram = trained(threads=3)\natexit.register(lambda: print(program.forward() > 0))\n"
    assert "True" in script(DIGEST + code, MOCHAC_CACHE=cache)


@pytest.mark.slow
def test_exit_while_a_daemon_thread_trains():
    """The interpreter goes down under a training; the process must still end at once."""
    code = """
def forever():
    program = mochac.compile(lenet(batch=33), threads=2)
    solver = lenet_solver(10**9)
    solver.add_coffee_break(Begun(), every_n_iter=50)
    program.train(solver)
begun = threading.Event()
class Begun:
    def enjoy(self, lounge, program, state):
        if state.iter:
            begun.set()
threading.Thread(target=forever, daemon=True).start()
begun.wait()
print("leaving")
"""
    assert "leaving" in script(DIGEST + code)


@pytest.mark.slow
def test_many_programs_leave_nothing_behind():
    """Threads, file descriptors and mapped memory stay level over programs made and closed."""
    out = script(
        DIGEST
        + """
import time
def measured():
    status = dict(l.split(":") for l in open("/proc/self/status").read().splitlines())
    return int(status["Threads"]), len(os.listdir("/proc/self/fd")), int(status["VmRSS"].split()[0])
threads = []
for k in range(40):
    with mochac.compile(lenet(batch=17), threads=2) as program:
        program.train(lenet_solver(5))
        program.evaluate()
        program.predict(program.net.sources[0].data[0][:3])
    threads.append(measured()[0])
    if k in (9, 39):
        while measured()[0] > min(threads[:10]):
            time.sleep(0.01)  # a thread that Python has joined may still be leaving
        print("level", *measured(), flush=True)
""",
    )
    early, late = ([int(w) for w in line.split()[1:]] for line in out.splitlines() if line.startswith("level"))
    assert late[:2] == early[:2]
    assert late[2] - early[2] < 40_000, f"{late[2] - early[2]} KiB more after 30 programs"


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
def test_the_callers_floating_point_mode_is_left_as_it_was(threads):
    """Steps flush denormals; the user's NumPy does not, before, after, and in coffee breaks."""
    tiny = np.full(4, 1e-40, np.float32)

    class Look:
        def enjoy(self, lounge, program, state):
            assert (tiny * np.float32(1) == tiny).all()

    solver = lenet_solver(50)
    solver.add_coffee_break(Look(), every_n_iter=5)
    with mochac.compile(lenet(batch=33), threads=threads) as program:
        program.train(solver)
        program.evaluate()
    assert (tiny * np.float32(1) == tiny).all()


@pytest.mark.slow
def test_denormals_are_flushed_on_every_thread():
    """Weights that would become denormal become 0, whichever worker updates them."""
    found = []
    for threads in (1, 2, 3):
        with mochac.compile(lenet(batch=33, dropout=False), threads=threads) as program:
            for array in program.parameters().values():
                array[...] = 1e-38
            program.train(lenet_solver(3))
            found.append(weights(program))
    for other in found[1:]:
        for name, want in found[0].items():
            assert other[name].tobytes() == want.tobytes(), name
    small = np.finfo(np.float32).tiny
    assert all(((np.abs(a) >= small) | (a == 0)).all() for a in found[0].values())
