"""The CUDA sources of all the examples' plans compile without a diagnostic: steps, tests, predictions and gradients, in
both precisions: each for one of two devices, every other example's up to unoptimized PTX; in a soak all for both, up to
machine code."""

import re
from pathlib import Path

import pytest
from examples.running import EXAMPLES, copied, run, write_digits, write_photographs

from mochac.runtime.cuda.compiler import FLAGS, find_compiler

RECORDING = Path(__file__).parent / "recording.py"
SCRIPTS = {
    "tour.py": (),
    "cifar10/cifar10.py": ("--max-iter", 1, "--every", 1),
    "cifar10/resnet20.py": ("--max-iter", 1, "--every", 1),
    "cifar10/simclr.py": ("--epochs", 1, "--batch", 64),
    "denoising-autoencoder/denoising_autoencoder.py": ("--max-iter", 1),
    "digits/digits.py": ("--epochs", 1, "--folds", 2),
    "image-classifier/image_classifier.py": ("--max-iter", 1),
    "mnist/dropout_fc.py": ("--max-iter", 1),
    "mnist/lenet.py": ("--max-iter", 1),
    "mnist/vae.py": ("--max-iter", 1, "--latent", 2, "--hidden", 20),
    "own-layer/own_layer.py": (),
    "own-layer/own_op.py": (),
    "tabular/tabular.py": ("--max-iter", 1, "--samples", 1000),
    "series/forecast.py": ("--max-iter", 1),
    "text/gpt.py": ("--iterations", 1, "--sample", 1),
    "text/llama.py": ("--iterations", 1, "--sample", 1),
    "text/lstm.py": ("--iterations", 1, "--sample", 1),
    "wasserstein/wasserstein.py": ("--max-iter", 1, "--samples", 200),
    "xor/xor.py": (),
}
MANY = {"cifar10/resnet20.py", "digits/digits.py", "image-classifier/image_classifier.py"}
"""Their plans are many, of layers that other examples have."""
NO_PLANS = {
    *("get_cifar10.py", "cifar10_training.py", "resnet20_torch.py", "resnet20_beside_torch.py", "torch_twin.py"),
    *("gradients.py", "plot_all.py", "get_mnist.py", "learning_curve.py", "net.py"),
}
FRONT_END = "--device-debug"
"""Without the optimizer, which has no diagnostics and takes ten times as long as what has."""
NEEDS = {
    "digits": ("sklearn",),
    "xor": ("sklearn",),
    "series": ("statsmodels",),
    "image-classifier": ("google.protobuf", "PIL", "sklearn"),
}


def test_every_example_is_here():
    found = {str(p.relative_to(EXAMPLES)) for p in EXAMPLES.rglob("*.py") if p.name not in NO_PLANS}
    assert found == set(SCRIPTS)


@pytest.fixture
def examples(tmp_path):
    """Copies of all examples, with small data."""
    for folder in (p.name for p in EXAMPLES.iterdir() if p.is_dir()):
        copied(folder, tmp_path)
    (tmp_path / "tour.py").write_text((EXAMPLES / "tour.py").read_text())
    write_digits(tmp_path / "mnist/data")
    write_photographs(tmp_path / "cifar10/data")
    return tmp_path


@pytest.mark.sampled(0, test=3)
@pytest.mark.skipif(find_compiler() is None, reason="NO nvcc AND NO NVRTC: the examples' CUDA C is not compiled")
@pytest.mark.parametrize(
    ("script", "both", "whole"),
    [
        *(pytest.param(s, False, k % 2 == 1, id=s) for k, s in enumerate(s for s in SCRIPTS if s not in MANY)),
        *(pytest.param(script, True, True, id=f"{script} both", marks=pytest.mark.soak) for script in SCRIPTS),
    ],
)
def test_its_sources_compile(script, both, whole, examples, tmp_path, monkeypatch):
    for package in NEEDS.get(script.partition("/")[0], ()):
        pytest.importorskip(package, reason=f"the example needs {package}")
    monkeypatch.setenv("MOCHAC_CACHE_DIR", str(tmp_path / "cache"))  # a plan of the cache is not lowered
    monkeypatch.setenv("MPLBACKEND", "agg")
    made = tmp_path / "sources"
    made.mkdir()
    run(RECORDING, "both" if both else "turns", made, script, *SCRIPTS[script], cwd=examples)
    sources = sorted(made.iterdir())
    assert {p.suffixes[-2] for p in sources} == {".sm_80", ".sm_90"}
    for path in sources:
        text, arch = path.read_text(), path.suffixes[-2][4:]
        assert 'extern "C" __global__' in text
        flags = (f"-arch=sm_{arch}",) if whole else (f"-arch=compute_{arch}", FRONT_END)
        code, remarks = find_compiler().run(text, (*flags, *FLAGS), "cubin" if whole else "ptx")
        assert code and not re.search("warning|error", remarks), f"{path.name} of {script}\n{remarks}"
