"""What tests of the training loop share."""

from __future__ import annotations

import signal
import threading
from types import SimpleNamespace

import pytest
from fake_program import FakeProgram
from patience import HANG_S

from mochac.runtime.data import memory, ring
from mochac.training.loop import loop


@pytest.fixture
def make():
    """Fake programs that are closed after the test."""
    made = []

    def build(**kw):
        made.append(FakeProgram(**kw))
        return made[-1]

    yield build
    for program in made:
        program.close()


@pytest.fixture
def stalling(monkeypatch):
    """stalling(seconds): time stands still, but the batch that is waited for next takes so many seconds."""

    def stall(seconds):
        now, waits, plain = [0.0], threading.Event(), memory.gather

        def asked_by_ring():
            seen = now[0]
            waits.set()
            return seen

        def gather(*arguments):
            assert waits.wait(HANG_S)
            now[0] = seconds
            return plain(*arguments)

        monkeypatch.setattr(memory, "gather", gather)
        monkeypatch.setattr(ring, "time", SimpleNamespace(perf_counter=asked_by_ring))
        monkeypatch.setattr(loop, "time", SimpleNamespace(perf_counter=lambda: now[0]))

    return stall


@pytest.fixture
def listening():
    """Ctrl-C as in a shell's foreground: background jobs inherit SIG_IGN."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
