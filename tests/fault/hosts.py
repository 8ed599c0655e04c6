"""Trains on two hosts that it makes itself, network namespaces with an address each, and disturbs them: `hosts.py`.

It needs root, iproute2 (`ip`, `tc`), MPICH, mpi4py, OpenSSH's `ssh` and the package asyncssh. The second host runs an
SSH server, through which mpiexec on the first host starts its proxy, as on a cluster. One rank runs on each host, with
MOCHAC_RANK_TIMEOUT seconds of patience, and saves snapshots in a folder that both see.

    fault      on the second host
    none       nothing
    slow       it sends 4 Mbit/s
    killed     all processes are killed
    stopped    all processes are stopped; they go on after the first host has given up
    cut off    the cable is pulled

After a fault, every process on a living host must end within the timeout, with one clear message; training then
goes on from the last snapshot on one host, and ends with the same bits as a training without faults.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import asyncssh

sys.path.insert(0, str(Path(__file__).parents[1]))

from saved_states import assert_same_state

from mochac.training.loop.snapshot import SavedState, newest_snapshot, read_snapshot

TIMEOUT_S = 6
"""MOCHAC_RANK_TIMEOUT."""
MORE_S = 8
"""What mpiexec and Python may take besides."""
STOP = 400
"""Last iteration of a training."""
SLOW = ("rate", "4mbit", "burst", "16kb", "latency", "400ms")
BIN = Path(sys.executable).parent
TRAIN = """
import sys, time
import numpy as np
from mpi4py import MPI
import mochac
from mochac import InnerProductLayer, MemoryDataLayer, Neurons, Snapshot, SoftmaxLossLayer
folder, stop, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
rng = np.random.default_rng(0)
layers = [
    MemoryDataLayer(name="data", data=[rng.standard_normal((128, 20)), rng.integers(0, 3, 128)], batch_size=32),
    InnerProductLayer(name="h", output_dim=64, neuron=Neurons.Tanh(), bottoms=["data"]),
    InnerProductLayer(name="out", output_dim=3, bottoms=["h"]),
    SoftmaxLossLayer(name="loss", bottoms=["out", "label"]),
]
class Pause(mochac.training.loop.coffee.CoffeeBreak):
    def enjoy(self, lounge, program, state):
        time.sleep(pause)
        print("iteration", state.iter, flush=True)
solver = mochac.Solver(mochac.SGD(0.05, momentum=0.9), max_iter=stop, load_from=folder)
solver.add_coffee_break(Snapshot(folder, keep_last=3), every_n_iter=20)
solver.add_coffee_break(Pause(), every_n_iter=20)
with mochac.compile(mochac.Net("hosts", layers), parts=2, threads=1) as program:
    try:
        program.train(solver, comm=MPI.COMM_WORLD, verbose=0)
    except mochac.MochacError as error:
        sys.exit(f"{type(error).__name__}: {error}")
"""
SERVE = """
import asyncio, pathlib, sys
import asyncssh
async def run(request):
    command = await asyncio.create_subprocess_shell(request.command, stdin=-1, stdout=-1, stderr=-1)
    await request.redirect(stdin=command.stdin, stdout=command.stdout, stderr=command.stderr)
    request.exit(await command.wait())
async def serve(address, key, ready):
    options = {"server_host_keys": key, "authorized_client_keys": key + ".pub", "process_factory": run}
    server = await asyncssh.listen(address, 22, encoding=None, **options)
    pathlib.Path(ready).touch()
    await server.wait_closed()
asyncio.run(serve(*sys.argv[1:]))
"""


class Hosts:
    """Two hosts, joined by a cable. The second one runs an SSH server.

    Args:
        folder: for the list of hosts, and the configuration and key of ssh.
    """

    def __init__(self, folder: Path) -> None:
        self.names = [f"mochac{os.getpid()}{letter}" for letter in "ab"]
        self.addresses = ["10.213.7.1", "10.213.7.2"]
        self.list, self.ssh, self.key, self.ready = (folder / name for name in ("hosts", "ssh", "key", "ready"))
        self.list.write_text("".join(f"{address}:1\n" for address in self.addresses))
        key = asyncssh.generate_private_key("ssh-ed25519")
        key.write_private_key(self.key)
        self.key.chmod(0o600)
        key.write_public_key(f"{self.key}.pub")
        accepted = f"-o StrictHostKeyChecking=no -o UserKnownHostsFile={folder / 'known'} -o LogLevel=ERROR"
        alive = f"-o ServerAliveInterval={TIMEOUT_S // 3} -o ServerAliveCountMax=3"
        self.ssh.write_text(f'#!/bin/sh\nexec ssh -F none -i {self.key} {accepted} {alive} "$@"\n')
        self.ssh.chmod(0o755)

    @contextmanager
    def up(self) -> Iterator[Hosts]:
        """The hosts exist."""
        for name in self.names:
            ip("netns", "add", name)
        try:
            ends = [f"{name}e" for name in self.names]
            ip("link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
            for name, end, address in zip(self.names, ends, self.addresses, strict=True):
                ip("link", "set", end, "netns", name, "name", "eth0")
                ip("-n", name, "addr", "add", f"{address}/24", "dev", "eth0")
                for device in ("lo", "eth0"):
                    ip("-n", name, "link", "set", device, "up")
            self.serve()
            yield self
        finally:
            for name in self.names:
                self.signal(self.names.index(name), signal.SIGKILL)
                ip("netns", "del", name)

    def serve(self) -> None:
        """Start the SSH server, and wait until it listens."""
        self.ready.unlink(missing_ok=True)
        command = [sys.executable, "-c", SERVE, self.addresses[1], str(self.key), str(self.ready)]
        self.server = subprocess.Popen(["ip", "netns", "exec", self.names[1], *command])
        while not self.ready.exists():
            assert self.server.poll() is None, "the SSH server ended"
            time.sleep(0.05)

    def train(self, folder: Path, pause_s: float) -> subprocess.Popen[str]:
        """Begin a training on both."""
        launch = ["-iface", "eth0", "-launcher", "ssh", "-launcher-exec", str(self.ssh), "-f", str(self.list)]
        inside = ["ip", "netns", "exec", self.names[0]]
        return started([*inside, str(BIN / "mpiexec"), *launch], folder, pause_s)

    def processes(self, host: int) -> list[int]:
        """Numbers of the processes on a host, but for its SSH server."""
        return [number for number in self._all(host) if number != self.server.pid]

    def signal(self, host: int, number: signal.Signals) -> None:
        """Send a signal to all processes of a host, its SSH server among them."""
        for process in self._all(host):
            with suppress(ProcessLookupError):
                os.kill(process, number)

    def _all(self, host: int) -> list[int]:
        return [int(n) for n in ip("netns", "pids", self.names[host]).split()]

    def bytes_received(self) -> int:
        """What the first host has received from the second."""
        counts = subprocess.run(
            ["ip", "netns", "exec", self.names[0], "cat", "/sys/class/net/eth0/statistics/rx_bytes"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        return int(counts.stdout)


def ip(*words: str) -> str:
    """Run `ip`; what it prints."""
    return subprocess.run(["ip", *words], capture_output=True, text=True, check=True).stdout


def started(launcher: list[str], folder: Path, pause_s: float) -> subprocess.Popen[str]:
    """Two ranks that train to iteration STOP."""
    variables = {"MOCHAC_RANK_TIMEOUT": str(TIMEOUT_S), "UCX_TLS": "tcp,self", "MPIR_CVAR_NOLOCAL": "1"}
    command = [*launcher, "-n", "2", sys.executable, "-c", TRAIN, str(folder), str(STOP), str(pause_s)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen(command, env={**os.environ, **variables}, text=True, **pipes)


def on_one_host(folder: Path) -> SavedState:
    """The state at iteration STOP of two ranks on this machine, which resume from what the folder has."""
    done = started([str(BIN / "mpiexec")], folder, 0.0)
    out, _ = done.communicate(timeout=120)
    assert done.returncode == 0, out
    return state(folder)


def state(folder: Path) -> SavedState:
    """The state at iteration STOP."""
    return read_snapshot(folder / f"snapshot-{STOP:06d}.h5")


def undisturbed(hosts: Hosts, folder: Path, wanted: SavedState, spoil: Callable[[], object]) -> str:
    """A training that runs to its end."""
    spoil()
    before = hosts.bytes_received()
    process = hosts.train(folder, 0.0)
    out, _ = process.communicate(timeout=120)
    assert process.returncode == 0, out
    assert_same_state(state(folder), wanted)
    return f"same bits as on one host; {(hosts.bytes_received() - before) / 1e3:.0f} kB from the second host"


def disturbed(
    hosts: Hosts, folder: Path, wanted: SavedState, spoil: Callable[[], object], living: tuple[int, ...]
) -> str:
    """A training whose second host fails in the middle; `living` are the hosts whose processes must end."""
    process = hosts.train(folder, 0.2)
    assert process.stdout is not None
    next(line for line in process.stdout if line == "iteration 60\n")  # before the snapshot, which comes last
    spoil()
    begun = time.monotonic()
    while any(hosts.processes(host) for host in living):
        assert time.monotonic() - begun < TIMEOUT_S + MORE_S, f"processes still run: {process.stdout.read()}"
        time.sleep(0.05)
    took = time.monotonic() - begun
    for host in (0, 1):
        hosts.signal(host, signal.SIGCONT)
    time.sleep(1.0)
    while hosts.processes(1):
        assert time.monotonic() - begun < 3 * (TIMEOUT_S + MORE_S), "the second host's processes still run"
        time.sleep(0.05)
    out = process.stdout.read()
    assert process.wait(timeout=10) != 0
    assert "Traceback" not in out, out
    reached = newest_snapshot(folder)
    assert reached is not None and reached.iteration >= 40
    assert_same_state(on_one_host(folder), wanted)
    said = next(line for line in out.splitlines() if not line.startswith("iteration"))
    return f"all ended after {took:.1f} s; resumed from iteration {reached.iteration} with the same bits; {said!r}"


def main() -> None:
    """Try all faults; print a line each."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "tc", "ssh"))):
        sys.exit("hosts.py needs root, ip and tc of iproute2, and ssh")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wanted = on_one_host(folder / "plain")
        b = 1

        def cable(hosts: Hosts, position: str) -> Callable[[], object]:
            return lambda: ip("-n", hosts.names[b], "link", "set", "eth0", position)

        def slower(hosts: Hosts) -> Callable[[], object]:
            words = ["tc", "-n", hosts.names[b], "qdisc", "add", "dev", "eth0", "root", "tbf", *SLOW]
            return lambda: subprocess.run(words, check=True)

        faults: dict[str, Callable[[Hosts, Path], str]] = {
            "none": lambda h, f: undisturbed(h, f, wanted, lambda: None),
            "slow": lambda h, f: undisturbed(h, f, wanted, slower(h)),
            "killed": lambda h, f: disturbed(h, f, wanted, lambda: h.signal(b, signal.SIGKILL), (0,)),
            "stopped": lambda h, f: disturbed(h, f, wanted, lambda: h.signal(b, signal.SIGSTOP), (0,)),
            "cut off": lambda h, f: disturbed(h, f, wanted, cable(h, "down"), (0, 1)),
        }
        for fault in sys.argv[1:] or faults:
            with Hosts(folder).up() as hosts:
                print(f"{fault}: {faults[fault](hosts, folder / fault)}", flush=True)


if __name__ == "__main__":
    main()
