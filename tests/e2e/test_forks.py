"""Forks while other threads import, compile and train: children compile, train and predict, with the parent's bits."""

import pytest
from script_kit import script

FORKS = """
import faulthandler, os, random, sys, threading, time, traceback, warnings
import mochac

seed, forks = int(sys.argv[1]), int(sys.argv[2])
sys.setswitchinterval(1e-4)
warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads


def net(k):
    import numpy as np
    from mochac import InnerProductLayer, MemoryDataLayer, Net, SoftmaxLossLayer

    X = np.random.default_rng(0).normal(size=(64, 10)).astype(np.float32)
    return Net(f"net {k}", [
        MemoryDataLayer(data=[X, (X[:, 0] > 0).astype(int)], batch_size=16),
        InnerProductLayer(name="a", output_dim=8 + k % 7, bottoms=["data"]),
        InnerProductLayer(name="b", output_dim=2, bottoms=["a"]),
        SoftmaxLossLayer(name="loss", bottoms=["b", "label"]),
    ])


def trained(program, steps=150):
    from mochac import SGD

    program.train(SGD(0.1, momentum=0.9), max_iter=steps, verbose=0)
    return program.predict([[0.5] * 10] * 3).tobytes()


def job(k):
    with mochac.compile(net(k), threads=2) as program:
        return trained(program)


shared, stop, found = [], False, {}


def parent(first):
    k = first
    while not stop:
        if first and not shared:
            shared.append(mochac.compile(net(3), threads=2))
        if first:
            trained(shared[0])
        found.setdefault(k % 7, set()).add(job(k))
        k += 1


def child(k):
    found.setdefault(k % 7, set()).add(job(k))
    if shared:  # another thread of the parent trains it
        shared[0].predict([[0.5] * 10])
        shared[0].evaluate()
        trained(shared[0])
    return all(len(bits) < 2 for bits in found.values())


threads = [threading.Thread(target=parent, args=(first,), daemon=True) for first in (0, 100)]
for thread in threads:
    thread.start()
rng, wrong = random.Random(seed), []
for n in range(forks):
    time.sleep(rng.random() * (0.05 if n else 0.3))
    k, pid = rng.randrange(1000), os.fork()
    if not pid:
        faulthandler.dump_traceback_later(300, exit=True)
        try:
            os._exit(0 if child(k) else 3)
        except BaseException:
            traceback.print_exc()
            os._exit(4)
    status = os.waitpid(pid, 0)[1]
    if status:
        wrong.append((n, status))
stop = True
for thread in threads:
    thread.join()
print(f"seed {seed}: {forks} forks, wrong: {wrong}")
"""


def forked(tmp_path, seed, forks):
    said = script(FORKS, seed, forks, MOCHAC_CACHE_DIR=str(tmp_path))
    print(said)
    assert f"seed {seed}: {forks} forks, wrong: []" in said


@pytest.mark.sampled(0, test=3)
@pytest.mark.parametrize("seed", range(3))
def test_children_of_a_process_that_trains_in_other_threads(tmp_path, seed):
    forked(tmp_path, seed, 15)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3, 9))
def test_many_children(tmp_path, seed):
    forked(tmp_path, seed, 50)


FIRST = """
import sys, threading
import mochac

sys.setswitchinterval(1e-5)
errors, begin = [], threading.Barrier(6)


def work(k):
    try:
        begin.wait()
        from mochac import InnerProductLayer, MemoryDataLayer, Net, SGD, SoftmaxLossLayer

        data = MemoryDataLayer(data=[[[0.0, 1.0]] * 8, [0, 1] * 4], batch_size=4)
        ip = InnerProductLayer(name="ip", output_dim=2, bottoms=["data"])
        with mochac.compile(Net("net", [data, ip, SoftmaxLossLayer(bottoms=["ip", "label"])])) as program:
            program.train(SGD(0.1), max_iter=3, verbose=0)
    except BaseException as error:
        errors.append(repr(error))


threads = [threading.Thread(target=work, args=(k,)) for k in range(6)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("errors", errors)
"""


@pytest.mark.slow
def test_several_threads_compile_first(tmp_path):
    """With a cold cache, then with a warm one."""
    for _ in range(2):
        assert "errors []" in script(FIRST, MOCHAC_CACHE_DIR=str(tmp_path))
