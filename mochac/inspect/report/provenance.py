"""Where a report comes from: versions, machine, seeds, and hashes of the weights and of the net's file."""

from __future__ import annotations

import hashlib
import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import numpy as np

from mochac.inspect.report.facts import StepFacts
from mochac.lowering.sources import PACKAGE
from mochac.runtime.cpu.cpuinfo import cpu_model

PACKAGES = ("numpy", "llvmlite", "h5py")


def provenance(facts: StepFacts) -> dict[str, object]:
    """The record that the page embeds as JSON."""
    session, profile, machine = facts.session, facts.profile, facts.machine
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "mochac": {"version": _version("mochac"), "commit": commit()},
        "python": sys.version.split()[0],
        "packages": {name: _version(name) for name in PACKAGES},
        "system": platform.platform(),
        "cpu": cpu_model() or platform.machine(),
        "cpus": os.cpu_count(),
        "clock_ghz_at_peak": machine.hz / 1e9 if machine is not None and machine.hz else None,
        "caches": {level.name: level.n_bytes for level in profile.bandwidth.levels if level.n_bytes},
        "backend": str(session.plans.backend).removeprefix("backend "),
        "target": facts.lowered.generator.target_name,
        "versions": list(session.plans.backend.versions),
        "net": session.net.name,
        "batch": session.batch_size,
        "plan": facts.plan.name,
        "dtype": session.dtype,
        "seed": session.seed,
        "threads": profile.threads,
        "schedules": dict(sorted({kernel.name: kernel.record.origin for kernel in facts.kernels}.items())),
        "peak_gflops": profile.peak_gflops,
        "bandwidth": {
            level.name: {"read_gbs": level.read_gbs, "copy_gbs": level.copy_gbs} for level in profile.bandwidth.levels
        },
        "step_s": profile.step_s,
        "weights_sha256": weights_hash(session.parameters()),
        "command": sys.argv,
    }


def weights_hash(parameters: dict[str, np.ndarray]) -> str:
    """SHA-256 of all parameters: their names in order, types, shapes and bytes."""
    digest = hashlib.sha256()
    for name, array in sorted(parameters.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


def commit(folder: Path = PACKAGE) -> str:
    """The commit of a clone that mochac runs from, "+" behind it if files have changed; "" where there is none."""
    try:
        head = _git(folder, "rev-parse", "HEAD")
        return f"{head}+" if _git(folder, "status", "--porcelain", "--untracked-files=no") else head
    except (OSError, subprocess.SubprocessError):
        return ""


def _git(folder: Path, *words: str) -> str:
    call = ["git", "-C", str(folder), *words]
    return subprocess.run(call, capture_output=True, text=True, check=True, timeout=10).stdout.strip()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
