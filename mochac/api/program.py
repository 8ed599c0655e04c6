"""Program: a compiled net and the calls of its user; those about parameters are in api/parameters.py.

Its parts (plans, batches, results, ...) and the training that it is in are a Session, which trainings and reports use
too; mochac/training/loop runs trainings, mochac/inspect makes the reports.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Never, NoReturn, overload

import numpy as np

from mochac.api.parameters import NetParameters
from mochac.base import rules
from mochac.base.drawing.svg import folded, table, titled
from mochac.base.errors import OptionError
from mochac.base.hints.calls import checked_call, missing, not_callable
from mochac.base.rules import FOLDER, is_number, or_none, real, switch
from mochac.base.support.interrupts import listening
from mochac.lowering.measures import Statistics, add_measures
from mochac.lowering.plan_graphs import OBJECTIVE
from mochac.nets.solvers.solver import Solver, as_solver
from mochac.nets.solvers.update import Methods
from mochac.runtime.ranks.ranks import ALONE, Ranks
from mochac.training.loop.loop import TrainingRun, train
from mochac.training.loop.snapshot import parts_of_newest
from mochac.training.session.batches import feed_of_arrays
from mochac.training.session.evaluation import evaluate
from mochac.training.session.joining import Membership
from mochac.training.session.session import Session, Turn

if TYPE_CHECKING:
    from mochac.inspect.kernel_records import KernelRecord
    from mochac.inspect.profile_table import Profile
    from mochac.nets.net import Net
    from mochac.runtime.cuda.device_arrays import DeviceResult
    from mochac.training.loop.lounge import CoffeeLounge


class Program(NetParameters):
    """A net compiled for this machine; see mochac.compile for the arguments.

    Attributes:
        net, name, mode, dtype, seed: as compiled.
        params: the parameter store, shared with programs compiled with params=.
        states: what layers keep besides parameters, such as running statistics, by param_key and name.
        batch_size: samples per step.
        outputs: by MemoryOutput layer, a list of arrays for each bottom, one array per step.
        session: its parts; not part of the public interface.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.mode, self.dtype, self.seed = session.mode, session.dtype, session.seed
        self.outputs, self.batch_size = session.outputs, session.batch_size
        self._measured = Statistics()

    # --- training ----------------------------------------------------------------------------------

    def train(
        self,
        method: Methods | Solver | None = None,
        *,
        max_iter: int | None = None,
        max_epoch: int | None = None,
        regu_coef: float | None = None,
        load_from: str | os.PathLike[str] | None = "",
        clip_norm: float | None = None,
        clip_value: float | None = None,
        decay_all: bool = False,
        accumulate: int = 1,
        resume: bool = False,
        verbose: int | None = None,
        comm: Any = None,
        ordered: bool = True,
        **unknown: Never,
    ) -> CoffeeLounge:
        """Train: train(solver), train(SGD(...), max_iter=..., ...), or with a dict of methods for groups of parameters
        (see Solver); returns the CoffeeLounge.

        Training starts at iteration 0 with the solver's state at zero, unless load_from finds a snapshot. Parameters,
        the position in the data and random numbers continue where they are.

        Args:
            max_iter, max_epoch, regu_coef, load_from, clip_norm, clip_value, decay_all, accumulate: settings of the
                Solver that is made for a method; see Solver.
            resume: continue with the state, iteration and policies of this program's last training; if there was none,
                from the snapshot that load_from finds; else start at 0. max_iter and max_epoch count from there.
            verbose: 0: silent but for warnings, 1: show progress; None: as solver.progress says.
            comm: a communicator of mpi4py, such as MPI.COMM_WORLD, whose ranks all call train() for the same net: each
                computes its share of every batch. Rank 0 shows progress, runs coffee breaks and writes files.
            ordered: with comm, add sums over the batch in a fixed order, so that 1, 2, 4, ... ranks give the same bits;
                False: as MPI adds them, for any number of ranks.

        Raises:
            OptionError: no method, no max_iter or max_epoch; the net has no loss; resume with a different solver than
                that of the last training.
            NumericError: the loss is no longer finite. DataError, SnapshotError: a file cannot be read or written.
        """
        if method is None:
            raise OptionError("train() needs a method or a solver", hint="train(SGD(0.1), max_iter=...)")
        parameters: dict[str, Any] = {
            "max_iter": max_iter, "max_epoch": max_epoch, "regu_coef": regu_coef, "load_from": load_from,
            "clip_norm": clip_norm, "clip_value": clip_value, "decay_all": decay_all, "accumulate": accumulate,
        }  # fmt: skip
        solver = as_solver(method, **parameters, **unknown)
        self.net.require_loss("train()")
        hint = f"load_from={resume!r} names what to resume from" if isinstance(resume, (str, os.PathLike)) else ""
        resume = switch().check("resume", resume, "train()", hint=hint)
        progress = or_none(switch()).check("verbose", verbose, "train()")
        ranks = self._ranks(comm, ordered)
        with self.session.turns.training():
            _ = self.session.feed  # missing data is reported before anything is compiled
            n_batches = None if solver.max_iter is None else solver.max_iter * solver.accumulate
            self.session.batches.expect(n_batches, solver.max_epoch)
            with listening(), self.outputs.run(), Membership(self.session, ranks, _earlier_parts(solver, ranks)):
                return train(self, solver, resume=resume, progress=progress, ranks=ranks)

    def start_training(self, solver: Solver, comm: Any = None, ordered: bool = True) -> TrainingRun:
        """Begin a training whose steps the caller runs; for Solver.init_solve."""
        ranks = self._ranks(comm, ordered)
        membership = Membership(self.session, ranks, _earlier_parts(solver, ranks))
        try:
            return TrainingRun(self, solver, ranks=ranks, leave=membership.leave)
        except BaseException as error:
            membership.leave(error)
            raise

    def _ranks(self, comm: Any, ordered: bool = True) -> Ranks:
        """The ranks of a communicator, with the settings of the process."""
        ordered = switch().check("ordered", ordered, "train()")
        env = self.session.plans.backend.env
        return Ranks(comm, ordered=ordered, timeout_s=env.rank_timeout, folder=env.ranks_folder)

    def step(self, *args: Never, **blobs: Any) -> float:
        """Run one iteration of the training that solver.init_solve(program) has begun; see Solver.step.

        Raises:
            OptionError: no training has begun.
        """
        training = self.session.training
        if not isinstance(training, TrainingRun):
            hint = "solver = Solver(SGD(0.1)); solver.init_solve(program)"
            raise OptionError(f"step(): no training of program {self.name!r} has begun", hint=hint)
        _by_name("step()", args, self.net)
        return training.step(blobs)

    # --- one batch ---------------------------------------------------------------------------------

    def forward(self, *args: Never, **blobs: Any) -> float:
        """Run the net on a batch; returns the total loss, 0.0 if there is none.

        Args:
            blobs: the batch, by tops of the data layers, which then do not move: forward(data=x, label=y); see
                Solver.step. Without blobs, the data layers' next batch.
        """
        _by_name("forward()", args, self.net)
        session, batches, debug = self.session, self.session.batches, self.session.debug
        session.require_open()
        if session.plans.share.ranks > 1:
            raise OptionError("forward() while several ranks train", hint="a test program of its own may run")
        with Turn(session.turns, "forward()"):
            batches.forget_user_arrays()
            if blobs:
                batches.give(blobs, 1, "forward()")
            step, batch = batches.rng_step, batches.next()
            with session.writing:
                session.require_open()
                debug.hold(batch, step)
                batches.release(1)
                bound, scalars = debug.forward()
                session.results.ran(bound, backward=False)
                with self.outputs.run():
                    bound.collect(self.outputs)
            add_measures(self._measured, bound.traced, scalars, self.batch_size)
            return scalars.get(OBJECTIVE, 0.0)

    @checked_call
    def backward(self, regu_coef: float = 0.0, *, diffs: Mapping[str, Any] | None = None) -> None:
        """Compute the gradients of the batch of the last forward(): program.grads and program.blob_diffs.

        Args:
            regu_coef: factor of the regularizers in program.grads, >= 0; solver.update() adds its own.
            diffs: gradients of a loss that is computed outside of the net, by blob: backward(diffs={"out": d_out}).
                They take the place of the net's own losses.

        Raises:
            OptionError: forward() has not run; the net has no loss layer, and there are no diffs; no such blob.
            ShapeError, DataError: a gradient has another shape than its blob, or is not finite.
        """
        session = self.session
        session.require_open()
        if diffs is None:
            self.net.require_loss("backward()", ', or give the gradients of your own: backward(diffs={"out": d_out})')
        hint = "" if is_number(regu_coef) else 'gradients of blobs: backward(diffs={"out": d_out})'
        coefficient: float = real(0).check("regu_coef", regu_coef, hint=hint)
        with Turn(session.turns, "backward()"), session.writing:
            session.require_open()
            bound, losses = session.debug.backward(coefficient, diffs)
            if diffs is not None:  # their loss is outside of the net
                losses.pop(OBJECTIVE, None)
            session.results.ran(bound, backward=True, regu_coef=regu_coef, losses=losses)

    @property
    def blobs(self) -> Mapping[str, np.ndarray]:
        """Blobs of the last forward(), in logical order; after train(), those named in keep=."""
        return self.session.results.blobs

    @property
    def blob_diffs(self) -> Mapping[str, np.ndarray]:
        """Gradients of blobs, of the last backward()."""
        return self.session.results.blob_diffs

    @property
    def grads(self) -> Mapping[str, Mapping[str, np.ndarray]]:
        """Gradients of parameters by key and name, of the last backward(); solver.update() uses what is written here:
        program.grads["ip"]["weight"][...] *= 0.5.
        """
        return self.session.results.grads

    def epoch(self) -> int:
        """Number of completed passes over the first data layer."""
        return self.session.batches.position.epoch

    @property
    def rng_step(self) -> int:
        """The step counter of random numbers, such as dropout masks: forward() calls and training steps so far."""
        return self.session.batches.rng_step

    # --- evaluation and prediction -----------------------------------------------------------------

    def evaluate(self, average: bool = False, *args: Never, comm: Any = None, **blobs: Any) -> dict[str, float]:
        """Means of the statistics and losses over one exact pass; does not change blobs or training's position.

        Args:
            average: use the averages of the parameters, which a ParameterAverage break of a training keeps.
            comm: a communicator of mpi4py, whose ranks share the batches; all get the same numbers, those of one.
            blobs: any number of samples in place of the data layers', by their tops: evaluate(data=X, label=y).

        Raises:
            OptionError: the net has nothing to evaluate; there are no averages. ShapeError, DataError: arrays that do
                not fit, a NaN, a label that is not a class.
        """
        _by_name("evaluate()", args if isinstance(average, (bool, int)) else (average, *args), self.net)
        with self._ranks(comm, False).sharing() as ranks:
            return self.evaluation(average, ranks=ranks, arrays=blobs).means()

    def evaluation(
        self, average: bool = False, *, ranks: Ranks = ALONE, arrays: Mapping[str, Any] | None = None
    ) -> Statistics:
        """Statistics of one exact pass over the data; see evaluate(). `ranks` share the work; each calls it."""
        average = switch().check("average", average, "evaluate()")
        session = self.session
        with ExitStack() as turn:
            if self.net.collectors:
                turn.enter_context(Turn(session.turns, "evaluate() with output layers"))
            with session.lock:
                session.require_open()
                self._warn_if_unset()
                plans = session.plans.averaged() if average else session.plans
                data = None if arrays else session.batches.feed
            feed = data or turn.enter_context(closing(feed_of_arrays(session.plans, arrays or {}, "evaluate()")))
            return evaluate(plans, feed, self.outputs, ranks, keep=data is not None)

    def statistic_names(self) -> list[str]:
        """The names in the result of evaluate()."""
        traced = self.session.plans.traced("test")
        return [*(s.name for s in traced.statistics), *(loss.layer for loss in traced.losses)]

    @overload
    def predict(self, x: Any, blob: str | None = None, *, on_device: Literal[False] = False) -> np.ndarray: ...
    @overload
    def predict(self, x: Any, blob: list[str] | tuple[str, ...]) -> tuple[np.ndarray, ...]: ...
    @overload
    def predict(self, x: Any, blob: str | None = None, *, on_device: Literal[True]) -> DeviceResult: ...
    @overload
    def predict(
        self, x: Any, blob: list[str] | tuple[str, ...], *, on_device: Literal[True]
    ) -> tuple[DeviceResult, ...]: ...
    def predict(self, x: Any, blob: str | list[str] | tuple[str, ...] | None = None, *, on_device: bool = False) -> Any:
        """Compute a blob, or several, for any number of samples.

        Args:
            x: samples for the first data layer's first top, batch first, or a dict of top -> samples. The layer's
                transformers are applied to them. Entries for blobs inside of the net replace their computed values:
                predict({"z": z}). If the blob depends on no input: the number of samples.
            blob: None: the prediction bottom of the only loss or accuracy layer, else the only top that no layer reads.
                For a list or tuple of blobs, such as ["h1", "h2"], the result is a tuple of arrays in the same order,
                all computed in one pass.
            on_device: leave the result on the CUDA device: an object with `__dlpack__` and `__cuda_array_interface__`,
                which np.asarray() fetches.

        Raises:
            OptionError, ShapeError: x does not fit the data layer, or there is no single prediction; on_device without
                a device.
            DataError: ids of an embedding are out of range.
        """
        session = self.session
        lock = session.lock
        lock.acquire()  # a call for one sample takes 3 us, of which a context would be a tenth
        try:
            if session.plans.closed:
                session.require_open()
            if session.unset is not None:
                self._warn_if_unset()
            predictions = session.predictions
            return predictions.predict_on_device(x, blob) if on_device else predictions.predict(x, blob)
        finally:
            lock.release()

    def _warn_if_unset(self) -> None:
        """Warn once, in a net that is only evaluated."""
        if self.mode == "test" and self.session.unset is not None:
            self.session.unset.warn()
            self.session.unset = None

    def statistics(self) -> dict[str, float]:
        """Running means of statistics and loss layers over the forward() calls since the last reset."""
        return self._measured.means()

    def reset_statistics(self) -> None:
        """Forget the running means."""
        self._measured.reset()

    def reset_outputs(self, *layers: str) -> None:
        """Empty the lists of these MemoryOutput layers; without names, of all of them."""
        self.outputs.reset(*layers)

    # --- inspection --------------------------------------------------------------------------------

    def explain(self) -> str:
        """Layers, shapes, parameters, memory, fused operations and why others were not, each kernel's schedule.

        In a notebook, the text shows itself with a part for each section.
        """
        from mochac.inspect.explain import explain_session

        return explain_session(self.session)

    def dump(self, directory: str | Path) -> None:
        """Write every stage to files: graphs, kernels, schedules, LLVM IR, assembly, plan."""
        from mochac.inspect.dump import dump_session

        dump_session(self.session, Path(FOLDER.check("directory", directory, "dump")))

    @property
    def kernels(self) -> list[KernelRecord]:
        """The kernels of the main plan: the training step; without losses the test plan, else the prediction."""
        from mochac.inspect.kernel_records import kernel_records

        return kernel_records(self.session.main_plan().lowered, self.session.plans.backend)

    @checked_call
    def profile(self, n_iter: int | None = None, *, comm: Any = None, ordered: bool = True) -> Profile:
        """A table of time, GFLOP/s, GB/s, share and percent of the measured peak per kernel; changes no state.

        Args:
            n_iter: the least number of steps that are timed, >= 1; None: 50, or fewer where these take long.
            comm, ordered: as for train(): the step of one of several ranks, and what each of them exchanges.
        """
        from mochac.inspect.profile import profile

        ranks = self._ranks(comm, ordered)
        with Membership(self.session, ranks):
            return profile(self.session, n_iter, ranks)

    @checked_call
    def report(
        self,
        path: str | os.PathLike[str],
        *,
        n_iter: int | None = None,
        statistics: Mapping[str, Mapping[int, float]] | None = None,
        perfetto: str | os.PathLike[str] | None = None,
    ) -> None:
        """Write a page about a step of the main plan: one HTML file that needs nothing else; changes no state.

        It shows what a step costs and what limits its costliest kernels, timeline, roofline, graph, memory, curves of
        the training, and for each kernel the user's line, schedule, loop nest, LLVM IR and assembly.

        Args:
            n_iter: the least number of steps that are timed, >= 1; None: 50, or fewer where these take long.
            statistics: curves by name and iteration, as of a lounge; None: those of this program's last training.
            perfetto: where to write a trace of one step for https://ui.perfetto.dev; None: nowhere.

        Raises:
            OptionError: n_iter < 1, or the net computes nothing. SnapshotError: a file cannot be written. DataError:
                the next batches cannot be read.
        """
        from mochac.inspect.report.page import report

        page = Path(rules.path().check("path", path, "report"))
        trace = None if perfetto is None else Path(rules.path().check("perfetto", perfetto, "report"))
        report(self.session, page, n_iter, statistics, trace)

    def close(self) -> None:
        """Release everything; closing twice is harmless."""
        self.session.close()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def __dir__(self) -> list[str]:
        """The public names."""
        return sorted(n for n in super().__dir__() if not n.startswith("_") and n not in ("session", "start_training"))

    def __getattr__(self, name: str) -> NoReturn:
        raise missing(self, name)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        instead = "program.save(path) keeps its parameters, and copy.deepcopy(program.params) copies them"
        raise TypeError(f"a Program cannot be pickled or copied: {instead}")

    def __call__(self, *args: Any, **named: Any) -> NoReturn:
        raise not_callable(self)

    def _repr_html_(self) -> str:
        """In a notebook: a description of the program, and the net."""
        count = sum(array.size for array in self.parameters().values())
        rows = [
            ["mode", self.mode],
            ["dtype", self.dtype],
            ["batch", str(self.batch_size)],
            ["backend", str(self.session.plans.backend).removeprefix("backend ")],
            ["parameters", f"{count:,}"],
            ["seed", str(self.seed)],
        ]
        return titled(f"Program {self.name!r}", table([], rows), folded("the net", self.net.to_svg(), unfolded=True))

    def __repr__(self) -> str:
        return f"<Program {self.name!r}: {self.mode}, {self.dtype}, batch {self.batch_size}>"


def _by_name(call: str, args: tuple[object, ...], net: Net) -> None:
    """Refuse arrays without names."""
    if args:
        tops = ", ".join(f"{top}=..." for top in net.data_tops)
        hint = f"{call.removesuffix(')')}{tops})"
        raise OptionError(f"{call} takes arrays by the tops of the data layers", hint=hint)


def _earlier_parts(solver: Solver, ranks: Ranks) -> int | None:
    """Number of parts per batch in the snapshot that a training on several ranks continues; None without one."""
    return parts_of_newest(Path(solver.load_from)) if ranks.together and solver.load_from else None
