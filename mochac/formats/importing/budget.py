"""Budget: limits on the work and memory that a model may need until it is a net.

Even a small file may compute huge constants from other constants. Ordinary models need a small fraction of the limits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from mochac.formats.importing.node import ImportedNode

MAX_BYTES = 1 << 30
"""Maximum memory of computed constants, in addition to what the file stores."""
MAX_WORK = 1 << 32
"""Maximum elementary operations to compute constants: about ten seconds."""
MAX_ELEMENTS = 1 << 28
"""Maximum elements of a sample of a blob."""


@dataclass
class Budget:
    """What is left for the constants of one model.

    Attributes:
        bytes: of memory.
        work: elementary operations.
    """

    bytes: int = MAX_BYTES
    work: int = MAX_WORK

    @property
    def exceeded(self) -> bool:
        """Whether a node asked for more than was left."""
        return self.bytes < 0 or self.work < 0

    def take(self, node: ImportedNode, elements: int, itemsize: int) -> None:
        """Subtract the cost of a node that computes `elements` elements of a constant.

        Raises:
            UnsupportedError: too little is left.
        """
        self.bytes -= elements * itemsize
        self.work -= node.work(elements)
        if self.exceeded:
            what = f"{MAX_BYTES >> 20:,} MiB" if self.bytes < 0 else f"{MAX_WORK:,} operations"
            hint = "store its value in the file: tools such as onnxsim fold constants"
            raise node.refused("the constants of the model take too much to compute", f"at most {what}", hint=hint)


def too_large(extents: tuple[int, ...]) -> bool:
    """Whether a sample of a blob with these extents behind the batch has too many elements."""
    return math.prod(extents) > MAX_ELEMENTS
