"""What to type, by the code of what was wrong: no error below the front doors knows how one types."""

from typing import Final

from ddz.errors import DdzError

ADVICE: Final = {
    "bot/does-not-search": "Type: --bot expert",
    "bot/not-by-a-log": "Type: --bot BOT",
    "extra/not-installed": "Type: pip install 'ddz[{extra}]' (in a checkout: pip install '.[{extra}]')",
}


def advice(error: DdzError) -> str | None:
    """What to type, where something helps."""
    text = ADVICE.get(error.code)
    return None if text is None else text.format(**error.plain_facts)
