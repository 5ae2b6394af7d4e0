"""How a step is told: a sentence that carries the subject and reveals no place in the order."""

from __future__ import annotations

from dataclasses import dataclass

from seqniah_datasets.schema import Lang


@dataclass(frozen=True, slots=True)
class Lead:
    """A pattern with the slots {subject}, {gerund} and {step}."""

    pattern: str

    def tell(self, subject: str, gerund: str, step: str) -> str:
        """The needle of a step."""
        text = self.pattern.format(subject=subject, gerund=gerund, step=step)
        return text[:1].upper() + text[1:]


LEADS: dict[Lang, tuple[Lead, ...]] = {
    "en": (
        Lead("When {gerund}, {step}."),
        Lead("To {subject}, {step}."),
        Lead("Anyone {gerund} has to {step}."),
        Lead("In {gerund}, it is necessary to {step}."),
        Lead("Whoever wants to {subject} must {step}."),
        Lead("{gerund} means that one has to {step}."),
        Lead("{gerund} calls for one to {step}."),
        Lead("Part of {gerund} is to {step}."),
        Lead("Those who want to {subject} should {step}."),
        Lead("If the task is to {subject}, {step}."),
    ),
    "zh": (
        Lead("{subject}时，要{step}。"),
        Lead("{subject}时，需要{step}。"),
        Lead("要想{subject}，就得{step}。"),
        Lead("{subject}的人应当{step}。"),
        Lead("{subject}，必须{step}。"),
        Lead("为了{subject}，应{step}。"),
        Lead("在{subject}的过程中，要{step}。"),
        Lead("{subject}时，应该{step}。"),
        Lead("凡是{subject}，都要{step}。"),
    ),
}

QUESTIONS: dict[Lang, tuple[str, ...]] = {
    "en": (
        "How do you {subject}? List the steps in order.",
        "Which steps does {gerund} take? Give them in the order in which they are done.",
        "What has to be done, in which order, to {subject}?",
        "According to the text, how does one go about {gerund}? Put the steps in the right order.",
        "Describe step by step how to {subject}.",
        "Collect from the document the steps of {gerund} and arrange them in their logical order.",
        "In what sequence are the steps of {gerund} carried out?",
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
        "{gerund} takes these steps, in this order:",
    ),
    "zh": (
        "{subject}的步骤按顺序如下：",
        "要{subject}，依次要做：",
        "{subject}按以下顺序进行：",
    ),
}
