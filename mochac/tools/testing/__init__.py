"""Checks for authors of passes, operations, layers, nets and scheduling rules."""

from __future__ import annotations

from mochac.tools.testing.caches import CacheTraffic, LevelTraffic, simulate_caches
from mochac.tools.testing.operations import assert_pass, assert_same

__all__ = ["CacheTraffic", "LevelTraffic", "assert_pass", "assert_same", "simulate_caches"]
