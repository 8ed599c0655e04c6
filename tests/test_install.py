"""What an installation finds: a script beside a clone, and everything a wheel needs to hold."""

import builtins
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import mochac

ROOT = Path(mochac.__file__).parents[1]


@pytest.mark.slow
def test_a_script_beside_a_clone_finds_the_package(tmp_path):
    """The clone's own folder, called mochac and without __init__.py, must not hide the package inside it."""
    (tmp_path / "mochac").symlink_to(ROOT, target_is_directory=True)
    (tmp_path / "script.py").write_text("import mochac\nprint(mochac.MemoryDataLayer.__name__)")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert (ran.stdout, ran.returncode) == ("MemoryDataLayer\n", 0), ran.stderr


def test_star_hides_no_builtin():
    assert set(mochac.__all__) & set(dir(builtins)) == set()
    assert mochac.compile is not compile


@pytest.mark.slow
def test_a_wheel_holds_every_file(tmp_path):
    pytest.importorskip("hatchling", reason="the dev extra brings it")
    options = ["--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check", "--wheel-dir", tmp_path]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, ROOT], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    files = (p for p in (ROOT / "mochac").rglob("*") if p.is_file() and p.suffix != ".pyc")
    assert _inside(wheel) == {p.relative_to(ROOT).as_posix() for p in files}


def _inside(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if name.startswith("mochac/")}
