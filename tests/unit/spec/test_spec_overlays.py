import pytest

from wimble.errors import SchemaError
from wimble.spec.loading.overlays import with_overlay

DOCUMENT = {
    "paths": {
        "/a": {"get": {"tags": ["x"], "parameters": [{"name": "p"}, {"name": "q"}, {"name": "r"}]}},
        "/b": {"get": {"x-internal": True}},
    }
}


def applied(*actions, notes=None):
    return with_overlay(
        DOCUMENT, {"overlay": "1.0.0", "actions": list(actions)}, "o.yaml", [] if notes is None else notes
    )


def test_update_merges_objects_and_appends_to_arrays():
    out = applied(
        {"target": "$.paths['/a'].get", "update": {"summary": "s", "tags": ["y"]}},
        {"target": "$.paths['/a'].get.parameters[?@.name == 'q']", "update": {"required": True}},
    )
    get = out["paths"]["/a"]["get"]
    assert (get["summary"], get["tags"], get["parameters"][1]) == ("s", ["x", "y"], {"name": "q", "required": True})
    assert "summary" not in DOCUMENT["paths"]["/a"]["get"]


def test_remove_takes_out_all_that_is_selected():
    out = applied(
        {"target": "$.paths[?@.get['x-internal']]", "remove": True},
        {"target": "$.paths['/a'].get.parameters[?@.name != 'q']", "remove": True},
    )
    assert out == {"paths": {"/a": {"get": {"tags": ["x"], "parameters": [{"name": "q"}]}}}}


def test_actions_without_effect_are_told():
    notes = []
    assert applied({"target": "$.nowhere", "update": {}}, {"target": "$.paths"}, notes=notes) == DOCUMENT
    assert ["selects nothing" in notes[0], "neither `update` nor `remove`" in notes[1]] == [True, True]


@pytest.mark.parametrize("action", [{"target": "$[", "remove": True}, {"update": {}}, "text"])
def test_malformed_actions_are_errors(action):
    with pytest.raises(SchemaError) as caught:
        applied(action)
    assert caught.value.slug == "bad-overlay"
