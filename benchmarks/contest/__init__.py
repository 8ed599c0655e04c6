"""What the benchmark scripts share: nets as plain data, contenders that can build any of them, rounds, tables.

A net is a file of tasks/, a framework a file with_NAME.py, imported only where it is installed.
"""
