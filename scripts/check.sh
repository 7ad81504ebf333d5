#!/bin/sh
# Format, lint, types, and generated files that are up to date. Argument: where the tools are.
set -eu
"$1/ruff" format --check --quiet .
"$1/ruff" check --quiet .
"$1/mypy" --no-error-summary
for script in scripts/make_*.py scripts/generate_*.py; do
    if [ -e "$script" ]; then
        "$1/python" "$script" --check
    fi
done
echo "check: all good"
