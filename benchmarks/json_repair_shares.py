"""How json-candidate-repair and the PyPI package json-repair fare on the invalid JSON of replies.

    python -m venv bench-env
    bench-env/bin/pip install . -r benchmarks/json-peers.txt
    bench-env/bin/python benchmarks/json_repair_shares.py [--differences]

The inputs are the contents of all fences tagged json, jsonc or json5 in the shared replies
(SPANWISE_TEST_DATA) that RFC 8259 refuses. `--differences` prints, for the inputs where both give a
value and the values differ, the input, our edits and both values.
"""

import argparse
import json
import os
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

from spanwise.json_text import apply_edits, json_fences, repair_json

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("SPANWISE_TEST_DATA", ROOT.parent / "shared" / "data"))


def inputs() -> list[str]:
    """The invalid contents, in the order of the replies."""
    with (DATA / "replies" / "replies.jsonl").open(encoding="utf-8", newline="\n") as lines:
        replies = [json.loads(line)["reply"] for line in lines]
    return [
        fence["content"]
        for reply in replies
        for fence in json_fences(reply, "json")
        if not fence["json_valid"]
    ]


def theirs(text: str) -> Any:
    """What json-repair makes of it; an empty string where it finds nothing."""
    return import_module("json_repair").loads(text)


def main() -> None:
    """Print the shares, and the differences on request."""
    parser = argparse.ArgumentParser(description="Compare repairs of real replies.")
    parser.add_argument("--differences", action="store_true", help="print where values differ")
    options = parser.parse_args()
    texts = inputs()
    statuses: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    peers: Counter[str] = Counter()
    same = different = 0
    for number, text in enumerate(texts):
        ours = repair_json(text)
        other = theirs(text)
        statuses[ours["status"]] += 1
        peers["nothing" if other == "" else "a value"] += 1
        rules.update({edit["rule"] for edit in ours["edits"]})
        if ours["reason"] is not None:
            reasons[ours["reason"]["code"]] += 1
        if ours["output"] is None:
            if options.differences:
                print(f"== {number} declined {ours['reason']}\n{text}-- json-repair: {other!r}\n")
            continue
        assert apply_edits(text, ours["edits"]) == ours["output"]
        value = json.loads(ours["output"])
        if value == other:
            same += 1
            continue
        different += 1
        if options.differences:
            print(f"== {number} differs\n{text}-- ours: {value!r}\n-- json-repair: {other!r}")
            print(f"-- edits: {[e for e in ours['edits'] if e['rule'] != 'comment']}\n")
    print(f"{len(texts)} invalid blocks; ours: {dict(statuses)}; json-repair: {dict(peers)}")
    print(f"both give a value: {same} the same, {different} different")
    print(f"reasons to decline: {dict(reasons.most_common())}")
    print(f"blocks by rule: {dict(rules.most_common())}")


if __name__ == "__main__":
    main()
