"""How long tests wait for what should come soon.

It only ends tests that hang: on a machine that is busy, or stands still for a minute, none of them may fail for it.
"""

import time

HANG_S = 900


def until(holds):
    """Wait until holds() is true."""
    end = time.monotonic() + HANG_S
    while not holds():
        assert time.monotonic() < end, f"not after {HANG_S} s"
        time.sleep(0.002)
