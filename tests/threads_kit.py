"""Threads that call something at the same time, for tests."""

import threading

from patience import HANG_S


def at_once(work, threads=4):
    """Run work(k) in threads k = 0, 1, ...; returns their errors."""
    errors = []

    def run(k):
        try:
            work(k)
        except BaseException as error:
            errors.append(error)

    started = [threading.Thread(target=run, args=(k,), daemon=True) for k in range(threads)]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join(HANG_S)
    assert not any(thread.is_alive() for thread in started), "a thread hangs"
    return errors
