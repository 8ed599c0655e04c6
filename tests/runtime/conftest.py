"""What tests of the training loop share."""

from __future__ import annotations

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
