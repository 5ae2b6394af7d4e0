"""How a step is told: a sentence that carries the subject and reveals no place in the order."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_datasets.schema import Lang
from seqniah_datasets.sources.wording import capital


@dataclass(frozen=True, slots=True)
class Lead:
    """A pattern with the slots {subject}, {gerund} and {step}."""

    pattern: str

    def tell(self, subject: str, gerund: str, step: str) -> str:
        """The needle of a step."""
        return capital(self.pattern.format(subject=subject, gerund=gerund, step=step))


LEADS: dict[Lang, tuple[Lead, ...]] = {
    "en": (
        Lead("When {gerund}, {step}."),
        Lead("To {subject}, {step}."),
        Lead("Anyone {gerund} has to {step}."),
        Lead("For {gerund} it is necessary to {step}."),
        Lead("Whoever wants to {subject} must {step}."),
        Lead("{gerund} means having to {step}."),
        Lead("Part of {gerund} is to {step}."),
        Lead("Those who want to {subject} should {step}."),
        Lead("If the task is to {subject}, {step}."),
    ),
    "zh": (
        Lead("{subject}时，要{step}。"),
        Lead("{subject}时，需要{step}。"),
        Lead("要想{subject}，就得{step}。"),
        Lead("谁要{subject}，谁就该{step}。"),
        Lead("{subject}，必须{step}。"),
        Lead("为了{subject}，应当{step}。"),
        Lead("{subject}的过程中，要{step}。"),
        Lead("{subject}时，应该{step}。"),
        Lead("要是{subject}，就要{step}。"),
    ),
}

QUESTIONS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "How does the text say to {subject}? List the steps in order.",
        "According to the document, what are the steps of {gerund}? Give them in the right order.",
        "What has to be done, in which order, to {subject}, according to the text?",
        "According to the text, how does one go about {gerund}? Put the steps in the right order.",
        "Describe step by step, as the document has it, how to {subject}.",
        "Collect from the document the steps of {gerund} and arrange them in their logical order.",
        "Name, in sequence, the steps of {gerund} that the document gives.",
    ),
    "zh": (
        "怎样{subject}？请按顺序列出步骤。",
        "{subject}要经过哪些步骤？请按先后顺序写出。",
        "根据文档，{subject}应该怎么做？请把步骤按正确顺序排列。",
        "请一步一步说明如何{subject}。",
        "文中关于{subject}的步骤有哪些？请按逻辑顺序整理。",
        "要{subject}，依次需要做哪些事？",
    ),
}

INTROS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "To {subject}, proceed as follows:",
        "The steps of {gerund}, in order:",
        "For {gerund}, take these steps in this order:",
    ),
    "zh": (
        "{subject}的步骤按顺序如下：",
        "要{subject}，依次要做：",
        "{subject}按以下顺序进行：",
    ),
}
