"""Judges by name: the rules, a model, or the rules with a model for the rest."""

from __future__ import annotations

from pathlib import Path

from seqniah_datasets.errors import SeqniahError
from seqniah_scorers.verdict import DOUBT
from seqniah_tasks.judging.judges import Judge, Server, open_rules, read_template


def open_judge(
    name: str,
    *,
    grader: str = "",
    template: Path | None = None,
    max_connections: int | None = None,
    embeddings: str = "",
    doubt: float = DOUBT,
    server: Server | None = None,
) -> Judge:
    """The judge of a name: rules, cascade (which needs a grader), or a model as inspect names it.

    `doubt` is how far from one half a probability of the rules may be for the cascade to ask.
    With a `server`, models are named as that server names them.

    Raises `SeqniahError` when it cannot be had, or when an option is not for it.
    """
    if max_connections is not None and max_connections < 1:
        raise SeqniahError(f"max-connections is a whole number from 1, not {max_connections}.")
    if name != "cascade" and grader:
        raise SeqniahError(f"A grader is for the cascade, not for {name}; drop --grader.")
    if name == "rules":
        if template is not None:
            raise SeqniahError("A prompt is for judges that ask a model, not for rules; drop it.")
        return open_rules(embeddings)
    if name != "cascade" and embeddings:
        raise SeqniahError(f"Embeddings are for the rules, not for {name}; drop --embeddings.")
    if name == "cascade" and not grader:
        raise SeqniahError(
            "The cascade asks a model where the rules are unsure; name it with --grader, "
            "for instance --grader openai-api/judge/NAME."
        )
    words = read_template(template) if template else None
    from seqniah_tasks.adapters.inspect.outside import ModelJudge

    first = open_rules(embeddings)
    model = grader or name
    if server is not None:
        model = f"openai-api/judge/{model}"
    return ModelJudge(model, words, max_connections, first, server, doubt=doubt if grader else None)
