"""What a break of the user's own hears about wrong names and values."""

import pytest

import mochac
from mochac.training.loop.coffee import TrainingState
from mochac.training.loop.lounge import CoffeeLounge


def test_a_name_that_the_state_does_not_have():
    state = TrainingState(iter=0)
    with pytest.raises(KeyError, match=r"state has no 'obj_vall'; did you mean 'obj_val'.; known now: .*epoch"):
        state["obj_vall"]


def test_a_value_that_is_no_number():
    with pytest.raises(mochac.OptionError, match=r"lounge.record\('norm'\): the value is not a number") as caught:
        CoffeeLounge().record("norm", 3, "text")
    assert "'text' at iteration 3" in str(caught.value)
