"""The constant data of a library, in one object: headers of files, initial parameters, tables, constants of inputs."""

from __future__ import annotations

from mochac.base.support.memory import ALIGNMENT
from mochac.runtime.cpu.compiler import CpuInfo, compile_ir


class Data:
    """Bytes, each part at a multiple of `alignment`."""

    def __init__(self, alignment: int = ALIGNMENT) -> None:
        self.alignment = alignment
        self._parts: list[bytes] = []
        self._end = 0

    def take(self, content: bytes) -> int:
        """Add a part; returns its offset."""
        at = self._end
        padded = content + bytes(-len(content) % self.alignment)
        self._parts.append(padded)
        self._end += len(padded)
        return at

    @property
    def n_bytes(self) -> int:
        """Bytes of all parts."""
        return self._end

    def object(self, symbol: str, cpu: CpuInfo) -> bytes:
        """Object code that defines a hidden symbol for them."""
        content = b"".join(self._parts) or bytes(self.alignment)
        text = "".join(_SPELT[byte] for byte in content)
        constant = f'@{symbol} = hidden constant [{len(content)} x i8] c"{text}", align {self.alignment}\n'
        return compile_ir(constant, cpu)


_SPELT = [f"\\{byte:02x}" for byte in range(256)]
