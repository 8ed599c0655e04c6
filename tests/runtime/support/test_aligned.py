"""Aligned arrays: where they begin, what they hold, what happens without memory."""

from __future__ import annotations

import mmap

import numpy as np
import pytest

from mochac.base.support.memory import HUGE_PAGE, LARGE, aligned_copy, aligned_empty, aligned_zeros, is_aligned


@pytest.mark.parametrize("n_bytes", [0, 1, 100, LARGE - 1, LARGE, HUGE_PAGE + 1])
def test_zeros_begin_on_a_line_and_can_be_written(n_bytes: int) -> None:
    array = aligned_zeros(n_bytes, np.uint8)
    assert is_aligned(array) and array.flags.writeable and not array.any()
    array[...] = 1
    assert array.sum() == n_bytes


@pytest.mark.skipif(not hasattr(mmap, "MADV_HUGEPAGE"), reason="this system has no huge pages to ask for")
def test_large_arrays_begin_on_a_huge_page() -> None:
    assert aligned_empty((1000, 1000)).ctypes.data % HUGE_PAGE == 0


def test_a_view_keeps_the_memory_of_a_large_array() -> None:
    row = aligned_copy(np.arange(LARGE, dtype=np.float32).reshape(4, -1))[3]
    assert row[0] == 3 * LARGE // 4 and row[-1] == LARGE - 1


def test_more_than_there_is() -> None:
    with pytest.raises(MemoryError):
        aligned_empty(1 << 46, np.uint8)
