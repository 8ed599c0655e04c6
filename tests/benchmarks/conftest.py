"""Benchmarks silence mochac's log; tests that run later in the same process expect its info lines."""

import logging

import pytest


@pytest.fixture(autouse=True)
def log_level():
    log = logging.getLogger("mochac")
    level = log.level
    yield
    log.setLevel(level)
