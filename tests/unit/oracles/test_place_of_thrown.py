"""The place of an error of a database is the statement that has written the command."""

import msgspec
import pytest

from wimble.model.database import DatabaseCommand
from wimble.model.observation import Cause
from wimble.oracles import Judge

ERROR = "duplicate key value"
COMMAND = DatabaseCommand(
    database="d", dialect="postgres", call=0, text="INSERT INTO dogs VALUES ($1)", site="/srv/db.js:3", error=ERROR
)
IN_HELPER = "error: duplicate key value\n    at async query (/srv/db.js:3:28)"


@pytest.mark.parametrize(
    ("stack", "caller", "place"),
    [
        (IN_HELPER, "/srv/dogs.js:23", ("/srv/dogs.js", 23)),
        (IN_HELPER, "", ("/srv/db.js", 3)),
        (IN_HELPER.replace("db.js:3", "db.js:9"), "/srv/dogs.js:23", ("/srv/db.js", 9)),
        ("", "/srv/dogs.js:23", ("/srv/dogs.js", 23)),
    ],
)
def test_it_is_that_of_who_has_called_a_helper_which_hands_commands_on(make, stack, caller, place):
    line = 9 if "db.js:9" in stack else 3
    cause = Cause(file="/srv/db.js", line=line, message=f"error: {ERROR}", stack=stack)
    evaluation = make.evaluation((make.operation("POST"), make.answer(500, {})))
    (observation,) = evaluation.observations
    evaluation = msgspec.structs.replace(
        evaluation,
        observations=(msgspec.structs.replace(observation, cause=cause),),
        interactions=(msgspec.structs.replace(COMMAND, caller=caller),),
    )
    (finding,) = [one for one in Judge()(evaluation) if one.oracle == "server-error"]
    assert (finding.cause.file, finding.cause.line) == place
    assert finding.cause.is_place_thrown or not stack
