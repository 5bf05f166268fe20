"""Training the network that the levels `hard` and `expert` play by. Needs torch (the extra `train`).

Three networks of one shape, one a role. The first layer is a sum of rows, since all inputs are 0 or 1: the rows of
the state are summed once a decision, those of each choice are added to it. Then one hidden layer, and two outputs:
the chance that the own side wins (as a logit) and its points.
"""

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ddz.bots.network import POINTS_SCALE, ROLE_NAMES, Layers
from ddz.errors import Unreadable
from ddz.features import CHOICE_INPUTS, STATE_INPUTS
from ddz.log import files
from ddz.positions import ROLES
from ddz.training import selfplay
from ddz.training.selfplay import Inputs, Samples, Style, empty, rows_of

POINTS_WEIGHT: Final = 0.25
"""How much the error of the points counts beside that of the win."""


class TrainingSettings(NamedTuple):
    """What a training run is given."""

    seed: int = 1
    width: int = 256
    hidden: int = 256
    warm_games: int = 60_000
    """Games of the quick player that the network learns from first."""
    warm_strays: float = 0.1
    games_a_round: int = 512
    batch: int = 1024
    reuse: float = 2.0
    """How often each sample is learnt from, on average."""
    memory: int = 400_000
    """Samples a role that are remembered, the oldest forgotten first."""
    rate: float = 1e-3
    least_rate: float = 1e-4
    style: Style = Style()


class Round(NamedTuple):
    """What one round of games and learning came to."""

    games: int
    """All games so far."""
    warm: bool
    """The quick player played it."""
    loss: float
    """The error of the chance to win, in nats, the mean over the roles."""
    landlord: float
    """The share of the landlord's decisions whose game he won."""


class Network(nn.Module):
    """One role's network, or the one that bids."""

    def __init__(
        self, width: int, hidden: int, state_inputs: int = STATE_INPUTS, choice_inputs: int = CHOICE_INPUTS
    ) -> None:
        super().__init__()
        self.state = nn.EmbeddingBag(state_inputs + 1, width, mode="sum", padding_idx=state_inputs)
        self.choice = nn.EmbeddingBag(choice_inputs + 1, width, mode="sum", padding_idx=choice_inputs)
        self.first_bias = nn.Parameter(torch.zeros(width))
        self.second = nn.Linear(width, hidden)
        self.last = nn.Linear(hidden, 2)
        with torch.no_grad():  # about a hundred inputs are 1 at a time
            self.state.weight.mul_(1 / math.sqrt(100))
            self.choice.weight.mul_(1 / math.sqrt(100))
            self.state.weight[-1] = 0
            self.choice.weight[-1] = 0

    def forward(self, states: torch.Tensor, choices: torch.Tensor, of: torch.Tensor | None = None) -> torch.Tensor:
        """(n, 2): logit of the win, and points over POINTS_SCALE, of each choice; `of` numbers the choices' states."""
        hidden = self.state(states) + self.first_bias
        if of is not None:
            hidden = hidden[of]
        hidden = functional.relu(hidden + self.choice(choices))
        result: torch.Tensor = self.last(functional.relu(self.second(hidden)))
        return result


def take(network: Network, layers: Layers) -> None:
    """Continue from a network's values: the inverse of `layers_of`.

    Raises:
        Unreadable: they belong to a network of another form.
    """
    names = ("state.weight", "choice.weight", "first_bias", "second.weight", "second.bias", "last.weight", "last.bias")
    values = (layers.state, layers.choice, layers.first_bias, layers.second.T, layers.second_bias, layers.last.T)
    state = {
        name: torch.from_numpy(np.array(value)) for name, value in zip(names, (*values, layers.last_bias), strict=True)
    }
    try:
        network.load_state_dict(state)
    except RuntimeError as error:
        raise Unreadable("training/form", "these weights belong to networks of another form") from error


def layers_of(network: Network) -> Layers:
    """A network as `ddz.bots.network` computes it."""
    state = {name: values.detach().numpy() for name, values in network.state_dict().items()}
    return Layers(
        state=state["state.weight"],
        choice=state["choice.weight"],
        first_bias=state["first_bias"],
        second=state["second.weight"].T,
        second_bias=state["second.bias"],
        last=state["last.weight"].T,
        last_bias=state["last.bias"],
    )


def learn(network: Network, optimizer: torch.optim.Optimizer, batch: Samples) -> float:
    """One step on a batch of samples: the error of the win's chance, in nats."""
    answers = network(tensor(batch.states), tensor(batch.choices))
    won = functional.binary_cross_entropy_with_logits(answers[:, 0], torch.from_numpy(batch.won))
    points = functional.mse_loss(answers[:, 1], torch.from_numpy(batch.points) / POINTS_SCALE)
    optimizer.zero_grad(set_to_none=True)
    (won + POINTS_WEIGHT * points).backward()  # type: ignore[no-untyped-call]
    optimizer.step()
    return float(won.detach())


class Memory:
    """The newest samples of one role, in a ring: a newer sample takes the oldest one's place."""

    def __init__(self, size: int) -> None:
        self._ring = empty(size)
        self._next = 0
        self._full = 0

    def add(self, samples: Samples) -> None:
        """Remember some more samples; of more than there is room for, the last."""
        size = len(self._ring.won)
        rows = (self._next + np.arange(len(samples.won))) % size
        ring, new = self._ring, rows_of(samples, np.arange(len(rows))[-size:])
        at = rows[-size:]
        ring.states[at], ring.choices[at], ring.won[at], ring.points[at] = new
        self._next = (self._next + len(rows)) % size
        self._full = min(self._full + len(rows), size)

    def __len__(self) -> int:
        return self._full

    def draw(self, rng: np.random.Generator, count: int) -> Samples:
        """`count` samples by chance, some perhaps more than once."""
        return rows_of(self._ring, rng.integers(self._full, size=count))


def tensor(inputs: Inputs) -> torch.Tensor:
    """Inputs as torch needs them."""
    return torch.from_numpy(inputs.astype(np.int32))


class Trainer:
    """Three networks that play and learn."""

    def __init__(self, settings: TrainingSettings) -> None:
        self.settings = settings
        torch.manual_seed(settings.seed)
        self.networks = [Network(settings.width, settings.hidden) for _ in range(ROLES)]
        self.optimizers = [torch.optim.Adam(network.parameters(), lr=settings.rate) for network in self.networks]
        self.memories = [Memory(settings.memory) for _ in range(ROLES)]
        self.rounds = 0
        self.games = 0
        self.samples = 0

    def go_on_from(self, networks: Mapping[str, Layers]) -> None:
        """Begin with the networks of a file of weights instead of by chance.

        Raises:
            Unreadable: they have another form than `settings` gives.
        """
        for network, name in zip(self.networks, ROLE_NAMES, strict=True):
            take(network, networks[name])

    def judge(self, role: int, states: Inputs, choices: Inputs, of: NDArray[np.int64]) -> NDArray[np.float32]:
        """The chance (as a logit) that each choice wins, and its points: `selfplay.Evaluator`."""
        with torch.inference_mode():
            answers = self.networks[role](tensor(states), tensor(choices), torch.from_numpy(of))
            worth: NDArray[np.float32] = (answers * torch.tensor([1.0, POINTS_SCALE])).numpy()
            return worth

    def _seed(self) -> int:
        return int(np.random.SeedSequence([self.settings.seed, self.rounds]).generate_state(1, np.uint64)[0] >> 1)

    def round(self) -> Round:
        """Play one round of games, learn from it, and return the result."""
        settings = self.settings
        warm = self.games < settings.warm_games
        style = settings.style._replace(strays=settings.warm_strays) if warm else settings.style
        played = selfplay.play(None if warm else self.judge, settings.games_a_round, self._seed(), style)
        rng = np.random.default_rng(self._seed() + 1)
        losses = []
        for role, samples in enumerate(played):
            self.memories[role].add(samples)
            self.samples += len(samples.won)
            steps = max(1, round(settings.reuse * len(samples.won) / settings.batch))
            losses.append(self._learn(role, steps, rng))
        self.rounds += 1
        self.games += settings.games_a_round
        return Round(self.games, warm, float(np.mean(losses)), float(played[0].won.mean()))

    def _learn(self, role: int, steps: int, rng: np.random.Generator) -> float:
        network, optimizer = self.networks[role], self.optimizers[role]
        total = 0.0
        for _ in range(steps):
            total += learn(network, optimizer, self.memories[role].draw(rng, self.settings.batch))
        return total / steps

    def set_rate(self, part: float) -> None:
        """Let the learning rate fall, by a half cosine, as `part` of the training passes."""
        low, high = self.settings.least_rate, self.settings.rate
        rate = low + (high - low) * (1 + math.cos(math.pi * min(1.0, part))) / 2
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate

    def save(self, path: Path) -> None:
        """Write a checkpoint, all or nothing."""
        checkpoint: dict[str, Any] = {
            "settings": {**self.settings._asdict(), "style": self.settings.style._asdict()},
            "networks": [network.state_dict() for network in self.networks],
            "optimizers": [optimizer.state_dict() for optimizer in self.optimizers],
            "rounds": self.rounds,
            "games": self.games,
            "samples": self.samples,
        }
        partial = path.with_suffix(".partial")
        with files.fresh(partial) as file:
            torch.save(checkpoint, file)
        partial.replace(path)


def load(path: Path) -> Trainer:
    """The trainer of a checkpoint. Its memory of games is empty, and fills again.

    Raises:
        Unreadable: it is no checkpoint of ours.
    """
    try:
        checkpoint = torch.load(path, weights_only=True)
        settings = checkpoint["settings"]
        style = Style(**{**settings["style"], "policies": tuple(settings["style"]["policies"])})
        trainer = Trainer(TrainingSettings(**{**settings, "style": style}))
        for network, state in zip(trainer.networks, checkpoint["networks"], strict=True):
            network.load_state_dict(state)
        for optimizer, state in zip(trainer.optimizers, checkpoint["optimizers"], strict=True):
            optimizer.load_state_dict(state)
        trainer.rounds, trainer.games = checkpoint["rounds"], checkpoint["games"]
        trainer.samples = checkpoint["samples"]
    except Exception as error:  # there is no end to what may be wrong with a stranger's file, nor to how torch says it
        raise Unreadable(
            "training/checkpoint", "{path} is no checkpoint of this training, or it is damaged", path=str(path)
        ) from error
    return trainer


def run(trainer: Trainer, games: int) -> Iterator[Round]:
    """Train until `games` games have been played; what each round came to."""
    while trainer.games < games:
        trainer.set_rate(trainer.games / games)
        yield trainer.round()
