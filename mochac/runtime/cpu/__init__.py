"""Native code in the process: LLVM text to objects, objects to addresses, and the worker team that runs them."""
