"""Libraries that train the last layers: frozen weights stay where the library is."""

import numpy as np
import pytest
from clib_kit import Failure, built, needs_cc
from nets import digits, lenet

import mochac
from mochac import SGD, OptionError, Solver
from mochac.formats.clib.build import build

pytestmark = [needs_cc]
FROZEN = ["conv1", "conv2"]


@pytest.mark.slow
@pytest.mark.parametrize("weights", ["flash", "ram"])
def test_steps_of_the_last_layers(weights, tmp_path):
    net, (x, y) = lenet(batch=8), digits()
    library = built(tmp_path / "c", net, SGD(0.01, momentum=0.9), freeze=FROZEN, weights=weights)
    instance = library.instance()
    with mochac.compile(net) as program:
        program.freeze(*FROZEN)
        Solver(SGD(0.01, momentum=0.9)).init_solve(program)
        for k in range(4):
            rows = slice(8 * k, 8 * k + 8)
            assert instance.step(data=x[rows], label=y[rows]) == program.step(data=x[rows], label=y[rows])
        program.save(tmp_path / "p.safetensors")
    assert instance.save() == (tmp_path / "p.safetensors").read_bytes()
    other = library.instance(saved=instance.save("save_state"))
    assert other.step(data=x[:8], label=y[:8]) == instance.step(data=x[:8], label=y[:8])


@pytest.mark.slow
def test_other_weights_do_not_fit(tmp_path):
    """A file is loaded if its frozen weights are those of the library; nothing has changed else."""
    net, (x, _) = lenet(batch=8), digits()
    library = built(tmp_path / "c", net, SGD(0.01), freeze=FROZEN, weights="flash")
    whole = built(tmp_path / "ram", net, SGD(0.01), name="ram", weights="ram")
    instance, wide = library.instance(), whole.instance()
    assert instance.memory.nbytes < wide.memory.nbytes
    before = instance.predict((10,), data=x[:3])[0]
    with mochac.compile(net, seed=9) as program:
        program.save(tmp_path / "p.safetensors")
    with pytest.raises(Failure, match="the file is not of this net"):
        instance.load((tmp_path / "p.safetensors").read_bytes())
    assert np.array_equal(instance.predict((10,), data=x[:3])[0], before)
    assert not hasattr(library.dll, "lenet_small_init_drawn")


def test_what_is_refused(tmp_path):
    net = lenet()

    def refused(**how):
        with pytest.raises(OptionError) as error:
            build(net, tmp_path, **how)
        return str(error.value)

    assert refused(freeze="conv1").startswith("build: freeze= is for libraries that train")
    every = ["conv1", "conv2", "ip1", "ip2"]
    assert refused(solver=SGD(0.1), freeze=every).startswith("build: all layers with parameters are frozen")
    assert refused(solver=SGD(0.1), freeze="pool1").startswith("layer 'pool1' has no parameters")
    assert refused(solver=SGD(0.1), weights="flash").startswith("build: a library that trains changes its weights")
    assert refused(weights="rom") == (
        "build: weights is out of range\n  expected  'flash' or 'ram', or None,  got  'rom'\n"
        "  hint: did you mean 'ram'?"
    )
    assert refused(targets="cortex-m4", dtype="float64").startswith("build: cortex-m4 computes no doubles")
    assert refused(targets="cortex-m4", threads=True).startswith("build: there are no threads on cortex-m4")
    several = refused(targets=["cortex-m4", "cortex-m7"])
    assert several.startswith("build: a library for several targets asks at run time which one it runs on")
