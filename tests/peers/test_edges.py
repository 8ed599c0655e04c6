"""Functions where they change: at their limits, at zero, between equal numbers, and far out. The value and the gradient
at every point are PyTorch's."""

import math

import pytest
from test_from_torch import require_as_in_torch

import mochac

torch = pytest.importorskip("torch")
nn, F = torch.nn, torch.nn.functional


class AtPoints(nn.Module):
    """A function of x plus a parameter that is 0, whose gradients are those at each point."""

    def __init__(self, function, points, count):
        super().__init__()
        self.function = function
        self.shifts = nn.ParameterList([nn.Parameter(torch.zeros(points, dtype=torch.float64)) for _ in range(count)])

    def forward(self, *xs):
        return self.function(*(x + shift for x, shift in zip(xs, self.shifts, strict=True)))


def require_at(function, *points, tolerance=1e-11):
    """Values and gradients are PyTorch's at these numbers, one list for each argument."""
    inputs = tuple(torch.tensor([row] * 3, dtype=torch.float64) for row in points)
    module = AtPoints(function, len(points[0]), len(points))
    require_as_in_torch(module, inputs, lambda m: torch.optim.SGD(m.parameters(), 0.1), tolerance, tolerance)


LIMITS = [-1000.0, -7.0, -6.0, -3.0, -1.0, -0.5, -1e-9, 0.0, 1e-9, 0.5, 1.0, 3.0, 6.0, 7.0, 1000.0]
TINY = [1e-18, -1e-13, 1e-9, -1e-6, 1e-3, -0.04, 0.06, 0.5, -0.9, 0.0]
EQUAL = [-2.0, -1.0, 0.0, 0.5, 1.0, 3.0], [-2.0, 1.0, 0.0, -0.5, 1.0, 2.0]
OF_ONE = {
    "relu6": F.relu6, "hardtanh": F.hardtanh, "elu": F.elu, "negative_elu": lambda x: F.elu(x, -0.5), "celu": F.celu,
    "clamp_reversed": lambda x: x.clamp(1, -1), "asinh": lambda x: torch.asinh(x / 10), "hardswish": F.hardswish,
    "isinf": lambda x: x * torch.isinf(x * 1e306),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_ONE)
def test_limits(name):
    require_at(OF_ONE[name], LIMITS)


def test_hardsigmoid_limits():
    """PyTorch's slope is rounded to float32; at the limits it is 0."""
    require_at(F.hardsigmoid, LIMITS, tolerance=1e-6)


@pytest.mark.parametrize("function", [torch.expm1, torch.log1p])
def test_tiny_numbers(function):
    """Divided by x, so that every digit counts."""
    require_at(lambda x: function(x) / torch.where(x == 0, 1.0, x.detach()), TINY)


def test_sinc():
    """PyTorch's gradient loses its digits nearer to 0."""
    require_at(torch.sinc, [0.0, 0.03, -0.049, 0.051, 0.5, 1.0, -7.3], tolerance=1e-10)


@pytest.mark.parametrize("function", [torch.maximum, torch.minimum, torch.max, torch.fmin, torch.clamp])
def test_equal_numbers(function):
    """Each has half of the gradient."""
    require_at(function, *EQUAL)
    require_at(lambda x: function(x, torch.tensor(1.0, dtype=x.dtype)), EQUAL[0])


@pytest.mark.parametrize("function", [F.glu, lambda x: nn.Sigmoid()(x) * x])
def test_gates_far_out(function):
    """Where exp(-x) is infinite the gradient is 0, not NaN."""
    require_at(function, [1.0, 2.0, 3.0, -1000.0, 1000.0, 0.0])


@pytest.mark.parametrize("cell", [nn.LSTMCell, nn.GRUCell])
def test_cells_far_out(cell):
    own = cell(4, 4).double().requires_grad_(False)

    def step(x):
        result = own(x)
        return result[0] if isinstance(result, tuple) else result

    require_at(step, [4000.0, -3000.0, 0.5, 0.0])


def test_relu_cell_at_zero():
    """Its neuron has no gradient at 0."""
    own = nn.RNNCell(3, 3, nonlinearity="relu").double()
    with torch.no_grad():
        for parameter in own.parameters():
            parameter.zero_()
    require_at(own.requires_grad_(False), [1.0, -1.0, 0.0])
    own = nn.RNNCell(3, 3, bias=False, nonlinearity="relu").double()
    with torch.no_grad():
        own.weight_ih.copy_(torch.eye(3))
    require_at(own.requires_grad_(False), [1.0, -1.0, 0.0])


def test_deviation_of_equal_numbers():
    require_at(lambda x: x.std(1), [2.0, 2.0, 2.0])


def test_norms_of_tiny_numbers():
    require_at(lambda x: (x * 1e-25).norm(dim=1) * 1e25, [3.0, -4.0])
    require_at(lambda x: (x * 1e-25).norm(p=3, dim=1) * 1e25, [3.0, -4.0])


MULTIPLES = [0.1 * k for k in range(-4, 11)] + [1.0, 0.37, -2.5, 1e6, -1e6]


@pytest.mark.parametrize("divisor", [0.1, -0.1, 3.0])
@pytest.mark.parametrize("function", [torch.remainder, torch.fmod])
def test_remainders(function, divisor):
    """1 / 0.1 is rounded to 10, but 0.1 is more than a tenth."""
    require_at(lambda x: function(x, divisor), MULTIPLES)


def test_remainders_by_a_parameter():
    require_at(torch.remainder, MULTIPLES, [0.1] * len(MULTIPLES))
    require_at(torch.fmod, MULTIPLES, [-0.3] * len(MULTIPLES))
    require_at(lambda x: torch.fmod(x, x.detach() * math.inf), [1.0, -2.0, 0.5])


@pytest.mark.parametrize("divisor", [0.1, -0.1])
def test_quotients_rounded_down(divisor):
    require_at(lambda x: torch.div(x, divisor, rounding_mode="floor") + x, MULTIPLES)
    require_at(lambda x: torch.floor_divide(x.detach(), divisor) + x, MULTIPLES)


PAIRS = [0.5, -2.0, 3.0, 0.0, 0.7], [-1.0, 0.5, 2.0, 1.0, -0.3]
OF_PAIRS = {
    "hypot": torch.hypot, "copysign": torch.copysign, "xlogy": lambda x, y: torch.xlogy(x, y.abs()), "fmax": torch.fmax,
    "cdist": lambda x, y: torch.cdist(x[:, :, None], y[:, :, None]),
    "cdist_3": lambda x, y: torch.cdist(x.unflatten(1, (1, 5)), y.unflatten(1, (1, 5)), p=3),
    "broadcast_tensors": lambda x, y: torch.mul(*torch.broadcast_tensors(x[:, None], y[:, :, None])),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_PAIRS)
def test_pairs(name):
    require_at(OF_PAIRS[name], *PAIRS)


def test_quantile():
    require_at(lambda x: x.quantile(torch.tensor([0.3, 0.5], dtype=x.dtype), dim=1).T, PAIRS[0])


@pytest.mark.parametrize("right", [False, True])
def test_buckets(right):
    borders = torch.tensor([-2.0, 0.0, 0.5, 1.0], dtype=torch.float64)
    require_at(lambda x: x * torch.bucketize(x, borders, right=right), PAIRS[0])
    require_at(lambda x: x * torch.searchsorted(borders, x.contiguous(), right=right), PAIRS[0])


@pytest.mark.parametrize("function", [lambda x: x.logsumexp(1), lambda x: torch.logaddexp(x[:, 0], x[:, 1])])
def test_logarithms_of_nothing(function):
    """The sum of no numbers is 0, whose logarithm is minus infinity; PyTorch has no gradient there."""

    class Of(nn.Module):
        def forward(self, x):
            return function(x.log()).exp()

    net, params = mochac.from_torch(Of(), torch.zeros(2, 2, dtype=torch.float64))
    with mochac.compile(net, params=params, dtype="float64") as program:
        x = torch.tensor([[0.0, 0.0], [2.0, 0.0], [1.0, math.inf]], dtype=torch.float64)
        assert program.predict(x.numpy()).reshape(-1).tolist() == pytest.approx(Of()(x).tolist(), rel=1e-12)
