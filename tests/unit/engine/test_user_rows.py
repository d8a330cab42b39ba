"""A sign-up's rows become setup actions that insert the user under the same password."""

from collections import Counter
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from wimble.databases.mongo.document_values import ObjectId
from wimble.engine.queries.user_rows import MAX_READ, UserRows
from wimble.genes import ConstantGene, LinkedGene, ObjectGene, StringGene
from wimble.genes.taint_markers import is_like_marker
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.entrances import with_entrances
from wimble.model.database import (
    Column,
    ColumnRules,
    Database,
    DatabaseCommand,
    ForeignKey,
    Table,
    TableName,
    UniqueKey,
)
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint
from wimble.model.observation import GivenCredential
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.obtained import Obtained
from wimble.search.access.openings import entry_of_session
from wimble.search.access.stale_givers import giving_calls
from wimble.search.access.stored_users import StoredUsers
from wimble.search.access.user_calls import UserCalls
from wimble.types import OperationId


def column(name: str, kind: str = "text", **more) -> Column:
    return Column(name=name, type_name=kind, type=kind, **more)


ORGS = Table(
    name=TableName("orgs"), columns=(column("id", "integer", is_identity=True), column("name")), primary_key=("id",)
)
USERS = Table(
    name=TableName("users"),
    columns=(
        column("id", "integer", is_identity=True),
        column("org_id", "integer"),
        column("email"),
        column("password_hash"),
        column("role"),
        column("lowered", is_generated=True),
    ),
    primary_key=("id",),
    unique=(UniqueKey(("email",)),),
    foreign_keys=(ForeignKey(("org_id",), ORGS.name, ("id",)),),
)
DATABASE = Database(id="main", dialect="sqlite", tables=(ORGS, USERS))
ROWS = {
    "orgs": [{"id": 1, "name": "Demo"}, {"id": 2, "name": "Acme"}],
    "users": [
        {"id": 1, "org_id": 1, "email": "root@x.example", "password_hash": "h0", "role": "owner"},
        {"id": 7, "org_id": 2, "email": "me123@example.com", "password_hash": "h1", "role": "member"},
    ],
}
BODY = ObjectGene((("email", StringGene("me123@example.com")), ("password", StringGene("Passw0rd!"))))


def operation(path: str):
    inputs = [HttpInput(name="body", location="body", template=BODY, media_type="application/json")]
    return http_operation(id=OperationId(f"POST {path}"), method="POST", path=path, inputs=inputs)


SIGN_UP, LOGIN = with_entrances([operation("/signup"), operation("/login")])


def call_of(one) -> Call:
    return Call(one, tuple(given.template for given in one.inputs))


def evaluation(outcome: str = "ok", *tables: str) -> Evaluation:
    commands = [
        DatabaseCommand(database="main", call=0, site="", text=f"insert into {table} (x) values (?)", affected=1)
        for table in tables
    ]
    answer = SimpleNamespace(call_index=0, outcome=outcome)
    return Evaluation(
        test_case=TestCase((call_of(SIGN_UP),)), observations=(answer,), reached={}, interactions=tuple(commands)
    )


def rows_of(user_rows: UserRows, evaluated: Evaluation):
    return list(user_rows.of(evaluated, {"main": DATABASE}, lambda database, reader: ROWS[reader.table]))


def test_the_row_of_the_user_follows_those_that_the_same_sign_up_has_written():
    (found,) = rows_of(UserRows(), evaluation("ok", "orgs", "users"))
    org, user = found.setup
    assert (str(org.table), str(user.table)) == ("orgs", "users")
    assert [one.name for one in user.columns] == ["id", "org_id", "email", "password_hash", "role"]
    assert isinstance(user.genes[1], LinkedGene)
    assert user.genes[3] == ConstantGene("h1")
    assert found.peers["role"] == ("owner",)


@pytest.mark.parametrize("name", ["`users`", '"users"', "[Users]", '"public"."users"', "main.users"])
def test_names_of_tables_may_be_quoted_as_orms_do(name: str):
    (found,) = rows_of(UserRows(), evaluation("ok", name))
    assert str(found.setup[-1].table) == "users"


def test_a_row_that_was_there_before_is_referred_to():
    (found,) = rows_of(UserRows(), evaluation("ok", "users"))
    (user,) = found.setup
    assert user.genes[1].phenotype() == 2


def test_rows_that_the_test_case_has_inserted_or_made_before_come_along():
    inserted = stored().login(SIGN_UP.id, call_of(LOGIN), 0).setup[0]
    assert str(inserted.table) == "orgs"
    given = evaluation("ok", "users")
    (found,) = rows_of(
        UserRows(), msgspec.structs.replace(given, test_case=TestCase((call_of(SIGN_UP),), setup=(inserted,)))
    )
    assert [str(one.table) for one in found.setup] == ["orgs", "users"]
    assert isinstance(found.setup[-1].genes[1], LinkedGene)

    made = DatabaseCommand(database="main", call=0, site="", text="insert into orgs (x) values (?)", affected=1)
    user = msgspec.structs.replace(given.interactions[0], call=1)
    later = msgspec.structs.replace(
        given,
        test_case=TestCase((call_of(LOGIN), call_of(SIGN_UP))),
        observations=tuple(SimpleNamespace(call_index=index, outcome="ok") for index in range(2)),
        interactions=(made, user),
    )
    (found,) = rows_of(UserRows(), later)
    assert [str(one.table) for one in found.setup] == ["orgs", "users"]


def test_sign_ups_that_failed_or_stored_nothing_are_left_out_and_few_are_read():
    user_rows = UserRows()
    assert rows_of(user_rows, evaluation("refused", "users")) == []
    assert rows_of(user_rows, evaluation("ok", "orgs")) == []
    assert rows_of(user_rows, evaluation("ok")) == []
    n_found = sum(len(rows_of(user_rows, evaluation("ok", "users"))) for _ in range(MAX_READ + 3))
    assert n_found == MAX_READ


def stored() -> StoredUsers:
    users = StoredUsers(Random(1))
    (found,) = rows_of(UserRows(), evaluation("ok", "orgs", "users"))
    users.note_row(found)
    return users


def test_a_stored_user_mostly_has_the_role_with_which_the_program_compares():
    users = stored()
    users.note_login(users.login(SIGN_UP.id, call_of(LOGIN), 0), 0)
    for left, right, name in (
        ("member", "keeper", "request.user.role"),
        ("x", "brown", "user.colour"),
        ("a", "not a word", "role"),
    ):
        hint = ComparisonHint(target=1, call=0, operator="==", left=left, right=right, wanted=True, name=name)
        users.note_hint(hint)
    begun = [users.begun(OperationId("GET /admin"), is_forbidden=True) for _ in range(200)]
    roles = Counter(inserted_rows(one)[1].rows[0][4] for one in begun if one is not None)
    assert roles["keeper"] > roles["admin"]
    assert "brown" not in roles
    assert "not a word" not in roles


def test_a_test_case_with_the_rows_of_a_stored_user_alone_is_told_from_others():
    users = stored()
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    assert not users.is_login(login), "no stored user has logged in yet"
    users.note_login(login, 0)
    acting = TestCase((*login.calls, call_of(LOGIN)), login.setup)
    assert users.is_login(acting)
    assert not users.is_login(TestCase((call_of(SIGN_UP), *login.calls), login.setup))
    other = msgspec.structs.replace(login.setup[0], table=TableName("halls"))
    assert not users.is_login(TestCase(login.calls, (*login.setup, other)))


def test_a_stored_user_logs_in_under_another_name_with_the_same_password():
    test_case = stored().login(SIGN_UP.id, call_of(LOGIN), 0)
    body = next(gene.phenotype() for gene in test_case.calls[0].genes if isinstance(gene, ObjectGene))
    org, user = ({**dict(zip(one.columns, one.rows[0], strict=True))} for one in inserted_rows(test_case))
    assert body["email"] == user["email"] != "me123@example.com"
    assert (body["password"], user["password_hash"]) == ("Passw0rd!", "h1")
    assert user["org_id"] == org["id"]
    assert user["id"] != 7


def test_what_a_stored_user_may_do_is_varied_and_kept_where_it_has_opened_something():
    users = stored()
    assert users.begun(OperationId("GET /admin"), is_forbidden=True) is None
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    users.note_login(login, 0)
    begun = [users.begun(OperationId("GET /admin"), is_forbidden=True) for _ in range(200)]
    roles = [inserted_rows(one)[1].rows[0][4] for one in begun if one is not None]
    assert {"member", "owner", "admin"} <= set(roles)
    admin = next(one for one in begun if one is not None and inserted_rows(one)[1].rows[0][4] == "admin")
    users.note_admitted(TestCase((*admin.calls, call_of(SIGN_UP)), admin.setup), 1)
    again = [users.begun(SIGN_UP.id, is_forbidden=False) for _ in range(200)]
    roles = [inserted_rows(one)[1].rows[0][4] for one in again if one is not None]
    assert roles.count("admin") > len(roles) / 2 > 30


def test_a_stored_user_of_whom_an_operation_complains_in_another_way_has_passed_its_guard():
    users = stored()
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    users.note_login(login, 0)
    begun = [users.begun(OperationId("POST /signup"), is_forbidden=True) for _ in range(200)]
    admin, other = (
        next(one for one in begun if one is not None and inserted_rows(one)[1].rows[0][4] == role)
        for role in ("admin", "owner")
    )
    acting = TestCase((*admin.calls, call_of(SIGN_UP)), admin.setup)
    users.note_passed(acting, 1)
    users.note_forbidden(TestCase((*other.calls, call_of(SIGN_UP)), other.setup), 1)

    def share_of_admins() -> float:
        again = [users.begun(SIGN_UP.id, is_forbidden=True) for _ in range(200)]
        roles = [inserted_rows(one)[1].rows[0][4] for one in again if one is not None]
        return roles.count("admin") / len(roles)

    assert share_of_admins() > 0.7
    copies = [users.with_admitted(TestCase((*other.calls, call_of(SIGN_UP)), other.setup)) for _ in range(50)]
    assert sum(one.setup == admin.setup for one in copies) > 30
    foreign = TestCase((call_of(SIGN_UP), call_of(SIGN_UP)))
    assert users.with_admitted(foreign) is foreign
    users.note_forbidden(acting, 1)
    assert share_of_admins() < 0.5, "it had complained before it looked at the user"


def test_whoever_signs_up_after_a_stored_user_does_not_act_in_place_of_it():
    drafts = with_entrances([operation("/signup"), operation("/login"), operation("/drafts")])[-1]
    access = Access([SIGN_UP, LOGIN, drafts], Random(1))
    (found,) = rows_of(UserRows(), evaluation("ok", "orgs", "users"))
    access.stored_users.note_row(found)
    session = (GivenCredential("cookie", "sid", "cookie:sid"),)
    for giver in (SIGN_UP, LOGIN):
        access.obtained[giver.id] = Obtained(TestCase((call_of(giver),)), session)
        access.openings.note(drafts, entry_of_session(giver.id))
    earlier = (call_of(LOGIN), call_of(SIGN_UP))

    def giving():
        return list(giving_calls(UserCalls(access, Random(1)).carrying(call_of(drafts), earlier)))

    assert giving() == [1]
    access.stored_users.note_login(access.stored_users.login(SIGN_UP.id, call_of(LOGIN), 0), 0)
    assert giving() == [0]


def test_a_user_who_has_signed_up_in_the_same_test_is_no_stored_one():
    users = stored()
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    users.note_login(TestCase((call_of(SIGN_UP), *login.calls), login.setup), 1)
    assert not users.can_log_in


PEOPLE = Table(
    name=TableName("people"),
    columns=(
        column("_id", "objectid"),
        column("email"),
        column("role", rules=ColumnRules(values=("member", "admin"))),
        column("isStaff", "boolean", is_nullable=True),
        column("address.city", is_nullable=True),
    ),
)
DOCUMENT = {
    "_id": ObjectId("6b091f7c9d272a2ac676ea7d"),
    "email": "me123@example.com",
    "passwordHash": "h1",
    "role": "member",
    "address": {"city": "Bern"},
    "__v": 0,
}
OTHER_DOCUMENT = {"_id": ObjectId("6b091f7c9d272a2ac676ea7e"), "email": "x@example.com", "role": "owner"}


def documents_of(*tables: Table, collection: str = "people"):
    database = Database(id="main", dialect="mongo", tables=tables)
    write = DatabaseCommand(
        database="main", dialect="mongo", call=0, site="", text=f"{collection}.insert", affected=1, returned=None
    )
    signed_up = msgspec.structs.replace(evaluation("ok"), interactions=(write,))
    documents = {collection: [OTHER_DOCUMENT, DOCUMENT]}
    return list(UserRows().of(signed_up, {"main": database}, lambda database, reader: documents[reader.table]))


def test_the_document_of_a_user_is_copied_with_its_hash_and_other_rights():
    (found,) = documents_of(PEOPLE)
    (user,) = found.setup
    genes = dict(zip((one.name for one in user.columns), user.genes, strict=True))
    assert genes["passwordHash"] == ConstantGene("h1")
    assert genes["address"].phenotype() == {"city": "Bern"}
    assert "__v" not in genes
    assert found.peers["role"] == ("owner",)
    users = StoredUsers(Random(1))
    users.note_row(found)
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    (stored_row,) = inserted_rows(login)
    stored_user = dict(zip(stored_row.columns, stored_row.rows[0], strict=True))
    assert stored_user["email"] != "me123@example.com"
    assert stored_user["_id"]["$oid"] != DOCUMENT["_id"].hex
    users.note_login(login, 0)
    begun = [users.begun(OperationId("GET /admin"), is_forbidden=True) for _ in range(200)]
    varied = [dict(zip(row.columns, row.rows[0], strict=True)) for one in begun if one for row in inserted_rows(one)]
    assert {one["role"] for one in varied} >= {"member", "admin"}
    assert {True, None} <= {one.get("isStaff") for one in varied}


def test_the_collection_of_users_need_not_be_known_before():
    (found,) = documents_of(collection="members")
    (user,) = found.setup
    assert str(user.table) == "members"
    assert {"_id", "email", "passwordHash", "role", "address"} == {one.name for one in user.columns}


def test_words_of_the_code_are_roles_though_they_look_like_made_up_texts():
    """`admin` has the length and the letters of a marker."""
    for is_made_up, expected in (
        (lambda text: is_like_marker(text) and text != "admin", {"admin"}),
        (is_like_marker, set()),
    ):
        users = StoredUsers(Random(1), is_made_up)
        users.note_row(rows_of(UserRows(), evaluation("ok", "orgs", "users"))[0])
        users.note_login(users.login(SIGN_UP.id, call_of(LOGIN), 0), 0)
        for word in ("admin", "k3x9f"):
            compared = ComparisonHint(
                target=1, call=0, operator="==", left="member", right=word, wanted=True, name="req.user.role"
            )
            users.note_hint(compared)
        tried = list(users.others_to_try(OperationId("GET /admin")))
        assert {inserted_rows(one)[1].rows[0][4] for one in tried} == expected


def test_users_with_each_compared_right_are_tried_once_on_an_operation_until_one_is_let_in():
    users = stored()
    login = users.login(SIGN_UP.id, call_of(LOGIN), 0)
    users.note_login(login, 0)
    operation = OperationId("GET /drafts")
    for word in ("keeper", "warden"):
        compared = ComparisonHint(
            target=1, call=0, operator="==", left="member", right=word, wanted=True, name="req.user.role"
        )
        users.note_hint(compared)
    tried = list(users.others_to_try(operation))
    assert [inserted_rows(one)[1].rows[0][4] for one in tried] == ["keeper", "warden"]
    assert list(users.others_to_try(operation)) == []
    assert len(list(users.others_to_try(OperationId("GET /reports")))) == 2
    users.choose(operation, tried[0])
    assert users.take_chosen(OperationId("GET /reports")) is None
    assert users.take_chosen(operation) is tried[0]
    assert users.take_chosen(operation) is None


def test_a_role_takes_the_words_of_what_is_called_otherwise_where_roles_are_compared_with_none():
    users = stored()
    users.note_login(users.login(SIGN_UP.id, call_of(LOGIN), 0), 0)
    compared = ComparisonHint(
        target=1, call=0, operator="==", left="member", right="keeper", wanted=True, name="credentials.scope"
    )
    users.note_hint(compared)
    tried = list(users.others_to_try(OperationId("GET /drafts")))
    assert [inserted_rows(one)[1].rows[0][4] for one in tried] == ["keeper"]
