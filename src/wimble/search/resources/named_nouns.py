"""The resources that inputs name by a noun alone: `article` for what `POST /suppliers/{id}/articles` makes.

Names such as `articleId` say that they name one (`Resources.noun_named`). A noun alone may also be a text of its own
(`tag`, `plan`, `password`), so it counts only if what makes the resource answers with an identity, and for none that a
call makes itself.
"""

from __future__ import annotations

from wimble.model.operation import Operation
from wimble.model.resource_names import plain_name, singular
from wimble.search.resources.bindings import Bindings
from wimble.search.resources.resources import USUAL_NAMES, Resources


def noun_of_input(name: str, operation: Operation, resources: Resources, bindings: Bindings) -> str | None:
    """Returns the noun of the resource that an input of the operation names; None if it names none."""
    noun = resources.noun_named(name)
    if noun is not None or plain_name(name) in USUAL_NAMES:
        return noun
    bare = singular(name)
    creators = resources.creators_of(bare)
    if not creators or operation in creators:
        return None
    return bare if any(not one.entrance and bindings.has_identity(one, bare) for one in creators) else None
