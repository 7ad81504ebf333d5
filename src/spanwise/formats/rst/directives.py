"""What directives of reStructuredText and Sphinx are read as, by their names."""

from typing import Final

CODE: Final = frozenset("code code-block sourcecode parsed-literal prompt doctest testcode".split())
"""A block of code, whose language is the argument."""
LABELLED: Final = frozenset(
    "attention caution danger error hint important note tip warning seealso todo".split()
)
"""A paragraph that begins with the name."""
TITLED: Final = frozenset(
    "admonition centered math topic sidebar rubric figure-md tab tab-item dropdown".split()
)
"""What the argument is a title or text of."""
VERSIONS: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "versionremoved": "Removed in version",
    "deprecated": "Deprecated since version",
}
"""What the name stands for before the argument, a version."""
LEFT_OUT: Final = frozenset(
    "toctree contents sectnum index include literalinclude image raw meta highlight default-role "
    "role currentmodule module py:module automodule autoclass autofunction automethod autosummary "
    "graphviz tabularcolumns only-start target-notes unicode date replace title".split()
)
"""Directives that have no text, or none of their own."""
PLAIN: Final = frozenset(
    "only container class compound epigraph highlights pull-quote glossary tabs grid "
    "tab-set hlist".split()
)
"""Directives of which only the content is text."""
OBJECTS: Final = frozenset(
    "function class method attribute data exception staticmethod classmethod option envvar "
    "cmdoption confval describe object program setting".split()
)
"""What describes an object of a program; the argument is its signature."""
