"""Path parameters that choose a function or a collection."""

from wimble.model.hints import ComparisonHint, TableHint
from wimble.model.targets import Target, TargetTable
from wimble.spec.routes.keyed_paths import keyed_segments, with_key
from wimble.types import TargetId

TABLE = TargetTable()
BRANCH = TABLE.register(Target("branch", "/srv/app.js", 7, 0, "key true"))
CASES = [TABLE.register(Target("case", "/srv/app.js", line, 0, f"case {line}")) for line in (8, 9)]


def table(key, *keys, holds="functions"):
    return TableHint(target=BRANCH, call=0, key=key, keys=keys, holds=holds)


def case(left, right, target=CASES[0]):
    return ComparisonHint(
        target=TargetId(target), call=0, operator="identical", left=left, right=right, wanted=True
    )  # fmt: skip


def found(template, sent, *hints):
    return [(one.path, *one.keys) for one in keyed_segments(hints, template, sent, TABLE)]


def test_the_parameter_that_was_sent_as_the_key_has_those_of_the_table():
    hint = table("ab", "createPad", "deletePad")
    assert found("/api/{version}/{func}", "/api/1/ab", hint) == [("/api/{version}/{func}", "createPad", "deletePad")]
    assert found("/{kind}/{id}", "/ab/7", hint) == [("/{kind}", "createPad", "deletePad")]
    assert found("/{kind}", "/AB", hint) == [("/{kind}", "createPad", "deletePad")]
    assert found("/{kind}", "/a%20b/", table("a b", "x", "y")) == [("/{kind}", "x", "y")]


def test_a_text_that_is_no_whole_segment_or_that_several_have_tells_nothing():
    hint = table("ab", "createPad", "deletePad")
    assert not found("/{kind}/{id}", "/ab/ab", hint)
    assert not found("/ab/{id}", "/ab/ab", hint)
    assert not found("/{kind}.json", "/ab.json", hint)
    assert not found("/ab", "/ab", hint)
    assert not found("/{kind}", "/other", hint)
    assert not found("/{rest}", "/ab/c", hint)


def test_a_key_that_was_found_is_told_unless_all_of_them_were_looked_up_in_a_loop():
    (segment,) = keyed_segments([table("x", "x", "y")], "/{kind}", "/x", TABLE)
    assert (segment.found, segment.keys) == ("x", ("x", "y"))
    assert not found("/{kind}", "/x", table("x", "x", "y"), table("y", "x", "y"))
    assert found("/{kind}", "/ab", table("x", "x", "y"), table("ab", "x", "y")) == [("/{kind}", "x", "y")]


def test_the_cases_of_a_switch_are_keys_if_there_are_several():
    both = case("ab", "start"), case("ab", "stop", CASES[1])
    assert found("/jobs/{id}/{action}", "/jobs/1/ab", *both) == [("/jobs/{id}/{action}", "start", "stop")]
    assert not found("/jobs/{id}/{action}", "/jobs/1/ab", both[0])
    assert not found("/jobs/{id}/{action}", "/jobs/1/ab", case("ab", "start", BRANCH), case("ab", "stop", BRANCH))


def test_lists_are_collections_unless_the_parameter_stands_for_a_thing():
    hint = table("ab", "posts", "comments", holds="lists")
    assert found("/{collection}/{id}", "/ab/1", hint) == [("/{collection}", "posts", "comments")]
    for name in ("id", "userId", "user_id", "username", "owner", "apiKey"):
        assert not found(f"/baskets/{{{name}}}", "/baskets/ab", hint), name
    assert found("/{id}", "/ab", table("ab", "add", "drop")) == [("/{id}", "add", "drop")]


def test_the_keys_of_things_are_no_operations():
    assert not found("/{room}", "/blue", table("blue", "blue", "red", holds="things"))


def test_keys_that_are_numbers_or_ids_name_no_operation():
    hint = table("ab", "7", "b0f1e2d3c4b5a697", "order-12345", "a/b", "posts", holds="lists")
    assert found("/{collection}", "/ab", hint) == [("/{collection}", "posts")]


def test_a_key_takes_the_place_of_the_parameter():
    (segment,) = keyed_segments([table("ab", "x", "y")], "/api/{kind}/{id}", "/api/ab/1", TABLE)
    assert with_key("/api/{kind}/{id}", segment, "add") == "/api/add/{id}"
    assert with_key("/api/{kind}", segment, "a:$") == "/api/a:$"
    assert segment.is_of("/api/{kind}") and segment.is_of("/api/{kind}/{id}")
    assert not segment.is_of("/api/{kinds}") and not segment.is_of("/api/{kind}s")
