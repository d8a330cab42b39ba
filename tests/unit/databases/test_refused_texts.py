"""Messages of databases, as servers and drivers write them, tell which text they could not convert, and to what."""

import pytest

from wimble.databases.refused_texts import refused_text


@pytest.mark.parametrize(
    ("error", "found"),
    [
        ('invalid input syntax for type date: "e6tul"', ("e6tul", "date")),
        ('error: invalid input syntax for type timestamp with time zone: "a"b"', ('a"b', "moment")),
        ('invalid input syntax for type double precision: ""', ("", "number")),
        ('invalid input syntax for type uuid: "1"', ("1", "uuid")),
        ('invalid input syntax for type json: "x"', None),
        ("Incorrect date value: 'soon' for column `shop`.`orders`.`due` at row 1", ("soon", "date")),
        ("Incorrect datetime value: 'soon' for column 'due' at row 1", ("soon", "date")),
        ("Incorrect integer value: 'many' for column 'n' at row 1", ("many", "number")),
        ("Duplicate entry 'a' for key 'name'", None),
    ],
)
def test_a_refused_text_and_what_it_had_to_be(error, found):
    assert refused_text(error) == found
