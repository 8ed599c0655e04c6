"""LLVM IR for CPUs: rules that choose schedules (schedules/), the printer, and the step driver and worker team."""
