"""What parsers make of an answer has other paths than its body."""

import pytest

from wimble.feedback.answers.answer_places import place_at
from wimble.feedback.answers.form_paths import path_in_body
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import TestCase

RSS = {"rss": {"channel": {"item": [{"title": "a"}, {"title": "b"}]}}}
PARCEL = {"parcel": {"weight": {"@unit": "kg"}}}
PATHS = [
    ("xml", PARCEL, ("parcel", "weight", "@_unit"), ("parcel", "weight", "@unit")),
    ("xml", PARCEL, ("parcel", "weight", "$", "unit"), ("parcel", "weight", "@unit")),
    ("xml", PARCEL, ("parcel", "weight", "_attributes", "unit"), ("parcel", "weight", "@unit")),
    ("xml", PARCEL, ("parcel", "weight", "#text"), ("parcel", "weight", "#text")),
    ("xml", PARCEL, ("parcel", "weight", "0", "_"), ("parcel", "weight", "#text")),
    ("xml", PARCEL, ("parcel", "1", "weight"), None),
    ("xml", RSS, ("rss", "channel", "0", "item", "1", "title", "0"), ("rss", "channel", "item", "1", "title")),
    ("xml", RSS, ("rss", "channel", "item", "link"), ("rss", "channel", "item", "0", "link")),
    ("csv", [{"a": "1"}], ("data", "1", "zone"), ("1", "zone")),
    ("csv", [{"a": "1"}], ("0", "a"), ("0", "a")),
    ("csv", [{"a": "1"}], ("meta", "delimiter"), None),
    ("ini", {"a": "1"}, ("label", "format"), ("label", "format")),
    ("ini", {"a": "1"}, ("label", "format", "name"), None),
    ("events", [{"event": "x", "data": {}}], ("0", "amount"), ("0", "data", "amount")),
    ("events", [{"event": "x", "data": {}}], ("0", "data", "amount"), ("0", "data", "amount")),
    ("events", [{"event": "x", "data": {}}], ("0", "id"), ("0", "id")),
    ("events", [{}], ("0", "amount"), ("0", "amount")),
    ("json", {"a": []}, ("a", "0", "b"), ("a", "0", "b")),
]


@pytest.mark.parametrize(("form", "body", "path", "expected"), PATHS)
def test_a_path_of_a_parser_leads_to_its_place(form, body, path, expected):
    assert path_in_body(form, path, body) == expected
    assert expected is None or path_in_body(form, expected, body) == expected


def written(form, body, path, value):
    test_case = TestCase((), (new_answer("https://a.example:443", "GET", "/a", body=body, form=form),))
    place = place_at(test_case, 0, path, value)
    assert place is not None
    return test_case.with_gene(*place).setup[0].text(test_case.with_gene(*place))


def test_the_first_name_of_a_path_is_the_root_of_a_document():
    found = written("xml", {"root": {}}, ("Track", "Parcel", "0", "@_id"), "k3x9q")
    assert found == '<?xml version="1.0"?><Track><Parcel id="k3x9q"></Parcel></Track>'
    assert written("xml", RSS, ("rss", "channel", "item", "1", "title"), "c").endswith(
        "<item><title>a</title></item><item><title>c</title></item></channel></rss>"
    )


def test_a_text_of_which_a_member_is_read_becomes_an_element_with_that_text():
    path = ("Track", "Parcel", "$", "status")
    found = written("xml", {"Track": {"Parcel": "k3x9q"}}, path, "lost")
    assert found == '<?xml version="1.0"?><Track><Parcel status="lost">k3x9q</Parcel></Track>'
    assert written("json", {"a": "k3x9q"}, ("a", "b"), 1) == '{"a":{"b":1}}\n'


def test_rows_up_to_the_one_that_is_read_are_added():
    assert written("csv", [{"id": "7"}], ("data", "2", "zone"), "north") == "id,zone\n7,\n7,\n,north"
