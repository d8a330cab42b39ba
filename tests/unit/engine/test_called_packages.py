"""A statement that takes long may only call another package that does."""

from pathlib import Path

import pytest

from wimble.engine.growth.called_packages import called_packages
from wimble.engine.growth.growth_phase import Growth
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.oracles.oracle import NO_CAUSE

SOURCE = """\
const matcher = require('matcher');
const { pad } = require("padding/lib/pad.js");
import parse, { text as asText } from 'parser';
const own = require('./own.js');
exports.any = (text, pattern) => matcher(pattern)(text);
exports.every = (list, pattern) => list.every(matcher.once(pattern));
exports.padded = (text) => own(pad(text));
exports.read = (text) => asText(parse(text));
exports.trimmed = (text) => text.replace(/\\s+$/, '');
"""


def at(folder: Path, line: int) -> Cause:
    file = folder / "index.js"
    file.write_text(SOURCE)
    return Cause(file=str(file), line=line)


@pytest.mark.parametrize(
    ("line", "found"),
    [(5, {"matcher"}), (6, {"matcher"}), (7, {"padding/lib/pad.js"}), (8, {"parser"}), (9, set())],
)
def test_packages_are_known_by_the_names_that_the_file_has_loaded(tmp_path, line, found):
    assert called_packages(at(tmp_path, line)) == found


def test_two_statements_that_call_one_package_with_one_piece_are_one_cause(tmp_path):
    def growth(line: int, piece: str) -> Growth:
        finding = Finding(
            oracle="super-linear-time",
            key=("x",),
            operation="f",
            title="",
            observed="",
            expected="",
            cause=NO_CAUSE,
            call_index=0,
        )
        return Growth(finding, piece, frozenset(), at(tmp_path, line))

    assert growth(5, "(").is_of_cause(growth(6, "("))
    assert not growth(5, "(").is_of_cause(growth(6, " "))
    assert not growth(5, "(").is_of_cause(growth(8, "("))
    assert not growth(9, " ").is_of_cause(growth(8, " "))
