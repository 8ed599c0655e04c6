"""check_op finds a wrong type, a wrong loop nest and a wrong gradient, and nothing where all is right."""

import numpy as np
import pytest

import mochac
from mochac.ir.kernel_build import Pointwise
from mochac.ir.op import OPS, Op, Sample, register


@pytest.fixture(autouse=True)
def borrowed():
    OPS.scan()
    items, foreign = dict(OPS._items), set(OPS.foreign)
    yield
    OPS._items, OPS.foreign = items, foreign


def thrice(factor=3.0, slope=3.0, reference=lambda x: x * x.dtype.type(3)):
    def lower(k, bound, index):
        return (k.call("mul", k.read(bound, 0, index), k.const(factor, bound.inputs[0].type.dtype)),)

    register(
        Op(
            name="own_thrice",
            infer=lambda x: (x,),
            reference=reference,
            vjp=lambda b, bound, dy: (b.scaled(dy, slope),),
            lower=Pointwise(lower),
            samples=(Sample(("f32[b3,5]",)),),
        )
    )
    return mochac.check_op("own_thrice")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "wrong"),
    [
        ({}, []),
        ({"factor": 3.001}, ["compiled f32", "compiled f64"]),
        ({"slope": 3.001}, ["gradient of operand 0"]),
        ({"reference": lambda x: (x * 3).astype(np.float32)}, ["types f64", "gradient of operand 0"]),
    ],
)
def test_it_finds_the_wrong_rule(how, wrong):
    found = thrice(**how)
    assert [f.what for f in found.comparisons if not f.ok] == wrong
    assert found.ok == (not wrong)
    assert str(found).count("WRONG") == len(wrong)
    assert str(found).startswith("op own_thrice\n  f32[b3,5]  types f32")


def test_an_unknown_kind_of_op():
    with pytest.raises(mochac.OptionError, match=r"op 'own': there is no kind 'rows'; did you mean 'row'\?") as caught:
        register(Op("own", lambda x: (x,), lambda x: x, None, (), kind="rows"))
    assert "expected  elementwise, contraction" in str(caught.value) and "test_operations.py:" in str(caught.value)


def test_an_op_without_samples():
    register(Op("own_bare", lambda x: (x,), lambda x: x, None, ()))
    with pytest.raises(mochac.OptionError, match="'own_bare' has no samples, so there is nothing to check"):
        mochac.check_op("own_bare")


def test_a_sample_that_does_not_fit():
    sample = Sample(("f32[2]",), attrs={"axes": 1})
    register(Op("own_odd", lambda x, axes: (x,), lambda x, axis: x, None, (sample,)))
    with pytest.raises(mochac.OptionError, match=r"op 'own_odd', sample 0: \(f32\[2\], axes=1\)") as caught:
        mochac.check_op("own_odd")
    assert "unexpected keyword argument 'axes'" in str(caught.value)


def test_an_unknown_op():
    with pytest.raises(
        mochac.OptionError, match=r"no op 'rellu'; did you mean 'relu'\?\n  hint: its file must have been"
    ):
        mochac.check_op("rellu")
