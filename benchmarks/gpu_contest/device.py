"""The device, its package and compiler, as JSON; gpu.py runs it."""

import json

from mochac.runtime.cuda.compiler import find_compiler
from mochac.runtime.cuda.device import device

found = device(0)
with found.use() as driver:
    free, _ = driver.memory()
    facts = {**vars(driver.info), "free_bytes": free, "graphs": driver.graphs}
compiler = find_compiler()
print(json.dumps({**facts, "compiler": compiler and f"{compiler.name} {compiler.version}"}, indent=1))
