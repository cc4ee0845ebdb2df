"""Parts for LangChain (``pip install langchain-core``): a retriever, a tool and a document loader.

>>> import treatise
>>> from treatise.integrations.langchain import TreatiseRetriever
>>> library = treatise.open_library(store=getfixture("tmp_path") / "library.db")
>>> _ = library.add("Water boils at 100 degrees. Keep the leaves dry.", "tea.txt")
>>> TreatiseRetriever(library=library, k=1).invoke("When does water boil?")[0].page_content
'Water boils at 100 degrees.'
>>> library.close()
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool, ToolException
from pydantic import BaseModel, Field, GetPydanticSchema
from pydantic_core.core_schema import is_instance_schema

from treatise.core.errors import TreatiseError
from treatise.integrations.passages import Record, answer, cited_text, metadata, passages, sections
from treatise.pipeline.library import Library

LibraryField = Annotated[Library, GetPydanticSchema(lambda _type, _handler: is_instance_schema(Library))]
"""A library, which pydantic takes as it is."""


class TreatiseRetriever(BaseRetriever):
    """The passages of a library; their metadata has document, source, page, section, offsets and score.

    Attributes:
        library: Holds the documents.
        k: Most passages per question; None for as many as ``max_words`` allows.
        max_words: Budget of all passages together, in words.
        documents: Ids of the documents to search; None for all.
        where: Filter, such as ``"year >= 2020"``.
    """

    library: LibraryField
    k: int | None = None
    max_words: int = 300
    documents: Sequence[str] | None = None
    where: str = ""

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002  (LangChain's signature)
        k: int | None = None,
    ) -> list[Document]:
        found = passages(
            self.library,
            query,
            k=self.k if k is None else k,
            max_words=self.max_words,
            documents=self.documents,
            where=self.where,
        )
        return [Document(page_content=one["text"], metadata=metadata(one)) for one in found]


class AnswerInput(BaseModel):
    """What an agent passes to the tool."""

    question: str = Field(description="A question in plain words.")


class TreatiseAnswerTool(BaseTool):
    """Answers a question from a library, with citations; the artifact is the record of ``ask --json``."""

    name: str = "ask_documents"
    description: str = "Answers a question from a library of documents, with exact citations, or says that it cannot."
    args_schema: type[BaseModel] = AnswerInput
    response_format: str = "content_and_artifact"
    library: LibraryField
    max_words: int = 300
    documents: Sequence[str] | None = None
    where: str = ""

    def _run(self, question: str, **_: Any) -> tuple[str, Record]:
        try:
            found, record = answer(
                self.library, question, max_words=self.max_words, documents=self.documents, where=self.where
            )
        except TreatiseError as error:
            raise ToolException(str(error)) from error
        return cited_text(found), record


class TreatiseLoader(BaseLoader):
    """The sections of files as documents, in order; the formats are those of ``treatise index --formats``.

    Args:
        sources: Paths of files.
    """

    def __init__(self, *sources: str | Path) -> None:
        self._sources = sources

    def lazy_load(self) -> Iterator[Document]:
        """One document per section.

        Raises:
            SourceError: If a file cannot be read.
        """
        for source in self._sources:
            for text, of in sections(source):
                yield Document(page_content=text, metadata=of)
