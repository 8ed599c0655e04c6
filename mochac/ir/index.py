"""Affine index expressions and loop limits.

Kernels, schedules, the kernel interpreter and the printers use them for all arithmetic on indices.
"""

from __future__ import annotations

from collections.abc import Mapping

from mochac.base.records import record


@record(slots=True)
class Index:
    """const + sum(coefficient * loop variable); terms sorted by variable, no zero coefficients.

    >>> print(Index.var("oh") * 2 + Index.var("kh") - 1)
    kh + 2*oh - 1
    """

    terms: tuple[tuple[str, int], ...] = ()
    const: int = 0

    @staticmethod
    def var(name: str) -> Index:
        return Index(((name, 1),), 0)

    @staticmethod
    def of(value: Index | int) -> Index:
        return value if isinstance(value, Index) else Index((), int(value))

    @staticmethod
    def make(terms: Mapping[str, int], const: int) -> Index:
        return Index(tuple(sorted((v, c) for v, c in terms.items() if c)), const)

    def __add__(self, other: Index | int) -> Index:
        if isinstance(other, int):
            return Index(self.terms, self.const + other)
        terms = dict(self.terms)
        for v, c in other.terms:
            terms[v] = terms.get(v, 0) + c
        return Index.make(terms, self.const + other.const)

    __radd__ = __add__

    def __neg__(self) -> Index:
        return self * -1

    def __sub__(self, other: Index | int) -> Index:
        return self + (-other)

    def __rsub__(self, other: int) -> Index:
        return -self + other

    def __mul__(self, factor: int) -> Index:
        if not factor:
            return Index()
        return Index(tuple((v, c * factor) for v, c in self.terms), self.const * factor)

    __rmul__ = __mul__

    def coefficient(self, var: str) -> int:
        for v, c in self.terms:
            if v == var:
                return c
        return 0

    @property
    def vars(self) -> tuple[str, ...]:
        return tuple(v for v, _ in self.terms)

    @property
    def is_const(self) -> bool:
        return not self.terms

    def substitute(self, env: Mapping[str, Index]) -> Index:
        """Replace variables by expressions; variables not in `env` stay."""
        if not any(v in env for v, _ in self.terms):
            return self
        result = Index((), self.const)
        for v, c in self.terms:
            result = result + (env[v] * c if v in env else Index(((v, c),), 0))
        return result

    def divided(self, n: int) -> tuple[Index, Index]:
        """This index as n * whole + rest; terms with a multiple of n belong to `whole`.

        >>> print(*(Index.var("i") * 16 + Index.var("j") + 19).divided(16))
        i + 1 j + 3
        """
        whole = Index(tuple((v, c // n) for v, c in self.terms if c % n == 0), self.const // n)
        return whole, Index(tuple((v, c) for v, c in self.terms if c % n), self.const % n)

    def evaluate(self, env: Mapping[str, int]) -> int:
        """The value, given every variable."""
        return self.const + sum(c * env[v] for v, c in self.terms)

    def bounds(self, ranges: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
        """Smallest and largest value, given inclusive ranges of the variables; None if a range is unknown."""
        lo = hi = self.const
        for v, c in self.terms:
            if v not in ranges:
                return None
            a, b = ranges[v]
            lo += c * (a if c > 0 else b)
            hi += c * (b if c > 0 else a)
        return lo, hi

    def __str__(self) -> str:
        parts: list[str] = []
        for v, c in self.terms:
            sign = " - " if c < 0 else " + "
            body = v if abs(c) == 1 else f"{abs(c)}*{v}"
            parts.append((sign if parts else ("-" if c < 0 else "")) + body)
        if self.const or not parts:
            sign = " - " if self.const < 0 else " + "
            parts.append((sign + str(abs(self.const))) if parts else str(self.const))
        return "".join(parts)


@record(slots=True)
class Limit:
    """One side of a loop range: ceil(index / divisor), or several such candidates.

    The largest candidate is the lower limit; the smallest is the upper limit, which is exclusive.
    """

    candidates: tuple[tuple[Index, int], ...]

    @staticmethod
    def of(value: Index | int | Limit) -> Limit:
        return value if isinstance(value, Limit) else Limit(((Index.of(value), 1),))

    @property
    def const(self) -> int | None:
        """The value if it is a single constant, else None."""
        if len(self.candidates) == 1 and self.candidates[0][0].is_const:
            index, divisor = self.candidates[0]
            return -(-index.const // divisor)
        return None

    def values(self, env: Mapping[str, int]) -> list[int]:
        return [-(-i.evaluate(env) // d) for i, d in self.candidates]

    def substitute(self, env: Mapping[str, Index]) -> Limit:
        if not any(v in env for i, _ in self.candidates for v, _ in i.terms):
            return self
        return Limit(tuple((i.substitute(env), d) for i, d in self.candidates))

    @property
    def vars(self) -> tuple[str, ...]:
        return tuple(v for i, _ in self.candidates for v in i.vars)

    def text(self, joiner: str) -> str:
        """A single candidate as it is, several as max(...) or min(...), depending on `joiner`."""
        texts = [str(i) if d == 1 else f"ceil(({i}) / {d})" for i, d in self.candidates]
        return texts[0] if len(texts) == 1 else f"{joiner}({', '.join(texts)})"
