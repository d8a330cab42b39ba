"""One value that is null or undefined is one cause, wherever its function reads it."""

import linecache

import pytest

from wimble.engine.faults.same_mend.missing_values import chain_of, missing_value
from wimble.model.observation import Cause

SOURCE = """\
app.get('/trips/:id/start', (req, res) => {
  const trip = find(req.params.id);
  if (req.query.short) return res.json({ day: trip.start.day });
  res.json({ day: trip.start.day, hour: trip.start.hour, seat: trip.seats[0].row });
  const { driver: chauffeur } = trip;
  res.json({ first: chauffeur.name.first, last: other.name.last });
});
function show(trip) {
  const { hour } = trip.start;
  return rides.map((one) => one.driver.id + trip.start.hour);
}
const from = (trip) =>
  trip.start.hour + trip?.end.hour;
for (const place of await trip.places) print(place.town.name, place.town.code);
"""


def read(member: str, what: str = "null") -> str:
    return f"TypeError: Cannot read properties of {what} (reading '{member}')"


def value(tmp_path, line: int, message: str) -> tuple[int, str] | None:
    file = tmp_path / "app.js"
    file.write_text(SOURCE)
    found = missing_value(Cause(file=str(file), line=line, message=message))
    return None if found is None else found[1:]


@pytest.mark.parametrize(
    ("line", "message", "found"),
    [
        (3, read("day"), (2, "trip.start")),
        (4, read("hour", "undefined"), (2, "trip.start")),
        (4, read("start", "undefined"), (2, "trip")),
        (4, read("row", "undefined"), (2, "trip.seats[0]")),
        (6, read("first"), (5, "chauffeur.name")),
        # Other functions have other values of the same name.
        (9, "TypeError: Cannot destructure property 'hour' of 'trip.start' as it is undefined.", (8, "trip.start")),
        (10, read("hour"), (8, "trip.start")),
        (10, read("id"), (10, "one.driver")),
        (12, "TypeError: trip.stops is not iterable", (12, "trip.stops")),
        (14, read("code"), (14, "place.town")),
        # Either of two, and none that the line shows.
        (13, read("name"), None),
        (4, read("minute"), None),
        (4, "RangeError: Invalid time value", None),
    ],
)
def test_a_missing_value_is_known_by_its_expression_and_where_its_name_is_declared(tmp_path, line, message, found):
    assert value(tmp_path, line, message) == found


def test_a_line_that_reads_the_member_of_two_values_is_not_certain(tmp_path):
    file = tmp_path / "two.js"
    file.write_text("const far = from.hour - to.hour;\n")
    assert missing_value(Cause(file=str(file), line=1, message=read("hour"))) is None


def test_members_that_are_missing_in_one_chain_are_one_value_and_what_it_begins_with_is_another(tmp_path):
    file = tmp_path / "chain.js"
    file.write_text("call(`${flat.owner?.name} ${flat.owner.phone.trim()} ${flat.agent.phone.length}`);\n")

    def chain(member: str) -> tuple[str, int, int] | None:
        return chain_of(Cause(file=str(file), line=1, message=read(member)))

    start = file.read_text().index("flat.owner.phone.trim")
    assert chain("trim") == (str(file), 1, start)
    assert chain("owner") is None
    assert chain("phone") is None, "of the owner or of the agent"
    assert chain("length") not in (None, chain("trim"))
    file.write_text("call(`${flat.owner?.name} ${flat.owner.phone.trim()}`);\n")
    linecache.checkcache(str(file))
    assert chain("phone") == chain("trim") == (str(file), 1, start)
