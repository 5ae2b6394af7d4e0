"""The wordings of relations and the names of actors, judged from the tables alone."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from seqniah_datasets.schema import LANGS, Lang
from seqniah_datasets.sources import actors, tables

ICEWS = "tkg/icews05-15.tsv"


@pytest.mark.parametrize("lang", LANGS)
def test_each_relation_has_three_wordings_with_both_sides_once(lang: Lang) -> None:
    bank = tables.relations(lang)
    assert len(bank) >= 211
    for name, clauses in bank.items():
        assert len(set(clauses)) == len(clauses) >= 3, name
        for clause in clauses:
            slots = [slot for _, slot, _, _ in string.Formatter().parse(clause) if slot is not None]
            assert sorted(slots) == ["a", "b"], (name, clause)
            assert not re.search(r"[.。!?！？\n]$|\d{4}", clause), (name, clause)


def test_both_languages_word_the_same_relations() -> None:
    assert set(tables.relations("en")) == set(tables.relations("zh"))


@pytest.mark.parametrize("lang", LANGS)
def test_no_wording_serves_two_relations(lang: Lang) -> None:
    owners: dict[str, set[str]] = {}
    for name, clauses in tables.relations(lang).items():
        for clause in clauses:
            plain = re.sub(r"[\W_]+", "", clause.replace("{a}", "AAA").replace("{b}", "BBB"))
            owners.setdefault(plain.casefold(), set()).add(name)
    assert not {clause: names for clause, names in owners.items() if len(names) > 1}


def test_english_wordings_fit_one_side_and_many() -> None:
    for name, clauses in tables.relations("en").items():
        for clause in clauses:
            assert not re.search(r"\b(its|his|her|their)\b", clause), (name, clause)
            assert not re.search(r"\{[ab]\} (was|were|is|are|has|have)\b", clause), (name, clause)


@pytest.mark.parametrize("lang", LANGS)
def test_every_relation_of_the_shared_file_has_wordings(real_data: Path, lang: Lang) -> None:
    lines = (real_data / ICEWS).read_text("utf-8").splitlines()
    used = {line.split("\t")[1].strip() for line in lines if line.strip()}
    assert len(used) == 211
    assert not used - set(tables.relations(lang))


def test_roles_are_told_with_their_place_and_unknown_names_as_they_are() -> None:
    assert actors.english("Citizen (Australia)") == "citizens of Australia"
    assert actors.english("Nobody Whom Any Table Knows") == "Nobody Whom Any Table Knows"
    assert actors.english("No Such Role (Nowhere)") == "No Such Role (Nowhere)"
    assert actors.chinese("Nobody Whom Any Table Knows") is None
    assert actors.chinese("Citizen (Nowhere at All)") is None
    told = actors.chinese("Citizen (Australia)")
    assert told and "澳大利亚" in told and not re.search(r"[A-Za-z{}]", told)


def test_no_two_actors_of_one_language_share_a_name(real_data: Path) -> None:
    rows = [line.split("\t") for line in (real_data / ICEWS).read_text("utf-8").splitlines()]
    everybody = {row[0].strip() for row in rows} | {row[2].strip() for row in rows}
    for namer in (actors.english, actors.chinese):
        names: dict[str, set[str]] = {}
        for actor in everybody:
            told = namer(actor)
            if told is not None:
                names.setdefault(told, set()).add(actor)
        assert not {name: who for name, who in names.items() if len(who) > 1}


def test_the_table_of_nations_names_actors_and_places_of_the_real_file(real_data: Path) -> None:
    rows = (real_data / "tkg" / "icews05-15.tsv").read_text("utf-8").splitlines()
    there = {actor for row in rows for actor in row.split("\t")[0:3:2]}
    nations = tables.table("names/nations.toml")
    assert set(nations) <= there
    assert all(
        nation in there or any(actor.endswith(f" ({nation})") for actor in there)
        for nation in nations.values()
    )
    assert actors.belongs("UAE Armed Forces", "United Arab Emirates")
    assert actors.belongs("Government (Germany)", "Angela Merkel")
    assert not actors.belongs("Angela Merkel", "France")
    assert not actors.belongs("Angela Merkel", "Barack Obama")
