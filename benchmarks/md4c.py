"""md4c's full parse with empty callbacks, through a small C harness compiled when it is needed."""

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

HARNESS = """
#include <md4c.h>
static int block(MD_BLOCKTYPE type, void *detail, void *user) { return 0; }
static int span(MD_SPANTYPE type, void *detail, void *user) { return 0; }
static int text(MD_TEXTTYPE type, const MD_CHAR *from, MD_SIZE size, void *user) { return 0; }
int parse(const char *from, unsigned size) {
    MD_PARSER parser = {0, MD_DIALECT_COMMONMARK, block, block, span, span, text, 0, 0};
    return md_parse(from, size, &parser, 0);
}
"""


def compiled() -> Callable[[bytes, int], int]:
    """The C function `parse`. OSError where the header, the library or a compiler is missing."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "harness.c"), Path(folder, "harness.so")
        source.write_text(HARNESS)
        command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", str(library)]
        done = subprocess.run(
            [*command, str(source), "-lmd4c"], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise OSError("needs md4c and its header (Debian: apt-get install libmd4c-dev)")
        parse = ctypes.CDLL(str(library)).parse
    parse.argtypes = [ctypes.c_char_p, ctypes.c_uint]
    result: Callable[[bytes, int], int] = parse
    return result


def prepare(texts: list[str]) -> Callable[[], object]:
    """One pass over texts that are encoded beforehand."""
    parse = compiled()
    encoded = [(text.encode(), len(text.encode())) for text in texts]

    def run() -> None:
        for data, size in encoded:
            parse(data, size)

    return run
