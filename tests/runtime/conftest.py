"""What tests of the training loop share."""

from __future__ import annotations

import signal

import pytest
from fake_program import FakeProgram


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
def listening():
    """Ctrl-C as in a shell's foreground: background jobs inherit SIG_IGN."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
