"""Plain typed Python that mypyc compiles: scanning text into integers, no I/O, no imports."""
