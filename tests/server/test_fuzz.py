"""Every endpoint of the OpenAPI document with requests that nobody wrote: no 500, and replies as described.

Requests are as described, and against the description. ``TREATISE_TEST_FUZZ`` is the number of each for each endpoint;
they are others in each such run.
"""

import os
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.server.conftest import COFFEE, TEA, Start

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


N_REQUESTS = os.environ.get("TREATISE_TEST_FUZZ", "")
REQUESTS = settings(
    max_examples=int(N_REQUESTS or "4"),
    deadline=None,
    derandomize=not N_REQUESTS,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.mark.parametrize("mode", list(GenerationMode))
def test_no_request_breaks_the_server(start: Start, mode: GenerationMode) -> None:
    server = start()
    server.upload(tea_md=TEA, coffee_txt=COFFEE)
    description = schemathesis.openapi.from_url(f"{server.client.base_url}/api/v1/openapi.json")
    operations = [found.ok() for found in description.get_all_operations()]
    assert len(operations) > 30
    broken = [problem for operation in operations if (problem := _problem(operation, server, mode))]
    assert not broken, "\n\n".join(broken)
    assert server.client.get("/readyz").status_code == 200


def _problem(operation: Any, server: Any, mode: GenerationMode) -> str:
    """What an endpoint does wrong; empty if all is well."""

    @REQUESTS
    @given(case=operation.as_strategy(mode))
    def check(case: Any) -> None:
        reply = case.call(timeout=60)
        assert "Traceback" not in reply.text
        assert f"{Path.home()}/" not in reply.text
        assert str(server.services.state.folder) not in reply.text
        case.validate_response(reply, checks=CHECKS)

    try:
        check()
    except Unsatisfiable:
        assert mode is GenerationMode.NEGATIVE  # an endpoint without parameters has no wrong ones
    except (AssertionError, BaseExceptionGroup) as error:
        return f"{operation.label}: {error}"
    return ""
