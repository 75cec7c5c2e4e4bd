"""What is written about the package is true of it: doctests, tables, links, examples."""

from __future__ import annotations

import doctest
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import blackjack
from blackjack import Strategy, analyze, simulate
from blackjack.cli import main
from blackjack.presets import HOUSES, PRESETS
from blackjack.rules import TABLE_FIELDS, Rules

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
MODULES = sorted(
    m.name
    for m in pkgutil.walk_packages(blackjack.__path__, "blackjack.")
    if not m.name.endswith("__main__")
)


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def table_rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the first table after a line that starts with `heading`."""
    lines = text[text.index(heading) :].splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert result.failed == 0


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_pages(path: Path) -> None:
    result = doctest.testfile(str(path), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert result.failed == 0


@pytest.mark.parametrize("path", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        there = path.parent / name if name else path
        assert there.exists(), target
        if anchor:
            headings = re.findall(r"^#+ (.+)$", there.read_text(encoding="utf-8"), re.MULTILINE)
            slugs = [re.sub(r"[^\w -]", "", h.lower()).replace(" ", "-") for h in headings]
            assert anchor in slugs, target


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=[pytest.mark.slow] * ("dask" in p.stem)) for p in EXAMPLES],
)
def test_examples_run(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_there_are_examples() -> None:
    assert len(EXAMPLES) >= 4


def test_rules_page_has_every_field_and_its_default() -> None:
    text = page("docs/rules.md")
    game = table_rows(text, "## The fields")
    table = table_rows(text, "The table's fields,")
    assert [row[0].strip("`") for row in table] == list(TABLE_FIELDS)
    stated = {row[0].strip("`"): json.loads(row[1].strip("`")) for row in game + table}
    assert stated == Rules().to_dict()


@pytest.mark.slow
@pytest.mark.parametrize("row", [0, 1])
@pytest.mark.parametrize("insured", [False, True])
def test_rules_page_states_the_edges_of_both_insurance_readings(row: int, insured: bool) -> None:
    pays, *edges = table_rows(page("docs/rules.md"), "What that makes of the whole game")[row]
    rules = Rules.preset("romanian").replace(insurance_pays=pays)
    chart = Strategy.published(rules).replace(insurance=insured)
    result = simulate(rules, chart, rounds=2e7, seed=11)
    stated = float(edges[insured].removesuffix(" %")) / 100
    assert abs(result.edge - stated) < 5 * (result.stderr + 0.00008)


def test_rules_page_has_every_preset() -> None:
    text = page("docs/rules.md")
    assert [name for name in PRESETS if f"`{name}`" not in text] == []


def test_api_page_has_every_public_name() -> None:
    text = page("docs/api.md")
    assert [name for name in blackjack.__all__ if f"`{name}" not in text] == []


def test_readme_table_of_houses_is_what_the_rules_say() -> None:
    rows = {row[0].strip("`"): row[1:] for row in table_rows(page("README.md"), "## The houses")}
    assert set(rows) == set(PRESETS)
    for name, rules in PRESETS.items():
        assert rows[name] == house_row(rules), name


def test_readme_states_the_edges() -> None:
    rows = table_rows(page("README.md"), "The house's edge, computed exactly")
    assert [row[0].strip("`") for row in rows] == list(PRESETS)
    for name, best, chart in rows:
        house = name.strip("`")
        assert best == f"{100 * analyze(house).house_edge:.4f} %"
        assert chart == f"{100 * analyze(house, strategy='chart').house_edge:.4f} %"


def test_charts_page_is_what_the_command_prints(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"## `(\w+)`\n\n```text\n(.*?)```", page("docs/charts.md"), re.DOTALL)
    assert [house for house, _ in blocks] == list(HOUSES)
    for house, text in blocks:
        assert main(["chart", house, "--no-color"]) == 0
        assert capsys.readouterr().out == text


def house_row(rules: Rules) -> list[str]:
    """A house in the README's columns: decks, dealer, blackjack, double, hands, surrender, boxes."""
    hole = {
        "peek": f"peeks on {' '.join(rules.peek_on)}",
        "no_peek": "hole card, no peek",
        "none": "no hole card",
    }[rules.hole_card]
    pays = str(rules.to_dict()["blackjack_pays"])
    if rules.suited_blackjack_pays is not None:
        pays += f", suited {rules.to_dict()['suited_blackjack_pays']}"
    double = "any two" if isinstance(rules.double_on, str) else " ".join(map(str, rules.double_on))
    return [
        str(rules.decks),
        f"{'hits' if rules.hit_soft_17 else 'stands on'} soft 17, {hole}",
        pays,
        double + ("" if rules.double_soft else ", hard"),
        str(rules.max_hands),
        rules.surrender,
        str(rules.boxes),
    ]
