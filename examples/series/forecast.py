"""A forecast: a GRU reads two years of weekly CO2 measurements on Mauna Loa and says the next half year.

    python forecast.py                  # ten seconds; needs statsmodels, which ships the data
    mochac explain forecast.py          # what the compiler made of it

A sample is how far each of 104 weeks lies from the last one of them, and the same of the next 26. The weeks until 1990
are to train on, those behind to test. The forecast to beat takes last year's course, moved to where the series is now.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

import mochac
from mochac import *
from mochac.nets.layers import Layer

PAST, AHEAD, YEAR, BATCH = 104, 26, 52, 32
UNIT = 3.0
"""What all numbers are divided by, in ppm: about how far they range within half a year."""


def weekly() -> tuple[np.ndarray, np.ndarray]:
    """The weeks as years, and their CO2 in ppm; missing weeks are interpolated."""
    from statsmodels.datasets import co2  # only where the data are read

    series = co2.load_pandas().data["co2"].interpolate()
    return np.asarray(series.index.year), series.to_numpy(np.float64)


def windows(values: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """For every week with enough of them around it, relative to it: the weeks before (n, PAST, 1), those behind (n,
    AHEAD), and what followed a year before."""
    around = sliding_window_view(values, PAST + AHEAD) / UNIT
    past, ahead = around[:, :PAST], around[:, PAST:]
    now, then = past[:, -1:], past[:, -1 - YEAR : -YEAR]
    return (past - now)[:, :, None], ahead - now, past[:, -YEAR : AHEAD - YEAR] - then


def forecaster(*data: Layer, width: int = 64) -> Net:
    """The net behind the blobs "past" and "ahead"."""
    return Net("forecast", [
        *data,
        GRULayer(name="read", output_dim=width, last=True, weight_regu=NoRegu(), bottoms=["past"]),
        InnerProductLayer(name="say", output_dim=AHEAD, weight_regu=NoRegu(), bottoms=["read"]),
        SquareLossLayer(name="loss", bottoms=["say", "ahead"]),
    ])  # fmt: skip


net = forecaster(InputLayer(name="past", shape=(BATCH, PAST, 1)), InputLayer(name="ahead", shape=(BATCH, AHEAD)))


def error(said: np.ndarray, true: np.ndarray) -> float:
    """The mean distance in ppm."""
    return float(np.abs(said - true).mean() * UNIT)


def main() -> None:
    parser = argparse.ArgumentParser(description="A GRU forecasts weekly CO2 on Mauna Loa.")
    parser.add_argument("--max-iter", type=int, default=2000, help="iteration to stop at")
    parser.add_argument("--threads", type=int, help="default: all")
    args = parser.parse_args()
    years, values = weekly()
    end = int(np.searchsorted(years, 1990))
    past, ahead, _ = windows(values[:end])
    data = MemoryDataLayer(data=[past, ahead], batch_size=BATCH, shuffle=True, tops=["past", "ahead"])
    solver = Solver(Adam(LRPolicy.Cosine(3e-3, args.max_iter, 1e-5)), max_iter=args.max_iter, clip_norm=1.0)
    solver.add_coffee_break(TrainingSummary(), every_n_iter=max(1, args.max_iter // 8))
    with mochac.compile(forecaster(data), seed=1, threads=args.threads) as program:
        program.train(solver)
        past, ahead, course = windows(values[end - PAST :])
        mine, last_years = error(program.predict(past, "say"), ahead), error(course, ahead)
        print(f"error {mine:.3f} ppm, of last year's course {last_years:.3f}")


if __name__ == "__main__":
    main()
