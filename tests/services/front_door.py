"""A front door: it plays a whole game by asking for hints, retells it in both languages, and audits it."""

import random
import sys

from ddz.log.stores import open_log
from ddz.services import audit, replay, seating, sight
from ddz.services.table import Table
from ddz.words import languages, retelling

with open_log(sys.argv[1], create=True) as log:
    table = Table(log, lambda: "2026-01-02T03:04:05Z", random.Random(1).randbytes)
    sitting = seating.begin(table, seating.plan(seat=0, names=("normal",), seed=7))
    while not sitting.is_over:
        for news in sitting.bots_move():
            print(news.first, len(news.events))
        if sitting.my_turn:
            sitting.act(sitting.hints("hard")[0].turn)
    played, audited = replay.replay(log, sitting.game), audit.audit_game(log, sitting.game)
    shown = sight.look(log, sitting.game, played.state, asked=None)
    for words in map(languages.language, languages.LANGUAGES):
        print(*retelling.replay_lines(played, played.steps, shown, words), sep="\n")
        print(*retelling.ending_lines(played, audited, words), sep="\n")
assert "ddz.cli" not in sys.modules
sys.exit(not audited.ok)
