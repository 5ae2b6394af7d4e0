"""Words that stand for any other, and short forms of names: in their place no fact changes."""

from __future__ import annotations

import re
from functools import cache

from seqniah_scorers.comparing.lexicon import STOP_ZH, stem
from seqniah_scorers.text import is_cjk

_LIGHT_EN = """
make made do did done have had get got gotten go went gone take took taken give gave given use
used using put come came spend spent enjoy manage able try carry out conduct perform engage
undertake become became happen occur follow continue keep stay set bring together along jointly
alongside also again once then now just back home away around there here across along another
other one own same whole entire total certain several some couple few lot various altogether alone
only even still yet already finally quite rather pretty really simply successfully eventually
afterwards afterward meanwhile during throughout within while concerning regarding about topic
subject theme titled called named entitled known kind sort type form piece bit set pair part side
way time times occasion day moment session hour event activity place spot area thing matter issue
case content entry note something someone anyone people person man woman who whom whose live lived
involve relate concern official formal formally publicly public openly view position stance term
word words toward towards relation relationship attribute interaction respect connection context
regard party nation country side author mr mrs ms please well nicely quickly quietly carefully
personally actually
"""
_LIGHT_ZH = """
做 做了 进行 打 用 使用 动用 运用 采用 利用 当 当作 作为 作 搞 弄 干 办 办理 开展 展开 举行 举办
实施 执行 从事 一起 一块儿 一块 一同 共同 一道 一齐 结伴 相伴 陪同 与 和 同 跟 及 以及 还有 并
并且 且 而且 又 再 再次 还 也 都 则 便 就 才 正 正在 曾 曾经 已 已经 刚 刚刚 随后 然后 接着 之后
后来 最后 最终 终于 当时 同时 期间 过程 中 其中 关于 有关 讲 讲述 讲的 介绍 主题 为题 题为 名为
叫做 叫 围绕 有关 涉及 针对 对于 就 对 向 给 为 替 由 把 将 被 从 自 自从 到 至 往 前往 来到 赴 在
于 处 间 附近 当中 时 时候 之 的 地 得 着 了 过 起来 下来 出来 上来 过来 过去 好 成 会 能 可以
能够 需要 需 要 想 想要 成功 顺利 亲自 自己 本人 个人 独自 一个 一次 一场 一部 一本 一条 一只 一件
一份 一张 一位 一名 一些 一番 一下 一顿 一趟 一节 一门 一堂 一台 一款 一种 一道 个 次 场 部 本 条
只 件 份 张 位 名 些 番 下 顿 趟 节 门 堂 台 款 种 道 项 幅 首 篇 段 块 片 间 家 所 座 辆 艘 架 棵
盆 束 枚 颗 粒 瓶 杯 碗 盘 袋 包 套 双 对 群 回 遍 阵 笔 他 她 它 他们 她们 我 我们 自己 两人 二人
2人 双方 大家 对方 彼此 其 该 此 这 那 某 各 每 所有 全部 整个 整 感到 觉得 感觉 认为 表示 表达
提出 发表 作出 做出 给予 加以 予以 受到 出现 发生 有 是 为 等 等等 当天 当日 今天 时间 花 花了
用时 耗时 历时 花费 共 共计 总共 一共 大约 约 左右 多 余 近 将近 方面 相关 内容 事情 事 事项 活动
东西 情况 地方 位于 位 地点 附近 很 非常 十分 特别 极 比较 较 挺 颇 真 什么 不少 许多 很多 若干 几
数 组织 享受 体验 度过 进入 有一 带 带着 方 方面 国 名叫
"""
_SHORT_ZH = 2
"""Characters from which a run can be a short form of a longer one."""
LEAST_INITIALS = 2
"""Letters from which a word can be made of initials."""


@cache
def _english() -> frozenset[str]:
    return frozenset(stem(w) for w in _LIGHT_EN.split()) | frozenset(_LIGHT_EN.split())


@cache
def _chinese() -> re.Pattern[str]:
    words = {"".join(c for c in w if c not in STOP_ZH) for w in _LIGHT_ZH.split()} - {""}
    # A word that is left over in one character stands alone: two of them can be any word.
    long = "|".join(sorted((w for w in words if len(w) > 1), key=len, reverse=True))
    return re.compile(f"(?:{long})+|[{''.join(sorted(w for w in words if len(w) == 1))}]")


def light(words: list[str]) -> bool:
    """Whether a run of words (Chinese: characters, but none of `STOP_ZH`) says little."""
    if any(is_cjk(w[0]) for w in words):
        return bool(_chinese().fullmatch("".join(words)))
    return all(w in _english() for w in words)


def abbreviates(one: list[str], other: list[str]) -> bool:
    """Whether one run is a short form of the other: initials, or some of its characters."""
    if is_cjk(one[0][0]) and is_cjk(other[0][0]):
        short, long = sorted(("".join(one), "".join(other)), key=len)
        return _SHORT_ZH <= len(short) < len(long) and _is_part(short, long)
    short_en, long_en = sorted((one, other), key=len)
    if len(short_en) != 1 or len(long_en) < LEAST_INITIALS:
        return False
    return _initials(short_en[0], long_en)


def _is_part(short: str, long: str) -> bool:
    """Whether the characters of the one stand in the other in their order."""
    rest = iter(long)
    return all(c in rest for c in short)


def _initials(word: str, parts: list[str]) -> bool:
    """Whether the word is made of the parts' first letters, or of whole parts, in their order."""
    if not parts:
        return not word
    whole = parts[0]
    return any(
        word.startswith(head) and _initials(word[len(head) :], parts[1:])
        for head in (whole, whole[0])
    )
