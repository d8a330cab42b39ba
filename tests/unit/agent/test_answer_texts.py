"""Agents recognise the parts of streams by the texts that programs parse."""

import pytest

from wimble.agent.protocol.answer_texts import answer_texts
from wimble.model.setup_kinds.answer import answers_in, new_answer
from wimble.model.testcase import TestCase


@pytest.mark.parametrize(
    ("form", "body", "texts"),
    [
        ("events", [{"a": 1}, "[DONE]"], ['{"a":1}', "[DONE]"]),
        ("events", [{"event": "line", "data": {"a": 1}, "id": "7"}], ['{"a":1}']),
        ("lines", [{"a": 1}, 2], ['{"a":1}', "2"]),
        ("messages", [{"a": 1}], ['{"a":1}']),
    ],
)
def test_a_part_is_known_by_what_is_parsed_of_it(form, body, texts):
    answer = new_answer("https://a.example:443", "GET", "/a", body=body, form=form, status=200)
    found = answer_texts(answers_in(TestCase((), (answer,))))
    assert [(one.text, tuple(one.path)) for one in found] == [(text, (str(at),)) for at, text in enumerate(texts)]
