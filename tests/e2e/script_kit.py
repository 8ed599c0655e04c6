"""Scripts of a user's own: run in a process of their own, with net_kit at hand and a time limit.

What may crash, hang or be killed is tested through it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

from patience import HANG_S

HERE = Path(__file__).parent


def environment(**variables: str) -> dict[str, str]:
    """This process's environment with net_kit importable."""
    paths = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONFAULTHANDLER": "1", **variables}


def start(code: str | Path, *arguments: object, cwd: Path | None = None, **variables: str) -> subprocess.Popen[str]:
    """A script under way, given as text or as a file; its output is piped. Ctrl-C works, also where the tests are a
    background job, which inherits that it is ignored."""
    what = [str(code)] if isinstance(code, Path) else ["-c", textwrap.dedent(code)]
    command = [sys.executable, "-u", *what, *map(str, arguments)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        command,
        text=True,
        cwd=cwd,
        env=environment(**variables),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        **pipes,
    )


def finished(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Exit status and output; a script that hangs is killed and fails the test."""
    try:
        out, err = process.communicate(timeout=HANG_S)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"still running after {HANG_S} s\n{out}\n{err}") from None
    return process.returncode, out, err


def script(code: str | Path, *arguments: object, cwd: Path | None = None, **variables: str) -> str:
    """Standard output of a script that must end well, with nothing on standard error."""
    status, out, err = finished(start(code, *arguments, cwd=cwd, **variables))
    assert status == 0, f"exit status {status}\n{out}\n{err}"
    assert not err, err
    return out


def wait_for(process: subprocess.Popen[str], text: str) -> str:
    """Read lines until one has `text`; all lines read."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    _, err = process.communicate()
    raise AssertionError(f"ended before {text!r}\n{seen}\n{err}")
