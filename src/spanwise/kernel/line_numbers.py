"""Line numbers of offsets: lines end at LF, CR or CRLF (CommonMark 0.31.2, 2.1)."""

from mypy_extensions import i64


def line_numbers(text: str, offsets: list[int]) -> list[int]:
    """The line of each of `offsets`, which ascend: 1 + the line endings that end at or before it.

    Between the CR and the LF of one line ending, that line ending has not ended yet.
    """
    numbers: list[int] = []
    has_cr = text.find("\r") >= 0
    line: i64 = 1
    position: i64 = 0
    for offset in offsets:
        if offset > position:
            line += text.count("\n", position, offset)
            if has_cr:
                line += text.count("\r", position, offset)
                line -= text.count("\r\n", position, offset + 1)
            position = offset
        numbers.append(line)
    return numbers
