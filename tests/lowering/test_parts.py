"""Numbers of parts: the default, and what batches and ranks do not fit."""

import pytest
from tiny_net import tiny

import mochac
from mochac import OptionError
from mochac.lowering.parts import checked_parts, parts_of


def test_the_default_depends_on_the_batch_and_on_ranks_that_need_more():
    for batch in (1, 7, 16, 24, 32, 60, 64, 100, 128, 999, 4096):
        parts = parts_of(batch)
        assert batch % parts == 0 and (parts == 1 or batch // parts >= 32), batch
        assert parts_of(batch, 2) == max(2, parts)
        assert parts_of(batch, 16) == 16
    assert [parts_of(256, ranks) for ranks in (1, 2, 4, 8)] == [8] * 4


@pytest.mark.parametrize(
    ("batch", "parts", "ranks", "message"),
    [
        (
            100, 8, 1,
            "a batch of 100 samples cannot be cut into 8 equal parts\n"
            "  expected  1, 2 or 4 parts,  got  8 parts\n"
            "  hint: batch_size=104 can be cut into 8 parts",
        ),
        (
            64, 128, 1,
            "a batch of 64 samples cannot be cut into 128 equal parts\n"
            "  expected  1, 2, 4, 8, 16, 32 or 64 parts,  got  128 parts",
        ),
        (
            64, 4, 8,
            "4 parts of a batch cannot be shared equally among 8 ranks\n"
            "  expected  2 or 4 ranks,  got  8 ranks\n"
            "  hint: compile(net, parts=8), or --parts 8",
        ),
        (
            60, 2, 3,
            "2 parts of a batch cannot be shared equally among 3 ranks\n"
            "  expected  2 ranks,  got  3 ranks\n"
            "  hint: a power of two ranks: parts are added up in pairs",
        ),
        (
            10, 1, 4,
            "1 part of a batch cannot be shared equally among 4 ranks\n"
            "  expected  1 rank,  got  4 ranks\n"
            "  hint: a batch_size that 4 divides",
        ),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_said(batch, parts, ranks, message):
    with pytest.raises(OptionError) as caught:
        checked_parts(batch, parts, ranks)
    assert str(caught.value) == message


@pytest.mark.parametrize("parts", [0, 3, -2, 2.0, True, "4"])
def test_the_number_of_parts_is_a_power_of_two(parts):
    with pytest.raises(OptionError) as caught:
        mochac.compile(tiny(), parts=parts)
    assert (
        str(caught.value)
        == f"parts is out of range\n  expected  a power of two: 1, 2, 4, 8, ..., or None,  got  {parts!r}"
    )


@pytest.mark.slow
def test_programs_check_their_batch_when_they_are_compiled():
    with pytest.raises(OptionError, match="a batch of 4 samples cannot be cut into 8 equal parts"):
        mochac.compile(tiny(), parts=8, backend="cpu")
    with pytest.raises(OptionError, match="a batch of 4 samples cannot be cut into 8 equal parts"):
        mochac.explain(tiny(), parts=8, backend="cpu")
    assert str(mochac.explain(tiny(), parts=2, backend="cpu")).startswith("net 'tiny', batch 4 in 2 parts, plan")
