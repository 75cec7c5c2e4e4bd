"""Help and prompts of the game in a terminal, in the three languages.

Lives here: sentences about keys and lines to type. Not here: words of the game and of the houses
(blackjack.labels).
"""

from __future__ import annotations

from typing import Final

__all__ = ["HELP_BETS_KEYS", "HELP_BETS_LINES", "HELP_PLAY", "PROMPTS"]

PROMPTS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "bets": "Bets (50, or 1:50 3:20; ? helps): ",
        "action": "? ",
        "amount": "Amount (Enter: {full}): ",
        "type_bets": "Type bets, e.g. 1:50 3:20: ",
        "which_box": "Which box? ",
        "on_box": "chip on a box",
        "other_chip": "other chip",
        "type": "type an amount",
        "one_box": "clear a box",
        "help": "help",
        "hint": "values",
        "worth": "Worth, in bets:",
        "no_hint": "No values for this game.",
        "again": "[Enter] goes on ",
        "repeat_deal": "the same again",
        "unknown": "I do not understand {text!r}; ? helps.",
        "auto": "{house}: {rounds} rounds of {bet} on {boxes} of {of} boxes, hit below 17.",
    },
    "ru": {
        "bets": "Ставки (50 или 1:50 3:20; ? — помощь): ",
        "action": "? ",
        "amount": "Сумма (Enter: {full}): ",
        "type_bets": "Введите ставки, например 1:50 3:20: ",
        "which_box": "Какой бокс? ",
        "on_box": "фишка на бокс",
        "other_chip": "другая фишка",
        "type": "ввести сумму",
        "one_box": "снять с бокса",
        "help": "помощь",
        "hint": "оценка",
        "worth": "Стоит, в ставках:",
        "no_hint": "Для этой игры оценки нет.",
        "again": "[Enter] дальше ",
        "repeat_deal": "те же ставки",
        "unknown": "Непонятно: {text!r}; ? — помощь.",
        "auto": "{house}: раздач {rounds}, ставка {bet}, боксов {boxes} из {of}, карта до 17 очков.",
    },
    "ro": {
        "bets": "Mize (50 sau 1:50 3:20; ? ajutor): ",
        "action": "? ",
        "amount": "Suma (Enter: {full}): ",
        "type_bets": "Scrie mizele, de exemplu 1:50 3:20: ",
        "which_box": "Care box? ",
        "on_box": "jeton pe un box",
        "other_chip": "alt jeton",
        "type": "scrie o sumă",
        "one_box": "golește un box",
        "help": "ajutor",
        "hint": "valori",
        "worth": "Valorează, în mize:",
        "no_hint": "Nu există valori pentru acest joc.",
        "again": "[Enter] mai departe ",
        "repeat_deal": "încă o dată",
        "unknown": "Nu înțeleg {text!r}; ? ajută.",
        "auto": "{house}: {rounds} runde cu miza {bet} pe {boxes} din {of} boxuri, carte sub 17.",
    },
}

HELP_BETS_LINES: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "50          bet 50 on box 1",
        "3:20        bet 20 on box 3 (3:0 takes it away)",
        "+25, 3+25   put a chip of 25 on box 1, on box 3",
        "u, u3       take the last chip back (from box 3)",
        "c, c3       clear all bets, clear box 3",
        "r           repeat the last bets",
        "Enter or d  deal; with no bets: repeat them and deal",
        "n           new game: clear the table",
        "q           leave",
        "Several fit on a line: 1:50 3:20 d",
    ),
    "ru": (
        "50          поставить 50 на бокс 1",
        "3:20        поставить 20 на бокс 3 (3:0 снимает ставку)",
        "+25, 3+25   положить фишку 25 на бокс 1, на бокс 3",
        "u, u3       снять последнюю фишку (с бокса 3)",
        "c, c3       отменить все ставки, ставку на боксе 3",
        "r           повторить прошлые ставки",
        "Enter или d раздать; без ставок: повторить их и раздать",
        "n           новая игра: убрать всё со стола",
        "q           выйти в лобби",
        "Можно несколько в строке: 1:50 3:20 d",
    ),
    "ro": (
        "50          miza 50 pe boxul 1",
        "3:20        miza 20 pe boxul 3 (3:0 o ridică)",
        "+25, 3+25   un jeton de 25 pe boxul 1, pe boxul 3",
        "u, u3       ia înapoi ultimul jeton (de pe boxul 3)",
        "c, c3       șterge toate mizele, miza de pe boxul 3",
        "r           repetă mizele trecute",
        "Enter sau d împarte cărțile; fără mize: le repetă și împarte",
        "n           joc nou: golește masa",
        "q           ieșire în lobby",
        "Pot fi mai multe pe un rând: 1:50 3:20 d",
    ),
}

HELP_BETS_KEYS: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "1 to 9      put the chosen chip on that box (the space bar: on box 1)",
        "+ and -     choose another chip (the arrows too)",
        "u           take the last chip back",
        "x           clear one box; then its number",
        "c           clear all bets",
        "t           type bets: 50, or 1:50 3:20, or 3+25",
        "r           repeat the last bets",
        "Enter or d  deal; with no bets: repeat them and deal",
        "n           new game: clear the table",
        "q           leave",
    ),
    "ru": (
        "1 … 9       положить выбранную фишку на бокс (пробел: на бокс 1)",
        "+ и -       выбрать другую фишку (и стрелки)",
        "u           снять последнюю фишку",
        "x           снять ставку с бокса; затем его номер",
        "c           отменить все ставки",
        "t           ввести ставки: 50, или 1:50 3:20, или 3+25",
        "r           повторить прошлые ставки",
        "Enter или d раздать; без ставок: повторить их и раздать",
        "n           новая игра: убрать всё со стола",
        "q           выйти в лобби",
    ),
    "ro": (
        "1 … 9       pune jetonul ales pe box (spațiu: pe boxul 1)",
        "+ și -      alege alt jeton (și săgețile)",
        "u           ia înapoi ultimul jeton",
        "x           golește un box; apoi numărul lui",
        "c           șterge toate mizele",
        "t           scrie mizele: 50, sau 1:50 3:20, sau 3+25",
        "r           repetă mizele trecute",
        "Enter sau d împarte cărțile; fără mize: le repetă și împarte",
        "n           joc nou: golește masa",
        "q           ieșire în lobby",
    ),
}

HELP_PLAY: Final[dict[str, tuple[str, ...]]] = {
    "en": (
        "The letter in brackets does what stands behind it; a number there is what it costs.",
        "Only what the rules and your balance allow is offered.",
        "v shows what each action is worth, in bets, by the cards on the table; * is the best.",
        "q plays this round to its end without you and leaves.",
    ),
    "ru": (
        "Буква в скобках делает то, что за ней написано; число — сколько это стоит.",
        "Предлагается только то, что позволяют правила и баланс.",
        "v (м) — сколько стоит каждое действие, в ставках, по картам на столе; * — лучшее.",
        "q доигрывает раздачу без вас и выходит.",
    ),
    "ro": (
        "Litera din paranteze face ce scrie după ea; numărul arată cât costă.",
        "Se oferă doar ce permit regulile și soldul.",
        "v arată cât valorează fiecare acțiune, în mize, după cărțile de pe masă; * e cea mai bună.",
        "q termină runda fără tine și iese.",
    ),
}
