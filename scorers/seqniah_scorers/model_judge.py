"""The model judge without the model: what it is asked, the reply it owes, and what follows from it.

Everything here is a function of texts. Who calls the model, and how, is for layer 3.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Literal

from seqniah_scorers.replies import HIDDEN, LABELS, Reply
from seqniah_scorers.text import spoken
from seqniah_scorers.verdict import Case, NeedleType, Verdict

PROMPT_VERSION = 1
"""Raised with every change of a prompt: verdicts are compared, and kept, within one version."""

PLACEHOLDERS = ("question", "reference", "response", "delimiter")
"""What a template must hold, each in braces; the delimiter may stand in it several times."""

MOST_SHOWN = 24_000
"""Characters of a response that a judge is shown; no right answer comes near."""

MOST_REASON = 600
"""Characters of an analysis that a verdict repeats."""

_HEAD, _TAIL = MOST_SHOWN * 3 // 4, MOST_SHOWN // 4
_FOLDER = Path(__file__).parent / "judge_prompts"
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")

_HIDDEN = re.compile(f"[{HIDDEN}]")
_BREAKS = re.compile("\r\n?|[\x85\u2028\u2029]")

# Chat templates turn such words into control tokens wherever they stand, so no delimiter helps
# against them; a space inside makes them plain text and changes nothing for a reader.
_CONTROL = re.compile(
    r"<(?=[/|｜]?[A-Za-z_|｜][^<>\s]{0,40}>)"
    r"|\[(?=/?(?:[A-Z]+_)?(?:INST|SYS|SYSTEM_PROMPT|PROMPT|CALLS|TOOLS|RESULTS|CONTENT|ARGS"
    r"|gMASK|MASK|CLS|SEP|UNK|PAD|BOS|EOS|IMG|THINK)\])"
)

_CUT = {
    "en": "\n\n[{n} characters of the answer are left out here]\n\n",
    "zh": "\n\n[此处略去回答的 {n} 个字符]\n\n",
}
_CUT_RULE = {
    "en": "The answer is far longer than any right one and is shown without its middle: count what "
    "is left out as items that are not in the reference.",
    "zh": "这份回答远比任何正确的回答长，中间部分没有显示：略去的部分一律按参考答案以外的条目计。",
}


def template(case: Case) -> str:
    """The prompt of the case's language and kind, with its placeholders."""
    return _template(case.lang, case.needle_type)


@lru_cache(maxsize=4)
def _template(lang: str, needle_type: NeedleType) -> str:
    return (_FOLDER / f"{needle_type}_{lang}.txt").read_text("utf-8")


def template_fault(text: str) -> str:
    """What keeps a user's template from being used, to stand after its name; empty if nothing."""
    found = set(_PLACEHOLDER.findall(text))
    missing = [f"{{{name}}}" for name in PLACEHOLDERS if name not in found]
    if missing:
        return f"lacks {' and '.join(missing)}"
    unknown = [f"{{{name}}}" for name in sorted(found.difference(PLACEHOLDERS))]
    return f"has the unknown placeholder {unknown[0]}" if unknown else ""


def ask(case: Case, template: str | None = None) -> str:
    """The whole prompt; `template` takes the place of the one made for the case's kind.

    Fixed instructions come first, so that servers share them between cases.
    """
    response = answer(case)
    rule = ""
    if len(response) > MOST_SHOWN:
        left_out = _CUT[case.lang].format(n=f"{len(response) - MOST_SHOWN:,}")
        response = response[:_HEAD] + left_out + response[-_TAIL:]
        rule = f"\n{_CUT_RULE[case.lang]}\n"
    parts = {
        "question": shown(case.question),
        "reference": shown(case.reference),
        "response": response,
        "delimiter": delimiter(case),
    }
    text = template if template is not None else _template(case.lang, case.needle_type)
    # One pass: what a text brings along is never taken for a placeholder.
    return _PLACEHOLDER.sub(lambda found: parts.get(found[1], found[0]), text) + rule


def delimiter(case: Case) -> str:
    """A word that neither text can hold, since it follows from both; the same at every call."""
    reference = case.reference.encode("utf-8", "surrogatepass")
    digest = hashlib.sha256(b"%d\n" % len(reference) + reference)
    digest.update(case.response.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def answer(case: Case) -> str:
    """The answer of a case as a judge sees it, without the thoughts before it."""
    return shown(case.response[spoken(case.response)])


def shown(text: str) -> str:
    """A text as a judge sees it: nothing hidden, nothing that a server takes for a command."""
    text = _BREAKS.sub("\n", text.encode("utf-8", "replace").decode())
    return _CONTROL.sub(lambda found: f"{found[0]} ", _HIDDEN.sub("", text)).strip("\n")


def schema(case: Case) -> dict[str, object]:
    """The JSON schema of the reply that a case asks for."""
    fields: dict[str, object] = {}
    if case.needle_type == "temporal":
        fields["order_analysis"] = {"type": "string"}
    fields["eval_analysis"] = {"type": "string"}
    fields["eval_label"] = {"type": "string", "enum": list(LABELS[case.lang])}
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def label_text(
    lang: Literal["en", "zh"],
    needle_type: NeedleType,
    correct: bool,
    analysis: str,
    order_analysis: str = "",
) -> str:
    """The reply that a judge owes, word for word: what training teaches."""
    fields: dict[str, str] = {}
    if needle_type == "temporal":
        fields["order_analysis"] = order_analysis
    right, wrong = LABELS[lang]
    fields |= {"eval_analysis": analysis, "eval_label": right if correct else wrong}
    return json.dumps(fields, ensure_ascii=False, indent=2)


def verdict(by_rules: Verdict, reply: Reply) -> Verdict:
    """The model's decision, told with the items that the rule judge found.

    Failure modes are the rule judge's where both find the answer wrong; where the model alone
    does, they stay empty and the reason is the model's.
    """
    if reply.label is None:
        return by_rules.decided(None, reply.problem)
    told = in_short(reply.eval_analysis) or "The judge gave no analysis."
    return by_rules.decided(reply.label, told)


def in_short(text: str, most: int = MOST_REASON) -> str:
    """A text on one line, cut to a length."""
    line = " ".join(shown(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 3]}..."
