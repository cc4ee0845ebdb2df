"""Treatise as a part of other tools: one module per tool, which must be installed.

=========================  ==========================================================================
``langchain``              ``TreatiseRetriever``, ``TreatiseAnswerTool``, ``TreatiseLoader``
``llama_index``            ``TreatiseRetriever``, ``TreatiseQueryEngine``, ``TreatiseNodeParser``,
                           ``TreatiseReader``
``haystack``               ``TreatiseRetriever``, ``TreatiseAnswerer``
``dspy``                   ``TreatiseRetriever``, ``treatise_tools``
``pydantic_ai``            ``treatise_tools``
``openai_agents``          ``treatise_tools``
``smolagents``             ``TreatiseAnswerTool``, ``TreatiseSearchTool``
``pyterrier``              ``TreatiseRetriever``, ``TreatiseIndexer``
``parsing``                ``parse_text``: trees of texts, and of documents of spaCy and Stanza
``trees``                  ``to_networkx``, ``to_nltk``, ``from_nltk``
``tables``                 ``rows``, ``to_pandas``, ``to_polars``
=========================  ==========================================================================

Each passage carries its document, source, page, section and offsets; ``docs/integrations.md`` says what is lost.
"""
