"""What a model is asked when it rewrites questions, and when it screens procedures."""

from __future__ import annotations

import json

from seqniah_datasets.schema import Lang, Pipeline, QAItem
from seqniah_scorers.order_demand import demands_order

VERSION = 1
"""Of these wordings; part of the key under which a reply is kept, so a change asks anew."""

_EVENTS: dict[Lang, str] = {
    "en": (
        "You edit the material of a reading test. The JSON below holds a question, the line that "
        "opens its answer, and {count} passages, each of which reports one dated event.\n\n"
        "Say all of it in other words, in English:\n"
        "- Every passage stays one passage, in its place of the list: one or two natural "
        "sentences, as a newspaper might print them, on a single line.\n"
        "- A passage keeps its complete date (another way to write it is welcome), every name and "
        "number exactly as it is spelled, and who did what to whom; the word that says what was "
        "done stays, in whatever form. The names come in the order in which they come now. "
        "Nothing is added and nothing is left out.\n"
        "- No passage has a number, a bullet or a heading in front of it.\n"
        "- The question keeps its names, in their order, and its period. {order}\n"
        "- The opening line leads into a list and ends with a colon.\n"
        "- No text becomes much longer than it is.\n\n"
        "{material}\n\n"
        "Reply with one JSON object and nothing else: "
        '{{"question": "...", "intro": "...", "needles": [{count} texts]}}'
    ),
    "zh": (
        "你在编辑一份阅读测试的材料。下面的 JSON 里有一个问题、答案的开头一行，以及 {count} 段"
        "文字，每段讲一件有日期的事。\n\n"
        "请用中文把这些内容换一种说法：\n"
        "- 每段仍是一段，在列表中的位置不变；写成一两句自然的话，像报纸上的文字，不换行。\n"
        "- 每段保留完整的日期（写法可以不同），所有名称和数字照原样写，谁对谁做了什么不变，说明"
        "做了什么的词要保留；名称出现的先后也不变。不增加内容，也不丢掉内容。\n"
        "- 段落前面不加编号、项目符号或标题。\n"
        "- 问题保留其中的名称及其先后，也保留时间范围。{order}\n"
        "- 开头一行引出一个列表，以冒号结尾。\n"
        "- 各部分都不要比原来长很多。\n\n"
        "{material}\n\n"
        "只回复一个 JSON 对象，不写别的："
        '{{"question": "……", "intro": "……", "needles": [{count} 段文字]}}'
    ),
}

_ORDER: dict[Lang, dict[bool, str]] = {
    "en": {
        True: "It still asks for the order of time in plain words.",
        False: "It does not ask for any order, and must not begin to.",
    },
    "zh": {
        True: "问题仍要明确要求按时间顺序作答。",
        False: "问题没有要求任何顺序，改写后也不要提出。",
    },
}

_STEPS: dict[Lang, str] = {
    "en": (
        "You edit the material of a reading test. The JSON below holds a how-to question and the "
        "{count} steps of its answer. Each step will be hidden alone in a long text, where a "
        "reader must see what it belongs to.\n\n"
        "First choose the subject: the few words of the question that name what is made or done, "
        "copied from it letter for letter. Then write every step again, in English:\n"
        "- The sentence holds the subject, in exactly the words chosen.\n"
        "- What is done stays the same, with all its numbers, names and amounts. Nothing is added "
        "and nothing is left out.\n"
        "- Nothing tells the step's place: no number, no bullet, no 'first', 'next' or "
        "'finally', no mention of the other steps.\n"
        "- One sentence on a single line; the list keeps its order.\n\n"
        "{material}\n\n"
        "Reply with one JSON object and nothing else: "
        '{{"subject": "...", "needles": [{count} sentences]}}'
    ),
    "zh": (
        "你在编辑一份阅读测试的材料。下面的 JSON 里有一个关于做法的问题，以及答案的 {count} 个"
        "步骤。每个步骤会单独藏进一篇长文，读者要能看出它属于哪件事。\n\n"
        "先选出主题：问题中说明要做什么的几个字，一字不差地照抄。然后用中文改写每个步骤：\n"
        "- 句子里要有选出的主题，用字完全相同。\n"
        "- 做的事不变，数字、名称和用量都保留；不增加内容，也不丢掉内容。\n"
        "- 不透露步骤的位置：没有编号和项目符号，不写“首先”“然后”“最后”，也不提其他步骤。\n"
        "- 一句话，不换行；列表的次序不变。\n\n"
        "{material}\n\n"
        "只回复一个 JSON 对象，不写别的："
        '{{"subject": "……", "needles": [{count} 句话]}}'
    ),
}

_SCREENING: dict[Lang, str] = {
    "en": (
        "The JSON below holds a how-to question and the steps of its answer, in their order.\n\n"
        "Would shuffling the steps make the answer wrong? Look at every two steps that stand next "
        "to each other, and ask whether the work would fail, or make no sense, if these two "
        "changed places. If there are two steps that could be exchanged without harm, give their "
        "numbers, counted from 1.\n\n"
        "{material}\n\n"
        "Reply with one JSON object and nothing else: "
        '{{"order_matters": "yes" or "no", "exchangeable": [number, number] or null}}'
    ),
    "zh": (
        "下面的 JSON 里有一个关于做法的问题，以及答案的各个步骤，按先后排列。\n\n"
        "打乱这些步骤，答案会变成错的吗？请看每两个相邻的步骤：如果对调，事情是否就做不成，或者"
        "说不通？如果有两个步骤对调也无妨，请写出它们的序号，从 1 数起。\n\n"
        "{material}\n\n"
        "只回复一个 JSON 对象，不写别的："
        '{{"order_matters": "yes" 或 "no", "exchangeable": [序号, 序号] 或 null}}'
    ),
}


def rewriting(item: QAItem) -> str:
    """Asks for the parts of a QA in other words."""
    needles = [needle.text for needle in item.needles]
    if item.pipeline is Pipeline.REAL_LOGICAL:
        material = _json({"question": item.question, "needles": needles})
        return _STEPS[item.lang].format(count=len(needles), material=material)
    material = _json({"question": item.question, "intro": item.intro, "needles": needles})
    order = _ORDER[item.lang][demands_order(item.question)]
    return _EVENTS[item.lang].format(count=len(needles), order=order, material=material)


def screening(item: QAItem) -> str | None:
    """Asks whether the steps of a QA stand in the only order that is right; None for events, whose
    dates decide."""
    if item.pipeline is not Pipeline.REAL_LOGICAL:
        return None
    steps = [needle.item for needle in item.needles]
    material = _json({"question": item.question, "steps": steps})
    return _SCREENING[item.lang].format(material=material)


def _json(fields: dict[str, object]) -> str:
    return json.dumps(fields, ensure_ascii=False, indent=1)
