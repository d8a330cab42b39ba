"""Makes the inferred document of a run, and compares the API with the document that it has."""

from __future__ import annotations

from wimble import __version__
from wimble.describe.document_comparison import compared
from wimble.describe.inferred_document import Subject, inferred_document
from wimble.describe.sent_values import Key
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.write.finished_run import FinishedRun
from wimble.genes import Gene
from wimble.model.comparison import Comparison
from wimble.model.operation import Specification
from wimble.runtimes.runtime import ProjectIdentity
from wimble.types import Json


def described(run: FinishedRun) -> dict[str, Json]:
    """Returns the inferred document; {} if there is no operation over HTTP."""
    coordinator, sut = run.coordinator, run.sut
    _note_learnt(coordinator)
    settings, specification = coordinator.settings, coordinator.specification
    texts = frozenset(text for text in coordinator.table.constants.all_texts if isinstance(text, str))
    project = coordinator.runtime.projects.identity(settings.working_dir) if settings.command else ProjectIdentity()
    subject = Subject(
        title=(specification.title if specification.kind != "routes" else "") or project.name,
        version=project.version,
        summary=project.description,
        url=sut.api.base_url if sut.api.is_port_fixed or not settings.command else "",
        operations=specification.operations,
        unsure=_undocumented(specification),
        constants=texts,
        users=settings.users,
        secrets=settings.secrets,
        note=(
            f"Inferred by wimble {__version__} from calls and their answers. Each example was sent and answered as it "
            "is shown, apart from secrets (`***`) and long texts and lists, which are cut."
        ),
    )
    return inferred_document(subject, coordinator.records)


def comparison_of(run: FinishedRun) -> Comparison | None:
    """Returns the differences between the API and its document; None if it has no OpenAPI document."""
    coordinator = run.coordinator
    specification, routes = coordinator.specification, coordinator.specification.routes
    if specification.kind != "openapi":
        return None
    return compared(
        [operation for operation in specification.operations if operation.id not in routes.own_documents],
        coordinator.records,
        undocumented=_undocumented(specification),
        unserved=routes.unserved,
    )


def _note_learnt(coordinator: Coordinator) -> None:
    """Tells the records which undeclared parameters have improved a target, or come from a validator's schema."""
    learned = coordinator.strategy.sampler.learned
    for operation in coordinator.specification.operations:
        proven = learned.proven(operation)
        used = [*proven, *(one for one in learned.of(operation) if one.evidence == "schema")]
        keys: list[Key] = [
            ("body", ".".join(one.path))
            if one.location == "body" or one.location == "file"
            else (one.location, one.path[0])
            for one in used
        ]
        validated: dict[Key, Gene] = {
            (one.location, one.path[0]): one.template
            for one in used
            if one.evidence == "schema" and one.template is not None and len(one.path) == 1 and one.location != "file"
        }
        bodies = [body.template for body in learned.bodies_of(operation) if body.evidence == "schema"]
        if len(bodies) == 1:
            validated["body", ""] = bodies[0]
        coordinator.records.note_learnt(operation, keys, validated, learned.members_read(operation))


def _undocumented(specification: Specification) -> frozenset[str]:
    """Returns the ids of the operations that come from routes alone."""
    routes = specification.routes
    found = routes.registered if specification.kind == "routes" else routes.undocumented
    return frozenset(one.operation for one in found)
