"""The CUDA backend: driver, compiler, memory, libraries, and the executor that runs steps as CUDA graphs."""
