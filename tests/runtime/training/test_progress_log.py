"""The progress bar and its plain lines, the log's format, the statistics' means."""

import io
import logging
import re
import sys

import numpy as np
import pytest

from mochac.base.support import log
from mochac.base.support import log as terminal
from mochac.base.support.array_like import columns, fitting
from mochac.lowering.measures import Statistics
from mochac.training.loop.progress import Goal, Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _lines(monkeypatch):
    """Plain lines come as in a user's training: the clocks are the tests' own."""
    monkeypatch.setattr("mochac.training.loop.progress.LINE_EVERY_S", 5.0)


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


@pytest.fixture(params=[True, False], ids=["rich", "plain"])
def rich(request, monkeypatch):
    """With rich's bars and colours, and without."""
    if request.param:
        pytest.importorskip("rich")
    monkeypatch.setattr(terminal, "has_rich", lambda: request.param)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    return request.param


def seen(text):
    """What is on a terminal, without its codes."""
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text)


def test_a_bar_on_a_terminal(rich):
    clock, screen = Clock(), Terminal()
    progress = Progress(Goal(0, 1000, 64), screen, clock=clock)
    progress.update(1, 2.3)
    assert screen.getvalue() == ""  # too soon
    clock.now = 2.0
    progress.update(250, 0.03125)
    line = seen(screen.getvalue()).strip("\r")
    assert line.endswith(" iter 250/1000  loss 0.03125  8000 samples/s  0:06 left") and len(line) < 80
    assert ("\u2501" if rich else "[#####") in line
    progress.close()
    assert screen.getvalue().endswith("\r\x1b[K")
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
def test_lines_fit_a_terminal(rich, monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    log.LOG.info(" VALID iter=001000 %s", " ".join(f"layer{k}-accuracy=0.9605" for k in range(6)))
    log.LOG.warning("careful")
    assert ("\x1b[" in screen.getvalue()) is rich
    lines = seen(screen.getvalue()).splitlines()
    assert max(map(len, lines)) <= 80 and len(lines) == 4
    assert re.match(r"\d\d:\d\d:\d\d VALID iter=001000 layer0-accuracy=0\.9605 layer1", lines[0])
    assert lines[1].startswith("         layer") and lines[3].endswith(" warning: careful")


def test_tables_fit_a_terminal():
    header, rows = (
        ["kernel", "time", "executed", "layers"],
        [["a" * 30, "3 us", "7", "conv1, pool1"], ["b", "1 ms", "", "ip"]],
    )
    whole = fitting(header, rows, None, ["layers", "executed"], right=[1])
    assert whole == columns(header, rows, right=[1])
    assert fitting(header, rows, 60, ["layers", "executed"], right=[1]).splitlines()[0].split() == header[:3]
    small = fitting(header, rows, 30, ["layers", "executed"], right=[1]).splitlines()
    assert (
        max(map(len, small)) == 30 and small[1].split() == ["a" * 19 + "...", "3", "us"] and small[2].endswith("1 ms")
    )
    assert small[3:] == ["  (not shown: executed,", "  layers)"]


def test_plain_lines_come_ever_more_rarely(caplog):
    caplog.set_level(logging.INFO, "mochac")
    clock = Clock()
    progress = Progress(Goal(0, 10**6, 1), io.StringIO(), clock=clock)
    for clock.now in range(1, 1001):
        progress.update(int(clock.now), 0.5)
    assert 25 < len(caplog.records) < 40, "every 5 s would be 200"


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
    assert statistics.means()["loss"] == 0.0 and np.isnan(statistics.means()["a-accuracy"])
    statistics.add("loss", "", 3.0, 2)
    assert statistics.means()["loss"] == 1.5, "a batch of none counts for none"


def test_statistics_average_over_everything_added():
    statistics = Statistics()
    statistics.add("test-accuracy", "accuracy", 9605, 10000)
    statistics.add("loss", "", 12.5, 100)
    statistics.add("loss", "", 37.5, 100)
    assert statistics.means() == {"test-accuracy-accuracy": 0.9605, "loss": 0.25}
    statistics.reset()
    assert statistics.means() == {}
