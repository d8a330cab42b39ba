"""Answers of Elasticsearch, whose clients refuse what does not say that it is that product."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.model.external import ExternalRequest
from wimble.types import Json

_MEDIA_TYPE: Final = "vnd.elasticsearch+"


def search_answers(request: ExternalRequest) -> Iterator[Json]:
    """Yields bodies of successful answers; nothing if the client does not ask for what Elasticsearch sends."""
    if _MEDIA_TYPE not in request.header("accept"):
        return
    if request.path.endswith("/_search"):
        hit: Json = {"_index": "index", "_id": "id", "_score": 1.5, "_source": {}}
        for hits in ([hit], []):
            total: Json = {"value": len(hits), "relation": "eq"}
            shards: Json = {"total": 1, "successful": 1, "skipped": 0, "failed": 0}
            yield {
                "took": 1,
                "timed_out": False,
                "_shards": shards,
                "hits": {"total": total, "max_score": 1.5, "hits": list(hits)},
            }
    elif request.method == "GET":
        yield {"_index": "index", "_id": "id", "found": True, "_source": {}}
    yield {}
