"""A page in a browser without a window: its elements once its scripts have run."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from patience import HANG_S

NAMES = ("chromium", "chromium-browser", "google-chrome")


def chromium() -> str:
    """The command; "" if there is none on PATH."""
    return next(filter(None, map(shutil.which, NAMES)), "")


def opened(page: Path, anchor: str = "", *options: str) -> str:
    """The page as the browser has it after loading, as HTML."""
    url = f"{page.as_uri()}{anchor and '#'}{anchor}"
    fixed = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={page.parent / 'profile'}"]
    done = subprocess.run(
        [chromium(), *fixed, *options, "--dump-dom", url], capture_output=True, text=True, timeout=HANG_S, check=True
    )
    return done.stdout
