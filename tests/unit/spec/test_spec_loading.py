"""Text -> JSON value."""

import pytest

from wimble.errors import SchemaError
from wimble.spec.loading.document_text import load_file, load_text


def refusal(source):
    with pytest.raises(SchemaError) as caught:
        load_text(source, "api.yaml")
    assert caught.value.where == "api.yaml"
    return caught.value


def test_json_and_yaml_give_the_same_value():
    assert load_text('{"a": [1, 2.5, null, true]}', "x") == load_text("a:\n- 1\n- 2.5\n- ~\n- true", "x")


def test_yaml_words_of_the_old_standard_stay_text():
    value = load_text("[on, off, yes, no, y, 2020-01-02, 1:30, 0o17, 0x1F, 1e3, .5, -7, 'true', !!str 5]", "x")
    assert value == ["on", "off", "yes", "no", "y", "2020-01-02", "1:30", 15, 31, 1000.0, 0.5, -7, "true", "5"]


def test_keys_are_text_as_written():
    assert load_text("200: a\n0200: b\ntrue: c\n~: d\non: e", "x") == {
        "200": "a",
        "0200": "b",
        "true": "c",
        "~": "d",
        "on": "e",
    }


def test_merge_keys_give_way_to_own_keys_and_to_earlier_sources():
    value = load_text("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\nc: {z: 9, <<: [*a, *b]}", "x")
    assert value["c"] == {"z": 9, "x": 1, "y": 1}


@pytest.mark.parametrize(("source", "place"), [('{"a": 1, "a": 2}', ""), ("b: 1\na: 1\na: 2", "line 3: ")])
def test_a_key_given_twice_is_told(source, place):
    warnings = []
    assert load_text(source, "x", warnings)["a"] == 2
    assert len(warnings) == 1
    assert warnings[0].startswith(f"x: {place}key `a` appears twice")


def test_json_with_a_trailing_comma_is_read_as_yaml_with_a_warning():
    warnings = []
    assert load_text('{"a": 1,}', "x", warnings) == {"a": 1}
    assert "line 1, column 9: not JSON" in warnings[0]


@pytest.mark.parametrize(
    ("source", "slug", "details"),
    [
        ("", "schema-empty", ""),
        (b"\x89PNG\r\n\xff", "schema-not-text", "byte 0"),
        ("<!doctype html><p>", "schema-not-json", "HTML"),
        ('{"a": }\n "b": [}', "schema-not-json", "line 1, column 7"),
        ("a: b\n c: [d", "schema-not-json", "line 2, column"),
        ("a: b: c", "schema-not-json", "line 1, column 5"),
    ],
)
def test_what_cannot_be_read_says_where(source, slug, details):
    error = refusal(source)
    assert error.slug == slug
    assert details in " ".join(error.details)
    assert error.hint


@pytest.mark.parametrize(
    "source", ["[" * 200_000, "[" * 200_000 + "]" * 200_000, "a:\n" + "- " * 100_000, '{"a":' * 100_000]
)
def test_depth_without_end_is_refused_and_does_not_end_the_process(source):
    assert refusal(source).slug == "schema-not-json"


def test_aliases_cannot_expand_without_bound():
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    assert "expand" in refusal("\n".join(lines)).details[0]


def test_merges_cannot_expand_without_bound():
    lines = ["a0: &a0 {x: 1}"] + [
        f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}], y{n}: 1}}" for n in range(1, 5)
    ]
    assert load_text("\n".join(lines), "x")["a4"] == {"x": 1, "y1": 1, "y2": 1, "y3": 1, "y4": 1}


def test_a_value_that_holds_itself_is_cut():
    warnings = []
    assert load_text("a: &a [1, *a]", "x", warnings) == {"a": [1, None]}
    assert "`*a`" in warnings[0]


def test_other_encodings_and_lone_surrogates():
    assert load_text('\ufeff{"a": 1}'.encode("utf-16-le"), "x") == {"a": 1}
    assert load_text(b'\xef\xbb\xbf{"a": 1}', "x") == {"a": 1}
    assert load_text(r'{"\ud800": "a\udfffb \ud83d\ude00"}', "x") == {"\ufffd": "a\ufffdb 😀"}


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    for path in (tmp_path / "none.json", tmp_path):
        with pytest.raises(SchemaError) as caught:
            load_file(path)
        assert caught.value.slug == "schema-unreadable"
        assert "directory" in caught.value.what
