"""The progress bar and its plain lines, the log's format, the statistics' lines."""

import io
import logging
import re

import pytest

from mochac.runtime.support import log
from mochac.runtime.training.progress import Goal, Progress
from mochac.runtime.training.statistics import Statistics


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def bare_logger(monkeypatch):
    """The logger without pytest's handlers, as in a plain program."""
    monkeypatch.setattr(log.LOG, "handlers", [])
    monkeypatch.setattr(log.LOG, "propagate", False)
    monkeypatch.setattr(log.LOG, "level", logging.NOTSET)
    log.LOG.manager._clear_cache()  # type: ignore[attr-defined]
    log.ensure_handler()
    yield
    log.LOG.manager._clear_cache()  # type: ignore[attr-defined]


def test_a_bar_on_a_terminal():
    clock, terminal = Clock(), Terminal()
    progress = Progress(Goal(0, 1000, 64), terminal, clock=clock)
    progress.update(1, 2.3)
    assert terminal.getvalue() == ""  # too soon
    clock.now = 2.0
    progress.update(250, 0.03125)
    assert "iter 250/1000  loss 0.03125  8000 samples/s  0:06 left" in terminal.getvalue()
    assert "[#####" in terminal.getvalue()
    progress.close()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert log.BEFORE_LINE == []


@pytest.mark.usefixtures("bare_logger")
def test_a_log_line_takes_the_bar_away_first(capsys):
    clock, terminal = Clock(), Terminal()
    progress = Progress(Goal(0, None, 64), terminal, clock=clock)
    clock.now = 1.0
    progress.update(10, 0.5)
    log.LOG.info("hello")
    progress.close()
    assert terminal.getvalue().endswith("\r\x1b[K")
    assert re.fullmatch(r"\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d \| info \| mochac\]: hello\n", capsys.readouterr().out)


def test_plain_lines_elsewhere(caplog):
    caplog.set_level(logging.INFO, "mochac")
    clock = Clock()
    progress = Progress(Goal(100, 200, 10), io.StringIO(), clock=clock)
    for clock.now in (4.0, 11.0, 12.0):
        progress.update(100 + int(clock.now), 0.5)
    progress.close()
    assert [r.getMessage() for r in caplog.records] == [" iter 111/200  loss 0.5  10 samples/s  1:29 left"]
    for quiet in (
        Progress(Goal(0, 10, 1), io.StringIO(), lines=False, clock=clock),
        Progress(Goal(0, 10, 1), Terminal(), shown=False, clock=clock),
    ):
        clock.now += 100.0
        quiet.update(5, 0.5)
        assert len(caplog.records) == 1 and quiet._stream.getvalue() == ""


def test_the_line_at_the_end():
    progress = Progress(Goal(100, 200, 10), io.StringIO())
    assert progress.result(300, 0.03125, 0.25) == "200 iterations in 0.25 s; loss 0.03125, 8000 samples/s"
    waited = "200 iterations in 20.0 s (1.5 s waiting for data); loss 0.5, 100 samples/s"
    assert progress.result(300, 0.5, 20.0, waited_s=1.5) == waited
    assert progress.result(101, 0.5, 2.0) == "1 iteration in 2.0 s; loss 0.5, 5 samples/s"


@pytest.mark.parametrize("error", [OSError, ValueError])
def test_a_terminal_that_goes_away_stops_nothing(error):
    class Gone(Terminal):
        refused = 0

        def write(self, text):
            self.refused += 1
            raise error("the window was closed")

    clock, terminal = Clock(), Gone()
    progress = Progress(Goal(0, 10, 1), terminal, clock=clock)
    clock.now = 1.0
    progress.update(5, 0.5)
    progress.close()
    assert terminal.refused > 0
    assert log.BEFORE_LINE == []


@pytest.mark.usefixtures("bare_logger")
def test_warnings_are_named_as_in_mocha(capsys):
    log.LOG.warning("careful")
    assert "| warn | mochac]: careful" in capsys.readouterr().out


def test_a_users_logging_is_left_alone(monkeypatch):
    before = list(log.LOG.handlers)
    log.ensure_handler()  # pytest's handlers are on the root logger
    assert log.LOG.handlers == before


def test_a_loss_of_no_positions_is_0_and_a_statistic_of_none_is_nan():
    statistics = Statistics()
    statistics.add("loss", "", 0.0, 0)
    statistics.add("a", "accuracy", 0.0, 0)
    assert statistics.lines() == ["  Loss (avg over 0) = 0.0000", "  Accuracy (avg over 0) = nan%"]
    statistics.add("loss", "", 3.0, 2)
    assert statistics.means()["loss"] == 1.5, "a batch of none counts for none"


def test_statistics_average_over_everything_added():
    statistics = Statistics()
    statistics.add("test-accuracy", "accuracy", 9605, 10000)
    statistics.add("loss", "", 12.5, 100)
    assert statistics.lines() == ["  Accuracy (avg over 10000) = 96.0500%", "  Loss (avg over 100) = 0.1250"]
    statistics.add("b", "accuracy", 1, 2)
    statistics.add("b", "square-loss", 1, 2)
    assert statistics.lines()[0] == "  test-accuracy-accuracy: Accuracy (avg over 10000) = 96.0500%"
    assert statistics.lines()[3] == "  Square-loss (avg over 2) = 0.5000"
    statistics.reset()
    assert statistics.means() == {}
