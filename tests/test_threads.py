"""What threads share: registries that several of them scan, fair locks, and locks that a forked child finds free."""

import copy
import os
import pickle
import sys
import threading
import warnings

import pytest
from patience import HANG_S

from mochac.base import threads
from mochac.base.registry import Registry
from mochac.base.threads import FairLock, SharedLocks, cached_property, fork_lock


def started(work, *arguments):
    thread = threading.Thread(target=work, args=arguments, daemon=True)
    thread.start()
    return thread


def waits_for(lock):
    """A thread that takes the lock and adds to `order` that it has had it; it waits already."""
    order = []

    def work():
        with lock:
            order.append("other")

    thread = started(work)
    while not lock._waiting:
        pass
    return thread, order


@pytest.mark.slow
def test_a_registry_is_not_scanned_before_all_has_been_imported(tmp_path, monkeypatch):
    package = tmp_path / "slowly"
    package.mkdir()
    (package / "__init__.py").write_text("import threading\nbegun, go_on = threading.Event(), threading.Event()\n")
    (package / "first.py").write_text(
        "import slowly\nslowly.begun.set()\nslowly.go_on.wait()\nslowly.known.add('a', 1)\n"
    )
    (package / "second.py").write_text("import slowly\nassert len(slowly.known) == 1\nslowly.known.add('b', 2)\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    import slowly  # pyright: ignore

    slowly.known, found = Registry("thing", "slowly"), []
    threads = [started(lambda: found.append(slowly.known.items())) for _ in range(3)]
    assert slowly.begun.wait(HANG_S)
    slowly.go_on.set()
    for thread in threads:
        thread.join(HANG_S)
    assert found == 3 * [[("a", 1), ("b", 2)]]
    for name in ("slowly", "slowly.first", "slowly.second"):
        del sys.modules[name]


def test_whoever_waits_for_a_fair_lock_goes_before_who_has_just_released_it():
    lock = FairLock()
    with lock:
        with lock:
            thread, order = waits_for(lock)
        with lock:  # again, though another thread waits
            assert not order
    with lock:
        assert order == ["other"]
    thread.join(HANG_S)
    assert lock.acquire_if_free()
    lock.release()


def test_writers_take_the_locks_of_all_readers():
    locks = SharedLocks()
    first, second = locks.new(), locks.new()
    with locks:
        with locks:
            thread, order = waits_for(second)
        assert not order
    thread.join(HANG_S)
    assert order == ["other"]
    with first:
        writer = started(lambda: locks.__enter__() or locks.__exit__())
        while not first._waiting:
            pass
    writer.join(HANG_S)
    locks.drop(second)
    with second:
        writer = started(lambda: locks.__enter__() or locks.__exit__())
        writer.join(HANG_S)
        assert not writer.is_alive()


def test_a_writer_takes_the_lock_of_a_reader_that_came_while_it_waited():
    locks, entered = SharedLocks(), []
    first = locks.new()

    def write():
        with locks:
            entered.extend(locks._entered)

    with first:
        writer = started(write)
        while not first._waiting:
            pass
        new = FairLock()
        locks._locks = (first, new)
    writer.join(HANG_S)
    assert entered == [(first, new)]
    for lock in (first, new):
        assert lock.acquire_if_free()


def test_copies_of_shared_locks():
    """A deep copy is of other data."""
    locks = SharedLocks()
    locks.new()
    assert copy.copy(locks) is locks
    for other in (copy.deepcopy(locks), pickle.loads(pickle.dumps(locks))):
        assert other is not locks and other._locks == ()


@pytest.mark.slow
@pytest.mark.parametrize("waits", [True, False])
def test_a_child_finds_locks_free(waits):
    lock, taken, go_on = fork_lock(waits=waits), threading.Event(), threading.Event()

    def work():
        with lock:
            taken.set()
            assert go_on.wait(HANG_S)

    thread = started(work)
    assert taken.wait(HANG_S)
    timer = threading.Timer(0.05, go_on.set)  # a fork waits until then, or not at all
    timer.start()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of forks beside threads
        child = os.fork()
    if not child:
        os._exit(0 if lock.acquire(blocking=False) else 1)
    assert os.waitpid(child, 0)[1] == 0
    go_on.set()
    thread.join(HANG_S)
    with lock:
        pass


def test_threads_that_fork_at_once_release_their_own_locks(monkeypatch):
    known, order = {}, []
    monkeypatch.setattr("mochac.base.threads._locks", known)

    class Lock:
        """Its first release lets another thread, which waits to fork, acquire it before anything else happens."""

        def acquire(self, timeout):
            order.append("acquired")
            return True

        def release(self):
            order.append("released")
            if order.count("released") == 1:
                started(threads._before).join(HANG_S)

    kept = threads.free_after_fork(Lock())  # hooks know locks by weak references
    threads._before()
    threads._after_in_parent()
    assert order == ["acquired", "released", "acquired"] and [made() for made in known] == [kept]


def test_threads_that_compute_a_property_at_once_get_one_result():
    both = threading.Barrier(2)

    class Thing:
        @cached_property
        def value(self):
            both.wait(HANG_S)
            return object()

    thing, found = Thing(), []
    threads = [started(lambda: found.append(thing.value)) for _ in range(2)]
    for thread in threads:
        thread.join(HANG_S)
    assert found == 2 * [thing.value]
