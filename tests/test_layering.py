"""The shape of the code: what may import what, how long a module may be, what an import brings."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import blackjack
import blackjack_core

ROOT = Path(__file__).parent.parent
CORE = Path(blackjack_core.__file__).parent
FACADE = Path(blackjack.__file__).parent
SOURCES = sorted(
    p
    for folder in {CORE, FACADE, ROOT / "src/blackjack_core", ROOT / "src/blackjack"}
    for p in folder.rglob("*")
    if p.suffix in {".py", ".pyx", ".pxd", ".pyi", ".c", ".h"}
)
# Each module of the core may use only those before it.
ORDER = (
    "rng",
    "hand",
    "shoe",
    "ruleset",
    "state",
    "legality",
    "machine",
    "round",
    "desk",
    "plan",
    "automaton",
    "boxes",
    "stream",
    "simulate",
    "dealer",
    "analyze",
    "player",
    "splits",
    "solve",
    "rows",
    "removal",
    "pairs",
    "triples",
    "joint",
    "moments",
    "bench",
    "together",
    "outcomes",
    "memory",
)


def core_modules() -> list[str]:
    return sorted({p.name.partition(".")[0] for p in CORE.glob("*.pyi")})


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_core_does_not_import_the_facade() -> None:
    imports = "; ".join(f"import blackjack_core.{name}" for name in core_modules())
    code = (
        f"import sys; {imports}; print([m for m in sys.modules if m.split('.')[0] == 'blackjack'])"
    )
    assert run(code) == "[]"


def test_no_source_of_the_core_names_the_facade_in_an_import() -> None:
    pattern = re.compile(r"^\s*(?:from|import|cimport)\s+blackjack(?![_\w])", re.MULTILINE)
    # stubs may: they only name types
    core = [
        p
        for p in SOURCES
        if p.parent.name == "blackjack_core" and p.suffix in {".py", ".pyx", ".pxd"}
    ]
    assert core
    assert [p.name for p in core if pattern.search(p.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix in {".pyx", ".pxd"}], ids=str)
def test_core_modules_use_only_those_before_them(path: Path) -> None:
    name = path.name.partition(".")[0]
    text = path.read_text(encoding="utf-8")
    used = re.findall(r"^\s*from (?:blackjack_core)?\.(\w+) c?import", text, re.MULTILINE)
    if name != "__init__":
        assert [u for u in used if ORDER.index(u) > ORDER.index(name)] == []


@pytest.mark.parametrize("path", [p for p in SOURCES if p.suffix not in {".c", ".h"}], ids=str)
def test_no_module_is_longer_than_600_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 600


@pytest.mark.parametrize(
    "path",
    [p for p in SOURCES if p.suffix in {".py", ".pyx"} and p.stem != "__main__"],
    ids=str,
)
def test_every_module_says_what_lives_there(path: Path) -> None:
    first = path.read_text(encoding="utf-8").lstrip()
    assert first.startswith(('"""', "# ")), path


def test_no_run_time_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []


def test_import_brings_only_the_standard_library() -> None:
    code = (
        "import sys; before = set(sys.modules); import blackjack; "
        "new = {m.split('.')[0] for m in set(sys.modules) - before}; "
        "print(sorted(new - sys.stdlib_module_names - {'blackjack', 'blackjack_core'}))"
    )
    # Cython registers two modules of helper types; they are its own, not a dependency
    got = [m for m in eval(run(code)) if not m.startswith(("_cython_", "cython_runtime"))]
    assert got == []


def test_import_leaves_heavy_parts_of_the_standard_library_alone() -> None:
    heavy = "{'asyncio', 'multiprocessing', 'unittest', 'http', 'doctest', 'argparse', 'curses'}"
    code = f"import sys, blackjack; print(sorted({heavy} & set(sys.modules)))"
    assert run(code) == "[]"
