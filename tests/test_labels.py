"""Labels: the table of RULESETS word for word, and nothing missing in any language."""

from __future__ import annotations

import string

import pytest

from blackjack.actions import Action, Outcome
from blackjack.labels import CONTROL_NAMES, LANGUAGES, labels
from blackjack.presets import HOUSES, PRESETS
from blackjack.table import Table

OWN = {
    "goldfishka": {
        "deal": "Раздать",
        "stand": "Хватит",
        "double": "Удвоить",
        "split": "Разделить",
        "surrender": "Отказаться",
        "insurance": "Страховка",
        "even_money": "Поровну",
        "decline": "Хватит",
        "clear": "Отмена",
        "repeat": "Повтор",
        "new_game": "Новая игра",
        "leave": "Лобби",
    },
    "las_vegas": {
        "deal": "DEAL",
        "hit": "HIT",
        "stand": "STAND",
        "double": "DOUBLE",
        "split": "SPLIT",
        "insurance": "INSURANCE",
    },
    "continental": {
        "stand": "Stand",
        "double": "Double",
        "split": "Split",
        "insurance": "Insurance",
        "even_money": "Insurance",
        "decline": "Stand",
    },
    "romanian": {
        "deal": "JOACĂ",
        "double": "DUBLEAZĂ",
        "split": "SPLIT",
        "surrender": "STOP",
        "insurance": "ASIGURARE",
    },
}
OWN["atlantic_city"] = OWN["las_vegas"]


@pytest.mark.parametrize("house", HOUSES)
def test_the_houses_own_words(house: str) -> None:
    words = labels(house)
    for name, label in OWN[house].items():
        assert words[name] == label


def test_the_houses_own_languages() -> None:
    assert {h: labels(h).language for h in HOUSES} == {
        "goldfishka": "ru",
        "las_vegas": "en",
        "atlantic_city": "en",
        "continental": "en",
        "romanian": "ro",
    }
    assert labels("vegas_strip").language == labels().language == "en"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("house", [*PRESETS, "none of them", None])
def test_every_word_in_every_language(house: str | None, language: str) -> None:
    words = labels(house, language)
    assert words.language == language
    assert set(words.actions) == set(Action)
    assert set(words.outcomes) == set(Outcome)
    assert set(words.controls) == set(CONTROL_NAMES)
    assert set(words.texts) == set(labels().texts)
    for label in (*words.actions.values(), *words.controls.values(), *words.outcomes.values()):
        assert label == label.strip() != ""


def test_places_for_values_are_the_same_in_every_language() -> None:
    def places(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    for name, text in labels().texts.items():
        for language in LANGUAGES:
            assert places(labels(None, language).texts[name]) == places(text), (name, language)


def test_languages_differ() -> None:
    english, russian, romanian = (labels(None, language) for language in LANGUAGES)
    assert english["deal"] != russian["deal"] != romanian["deal"] != english["deal"]
    assert english.outcomes[Outcome.WIN] != romanian.outcomes[Outcome.WIN]


def test_labels_of_actions_that_can_meet_are_different_words() -> None:
    for house in PRESETS:
        for language in LANGUAGES:
            words = labels(house, language)
            play = [words.actions[a] for a in tuple(Action)[:5]]
            assert len(set(play)) == len(play)
            offer = [words.actions[a] for a in (Action.SURRENDER, Action.INSURANCE, Action.DECLINE)]
            assert len(set(offer)) == len(offer)
            assert words["even_money"] != words["decline"]


def test_every_control_of_a_table_has_a_label() -> None:
    table = Table("goldfishka", balance=100)
    table.bet(0, 10)
    for control in table.controls:
        assert labels("goldfishka")[control]


def test_what_is_not_there_is_an_error() -> None:
    with pytest.raises(ValueError, match="'de'"):
        labels("goldfishka", "de")
    with pytest.raises(ValueError, match="nothing"):
        labels()["nothing"]


def test_labels_do_not_change() -> None:
    with pytest.raises(TypeError):
        labels().controls["deal"] = "x"  # type: ignore[index]
