# Sourced by every script here. Gives ROOT (the project), WORK (a scratch folder), PYTHON, and the
# functions below. Nothing is written into the source tree but dist/ and wheelhouse/.
set -eu -o pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$ROOT"

if [ -z "${CI_WORK:-}" ]; then
    CI_WORK=$(mktemp -d)
    trap 'rm -rf "$CI_WORK"' EXIT
fi
export CI_WORK
WORK=$CI_WORK
JOBS=${CI_JOBS:-2}

# A Python that the project supports: $PYTHON, or the first one found.
find_python() {
    local name
    for name in ${PYTHON:-} python3 python3.13 python3.12 python3.11 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    echo "no Python of 3.11 or later found; set PYTHON" >&2
    return 1
}
PYTHON=$(find_python)

say() { printf '\n=== %s\n' "$*"; }

# venv NAME [PYTHON]: a fresh virtual environment in $WORK/NAME, with a current pip.
venv() {
    rm -rf "${WORK:?}/$1"
    "${2:-$PYTHON}" -m venv "$WORK/$1"
    "$WORK/$1/bin/python" -m pip install -q --upgrade pip
}

# bring_tests DIR: what the suite reads, without the source tree beside it, so that only an
# installed package can be tested there.
bring_tests() {
    rm -rf "$1"
    mkdir -p "$1"
    cp -R tests examples docs *.md LICENSE pyproject.toml "$1/"
}

# the_one PATTERN...: the single file that matches.
the_one() {
    if [ $# -ne 1 ] || [ ! -e "$1" ]; then
        echo "expected exactly one file, got: $*" >&2
        return 1
    fi
    printf '%s\n' "$1"
}
