"""Where a training starts when `load_from` names a folder without snapshots."""

import pytest

from mochac.training.loop import resume


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_without_snapshots_is_told(tmp_path, monkeypatch, made):
    said = []
    monkeypatch.setattr(resume.LOG, "info", lambda text, *values: said.append(text % values))
    folder = tmp_path / "snapshot"
    if made:
        folder.mkdir()
    assert resume.saved_state(str(folder), session=None) is None
    assert said == [f"no snapshot in {folder}: training starts at iteration 0"]
