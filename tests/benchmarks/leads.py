"""Every meld in a hand as a Python list, by the size of the hand, and the peers' lists of the same hands.

Beside each peer, ours are by its own rules: the lists hold the same melds.
"""

import bench
import dealt
import peer_engines

from ddz import kernel

SIZES = (20, 17, 10, 5)
HANDS = 300


def leads(orders: list[tuple[int, ...]], size: int, policy: int) -> dealt.Work:
    """Our lists."""
    hands = [dealt.packed(order[:size]) for order in orders]
    listed = kernel.leads

    def work() -> float:
        for hand in hands:
            listed(hand, policy)
        return len(hands)

    return work


def main() -> None:
    """Measure and print."""
    peers, missing = peer_engines.installed()
    contenders: dict[str, dealt.Work] = {}
    moves = {}
    for size in SIZES:
        orders = dealt.hands(size, HANDS)
        packed = [dealt.packed(order[:size]) for order in orders]
        moves[size] = sum(len(kernel.leads(hand, dealt.CODES["classic"])) for hand in packed) / HANDS
        for preset in ("classic", *peers):
            contenders[f"{size} {preset}"] = dealt.paced(leads(orders, size, dealt.CODES[preset]))
        if "openspiel" in peers:
            work = peer_engines.openspiel_leads(*peers["openspiel"], orders, size)
            contenders[f"{size} by openspiel"] = dealt.paced(work)
        if "rlcard" in peers:
            contenders[f"{size} by rlcard"] = dealt.paced(peer_engines.rlcard_leads(peers["rlcard"], orders, size))
        if "douzero" in peers:
            contenders[f"{size} by douzero"] = dealt.paced(peer_engines.douzero_leads(peers["douzero"], orders, size))
    figures = bench.interleaved(contenders)
    by_size = {}
    for size in SIZES:
        ours = figures[f"{size} classic"]
        beside = {
            name: bench.compared("hands/s", {"ddz": figures[f"{size} {name}"], name: figures[f"{size} by {name}"]})
            for name in peers
        }
        by_size[f"{size} cards"] = {"classic": bench.summary(ours), "melds": moves[size], "by the rules of": beside}
    main_figure = {"ddz": figures[f"{SIZES[0]} classic"]}
    bench.report(f"leads of {SIZES[0]} cards as a list", "hands/s", main_figure, sizes=by_size, missing=missing)


if __name__ == "__main__":
    main()
