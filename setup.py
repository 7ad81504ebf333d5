"""Says which modules mypyc compiles; everything else about the build is in pyproject.toml.

Every extension is optional: where no C compiler works, the very same files are installed and run
interpreted. `SPANWISE_PURE=1` skips compiling altogether.
"""

import os
from pathlib import Path
from typing import NamedTuple

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

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


class Group(NamedTuple):
    """Modules that become one library, in which they call one another as C functions do."""

    library: str
    modules: list[str]
    """Paths."""
    optimize: str


def groups() -> list[Group]:
    """What mypyc compiles.

    Readers of formats were not seen to gain from what a compiler does beyond its first level,
    which takes it longer (docs/performance.md).
    """
    subjects = [str(SOURCE / name) for name in SUBJECTS]
    return [
        Group("spanwise", [*code_in("kernel"), *subjects], "3"),
        Group("spanwise_html", code_in("formats/html"), "1"),
        Group("spanwise_pdf", code_in("formats/pdf"), "1"),
    ]


def code_in(folder: str) -> list[str]:
    """Paths of the modules of a folder that are more than data."""
    return [
        str(path)
        for path in sorted((SOURCE / folder).glob("*.py"))
        if path.stem not in ("__init__", "names") and not path.stem.endswith("_tables")
    ]


def extensions() -> list[Extension]:
    """Extension modules for setuptools, or none when a pure build is asked for.

    For each group there is its library, called `GROUP__mypyc`, and for each module a small one
    that takes what it is from there.
    """
    if os.environ.get("SPANWISE_PURE"):
        return []
    from mypyc.build import mypycify

    # The strict checks are for `make check`: a build has no run-time dependencies at hand, and must
    # not fail on a remark of a type checker.
    options = ["--config-file=", "--ignore-missing-imports", "--follow-imports=silent"]
    all_groups = groups()
    levels = {f"{group.library}__mypyc": group.optimize for group in all_groups}
    built = []
    for extension in mypycify(
        [*options, *(path for group in all_groups for path in group.modules)],
        separate=[(group.modules, group.library) for group in all_groups],
        debug_level="0",
    ):
        assert isinstance(extension, Extension)
        extension.optional = True
        if os.name == "posix":
            level = levels.get(extension.name, "1")
            flags = [flag for flag in extension.extra_compile_args if not flag.startswith("-O")]
            # The last lets the compiler inline our functions into one another, as in a program.
            extension.extra_compile_args = [*flags, f"-O{level}", "-fno-semantic-interposition"]
        built.append(extension)
    return built


class BuildGroups(build_ext):
    """Builds side by side, and leaves a group out as a whole where its library does not build.

    So are those after it, since they may call what is in it.
    """

    def build_extensions(self) -> None:
        """Build what can be built; the rest runs interpreted."""
        self.parallel = self.parallel or os.cpu_count()
        super().build_extensions()
        left_out = False
        for group in groups():
            left_out = left_out or not self._made(f"{group.library}__mypyc").exists()
            if left_out:
                for module in group.modules:
                    name = ".".join(Path(module).relative_to("src").with_suffix("").parts)
                    self._made(name).unlink(missing_ok=True)

    def _made(self, name: str) -> Path:
        return Path(self.get_ext_fullpath(name))


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildGroups})
