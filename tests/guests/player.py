"""A program of Botzone's for tests: bids 3 if it may, leads its lowest card, else passes. The mode spoils it.

It imports nothing of ddz: what it knows of the game is what it is told.
"""

import json
import os
import subprocess
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "once"
STAY = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


def answer(requests, responses):
    if "bid" in requests[-1]:
        return 0 if 3 in requests[-1]["bid"] else 3
    own, began = set(requests[0]["own"]), next(request for request in requests if "landlord" in request)
    if began["landlord"] == began["pos"]:
        own |= set(began["publiccard"])
    for said in responses:
        own -= set(said if isinstance(said, list) else ())
    return [] if any(requests[-1]["history"]) else [min(own)]


def say(response, **more):
    print(json.dumps({"response": response, **more}), flush=True)


def before_it_reads():
    """What it may do instead of reading."""
    if MODE == "crash":
        print("boom\nit went wrong", file=sys.stderr)
        sys.exit(3)
    if MODE == "silent":
        time.sleep(60)
    while MODE in ("flood", "endless"):
        print("x" * 1000 * (MODE == "flood"))
    if MODE == "chatty":
        sys.stderr.write("y" * 5_000_000)
    if MODE == "closed":
        os.close(1)
        time.sleep(60)


def stay(requests, responses):
    """Answer on and on; who forgets plays a card for a second time at once."""
    first = None
    while True:
        said = answer(requests, responses)
        if MODE == "forgets" and first:
            said = first
        first = first or said
        say(said)
        print(STAY, flush=True)
        if MODE == "stays-once":
            return
        responses.append(said)
        requests.append(json.loads(input()))
        assert "requests" not in requests[-1], "from now on the new request alone"


def main():
    before_it_reads()
    heard = json.loads(sys.stdin.read() if MODE == "to-the-end" else input())
    requests, responses = heard["requests"], heard["responses"]
    bidding = "bid" in requests[-1]
    lines = {
        "garbage": b"hello",
        "no-response": b'{"answer": 0}',
        "latin": b'{"response": "\xff"}',
        "deep": b"[" * 100_000,
    }
    if MODE in lines:
        sys.stdout.buffer.write(lines[MODE] + b"\n")
    elif MODE == "illegal":
        say(7 if bidding else [-1])
    elif MODE == "all":
        say(3 if bidding else requests[0]["own"])
    elif MODE == "data":
        saved = {"data": str(len(heard["data"]) * 10 + len(requests)), "globaldata": "g" + heard["globaldata"]}
        say(answer(requests, responses), **saved)
    elif MODE in ("stays", "stays-once", "forgets"):
        stay(requests, responses)
    else:
        if MODE == "child":
            subprocess.Popen(["sleep", "60"])
        say(answer(requests, responses))
        if MODE == "twice":
            say(0)
        if MODE == "lingers":
            time.sleep(60)


main()
