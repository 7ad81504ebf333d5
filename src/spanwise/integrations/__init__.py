"""Where people already work: chunks as the documents of LangChain, LlamaIndex and Haystack.

`to_langchain`, `to_llama_index` and `to_haystack` turn rows that are there already into keyword
arguments and import no framework. Splitters for pipelines are in `spanwise.integrations.langchain`,
`spanwise.integrations.llama_index` and `haystack_integrations.components.preprocessors.spanwise`;
each imports its framework, which comes with the extra of that name.
"""

from spanwise.integrations.records import to_haystack, to_langchain, to_llama_index

__all__ = ["to_haystack", "to_langchain", "to_llama_index"]
