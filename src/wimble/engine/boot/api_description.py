"""Finds the description of the SUT's API, which may consist of several documents.

The sources are, in this order: what the user named; documents that the SUT serves; files of the project; GraphQL
endpoints of the SUT; the routes of its frameworks, which are added to any other description as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from msgspec.structs import replace

from wimble.engine.boot.api_port import await_another_server, find_api_port, is_served
from wimble.engine.boot.describe import (
    ignores_documents,
    is_file,
    is_on_sut,
    load_content,
    load_from_file,
    load_from_url,
)
from wimble.engine.boot.documents_in_project import documents_in_project
from wimble.engine.boot.explored_paths import PathExplorer
from wimble.engine.boot.graphql_endpoint import at_endpoint, discover_graphql, introspected
from wimble.engine.boot.read_document import Overlay, read_from
from wimble.engine.boot.routes_in_sut import (
    notes_on_routes,
    says_little,
    specification_from_routes,
    with_routes,
)
from wimble.engine.boot.served_documents import ServedDocuments
from wimble.errors import SchemaError
from wimble.execute.http.fetching import NOT_READY
from wimble.execute.sut.sut import Sut
from wimble.http.http_messages import HttpResponse
from wimble.model.operation import Specification
from wimble.model.routes import Route
from wimble.model.targets import TargetTable
from wimble.settings import Settings
from wimble.spec.graphql.endpoint_calls import introspection_request, is_graphql_answer, question
from wimble.spec.loading.discovery import WELL_KNOWN_PATHS
from wimble.spec.merged_specifications import merged

SHOWN_REFUSALS: Final = 8
SHOWN_ANSWERS: Final = 4
MAX_USERS: Final = 3
"""Maximum number of users whose credentials are tried on documents that are refused."""
REFUSED: Final = (401, 403)


class Described(NamedTuple):
    """The description that was found, and what is worth telling the user about the search for it."""

    specification: Specification
    notes: tuple[str, ...] = ()


def mounted_at(settings: Settings) -> str:
    """Returns the path of `--url`, without a trailing slash."""
    return urlsplit(settings.url or "").path.rstrip("/")


def load_files(settings: Settings, overlays: tuple[Overlay, ...]) -> dict[str, Specification]:
    """Returns the descriptions that the user named as files, by name. It needs no SUT.

    Raises: SchemaError; UsageError, if what the user named contradicts itself.
    """
    ignores_documents(settings.schemas, has_command=bool(settings.command))
    return {
        schema: load_from_file(schema, mounted_at(settings), overlays) for schema in settings.schemas if is_file(schema)
    }


class ApiDescription:
    """The search for the description of one running SUT's API."""

    def __init__(
        self, settings: Settings, sut: Sut, overlays: tuple[Overlay, ...], table: TargetTable | None = None
    ) -> None:
        """table: the targets of the SUT's code; None without an agent."""
        self._settings = settings
        self._sut = sut
        self._api = sut.api
        self._overlays = overlays
        self._table = table
        self._mounted = mounted_at(settings)
        self._notes: list[str] = []
        self._has_logged_in = False
        self._is_from_routes = False
        """Whether there is no document, so that the description is made of routes."""
        self._followed: frozenset[tuple[str, int]] | None = None
        """Lines (file, line) of the comparisons that exploring has followed; None if no path was explored."""
        self._refused: list[str] = []
        self._answers: Counter[str] = Counter()

    def find(self, files: Mapping[str, Specification]) -> Described:
        """Returns the description, and switches the SUT to the port of the API.

        files: the result of `load_files`.

        Raises: SchemaError.
        """
        settings = self._settings
        if ignores_documents(settings.schemas, has_command=bool(settings.command)):
            found = [self._from_routes_alone()]
        elif settings.schemas:
            found = [self._named(schema, files) for schema in settings.schemas]
        else:
            found = self._discovered()
        self._turn_to_api(found)
        specification = merged(found)
        if settings.command and not self._is_from_routes:
            specification = with_routes(specification, self._api)
        notes = notes_on_routes(specification, str(settings.working_dir.absolute()))
        return Described(specification, (*self._api.form.notes, *self._notes, *notes))

    # ---- what the user named ----------------------------------------------------------------------------------------

    def _named(self, schema: str, files: Mapping[str, Specification]) -> Specification:
        if schema in files:
            specification = files[schema]
            is_graphql = specification.kind == "graphql"
            return at_endpoint(specification, self._api, self._mounted) if is_graphql else specification
        if is_on_sut(schema):
            return self._at_path(schema)
        try:
            return load_from_url(schema, self._mounted, self._overlays)
        except SchemaError:
            if not schema.startswith(f"{self._api.base_url}/"):
                raise
            return self._at_path(schema.removeprefix(self._api.base_url))

    def _at_path(self, path: str) -> Specification:
        """Reads a document, a page that refers to documents, or a GraphQL endpoint. Raises: SchemaError."""
        url = self._api.base_url + path
        response = self._fetch(path)
        if response is not None and response.status == 200:
            served = self._served()
            found = served.look([path])
            if found:
                return merged(found)
            if "html" not in response.media_type:
                read = read_from(self._fetch, self._api.base_url)
                return load_content(response.body, url, self._mounted, read=read, overlays=self._overlays)
        asked = urlsplit(path).path or "/"
        if is_graphql_answer(self._api.ask(question(asked))):
            return introspected(self._api.ask(introspection_request(asked)), url, asked)
        said = "does not answer" if response is None else f"answers {response.status} without an API description"
        raise SchemaError(
            "schema-unreachable",
            f"{url} {said}",
            where="--schema",
            hint="Name the path of the document itself, or of the page (Swagger UI, Redoc, Scalar) that shows it.",
        )

    # ---- what is found ----------------------------------------------------------------------------------------------

    def _discovered(self) -> list[Specification]:
        project_dir = self._settings.working_dir if self._settings.command else None
        try:
            return self._on_sut_or_in(project_dir)
        except SchemaError as error:
            # The server that listens first may not be the server of the API.
            if project_dir is None or self._settings.port is not None or not await_another_server(self._api):
                return self._from_routes_or(error)
        try:
            return self._on_sut_or_in(project_dir)
        except SchemaError as error:
            return self._from_routes_or(error)

    def _from_routes_or(self, error: SchemaError) -> list[Specification]:
        """Returns a description made of routes that say little; raises the error if it has another reason."""
        found = self._from_routes() if error.slug == "schema-not-found" else None
        if found is None:
            raise error
        return [found]

    def _explored(self) -> list[Route]:
        if self._table is None or not self._sut.files:
            return []
        explorer = PathExplorer(self._sut, self._table, Random(self._settings.seed))
        routes = explorer.routes()
        self._followed = frozenset(explorer.followed)
        return routes

    def _from_routes(self) -> Specification | None:
        settings = self._settings
        if not settings.command:
            return None
        is_port_chosen = bool(settings.url) or settings.port is not None
        found = specification_from_routes(self._api, self._explored, is_port_chosen=is_port_chosen)
        if found is not None and self._followed is not None:
            found = replace(found, routes=replace(found.routes, explored=self._followed))
        self._is_from_routes = found is not None
        return found

    def _from_routes_alone(self) -> Specification:
        """Returns a description made of routes, whatever documents there are. Raises: SchemaError."""
        found = self._from_routes()
        if found is None and self._settings.port is None and await_another_server(self._api):
            found = self._from_routes()
        if found is None:
            raise SchemaError(
                "routes-not-found",
                f"no route was found in the running program, which listens on {self._api.base_url}",
                where="--schema none",
                details=self._api.form.notes,
                hint="Routes of the usual frameworks are found; for others, name a document with --schema FILE.",
            )
        return found

    def _on_sut_or_in(self, project_dir: Path | None) -> list[Specification]:
        api = self._api
        found = self._all_served(self._served())
        if not found and set(self._answers) == {str(NOT_READY)}:
            api.await_service()
            found = self._all_served(self._served())
        if found:
            return found
        for port in api.ports[1:] if self._settings.port is None else ():
            # Another server of the SUT may serve the API: it then serves the documents, too.
            found = ServedDocuments(partial(self._fetch, port=port), f"port {port}", "", self._overlays).look()
            if found:
                api.use_port(port)
                return self._that_are_served(found)
        if project_dir is not None:
            in_project = documents_in_project(project_dir, self._refused, self._overlays)
            if in_project:
                return self._of_project(in_project)
        graphql = discover_graphql(api, self._mounted, project_dir)
        if graphql is not None:
            return [graphql]
        routes = self._from_routes()
        if routes is not None and not says_little(routes):
            return [routes]
        raise self._nothing_found(project_dir)

    def _served(self) -> ServedDocuments:
        return ServedDocuments(self._fetch, self._api.base_url, self._mounted, self._overlays)

    def _all_served(self, served: ServedDocuments) -> list[Specification]:
        found = served.look()
        self._refused = served.refused
        self._answers = served.answers
        return self._that_are_served(found)

    def _that_are_served(self, found: list[Specification]) -> list[Specification]:
        """Returns the documents that describe what the SUT serves, if that can be told of any of them."""
        if len(found) < 2:
            return found
        states = [is_served(self._api, one) for one in found]
        if True not in states:
            return found
        for one, state in zip(found, states, strict=True):
            if state is False:
                self._notes.append(
                    f"{one.source}: left out, for the API answers each of its paths like one that does not exist "
                    "(--schema names documents that are used in any case)"
                )
        return [one for one, state in zip(found, states, strict=True) if state is not False]

    def _of_project(self, found: list[Specification]) -> list[Specification]:
        """Returns the files that describe what the SUT serves; the likeliest one if that cannot be told of any."""
        if len(found) < 2 or len(self._api.ports) > 1:
            return found[:1]
        return [one for one in found if is_served(self._api, one)] or found[:1]

    def _fetch(self, path: str, accept: str = "*/*", port: int | None = None) -> HttpResponse | None:
        """Fetches a document, with the credentials of the users if it is refused without."""
        response = self._api.fetch(path, accept, port)
        if response is None or response.status not in REFUSED:
            return response
        if not self._has_logged_in:
            self._has_logged_in = True
            self._api.log_in()
        for user in self._settings.users[:MAX_USERS]:
            answer = self._api.fetch(path, accept, port, user.name)
            if answer is not None and answer.status not in REFUSED:
                return answer
        return response

    # ---- which server -----------------------------------------------------------------------------------------------

    def _turn_to_api(self, found: Sequence[Specification]) -> None:
        """Switches to the server of the SUT that documents from files describe: a file does not name the server."""
        settings, sut, api = self._settings, self._sut, self._api
        if self._is_from_routes:
            return
        of_files = [one for one in found if one.kind != "graphql" and Path(one.source).is_file()]
        is_chosen = not settings.command or settings.url or settings.port is not None
        if is_chosen or len(of_files) < len(found):
            return
        port = find_api_port(api, merged(of_files))
        if not sut.is_alive:
            sut.restart()  # a request has ended it: the search will find and report that
        if port is not None and port != api.port:
            api.use_port(port)
        if port is None and len(api.ports) > 1:
            others = ", ".join(str(other) for other in api.ports[1:])
            self._notes.append(
                f"the SUT listens on several ports; the API is taken to be on {api.port} (--port N for another: "
                f"{others})"
            )

    def _nothing_found(self, project_dir: Path | None) -> SchemaError:
        is_started = bool(self._settings.command)
        where = f" and files such as openapi.yaml below {project_dir}" if project_dir is not None else ""
        nothing_else = ", no GraphQL endpoint and no route" if is_started else " and no GraphQL endpoint"
        answers = ", ".join(f"{count} x {answer}" for answer, count in self._answers.most_common(SHOWN_ANSWERS))
        package = self._sut.runtime.projects.describing_package(project_dir) if project_dir is not None else ""
        return SchemaError(
            "schema-not-found",
            f"no OpenAPI document{nothing_else} was found on {self._api.base_url}",
            details=(
                f"tried {', '.join(WELL_KNOWN_PATHS[:6])}, ... ({len(WELL_KNOWN_PATHS)} paths){where}",
                *((f"the API answered: {answers}",) if answers else ()),
                *(("no web framework has told a route, and no comparison with a path was seen",) if is_started else ()),
                *self._api.form.notes,
                *self._refused[:SHOWN_REFUSALS],
                "what can be done:",
                "  if there is a document: --schema FILE, --schema URL, or --schema /PATH where the API serves it",
                *((f"  let the program describe itself: {package}",) if package else ()),
                "  else write the paths and verbs down in openapi.yaml beside the program; schemas may be missing:",
                '  {"openapi": "3.0.3", "info": {"title": "API", "version": "1"},',
                '   "paths": {"/orders/{id}": {"get": {"responses": {}}}}}',
            ),
            hint="Name it with --schema FILE or --schema URL.",
        )
