"""examples/c-library: its three programs, built and run."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import mochac
from mochac.tools.cli.userfile import load

FOLDER = Path(__file__).parents[2] / "examples" / "c-library"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("cc") is None or shutil.which("make") is None, reason="NO C COMPILER HERE"),
]


def digits(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Noisy copies of ten images."""
    rng = np.random.default_rng(0)
    prototypes, labels = rng.integers(0, 17, (10, 64)), rng.integers(0, 10, n)
    return np.clip(prototypes[labels] + rng.integers(-4, 5, (n, 64)), 0, 16), labels


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    made = tmp_path_factory.mktemp("c-library")
    user = load(str(FOLDER / "net.py"))
    mochac.build(user.net, made / "digits", user.solver)
    for program in ("predict", "train", "service"):
        flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", f"-I{made / 'digits'}"]
        source = [str(FOLDER / f"{program}.c"), str(made / "digits" / "libdigits.a")]
        subprocess.run(["cc", *flags, *source, "-o", str(made / program)], check=True)
    return made


def run(folder: Path, *command: str, given: str = "") -> str:
    command = (str(folder / command[0]), *command[1:])
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=folder).stdout


def test_train_and_predict(folder):
    x, y = digits(400)
    lines = [",".join(map(str, [label, *image])) for image, label in zip(x, y, strict=True)]
    (folder / "digits.csv").write_text("\n".join(lines) + "\n")
    said = run(folder, "train", "digits.csv", "4", "digits.safetensors").splitlines()
    assert len(said) == 4
    assert float(said[-1].split()[-1]) > 0.95
    for image, label in zip(x[:3], y[:3], strict=True):
        assert run(folder, "predict", "digits.safetensors", given=" ".join(map(str, image))) == f"{label}\n"
    with mochac.compile(load(str(FOLDER / "net.py")).net) as program:
        program.load(folder / "digits.safetensors")
        predicted = program.predict({"image": x.reshape(-1, 1, 8, 8) / 16.0}).argmax(axis=1)
    assert (predicted == y).mean() > 0.95


def test_service(folder):
    x, y = digits(320)
    requests = [f"learn {label} {' '.join(map(str, image))}" for image, label in zip(x, y, strict=True)]
    requests = ["rate 0.005", *requests, f"predict {' '.join(map(str, x[0]))}", "learn 12 3", "what", "rate -1", "bye"]
    said = run(folder, "service", given="\n".join(requests)).splitlines()
    assert said[0] == "rate 0.005"
    assert said[1] == "learnt 1"
    losses = [float(line.split()[1]) for line in said if line.startswith("loss")]
    assert len(losses) == 10
    assert losses[-1] < losses[0]
    assert said[-4] == f"digit {y[0]}"
    assert said[-3:] == [
        "error an image has 64 numbers",
        "error no such request",
        "error a learning rate or another scalar is out of range",
    ]
