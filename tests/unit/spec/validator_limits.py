"""What openapi-core refuses though it is right: each entry is a limit of that validator, not of the request."""

from openapi_core.validation.request.exceptions import ParameterValidationError

from wimble.genes import Gene, MapGene, ObjectGene
from wimble.http.binding import binding_of
from wimble.types import ABSENT

TEXTS = (
    "EmptyQueryParameterValue",  # empty texts are texts
    "name='Authorization'",  # such header parameters "SHALL be ignored" (OpenAPI 3.0.3)
    "<Element ",  # XML is parsed, and then held against the schema of an object
    "ValidationError: 'b\\'",  # bodies of types that it does not parse
    "ValidationError: \"b'",
    "is not a 'time'",  # it takes times without the offset that RFC 3339 asks for, and those alone
    "DeserializeError(",  # exploded objects outside of queries; styles in multipart, where they mean nothing
    "CastError(value='{}', type='object')",  # JSON in a header
    "could not be resolved",  # discriminators that map to names of schemas
    # By the letter of 3.0.3, `nullable` beside `allOf` or an `enum` without null allows no null.
    "'None for not nullable'>, <ValidationError: \"None is not of type",
    '"None is not one of [',
    "MediaTypeNotFound",  # media types with parameters
)


def is_beyond(operation, genes, error):
    """Whether the validator cannot judge that request."""
    told = f"{error!r} {error.__cause__!r}"
    if any(text in told for text in TEXTS):
        return True
    if not isinstance(error, ParameterValidationError):
        # It knows the types of the fields of urlencoded forms alone.
        return "not of type" in told and any(
            form.media_type == "multipart/form-data" for one in binding_of(operation).inputs for form in one.forms
        )
    sent = {spec.name: (spec, gene) for spec, gene in zip(binding_of(operation).inputs, genes, strict=True)}
    spec, gene = sent.get(error.name, (None, None))
    if spec is None or gene.phenotype() in (ABSENT, []):
        return True  # not sent: the document's own default is judged, or a parameter that its path does not have
    # Exploded objects have no name on the wire, and in paths it knows the simple style alone.
    return spec.style in ("matrix", "label") or isinstance(_innermost(gene), ObjectGene | MapGene)


def _innermost(gene):
    """Without what is around it: optional, nullable, seeds."""
    while isinstance(inner := getattr(gene, "gene", None), Gene):
        gene = inner
    return gene
