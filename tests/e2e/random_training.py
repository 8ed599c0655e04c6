"""A random net trained through the public API, against the interpreter on the same step graph in float64.

`check(seed, dtype)` for tests of the CPU and of a device. It prints the net, so that one that fails can be seen.
"""

import numpy as np
from net_kit import weights

import mochac
from mochac import NumericError, TrainingSummary
from mochac.tools.fuzzing.drawer import Drawer
from mochac.tools.fuzzing.outcome import interpreted

SHORT, LONG = 5, 50
"""Steps of a case."""
TOLERANCE = {("float32", SHORT): 3e-4, ("float32", LONG): 3e-3, ("float64", SHORT): 1e-10, ("float64", LONG): 1e-8}
ROUNDING, SLACK = {"float32": 1e-7, "float64": 1e-16 * 4}, 100
"""Where training is chaotic: what a start moved by so much brings about, times the slack, is rounding too."""
DIVERGED = 1e3
"""A loss beyond which rounding errors grow as fast as the loss; what comes after is not compared."""


def trained(program, case, steps):
    """By train(); returns the losses by iteration."""
    return program.train(case.solver).statistics["obj_val"]


def updated(program, case, steps):
    """By forward(), backward() and update()."""
    case.solver.init_solve(program)
    for _ in range(steps):
        program.forward()
        program.backward()
        case.solver.update()
    return case.solver.finalize().statistics["obj_val"]


def check(seed, dtype, steps=SHORT, train=trained, drawer=Drawer):
    """Train and compare; the seed draws net, solver, data and what is frozen."""
    case = drawer(seed).draw(steps)
    print(f"seed {seed}, {dtype}, batch {case.batch}, {case.solver}, frozen {case.frozen}\n{case.net}")
    case.solver.add_coffee_break(TrainingSummary("obj_val"), every_n_iter=1)
    with mochac.compile(case.net, dtype=dtype, seed=seed, threads=1 + seed % 3) as program:
        start = weights(program)
        program.freeze(*case.frozen)
        try:
            got = train(program, case, steps)
        except NumericError:
            got = {}
        found = weights(program)
    with np.errstate(all="ignore"):
        exact = by_interpreter(case, dtype, start)
        if not agree(got, found, exact, TOLERANCE[dtype, steps]):
            moved = {name: array.astype(float) * (1 + ROUNDING[dtype]) for name, array in start.items()}
            chaos = spread(by_interpreter(case, dtype, moved), exact)
            require(got, found, exact, TOLERANCE[dtype, steps] + SLACK * chaos)


def by_interpreter(case, dtype, start):
    """Losses and parameters after the steps of the interpreter in float64."""
    result = interpreted(case, dtype, start)
    return result.losses, result.parameters


def agree(*compared):
    """Whether `require` finds nothing."""
    try:
        require(*compared)
    except AssertionError:
        return False
    return True


def require(got, found, exact, tolerance):
    """Losses by iteration, then parameters, against the interpreter's, as far as the latter are sound."""
    losses, wanted = exact
    sound = int(np.argmax(np.append(~(np.abs(losses) < DIVERGED), True)))
    if not got:
        assert sound < len(losses), "the interpreter's loss stays finite"
        return
    np.testing.assert_allclose([got[t + 1] for t in range(sound)], losses[:sound], rtol=tolerance, atol=tolerance)
    for name, want in wanted.items() if sound == len(losses) else ():
        scale = max(1.0, float(np.abs(want).max(initial=0)))
        np.testing.assert_allclose(found[name] / scale, want / scale, rtol=tolerance, atol=tolerance, err_msg=name)


def spread(one, other):
    """How far two trainings end up from each other."""
    losses = np.abs(one[0] - other[0])
    return float(
        max(losses[np.isfinite(losses)].max(initial=0), *(np.abs(one[1][n] - other[1][n]).max() for n in one[1]))
    )
