"""Parts for LlamaIndex (``pip install llama-index-core``): a retriever, a query engine, a node parser and a reader.

>>> import treatise
>>> from treatise.integrations.llama_index import TreatiseQueryEngine
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> str(TreatiseQueryEngine(library).query("When does water boil?"))
'Water boils at 100 degrees.'
>>> library.close()
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import RESPONSE_TYPE, Response
from llama_index.core.node_parser import NodeParser
from llama_index.core.node_parser.node_utils import build_nodes_from_splits
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.readers.base import BaseReader
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import BaseNode, Document, NodeRelationship, NodeWithScore, QueryBundle, TextNode

from treatise.compose import open_text_parser
from treatise.integrations.parsing import parse_text
from treatise.integrations.passages import Record, answer, metadata, passages, sections
from treatise.parse.dependencies import dependencies
from treatise.parse.parser import TextParser
from treatise.pipeline.library import Library


class TreatiseRetriever(BaseRetriever):
    """The passages of a library as nodes; their metadata has document, source, page, section and offsets.

    Args:
        library: Holds the documents.
        similarity_top_k: Most passages per question; None for as many as ``max_words`` allows.
        max_words: Budget of all passages together, in words.
        documents: Ids of the documents to search; None for all.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self,
        library: Library,
        similarity_top_k: int | None = None,
        *,
        max_words: int = 300,
        documents: Sequence[str] | None = None,
        where: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._library = library
        self._k = similarity_top_k
        self._of: dict[str, Any] = {"max_words": max_words, "documents": documents, "where": where}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        found = passages(self._library, query_bundle.query_str, k=self._k, **self._of)
        return [_node(one) for one in found]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        from asyncio import to_thread

        return await to_thread(self._retrieve, query_bundle)


class TreatiseQueryEngine(BaseQueryEngine):
    """Answers of a library; ``metadata`` is the record of ``ask --json``, and the source nodes are its evidence.

    Args:
        library: Answers, with its language model if it has one.
        max_words: Budget of the evidence in words; 0 for the recipe's own.
        documents: Ids of the documents to search; None for all.
        where: Filter, such as ``"year >= 2020"``.
    """

    def __init__(
        self, library: Library, *, max_words: int = 0, documents: Sequence[str] | None = None, where: str = ""
    ) -> None:
        super().__init__(callback_manager=None)
        self._library = library
        self._of: dict[str, Any] = {"max_words": max_words, "documents": documents, "where": where}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        found, record = answer(self._library, query_bundle.query_str, **self._of)
        evidence: list[Record] = record["evidence"]
        return Response(response=found.text, source_nodes=[_node(one) for one in evidence], metadata=record)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        from asyncio import to_thread

        return await to_thread(self._query, query_bundle)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}


class TreatiseReader(BaseReader):
    """Reads files into one document per section."""

    def load_data(self, file: str | Path, extra_info: dict[str, Any] | None = None) -> list[Document]:
        """The sections of a file, in order.

        Raises:
            SourceError: If the file cannot be read.
        """
        return [Document(text=text, metadata=of | (extra_info or {})) for text, of in sections(file)]


class TreatiseNodeParser(NodeParser):
    """Documents to nodes: a node per sentence, in its discourse tree.

    Of a sentence that depends on another one, the metadata has ``relation`` and ``nuclearity`` (``nucleus`` or
    ``satellite``), and ``PARENT`` is the other one, which has it among its ``CHILD`` nodes. ``start`` and ``end`` are
    characters of the text as a reader of Treatise normalises it.
    """

    def _parse_nodes(self, nodes: Sequence[BaseNode], show_progress: bool = False, **_: Any) -> list[BaseNode]:  # noqa: ARG002
        parser = open_text_parser()
        return [one for node in nodes if node.get_content().strip() for one in _sentence_nodes(node, parser)]


def _sentence_nodes(source: BaseNode, parser: TextParser) -> list[BaseNode]:
    parsed = parse_text(source.get_content(), units="sentence", parser=parser)
    texts = build_nodes_from_splits(list(parsed.units), source)
    for one, span in zip(texts, parsed.spans, strict=True):
        one.start_char_idx, one.end_char_idx = span.start, span.end
        one.metadata |= {"start": span.start, "end": span.end}
    for dependency in dependencies(parsed.tree):
        child, head = texts[dependency.child], texts[dependency.head]
        role = "nucleus" if dependency.is_nucleus else "satellite"
        child.metadata |= {"relation": dependency.relation, "nuclearity": role}
        child.relationships[NodeRelationship.PARENT] = head.as_related_node_info()
        below = head.relationships.setdefault(NodeRelationship.CHILD, [])
        if isinstance(below, list):
            below.append(child.as_related_node_info())
    return list(texts)


def _node(record: Record) -> NodeWithScore:
    id_ = f"{record['document']}-{record['start']}-{record['end']}"
    of = {key: value for key, value in metadata(record).items() if key != "score"}
    return NodeWithScore(node=TextNode(id_=id_, text=record["text"], metadata=of), score=record["score"])
