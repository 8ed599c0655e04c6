"""The machine as JSON: device, driver, packages, commit; gpu.py runs it with the file to write."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("numpy", "torch", "jax", "pycuda", "cuda-bindings", "nvidia-cudnn-frontend", "nvidia-cublas", "triton")
ASKED = "name,driver_version,memory.total,clocks.sm,clocks.max.sm,power.limit,pstate"


def said(*command: str) -> str:
    """The output of a command, "" where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def commit() -> str:
    """Of the repository; without one a hash of the package's files."""
    found = said("git", "rev-parse", "--short", "HEAD")
    if found:
        return found + (" and uncommitted changes" if said("git", "status", "--porcelain", "mochac") else "")
    files = sorted((ROOT / "mochac").rglob("*.py"))
    return "no repository; files " + hashlib.sha256(b"".join(p.read_bytes() for p in files)).hexdigest()[:12]


def version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


facts = {
    "commit": commit(),
    "python": platform.python_version(),
    "system": f"{platform.platform()}, {os.cpu_count()} CPUs",
    "nvidia-smi": said("nvidia-smi", f"--query-gpu={ASKED}", "--format=csv,noheader"),
    "packages": ", ".join(f"{name} {version(name)}" for name in PACKAGES),
}
print(json.dumps(facts, indent=1))
Path(sys.argv[1]).write_text(json.dumps(facts))  # what follows may fail

from mochac.runtime.cuda.compiler import find_compiler  # noqa: E402
from mochac.runtime.cuda.device import device  # noqa: E402

found, compiler = device(0), find_compiler()
with found.use() as driver:
    free, total = driver.memory()
    facts |= {key: str(value) for key, value in vars(driver.info).items()}
    facts |= {"memory": f"{free:,} of {total:,} bytes free", "libraries": ", ".join(driver.libraries) or "none"}
facts["compiler"] = f"{compiler.name} {compiler.version}".split("\n")[-2 if "\n" in compiler.version else 0]
Path(sys.argv[1]).write_text(json.dumps(facts))
print(json.dumps(facts, indent=1))
