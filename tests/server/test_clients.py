"""Programs of others that speak to the server: a chat client and the inspector of the Model Context Protocol.

``scripts/clients`` installs both and runs these tests.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

LLM = shutil.which("llm")
INSPECTOR = shutil.which("mcp-inspector")


@pytest.mark.skipif(LLM is None, reason="the chat client `llm` is not installed: see scripts/clients")
def test_the_chat_client_llm_asks_streams_and_asks_further(shared: Any, tmp_path: Path) -> None:
    model = {"model_id": "treatise", "model_name": "treatise", "api_key_name": "treatise"}
    models = [{**model, "api_base": f"{shared.client.base_url}/v1"}]
    (tmp_path / "extra-openai-models.yaml").write_text(json.dumps(models))  # JSON is YAML

    def llm(*arguments: str) -> str:
        environment = {**os.environ, "LLM_USER_PATH": str(tmp_path)}
        environment.pop("PYTHONPATH", None)
        return subprocess.run(["llm", *arguments], check=True, capture_output=True, text=True, env=environment).stdout

    llm("keys", "set", "treatise", "--value", "none")
    for options in ((), ("--no-stream",)):
        answer = llm("-m", "treatise", *options, "Water boils at how many degrees?")
        assert "Water boils at 100 degrees" in answer
        assert "[1] tea.md · Tea > Making" in answer
    assert "within weeks" in llm("-c", "Light and air make tea stale within what?")


@pytest.mark.skipif(INSPECTOR is None, reason="the inspector is not installed: see scripts/clients")
def test_the_inspector_lists_and_calls_the_tools(shared: Any) -> None:
    def inspect(*arguments: str) -> Any:
        command = ["mcp-inspector", "--cli", f"{shared.client.base_url}/mcp", "--transport", "http", *arguments]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

    tools = {one["name"] for one in inspect("--method", "tools/list")["tools"]}
    assert tools == {"ask", "search", "summarize", "list_documents", "outline", "read"}
    templates = inspect("--method", "resources/templates/list")["resourceTemplates"]
    assert {one["name"] for one in templates} == {"documents", "document", "span"}
    read = inspect("--method", "resources/read", "--uri", "treatise://documents")
    assert json.loads(read["contents"][0]["text"])["total"] >= 2
    asked = ("--method", "tools/call", "--tool-name", "ask", "--tool-arg", "question=Water boils at how many degrees?")
    assert "100 degrees" in inspect(*asked)["structuredContent"]["answer"]
    refused = inspect("--method", "tools/call", "--tool-name", "read", "--tool-arg", "document=ffff")
    assert refused["isError"]
    assert "list_documents" in refused["content"][0]["text"]
