"""What is installed, and that the scripts and workflows around it hang together."""

from __future__ import annotations

import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import blackjack
import blackjack_core

ROOT = Path(__file__).parent.parent
CORE = Path(blackjack_core.__file__).parent
FACADE = Path(blackjack.__file__).parent
WORKFLOWS = ROOT / ".github" / "workflows"


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def installed() -> importlib.metadata.Distribution:
    try:
        return importlib.metadata.distribution("blackjack-engine")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("built in place, not installed")


def test_both_packages_are_typed() -> None:
    assert (CORE / "py.typed").exists()
    assert (FACADE / "py.typed").exists()


def test_every_compiled_module_has_a_stub() -> None:
    compiled = {p.name.partition(".")[0] for p in CORE.iterdir() if p.suffix in {".so", ".pyd"}}
    assert compiled
    assert compiled == {p.stem for p in CORE.glob("*.pyi")}


def test_the_version_is_said_once(project: dict[str, Any]) -> None:
    assert installed().version == project["project"]["version"]
    assert blackjack.__version__ == project["project"]["version"]


def test_every_requirement_is_optional() -> None:
    assert [r for r in installed().requires or [] if "extra ==" not in r] == []


def test_changelog_has_this_version(project: dict[str, Any]) -> None:
    if not (ROOT / "CHANGELOG.md").exists():
        pytest.skip("not beside the suite")
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {project['project']['version']}" in changelog


def test_this_python_is_one_we_say_we_support(project: dict[str, Any]) -> None:
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"Programming Language :: Python :: {version}" in project["project"]["classifiers"]


def test_the_script_is_the_command_line(project: dict[str, Any]) -> None:
    assert project["project"]["scripts"] == {"blackjack": "blackjack.cli:main"}
    entry = importlib.metadata.EntryPoint("blackjack", "blackjack.cli:main", "console_scripts")
    assert callable(entry.load())


@pytest.mark.skipif(not WORKFLOWS.exists(), reason="not beside the suite")
def test_workflows_only_call_scripts_that_exist() -> None:
    commands = [
        command
        for path in WORKFLOWS.glob("*.yml")
        for command in re.findall(
            r"^\s*- run: (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE
        )
    ]
    assert commands
    for command in commands:
        script = re.fullmatch(r"(?:python )?(\.ci/[\w.-]+)(?: dist)?", command)
        assert script is not None, command
        assert (ROOT / script[1]).exists()


@pytest.mark.skipif(not (ROOT / ".ci").exists(), reason="not beside the suite")
def test_the_readme_has_two_commands_of_one_line() -> None:
    sys.path.insert(0, str(ROOT / ".ci"))
    try:
        from readme import commands  # type: ignore[import-not-found,unused-ignore]
    finally:
        sys.path.pop(0)
    found = commands((ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(found) == 2
    assert "python -m blackjack" in found[0]
    assert "python -m pytest" in found[1]


def test_every_extra_that_an_error_names_exists(project: dict[str, Any]) -> None:
    named = set()
    for path in FACADE.rglob("*.py"):
        named |= set(
            re.findall(r'MissingExtra\("[^"]+", "([^"]+)"\)', path.read_text(encoding="utf-8"))
        )
    assert named
    assert named <= set(project["project"]["optional-dependencies"])
