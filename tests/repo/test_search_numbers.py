"""Each number that decides where the search goes stands in docs/search.md, with its value."""

import ast
import re
from importlib import import_module
from pathlib import Path

from source_files import SOURCE, tree_of

ROOT = Path(__file__).parents[2]
DECIDES = re.compile(
    r"SHARE|PROBABILITY|WEIGHT|PERIOD|ALLOWANCE|ELITISM|RANDOM_CHOICES|FACTOR|CREDIT|_BITS|EXPECTED|LINKED|_RANGE"
)
"""Names of numbers that decide; all others are bounds of time and memory."""


def deciding_numbers():
    """Yields `search.wandering.PROBABILITY`: layer, file, name. Names that a module imports are left out."""
    for folder in ("search", "genes"):
        for path in (SOURCE / folder).rglob("*.py"):
            for node in tree_of(path).body:
                target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
                if isinstance(target, ast.Name) and target.id.isupper() and DECIDES.search(target.id):
                    yield f"{folder}.{path.stem}.{target.id}"


def value_of(place):
    folder, stem, name = place.split(".")
    (path,) = (SOURCE / folder).rglob(f"{stem}.py")
    module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
    return getattr(import_module(module), name)


def test_each_deciding_number_is_told_once_with_its_value():
    first, _, others = (ROOT / "docs/search.md").read_text().partition("\n## All other probabilities")
    told = [f"search.{place}" for place in re.findall(r"^\|.*\| `([a-z_]+\.[A-Z_]+)` \|", first, re.M)]
    rows = re.findall(r"^\| .+ \| (.+) \| `([a-z_]+\.[a-z_]+\.[A-Z_]+)` \|$", others, re.M)
    assert len(rows) == others.count("\n| ") - 2
    assert {place: value for value, place in rows} == {place: str(value_of(place)) for _, place in rows}
    told += [place for _, place in rows]
    assert len(told) == len(set(told))
    assert not set(deciding_numbers()) - set(told)
