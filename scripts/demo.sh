#!/bin/sh
# Shows what spanwise makes of this repository's own Markdown. Argument: where the program is.
set -eu
out=build/demo.chunks.jsonl
mkdir -p build

show() {
    printf '\n$ %s\n' "$*"
}

show spanwise --version
"$1/spanwise" --version
show spanwise outline README.md
"$1/spanwise" outline README.md
show spanwise chunk README.md docs -o $out
"$1/spanwise" chunk README.md docs -o $out
show head -n 3 $out
head -n 3 $out | "$1/python" -m json.tool --json-lines --no-ensure-ascii
