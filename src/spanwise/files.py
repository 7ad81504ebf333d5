"""Files: which ones a list of paths means, reading them as text, writing one in one step."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import IO, Final, NamedTuple, Self

from spanwise.errors import SpanwiseError, UnreadableSource, UnwritableOutput
from spanwise.formats import BY_SUFFIX
from spanwise.formats.sniffing import HEAD, is_document

STDIN: Final = "-"

TEXT_SUFFIXES: Final = frozenset(
    (".markdown", ".md", ".mdown", ".mdwn", ".mdx", ".mkd", ".mkdn", ".text", ".txt")
)
SUFFIXES: Final = TEXT_SUFFIXES | BY_SUFFIX.keys()
"""Which files a folder is searched for; in any case. A file that is named is always read."""

BOM: Final = b"\xef\xbb\xbf"


class SourceFile(NamedTuple):
    """A file to read; the order is that of the parts of its name."""

    parts: tuple[str, ...]
    source: str
    path: str
    size: int
    mtime_ns: int = 0
    known: bytes | None = None
    """The SHA-256 of the bytes that need not be cut again; None where nobody asks for one."""


class Found(NamedTuple):
    """What paths mean: the files, what is wrong with other paths, and which folders are complete.

    A scope is a folder as the names of its files begin, `docs/` or, for the one at hand, the empty
    string. It is named where the folder was searched without a fault: what is not among the files
    then is not there.
    """

    files: list[SourceFile]
    faults: list[SpanwiseError]
    scopes: list[str]


def source_name(path: str | PathLike[str]) -> str:
    """The name of a file in rows: its path as given, normalised, with forward slashes.

    Bytes that are not UTF-8 show as `\\xNN`, so that every name can be written.
    """
    name = os.fsencode(os.path.normpath(path)).decode("utf-8", "backslashreplace")
    return name.replace(os.sep, "/") if os.sep != "/" else name


def find_files(paths: list[str]) -> tuple[list[SourceFile], list[SpanwiseError]]:
    """The files that `paths` mean, sorted by name, each once, and what is wrong with other paths.

    A file that is named is taken whatever it is called. A folder is searched through all levels
    for the names in SUFFIXES, and for files without a suffix that begin like a document. What
    .gitignore files (those of the repository around it, too) and .git/info/exclude exclude is left
    out, and so is what starts with a dot. Links to files are followed; linked folders are not,
    unless they are named.
    """
    files, faults, _ = find_sources(paths)
    return files, faults


def find_sources(
    paths: Sequence[str], known: Callable[[str, os.stat_result], bool] | None = None
) -> Found:
    """As `find_files`, with the folders that were searched without a fault.

    `known` is asked by source name whether an unchanged file has been read as a document before; a
    file whose name does not tell is looked into only where it has not.
    """
    found: dict[str, SourceFile] = {}
    faults: list[SpanwiseError] = []
    scopes: list[str] = []
    for path in paths:
        try:
            status = os.stat(path)
        except (OSError, ValueError) as error:
            faults.append(unreadable(path, error))
            continue
        real = os.path.realpath(path)
        if not stat.S_ISDIR(status.st_mode):
            source = source_name(path)
            found.setdefault(real, source_file(source, path, status))
            continue
        folder = os.path.join(path, "")
        name = "" if os.path.normpath(path) == os.curdir else source_name(path).rstrip("/") + "/"
        before = len(faults)
        for below, real_path, status in walk(path, faults, known=_below(name, known)):
            found.setdefault(real_path, source_file(name + _shown(below), folder + below, status))
        if len(faults) == before:
            scopes.append(name)
    return Found(sorted(found.values()), faults, scopes)


def _below(
    name: str, known: Callable[[str, os.stat_result], bool] | None
) -> Callable[[str, os.stat_result], bool] | None:
    """The same question about paths below the folder called `name`."""
    return known and (lambda below, status: known(name + _shown(below), status))


def _shown(below: str) -> str:
    """A path below a folder as names of sources have it."""
    return below if below.isascii() and os.sep == "/" else source_name(below)


def has_suffix(path: str) -> bool:
    """Whether the path ends like one of a document."""
    return os.path.splitext(path)[1].lower() in SUFFIXES


def source_file(source: str, path: str, status: os.stat_result) -> SourceFile:
    """The file to read at `path`, called `source`."""
    return SourceFile(tuple(source.split("/")), source, path, status.st_size, status.st_mtime_ns)


def read_text(path: str | PathLike[str]) -> str:
    """The text of a UTF-8 file, without a byte order mark and with its line endings untouched.

    Raises UnreadableSource, which names the file, and the byte where it is not UTF-8.
    """
    return decode(read_bytes(path), source_name(path))


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The bytes of a file; UnreadableSource where it cannot be read."""
    try:
        with open(path, "rb", buffering=0) as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from None


def decode(data: bytes, source: str) -> str:
    """The text of UTF-8 bytes without a byte order mark; UnreadableSource where they are not."""
    skipped = len(BOM) if data.startswith(BOM) else 0
    try:
        return str(memoryview(data)[skipped:], "utf-8")
    except UnicodeDecodeError as error:
        byte = skipped + error.start
        raise UnreadableSource(
            f"{source}: not UTF-8 at byte {byte} (0x{data[byte]:02x})", source=source, byte=byte
        ) from None


def unreadable(path: str | PathLike[str], error: Exception) -> UnreadableSource:
    """The error for a file or folder that cannot be read."""
    source = source_name(path)
    return UnreadableSource(f"{source}: {_reason(error)}", source=source)


def _reason(error: Exception) -> str:
    """What the system says, in the middle of a sentence; a ValueError is about U+0000 in a path."""
    if not isinstance(error, OSError):
        return "a path cannot hold U+0000"
    said = error.strerror or str(error)
    return said[:1].lower() + said[1:]


# Walking


class _Rules:
    """The rules of one ignore file: what they say of paths below the folder it is for."""

    def __init__(self, folder: str, file: str) -> None:
        """Read `file`; OSError where there is none."""
        with open(file, "rb") as opened:
            lines = [line.removesuffix("\r") for line in os.fsdecode(opened.read()).split("\n")]
        import pathspec  # takes longer to import than walking a small folder

        self.skipped = len(folder) if folder.endswith(os.sep) else len(folder) + 1
        patterns = pathspec.GitIgnoreSpec.from_lines(lines).patterns
        self.patterns = [
            (pattern.regex, pattern.include)
            for pattern in reversed(list(patterns))
            if isinstance(pattern, pathspec.RegexPattern)
            and pattern.regex is not None
            and pattern.include is not None
        ]

    def verdict(self, path: str) -> bool | None:
        """True: excluded; False: included again; None: not spoken of. A folder ends with `/`.

        The last pattern that matches the path itself decides. One that matches a folder above is
        passed over: excluded folders are not entered, and the one that was named is entered anyway.
        """
        below = path[self.skipped :]
        for regex, include in self.patterns:
            for match in regex.finditer(below):
                # The group marks the slash after a folder that the pattern matches.
                slash = match.end("ps_d") if "ps_d" in regex.groupindex else -1
                if slash in (-1, len(below)):
                    return include
        return None


def walk(
    top: str,
    faults: list[SpanwiseError],
    taken: Callable[[str], bool] | None = None,
    hidden: bool = False,
    known: Callable[[str, os.stat_result], bool] | None = None,
) -> Iterator[tuple[str, str, os.stat_result]]:
    """Each file below `top` that is wanted: its path from there, its real path, its status.

    `taken` is asked about the first; without it, `has_suffix` is, and a file without a suffix is
    wanted where it begins like a document, or where `known` says that it did. What .gitignore files
    exclude is left out, and so are names that start with a dot unless `hidden`; `.git` always is.
    `faults` gets folders and links that cannot be read.
    """
    sniffs = taken is None
    taken = taken or has_suffix
    real = os.path.realpath(top)
    waiting = [("", real, _rules_above(real))]
    while waiting:
        below, folder, rules = waiting.pop()
        rules = [*_rules_of(folder, os.path.join(folder, ".gitignore")), *rules]
        try:
            with os.scandir(folder) as opened:
                entries = [
                    entry
                    for entry in opened
                    if not entry.name.startswith(".") or (hidden and entry.name != ".git")
                ]
                # Of several names for one file the same is taken every time.
                entries.sort(key=_entry_name)
        except OSError as error:
            faults.append(unreadable(os.path.join(top, below), error))
            continue
        for entry in entries:
            path = below + entry.name
            if entry.is_dir(follow_symlinks=False):
                if not _is_excluded(rules, f"{entry.path}/"):
                    waiting.append((path + os.sep, entry.path, rules))
            elif (
                taken(path) or (sniffs and _is_nameless_document(path, entry, known))
            ) and not _is_excluded(rules, entry.path):
                try:
                    if not entry.is_file():
                        continue
                    status = entry.stat()
                except FileNotFoundError:
                    continue  # it has just gone
                except OSError as error:
                    faults.append(unreadable(os.path.join(top, path), error))
                    continue
                real_path = os.path.realpath(entry.path) if entry.is_symlink() else entry.path
                yield path, real_path, status


def _entry_name(entry: "os.DirEntry[str]") -> str:
    return entry.name


def _is_nameless_document(
    path: str,
    entry: "os.DirEntry[str]",
    known: Callable[[str, os.stat_result], bool] | None,
) -> bool:
    """Whether a file whose name does not say what it is begins like a document."""
    try:
        if os.path.splitext(entry.name)[1] or not entry.is_file():
            return False
        if known is not None and known(path, entry.stat()):
            return True
        with open(entry.path, "rb", buffering=0) as file:
            return is_document(file.read(HEAD))
    except OSError:
        return False  # what cannot be read says nothing of itself


def _is_excluded(rules: list[_Rules], path: str) -> bool:
    """What the innermost ignore file that speaks of the path says."""
    if os.sep != "/":
        path = path.replace(os.sep, "/")
    for rule in rules:
        verdict = rule.verdict(path)
        if verdict is not None:
            return verdict
    return False


def _rules_above(folder: str) -> list[_Rules]:
    """The rules that the repository around `folder` has for it, innermost first."""
    above = [folder, *map(str, Path(folder).parents)]
    root = next((path for path in above if os.path.lexists(os.path.join(path, ".git"))), None)
    if root is None:
        return []
    rules = []
    for path in above[1 : above.index(root) + 1]:
        rules += _rules_of(path, os.path.join(path, ".gitignore"))
    return rules + _rules_of(root, os.path.join(_git_folder(root), "info", "exclude"))


def _rules_of(folder: str, file: str) -> list[_Rules]:
    try:
        return [_Rules(folder, file)]
    except OSError:
        return []  # most folders have none, and git passes over one it cannot read


def _git_folder(root: str) -> str:
    """The folder with the repository's own files, also where `root` is a linked work tree."""
    git = Path(root, ".git")
    if git.is_dir():
        return str(git)
    try:
        linked = Path(root, git.read_text("utf-8").removeprefix("gitdir:").strip())
        return str(linked / (linked / "commondir").read_text("utf-8").strip())
    except (OSError, ValueError):
        return str(git)


# Writing


class AtomicFile:
    """A file that is there whole or not at all: written beside its place, then moved into it.

    Leaving the context with an exception leaves what was there before. The permissions of a file
    that is replaced are kept, and a link goes on pointing to it. What is not a regular file
    (`/dev/null`, a pipe) is written directly.
    """

    def __init__(self, path: str | PathLike[str], tag: str | None = None) -> None:
        """Prepare for `path`; nothing is opened yet.

        With a `tag` the temporary file has a name of its own, `.NAME.TAG.tmp`, and what a killed
        process left there goes. That is for those who hold a lock.
        """
        self.path = os.path.realpath(path)
        self.tag = tag
        self.temporary: str | None = None

    def __enter__(self) -> Self:
        """Open the file to write to; UnwritableOutput where that cannot be done."""
        try:
            self._open()
        except (OSError, ValueError) as error:
            raise unwritable(self.path, error) from None
        return self

    def _open(self) -> None:
        try:
            mode: int | None = os.stat(self.path).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            self.file: IO[bytes] = open(self.path, "wb")  # noqa: SIM115
            return
        folder, name = os.path.split(self.path)
        temporary = os.path.join(folder, f".{name[:100]}.{self.tag or os.urandom(8).hex()}.tmp")
        if self.tag is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        # 0o666 less the umask, as for any new file; the random name must be new.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        self.file = open(os.open(temporary, flags, 0o666), "wb")  # noqa: SIM115
        self.temporary = temporary
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))

    def write(self, data: bytes) -> None:
        """Write more; UnwritableOutput where that cannot be done."""
        try:
            self.file.write(data)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put the file in its place, or, after an exception, take it away."""
        if kind is not None:
            self.discard()
            return
        self.settle()
        self.place()

    def settle(self) -> os.stat_result:
        """Bring all of it to the disk, under its temporary name; its status."""
        try:
            self.file.flush()
            if self.temporary is not None:
                os.fsync(self.file.fileno())
            status = os.fstat(self.file.fileno())
            self.file.close()
        except OSError as error:
            self.discard()
            raise unwritable(self.path, error) from None
        return status

    def place(self) -> None:
        """Put the file, which is settled, in its place."""
        if self.temporary is None:
            return
        try:
            os.replace(self.temporary, self.path)
        except OSError as error:
            self.discard()
            raise unwritable(self.path, error) from None
        self.temporary = None

    def discard(self) -> None:
        """Take away what was opened and is not in its place."""
        with contextlib.suppress(OSError):
            self.file.close()
        if self.temporary is not None:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(self.temporary)
            self.temporary = None


def sync_folder(path: str | PathLike[str]) -> None:
    """Bring to the disk which files the folder of `path` has, where the system has a way to."""
    if os.name != "posix":
        return
    folder = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
    try:
        os.fsync(folder)
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        os.close(folder)


def unwritable(path: str | PathLike[str], error: Exception) -> UnwritableOutput:
    """The error for an output that cannot be written."""
    name = source_name(path)
    return UnwritableOutput(f"cannot write {name}: {_reason(error)}", output=name)
