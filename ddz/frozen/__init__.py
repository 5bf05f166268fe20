"""Every shape that ends in stored bytes: the events, the shapes inside them, and their versions.

A log is kept for ever, so a released shape never changes. What a row of version 1 says, every later ddz must read, and
each row must be exactly what its version would write: same keys, sorted, no blanks (`log/codec.py` checks it). A field
with a default is a change too: an old body lacks it, so without a new version every stored game becomes unreadable.
So is a new word that a field may hold (a kind of auction, a cause): without a new version an older ddz takes the row
for a broken one, instead of a newer one. It adds nothing: `ADDED[...] = {}`.

To add a field, for example the knob `wild` to `Rules` and `country` to `Player`:

1. Add the field to its shape in `shapes.py` or `events.py`.
2. Find each event that holds the shape. `tests/architecture/test_frozen.py` fails and names them; here it is
   `game_opened` alone. Raise their versions in `versions.VERSIONS`: `"game_opened": 2`.
3. For each of them tell in `versions.ADDED` which fields the old version had not, and the value by which old games were
   played: `("game_opened", 1): {"rules.wild": False, "players.country": None}`. A path walks through objects and lists.
   What it cannot say (a renamed field, a shape that is stored as a list, as `Cause` is) is a function of its own in
   `versions.UPCASTS`, from the stored object to the new one; it raises ValueError for a body that its old version never
   wrote. Neither is ever edited once it is released.
4. Add the lines that the test prints to `tests/architecture/stored_shapes.txt`. Lines of older versions stay.
5. Store a game of the new version under `fixtures/logs` (see the README there). The old files stay as they are.
6. Use the field: `decide.py` and what it asks, `rules.py` for presets and TOML, `contract/` for JSON (with a default),
   `words/` for people. An old game has the old value, so its audit decides what it decided then.

An old ddz refuses a row of a newer version, and names it as newer. `tests/log/test_new_knob.py` goes these steps in a
copy of ddz, and reads, audits and forks every frozen log with it.
"""
