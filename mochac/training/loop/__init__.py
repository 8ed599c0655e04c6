"""The training loop, coffee breaks, snapshots and statistics."""
