"""From kernels to code: schedules and printers for each backend; generator.py is their interface to the pipeline."""
