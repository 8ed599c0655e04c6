"""solver_from_torch: five steps (twenty with a scheduler) of a small net in float64 are those of PyTorch's optimizer,
for every optimizer, its options, groups and schedulers; what has no counterpart is refused, word for word."""

import copy

import numpy as np
import pytest

import mochac
from mochac import InnerProductLayer, MemoryDataLayer, Net, Neurons, NoRegu, OptionError, SoftmaxLossLayer

torch = pytest.importorskip("torch")
OPT, S = torch.optim, torch.optim.lr_scheduler

RNG = np.random.default_rng(7)
X, Y = RNG.standard_normal((24, 6)), RNG.integers(0, 3, 24)
BATCH, STEPS = 8, 5


def module():
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Linear(6, 9), torch.nn.Tanh(), torch.nn.Linear(9, 3)).double()


def net():
    """The module's layers under its names; no regularizers, every factor of the learning rate 1."""
    how = {"weight_regu": NoRegu(), "bias_regu": NoRegu(), "bias_lr": 1.0}
    return Net("twin", [
        MemoryDataLayer(name="in", data=[X, Y], batch_size=BATCH),
        InnerProductLayer(name="0", output_dim=9, neuron=Neurons.Tanh(), bottoms=["data"], **how),
        InnerProductLayer(name="2", output_dim=3, bottoms=["0"], **how),
        SoftmaxLossLayer(name="loss", bottoms=["2", "label"]),
    ])  # fmt: skip


def theirs(twin, optimizer, scheduler=None, steps=STEPS, clip=None, every=1):
    """Train a module; its parameters afterwards."""
    for k in range(steps):
        rows = np.arange(k * BATCH, (k + 1) * BATCH) % len(X)
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(twin(torch.tensor(X[rows])), torch.tensor(Y[rows])).backward()
        if clip is not None:  # clip_grad_norm_ divides by the norm plus 1e-6
            norm = sum((p.grad**2).sum() for p in twin.parameters() if p.requires_grad) ** 0.5
            torch.nn.utils.clip_grads_with_norm_(twin.parameters(), clip, norm - 1e-6)
        optimizer.step()
        if scheduler is not None and (k + 1) % every == 0:
            scheduler.step()
    return {name: tensor.detach().numpy() for name, tensor in twin.state_dict().items()}


def require_equal(make, scheduler_of=None, steps=STEPS, clip=None, every=1, rtol=1e-12, **how):
    """The same parameters after some steps. `make`: the optimizer of a module."""
    twin = module()
    with mochac.compile(net(), dtype="float64") as program:
        program.load(twin)
        optimizer = make(twin)
        scheduler = None if scheduler_of is None else scheduler_of(optimizer)
        given = {} if every == 1 else {"scheduler_every": every}
        solver = mochac.solver_from_torch(optimizer, scheduler, twin, max_iter=steps, clip_norm=clip, **given, **how)
        start = {name: tensor.numpy().copy() for name, tensor in twin.state_dict().items()}
        program.train(solver, verbose=0)
        found = program.state_dict()
        want = theirs(twin, optimizer, scheduler, steps, clip, every)
    for name, array in want.items():
        size = np.abs(array).max()
        np.testing.assert_allclose(found[name] / size, array / size, rtol=rtol, atol=rtol, err_msg=name)
    return start, want, solver


@pytest.fixture(autouse=True)
def scalars_in_float64():
    """PyTorch has scalars of its optimizers, such as the product of NAdam's decays, in the default dtype."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)


OPTIMIZERS = {
    "SGD": (OPT.SGD, [
        {"lr": 0.1}, {"lr": 0.1, "momentum": 0.9}, {"lr": 0.1, "momentum": 0.9, "dampening": 0.3},
        {"lr": 0.1, "momentum": 0.9, "nesterov": True}, {"lr": 0.1, "weight_decay": 0.2},
        {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2, "maximize": True}, {"lr": 0.1, "dampening": 0.3},
        {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.2, "nesterov": True, "maximize": True},
    ]),
    "Adam": (OPT.Adam, [
        {}, {"lr": 0.05, "betas": (0.8, 0.9), "eps": 1e-3}, {"lr": 0.05, "weight_decay": 0.2}, {"amsgrad": True},
        {"lr": 0.05, "betas": (0.5, 0.6), "amsgrad": True, "weight_decay": 0.1, "maximize": True},
        {"lr": 0.05, "weight_decay": 0.2, "decoupled_weight_decay": True},
    ]),
    "AdamW": (OPT.AdamW, [
        {}, {"lr": 0.05, "weight_decay": 0.3}, {"lr": 0.05, "betas": (0.5, 0.6), "eps": 1e-2, "amsgrad": True},
        {"lr": 0.05, "maximize": True},
    ]),
    "RMSprop": (OPT.RMSprop, [
        {}, {"lr": 0.05, "alpha": 0.9, "eps": 1e-2}, {"centered": True}, {"momentum": 0.9}, {"weight_decay": 0.2},
        {"lr": 0.05, "alpha": 0.8, "eps": 1e-1, "centered": True, "momentum": 0.5, "weight_decay": 0.2,
         "maximize": True},
    ]),
    "Adagrad": (OPT.Adagrad, [{}, {"lr": 0.1, "eps": 1e-2, "lr_decay": 0.3}, {"weight_decay": 0.2, "maximize": True}]),
    "Adadelta": (OPT.Adadelta, [{}, {"lr": 0.5, "rho": 0.8, "eps": 1e-2}, {"weight_decay": 0.2, "maximize": True}]),
    "RAdam": (OPT.RAdam, [
        {}, {"lr": 0.05, "betas": (0.5, 0.7), "eps": 1e-2}, {"lr": 0.05, "weight_decay": 0.2, "maximize": True},
    ]),
    "NAdam": (OPT.NAdam, [
        {}, {"lr": 0.05, "betas": (0.5, 0.7), "eps": 1e-2, "momentum_decay": 0.3}, {"momentum_decay": 0.0},
        {"lr": 0.05, "weight_decay": 0.2, "maximize": True},
    ]),
    "Adamax": (OPT.Adamax, [
        {}, {"lr": 0.05, "betas": (0.5, 0.7), "eps": 1e-2}, {"lr": 0.05, "weight_decay": 0.2, "maximize": True},
    ]),
}  # fmt: skip
CASES = [(kind, k) for kind, (_, options) in OPTIMIZERS.items() for k in range(len(options))]


@pytest.mark.parametrize(("kind", "k"), CASES)
def test_options(kind, k):
    make, options = OPTIMIZERS[kind]
    start, want, _ = require_equal(lambda twin: make(twin.parameters(), **options[k]))
    assert all(np.abs(want[name] - start[name]).max() > 1e-6 for name in want)


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_gradients_are_limited_before_the_decay(kind):
    make, _ = OPTIMIZERS[kind]
    require_equal(lambda twin: make(twin.parameters(), lr=0.05, weight_decay=0.1), clip=0.05)


def test_the_module_is_not_needed_for_one_group_of_all():
    twin = module()
    one, two = (
        mochac.solver_from_torch(OPT.AdamW(twin.parameters()), module=given, max_iter=3) for given in (None, twin)
    )
    assert repr(one.method) == repr(two.method)
    assert (one.regu_coef, one.decay_all, one.max_iter) == (0.0, True, 3)
    assert mochac.solver_from_torch(OPT.SGD(twin.parameters(), 0.1), regu_coef=0.1, accumulate=4).accumulate == 4


# --- groups --------------------------------------------------------------------------------------------------


def split(twin):
    """Biases without decay, and the head faster."""
    biases = [p for p in twin.parameters() if p.ndim == 1]
    return [
        {"params": [twin[0].weight], "weight_decay": 0.3},
        {"params": [twin[2].weight], "lr": 0.1},
        {"params": biases, "weight_decay": 0.0, "eps": 1e-2},
    ]


@pytest.mark.parametrize("kind", ["Adam", "AdamW", "RMSprop", "RAdam", "NAdam", "Adamax"])
def test_groups(kind):
    _, _, solver = require_equal(lambda twin: OPTIMIZERS[kind][0](split(twin), lr=0.05, weight_decay=0.1), steps=8)
    assert [*solver.hypers][:2] == ["group0.lr", "group1.lr"]


def test_groups_of_sgd_with_a_scheduler():
    make = lambda twin: OPT.SGD([{**g, "eps": 0} for g in split(twin)], lr=0.05, momentum=0.9)  # noqa: E731
    require_equal(make, lambda o: S.StepLR(o, 3, 0.5), steps=20)
    require_equal(make, lambda o: S.LambdaLR(o, [lambda e: 0.9**e, lambda e: 1.0, lambda e: 1 / (e + 1)]), steps=20)
    one = lambda o: S.OneCycleLR(o, [0.1, 0.2, 0.3], 20, base_momentum=[0.5, 0.6, 0.7])  # noqa: E731
    require_equal(make, one, steps=20)


def test_parameters_that_the_optimizer_does_not_have_stay():
    start, want, solver = require_equal(lambda twin: OPT.AdamW(twin[2].parameters(), lr=0.05), steps=8)
    assert np.array_equal(start["0.weight"], want["0.weight"]) and not np.array_equal(start["2.bias"], want["2.bias"])
    assert [g.name for g in solver.method.groups] == ["group0", "rest"]
    twin = module()
    solver = mochac.solver_from_torch(OPT.AdamW(twin[2].parameters()), max_iter=1)
    with mochac.compile(net(), dtype="float64") as program, pytest.raises(OptionError) as caught:
        program.train(solver)
    assert str(caught.value) == (
        "the optimizer was made for other parameters than the net's\n"
        "  expected  30 elements, the optimizer's,  got  93 elements that the net trains\n"
        "  hint: solver_from_torch(optimizer, module=module) finds the optimizer's parameters by their names"
    )


def test_frozen_parameters_of_a_module():
    """requires_grad=False is a factor of 0 in the net; such tensors may be in the optimizer or not."""
    twin = module()
    for p in twin[0].parameters():
        p.requires_grad_(False)
    layers = [layer.replace(weight_lr=0.0, bias_lr=0.0) if layer.name == "0" else layer for layer in net().layers]
    for given in (twin.parameters(), twin[2].parameters()):
        with mochac.compile(Net("frozen", layers), dtype="float64") as program:
            program.load(twin)
            program.train(mochac.solver_from_torch(OPT.AdamW(given, lr=0.1), max_iter=4), verbose=0)
            found = program.state_dict()
        assert np.array_equal(found["0.weight"], twin[0].weight.numpy())
        assert not np.array_equal(found["2.weight"], twin[2].weight.detach().numpy())


def test_limits_do_not_count_frozen_parameters():
    """Their gradients do not exist in PyTorch, nor in the compiled step."""
    twin = module()
    twin[0].weight.requires_grad_(False)
    layers = [layer.replace(weight_lr=0.0) if layer.name == "0" else layer for layer in net().layers]
    with mochac.compile(Net("frozen", layers), dtype="float64") as program:
        program.load(twin)
        optimizer = OPT.SGD(twin.parameters(), 0.1, momentum=0.9)
        program.train(mochac.solver_from_torch(optimizer, max_iter=STEPS, clip_norm=0.05), verbose=0)
        assert "0.weight.history" not in program.session.slots()
        found = program.state_dict()
    for name, array in theirs(twin, optimizer, clip=0.05).items():
        np.testing.assert_allclose(found[name], array, rtol=1e-11, atol=1e-12, err_msg=name)


# --- schedulers ----------------------------------------------------------------------------------------------

SCHEDULERS = {
    "StepLR": lambda o: S.StepLR(o, 3, 0.5),
    "MultiStepLR": lambda o: S.MultiStepLR(o, [2, 5, 5, 11], 0.5),
    "ConstantLR": lambda o: S.ConstantLR(o, 0.25, 4),
    "LinearLR": lambda o: S.LinearLR(o, 0.1, 0.9, 7),
    "ExponentialLR": lambda o: S.ExponentialLR(o, 0.9),
    "PolynomialLR": lambda o: S.PolynomialLR(o, 12, 1.7),
    "CosineAnnealingLR": lambda o: S.CosineAnnealingLR(o, 6, 0.01),
    "OneCycleLR": lambda o: S.OneCycleLR(o, 0.2, 20, cycle_momentum=False),
    "OneCycleLR, other shape": lambda o: S.OneCycleLR(
        o, 0.2, 25, pct_start=0.15, div_factor=10.0, final_div_factor=50.0, cycle_momentum=False
    ),
    "LambdaLR": lambda o: S.LambdaLR(o, lambda e: 1 / (1 + e)),
    "SequentialLR": lambda o: S.SequentialLR(o, [S.LinearLR(o, 0.2, 1.0, 4), S.CosineAnnealingLR(o, 9)], [4]),
    "SequentialLR of three": lambda o: S.SequentialLR(
        o, [S.ConstantLR(o, 0.1, 3), S.StepLR(o, 2, 0.5), S.ExponentialLR(o, 0.8)], [5, 12]
    ),
}


class Halved(S.LRScheduler):
    """A scheduler of a user."""

    def get_lr(self):
        return [rate * 0.5**self.last_epoch for rate in self.base_lrs]


FOLLOWED = {
    "Halved": Halved,
    "CosineAnnealingWarmRestarts": lambda o: S.CosineAnnealingWarmRestarts(o, 3, 2),
    "CosineAnnealingLR, half an update": lambda o: S.CosineAnnealingLR(o, 2.5),
    "CyclicLR": lambda o: S.CyclicLR(o, 0.01, 0.1, 3, mode="exp_range", gamma=0.9, cycle_momentum=False),
    "MultiplicativeLR": lambda o: S.MultiplicativeLR(o, lambda e: 0.9),
    "MultiStepLR from the start": lambda o: S.MultiStepLR(o, [0, 3]),
    "ChainedScheduler": lambda o: S.ChainedScheduler([S.ConstantLR(o, 0.1, 3), S.ExponentialLR(o, 0.9)]),
    "OneCycleLR of three phases": lambda o: S.OneCycleLR(o, 0.2, 20, three_phase=True, cycle_momentum=False),
    "OneCycleLR, linear": lambda o: S.OneCycleLR(o, 0.2, 20, anneal_strategy="linear", cycle_momentum=False),
    "SequentialLR with restarts": lambda o: S.SequentialLR(
        o, [S.LinearLR(o, 0.2, 1.0, 4), S.CosineAnnealingWarmRestarts(o, 5)], [4]
    ),
    "SWALR": lambda o: torch.optim.swa_utils.SWALR(o, 0.05, anneal_epochs=4),
}
"""Schedulers without a policy of ours: a copy says the numbers."""


@pytest.mark.parametrize("kind", ["SGD", "nesterov", "AdamW", "Adagrad", "Adadelta", "RMSprop"])
@pytest.mark.parametrize("name", SCHEDULERS)
def test_schedulers(name, kind):
    """Twenty steps; histories make a difference where the rate changes."""
    if kind in ("SGD", "nesterov"):
        make = lambda twin: OPT.SGD(twin.parameters(), 0.1, 0.9, nesterov=kind == "nesterov")  # noqa: E731
    else:
        make = lambda twin: OPTIMIZERS[kind][0](twin.parameters(), lr=0.1)  # noqa: E731
    require_equal(make, SCHEDULERS[name], steps=20)


@pytest.mark.parametrize("name", FOLLOWED)
def test_schedulers_that_are_followed(name):
    require_equal(lambda twin: OPT.SGD(twin.parameters(), 0.1, 0.9), FOLLOWED[name], steps=20)
    require_equal(lambda twin: OPT.AdamW(twin.parameters(), 0.1), FOLLOWED[name], steps=12, every=3)


def test_a_scheduler_that_is_followed_stays_as_it_is():
    """And so do the parameters of its optimizer."""
    twin = module()
    optimizer = OPT.SGD(twin.parameters(), 0.1)
    for parameter in twin.parameters():
        parameter.grad = torch.ones_like(parameter)
    scheduler, before = S.CosineAnnealingWarmRestarts(optimizer, 3), copy.deepcopy(twin.state_dict())
    solver = mochac.solver_from_torch(optimizer, scheduler)
    assert [round(solver.method.groups[0].method.lr_policy.value(t), 6) for t in (0, 2, 3)] == [0.1, 0.025, 0.1]
    assert scheduler.last_epoch == 0
    assert all(torch.equal(before[name], tensor) for name, tensor in twin.state_dict().items())


@pytest.mark.parametrize("name", SCHEDULERS)
def test_schedulers_that_count_epochs(name):
    require_equal(lambda twin: OPT.SGD(twin.parameters(), 0.1, 0.9), SCHEDULERS[name], steps=20, every=3)


@pytest.mark.parametrize("make", [
    lambda twin: OPT.SGD(twin.parameters(), 0.1, momentum=0.5),
    lambda twin: OPT.SGD(twin.parameters(), 0.1, momentum=0.5, nesterov=True),
    lambda twin: OPT.RMSprop(twin.parameters(), 0.1, momentum=0.5),
    lambda twin: OPT.Adam(twin.parameters(), 0.1),
    lambda twin: OPT.AdamW(split(twin), lr=0.1, amsgrad=True),
])  # fmt: skip
@pytest.mark.parametrize("strategy", ["cos", "linear"])
def test_momentum_of_one_cycle(make, strategy):
    how = {"max_momentum": 0.9, "base_momentum": 0.6, "anneal_strategy": strategy}
    require_equal(make, lambda o: S.OneCycleLR(o, 0.1, 20, **how), steps=20)


def test_a_resumed_training_goes_on(tmp_path):
    twin = module()

    def solver(steps, **how):
        optimizer = OPT.AdamW(split(twin), lr=0.05)
        return mochac.solver_from_torch(optimizer, S.CosineAnnealingLR(optimizer, 9), twin, max_iter=steps, **how)

    with mochac.compile(net(), dtype="float64") as program:
        program.load(twin)
        program.train(solver(8), verbose=0)
        whole = program.state_dict()
        program.load(twin)
    with mochac.compile(net(), dtype="float64") as program:
        program.load(twin)
        half = solver(4)
        half.add_coffee_break(mochac.Snapshot(tmp_path), every_n_iter=4)
        program.train(half, verbose=0)
        program.train(solver(8, load_from=tmp_path), verbose=0)
        assert all(np.array_equal(whole[name], array) for name, array in program.state_dict().items())


# --- combinations --------------------------------------------------------------------------------------------


def drawn(rng, twin):
    """A random optimizer with random options and groups, a scheduler or none, and how many updates it waits."""
    kind = rng.choice(list(OPTIMIZERS))
    make, _ = OPTIMIZERS[kind]
    names = {"weight_decay": (0.0, 0.1), "maximize": (False, False, True), "lr": (0.05, 0.01)}
    if kind == "SGD":
        nesterov = bool(rng.integers(2))
        names |= {"momentum": (0.9, 0.5), "nesterov": (nesterov,), "dampening": (0.0,) if nesterov else (0.0, 0.3)}
    elif kind == "RMSprop":
        names |= {"alpha": (0.9, 0.99), "eps": (1e-2, 1e-8), "centered": (False, True), "momentum": (0.0, 0.9)}
    elif kind == "Adagrad":
        names |= {"eps": (1e-2, 1e-8)}
    elif kind == "Adadelta":
        names |= {"rho": (0.8, 0.9), "eps": (1e-2, 1e-6)}
    else:
        names |= {"betas": ((0.9, 0.999), (0.5, 0.7)), "eps": (1e-2, 1e-8)}
        names |= {"amsgrad": (False, True)} if kind in ("Adam", "AdamW") else {}

    def options():
        return {name: values[rng.integers(len(values))] for name, values in names.items()}

    parameters = [p for p in twin.parameters() if rng.random() < 0.9] or [twin[0].weight]
    n = min(int(rng.integers(1, 4)), len(parameters))
    groups = [{"params": parameters[k::n], **options()} for k in range(n)]
    optimizer = make(groups, lr=0.05)
    scheduler = SCHEDULERS[rng.choice(list(SCHEDULERS))](optimizer) if rng.random() < 0.7 else None
    return optimizer, scheduler


def combination(seed):
    """Twelve steps of a random combination; what it was."""
    rng, made = np.random.default_rng(seed), []

    def make(twin):
        made.extend(drawn(rng, twin))
        return made[0]

    every = int(np.random.default_rng(seed + 10**6).integers(1, 4))
    require_equal(make, lambda _: made[1], steps=12, every=every, rtol=1e-11)
    return made[0]


@pytest.mark.parametrize("seed", [pytest.param(k, marks=[pytest.mark.soak] if k > 9 else []) for k in range(40)])
def test_combinations(seed):
    """Of options, groups, schedulers and parameters that the optimizer does not have."""
    combination(seed)


# --- what is refused -----------------------------------------------------------------------------------------


def complaint(*given, **how):
    with pytest.raises(OptionError) as caught:
        mochac.solver_from_torch(*given, **how)
    return str(caught.value)


def parameters():
    return [torch.zeros(2, requires_grad=True)]


def sgd(**how):
    return OPT.SGD(parameters(), **{"lr": 0.1, **how})


def one(optimizer, problem):
    return f"solver_from_torch(): 1 thing of the {optimizer} cannot be taken exactly\n  {problem}"


def test_other_things():
    assert complaint("adam") == (
        "solver_from_torch(): not an optimizer\n  expected  torch.optim.SGD(...),  got  'adam'"
    )
    assert complaint(mochac.SGD(0.1)).startswith("solver_from_torch(): not an optimizer\n")
    assert complaint(sgd(), scheduler_every=0) == (
        "solver_from_torch(): scheduler_every is out of range\n  expected  an integer >= 1,  got  0"
    )
    known = "SGD Adam AdamW RMSprop Adagrad Adadelta RAdam NAdam Adamax"
    for kind in (OPT.ASGD, OPT.Rprop, OPT.LBFGS):
        assert complaint(kind(parameters())).startswith(
            f"solver_from_torch(): no counterpart for {kind.__name__}\n  expected  {known}"
        )

    class SGD(OPT.SGD):
        pass

    assert complaint(SGD(parameters(), 0.1)).startswith("solver_from_torch(): no counterpart for SGD\n")


def test_an_optimizer_in_place_of_a_method():
    with mochac.compile(net()) as program, pytest.raises(OptionError) as caught:
        program.train(sgd(), max_iter=1)
    assert str(caught.value).startswith(
        "Solver: not a solver method\n  expected  SGD(...) or another method,  got  SGD"
    )
    assert str(caught.value).splitlines()[-1] == (
        "  hint: an optimizer of PyTorch: mochac.solver_from_torch(optimizer, scheduler, module, max_iter=...)"
    )


def test_everything_at_once():
    twin = module()
    optimizer = OPT.Adagrad(
        [{"params": [p], "initial_accumulator_value": k} for k, p in enumerate(twin.parameters())], eps=0.0
    )
    assert complaint(optimizer).splitlines() == [
        "solver_from_torch(): 5 things of the Adagrad cannot be taken exactly",
        "  group 0: Adagrad: epsilon is out of range expected  a finite number > 0,  got  0.0",
        "  group 1: initial_accumulator_value=1 of Adagrad hint: sums of squares start at 0",
        "  group 2: initial_accumulator_value=2 of Adagrad hint: sums of squares start at 0",
        "  group 3: initial_accumulator_value=3 of Adagrad hint: sums of squares start at 0",
        "  4 parameter groups are told apart by names: module=... "
        "hint: solver_from_torch(optimizer, scheduler, module)",
    ]


@pytest.mark.parametrize(
    ("kind", "options"), [(name, options) for name, (_, every) in OPTIMIZERS.items() for options in every], ids=str
)
def test_the_state_of_an_optimizer_is_taken_over(kind, options):
    twin = module()
    optimizer = OPTIMIZERS[kind][0](twin.parameters(), **options)
    theirs(twin, optimizer, steps=6)
    goes_on(twin, optimizer)


@pytest.mark.parametrize("every", [1, 3])
@pytest.mark.parametrize("kind", ["SGD", "AdamW"])
def test_a_scheduler_goes_on(kind, every):
    twin = module()
    optimizer = {"SGD": lambda p: OPT.SGD(p, 0.1, momentum=0.9), "AdamW": OPT.AdamW}[kind](twin.parameters())
    scheduler = S.CosineAnnealingLR(optimizer, 20)
    theirs(twin, optimizer, scheduler, steps=6, every=every)
    goes_on(twin, optimizer, scheduler, every)


def goes_on(twin, optimizer, scheduler=None, every=1):
    """Five more steps are PyTorch's; a second training that is interrupted, too."""
    with mochac.compile(net(), dtype="float64") as program:
        program.load(twin)
        given = {} if every == 1 else {"scheduler_every": every}
        solver = mochac.solver_from_torch(optimizer, scheduler, twin, max_iter=STEPS, **given)
        program.train(solver, verbose=0)
        found, counted = program.state_dict(), solver.state.iter
        want = theirs(twin, optimizer, scheduler, every=every)
    for name, array in want.items():
        np.testing.assert_allclose(found[name], array, rtol=1e-10, atol=1e-12, err_msg=name)
    first = 0 if solver.begun is None else solver.begun.iteration  # SGD without momentum has no state
    assert counted == STEPS + first and first in (0, 1, 6)


def test_a_training_that_has_begun_so_resumes(tmp_path):
    twin, folder = module(), str(tmp_path / "snapshots")
    optimizer = OPT.Adam(twin.parameters(), 0.05)
    theirs(twin, optimizer, steps=6)

    def trained(max_iter, load_from=""):
        solver = mochac.solver_from_torch(optimizer, None, twin, max_iter=max_iter, load_from=load_from)
        solver.add_coffee_break(mochac.Snapshot(folder), every_n_iter=1)
        with mochac.compile(net(), dtype="float64") as program:
            program.load(twin)
            program.train(solver, verbose=0)
            return program.state_dict()

    whole = trained(5)
    for path in tmp_path.glob("snapshots/*"):
        path.unlink()
    trained(2)
    for name, array in trained(5, load_from=folder).items():
        assert np.array_equal(array, whole[name])


def test_state_of_another_net_is_refused():
    twin = torch.nn.Sequential(torch.nn.Linear(6, 9), torch.nn.Tanh(), torch.nn.Linear(9, 4)).double()
    optimizer = OPT.Adam(twin.parameters())
    sum(p.sum() for p in twin.parameters()).backward()
    optimizer.step()
    solver = mochac.solver_from_torch(optimizer, None, twin, max_iter=1)
    with mochac.compile(net(), dtype="float64") as program, pytest.raises(mochac.SnapshotError) as caught:
        program.train(solver)
    assert str(caught.value).splitlines() == [
        "net 'twin' cannot take the state of this optimizer; nothing is changed",
        "  wrong shape  mean of 2.weight (4, 9), but 2.weight is (3, 9)",
        "  wrong shape  mean of 2.bias (4,), but 2.bias is (3,)",
        "  wrong shape  square_mean of 2.weight (4, 9), but 2.weight is (3, 9)",
        "  wrong shape  square_mean of 2.bias (4,), but 2.bias is (3,)",
        "  hint: the optimizer must be one of the module whose parameters the net has",
    ]
    with pytest.raises(mochac.UnsupportedError, match="an optimizer that has made steps, which belongs to one net"):
        mochac.train_many([net()], solver)


def test_state_and_schedulers_that_do_not_belong():
    twin = module()
    for optimizer in (OPT.SGD(twin.parameters(), 0.1, momentum=0.9), OPT.Adam(twin.parameters())):
        theirs(twin, optimizer, steps=1)
        kind = type(optimizer).__name__
        text = (
            "it has made steps: the state of its parameters is found by their names hint: solver_from_torch(optimizer, "
        )
        assert complaint(optimizer) == one(kind, f"{text}scheduler, module), or a new optimizer")
    uneven = OPT.Adam(twin.parameters())
    theirs(twin, uneven, steps=2)
    uneven.state[twin[0].bias]["step"] -= 1
    text = "some of its parameters have made 1 steps, and others 2"
    assert complaint(uneven, module=twin) == one("Adam", text)
    optimizer = sgd()
    scheduler = S.StepLR(optimizer, 3)
    assert complaint(optimizer) == one("SGD", "it has a scheduler, which is not given: scheduler=...")
    assert complaint(sgd(), scheduler) == one("SGD", "scheduler StepLR is not one of this optimizer")
    optimizer = OPT.Adam(twin.parameters())
    scheduler = S.StepLR(optimizer, 3)
    theirs(twin, optimizer, scheduler, steps=3)
    theirs(twin, optimizer, steps=1)
    text = (
        "scheduler StepLR has made 3 steps, and the optimizer 4 hint: scheduler_every=... says how many updates there "
    )
    assert complaint(optimizer, scheduler, module=twin) == one("Adam", f"{text}are between its steps")
    optimizer = sgd()
    first, _ = S.LinearLR(optimizer, 0.5), S.LinearLR(optimizer, 0.5)
    assert complaint(optimizer, first) == one(
        "SGD", "LinearLR begins with another learning rate than the optimizer's expected  0.05,  got  0.025 "
        "hint: another scheduler, or an assignment, has changed it"
    )  # fmt: skip


def test_schedulers_that_are_refused():
    optimizer = sgd(momentum=0.9)
    text = (
        "scheduler ReduceLROnPlateau follows what it is told, not the number of updates hint: call "
        'scheduler.step(loss), and set solver.hypers["lr"] = optimizer.param_groups[0]["lr"] between steps'
    )
    assert complaint(optimizer, S.ReduceLROnPlateau(optimizer)) == one("SGD", text)
    optimizer = sgd(momentum=0.9)
    scheduler = S.CosineAnnealingWarmRestarts(optimizer, 3)
    optimizer.step()
    scheduler.step()
    text = "CosineAnnealingWarmRestarts has been called hint: make it and the optimizer anew"
    assert complaint(optimizer, scheduler) == one("SGD", text)


def test_momentum_that_has_no_place():
    text = (
        "a momentum that changes has a counterpart in SGD, RMSprop, Adam and AdamW only, at every update "
        "hint: cycle_momentum=False of the scheduler"
    )
    optimizer = OPT.RAdam(parameters())
    assert complaint(optimizer, S.OneCycleLR(optimizer, 0.1, 9)) == one("RAdam", text)
    optimizer = sgd(momentum=0.9)
    assert complaint(optimizer, S.OneCycleLR(optimizer, 0.1, 9), scheduler_every=2) == one("SGD", text)
    optimizer = OPT.RAdam(parameters(), weight_decay=0.1, decoupled_weight_decay=True)
    assert complaint(optimizer) == one("RAdam", "decoupled_weight_decay of RAdam hint: AdamW has it")
    optimizer = OPT.NAdam(parameters(), weight_decay=0.1, decoupled_weight_decay=True)
    assert complaint(optimizer) == one("NAdam", "decoupled_weight_decay of NAdam hint: AdamW has it")


def test_modules_that_do_not_fit():
    twin = module()
    optimizer = OPT.SGD(twin.parameters(), 0.1)
    text = "4 of its parameters are not the module's hint: make the optimizer for this module"
    assert complaint(optimizer, module=copy.deepcopy(twin)) == one("SGD", text)
    text = "module is not a module expected  torch.nn.Module,  got  3"
    assert complaint(optimizer, module=3) == one("SGD", text)
    assert complaint(optimizer, maxiter=3) == "solver SGD has no parameter 'maxiter'\n  hint: did you mean 'max_iter'?"
