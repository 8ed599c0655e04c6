"""Product: a contraction with one loop of rows, one of columns and one of terms.

    forward           y[n, o]  += x[n, f] * w[o, f]       both factors lie along the terms
    data gradient     dx[n, f] += dy[n, o] * w[o, f]      rows lie along the terms, columns along themselves
    weight gradient   dw[o, f] += dy[n, o] * x[n, f]      both lie along themselves

A batched product is one whose factors also share a loop of results. A product with several loops of rows, such as the
time of several samples, or the heads of queries that share a head of keys, is one of the last loop, batched over the
others: the second factor is the same for all of these.
"""

from __future__ import annotations

from dataclasses import replace

from mochac.base.records import record
from mochac.codegen.analysis.contraction import Contraction, contraction
from mochac.codegen.cpu.schedules.tiles import least_cost
from mochac.codegen.machine import Machine
from mochac.ir.kernel import Kernel
from mochac.ir.nest import loops

SCATTERED_CYCLES = 8
"""Cycles of a result whose neighbours in a vector lie apart in memory: it is stored alone, and an update reads two more
such numbers."""
NEAR = 4
"""It costs more than that if all results fill more than this part of L1: a quarter."""


@record
class Product:
    """A product of two buffers.

    Attributes:
        form: the contraction, whose shared loops include those over batches of rows.
        row, column, term: its other loops.
        left, right: the buffers of the factor with the rows and of the factor with the columns.
    """

    form: Contraction
    row: str
    column: str
    term: str
    left: str
    right: str

    @property
    def ends(self) -> tuple[str, ...]:
        """Buffers that the epilogue reads or stores."""
        return *self.form.epilogue, *(buffer.name for buffer in self.form.kernel.outputs)

    @property
    def forward(self) -> bool:
        """Whether neighbouring terms are neighbours in both factors."""
        return all(self.term in factor.contiguous for factor in self.form.factors)

    @property
    def data_gradient(self) -> bool:
        """Whether neighbouring columns are neighbours, and neighbouring terms of a row."""
        rows, columns = self.form.factors
        return self.term in rows.contiguous and self.column in columns.contiguous

    @property
    def weight_gradient(self) -> bool:
        """Whether neighbouring rows and neighbouring columns are neighbours."""
        rows, columns = self.form.factors
        return self.row in rows.contiguous and self.column in columns.contiguous

    def filling_lanes(self, lanes: int, machine: Machine) -> Product:
        """This weight gradient, with rows and columns exchanged if the rows fill vectors or tiles better than the
        columns."""
        rows, columns, terms = self.sizes()
        if not self.weight_gradient or rows < lanes:
            return self
        own, turned = (least_cost(n, -(-m // lanes), machine) for n, m in ((rows, columns), (columns, rows)))
        near = rows * columns * machine.vector_bytes // lanes <= machine.l1.n_bytes // NEAR
        if columns >= lanes and not (near and terms * (own - turned) > SCATTERED_CYCLES * rows * columns):
            return self
        return Product(self.form.turned, self.column, self.row, self.term, self.right, self.left)

    @property
    def rows_of_part(self) -> int:
        """The number of rows by which rules decide whether they take the product: those of one part of a batch. The
        order of sums depends on the rule, so the same rule must take one part and several parts together."""
        return self.form.extent[self.row] // self.form.kernel.parts

    def sizes(self) -> tuple[int, int, int]:
        """Numbers of rows, columns and terms."""
        extent = self.form.extent
        return extent[self.row], extent[self.column], extent[self.term]


def product(kernel: Kernel) -> Product | None:
    """The kernel as a product; None if it has other loops, or if a factor is not an element of a matrix."""
    form = contraction(kernel)
    return None if form is None else as_product(form)


def as_product(form: Contraction) -> Product | None:
    """A contraction as a product; None as in `product`."""
    if form.steps or not form.rows or [len(form.columns), len(form.terms)] != [1, 1]:
        return None
    *batch, row = form.rows
    (column,), (term,) = form.columns, form.terms
    if batch:
        form = replace(form, rows=(row,), shared=(*form.shared, *batch))
    elements = all(factor.direct and len(factor.loads) == 1 for factor in form.factors)
    if not elements or list(loops(form.kernel)) != [*form.shared, row, column, term]:
        return None
    left, right = (factor.loads[0].buffer for factor in form.factors)
    return Product(form, row, column, term, left, right)
