"""The native step driver and its team under ThreadSanitizer and AddressSanitizer: random plans of two callers."""

from __future__ import annotations

import platform
import re

import pytest
from native_driver import built, missing, run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing()), reason=f"NOT ON PATH: {' '.join(missing())}"),
    pytest.mark.skipif(platform.machine() != "x86_64", reason="the harness is compiled for x86-64"),
]
PLANS = 15
SOAK = 2000


@pytest.fixture(scope="module", params=["thread", "address"])
def program(request, tmp_path_factory):
    return built(tmp_path_factory.mktemp(request.param), request.param)


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_random_plans(program, threads):
    done = run(program, threads, 1000 * threads, PLANS)
    assert done.returncode == 0, done.stdout + done.stderr[:4000]


@pytest.mark.soak
@pytest.mark.parametrize("threads", [1, 2, 3, 4, 5, 6, 7, 8])
def test_thousands_of_random_plans(program, threads):
    done = run(program, threads, 100000 * threads, SOAK)
    assert done.returncode == 0, done.stdout + done.stderr[:4000]


# -- what is found when something is wrong ---------------------------------------------------------------------------


def edited(function, number, before, after):
    """Changes occurrence `number` of a pattern in the LLVM text of a function."""

    def edit(text):
        begin = re.search(rf"^define .*@{function}\(", text, re.MULTILINE).start()
        end = text.index("\n}\n", begin)
        found = [*re.finditer(before, text[begin:end])][number]
        return text[: begin + found.start()] + found.expand(after) + text[begin + found.end() :]

    return edit


BARRIER = r"call void @barrier\(.*\)\n"
WRONG = {
    "rows do not wait for each other": (str, ["unsynced"]),
    "a slot is filled twice": (
        edited("run_rows", 1, r"(call void @refill\(.*), i64 [^,]*(, i64 [^,]*\)\n)", r"\1, i64 0\2"),
        [],
    ),
    "waiting acquires nothing": (edited("wait_change", 0, "acquire", "monotonic"), []),
    "workers still read the job when the driver returns": (edited("spmd", 1, BARRIER, ""), []),
    "the next step begins before it is bound": (edited("spmd", 2, BARRIER, ""), []),
}


@pytest.mark.parametrize("name", WRONG)
def test_missing_order_is_noticed(name, tmp_path):
    edit, how = WRONG[name]
    done = run(built(tmp_path, "thread", edit), 3, 0, 60, *how)
    assert done.returncode != 0
    assert re.search("ThreadSanitizer: (data race|heap-use-after-free)", done.stderr)  # memory freed while it is read


def test_a_table_too_short_is_noticed(tmp_path):
    done = run(built(tmp_path, "address"), 2, 0, 5, "short")
    assert done.returncode != 0
    assert "heap-buffer-overflow" in done.stderr
