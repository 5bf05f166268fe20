"""The table on the screen, as plain lines: who holds how many cards, what lies there, what is to beat, your hand."""

from ddz.cards import CardSet
from ddz.frozen.shapes import Seat
from ddz.names import shown_name
from ddz.rules import SEATS
from ddz.view import OpenView, PublicView, SeatView

from .base import Words
from .columns import padded
from .tell import grouped, meld_words, score_lines, tell_call


def table_lines(view: PublicView, words: Words, spoken: bool = False) -> list[str]:
    """The table as `view` shows it; `spoken` as sentences for a screen reader, without columns."""
    lines = [_head(view, words)]
    indent = "" if spoken else "  "
    rows = [_seat_row(view, seat, words) for seat in SEATS]
    if spoken:
        lines += [", ".join(cell for cell in row[1:] if cell) for row in rows]
    else:
        lines += ["  " + line for line in padded(rows)]
    if view.phase == "playing":
        lines.append(indent + _to_beat(view, words))
    if isinstance(view, SeatView) and view.hand:
        lines.append(indent + words.your_hand.format(cards=grouped(view.hand, words)))
    if isinstance(view, OpenView):
        lines += ["  " + line for line in _hands(view, words)]
    if view.score:
        lines += score_lines(view.score, view.players, words)
    return lines


def _hands(view: OpenView, words: Words) -> list[str]:
    """Every hand that is not empty, a line each."""
    held = [seat for seat in SEATS if view.hands[seat]]
    return [f"{shown_name(view.players[seat].name)}: {grouped(view.hands[seat], words)}" for seat in held]


def _head(view: PublicView, words: Words) -> str:
    kitty = view.kitty if not isinstance(view, OpenView) else view.hidden_kitty
    parts = [words.round.format(round=view.round)]
    if view.deal_number:
        parts.append(words.deal.format(deal=view.deal_number + 1))
    parts.append(words.kitty_hidden if kitty is None else words.kitty.format(cards=_cards(kitty, words)))
    if view.base:
        parts.append(words.base.format(base=view.base, multiplier=view.multiplier))
    else:
        parts.append(words.no_bid_yet)
    return " · ".join(parts)


def _cards(cards: CardSet, words: Words) -> str:
    return grouped(cards, words).replace("  ", " ")


def _seat_row(view: PublicView, seat: Seat, words: Words) -> tuple[str, str, str, str, str, str]:
    """One seat: whether it is to act, its name, its role, its cards, the call at two and one, its last turn."""
    name = shown_name(view.players[seat].name)
    role = "" if view.landlord is None else words.landlord if view.landlord == seat else words.peasant
    count = view.counts[seat]
    call = {1: words.call_one, 2: words.call_two}.get(count, "") if view.phase == "playing" else ""
    return (
        "▶" if view.turn == seat else " ",
        f"{words.seat.format(seat=seat)} {name}",
        role,
        words.card_left if count == 1 else words.cards_left.format(count=count),
        call,
        _last_turn(view, seat, words),
    )


def _last_turn(view: PublicView, seat: Seat, words: Words) -> str:
    played = view.last_plays[seat]
    if played is not None:
        if played.meld is None:
            return words.passes
        return f"{_cards(played.meld.cards, words)} ({meld_words(played.meld, words)})"
    calls = [call for call in view.calls if call.seat == seat]
    return tell_call(calls[-1].points, words) if calls and view.phase in ("auction", "void") else ""


def _to_beat(view: PublicView, words: Words) -> str:
    if view.top is None:
        if isinstance(view, SeatView) and view.turn == view.seat:
            return words.you_lead
        return "" if view.turn is None else words.leads.format(who=shown_name(view.players[view.turn].name))
    return words.to_beat.format(
        meld=meld_words(view.top.meld, words),
        cards=_cards(view.top.meld.cards, words),
        who=shown_name(view.players[view.top.seat].name),
    )
