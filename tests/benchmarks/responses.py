"""Every meld in a hand of 17 that beats the top as a Python list, and the peers' on the same deals and tops.

The top is drawn from the landlord's leads, its kind first, so that every kind is met. Each peer is compared on tops by
its own rules.
"""

import bench
import dealt
import peer_engines

from ddz import kernel

DEALS = 400


def responses(given: list[dealt.Response], policy: int) -> dealt.Work:
    """Our lists."""
    asked = [(each.hand, *each.top[:3]) for each in given]
    listed = kernel.responses

    def work() -> float:
        for hand, kind, length, rank in asked:
            listed(hand, kind, length, rank, policy)
        return len(asked)

    return work


def main() -> None:
    """Measure and print."""
    peers, missing = peer_engines.installed()
    contenders: dict[str, dealt.Work] = {}
    moves = {}
    for preset in ("classic", *peers):
        policy = dealt.CODES[preset]
        given = dealt.responses(DEALS, policy)
        moves[preset] = sum(len(kernel.responses(each.hand, *each.top[:3], policy)) for each in given) / DEALS
        contenders[preset] = dealt.paced(responses(given, policy))
        if preset == "openspiel":
            contenders["by openspiel"] = dealt.paced(peer_engines.openspiel_responses(*peers[preset], given))
        if preset == "rlcard":
            contenders["by rlcard"] = dealt.paced(peer_engines.rlcard_responses(peers[preset], given))
        if preset == "douzero":
            contenders["by douzero"] = dealt.paced(peer_engines.douzero_responses(peers[preset], given))
    figures = bench.interleaved(contenders)
    beside = {
        name: bench.compared("hands/s", {"ddz": figures[name], name: figures[f"by {name}"]}) | {"melds": moves[name]}
        for name in peers
    }
    more = {"melds": moves["classic"], "by the rules of": beside, "missing": missing}
    bench.report("responses of 17 cards as a list", "hands/s", {"ddz": figures["classic"]}, **more)


if __name__ == "__main__":
    main()
