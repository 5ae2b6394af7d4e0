"""Corpus-in-context prompts, from one builder (arXiv 2406.13121, section 3; released code).

A prompt is its chunks one after another, each a text and one line break: instruction, formatting,
candidates, examples with the golds and the answer, and then the query. What stands before the query
is the same for all queries over one corpus, or for SQL over one database.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from seqniah_datasets.loft.schema import Passage, Query
from seqniah_tasks.benchmarks.loft.words import Words

NO_TITLE = "None"


def chunk(text: str) -> str:
    """A text and a line break."""
    return f"{text}\n"


@dataclass(frozen=True, slots=True)
class Builder:
    """Writes the prompts of one data set."""

    words: Words
    kind: str
    ids: Mapping[str, str]
    """Ids in the prompt, by those of passages."""
    nested: bool = False
    """Whether the answers of a turn stand in a list more, as released for conversations."""

    def candidate(self, one: Passage, id: str) -> str:
        """A candidate as it stands in a prompt."""
        return chunk(self._formatted(self.words.candidate, one, id))

    def _formatted(self, template: str, one: Passage, id: str) -> str:
        if self.kind == "icl":
            return template.format(input=one.text, target=one.title.split(" "))
        title = one.title if one.title or self.kind == "sql" else NO_TITLE
        return template.format(pid=id, title=title, passage=one.text)

    @property
    def head(self) -> str:
        """What stands before the candidates."""
        texts = (self.words.instruction, self.words.formatting)
        return "".join(chunk(one) for one in texts if one is not None)

    def candidates(self, passages: Iterable[Passage]) -> str:
        """All candidates."""
        return "".join(self.candidate(one, self.ids[one.pid]) for one in passages)

    def examples(self, shown: Sequence[Query], passages: Mapping[str, Passage]) -> str:
        """Few-shot examples, each turn with its golds and its answer; SQL's are words alone."""
        if self.kind in ("sql", "icl"):
            return "".join(map(chunk, self.words.examples))
        return "".join(
            self._example(number, query, passages) for number, query in enumerate(shown, 1)
        )

    def _example(self, number: int, query: Query, passages: Mapping[str, Passage]) -> str:
        many = len(query.turns) > 1
        found = []
        for turn, asked in enumerate(query.turns):
            name = f"{number}-{turn + 1}" if many else str(number)
            found.append(self.words.example.format(example_id=name))
            found.append(chunk(self.words.query.format(query=asked, corpus="", example_id=name)))
            if self.words.reason is not None:
                found += [
                    chunk(self._formatted(self.words.reason, passages[gold], self.ids[gold]))
                    for gold in query.golds[turn]
                ]
            answer = self._answer(query.answers[turn], passages)
            found.append(chunk(self.words.answer.format(final_answer=answer)))
        return "".join(found)

    def _answer(self, answer: Sequence[Any], passages: Mapping[str, Passage]) -> list[Any]:
        if self.kind == "retrieval":
            return [self.ids[one] for one in answer]
        return [list(answer)] if self.nested else list(answer)

    def tables(self, passages: Iterable[Passage]) -> str:
        """SQL's tables, parted by an empty line."""
        found = (self._formatted(self.words.candidate, one, "") for one in passages)
        return "\n\n".join(found)

    def asked(self, text: str, turn: int, tables: str = "") -> str:
        """The query of a turn."""
        if self.kind == "icl":
            return chunk(self.words.candidate.format(input=text, target=""))
        follow_up = turn > 0 and self.words.follow_up
        template = self.words.follow_up if follow_up else self.words.query
        start = self.words.start.format(example_id=None)
        return start + chunk(template.format(query=text, corpus=tables, example_id=None))
