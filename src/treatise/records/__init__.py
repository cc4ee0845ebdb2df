"""What programs read: the JSON object of each command, shared by every interface of Treatise.

A key that is documented here is a promise: its name and meaning stay, and new keys may be added. Offsets are
characters of ``Document.text``, half-open. ``parse --input`` writes lines instead of one object; ``parse.rows`` and
``parse.jsonl`` document them.

==============================  =====================================================
``ask``                         :func:`answer_record`
``chat``                        :func:`turn_record`, one line per turn
``summarize``                   :func:`summary_record`
``search``                      :func:`search_record`
``index``, ``update``           :func:`index_record`, with :func:`explanation_record`
``index --estimate``            :func:`estimates_record`
``list``, ``list --recipes``    :func:`list_record`, :func:`recipes_record`
``remove``                      :func:`removal_record`
``tag``                         :func:`tagging_record`
``export``, ``import``          :func:`transfer_record`
``show``                        :func:`outline_record`, :func:`tree_record`, :func:`graph_record`,
                                :func:`profile_record`, :func:`page_record`, :func:`place_record`
``parse --input``               :func:`conversion_record`
``config get``                  :func:`settings_record`
``doctor``                      :func:`diagnosis_record`
any command that fails          :func:`error_record`
==============================  =====================================================
"""

from treatise.records.answers import (
    Record,
    answer_record,
    citation_record,
    page_and_section,
    search_record,
    summary_record,
    turn_record,
)
from treatise.records.diagnosis import diagnosis_record
from treatise.records.documents import (
    conversion_record,
    graph_record,
    outline_record,
    part_tree_record,
    profile_record,
    tree_record,
)
from treatise.records.library import (
    SourceEstimate,
    estimates_record,
    explanation_record,
    index_record,
    list_record,
    recipe_record,
    recipes_record,
    removal_record,
    tagging_record,
    transfer_record,
)
from treatise.records.places import box_record, page_record, place_record
from treatise.records.settings import error_record, settings_record

__all__ = [
    "Record",
    "SourceEstimate",
    "answer_record",
    "box_record",
    "citation_record",
    "conversion_record",
    "diagnosis_record",
    "error_record",
    "estimates_record",
    "explanation_record",
    "graph_record",
    "index_record",
    "list_record",
    "outline_record",
    "page_and_section",
    "page_record",
    "part_tree_record",
    "place_record",
    "profile_record",
    "recipe_record",
    "recipes_record",
    "removal_record",
    "search_record",
    "settings_record",
    "summary_record",
    "tagging_record",
    "transfer_record",
    "tree_record",
    "turn_record",
]
