"""What is said of a rank that has died."""

import os

from mochac.runtime.ranks.processes import last_status, write_status


def test_a_file_that_its_rank_had_not_written_yet_is_none(tmp_path):
    write_status(tmp_path, 0, "after iteration 7")
    (tmp_path / "rank-1").touch()
    assert last_status(tmp_path, os.getpid()) == f"rank 0 (process {os.getpid()}) has died after iteration 7"
    assert last_status(tmp_path, -1) == "process -1 has died before training began"


def test_a_note_is_never_part_of_one(tmp_path):
    """Every record has the length of the last: there is no moment without one."""
    sizes = set()
    for where in ("after iteration 100", "at the end", "x" * 300):
        write_status(tmp_path, 0, where)
        sizes.add((tmp_path / "rank-0").stat().st_size)
    assert len(sizes) == 1
