"""erf and the neuron gelu: x times the share of the normal distribution below x.

The tail of that distribution is Phi(-t) = e^(-t^2/2) u P(1 - 8 u) for t >= 0, with u = 1 / (t + 4) and a polynomial P.
It has a small relative error everywhere, where (1 + erf(x / sqrt 2)) / 2 loses all digits at x = -5.5 in float32.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from mochac.ir.build import GraphBuilder
from mochac.ir.functions.compare import at_least, within
from mochac.ir.functions.polynomials import FORMATS, horner, reduced_exp
from mochac.ir.graph import Value
from mochac.ir.scalar import Emitter, Function, Reg, floating, floats, function

Args = tuple[Value, ...]
DENSITY = 1 / math.sqrt(2 * math.pi)
"""The density of the normal distribution at 0."""
FAR = 100.0
"""At +-FAR and beyond, Phi is 0 and 1 in both formats."""

# P interpolates (t + 4) e^(t^2/2) Phi(-t) at Chebyshev nodes; relative error 1.1e-8 (f32, t <= 13.3) and 3.6e-18 (f64,
# t <= 38.5). Such variables: Shepherd and Laframboise 1981, "Chebyshev approximation of (1 + 2x) exp(x^2) erfc x".
TAIL = {
    "f32": (
        0.7552851378731665,
        -0.6078966355262084,
        0.3871367050553523,
        -0.18652220515779946,
        0.060406850575779436,
        -0.0075325209821336375,
        -0.003529760178336951,
        0.0015777092622287002,
        0.00021157929197385193,
        -0.0001158436368378645,
    ),
    "f64": (
        0.7552851304157515,
        -0.6078966419718921,
        0.38713740074221453,
        -0.18652185795965714,
        0.060396574890935965,
        -0.007540188966730027,
        -0.0034796923673830354,
        0.001630818457641802,
        0.00013334431232256354,
        -0.00023109493564282694,
        -1.9082581399012438e-06,
        3.5144688554059216e-05,
        7.166659925314417e-07,
        -5.920181453780067e-06,
        -6.296988028114539e-07,
        1.021570257692555e-06,
        2.7181421023069887e-07,
        -1.5498367338358494e-07,
        -8.542550049455469e-08,
        1.3291084187887981e-08,
        1.9634341104597937e-08,
        1.9181046029116415e-09,
        -2.5271912972441856e-09,
        -7.278421623734843e-10,
    ),
}
NEAR = 0.75
# erf(x) / x in x^2 for |x| <= NEAR, likewise; relative error 1.5e-9 and 9e-21.
NEAR_TERMS = {
    "f32": (
        1.1283791655787516,
        -0.37612619469437675,
        0.11283386538414544,
        -0.026835114568609705,
        0.005115332112532226,
        -0.0006756479568680047,
    ),
    "f64": (
        1.1283791670955126,
        -0.37612638903183754,
        0.11283791670955087,
        -0.026866170645118446,
        0.005223977625222192,
        -0.0008548327001135946,
        0.00012055331545294116,
        -1.4925589383821143e-05,
        1.646038320985815e-06,
        -1.63332293434337e-07,
        1.4413879289095029e-08,
        -9.502840894774706e-10,
    ),
}


def scaled_tail(e: Emitter, t: Reg) -> Reg:
    """e^(t^2/2) Phi(-t) for t >= 0."""
    one, shift, slope = (e.const(v, t.dtype, t.lanes) for v in (1.0, 4.0, -8.0))
    u = e.binary("fdiv", one, e.binary("fadd", t, shift))
    return e.binary("fmul", u, horner(e, e.intrinsic("fma", slope, u, one), TAIL[t.dtype]))


def exp_minus_product(e: Emitter, a: Reg, b: Reg) -> Reg:
    """e^(-ab) for ab >= 0, 0 where that is subnormal; the rounding error of ab, if a fused fma finds it, is applied."""
    f = FORMATS[a.dtype]
    product = e.binary("fmul", a, b)
    lost = e.intrinsic("fma", a, b, e.unary("fneg", product))
    q, field = reduced_exp(e, e.unary("fneg", product))
    power = e.binary("fadd", q, e.const(1.0, a.dtype, a.lanes))
    y = e.cast("bitcast", e.binary("add", e.cast("bitcast", power, f.integer), field), a.dtype)
    far = e.compare("fcmp", "ogt", product, e.const(-f.exp_min, a.dtype, a.lanes))
    return e.select(far, e.const(0.0, a.dtype, a.lanes), e.intrinsic("fma", e.unary("fneg", y), lost, y))


def normal(e: Emitter, x: Reg) -> tuple[Reg, Reg]:
    """Phi(x) and e^(-x^2/2)."""
    t = e.intrinsic("fabs", x)
    bell = exp_minus_product(e, t, e.binary("fmul", t, e.const(0.5, x.dtype, x.lanes)))
    tail = e.binary("fmul", bell, scaled_tail(e, t))
    below = e.compare("fcmp", "olt", x, e.const(0.0, x.dtype, x.lanes))
    return e.select(below, tail, e.binary("fsub", e.const(1.0, x.dtype, x.lanes), tail)), bell


def emit_erf(e: Emitter, x: Reg) -> Reg:
    """1 - 2 Phi(-|x| sqrt 2) away from 0."""
    t = e.intrinsic("fabs", x)
    tail = scaled_tail(e, e.binary("fmul", t, e.const(math.sqrt(2), x.dtype, x.lanes)))
    minus_two, one = (e.const(v, x.dtype, x.lanes) for v in (-2.0, 1.0))
    far = e.intrinsic("fma", e.binary("fmul", exp_minus_product(e, t, t), minus_two), tail, one)
    near = e.binary("fmul", t, horner(e, e.binary("fmul", t, t), NEAR_TERMS[x.dtype]))
    is_near = e.compare("fcmp", "olt", t, e.const(NEAR, x.dtype, x.lanes))
    return e.intrinsic("copysign", e.select(is_near, near, far), x)


def emit_gelu(e: Emitter, x: Reg) -> Reg:
    return e.binary("fmul", at_least(e, x, e.const(-FAR, x.dtype, x.lanes)), normal(e, x)[0])


def emit_gelu_slope(e: Emitter, x: Reg) -> Reg:
    share, bell = normal(e, x)  # shared with gelu of the same value
    moved = e.binary("fmul", within(e, x, FAR), e.const(DENSITY, x.dtype, x.lanes))
    return e.intrinsic("fma", moved, bell, share)


def _elementwise(f: Callable[[float], float]) -> Callable[[Any], Any]:
    """A function of `math` on the elements of an array, in float64 or longer."""
    over = np.frompyfunc(f, 1, 1)

    def apply(x: Any) -> Any:
        wide = np.asarray(x)
        wide = wide.astype(np.result_type(wide.dtype, np.float64))
        return np.asarray(over(wide.astype(np.float64)), wide.dtype)

    return apply


_erfc = _elementwise(math.erfc)


def upper_tail(z: Any) -> Any:
    """erfc(z), with the rounding error of z as a float64 taken into account."""
    rounded = z.astype(np.float64)
    with np.errstate(all="ignore"):
        lost = np.where(np.isfinite(rounded), z - rounded, 0)
        return _erfc(z) - lost * (2 / math.sqrt(math.pi)) * np.exp(-z * z)


def numpy_normal(x: Any) -> Any:
    """Phi(x), in long double where there is one."""
    return upper_tail(-np.asarray(x).astype(np.longdouble) / np.sqrt(np.longdouble(2))) / 2


def numpy_erf(x: Any) -> Any:
    x = np.asarray(x)
    return _elementwise(math.erf)(x).astype(x.dtype)


def numpy_gelu(x: Any) -> Any:
    x = np.asarray(x)
    return (np.maximum(x, -FAR) * numpy_normal(x)).astype(x.dtype)


def numpy_gelu_slope(x: Any) -> Any:
    x = np.asarray(x)
    wide = np.clip(x, -FAR, FAR).astype(np.longdouble)
    with np.errstate(under="ignore"):
        return (numpy_normal(x) + wide * DENSITY * np.exp(-wide * wide / 2)).astype(x.dtype)


def d_erf(b: GraphBuilder, dy: Value, args: Args, y: Value) -> Args:
    """dy * 2 / sqrt(pi) * e^(-x^2)."""
    bell = b.op("exp", b.op("neg", b.op("square", args[0])))
    return (b.op("mul", dy, b.scaled(bell, 2 / math.sqrt(math.pi))),)


function(
    Function(
        name="erf",
        arity=1,
        result=floating,
        numpy=numpy_erf,
        llvm=emit_erf,
        cuda=floats("erf~({0})"),
        derivative=d_erf,
        domain=((-4.5, 4.5),),
        ulp=2.5,
        onnx="Erf({0})",
    )
)
function(
    Function(
        name="gelu",
        arity=1,
        result=floating,
        numpy=numpy_gelu,
        llvm=emit_gelu,
        cuda=floats("(({0} < -1e2~ ? -1e2~ : {0}) * normcdf~({0}))"),
        derivative=lambda b, dy, args, y: (b.op("mul", dy, b.op("gelu_slope", args[0])),),
        domain=((-12.0, 12.0),),
        ulp=7.0,
        onnx="Gelu({0})",
    )
)
function(
    Function(
        name="gelu_slope",
        arity=1,
        result=floating,
        numpy=numpy_gelu_slope,
        llvm=emit_gelu_slope,
        cuda={
            "f32": f"({{0}} < -1e2f ? 0.0f : {{0}} > 1e2f ? 1.0f : "
            f"fmaf({{0}} * {DENSITY:.9g}f, expf(-0.5f * {{0}} * {{0}}), normcdff({{0}})))",
            "f64": f"({{0}} < -1e2 ? 0.0 : {{0}} > 1e2 ? 1.0 : "
            f"fma({{0}} * {DENSITY!r}, exp(-0.5 * {{0}} * {{0}}), normcdf({{0}})))",
        },
        domain=((-0.25, 12.0),),
        ulp=7.0,
    )
)
