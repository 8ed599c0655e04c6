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
PREDICTS = """
import mochac, numpy as np
net = mochac.Net("n", [mochac.InputLayer(name="in", tops=["x"], shape=(2, 4)),
                       mochac.InnerProductLayer(name="ip", output_dim=3, bottoms=["x"], tops=["y"])])
print(mochac.__file__, mochac.compile(net, backend="cpu").predict(np.ones((2, 4), np.float32)).shape)
"""


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
def test_a_wheel_of_the_source_archive_holds_every_file_and_runs(tmp_path):
    pytest.importorskip("hatchling", reason="the dev extra brings it")
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", tmp_path], cwd=ROOT, check=True)
    (archive,) = tmp_path.glob("*.tar.gz")
    assert archive.name == f"mochac-{mochac.__version__}.tar.gz"
    options = ["--no-deps", "--quiet", "--disable-pip-version-check"]
    wheels = ["--no-build-isolation", "--wheel-dir", tmp_path, archive]
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, *wheels], check=True)
    (wheel,) = tmp_path.glob("*.whl")
    files = (p for p in (ROOT / "mochac").rglob("*") if p.is_file() and p.suffix != ".pyc")
    assert _inside(wheel) == {p.relative_to(ROOT).as_posix() for p in files}
    home = tmp_path / "site"
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", home, wheel], check=True)
    env = {**os.environ, "PYTHONPATH": str(home)}
    ran = subprocess.run([sys.executable, "-c", PREDICTS], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert ran.stdout == f"{home}/mochac/__init__.py (2, 3)\n", ran.stderr


def _inside(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if name.startswith("mochac/")}
