"""Files with tables: columns that the program reads of a row are added."""

from random import Random

import pytest
from fake_sut import operation

from wimble.encoding import decode_test_case, encode_test_case
from wimble.genes import StringGene
from wimble.genes.text_table import TextTableGene
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.hints import InputHint
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.members import with_input
from wimble.search.learned.tables_in_files import as_table, with_column_read

(API,) = with_undeclared_inputs([operation("POST", "/imports")])
SHEET = LearnedInput(location="file", path=("sheet",))


def uploading(one):
    """A call that uploads a learnt file."""
    bare = Call(API, tuple(given.template.sampled(Random(1)) for given in API.inputs))
    call = with_input(bare, one, one.template, form=API.inputs[-1].media_types.index("multipart/form-data"))
    assert call is not None
    return call


def read(column, held):
    return InputHint(target=1, call=0, location="", path=(column,), held=held)


def test_a_column_that_is_read_of_a_row_is_added_and_the_table_is_sent_as_a_file():
    table = as_table(SHEET, Random(1))
    call = uploading(table)
    (name,), (first, second) = table.template.content.columns, [one.value for one in table.template.content.cells]
    assert with_column_read(call, read("qty", {name: "other"}), Random(2)) is None
    assert with_column_read(call, read(name, {name: first}), Random(2)) is None
    wider = with_column_read(call, read("qty", {name: second}), Random(2))
    sent = build_request(uploading(wider)).body.decode()
    assert 'name="sheet"; filename="sheet.csv"\r\nContent-Type: text/csv' in sent
    header, *rows = sent.partition("\r\n\r\n")[2].splitlines()[:3]
    assert header == f"{name},qty"
    assert [row.split(",")[0] for row in rows] == [first, second]
    assert all(row.split(",")[1] for row in rows)
    test_case = TestCase((uploading(wider),))
    assert decode_test_case(encode_test_case(test_case), [API]) == test_case


@pytest.mark.parametrize(("value", "line"), [("a,b", '"a,b",1'), ('say "x"', '"say ""x""",1'), ("", ",1")])
def test_values_of_a_table_are_quoted_where_they_have_to_be(value, line):
    table = TextTableGene(("a", "n"), (StringGene(value), StringGene("1")))
    assert table.phenotype().splitlines() == ["a,n", line]
    assert table.with_child(1, StringGene("7")).phenotype().endswith(",7\n")
    assert table.with_value("text").phenotype() == "text"
