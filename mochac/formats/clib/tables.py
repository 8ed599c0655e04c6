"""Names, scalars and tables of a library in C, as the templates print them.

The tables hold launches, arguments, scalars of an update and outputs, a row each. Scalars such as learning rates are C
expressions, from the formulas of the method and its policies.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from mochac.base.errors import InternalError, UnsupportedError
from mochac.base.escaping import RESERVED_IN_C, TEMPLATES, identifiers
from mochac.base.records import record
from mochac.formats.clib.memory import InstanceMemory
from mochac.formats.clib.plans import CpuPlan
from mochac.ir.plan import Placement
from mochac.lowering.plan_graphs import EVERY_N_ITER, FIRST_BATCH
from mochac.nets.solvers.method import Method
from mochac.nets.solvers.policy import Formula, is_whole
from mochac.runtime.cpu.team import shares

TAKEN = frozenset(
    "net n loss results given_ made_ predict_samples train_on evaluate_samples block bytes code i memory library check "
    "array address size begin np ctypes print str size_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t "
    "uint64_t intptr_t uintptr_t ptrdiff_t".split()
)
"""Local names in functions that take blobs and in the examples; types of standard headers."""
INCLUDED = frozenset(
    "abort abs atexit atof atoi atol atoll bsearch calloc clearerr div exit fclose feof ferror fflush fgetc fgetpos "
    "fgets fopen fprintf fputc fputs fread free freopen fscanf fseek fsetpos ftell fwrite getc getchar getenv gets "
    "index labs ldiv llabs lldiv main malloc mblen mbtowc memchr memcmp memcpy memmove memset perror printf putc "
    "putchar puts qsort rand random read realloc remove rename rewind rindex scanf select setbuf setvbuf sprintf "
    "srand sscanf strcat strchr strcmp strcpy strlen strstr strtod strtok strtol system time tmpfile tmpnam ungetc "
    "wctomb write".split()
)
"""Functions of headers that programs often include."""
PYTHON = frozenset(keyword.kwlist)
"""Keywords of Python: one of the examples is in Python."""
HEADERS = frozenset(
    "aio alloca arpa assert complex cpuid cpio ctype dirent dlfcn elf errno fcntl features fenv float fmtmsg "
    "fnmatch ftw glob grp iconv immintrin inttypes iso646 langinfo libgen limits link locale malloc math memory "
    "monetary mqueue ndbm netdb nl_types omp poll pthread pwd regex sched search semaphore setjmp signal spawn "
    "stdalign stdarg stdatomic stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings stropts "
    "syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx values wchar wctype wordexp "
    "xmmintrin".split()
)
"""Headers of C and POSIX, which a library's header with the same name would hide."""
TARGETS = frozenset(
    "all clean help install package test example objects libraries edit_cache rebuild_cache index page worker".split()
)
"""Targets of make and CMake, and files of a library."""
MATHEMATICS = frozenset(
    "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma "
    "fmax fmin fmod frexp gamma hypot ilogb j0 j1 jn ldexp lgamma llrint llround log log10 log1p log2 logb lrint "
    "lround modf nan nearbyint nextafter nexttoward pow remainder remquo rint round scalbln scalbn sin sinh sqrt "
    "tan tanh tgamma trunc y0 y1 yn".split()
)
"""Functions of math.h."""
MAX_CHARACTERS = 60
"""Maximum length of a library's name; names of its files and symbols are longer."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARED = re.compile(
    r"^(?:static|typedef|extern|HIDDEN|\}|struct|enum)\W[^\n]*?\b(?!enum|struct)([a-z]\w*)(?=\(|\[|;| \{| =)",
    re.MULTILINE,
)


@cache
def frame_names() -> frozenset[str]:
    """Names that the C code of every library declares, also in the file of the thread pool."""
    texts = [COMMENT.sub("", path.read_text()) for path in sorted((TEMPLATES / "c").glob("*.c.j2"))]
    return frozenset(name for text in texts for name in DECLARED.findall(text))


def identifier(text: str) -> str:
    """A library's name in C for any text; names of its functions begin with it.

    >>> identifier("LeNet-5 (small)"), identifier("2 moons"), identifier("double"), identifier("string")
    ('lenet_5_small', 'net_2_moons', 'net_double', 'net_string')
    """
    name = re.sub(r"[^a-z0-9]+", "_", text.lower())[:MAX_CHARACTERS].strip("_")
    if not name:
        return "net"
    groups = (RESERVED_IN_C, PYTHON, INCLUDED, HEADERS, TARGETS, MATHEMATICS, frame_names())
    taken = name.endswith("_t") or any(name in group for group in groups)
    return name if name[0].isalpha() and not taken else f"net_{name}"


def arguments(texts: Iterable[str]) -> dict[str, str]:
    """Distinct names of parameters of functions, by text.

    >>> arguments(["data", "a-b", "a_b", "int", "n", "memcpy"])
    {'data': 'data', 'a-b': 'a_b', 'a_b': 'a_b_2', 'int': 'int_', 'n': 'n_2', 'memcpy': 'memcpy_2'}
    """
    return identifiers(texts, TAKEN | PYTHON | INCLUDED | frame_names())


_CALLS = {"pow": "power", "sqrt": "square_root", "cos": "cosine", "exp": "power_of_e", "min": "least"}
"""Functions of templates/c/arithmetic.c.j2, by operation of a formula."""


@record
class Scalars:
    """Scalars that the library computes before an update.

    Attributes:
        settable: names of the policies, as in solver.hypers.
        names: scalars that the plan reads.
        lines: C statements that compute them from t, the number of completed updates.
        values: a C expression for each name.
    """

    settable: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def scalars_of(method: Method) -> Scalars:
    """The scalars of a method.

    Raises:
        UnsupportedError: a policy watches validations, or its value is not a formula.
    """
    kind = method.title
    if method.begin().watching(None):
        hint = "give the method a number, and call ..._set_scalar() when your program has validated"
        raise UnsupportedError(f"build: a policy of {kind} watches validations, which happen in Python", hint=hint)
    policies = method.policies()
    traced = method.with_policies({name: _Settable(name, method.policy(name)) for name in policies})
    try:
        formulas: Mapping[str, Any] = traced.hypers_since(Formula.argument(), 0)  # type: ignore[arg-type]
    except (TypeError, ValueError, AttributeError) as error:
        hint = "policies of your own: plain arithmetic of t, or the functions of mochac.nets.solvers.policy"
        raise UnsupportedError(f"build: a scalar of {kind} is not a formula of t", got=str(error), hint=hint) from None
    printer = _Printer(tuple(policies))
    values = tuple(printer.real(formula) for formula in formulas.values())
    return Scalars(tuple(policies), tuple(formulas), tuple(printer.lines), values)


class _Settable:
    """A policy whose value a user may replace."""

    def __init__(self, name: str, policy: Any) -> None:
        self._name, self._policy = name, policy

    def value(self, t: Any) -> Any:
        return Formula("set", self._name, self._policy.value(t))


class _Printer:
    """Prints formulas as statements that compute one value each."""

    def __init__(self, settable: tuple[str, ...]) -> None:
        self.lines: list[str] = []
        self._settable = settable
        self._known: dict[str, str] = {}

    def real(self, value: Any) -> str:
        """A double."""
        if isinstance(value, Formula):
            text = self._name(value)
            return f"(double){text}" if value.whole else text
        return _literal(float(value))

    def _operand(self, value: Any, whole: bool) -> str:
        if not whole:
            return self.real(value)
        return self._name(value) if isinstance(value, Formula) else f"INT64_C({int(value)})"

    def _name(self, formula: Formula) -> str:
        if formula.op == "t":
            return "t"
        text = self._text(formula)
        if text not in self._known:
            self._known[text] = f"v{len(self._known)}"
            kind = "int64_t" if formula.whole else "double"
            self.lines.append(f"const {kind} {self._known[text]} = {text};")
        return self._known[text]

    def _text(self, formula: Formula) -> str:
        op, args = formula.op, formula.args
        if op == "set":
            k = self._settable.index(args[0])
            return f"net->is_set[{k}] ? net->set[{k}] : {self.real(args[1])}"
        if op == "choose":
            condition = self._operand(args[0], True)
            return f"{condition} ? {self.real(args[1])} : {self.real(args[2])}"
        if op in _CALLS:
            return f"{_CALLS[op]}({', '.join(self.real(a) for a in args)})"
        whole = op != "/" and all(is_whole(a) for a in args)
        left, right = (self._operand(a, whole) for a in args)
        return f"{left} {op[0] if op == '//' else op} {right}"


def _literal(value: float) -> str:
    """A double that C reads as the same number.

    >>> _literal(0.1), _literal(3.0), _literal(-0.5), _literal(float("inf"))
    ('0.1', '3.0', '(-0.5)', '(1.0 / 0.0)')
    """
    if value != value or abs(value) == float("inf"):
        return "(1.0 / 0.0)" if value > 0 else "(0.0 / 0.0)"
    return repr(value) if value >= 0 else f"({value!r})"


_MANY = 1 << 20
"""More threads than any machine has."""
TYPES = {"f32": "F32", "f64": "F64", "i32": "I32", "u32": "I32", "i64": "I64", "u64": "I64", "bool": "BOOL"}
"""C names of the types of scalars."""


@record
class LaunchRow:
    """A launch: its function, the first word of its arguments and their number, its items, for how many threads it has
    work, the minimum of items that a thread takes, its phase, the number of its loop over time (0: none), and how often
    that is repeated."""

    symbol: str
    argument: int
    n_arguments: int
    items: int
    worth: int
    grain: int
    phase: int
    loop: int
    trips: int


@record
class ScalarRow:
    """A scalar in the memory of an instance: its offset, its type, and its number in the table of values."""

    offset: int
    type: str
    source: int = 0


@record
class OutputRow:
    """A blob of a prediction: its offset, bytes of a sample."""

    offset: int
    sample_bytes: int


@record
class PlanTables:
    """The tables of a plan on a CPU.

    Attributes:
        places: offset of every argument, or -1 - k for the batch of feed k.
        strides: bytes by which every argument moves in each iteration of its loop; empty without loops.
        reported: reported scalars by name.
    """

    name: str
    batch: int
    launches: tuple[LaunchRow, ...]
    places: tuple[int, ...]
    strides: tuple[int, ...]
    hypers: tuple[ScalarRow, ...]
    reported: Mapping[str, ScalarRow]
    outputs: tuple[OutputRow, ...]


def sources_of(scalars: Sequence[str], periods: Sequence[str]) -> dict[str, int]:
    """Numbers, in the table of values, of the scalars that the plans read: those of the method, then those of the
    library."""
    names = (*scalars, "step", "n_valid", FIRST_BATCH, *periods)
    return {name: k for k, name in enumerate(dict.fromkeys(names))}


def period(name: str) -> int:
    """The n of a scalar that is 1 in every n-th iteration."""
    return int(name.removeprefix(EVERY_N_ITER))


def tables_of(
    plan: CpuPlan, memory: InstanceMemory, feeds: Sequence[str], sources: Mapping[str, int], outputs: Sequence[str]
) -> PlanTables:
    """The tables of a plan.

    Args:
        feeds: tops of the data layers, in the order of the library's arguments.
        outputs: blobs, for plans that predict.
    """
    compiled = plan.plan
    placements = {p.name: p for p in compiled.placements}
    numbers = {feed.value: feeds.index(feed.top) for feed in plan.of.feeds}
    launches: list[LaunchRow] = []
    places: list[int] = []
    strides: list[int] = []
    for launch, share in zip(compiled.launches, shares(compiled, _MANY), strict=True):
        n_arguments, looped = len(launch.buffers), (launch.loop, launch.trips)
        shared = (launch.items, share.cap, share.grain)
        launches.append(LaunchRow(launch.symbol, len(places), n_arguments, *shared, launch.phase, *looped))
        strides += launch.strides or [0] * n_arguments
        for name in launch.buffers:
            at = placements[name]
            if at.place == "feed" and at.type.lanes:
                raise InternalError(f"plan {compiled.name!r} reads blocked batches")
            places.append(-1 - numbers[at.key] if at.place == "feed" else memory.place(at))
    hypers = [_scalar(p, memory, sources[p.key]) for p in compiled.placements if p.place == "hyper"]
    reported = {name: _scalar(placements[value], memory) for name, value in compiled.scalars}
    named = dict(compiled.named)
    out = [_output(placements[named[blob]], memory) for blob in outputs] if plan.of.kind == "predict" else []
    return PlanTables(
        name=plan.of.name,
        batch=plan.of.traced.batch,
        launches=tuple(launches),
        places=tuple(places),
        strides=tuple(strides) if compiled.loops else (),
        hypers=tuple(hypers),
        reported=reported,
        outputs=tuple(out),
    )


def _scalar(placement: Placement, memory: InstanceMemory, source: int = 0) -> ScalarRow:
    return ScalarRow(memory.place(placement), TYPES[placement.type.dtype], source)


def _output(placement: Placement, memory: InstanceMemory) -> OutputRow:
    kind = placement.type
    if placement.place != "arena":
        raise UnsupportedError(f"build: output {placement.name!r} is a copy of an input or of a parameter")
    return OutputRow(memory.place(placement), kind.storage_bytes // kind.shape[0])
