"""Where in a log, a record or a conversation something is wrong: phrases for errors (`where=places.deal(2)`)."""

from ddz.errors import Phrase


def event(game: str, seq: int) -> Phrase:
    """An event of a line."""
    return Phrase("at/event", "event {seq} of {game}", seq=seq, game=game)


def game(game: str) -> Phrase:
    """A whole line."""
    return Phrase("at/game", "game {game}", game=game)


def deal(deal: int) -> Phrase:
    """A deal of a record, counted from 0."""
    return Phrase("at/deal", "deal {deal}", deal=deal)


def move(move: int, deal: int = 0) -> Phrase:
    """A move of another engine's record, counted from 0."""
    return Phrase("at/move", "deal {deal}, move {move}", deal=deal, move=move)


def hand(hand: int, deal: int = 0) -> Phrase:
    """A hand of a deal of another engine's record, counted from 0."""
    return Phrase("at/hand", "deal {deal}, hand {hand}", deal=deal, hand=hand)


def action(deal: int, action: int, text: str) -> Phrase:
    """An action of a record of ours, with its text."""
    return Phrase("at/action", 'deal {deal}, action {action} ("{text}")', deal=deal, action=action, text=text)


def entry(entry: int) -> Phrase:
    """An entry of a list, counted from 0."""
    return Phrase("at/entry", "entry {entry}", entry=entry)


def line(line: int) -> Phrase:
    """A line of a file, counted from 1."""
    return Phrase("at/line", "line {line}", line=line)


def request(request: int) -> Phrase:
    """What a judge asked, counted from 0."""
    return Phrase("at/request", "request {request}", request=request)


def response(response: int) -> Phrase:
    """What a player answered to a judge, counted from 0."""
    return Phrase("at/response", "response {response}", response=response)


def turn(turn: int) -> Phrase:
    """A turn of the play, counted from 0."""
    return Phrase("at/turn", "turn {turn} of the play", turn=turn)


def field(field: str, where: Phrase | None = None) -> Phrase:
    """A field of a file, by the name that it has there."""
    if where is None:
        return Phrase("at/field", "{field}", field=field)
    return Phrase("at/field", "{where}: {field}", where=where, field=field)


def of_player(player: int, where: Phrase) -> Phrase:
    """What belongs to a player there."""
    return Phrase("at/player", "{where}: player {player}", where=where, player=player)
