"""Every fault of mutants.py can still be made, and one is noticed; mutants.py tries all, in half an hour."""

import subprocess
import sys
from pathlib import Path

import pytest
from mutants import ALL, ROOT

SCRIPT = Path(__file__).with_name("mutants.py")


@pytest.mark.parametrize("mutant", ALL, ids=[m.name for m in ALL])
def test_the_source_has_the_text(mutant):
    text = (ROOT / mutant.path).read_text()
    assert text.count(mutant.old) == 1
    assert mutant.new != mutant.old
    assert all((ROOT / tests.split()[0].partition("::")[0]).exists() for tests in mutant.tests)


def test_there_are_enough():
    assert len(ALL) >= 60
    assert len({m.name for m in ALL}) == len(ALL)


@pytest.mark.slow
def test_a_fault_is_noticed():
    done = subprocess.run([sys.executable, SCRIPT, "--only", "split cuts"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "caught: ir/test_step_split.py::test_split_cuts_off_a_remainder_of_several" in done.stdout


@pytest.mark.soak
def test_all_faults_are_noticed():
    done = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
