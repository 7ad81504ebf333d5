"""The README's Python example does what it says there."""

import re
from contextlib import redirect_stdout
from io import StringIO

from tests.shared_data import ROOT


def test_python_example() -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    example = re.search(r"```python\n(.*?)```", page, flags=re.DOTALL)
    assert example is not None
    shown = [line[2:] for line in example[1].splitlines() if line.startswith("# ")]
    with redirect_stdout(StringIO()) as printed:
        scope: dict[str, object] = {}
        exec(example[1], scope)
    assert printed.getvalue().splitlines() == shown
    result = scope["result"]
    assert isinstance(result, dict)
    assert result["section_count"] == 2
