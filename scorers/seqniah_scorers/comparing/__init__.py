"""Items of an answer beside items of the reference: paraphrase or changed fact."""
