"""ZIP packages, as Word, EPUB and their like are, read within limits.

Nothing is written to disk, no name is a path, and nothing is unpacked further than a limit allows:
the sizes that a package tells of itself are not believed.
"""

import io
import zipfile
import zlib
from typing import Final

from spanwise.errors import LimitExceeded, UnreadableSource
from spanwise.formats import Settings

RATIO_FROM: Final = 1 << 20
"""Bytes up to which a part may be packed as tight as it likes."""
_STEP: Final = 1 << 18
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ENCRYPTED: Final = 1
_FAULTS: Final = (zipfile.BadZipFile, zlib.error, OSError, EOFError, ValueError, RuntimeError)


class Package:
    """The parts of one package."""

    def __init__(
        self, data: bytes, settings: Settings, kind: str, outer: "Package | None" = None
    ) -> None:
        """`kind` is what to call it in errors, as in "Word document".

        A package within `outer` unpacks no more than what is left of the limit of that.
        """
        self._settings = settings
        self._kind = kind
        self._unpacked: list[int] = outer._unpacked if outer is not None else [0]
        if data.startswith(_OLE):
            raise UnreadableSource(
                f"not a {kind} that can be read: it is encrypted, or in the older binary format",
                reason="encrypted",
            )
        try:
            self._file = zipfile.ZipFile(io.BytesIO(data))
        except (*_FAULTS, NotImplementedError) as error:
            raise UnreadableSource(f"not a {kind}: no ZIP package: {error}") from None
        count = len(self._file.filelist)
        if count > settings.max_objects:
            raise LimitExceeded("max_objects", settings.max_objects, count, "parts of the package")
        # Names are told apart by their letters only, as those who wrote the format meant it.
        self._infos = {info.filename.lstrip("/").lower(): info for info in self._file.infolist()}

    def __contains__(self, name: str) -> bool:
        """Whether there is a part of that name."""
        return name.lstrip("/").lower() in self._infos

    def names(self) -> list[str]:
        """The names of all parts."""
        return [info.filename for info in self._file.infolist()]

    def read(self, name: str) -> bytes:
        """The bytes of a part.

        Raises LimitExceeded for `max_unpacked` and `max_ratio`, UnreadableSource where it is not
        there or broken.
        """
        info = self._infos.get(name.lstrip("/").lower())
        if info is None:
            raise UnreadableSource(f"not a {self._kind}: there is no {name} in it")
        if info.flag_bits & _ENCRYPTED:
            raise UnreadableSource(f"{name} is encrypted", reason="encrypted")
        limit = self._settings.max_unpacked
        ratio = self._settings.max_ratio
        parts = []
        size = 0
        try:
            with self._file.open(info) as stream:
                while step := stream.read(_STEP):
                    parts.append(step)
                    size += len(step)
                    self._unpacked[0] += len(step)
                    if self._unpacked[0] > limit:
                        raise LimitExceeded(
                            "max_unpacked", limit, self._unpacked[0], "bytes that are unpacked"
                        )
                    if size > RATIO_FROM and size > ratio * max(1, info.compress_size):
                        found = size // max(1, info.compress_size)
                        raise LimitExceeded(
                            "max_ratio", ratio, max(found, ratio + 1),
                            f"{name}: unpacked bytes for each packed one",
                        )  # fmt: skip
        except (*_FAULTS, NotImplementedError) as error:
            raise UnreadableSource(f"{name} cannot be unpacked: {error}") from None
        return b"".join(parts)
