"""CUDA C: rules that choose schedules (schedules/), and the printer; neither needs a device."""
