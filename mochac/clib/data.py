"""The constant data of a library, in one object: headers of files, initial parameters, tables, constants of inputs."""

from __future__ import annotations

from mochac.runtime.cpu.compiler import CpuInfo, compile_ir
from mochac.runtime.support.aligned import ALIGNMENT


class Data:
    """Bytes, each part at a multiple of 64."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._end = 0

    def take(self, content: bytes) -> int:
        """Add a part; returns its offset."""
        at = self._end
        padded = content + bytes(-len(content) % ALIGNMENT)
        self._parts.append(padded)
        self._end += len(padded)
        return at

    def object(self, symbol: str, cpu: CpuInfo) -> bytes:
        """Object code that defines a hidden symbol for them."""
        content = b"".join(self._parts) or bytes(ALIGNMENT)
        text = "".join(_SPELT[byte] for byte in content)
        constant = f'@{symbol} = hidden constant [{len(content)} x i8] c"{text}", align {ALIGNMENT}\n'
        return compile_ir(constant, cpu)


_SPELT = [f"\\{byte:02x}" for byte in range(256)]
