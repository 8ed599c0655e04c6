"""How the tests of examples run them: a copy in a folder of its own, as a program of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[2] / "examples"


def copied(name, folder):
    """A copy of examples/`name` in `folder`, without what runs leave behind."""
    left = shutil.ignore_patterns("data", "snapshots", "*.png", "*.svg", "__pycache__")
    return shutil.copytree(EXAMPLES / name, folder / name, ignore=left)


def run(*command, cwd, status=0):
    """What a script prints."""
    done = subprocess.run(
        [sys.executable, *map(str, command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        env=os.environ,
        timeout=300,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout
