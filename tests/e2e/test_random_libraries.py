"""C libraries of random nets: losses, weights, states and slots of a few steps have Python's bits."""

import numpy as np
import pytest
from clib.clib_kit import Failure, built, needs_cc

import mochac
from mochac import NumericError
from mochac.base.errors import UnsupportedError
from mochac.tools.fuzzing.drawer import Drawer

pytestmark = [needs_cc, pytest.mark.slow]
STEPS = 3


@pytest.mark.parametrize("seed", [3, *(pytest.param(n, marks=pytest.mark.soak) for n in range(200, 260))])
def test_a_random_net(seed, tmp_path):
    dtype = ("float32", "float64")[seed % 2]
    case = Drawer(seed).draw(STEPS)
    print(f"seed {seed}, {dtype}, batch {case.batch}, {case.solver}\n{case.net}")
    data = [source for source in case.net.sources if getattr(source, "data", None) is not None]
    if len(data) < len(case.net.sources) or any(source.transformers for source in data):
        pytest.skip("the library is given other numbers than the reader's")
    tops = [top for source in case.net.sources for top in source.tops]
    outputs = [blob for blob, known in case.net.blobs.items() if known.batch and blob not in tops]
    with mochac.compile(case.net, dtype=dtype, seed=seed, threads=1) as program:
        try:
            how = {"params": program.params, "seed": seed, "dtype": dtype, "batches": case.batch}
            library = built(tmp_path / "c", case.net, case.solver, outputs=outputs[:1], **how)
        except UnsupportedError as refused:
            pytest.skip(str(refused))
        instance = library.instance()
        case.solver.init_solve(program)
        for _ in range(STEPS):
            batches = []
            for _ in range(case.solver.accumulate):
                program.session.batches.renew()
                program.session.batches.wait(1)
                batches.append(program.session.batches.copy())
            given = {top: np.concatenate([batch[top] for batch in batches]) for top in batches[0]}
            try:
                theirs = case.solver.step(**given)
            except NumericError:
                with pytest.raises(Failure, match="not finite"):
                    instance.step(**given)
                return
            assert instance.step(**given) == theirs
        case.solver.finalize()
        program.save(tmp_path / "state.safetensors", training=True)
        assert instance.save("save_state") == (tmp_path / "state.safetensors").read_bytes()
