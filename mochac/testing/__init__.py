"""Checks for authors of passes, operations, layers and nets."""
