"""Follow-up questions: what they refer to in the turns before, by rules or by a language model."""

from treatise.dialogue.resolve import resolve
from treatise.dialogue.rewrite import rewrite_request

__all__ = ["resolve", "rewrite_request"]
