"""Says which modules mypyc compiles; everything else about the build is in pyproject.toml.

Every extension is optional: where no C compiler works, the very same files are installed and run
interpreted. `SPANWISE_PURE=1` skips compiling altogether.
"""

import os
from pathlib import Path

from setuptools import Extension, setup

SOURCE = Path("src/spanwise")
SUBJECTS = [
    "arrow/columns.py",
    "formats/grids.py",
    "formats/writer.py",
    "json_text.py",
    "markdown/chunking.py",
    "markdown/cutting.py",
    "markdown/front_matter.py",
    "markdown/inline.py",
    "markdown/inline_syntax.py",
    "markdown/layout.py",
    "markdown/parts.py",
    "markdown/runs.py",
    "markdown/sectioning.py",
    "markdown/units.py",
    "rows.py",
    "text.py",
]


def compiled_modules() -> list[str]:
    """Paths of what mypyc compiles: kernel, HTML and PDF without their data, and the subjects."""
    whole = [
        path
        for folder in ("kernel", "formats/html", "formats/pdf")
        for path in sorted((SOURCE / folder).glob("*.py"))
        if path.stem not in ("__init__", "names") and not path.stem.endswith("_tables")
    ]
    return [str(path) for path in [*whole, *(SOURCE / name for name in SUBJECTS)]]


def extensions() -> list[Extension]:
    """Extension modules for setuptools, or none when a pure build is asked for."""
    if os.environ.get("SPANWISE_PURE"):
        return []
    from mypyc.build import mypycify

    # The strict checks are for `make check`: a build has no run-time dependencies at hand, and must
    # not fail on a remark of a type checker.
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    built = []
    for extension in mypycify(
        [*options, *compiled_modules()], opt_level="3", group_name="spanwise"
    ):
        assert isinstance(extension, Extension)
        extension.optional = True
        if os.name == "posix":
            # Lets the compiler inline our functions into one another, as it may in a program.
            extension.extra_compile_args.append("-fno-semantic-interposition")
        built.append(extension)
    return built


setup(ext_modules=extensions())
