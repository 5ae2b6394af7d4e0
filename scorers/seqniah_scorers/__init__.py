"""Layer 2, measures: pure functions from (question, reference, response) to a verdict."""
