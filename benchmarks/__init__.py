"""What spanwise does in a second of processor time, beside others, in one run."""
