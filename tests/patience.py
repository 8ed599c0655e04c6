"""How long tests wait for what should come soon.

It only ends tests that hang: on a machine that is busy, or stands still for a minute, none of them may fail for it.
"""

HANG_S = 900
