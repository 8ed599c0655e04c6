"""Checks for authors of passes, operations, layers and nets."""

from __future__ import annotations

from mochac.testing.passes import assert_pass, assert_same

__all__ = ["assert_pass", "assert_same"]
