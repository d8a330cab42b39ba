"""XML that is written for any value is well-formed."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from wimble.model.setup_kinds.body_forms import text_parts
from wimble.types import Json
from wimble.xml_escapes import xml_escaped, xml_name

LEAVES = st.text() | st.integers() | st.booleans() | st.none()
NAMES = st.text(st.characters(exclude_characters=":@"))
"""Without prefixes of namespaces, which would have to be declared, and without attributes, which may not come twice."""
DOCUMENTS = st.dictionaries(NAMES, LEAVES | st.lists(LEAVES) | st.dictionaries(NAMES, LEAVES), min_size=1)


@given(name=st.text(), text=st.text())
def test_element_and_attribute_hold_any_text(name: str, text: str) -> None:
    tag = xml_name(name.replace(":", ""))
    document = f'<{tag} a="{xml_escaped(text, in_attribute=True)}">{xml_escaped(text)}</{tag}>'
    element = ElementTree.fromstring(document)
    assert element.get("a") == (element.text or "")


def test_what_xml_cannot_hold_is_replaced() -> None:
    assert xml_escaped("a\x00b\ud800") == "a\ufffdb\ufffd"
    assert xml_escaped('<"&\n', in_attribute=True) == "&lt;&quot;&amp;&#10;"
    assert xml_name("1 a") == "_1_a"


@given(value=DOCUMENTS)
def test_an_answer_in_xml_is_well_formed(value: dict[str, Json]) -> None:
    ElementTree.fromstring(text_parts("xml", {"root": value})[0])
