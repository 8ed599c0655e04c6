"""Inspection of compiled plans: explain, dump, replay, profile, roofline."""
