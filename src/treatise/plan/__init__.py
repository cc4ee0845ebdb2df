"""What comes between evidence and answer: trees in the chunks, the rhetorical graph between them, and the plan."""
