"""Where the stages meet: sources to indexes, questions to evidence, structure and answers."""
