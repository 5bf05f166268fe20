"""What a command gives where it cannot do what it was asked for."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from ddz.contract.base import Answer, Code, Detail
from ddz.errors import DdzError


class ErrorJson(Answer, frozen=True, tag="ddz/error@1"):
    """A failure: what was wrong. Nothing was changed, unless the command gave other objects before this one."""

    code: Code
    detail: Detail
    facts: Annotated[
        dict[str, str | int | float],
        Meta(description="The values that the sentence names; what is a sentence itself stands here as that sentence."),
    ]
    exit: Annotated[int, Meta(description="The exit code of the command, or what it will be for this failure.")]


def error_json(error: DdzError, code: int) -> ErrorJson:
    """An error of ours, which ends a command with the exit code `code`."""
    return ErrorJson(error.code, error.detail, error.plain_facts, code)
