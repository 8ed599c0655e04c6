"""What ranks tell each other and the user, without MPI: CPUs that they share, differences, last words."""

import logging
import time

import pytest
from tiny_net import tiny

import mochac
from mochac.base.errors import RankError
from mochac.ir.plan import Share
from mochac.runtime.ranks import messages, ranks
from mochac.runtime.ranks.ranks import Ranks
from mochac.training.session.joining import facts


class Together(Ranks):
    """A rank of several on one machine, which hears what it is given, else its own words from all."""

    several = True

    def __init__(self, number, heard=None):
        super().__init__()
        self.share, self.heard = Share(0, number), heard

    def gather(self, value):
        return self.heard or [value] * self.share.ranks


@pytest.mark.parametrize(
    ("number", "cpus", "threads", "warned"), [(2, 8, 4, 0), (4, 4, 1, 0), (4, 2, 1, 1), (2, 1, 1, 1)]
)
def test_ranks_share_the_cpus_of_a_machine(number, cpus, threads, warned, monkeypatch, caplog):
    monkeypatch.setattr(ranks, "default_threads", lambda: cpus)
    with caplog.at_level(logging.WARNING, logger="mochac"):
        assert Together(number).threads() == threads
    said = [record.getMessage() for record in caplog.records]
    words = f"{number} ranks share {cpus} CPU{'s' * (cpus > 1)} of this machine, and slow each other down"
    assert len(said) == warned and all(text.startswith(words) for text in said)


@pytest.mark.parametrize(
    ("own", "other", "expected", "got"),
    [
        ("a\nb\nc", "a\nx\nc", "b", "x"),
        ("a\nb", "a", "b", "nothing more"),
        ("a", "a\nb", "nothing more", "b"),
    ],
)
def test_the_first_difference_is_shown(own, other, expected, got):
    with pytest.raises(RankError) as caught:
        Together(2, [{"nets": own}, {"nets": other}]).compare({"nets": own})
    wanted = f"the ranks differ in their nets\n  expected  as rank 0: {expected},  got  rank 1: {got}"
    assert str(caught.value) == wanted


def test_ranks_with_other_algorithms_for_convolutions_are_refused():
    """Their bits would differ."""
    found = []
    for convolutions in ("auto", "direct"):
        with mochac.compile(tiny(), convolutions=convolutions) as program:
            found.append(facts(program.session))
    with pytest.raises(RankError) as caught:
        Together(2, found).compare(found[0])
    options = "seed 0, dtype float32, parts 1, tune None, convolutions"
    rest = "precision float32"
    wanted = f"expected  as rank 0: {options} auto, {rest},  got  rank 1: {options} direct, {rest}"
    assert str(caught.value) == f"the ranks differ in their options\n  {wanted}"


class Comm:
    """A communicator with what rank 0 has sent."""

    def __init__(self, rank, sent=()):
        self.rank, self.size, self.sent = rank, 3, list(sent)

    def isend(self, words, dest, tag):
        self.sent.append((dest, words))
        return self

    def test(self):
        return True, None

    def iprobe(self, source, tag):
        return bool(self.sent)

    def recv(self, source, tag):
        return self.sent.pop()


def test_rank_0_says_its_error_and_tells_the_others():
    comm = Comm(0)
    assert not messages.is_reported(comm, ValueError("no data"), timeout_s=0.0)
    assert comm.sent == [(1, "no data"), (2, "no data")]


def test_a_rank_says_its_error_unless_rank_0_does():
    error = ValueError("no data\n  here")
    assert messages.is_reported(Comm(1, ["rank 1 failed\n  ValueError: no data\n  here"]), error, timeout_s=0.0)
    assert not messages.is_reported(Comm(1, ["out of memory"]), error, timeout_s=0.0)
    assert not messages.is_reported(Comm(1), error, timeout_s=0.0)


def test_a_rank_waits_for_rank_0_no_longer_than_its_patience(monkeypatch):
    looked = []
    monkeypatch.setattr(time, "sleep", looked.append)
    assert not messages.is_reported(Comm(1), ValueError("no data"), timeout_s=0.01)
    assert set(looked) <= {messages.ERROR_POLL_S}
