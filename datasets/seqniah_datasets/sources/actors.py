"""Names of ICEWS actors in running text: "Citizen (Australia)" is citizens of Australia."""

from __future__ import annotations

import re

from seqniah_datasets.sources.tables import table

_GOVERNMENT = re.compile(r"Government \((.+)\)")


def english(actor: str) -> str | None:
    """The English name; the actor's own where no table knows a better one."""
    places: dict[str, str] = table("names/places_en.toml")
    if actor in places:
        return places[actor]
    found = _split(actor, table("names/roles_en.toml"))
    if found is None:
        return actor
    role, place = found
    return role.format(place=places.get(place, place))


def chinese(actor: str) -> str | None:
    """The Chinese name; None where no table knows it."""
    names: dict[str, str] = table("names/actors_zh.toml")
    if actor in names:
        return names[actor]
    found = _split(actor, table("names/roles_zh.toml"))
    if found is None or found[1] not in names:
        return None
    role, place = found
    return role.format(place=names[place])


def belongs(one: str, other: str) -> bool:
    """Whether one of two actors is an organ of the other: "Police (Egypt)" and "Egypt".

    Likewise a ruler or minister that the table of nations knows, and his country or its organs. A
    government is its country.
    """
    nations: dict[str, str] = table("names/nations.toml")
    one, other = (_GOVERNMENT.sub(r"\1", name) for name in (one, other))
    for mine, theirs in ((one, other), (other, one)):
        nation = nations.get(mine)
        if theirs.endswith(f" ({mine})") or (
            nation and (theirs == nation or theirs.endswith(f" ({nation})"))
        ):
            return True
    return False


def _split(actor: str, roles: dict[str, str]) -> tuple[str, str] | None:
    """A known role's pattern, and its place: "Role (Place)", either of which may have brackets."""
    for found in re.finditer(r" \(", actor):
        role, place = actor[: found.start()], actor[found.end() : -1]
        if role in roles and actor.endswith(")"):
            return roles[role], place
    return None
