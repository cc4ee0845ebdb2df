"""Campaigns that try to break Treatise: `scripts/harden NAME --seconds N`. Each prints its counts as one JSON line."""
