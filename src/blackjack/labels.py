"""What a house calls things: labels of actions, controls and outcomes in three languages.

Lives here: the words of each house in its own language, and words for every house in the others.
Not here: when a control or an action is active (blackjack.table), the terminal's help texts
(blackjack.cli).

A house's own words (RULESETS) stand where its rules name a button; where they are silent, a word that
goes with them does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final

from blackjack.actions import Action, Outcome
from blackjack.errors import ArgumentError

__all__ = ["CONTROL_NAMES", "LANGUAGES", "Labels", "labels"]

LANGUAGES: Final = ("en", "ru", "ro")
"""English, Russian, Romanian."""

CONTROL_NAMES: Final = (
    "bet",
    "add_chip",
    "take_back",
    "clear",
    "deal",
    "repeat",
    "new_game",
    "leave",
)
"""The controls of a table, as `Table.controls` names them."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The words of one house in one language.

    >>> words = labels("goldfishka")
    >>> words["deal"], words["double"], words.outcomes[Outcome.PUSH]
    ('Раздать', 'Удвоить', 'Ничья')

    Attributes:
        house: the house's name in that language; empty for rules without one.
        language: "en", "ru" or "ro".
        actions: what each action's button says.
        controls: what each control of the table says.
        outcomes: what became of a hand, in a word or two.
        texts: other words of a screen; some have a place for a value in braces.
    """

    house: str
    language: str
    actions: Mapping[Action, str]
    controls: Mapping[str, str]
    outcomes: Mapping[Outcome, str]
    texts: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        """The label of a control or an action by its name; ValueError for any other name."""
        label = self.controls.get(name)
        return self.actions[Action(name)] if label is None else label

    def text(self, name: str, **values: object) -> str:
        """A text with its values filled in.

        >>> labels("romanian").text("soft", total=17)
        '17 moale'
        """
        return self.texts[name].format(**values)


def _table(keys: tuple[str, ...], *rows: str) -> dict[str, dict[str, str]]:
    """One dictionary per language from rows "english | russian | romanian", in the order of keys."""
    columns = zip(*(row.split(" | ") for row in rows), strict=True)
    return {
        language: dict(zip(keys, column, strict=True))
        for language, column in zip(LANGUAGES, columns, strict=True)
    }


_ACTION_WORDS: Final = _table(
    tuple(Action),
    "Stand | Хватит | Stai",
    "Hit | Ещё | Carte",
    "Double | Удвоить | Dublează",
    "Split | Разделить | Împarte",
    "Surrender | Отказаться | Abandonează",
    "Insurance | Страховка | Asigurare",
    "Even money | Поровну | Plată 1:1",
    "Decline | Не надо | Refuză",
)

_CONTROL_WORDS: Final = _table(
    CONTROL_NAMES,
    "Bet | Ставка | Miză",
    "Chip | Фишка | Jeton",
    "Take back | Снять фишку | Ia înapoi",
    "Clear | Отмена | Șterge",
    "Deal | Раздать | Joacă",
    "Repeat | Повтор | Repetă",
    "New game | Новая игра | Joc nou",
    "Lobby | Лобби | Lobby",
)

_OUTCOME_WORDS: Final = _table(
    tuple(Outcome),
    "In play | В игре | În joc",
    "Blackjack | Блэкджек | Blackjack",
    "Win | Выигрыш | Câștig",
    "Lose | Проигрыш | Pierdere",
    "Push | Ничья | Egalitate",
    "Bust | Перебор | Depășire",
    "Surrender | Отказ | Abandon",
    "Even money | Поровну | Plată 1:1",
    "Charlie | Чарли | Charlie",
)

_TEXT_WORDS: Final = _table(
    (
        "balance",
        "no_limit",
        "dealer",
        "box",
        "hand",
        "total_bet",
        "insurance_bet",
        "soft",
        "your_turn",
        "offer",
        "shuffled",
        "peeked",
        "result",
        "insurance_won",
        "insurance_lost",
        "bet_back",
        "place_bets",
        "limits",
        "limits_open",
        "chips",
        "last_bets",
        "no_bets",
        "no_money",
        "too_small",
        "too_large",
        "bad_step",
        "bad_chip",
        "no_box",
        "nothing_there",
        "no_last",
        "not_now",
        "broke",
        "bye",
        "rounds",
        "hands",
        "staked",
        "returned",
        "net",
    ),
    "Balance | Баланс | Sold",
    "no limit | без предела | fără limită",
    "Dealer | Дилер | Dealer",
    "Box {box} | Бокс {box} | Box {box}",
    "hand {hand} | рука {hand} | mâna {hand}",
    "Bets: {amount} | Ставки: {amount} | Mize: {amount}",
    "Insurance {amount} | Страховка {amount} | Asigurare {amount}",
    "soft {total} | {total} мягких | {total} moale",
    "{where}: your turn | {where}: ваш ход | {where}: e rândul tău",
    "{where}: an offer | {where}: предложение | {where}: o ofertă",
    "The shoe was shuffled. | Карты перетасованы. | Cărțile au fost amestecate.",
    "The dealer looked: no blackjack. | Дилер проверил: блэкджека нет. "
    "| Dealerul a verificat: nu are blackjack.",
    "Result: {net} | Итог: {net} | Rezultat: {net}",
    "Insurance pays {net} | Страховка: {net} | Asigurarea plătește {net}",
    "Insurance {net} | Страховка: {net} | Asigurare {net}",
    "{amount} given back | возвращено {amount} | {amount} înapoi",
    "Place your bets. | Делайте ставки. | Faceți jocurile.",
    "Bets from {low} to {high} in steps of {step} | Ставки от {low} до {high}, шаг {step} "
    "| Mize de la {low} la {high}, pas {step}",
    "Bets from {low} in steps of {step} | Ставки от {low}, шаг {step} | Mize de la {low}, pas {step}",
    "Chips: {chips} | Фишки: {chips} | Jetoane: {chips}",
    "Last bets: {bets} | Прошлые ставки: {bets} | Mizele trecute: {bets}",
    "There are no bets. | Ставок нет. | Nu sunt mize.",
    "That is more than you have. | На балансе столько нет. | Nu ai atâția bani.",
    "The least here is {low}. | Здесь самое меньшее {low}. | Cel puțin {low} aici.",
    "The most here is {high}. | Здесь самое большее {high}. | Cel mult {high} aici.",
    "Bets go in steps of {step}. | Ставки кратны {step}. | Mizele sunt multipli de {step}.",
    "Chips here: {chips}. | Фишки здесь: {chips}. | Jetoanele de aici: {chips}.",
    "Boxes 1 to {boxes} | Боксы с 1 по {boxes} | Boxurile 1-{boxes}",
    "There is nothing on it. | Здесь пусто. | Nu este nimic acolo.",
    "There are no last bets. | Прошлых ставок нет. | Nu sunt mize trecute.",
    "That is not possible now. | Сейчас это невозможно. | Acum nu se poate.",
    "Your balance does not reach for another bet. | На новую ставку баланса не хватает. "
    "| Soldul nu ajunge pentru încă o miză.",
    "Thank you for playing. | Спасибо за игру. | Mulțumim pentru joc.",
    "Rounds | Раздачи | Runde",
    "Hands | Руки | Mâini",
    "Staked | Поставлено | Mizat",
    "Returned | Возвращено | Returnat",
    "Net | Разница | Net",
)

# house -> (its language, its name there, its own words there by name; "outcome:" marks an outcome's)
_CAPITALS: Final = {
    name: word.upper()
    for words in (_ACTION_WORDS, _CONTROL_WORDS)
    for name, word in words["en"].items()
}
_HOUSES: Final[dict[str, tuple[str, str, dict[str, str]]]] = {
    "goldfishka": (
        "ru",
        "Голдфишка",
        {"decline": "Хватит", "dealer": "Крупье", "outcome:charlie": "Семь карт"},
    ),
    "las_vegas": ("en", "Las Vegas", _CAPITALS),
    "atlantic_city": ("en", "Atlantic City", _CAPITALS),
    "continental": ("en", "Continental", {"even_money": "Insurance", "decline": "Stand"}),
    "romanian": (
        "ro",
        "BlackJack (21)",
        {
            "deal": "JOACĂ",
            "hit": "CARTE",
            "stand": "STAI",
            "double": "DUBLEAZĂ",
            "split": "SPLIT",
            "surrender": "STOP",
            "insurance": "ASIGURARE",
            "even_money": "PLATĂ 1:1",
            "decline": "CONTINUĂ",
            "bet": "MIZĂ",
            "add_chip": "JETON",
            "take_back": "ÎNAPOI",
            "clear": "ȘTERGE",
            "repeat": "REPETĂ",
            "new_game": "JOC NOU",
            "leave": "LOBBY",
        },
    ),
}


@cache
def labels(house: str | None = None, language: str | None = None) -> Labels:
    """The words of a house, in its own language unless another is asked for.

    >>> labels("romanian")["surrender"], labels("romanian", "en")["surrender"]
    ('STOP', 'Surrender')
    >>> labels("las_vegas")["hit"], labels("vegas_strip")["hit"]
    ('HIT', 'Hit')

    Args:
        house: a preset's name; any other (or None) has no words of its own.
        language: one of `LANGUAGES`; None for the house's own, or English.

    Raises:
        ArgumentError: there is no such language.
    """
    plain_name = (house or "").replace("_", " ").title()
    own, name, words = _HOUSES.get(house or "", ("en", plain_name, {}))
    language = own if language is None else language
    if language not in LANGUAGES:
        raise ArgumentError(f"expected a language of {', '.join(LANGUAGES)}, got {language!r}")
    if language != own:
        words, name = {}, plain_name
    return Labels(
        house=name,
        language=language,
        actions=_view({Action(a): words.get(a, w) for a, w in _ACTION_WORDS[language].items()}),
        controls=_view({c: words.get(c, w) for c, w in _CONTROL_WORDS[language].items()}),
        outcomes=_view(
            {Outcome(o): words.get(f"outcome:{o}", w) for o, w in _OUTCOME_WORDS[language].items()}
        ),
        texts=_view({t: words.get(t, w) for t, w in _TEXT_WORDS[language].items()}),
    )


_view = MappingProxyType
