"""What runs on this machine: simulations, training, the log's file, and what ddz finds here."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from ddz.contract.base import Answer, Events, File, Games, Head, RulesName

Seconds = Annotated[float, Meta(description="Seconds.")]
Version = Annotated[str, Meta(description="A version.")]
Seed = Annotated[int, Meta(description="The number that chance is drawn from.")]


class BotJson(msgspec.Struct, frozen=True):
    """A bot at a seat."""

    bot: Annotated[str, Meta(description="The name of the bot.")] | None
    version: Version | None


class ShardJson(msgspec.Struct, frozen=True):
    """A log of a part of a simulation."""

    file: File
    head: Head


class SimulateJson(Answer, frozen=True, tag="ddz/simulate@1"):
    """Games that bots played among themselves."""

    seed: Seed
    games: Annotated[int, Meta(description="A number of games: those that were asked for.")]
    players: Annotated[tuple[BotJson, ...], Meta(description="The bots in the order of the seats.")]
    rules: RulesName
    played: Annotated[int, Meta(description="A number of games: those that were played now.")]
    known: Annotated[int, Meta(description="A number of games: those that were there before.")]
    events: Events
    given_up: Annotated[
        tuple[int, ...], Meta(description="The numbers of the games in which nobody would bid; they are not kept.")
    ]
    log: Annotated[str, Meta(description="The file of the log that took the games.")] | None
    folder: Annotated[str, Meta(description="The folder that keeps the games.")] | None
    shards: Annotated[tuple[ShardJson, ...], Meta(description="The logs in the folder.")]
    jobs: Annotated[int, Meta(description="A number of workers.")]
    engine: Annotated[str, Meta(description="What ran the workers.")]
    seconds: Seconds
    games_per_second: Annotated[float, Meta(description="Games a second.")]


class PathJson(Answer, frozen=True, tag="ddz/path@1"):
    """Where the log is."""

    log: Annotated[str, Meta(description="The file of the log; the address of one that is kept elsewhere.")]
    file: Annotated[bool, Meta(description="It is a file.")]


class TrainProgressJson(Answer, frozen=True, tag="ddz/train-progress@1"):
    """What one round of games and learning came to."""

    games: Annotated[int, Meta(description="A number of games: all so far.")]
    of: Annotated[int, Meta(description="A number of games: those that were asked for.")]
    loss: Annotated[float, Meta(description="The error of the chance to win, in nats, the mean over the roles.")]
    landlord: Annotated[float, Meta(description="The share of the landlord's decisions whose game he won, 0 to 1.")]


class TrainJson(Answer, frozen=True, tag="ddz/train@1"):
    """A network that was trained."""

    games: Games
    seed: Seed
    file: File


class DoctorJson(Answer, frozen=True, tag="ddz/doctor@1"):
    """What ddz runs on, and how its log is kept."""

    ddz: Version
    python: Version
    kernel: Annotated[str, Meta(description="`compiled` or `interpreted`.")]
    kernel_why: Annotated[str, Meta(description="Why, in one word.")]
    platform: Annotated[str, Meta(description="The name of the system.")]
    sqlite: Version
    driver: Annotated[str, Meta(description="The module that drives SQLite.")]
    journal: Annotated[str, Meta(description="How the log is written.")]
    log: File
    log_state: Annotated[str, Meta(description="Whether the log can be read: one English phrase.")]
    terminal: Annotated[str, Meta(description="Whether there is one, and its kind.")]
    encoding: Annotated[str, Meta(description="The encoding of texts for people.")]
    advice: Annotated[tuple[str, ...], Meta(description="What would be better: English sentences.")]
