"""From kernels to code: schedules and printers of each backend; generator.py is what the pipeline asks of them."""
